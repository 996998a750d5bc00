"""The text form of values: `string(x)` and `%s`, as Go's formatting gives them."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from math import isfinite

from libdnsapi.contract.cel.values import CelError, Cidr, Duration, Ip, Timestamp, TypeValue, Url, Value

NANOS = 1_000_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ASCII, _BMP = 0x80, 0xFFFF
ESCAPES = {
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    "\\": "\\\\",
    '"': '\\"',
}
_SHORTEST_MIN, _SHORTEST_MAX = -4, 6


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
    """Return what `%s` prints: the text of a value, or the contents of a list or map with their strings quoted."""
    match value:
        case list() | dict():
            return _contents(value)
        case None:
            return "null"
        case Ip() | Cidr() | Url():
            raise CelError("format cannot print this value with %s")
        case _:
            return to_text(value)


def _contents(value: Value) -> str:
    match value:
        case str():
            return quoted(value)
        case list():
            return f"[{', '.join(_contents(item) for item in value)}]"
        case dict():
            return "{" + ", ".join(f"{quoted(key)}:{_contents(value[key])}" for key in sorted(value)) + "}"
        case float():
            return f"{value:.6f}" if isfinite(value) else quoted(double_text(value))
        case bytes():
            return f"b{quoted(_decoded(value))}"
        case _:
            return _wrapped(value)


def _wrapped(value: Value) -> str:
    text = printed(value)
    kinds = {Timestamp: "timestamp", Duration: "duration"}
    return f'{kinds[type(value)]}("{text}")' if type(value) in kinds else text


def quoted(text: str) -> str:
    """Return the text in quotes with escapes, as Go's strconv.Quote writes it."""
    return f'"{"".join(map(_quoted_character, text))}"'


def _quoted_character(character: str) -> str:
    if character in ESCAPES:
        return ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02x}" if code < _ASCII else f"\\u{code:04x}" if code <= _BMP else f"\\U{code:08x}"
