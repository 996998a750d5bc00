"""The string extension, version 2 (cel-go ext/strings; Kubernetes extended strings library)."""

from libdnsapi.contract.cel.budget import bounded_length
from libdnsapi.contract.cel.functions.elements import strings
from libdnsapi.contract.cel.functions.format import formatted
from libdnsapi.contract.cel.functions.overload import Overload, function, method
from libdnsapi.contract.cel.functions.text import ESCAPES
from libdnsapi.contract.cel.types import INT, LIST, STRING, list_of
from libdnsapi.contract.cel.values import CelError, Value

# What Go calls white space; Python's strip would take some control characters too.
_WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
_ESCAPED = str.maketrans(ESCAPES)
_LOWER = str.maketrans({chr(c): chr(c + 32) for c in range(ord("A"), ord("Z") + 1)})
_UPPER = str.maketrans({chr(c): chr(c - 32) for c in range(ord("a"), ord("z") + 1)})


def _index(text: str, at: int) -> int:
    if not 0 <= at <= len(text):
        raise CelError(f"index out of range: {at}")
    return at


def _char_at(text: str, at: int) -> str:
    return text[_index(text, at) : at + 1]


def _index_of(text: str, part: str, offset: int = 0) -> int:
    """Return where a part first stands at or after an offset; past the end there is nothing (as cel-go has it)."""
    if not part or offset >= len(text):
        return -1 if part else offset
    return text.find(part, _index(text, offset))


def _last_index_of(text: str, part: str, offset: int | None = None) -> int:
    """Return where a part last begins, at the offset or before it."""
    if offset is None:
        return text.rfind(part)
    if not part or offset >= len(text):
        return -1 if part else offset
    return text.rfind(part, 0, _index(text, offset) + len(part))


def _replace(text: str, old: str, new: str, limit: int = -1) -> str:
    count = text.count(old)
    times = count if limit < 0 else min(limit, count)
    bounded_length(len(text) + times * (len(new) - len(old)))
    return text.replace(old, new, limit)


def _split(text: str, separator: str, limit: int = -1) -> list[Value]:
    if limit == 0:
        return []
    if separator:
        return list(text.split(separator, limit - 1 if limit > 0 else -1))
    cut = len(text) if limit < 0 else limit - 1
    return [*text[:cut], *([text[cut:]] if text[cut:] else [])]


def _substring(text: str, start: int, end: int | None = None) -> str:
    end = len(text) if end is None else end
    if _index(text, start) > _index(text, end):
        raise CelError(f"invalid substring range: {start} to {end}")
    return text[start:end]


def _join(parts: list[Value], separator: str = "") -> str:
    texts = strings(parts)
    bounded_length(sum(map(len, texts)) + len(separator) * max(0, len(texts) - 1))
    return separator.join(texts)


def _lower(text: str) -> str:
    return text.translate(_LOWER)


def _upper(text: str) -> str:
    return text.translate(_UPPER)


def _trim(text: str) -> str:
    return text.strip(_WHITE_SPACE)


def _quote(text: str) -> str:
    """Return the text in quotes; unlike in Go, only the named escapes are written."""
    return f'"{text.translate(_ESCAPED)}"'


OVERLOADS: tuple[Overload, ...] = (
    method("charAt", (STRING, INT), STRING, _char_at),
    method("format", (STRING, LIST), STRING, formatted),
    method("indexOf", (STRING, STRING), INT, _index_of),
    method("indexOf", (STRING, STRING, INT), INT, _index_of),
    method("join", (list_of(STRING),), STRING, _join),
    method("join", (list_of(STRING), STRING), STRING, _join),
    method("lastIndexOf", (STRING, STRING), INT, _last_index_of),
    method("lastIndexOf", (STRING, STRING, INT), INT, _last_index_of),
    method("lowerAscii", (STRING,), STRING, _lower),
    method("replace", (STRING, STRING, STRING), STRING, _replace),
    method("replace", (STRING, STRING, STRING, INT), STRING, _replace),
    method("split", (STRING, STRING), list_of(STRING), _split),
    method("split", (STRING, STRING, INT), list_of(STRING), _split),
    method("substring", (STRING, INT), STRING, _substring),
    method("substring", (STRING, INT, INT), STRING, _substring),
    method("trim", (STRING,), STRING, _trim),
    method("upperAscii", (STRING,), STRING, _upper),
    function("strings.quote", (STRING,), STRING, _quote),
)
