"""DNS names as Route 53 writes them: lower case, absolute, octal escapes; and the order its lists have. Pure.

Source: developer guide, "DNS domain name format"; API reference, ListResourceRecordSets ("sort order").
"""

import re
from functools import lru_cache
from typing import Final

from e2e.route53.errors import SyntaxProblemError

MAX_LABEL_OCTETS: Final = 63
MAX_NAME_OCTETS: Final = 255
WILDCARD: Final = "\\052"

_TOKEN: Final = re.compile(r"\\([0-3][0-7]{2})|([^\\.])|(\.)|(\\)")
_UNSAFE: Final = re.compile(r"[^a-z0-9_-]")
_FAST: Final = re.compile(r"(?:[a-z0-9_-]{1,63}\.)+")


@lru_cache(maxsize=65536)
def labels(text: str) -> tuple[str, ...]:
    """Split a name, with or without final dot, into lower-case labels with escapes resolved (one character an octet).

    Raises SyntaxProblemError for empty or long labels, long names, raw characters that need an escape, bad escapes.
    """
    body = text if text.endswith(".") else f"{text}."
    parts: list[str] = []
    label: list[str] = []
    for escape, char, dot, bad in _TOKEN.findall(body):
        if bad:
            raise SyntaxProblemError("InvalidEscapeSequence", "Escape is not three octal digits", text)
        if dot:
            parts.append(_checked("".join(label), text))
            label = []
        else:
            label.append(chr(int(escape, 8)) if escape else _raw(char, text))
    if sum(len(part) + 1 for part in parts) + 1 > MAX_NAME_OCTETS:
        raise SyntaxProblemError("DomainNameTooLong", "Domain name is too long", text)
    return tuple(part.lower() if part.isascii() else _lower(part) for part in parts)


def _lower(label: str) -> str:
    return "".join(char.lower() if char.isascii() else char for char in label)


def _checked(label: str, text: str) -> str:
    if not label:
        raise SyntaxProblemError("DomainLabelEmpty", "Domain label is empty", text)
    if len(label) > MAX_LABEL_OCTETS:
        raise SyntaxProblemError("DomainLabelTooLong", "Domain label is too long", text)
    return label


def _raw(char: str, text: str) -> str:
    if not "!" <= char <= "~":
        raise SyntaxProblemError("InvalidCharacter", "Character must be written as an octal escape", text)
    return char


def join(parts: tuple[str, ...]) -> str:
    r"""Write labels as Route 53 returns them: `\\052.example.com.`; all but a-z, 0-9, `-` and `_` is escaped."""
    return "".join(f"{_UNSAFE.sub(_escape, part)}." for part in parts)


def _escape(match: re.Match[str]) -> str:
    return f"\\{ord(match[0]):03o}"


def canonical(text: str) -> str:
    """Return the one spelling of a name (lower case, final dot, octal escapes). Raises SyntaxProblemError."""
    return text if _FAST.fullmatch(text) and len(text) < MAX_NAME_OCTETS else join(labels(text))


@lru_cache(maxsize=65536)
def order(name: str) -> str:
    """Return the sort key of a canonical name: labels reversed, each with its dot, e.g. `com.example.www.`.

    The dot takes part, so `example-a.com.` sorts before `example.com.` (`-` is before `.` in ASCII).
    """
    return "".join(f"{part}." for part in reversed(labels(name)))


def within(name: str, zone: str) -> bool:
    """Whether a canonical name is the zone's apex or below it."""
    return name == zone or name.endswith(f".{zone}")


def parents(name: str) -> list[str]:
    """Return a canonical name and its ancestors without the root, longest first."""
    parts = labels(name)
    return [join(parts[index:]) for index in range(len(parts))]
