"""The text form of values: `string(x)` and `%s`, as Go's formatting gives them."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from libdnsapi.contract.cel.values import CelError, Cidr, Duration, Ip, Opt, Timestamp, TypeValue, Url, Value

NANOS = 1_000_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SHORTEST_MIN, _SHORTEST_MAX = -4, 21


def double_text(value: float) -> str:
    """Return the shortest text of a double: no point for whole numbers, an exponent for very large or small ones."""
    if value != value or value in {float("inf"), float("-inf")}:  # noqa: PLR0124 — only a NaN differs from itself
        return "NaN" if value != value else ("+Inf" if value > 0 else "-Inf")  # noqa: PLR0124 — as above
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    power = len(digits) - 1 + int(exponent)
    if value == 0 or _SHORTEST_MIN <= power < _SHORTEST_MAX:
        return format(Decimal(repr(value)).normalize(), "f")
    first, rest = digits[0], "".join(map(str, digits[1:]))
    mantissa = f"{first}.{rest}" if rest else str(first)
    return f"{'-' if sign else ''}{mantissa}e{'-' if power < 0 else '+'}{abs(power):02d}"


def duration_text(value: Duration) -> str:
    """Return seconds with an "s", such as 5400s or 1.5s."""
    return format((Decimal(value.nanos) / NANOS).normalize(), "f") + "s"


def moment(value: Timestamp) -> datetime:
    """Return the timestamp as an aware datetime, cut to microseconds."""
    return _EPOCH + timedelta(microseconds=value.nanos // 1000)


def timestamp_text(value: Timestamp) -> str:
    """Return RFC 3339 in UTC, with as many digits of a second as there are."""
    base = moment(value).strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0")
    fraction = value.nanos % NANOS
    return f"{base}.{fraction:09d}".rstrip("0") + "Z" if fraction else f"{base}Z"


def to_text(value: Value) -> str:
    """Return what `string(value)` returns; fail for values that have no text form."""
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int():
            return str(int(value))
        case float():
            return double_text(value)
        case bytes():
            return _decoded(value)
        case _:
            return _object_text(value)


def _object_text(value: Value) -> str:
    match value:
        case Timestamp():
            return timestamp_text(value)
        case Duration():
            return duration_text(value)
        case Ip(address):
            return str(address)
        case Cidr(interface):
            return str(interface)
        case Url(text=text) | TypeValue(name=text):
            return text
        case _:
            raise CelError("the value has no text form")


def _decoded(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError as error:
        raise CelError("the bytes are no UTF-8") from error


def printed(value: Value) -> str:
    """Return what `%s` prints: as `string(value)`, with lists, maps and null."""
    match value:
        case None:
            return "null"
        case list():
            return f"[{', '.join(printed(v) for v in value)}]"
        case dict():
            return "{" + ", ".join(f"{k}: {printed(value[k])}" for k in sorted(value)) + "}"
        case Opt():
            return f"optional({printed(value.value)})" if value.present else "optional.none()"
        case _:
            return to_text(value)
