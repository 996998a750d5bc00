"""Constants, variables and type names."""

from libdnsapi.contract.cel.compile.scope import UNBOUND, Frame, Scope, Typed
from libdnsapi.contract.cel.syntax.nodes import Ident, Literal
from libdnsapi.contract.cel.syntax.problem import CompileError
from libdnsapi.contract.cel.types import BOOL, BYTES, DOUBLE, INT, NULL, STRING, TYPE, UINT, Type
from libdnsapi.contract.cel.values import INT_MAX, CelError, TypeValue, UInt, Value

_LITERALS: dict[type[object], Type] = {
    type(None): NULL,
    bool: BOOL,
    int: INT,
    UInt: UINT,
    float: DOUBLE,
    str: STRING,
    bytes: BYTES,
}
_TYPE_NAMES = frozenset({"bool", "int", "uint", "double", "string", "bytes", "list", "map", "null_type", "type"})


def compile_literal(node: Literal) -> Typed:
    """Compile a constant."""
    value = node.value
    if type(value) is int and value > INT_MAX:
        raise CompileError(node.position, "the number does not fit into 64 bits")
    return Typed(lambda _: value, _LITERALS[type(value)])


def compile_ident(node: Ident, scope: Scope) -> Typed:
    """Compile a variable, or a type's name where no variable has it."""
    if node.name in scope.names:
        slot, type_ = scope.names[node.name]
        return Typed(_variable(slot, node.name), type_)
    if node.name in _TYPE_NAMES:
        value = TypeValue(node.name)
        return Typed(lambda _: value, TYPE)
    raise CompileError(node.position, f"undeclared reference to {node.name}")


def _variable(slot: int, name: str) -> "_Variable":
    return _Variable(slot, name)


class _Variable:
    """Reads one slot; a variable that has no value in this evaluation is an error."""

    __slots__ = ("_name", "_slot")

    def __init__(self, slot: int, name: str) -> None:
        self._slot = slot
        self._name = name

    def __call__(self, frame: Frame) -> Value:
        value = frame[self._slot]
        if value is UNBOUND:
            raise CelError(f"{self._name} is not available here")
        return value
