"""Macros over lists and maps, with one variable or two, and over optionals."""

from collections.abc import Callable, Iterable

from libdnsapi.contract.cel.compile.collections import add_entry
from libdnsapi.contract.cel.compile.scope import Eval, Frame, Scope, Typed
from libdnsapi.contract.cel.functions.elements import type_name
from libdnsapi.contract.cel.functions.lists import sort_by
from libdnsapi.contract.cel.syntax.nodes import Call, Ident, Node
from libdnsapi.contract.cel.syntax.problem import CompileError
from libdnsapi.contract.cel.types import BOOL, DYN, INT, LIST, MAP, STRING, Type, list_of, map_of, optional_of, unify
from libdnsapi.contract.cel.values import ABSENT, CelError, Opt, Value

Macro = Callable[[Call, Scope], Typed]


class _Loop:
    """The range of a macro, its variables bound in a scope of their own, and the way to walk over it."""

    def __init__(self, node: Call, scope: Scope, variables: int) -> None:
        if node.target is None:
            raise CompileError(node.position, f"{node.name} needs something to walk over")
        self._target = scope.compile(node.target)
        if not (unify(self._target.type, LIST, {}) or unify(self._target.type, MAP, {})):
            raise CompileError(node.position, f"{node.name} walks over lists and maps, this is {self._target.type}")
        self.element, self.two = _element_type(self._target.type), variables > 1
        names = [_variable(argument) for argument in node.args[:variables]]
        if len(set(names)) != len(names):
            raise CompileError(node.position, f"{node.name} needs two different variables")
        types = _variable_types(self._target.type, two=self.two)
        self.scope, self._slots = scope, []
        for name, type_ in zip(names, types, strict=True):
            self.scope, slot = self.scope.with_variable(name, type_)
            self._slots.append(slot)

    def body(self, node: Node, expected: Type = DYN) -> Typed:
        """Compile what runs for each element."""
        typed = self.scope.compile(node)
        if not unify(typed.type, expected, {}):
            raise CompileError(node.position, f"this must be {expected}, it is {typed.type}")
        return typed

    def walk(self, frame: Frame) -> Iterable[Value]:
        """Bind the variables to each element in turn; yields the element or the key."""
        target = self._target.run(frame)
        if isinstance(target, list):
            yield from self._walk_list(frame, target)
        elif isinstance(target, dict):
            yield from self._walk_map(frame, target)
        else:
            raise CelError(f"no such overload: a macro over {type_name(target)}")

    def _walk_list(self, frame: Frame, target: list[Value]) -> Iterable[Value]:
        spend, slots = frame.budget.spend, self._slots
        if self.two:
            for index, element in enumerate(target):
                spend()
                frame[slots[0]], frame[slots[1]] = index, element
                yield element
            return
        slot = slots[0]
        for element in target:
            spend()
            frame[slot] = element
            yield element

    def _walk_map(self, frame: Frame, target: dict[str, Value]) -> Iterable[Value]:
        for key, element in target.items():
            frame.budget.spend()
            frame[self._slots[0]] = key
            if self.two:
                frame[self._slots[1]] = element
            yield key


def _variable(node: Node) -> str:
    if isinstance(node, Ident):
        return node.name
    raise CompileError(node.position, "a macro's variable must be a plain name")


def _element_type(type_: Type) -> Type:
    """Return the type of what a one-variable macro sees: elements of a list, keys of a map."""
    return {"list": type_.args[0] if type_.args else DYN, "map": STRING}.get(type_.name, DYN)


def _variable_types(type_: Type, *, two: bool) -> tuple[Type, ...]:
    if not two:
        return (_element_type(type_),)
    if type_.name == "list":
        return (INT, type_.args[0])
    return (STRING, type_.args[1]) if type_.name == "map" else (DYN, DYN)


def find_macro(node: Call) -> Macro | None:
    """Return the macro that a receiver call is, or None."""
    return _MACROS.get((node.name, len(node.args)))


def _quantifier(variables: int, *, by: bool) -> Macro:
    """Return `all` (decided by False) or `exists` (decided by True); both absorb errors of undecided elements."""

    def macro(node: Call, scope: Scope) -> Typed:
        loop = _Loop(node, scope, variables)
        body = loop.body(node.args[-1], BOOL).run

        def run(frame: Frame) -> Value:
            problem: CelError | None = None
            for _ in loop.walk(frame):
                try:
                    value = body(frame)
                except CelError as error:
                    problem = problem or error
                    continue
                if value is by:
                    return by
                if value is not (not by):
                    problem = problem or CelError("no such overload: a predicate needs bool")
            if problem is not None:
                raise problem
            return not by

        return Typed(run, BOOL)

    return macro


def _predicate(run: Eval, frame: Frame) -> bool:
    value = run(frame)
    if isinstance(value, bool):
        return value
    raise CelError("no such overload: a predicate needs bool")


