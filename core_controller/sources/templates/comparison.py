"""eq, ne, lt, le, gt and ge as Go's text/template compares."""

from core_controller.sources.templates.errors import EvaluationError
from core_controller.sources.templates.values import Value, is_nil, kind

INCOMPATIBLE = "incompatible types for comparison"


def equals(values: list[Value]) -> bool:
    """Whether the first value equals any of the others."""
    if len(values) < 2:  # noqa: PLR2004 — one is nothing to compare
        raise EvaluationError("missing argument for comparison")
    return any(_equal(values[0], other) for other in values[1:])


def differs(values: list[Value]) -> bool:
    """Whether two values differ."""
    first, second = values
    return not _equal(first, second)


def less(values: list[Value]) -> bool:
    """Whether the first of two values of one basic type comes first."""
    first, second = values
    for value in values:
        if not isinstance(value, int | float | str):
            raise EvaluationError("invalid type for comparison")
    if _basic(first) != _basic(second):
        raise EvaluationError(INCOMPATIBLE)
    match first, second:
        case bool(), _:
            raise EvaluationError("invalid type for comparison")
        case str(), str():
            return first.encode() < second.encode()
        case ((int() | float()), (int() | float())):
            return first < second
        case _:
            raise EvaluationError(INCOMPATIBLE)


def less_or_equal(values: list[Value]) -> bool:
    """Whether the first of two values does not come after the second."""
    return less(values) or _equal(values[0], values[1])


def _basic(value: Value) -> str:
    return kind(value) if isinstance(value, bool | int | float | str) else ""


def _equal(first: Value, second: Value) -> bool:
    one, other = _basic(first), _basic(second)
    if one != other:
        if is_nil(first) or is_nil(second):
            return False
        raise EvaluationError(INCOMPATIBLE)
    if one:
        return first == second
    if is_nil(first) or is_nil(second):
        return is_nil(first) and is_nil(second)
    raise EvaluationError(f"non-comparable type {kind(first)}")
