"""Function calls: macros, `has()`, qualified names, and overloads by static and by run-time type."""

from libdnsapi.contract.cel.compile.access import compile_has
from libdnsapi.contract.cel.compile.macros import find_macro
from libdnsapi.contract.cel.compile.scope import Eval, Frame, Scope, Typed
from libdnsapi.contract.cel.functions.elements import type_name
from libdnsapi.contract.cel.functions.overload import Overload, fits
from libdnsapi.contract.cel.functions.patterns import PATTERN_FUNCTIONS, compiled
from libdnsapi.contract.cel.syntax.nodes import Call, Ident, Literal, Node, Select
from libdnsapi.contract.cel.syntax.problem import CompileError
from libdnsapi.contract.cel.types import DYN, Type, join, resolved, unify
from libdnsapi.contract.cel.values import CelError, Value


def compile_call(node: Call, scope: Scope) -> Typed:
    """Compile a call; raise CompileError where there is no such function for these types."""
    if node.target is None and node.name == "has" and len(node.args) == 1:
        return compile_has(node.args[0], scope)
    macro = find_macro(node) if node.target is not None and _qualified(node.target, scope) is None else None
    if macro is not None:
        return macro(node, scope)
    name, arguments, receiver = _callee(node, scope)
    typed = [scope.compile(argument) for argument in arguments]
    chosen = _candidates(node, scope, name, [t.type for t in typed], receiver=receiver)
    _check_pattern(name, arguments)
    overloads = tuple(overload for overload, _ in chosen)
    return Typed(_dispatch(name, overloads, typed), join([result for _, result in chosen]))


def _qualified(node: Node, scope: Scope) -> str | None:
    """Return the dotted name of a node that is one, and no variable's field."""
    if isinstance(node, Ident):
        return None if node.name in scope.names else node.name
    if isinstance(node, Select) and not node.optional:
        prefix = _qualified(node.operand, scope)
        return None if prefix is None else f"{prefix}.{node.field}"
    return None


def _callee(node: Call, scope: Scope) -> tuple[str, tuple[Node, ...], bool]:
    """Return the function's full name, its arguments, and whether the first of them is a receiver."""
    if node.target is None:
        return node.name, node.args, False
    prefix = _qualified(node.target, scope)
    if prefix is not None:
        return f"{prefix}.{node.name}", node.args, False
    return node.name, (node.target, *node.args), True


def _candidates(
    node: Call, scope: Scope, name: str, types: list[Type], *, receiver: bool
) -> list[tuple[Overload, Type]]:
    """Return the overloads that these static types allow, each with the type of its result."""
    found = []
    known = scope.library.get((name, receiver), ())
    for overload in known:
        bound: dict[str, Type] = {}
        if len(overload.params) != len(types):
            continue
        if all(unify(t, p, bound) for t, p in zip(types, overload.params, strict=True)):
            found.append((overload, resolved(overload.result, bound)))
    if found:
        return found
    if not known:
        raise CompileError(node.position, f"there is no function {name}")
    shown = ", ".join(map(str, types[1:] if receiver else types))
    on = f" on {types[0]}" if receiver else ""
    raise CompileError(node.position, f"there is no function {name}({shown}){on}")


def _check_pattern(name: str, arguments: tuple[Node, ...]) -> None:
    """Compile a constant regular expression now, so that a bad one is refused here."""
    pattern = arguments[1] if name in PATTERN_FUNCTIONS and len(arguments) > 1 else None
    if isinstance(pattern, Literal) and isinstance(pattern.value, str):
        try:
            compiled(pattern.value)
        except CelError as error:
            raise CompileError(pattern.position, str(error)) from error


def _dispatch(name: str, overloads: tuple[Overload, ...], arguments: list[Typed]) -> Eval:
    runs = tuple(argument.run for argument in arguments)
    certain = len(overloads) == 1 and all(_is_certain(a.type) for a in arguments)

    def run(frame: Frame) -> Value:
        values = [argument(frame) for argument in runs]
        first = values[0] if values else None
        frame.budget.spend_text(len(first) if isinstance(first, str | list | dict | bytes) else 0)
        overload = overloads[0] if certain else _chosen(name, overloads, values)
        result = overload.run(*values)
        if isinstance(result, str | list):
            frame.budget.spend_text(len(result))
        return result

    return run


def _is_certain(type_: Type) -> bool:
    return type_ != DYN


def _chosen(name: str, overloads: tuple[Overload, ...], values: list[Value]) -> Overload:
    for overload in overloads:
        if all(fits(v, p) for v, p in zip(values, overload.params, strict=True)):
            return overload
    raise CelError(f"no such overload: {name}({', '.join(map(type_name, values))})")
