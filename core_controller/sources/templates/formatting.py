"""Values as text: Go's fmt for `{{ }}`, print, println and printf.

What Go would print as an error into the text (`%!d(string=x)`) is an error here: it could never be a DNS name.
"""

import re
from collections.abc import Iterable

from core_controller.sources.templates.errors import EvaluationError, LimitError
from core_controller.sources.templates.values import MAX_VALUE, Budget, Nothing, Value, is_nil, kind

NO_VALUE = "<no value>"
MAX_WIDTH = 256
_SMALLEST_PLAIN, _SMALLEST_LARGE = -4, 6
_VERB = re.compile(r"%(?P<flags>[-+ 0#]*)(?P<width>\d+|\*)?(?:\.(?P<precision>\d*|\*))?(?P<verb>.)?", re.DOTALL)
_INTEGER_FORMATS = {"d": "d", "x": "x", "X": "X", "o": "o", "b": "b"}
_FLOAT_FORMATS = frozenset("eEfFgG")
_QUOTED = {'"': '\\"', "\\": "\\\\", "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_QUOTED |= {"\v": "\\v"}


def shown(value: Value, budget: Budget) -> str:
    """Return a value as `{{ value }}` writes it."""
    return NO_VALUE if is_nil(value) else plain(value, budget)


def plain(value: Value, budget: Budget) -> str:
    """Return a value as `%v` does; a null is `<nil>`."""
    budget.spend()
    match value:
        case str():
            return bounded(value, budget)
        case list():
            return _joined("[", (plain(item, budget) for item in value), budget)
        case dict():
            return _joined("map[", (f"{key}:{plain(value[key], budget)}" for key in _sorted(value, budget)), budget)
        case _:
            return _plain_scalar(value)


def _plain_scalar(value: bool | float | Nothing | None) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return float_text(value)
        case None | Nothing():
            return "<nil>"


def float_text(value: float) -> str:
    """Return a float as Go's `%v`: the shortest digits, an exponent below 1e-04 and from 1e+06 on."""
    digits, exponent, sign = _decimal(value)
    if exponent < _SMALLEST_PLAIN or exponent >= _SMALLEST_LARGE:
        fraction = f".{digits[1:]}" if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    whole = digits.ljust(exponent + 1, "0")
    fraction = whole[exponent + 1 :]
    return f"{sign}{whole[: exponent + 1]}{f'.{fraction}' if fraction else ''}"


def print_all(values: list[Value], budget: Budget) -> str:
    """Return what Go's Sprint does: spaces only between two operands of which neither is a string."""
    parts: list[str] = []
    for number, value in enumerate(values):
        if number and not isinstance(value, str) and not isinstance(values[number - 1], str):
            parts.append(" ")
        parts.append(plain(value, budget))
    return bounded("".join(parts), budget)


def print_line(values: list[Value], budget: Budget) -> str:
    """Return what Go's Sprintln does."""
    return bounded(" ".join(plain(value, budget) for value in values) + "\n", budget)


def print_format(layout: str, values: list[Value], budget: Budget) -> str:
    """Return what Go's Sprintf does; raises EvaluationError where verbs and values do not fit each other."""
    parts: list[str] = []
    at, size = 0, 0
    remaining = list(values)
    for found in _VERB.finditer(layout):
        parts += (layout[at : found.start()], _verb(found, remaining, budget))
        at = found.end()
        size += len(parts[-1]) + len(parts[-2])
        _check_size(size)
    if remaining:
        raise EvaluationError(f"printf: {len(remaining)} more values than verbs")
    return bounded("".join([*parts, layout[at:]]), budget)


def bounded(text: str, budget: Budget) -> str:
    """Return the text after paying for it; raises LimitError where it is too long."""
    budget.text(len(text))
    return text


def quoted(text: str) -> str:
    """Return the text as Go's strconv.Quote does."""
    return '"' + "".join(_QUOTED.get(c) or (c if c.isprintable() else _escape(c)) for c in text) + '"'


def _sorted(value: dict[str, Value], budget: Budget) -> list[str]:
    budget.spend(len(value))
    return sorted(value)


def _joined(opening: str, parts: Iterable[str], budget: Budget) -> str:
    return bounded(opening + " ".join(parts) + "]", budget)


def _check_size(size: int) -> None:
    if size > MAX_VALUE:
        raise LimitError(f"a value is longer than {MAX_VALUE} characters")


def _decimal(value: float) -> tuple[str, int, str]:
    """Return the shortest digits, the exponent of the first of them, and the sign."""
    mantissa, _, exponent = f"{abs(value)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    power = int(exponent or 0) + len(whole) - 1
    digits = whole + fraction
    stripped = digits.lstrip("0")
    power -= len(digits) - len(stripped)
    sign = "-" if str(value).startswith("-") else ""
    return (stripped.rstrip("0"), power, sign) if stripped else ("0", 0, sign)


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x80:  # noqa: PLR2004 — ASCII
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004 — the basic plane


def _verb(found: re.Match[str], remaining: list[Value], budget: Budget) -> str:
    verb = found["verb"]
    if verb == "%":
        return "%"
    if verb is None or "#" in found["flags"]:
        raise EvaluationError(f"printf: {found.group()} is not supported")
    width = _number(found["width"], remaining)
    precision = None if found["precision"] is None else _number(found["precision"], remaining) or 0
    if max(abs(width or 0), precision or 0) > MAX_WIDTH:
        raise LimitError(f"printf: width or precision above {MAX_WIDTH}")
    if not remaining:
        raise EvaluationError(f"printf: no value for {found.group()}")
    value = remaining.pop(0)
    body, numeric = _formatted(verb, value, found["flags"], precision, budget)
    return _padded(body, width, found["flags"], numeric=numeric)


def _number(text: str | None, remaining: list[Value]) -> int | None:
    """Return a width or precision: digits, or `*` for the next value."""
    if not text:
        return None
    if text != "*":
        return int(text[:9])
    if not remaining or isinstance(remaining[0], bool) or not isinstance(remaining[0], int):
        raise EvaluationError("printf: * needs an integer")
    return int(str(remaining.pop(0))[:9])


def _formatted(verb: str, value: Value, flags: str, precision: int | None, budget: Budget) -> tuple[str, bool]:
    """Return the text of one value without padding, and whether zeros may pad it as a number."""
    if verb == "v":
        verb = {int: "d", float: "g", str: "s"}.get(type(value), "v")
    if verb == "v" or (verb == "t" and isinstance(value, bool)) or (verb == "s" and _has_strings_only(value)):
        return plain(value, budget), False
    if isinstance(value, str) and verb in "sqxX":
        return _string(verb, value, precision), False
    if isinstance(value, float) and verb in _FLOAT_FORMATS:
        return _float(verb, value, flags, precision), True
    if isinstance(value, int) and not isinstance(value, bool) and verb in _INTEGER_FORMATS:
        return _integer(verb, value, flags, precision), True
    raise EvaluationError(f"printf: %{verb} does not fit {kind(value)}")


def _has_strings_only(value: Value) -> bool:
    """Whether the value is a list or map of strings."""
    if not isinstance(value, list | dict):
        return False
    return all(isinstance(item, str) for item in (value if isinstance(value, list) else value.values()))


def _string(verb: str, value: str, precision: int | None) -> str:
    cut = value if precision is None else value[:precision]
    match verb:
        case "s":
            return cut
        case "q":
            return quoted(cut)
        case _:
            octets = value.encode() if precision is None else value.encode()[:precision]
            return octets.hex() if verb == "x" else octets.hex().upper()


def _integer(verb: str, value: int, flags: str, precision: int | None) -> str:
    digits = format(abs(value), _INTEGER_FORMATS[verb]).rjust(precision or 0, "0")
    sign = "-" if value < 0 else "+" if "+" in flags else " " if " " in flags else ""
    return sign + ("" if precision == 0 and value == 0 else digits)


def _float(verb: str, value: float, flags: str, precision: int | None) -> str:
    if verb in "gG" and precision is None:
        text = float_text(value) if verb == "g" else float_text(value).upper()
    else:
        text = format(value, f".{6 if precision is None else precision}{verb}")
    sign = "" if text.startswith("-") else "+" if "+" in flags else " " if " " in flags else ""
    return sign + text


def _padded(body: str, width: int | None, flags: str, *, numeric: bool) -> str:
    if width is None or len(body) >= abs(width):
        return body
    if "-" in flags or width < 0:
        return body.ljust(abs(width))
    if "0" not in flags:
        return body.rjust(width)
    sign = body[0] if numeric and body[0] in "+- " else ""
    return sign + body[len(sign) :].rjust(width - len(sign), "0")
