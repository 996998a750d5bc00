r"""DNS names and ids as Route 53 writes them: absolute, with octal escapes; ids with a path in front.

Source: developer guide, "DNS domain name format" (all but a-z, 0-9, `-`, `_` and `.` may come as `\ooo`).
"""

import re

_ESCAPE = re.compile(r"\\([0-3][0-7]{2})")
_UNSAFE = re.compile(r"[^a-z0-9._\\-]")
_KEPT = frozenset('.\\"')
_PLAIN = re.compile(r"[a-z0-9._-]*")


def name_from_wire(name: str) -> str:
    r"""Return the canonical name: lower case, no final dot, escapes undone where that is unambiguous.

    `\052.example.com.` becomes `*.example.com`; an escaped dot, quote, backslash or unprintable octet stays escaped.
    """
    if _PLAIN.fullmatch(name):
        return name.removesuffix(".")
    return _ESCAPE.sub(_unescaped, name).lower().removesuffix(".")


def _unescaped(match: re.Match[str]) -> str:
    char = chr(int(match[1], 8))
    return char if "!" <= char <= "~" and char not in _KEPT else match[0]


def name_to_wire(name: str) -> str:
    r"""Return a canonical name as Route 53 lists it: `*.a.example.com` becomes `\052.a.example.com.`."""
    return f"{_UNSAFE.sub(_escaped, name)}."


def _escaped(match: re.Match[str]) -> str:
    return f"\\{ord(match[0]):03o}"


def id_from_wire(identifier: str) -> str:
    """Return a bare id: `/hostedzone/Z1` becomes `Z1`, `/change/C1` becomes `C1`."""
    return identifier.rpartition("/")[2]


def is_plain(name: str) -> bool:
    """Whether a canonical name is written with the characters that Route 53 lists as they are."""
    return _PLAIN.fullmatch(name) is not None


def sort_key(name: str) -> str:
    """Return what ListResourceRecordSets sorts canonical names by: `com.example.www.`, the dots included."""
    return "".join(f"{label}." for label in reversed(name.split(".")))
