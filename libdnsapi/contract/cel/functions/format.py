"""`format` of the string extension: %s %d %f %b %x %X %o and %% (cel-go ext/strings). %e is not supported."""

import re
from collections.abc import Iterator
from math import isfinite, isnan

from libdnsapi.contract.cel.budget import MAX_LENGTH, bounded_length
from libdnsapi.contract.cel.functions.text import printed
from libdnsapi.contract.cel.values import CelError, Value, is_number

_CLAUSE = re.compile(r"%(?:\.(?P<precision>[0-9]{1,3}))?(?P<verb>.?)", re.DOTALL)
_DEFAULT_PRECISION = 6
_MISSING = object()
_BASES = {"b": "b", "o": "o", "x": "x", "X": "X"}


def formatted(template: str, arguments: list[Value]) -> str:
    """Return the template with its clauses replaced; fail where a clause and its argument do not agree."""
    rest = iter(arguments)
    length = len(template)

    def replaced(found: re.Match[str]) -> str:
        nonlocal length
        if found["verb"] == "%":
            return "%"
        text = _clause(found["verb"], found["precision"], _next(rest))
        length = bounded_length(length + len(text))
        return text

    return _CLAUSE.sub(replaced, template)


def _next(rest: Iterator[Value]) -> Value:
    value = next(rest, _MISSING)
    if value is _MISSING:
        raise CelError("format has fewer arguments than clauses")
    return value


def _clause(verb: str, precision: str | None, value: Value) -> str:
    if verb == "s":
        return _text(value)
    if verb == "d" and is_number(value) and not isinstance(value, float):
        return str(value)
    if verb == "f" and isinstance(value, float):
        return _fixed(value, int(precision) if precision else _DEFAULT_PRECISION)
    if verb in _BASES:
        return _based(verb, value)
    raise CelError(f"format cannot print this value with %{verb}")


def _fixed(value: float, digits: int) -> str:
    """Return fixed point with thousands grouped, which is how cel-go prints %f."""
    if not isfinite(value):
        return "NaN" if isnan(value) else "\u221e" if value > 0 else "-\u221e"
    return format(value, f",.{digits}f")


def _text(value: Value) -> str:
    text = printed(value)
    bounded_length(min(len(text), MAX_LENGTH + 1))
    return text


def _based(verb: str, value: Value) -> str:
    if isinstance(value, bool):
        if verb == "b":
            return "1" if value else "0"
    elif isinstance(value, int):
        return format(int(value), _BASES[verb])
    elif verb in {"x", "X"} and isinstance(value, str | bytes):
        text = (value.encode() if isinstance(value, str) else value).hex()
        return text.upper() if verb == "X" else text
    raise CelError(f"format cannot print this value with %{verb}")