def _exists_one(variables: int) -> Macro:
    def macro(node: Call, scope: Scope) -> Typed:
        loop = _Loop(node, scope, variables)
        body = loop.body(node.args[-1], BOOL).run
        return Typed(lambda frame: sum(_predicate(body, frame) for _ in loop.walk(frame)) == 1, BOOL)

    return macro


def _filter(node: Call, scope: Scope) -> Typed:
    loop = _Loop(node, scope, 1)
    body = loop.body(node.args[-1], BOOL).run
    return Typed(lambda frame: [v for v in loop.walk(frame) if _predicate(body, frame)], list_of(loop.element))


def _map(variables: int, *, filtered: bool) -> Macro:
    """Return `map`, `transformList`: a list of what the last argument gives for each element that passes."""

    def macro(node: Call, scope: Scope) -> Typed:
        loop = _Loop(node, scope, variables)
        body = loop.body(node.args[-1])
        run, type_ = body.run, list_of(body.type)
        if not filtered:
            return Typed(lambda frame: [run(frame) for _ in loop.walk(frame)], type_)
        test = loop.body(node.args[variables], BOOL).run
        return Typed(lambda frame: [run(frame) for _ in loop.walk(frame) if _predicate(test, frame)], type_)

    return macro


def _transform_map(*, filtered: bool, entries: bool) -> Macro:
    """Return `transformMap` (keys stay) or `transformMapEntry` (each step gives a map of new entries)."""

    def macro(node: Call, scope: Scope) -> Typed:
        loop = _Loop(node, scope, 2)
        body = loop.body(node.args[-1], MAP if entries else DYN)
        test = loop.body(node.args[2], BOOL).run if filtered else None

        def run(frame: Frame) -> Value:
            found: dict[str, Value] = {}
            for key in loop.walk(frame):
                if test is None or _predicate(test, frame):
                    _put(found, key, body.run(frame), entries=entries)
            return found

        return Typed(run, map_of(DYN if entries else body.type))

    return macro


def _put(found: dict[str, Value], key: Value, value: Value, *, entries: bool) -> None:
    if not entries:
        add_entry(found, key, value)
    elif isinstance(value, dict):
        for new_key, new_value in value.items():
            add_entry(found, new_key, new_value)
    else:
        raise CelError("transformMapEntry needs a map")


def _sort_by(node: Call, scope: Scope) -> Typed:
    loop = _Loop(node, scope, 1)
    key = loop.body(node.args[-1]).run

    def run(frame: Frame) -> Value:
        pairs = [(element, key(frame)) for element in loop.walk(frame)]
        return sort_by([element for element, _ in pairs], [k for _, k in pairs])

    return Typed(run, list_of(loop.element))


def _optional_macro(*, flat: bool) -> Macro:
    """Return `optMap` or `optFlatMap`: what the expression gives for a present value, or none."""

    def macro(node: Call, scope: Scope) -> Typed:
        if node.target is None:
            raise CompileError(node.position, f"{node.name} needs an optional")
        target = scope.compile(node.target)
        if target.type.name not in {"optional", "dyn"}:
            raise CompileError(node.position, f"{node.name} needs an optional, this is {target.type}")
        inner = target.type.args[0] if target.type.args else DYN
        bound, slot = scope.with_variable(_variable(node.args[0]), inner)
        body = bound.compile(node.args[1])

        def run(frame: Frame) -> Value:
            value = target.run(frame)
            if not isinstance(value, Opt):
                raise CelError(f"no such overload: {node.name} of {type_name(value)}")
            if not value.present:
                return ABSENT
            frame[slot] = value.value
            return body.run(frame) if flat else Opt(body.run(frame))

        return Typed(run, body.type if flat else optional_of(body.type))

    return macro


_MACROS: dict[tuple[str, int], Macro] = {
    ("all", 2): _quantifier(1, by=False),
    ("all", 3): _quantifier(2, by=False),
    ("exists", 2): _quantifier(1, by=True),
    ("exists", 3): _quantifier(2, by=True),
    ("exists_one", 2): _exists_one(1),
    ("existsOne", 2): _exists_one(1),
    ("exists_one", 3): _exists_one(2),
    ("existsOne", 3): _exists_one(2),
    ("filter", 2): _filter,
    ("map", 2): _map(1, filtered=False),
    ("map", 3): _map(1, filtered=True),
    ("transformList", 3): _map(2, filtered=False),
    ("transformList", 4): _map(2, filtered=True),
    ("transformMap", 3): _transform_map(filtered=False, entries=False),
    ("transformMap", 4): _transform_map(filtered=True, entries=False),
    ("transformMapEntry", 3): _transform_map(filtered=False, entries=True),
    ("transformMapEntry", 4): _transform_map(filtered=True, entries=True),
    ("sortBy", 2): _sort_by,
    ("optMap", 2): _optional_macro(flat=False),
    ("optFlatMap", 2): _optional_macro(flat=True),
}
MACRO_NAMES = tuple(sorted({name for name, _ in _MACROS} | {"has"}))
