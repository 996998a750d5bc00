"""Timestamps and durations (CEL language definition). All in UTC: the overloads with a time zone do not exist here."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from libdnsapi.contract.cel.functions.overload import Overload, function, method
from libdnsapi.contract.cel.functions.text import NANOS, moment
from libdnsapi.contract.cel.operators import duration_of, timestamp_of
from libdnsapi.contract.cel.types import DURATION as DURATION_TYPE
from libdnsapi.contract.cel.types import INT, STRING
from libdnsapi.contract.cel.types import TIMESTAMP as TIMESTAMP_TYPE
from libdnsapi.contract.cel.values import CelError, Duration, Timestamp, Value

_UNITS = {
    "ns": 1,
    "us": 10**3,
    "\u00b5s": 10**3,
    "\u03bcs": 10**3,
    "ms": 10**6,
    "s": NANOS,
    "m": 60 * NANOS,
    "h": 3600 * NANOS,
}
_PART = re.compile(r"(?P<whole>[0-9]{0,18})(?:\.(?P<rest>[0-9]{0,18}))?(?P<unit>ns|us|\u00b5s|\u03bcs|ms|s|m|h)")
_TIMESTAMP = re.compile(
    r"(?P<base>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})"
    r"(?:\.(?P<fraction>[0-9]{1,9}))?(?:Z|(?P<sign>[+-])(?P<hours>[0-9]{2}):(?P<minutes>[0-9]{2}))"
)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def parse_duration(text: str) -> Duration:
    """Read Go's form of a duration, such as 1h30m, -1.5s or 0."""
    sign, rest = (-1, text[1:]) if text.startswith("-") else (1, text.removeprefix("+"))
    if rest == "0":
        return Duration(0)
    nanos, at = 0, 0
    while (part := _PART.match(rest, at)) is not None and (part["whole"] or part["rest"]):
        unit = _UNITS[part["unit"]]
        fraction = part["rest"] or ""
        nanos += int(part["whole"] or 0) * unit + (int(fraction or 0) * unit) // 10 ** len(fraction)
        at = part.end()
    if not rest or at != len(rest):
        raise CelError("the text is no duration such as 1h30m")
    return duration_of(sign * nanos)


def parse_timestamp(text: str) -> Timestamp:
    """Read RFC 3339, to the nanosecond."""
    found = _TIMESTAMP.fullmatch(text)
    if found is None:
        raise CelError("the text is no RFC 3339 timestamp")
    try:
        base = datetime.strptime(found["base"], "%Y-%m-%dT%H:%M:%S").replace(tzinfo=UTC)
    except ValueError as error:
        raise CelError("the text is no RFC 3339 timestamp") from error
    offset = timedelta(hours=int(found["hours"] or 0), minutes=int(found["minutes"] or 0))
    seconds = (base - _EPOCH) // timedelta(seconds=1) - (1 if found["sign"] == "+" else -1) * int(
        offset.total_seconds()
    )
    return timestamp_of(seconds * NANOS + int((found["fraction"] or "").ljust(9, "0")))


def _seconds(value: int) -> Timestamp:
    return timestamp_of(value * NANOS)


def _same(value: Value) -> Value:
    return value


def _cut(nanos: int, unit: int) -> int:
    """Divide towards zero, as Go does."""
    return -(-nanos // unit) if nanos < 0 else nanos // unit


_FIELDS: dict[str, Callable[[datetime], int]] = {
    "getFullYear": lambda t: t.year,
    "getMonth": lambda t: t.month - 1,
    "getDate": lambda t: t.day,
    "getDayOfMonth": lambda t: t.day - 1,
    "getDayOfWeek": lambda t: t.isoweekday() % 7,
    "getDayOfYear": lambda t: t.timetuple().tm_yday - 1,
    "getHours": lambda t: t.hour,
    "getMinutes": lambda t: t.minute,
    "getSeconds": lambda t: t.second,
    "getMilliseconds": lambda t: t.microsecond // 1000,
}
_SPANS = {"getHours": 3600 * NANOS, "getMinutes": 60 * NANOS, "getSeconds": NANOS, "getMilliseconds": 10**6}


def _field(read: Callable[[datetime], int]) -> Callable[[Timestamp], int]:
    return lambda value: read(moment(value))


def _span(unit: int) -> Callable[[Duration], int]:
    return lambda value: _cut(value.nanos, unit)


OVERLOADS: tuple[Overload, ...] = (
    function("timestamp", (STRING,), TIMESTAMP_TYPE, parse_timestamp),
    function("timestamp", (INT,), TIMESTAMP_TYPE, _seconds),
    function("timestamp", (TIMESTAMP_TYPE,), TIMESTAMP_TYPE, _same),
    function("duration", (STRING,), DURATION_TYPE, parse_duration),
    function("duration", (DURATION_TYPE,), DURATION_TYPE, _same),
    *(method(name, (TIMESTAMP_TYPE,), INT, _field(read)) for name, read in _FIELDS.items()),
    *(method(name, (DURATION_TYPE,), INT, _span(unit)) for name, unit in _SPANS.items()),
)
