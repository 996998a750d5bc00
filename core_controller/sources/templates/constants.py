"""Go's constants as they stand in templates: numbers, characters and strings."""

import re

INT_MIN, INT_MAX = -(2**63), 2**63 - 1
_SIMPLE = {"a": 7, "b": 8, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11, "\\": 92, "'": 39, '"': 34}
_ESCAPE = re.compile(
    r"\\(?:(?P<simple>[abfnrtv\\'\"])|(?P<octal>[0-7]{3})|x(?P<byte>[0-9a-fA-F]{2})"
    r"|u(?P<short>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8})|(?P<bad>.))",
    re.DOTALL,
)
_SEPARATED = re.compile(r"_(?![0-9a-fA-F])|(?<![0-9a-fA-FxXoObB])_")
_MAX_CODE_POINT, _SURROGATES, _MAX_BYTE = 0x10FFFF, range(0xD800, 0xE000), 0xFF


def number(text: str) -> int | float:
    """Read a number: an int where it is written as one, else a float; raises ValueError."""
    sign, digits = (text[0], text[1:]) if text[0] in "+-" else ("", text)
    if _SEPARATED.search(digits):
        raise ValueError("misplaced underscore")
    plain = digits.replace("_", "")
    lowered = plain.lower()
    if lowered.startswith(("0x", "0o", "0b")):
        return _bounded(int(sign + plain, 0))
    if any(c in lowered for c in ".e"):
        return _finite(float(sign + plain))
    if len(plain) > 1 and plain.startswith("0"):
        return _bounded(int(sign + plain, 8))
    return _bounded(int(sign + plain))


def string(text: str) -> str:
    """Read an interpreted string with its quotes; raises ValueError for an escape that Go does not know."""
    return _unescape(text[1:-1], forbidden="'")


def character(text: str) -> int:
    """Read a character constant with its quotes as its code point; raises ValueError."""
    content = _unescape(text[1:-1], forbidden='"')
    if len(content) != 1:
        raise ValueError("malformed character constant")
    return ord(content)


def _unescape(text: str, *, forbidden: str) -> str:
    """Resolve escapes. Bytes given as such are read as UTF-8, which is all that a DNS name can use."""
    parts = bytearray()
    at = 0
    for found in _ESCAPE.finditer(text):
        parts += text[at : found.start()].encode("utf-8", "replace")
        parts += _escaped(found, forbidden)
        at = found.end()
    parts += text[at:].encode("utf-8", "replace")
    return parts.decode("utf-8", "replace")


def _escaped(found: re.Match[str], forbidden: str) -> bytes:
    group, value = str(found.lastgroup), found.group(str(found.lastgroup))
    if group == "bad" or value == forbidden:
        raise ValueError("unknown escape sequence")
    if group == "simple":
        return bytes([_SIMPLE[value]])
    code = int(value, 8 if group == "octal" else 16)
    if group in ("octal", "byte"):
        if code > _MAX_BYTE:
            raise ValueError("escape is no byte")
        return bytes([code])
    if code > _MAX_CODE_POINT or code in _SURROGATES:
        raise ValueError("escape is invalid Unicode code point")
    return chr(code).encode()


def _bounded(value: int) -> int:
    if not INT_MIN <= value <= INT_MAX:
        raise ValueError("integer overflow")
    return value


def _finite(value: float) -> float:
    if value in (float("inf"), float("-inf")):
        raise ValueError("float overflow")
    return value
