"""Unary and binary operators: which types may meet, and what runs."""

from collections.abc import Callable

from libdnsapi.contract.cel.compile.scope import Eval, Frame, Scope, Typed
from libdnsapi.contract.cel.functions.elements import less, type_name
from libdnsapi.contract.cel.operators import add, divide, modulo, multiply, negate, subtract
from libdnsapi.contract.cel.syntax.nodes import Binary, ListNode, Literal, Node, Unary
from libdnsapi.contract.cel.syntax.problem import CompileError
from libdnsapi.contract.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    LIST,
    MAP,
    NUMBERS,
    STRING,
    TIMESTAMP,
    UINT,
    Type,
    comparable,
    join,
    unify,
)
from libdnsapi.contract.cel.values import CelError, Opaque, Value, equal

_SAME_NUMBERS = tuple((number, number, number) for number in NUMBERS)
_SIGNATURES: dict[str, tuple[tuple[Type, Type, Type], ...]] = {
    "+": (
        *_SAME_NUMBERS,
        (STRING, STRING, STRING),
        (BYTES, BYTES, BYTES),
        (DURATION, DURATION, DURATION),
        (TIMESTAMP, DURATION, TIMESTAMP),
        (DURATION, TIMESTAMP, TIMESTAMP),
        (LIST, LIST, LIST),
    ),
    "-": (
        *_SAME_NUMBERS,
        (DURATION, DURATION, DURATION),
        (TIMESTAMP, TIMESTAMP, DURATION),
        (TIMESTAMP, DURATION, TIMESTAMP),
    ),
    "*": _SAME_NUMBERS,
    "/": _SAME_NUMBERS,
    "%": ((INT, INT, INT), (UINT, UINT, UINT)),
}
_RUN: dict[str, Callable[[Value, Value], Value]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "%": modulo,
}
_ORDERED = (BOOL, STRING, BYTES, TIMESTAMP, DURATION)


def compile_unary(node: Unary, scope: Scope) -> Typed:
    """Compile `!x` and `-x`."""
    operand = scope.compile(node.operand)
    run = operand.run
    if node.operator == "!":
        if not unify(operand.type, BOOL, {}):
            raise CompileError(node.position, f"! needs bool, this is {operand.type}")
        return Typed(_inverted(run), BOOL)
    if operand.type not in {INT, DOUBLE, DYN}:
        raise CompileError(node.position, f"- needs a number, this is {operand.type}")
    return Typed(lambda frame: negate(run(frame)), operand.type)


def _inverted(run: Eval) -> Eval:
    def inverted(frame: Frame) -> Value:
        value = run(frame)
        if value is True:
            return False
        if value is False:
            return True
        raise CelError(f"no such overload: !{type_name(value)}")

    return inverted


def compile_binary(node: Binary, scope: Scope) -> Typed:
    """Compile arithmetic, comparison and membership."""
    if node.operator == "in":
        return _membership(node, scope)
    left, right = scope.compile(node.left), scope.compile(node.right)
    if node.operator in {"==", "!="}:
        return _equality(node, left, right)
    if node.operator in _RUN:
        return Typed(_applied(_RUN[node.operator], left.run, right.run), _result(node, left.type, right.type))
    return _order(node, left, right)


def _wrong(node: Binary, left: Type, right: Type) -> CompileError:
    return CompileError(node.position, f"no operator {node.operator} for {left} and {right}")


def _result(node: Binary, left: Type, right: Type) -> Type:
    results = []
    for first, second, result in _SIGNATURES[node.operator]:
        if unify(left, first, {}) and unify(right, second, {}):
            results.append(left if result is LIST and left == right else result)
    if not results:
        raise _wrong(node, left, right)
    return join(results)


def _applied(function: Callable[[Value, Value], Value], left: Eval, right: Eval) -> Eval:
    def run(frame: Frame) -> Value:
        value = function(left(frame), right(frame))
        if isinstance(value, str | list | bytes):
            frame.budget.spend_text(len(value))
        return value

    return run


def _equality(node: Binary, left: Typed, right: Typed) -> Typed:
    if not comparable(left.type, right.type):
        raise _wrong(node, left.type, right.type)
    left_run, right_run, negated = left.run, right.run, node.operator == "!="

    def run(frame: Frame) -> Value:
        one, other = left_run(frame), right_run(frame)
        if type(one) is str:
            return (type(other) is str and one == other) is not negated
        if isinstance(one, list | dict):
            frame.budget.spend_text(weight(one) << 6)
        if not negated and isinstance(one, Opaque) and type(one) is not type(other):
            raise CelError(f"no such overload: == of {type_name(one)} and {type_name(other)}")
        return equal(one, other) is not negated

    return Typed(run, BOOL)


def weight(value: Value) -> int:
    """Return how many elements a value holds, all levels counted."""
    if isinstance(value, list):
        return 1 + sum(map(weight, value))
    if isinstance(value, dict):
        return 1 + sum(map(weight, value.values()))
    return 1


def _order(node: Binary, left: Typed, right: Typed) -> Typed:
    numbers = (*NUMBERS, DYN)
    both_numbers = left.type in numbers and right.type in numbers
    if not both_numbers and not any(unify(left.type, t, {}) and unify(right.type, t, {}) for t in _ORDERED):
        raise _wrong(node, left.type, right.type)
    one, other = left.run, right.run
    runs: dict[str, Eval] = {
        "<": lambda frame: less(one(frame), other(frame)),
        ">": lambda frame: _greater(one(frame), other(frame)),
        "<=": lambda frame: _at_most(one(frame), other(frame)),
        ">=": lambda frame: _at_least(one(frame), other(frame)),
    }
    return Typed(runs[node.operator], BOOL)


def _greater(left: Value, right: Value) -> bool:
    return less(right, left)


def _at_most(left: Value, right: Value) -> bool:
    # A NaN is neither less nor greater, so "at most" is not the opposite of "greater".
    return less(left, right) or (not less(right, left) and equal(left, right))


def _at_least(left: Value, right: Value) -> bool:
    return _at_most(right, left)


def _membership(node: Binary, scope: Scope) -> Typed:
    left, right = scope.compile(node.left), scope.compile(node.right)
    if not (unify(right.type, LIST, {}) or unify(right.type, MAP, {})):
        raise _wrong(node, left.type, right.type)
    if right.type.name == "list" and not comparable(left.type, right.type.args[0]):
        raise _wrong(node, left.type, right.type)
    constants = _constant_strings(node.right)
    if constants is not None:
        return Typed(_among(left.run, constants), BOOL)
    return Typed(_contained(left.run, right.run), BOOL)


def _constant_strings(node: Node) -> frozenset[str] | None:
    """Return the elements of a list of string constants, the form that rules use most."""
    if not isinstance(node, ListNode) or node.optional:
        return None
    values = [item.value for item in node.items if isinstance(item, Literal)]
    texts = [value for value in values if isinstance(value, str)]
    return frozenset(texts) if len(texts) == len(node.items) else None


def _among(left: Eval, constants: frozenset[str]) -> Eval:
    def run(frame: Frame) -> Value:
        value = left(frame)
        return type(value) is str and value in constants

    return run


def _contained(left: Eval, right: Eval) -> Eval:
    def run(frame: Frame) -> Value:
        value, holder = left(frame), right(frame)
        if isinstance(holder, dict):
            return isinstance(value, str) and value in holder
        if not isinstance(holder, list):
            raise CelError(f"no such overload: in {type_name(holder)}")
        frame.budget.spend(1 + len(holder))
        return any(equal(value, element) for element in holder)

    return run
