"""Arithmetic and order on values, as the CEL language definition has them; every overflow is an error."""

from math import copysign, inf, isnan, nan

from libdnsapi.contract.cel.budget import bounded_length
from libdnsapi.contract.cel.values import INT_MIN, CelError, Duration, Timestamp, UInt, Value, int_of, uint_of

_NANOS_MAX = 2**63 - 1
_TIMESTAMP_MIN = -62_135_596_800 * 1_000_000_000
_TIMESTAMP_MAX = 253_402_300_799_999_999_999


def duration_of(nanos: int) -> Duration:
    """Return a duration, or fail past about 292 years: nanoseconds of 64 bits."""
    if abs(nanos) > _NANOS_MAX:
        raise CelError("duration out of range")
    return Duration(nanos)


def timestamp_of(nanos: int) -> Timestamp:
    """Return a timestamp of the years 1 to 9999, or fail."""
    if not _TIMESTAMP_MIN <= nanos <= _TIMESTAMP_MAX:
        raise CelError("timestamp out of range")
    return Timestamp(nanos)


def _wrong(operator: str) -> CelError:
    return CelError(f"no such overload: {operator}")


def add(left: Value, right: Value) -> Value:
    """Return `left + right` of numbers, strings, bytes, lists, or times and durations."""
    if isinstance(left, str) and isinstance(right, str):
        bounded_length(len(left) + len(right))
        return left + right
    if isinstance(left, bytes) and isinstance(right, bytes):
        bounded_length(len(left) + len(right))
        return left + right
    if isinstance(left, list) and isinstance(right, list):
        bounded_length(len(left) + len(right))
        return [*left, *right]
    if isinstance(left, Duration | Timestamp) and isinstance(right, Duration | Timestamp):
        return _add_times(left, right)
    return _on_numbers("+", left, right)


def _add_times(left: Duration | Timestamp, right: Duration | Timestamp) -> Value:
    nanos = left.nanos + right.nanos
    if isinstance(left, Duration) and isinstance(right, Duration):
        return duration_of(nanos)
    if isinstance(left, Timestamp) and isinstance(right, Timestamp):
        raise _wrong("+")
    return timestamp_of(nanos)


def subtract(left: Value, right: Value) -> Value:
    """Return `left - right` of numbers, or of times and durations."""
    match left, right:
        case Timestamp(), Timestamp():
            return duration_of(left.nanos - right.nanos)
        case Timestamp(), Duration():
            return timestamp_of(left.nanos - right.nanos)
        case Duration(), Duration():
            return duration_of(left.nanos - right.nanos)
        case _:
            return _on_numbers("-", left, right)


def multiply(left: Value, right: Value) -> Value:
    """Return `left * right` of two numbers of one type."""
    return _on_numbers("*", left, right)


def divide(left: Value, right: Value) -> Value:
    """Return `left / right`; whole numbers are cut towards zero, and dividing them by zero fails."""
    return _on_numbers("/", left, right)


def modulo(left: Value, right: Value) -> Value:
    """Return `left % right` of whole numbers; the result has the sign of `left`."""
    return _on_numbers("%", left, right)


def _on_numbers(operator: str, left: Value, right: Value) -> Value:
    kind = type(left)
    if kind is not type(right) or isinstance(left, bool):
        raise _wrong(operator)
    if isinstance(left, float) and isinstance(right, float):
        return _doubles(operator, left, right)
    if isinstance(left, int) and isinstance(right, int):
        number = _integers(operator, int(left), int(right))
        return uint_of(number) if kind is UInt else int_of(number)
    raise _wrong(operator)


def _integers(operator: str, left: int, right: int) -> int:
    if operator == "%" and right == -1 and left == INT_MIN:
        raise CelError("integer overflow")
    if operator in "+-":
        return left + right if operator == "+" else left - right
    if operator == "*":
        return left * right
    if right == 0:
        raise CelError("division by zero" if operator == "/" else "modulus by zero")
    quotient = abs(left) // abs(right)
    quotient = quotient if (left < 0) == (right < 0) else -quotient
    return quotient if operator == "/" else left - quotient * right


def _doubles(operator: str, left: float, right: float) -> float:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right if right else _by_zero(left, right)
        case _:
            raise _wrong(operator)


def _by_zero(left: float, zero: float) -> float:
    """IEEE 754: a double divided by zero is infinite, zero or NaN by zero is NaN."""
    return nan if left == 0 or isnan(left) else copysign(inf, left) * copysign(1, zero)


def negate(value: Value) -> Value:
    """Return `-value` of an int, a double or a duration."""
    if isinstance(value, Duration):
        return duration_of(-value.nanos)
    if isinstance(value, float):
        return -value
    if isinstance(value, int) and not isinstance(value, bool | UInt):
        return int_of(-value)
    raise _wrong("-")
