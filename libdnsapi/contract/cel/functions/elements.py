"""What functions need of the elements of a list, whose types are known only when an expression runs."""

from libdnsapi.contract.cel.functions.overload import PYTHON_TYPES
from libdnsapi.contract.cel.values import (
    CelError,
    Duration,
    Timestamp,
    TypeValue,
    Value,
    is_number,
)

_ORDERED = (str, bytes, bool, Timestamp, Duration)


def strings(values: list[Value]) -> list[str]:
    """Return the list as one of strings, or fail."""
    found = [value for value in values if isinstance(value, str)]
    if len(found) != len(values):
        raise CelError("the list must hold strings only")
    return found


def type_name(value: Value) -> str:
    """Return the name of a value's type as CEL writes it."""
    return next((name for name, class_ in PYTHON_TYPES.items() if type(value) is class_), "unknown")


def type_of(value: Value) -> TypeValue:
    """Return a value's type as a value."""
    return TypeValue(type_name(value))


def less(left: Value, right: Value) -> bool:
    """Whether `left < right`; numbers compare across their types, other values within one type."""
    kind = type(left)
    if left != left or right != right:  # noqa: PLR0124 — only a NaN differs from itself
        raise CelError("NaN values cannot be ordered")
    comparable = (kind is type(right) and kind in _ORDERED) or (is_number(left) and is_number(right))
    if comparable:
        return bool(left < right)  # type: ignore[operator]  # one ordered class, or two numbers
    raise CelError(f"no such overload: {type_name(left)} < {type_name(right)}")
