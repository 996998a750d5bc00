"""The value of a literal token (CEL language definition, Literals and String and Bytes Values)."""

import re

from libdnsapi.contract.cel.syntax.problem import CompileError
from libdnsapi.contract.cel.values import INT_MAX, INT_MIN, UINT_MAX, UInt

_SIMPLE = {
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "`": "`",
    "?": "?",
}
_ESCAPE = re.compile(
    r"\\(?:(?P<simple>[abfnrtv\\'\"`?])|[xX](?P<x>[0-9a-fA-F]{2})|u(?P<u>[0-9a-fA-F]{4})"
    r"|U(?P<U>[0-9a-fA-F]{8})|(?P<octal>[0-3][0-7]{2})|(?P<bad>.?))",
    re.DOTALL,
)
_BARE_POINT = re.compile(r"\.(?![0-9])")
_DIGITS_MAX = 100
_MAX_CODE_POINT = 0x10FFFF


def literal_value(kind: str, text: str, position: int) -> object:
    """Return the value of a literal; `kind` is the terminal's name in the grammar."""
    match kind:
        case "BOOL_LIT" | "NULL_LIT":
            return {"true": True, "false": False}.get(text)
        case "INT_LIT" | "UINT_LIT" | "FLOAT_LIT":
            return _number(kind, text, position)
        case "BYTES_LIT":
            return _bytes(text[1:], position)
        case _:
            return _string(text, position)


def _number(kind: str, text: str, position: int) -> float:
    if kind == "FLOAT_LIT":
        if _BARE_POINT.search(text):
            raise CompileError(position, "a digit must follow the point")
        return float(text)
    if kind == "UINT_LIT":
        return UInt(_integer(text[:-1], position, 0, UINT_MAX))
    return _integer(text, position, INT_MIN, INT_MAX)


def _integer(text: str, position: int, low: int, high: int) -> int:
    long = len(text) > _DIGITS_MAX
    value = high + 2 if long else int(text, 16) if "x" in text.lower() else int(text)
    # The parser keeps a minus sign apart, so the lowest int is written as the negation of one past the highest.
    if not low <= value <= high + (low < 0):
        raise CompileError(position, f"the number {text[:40]} does not fit into 64 bits")
    return value


def _body(text: str) -> tuple[str, bool]:
    """Return what stands between the quotes, and whether the literal is raw."""
    raw = text[:1] in "rR"
    text = text[1:] if raw else text
    width = 3 if text[:3] in {'"""', "'''"} else 1
    return text[width:-width], raw


def _string(text: str, position: int) -> str:
    body, raw = _body(text)
    return body if raw else _ESCAPE.sub(lambda found: _escaped(found, position), body)


def _escaped(found: re.Match[str], position: int) -> str:
    if found["simple"]:
        return _SIMPLE[found["simple"]]
    digits = found["x"] or found["u"] or found["U"]
    code = int(digits, 16) if digits else int(found["octal"], 8) if found["octal"] else -1
    if not 0 <= code <= _MAX_CODE_POINT or 0xD800 <= code <= 0xDFFF:  # noqa: PLR2004 — the surrogates, which are no characters
        raise CompileError(position, f"the escape {found[0]} is not known")
    return chr(code)


def _bytes(text: str, position: int) -> bytes:
    body, raw = _body(text)
    if raw:
        return body.encode()
    parts, at = bytearray(), 0
    for found in _ESCAPE.finditer(body):
        parts += body[at : found.start()].encode()
        octet = found["x"] or found["octal"]
        if found["u"] or found["U"]:
            raise CompileError(position, f"the escape {found[0]} is for strings, not for bytes")
        # In bytes, \x and octal escapes are octets; elsewhere they are code points.
        parts += bytes([int(octet, 16 if found["x"] else 8)]) if octet else _escaped(found, position).encode()
        at = found.end()
    return bytes(parts + body[at:].encode())
