"""Zone.spec.allowedRecordSets as core reads it (core seed, allowedRecordSets), for previews only."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Protocol

import re2

from libdnsapi.api.dns.zone import AllowedRecordSetsRule
from webhook.validators.snapshot import KnownRecordSet

NAMESPACE_REFUSED = "RecordSet namespace is not allowed by the referenced Zone."
NAME_REFUSED = "RecordSet name is not allowed by the referenced Zone."
TYPE_REFUSED = "RecordSet type is not allowed for this RecordSet name by the referenced Zone."

_OPTIONS = re2.Options()
_OPTIONS.log_errors = False


class Pattern(Protocol):
    """A compiled expression."""

    def fullmatch(self, text: str) -> object | None:
        """Return something when the whole text matches, else None."""
        ...


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> Pattern:
    compiled: Pattern = re2.compile(pattern, _OPTIONS)
    return compiled


def pattern_problem(pattern: str) -> str | None:
    """Return why a record name pattern is no RE2 expression, None if it is one."""
    try:
        _compiled(pattern)
    except re2.error as error:
        return f"is no valid RE2 expression: {_text(error)}"
    return None


def policy_refusal(
    rules: Iterable[AllowedRecordSetsRule], labels: Mapping[str, str], record_set: KnownRecordSet
) -> str | None:
    """Return the message of the seed's wording contract for a RecordSet of another namespace, None if allowed."""
    records = [entry for rule in rules if rule.namespaces.selector.matches(labels) for entry in rule.records]
    if not records:
        return NAMESPACE_REFUSED
    named = [entry for entry in records if _matches(entry.name.pattern, record_set.name)]
    if not named:
        return NAME_REFUSED
    return None if any(record_set.type.value in entry.types for entry in named) else TYPE_REFUSED


def _matches(pattern: str, name: str) -> bool:
    """Full-match semantics; a pattern that is no expression, stored while no webhook ran, allows nothing."""
    return pattern_problem(pattern) is None and _compiled(pattern).fullmatch(name) is not None


def _text(error: Exception) -> str:
    """Return what RE2 says; it speaks in bytes."""
    said = error.args[0] if error.args else ""
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
