"""`Zone.spec.allowedRecordSets`: which RecordSets of other namespaces a Zone admits (core seed, allowedRecordSets).

Core decides by it, and admission previews what core will say. The messages are the seed's wording contract: they are
coarse on purpose and name no rule, so that they tell nobody what a Zone admits from others.
"""

from collections.abc import Iterable, Mapping

from libdnsapi.api.dns.bodies import RecordType
from libdnsapi.api.dns.zone import AllowedRecordSetsRule
from libdnsapi.dns.patterns import matches_fully

NAMESPACE_NOT_ALLOWED = "RecordSet namespace is not allowed by the referenced Zone"
NAME_NOT_ALLOWED = "RecordSet name is not allowed by the referenced Zone"
TYPE_NOT_ALLOWED = "RecordSet type is not allowed for this RecordSet name by the referenced Zone"


def policy_refusal(
    rules: Iterable[AllowedRecordSetsRule], labels: Mapping[str, str] | None, name: str, type_: RecordType
) -> str | None:
    """Return why the rules refuse a record set of another namespace, a sentence without full stop; None if none does.

    `labels` are those of its namespace; None, where they are not known, satisfies no selector. `name` is relative to
    the zone. The rules say nothing of the Zone's own namespace, which always may: that is for the caller to know.
    """
    records = [entry for rule in rules if _selects(rule, labels) for entry in rule.records]
    if not records:
        return NAMESPACE_NOT_ALLOWED
    named = [entry for entry in records if matches_fully(entry.name.pattern, name)]
    if not named:
        return NAME_NOT_ALLOWED
    return None if any(type_.value in entry.types for entry in named) else TYPE_NOT_ALLOWED


def _selects(rule: AllowedRecordSetsRule, labels: Mapping[str, str] | None) -> bool:
    """Whether a rule is for a namespace; an empty selector, stored while no webhook ran, is for none."""
    selector = rule.namespaces.selector
    return labels is not None and not selector.is_empty and selector.matches(labels)
