"""Regular expressions that users write: RE2, always matched in full (core seed, allowedRecordSets).

RE2 because its time is linear in the input; `re` takes seconds for `(a+)+b`. A search between `^` and `$` would be
wrong for `a|ab`, so full matches are RE2's own.
"""

from functools import lru_cache

import re2

CACHED_PATTERNS = 1024
MAX_MEMORY = 1 << 20
"""Bytes that one compiled expression may take: plenty for names, while eight characters such as `\\pL{200}` would take
60 ms of CPU with RE2's own limit."""


def pattern_problem(pattern: str) -> str | None:
    """Say why a pattern does not compile, or None."""
    try:
        _compiled(pattern)
    except re2.error as error:
        text = error.args[0] if error.args else ""
        reason = text.decode(errors="replace") if isinstance(text, bytes) else str(text)
        return f"is not a valid RE2 expression: {reason}"
    return None


def matches_fully(pattern: str, text: str) -> bool:
    """Whether the whole text matches; a pattern that does not compile matches nothing."""
    try:
        return _compiled(pattern).fullmatch(text) is not None
    except re2.error:
        return False


@lru_cache(maxsize=CACHED_PATTERNS)
def _compiled(pattern: str) -> "re2._Regexp[str]":
    options = re2.Options()
    options.log_errors = False
    options.max_mem = MAX_MEMORY
    return re2.compile(pattern, options=options)
