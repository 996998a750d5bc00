"""Fields and indexes, plain and optional, and `has()`."""

from libdnsapi.contract.cel.compile.scope import Eval, Frame, Scope, Typed
from libdnsapi.contract.cel.functions.elements import type_name
from libdnsapi.contract.cel.syntax.nodes import Index, Node, Select
from libdnsapi.contract.cel.syntax.problem import CompileError
from libdnsapi.contract.cel.types import BOOL, DYN, STRING, Type, optional_of, unify
from libdnsapi.contract.cel.types import INT as INT_TYPE
from libdnsapi.contract.cel.values import ABSENT, CelError, Opt, Value


def compile_select(node: Select, scope: Scope) -> Typed:
    """Compile `operand.field` and `operand.?field`; a field of an optional is optional."""
    operand = scope.compile(node.operand)
    field = node.field
    inner, chained = _unwrapped(operand.type)
    if inner.name not in {"dyn", "map"}:
        raise CompileError(node.position, f"type {operand.type} has no fields")
    value_type = inner.args[1] if inner.args else DYN
    if node.optional or chained:
        return Typed(_optional_field(operand.run, field), optional_of(value_type))
    return Typed(_field(operand.run, field), value_type)


def compile_has(node: Node, scope: Scope) -> Typed:
    """Compile `has(operand.field)`: whether the field is there, null included."""
    if not isinstance(node, Select):
        raise CompileError(node.position, "has() needs a field such as has(self.spec.ttl)")
    compile_select(node, scope)
    operand, field = scope.compile(node.operand).run, node.field

    def run(frame: Frame) -> Value:
        value = operand(frame)
        if type(value) is dict:
            return field in value
        return _present(value, field)

    return Typed(run, BOOL)


def compile_index(node: Index, scope: Scope) -> Typed:
    """Compile `operand[index]` and `operand[?index]`."""
    operand, index = scope.compile(node.operand), scope.compile(node.index)
    inner, chained = _unwrapped(operand.type)
    if inner.name not in {"dyn", "map", "list"}:
        raise CompileError(node.position, f"type {operand.type} has no elements")
    if inner.name != "dyn" and not unify(index.type, INT_TYPE if inner.name == "list" else STRING, {}):
        raise CompileError(node.index.position, f"{inner.name} has no index of type {index.type}")
    value_type = inner.args[-1] if inner.args else DYN
    if node.optional or chained:
        return Typed(_optional_element(operand.run, index.run), optional_of(value_type))
    return Typed(_element(operand.run, index.run), value_type)


def _unwrapped(type_: Type) -> tuple[Type, bool]:
    return (type_.args[0], True) if type_.name == "optional" else (type_, False)


def _field(operand: Eval, field: str) -> Eval:
    def run(frame: Frame) -> Value:
        value = operand(frame)
        if type(value) is dict:
            try:
                return value[field]
            except KeyError:
                raise CelError(f"no such key: {field}") from None
        if type(value) is Opt:
            return _look(value, field)
        raise CelError(f"no such overload: {type_name(value)}.{field}")

    return run


def _optional_field(operand: Eval, field: str) -> Eval:
    return lambda frame: _look(operand(frame), field)


def _look(value: Value, field: str) -> Opt:
    """Return the field of a map or of an optional map as an optional."""
    if isinstance(value, Opt):
        return _look(value.value, field) if value.present else ABSENT
    if isinstance(value, list):
        raise CelError(f"no such overload: {type_name(value)}.{field}")
    # A scalar has no fields, so an optional look at one finds none (as cel-go has it).
    return Opt(value[field]) if isinstance(value, dict) and field in value else ABSENT


def _present(value: Value, field: str) -> bool:
    return _look(value, field).present


def _element(operand: Eval, index: Eval) -> Eval:
    def run(frame: Frame) -> Value:
        value, at = operand(frame), index(frame)
        if type(value) is Opt:
            return _look_at(value, at)
        return _at(value, at)

    return run


def _at(value: Value, at: Value) -> Value:
    if isinstance(value, list):
        position = _list_index(at)
        if 0 <= position < len(value):
            found: Value = value[position]
            return found
        raise CelError(f"index out of bounds: {position}")
    if isinstance(value, dict):
        if isinstance(at, str) and at in value:
            return value[at]
        raise CelError("no such key")
    raise CelError(f"no such overload: {type_name(value)}[{type_name(at)}]")


def _list_index(at: Value) -> int:
    if isinstance(at, float) and at.is_integer():
        return int(at)
    if isinstance(at, int) and not isinstance(at, bool):
        return int(at)
    raise CelError(f"no such overload: list[{type_name(at)}]")


def _optional_element(operand: Eval, index: Eval) -> Eval:
    return lambda frame: _look_at(operand(frame), index(frame))


def _look_at(value: Value, at: Value) -> Opt:
    if isinstance(value, Opt):
        return _look_at(value.value, at) if value.present else ABSENT
    if isinstance(value, list):
        position = _list_index(at)
        return Opt(value[position]) if 0 <= position < len(value) else ABSENT
    return Opt(value[at]) if isinstance(value, dict) and isinstance(at, str) and at in value else ABSENT
