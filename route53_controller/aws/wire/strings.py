r"""Quoted character strings as Route 53 writes them in TXT and CAA values.

`"…"` with `\"`, `\\` and octal `\ooo`; a TXT value is one or more of them, each of at most 255 octets.
Source: developer guide, "TXT record type", "CAA record type".
"""

import re

CHUNK_OCTETS = 255
_TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\[0-3][0-7]{2}|\\[^0-9])*)"|([^\s"\\]+))')
_ESCAPE = re.compile(r"\\(?:([0-3][0-7]{2})|(.))", re.DOTALL)
_QUOTED = re.compile(r'[\\"]')


def quoted(text: str) -> str:
    """Return one quoted string; the text is printable ASCII."""
    escaped = _QUOTED.sub(lambda match: f"\\{match[0]}", text)
    return f'"{escaped}"'


def quoted_chunks(text: str) -> str:
    """Return the text as quoted strings of at most 255 octets each, with spaces between them."""
    chunks = (text[start : start + CHUNK_OCTETS] for start in range(0, len(text), CHUNK_OCTETS))
    return " ".join(quoted(chunk) for chunk in chunks)


def read_strings(value: str) -> tuple[str, ...] | None:
    """Return the strings of a value, one character an octet; None where it cannot be read.

    Bare words are read as strings too: Route 53 does not write them, but other tools show them so.
    """
    found: list[str] = []
    position, end = 0, len(value.rstrip())
    while position < end:
        match = _TOKEN.match(value, position)
        if match is None:
            return None
        found.append(match[2] if match[1] is None else _ESCAPE.sub(_unescaped, match[1]))
        position = match.end()
    return tuple(found) or None


def _unescaped(match: re.Match[str]) -> str:
    return chr(int(match[1], 8)) if match[1] else match[2]
