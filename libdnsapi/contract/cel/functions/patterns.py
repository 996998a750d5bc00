"""Regular expressions: RE2 always, so that no pattern takes more than linear time (Kubernetes regex library)."""

from functools import lru_cache
from typing import Protocol

import re2

from libdnsapi.contract.cel.functions.overload import Overload, function, method
from libdnsapi.contract.cel.types import BOOL, INT, STRING, list_of
from libdnsapi.contract.cel.values import CelError


class Match(Protocol):
    """What is used of a match."""

    def group(self, number: int) -> str:
        """Return the matched text."""
        ...


class Pattern(Protocol):
    """What is used of a compiled pattern."""

    def search(self, text: str) -> Match | None:
        """Find the first match anywhere."""
        ...

    def finditer(self, text: str) -> list[Match]:
        """Iterate over the matches."""
        ...


def _options() -> re2.Options:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 1 << 20
    return options


@lru_cache(maxsize=512)
def compiled(pattern: str) -> Pattern:
    """Return the compiled pattern; raise CelError for one that RE2 does not take."""
    try:
        found: Pattern = re2.compile(pattern, _options())
    except (re2.error, UnicodeError) as error:
        raise CelError("the regular expression is not valid RE2") from error
    return found


def _matches(text: str, pattern: str) -> bool:
    return compiled(pattern).search(text) is not None


def _find(text: str, pattern: str) -> str:
    found = compiled(pattern).search(text)
    return found.group(0) if found is not None else ""


def _find_all(text: str, pattern: str, limit: int = -1) -> list[str]:
    found: list[str] = []
    for match in compiled(pattern).finditer(text):
        if len(found) == limit:
            break
        found.append(match.group(0))
    return found


OVERLOADS: tuple[Overload, ...] = (
    method("matches", (STRING, STRING), BOOL, _matches),
    function("matches", (STRING, STRING), BOOL, _matches),
    method("find", (STRING, STRING), STRING, _find),
    method("findAll", (STRING, STRING), list_of(STRING), _find_all),
    method("findAll", (STRING, STRING, INT), list_of(STRING), _find_all),
)
PATTERN_FUNCTIONS = frozenset({"matches", "find", "findAll"})
"""Functions whose second parameter is a pattern; a constant one is compiled with the expression."""
