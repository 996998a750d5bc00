"""Zone.spec.allowedRecordSets as core reads it (core seed, allowedRecordSets): before anything is said of a Zone.

It refuses nothing by itself: who may use a Zone is core's verdict.
"""

from collections.abc import Iterable, Mapping

from libdnsapi.api.dns.zone import AllowedRecordSetsRule, Zone
from libdnsapi.api.selectors import LabelSelector
from libdnsapi.dns.patterns import matches_fully
from webhook.validators.snapshot import KnownRecordSet, Snapshot

NAMESPACE_REFUSED = "RecordSet namespace is not allowed by the referenced Zone."
NAME_REFUSED = "RecordSet name is not allowed by the referenced Zone."
TYPE_REFUSED = "RecordSet type is not allowed for this RecordSet name by the referenced Zone."


def zone_refusal(zone: Zone, record_set: KnownRecordSet, snapshot: Snapshot) -> str | None:
    """Return why a Zone does not take a RecordSet, None if it does; its own namespace always may."""
    if record_set.key.namespace == zone.metadata.namespace:
        return None
    labels = snapshot.labels.get(record_set.key.namespace, {})
    return policy_refusal(zone.spec.allowed_record_sets or (), labels, record_set)


def policy_refusal(
    rules: Iterable[AllowedRecordSetsRule], labels: Mapping[str, str], record_set: KnownRecordSet
) -> str | None:
    """Return the message of the seed's wording contract for a RecordSet of another namespace, None if allowed."""
    records = [entry for rule in rules if _selects(rule.namespaces.selector, labels) for entry in rule.records]
    if not records:
        return NAMESPACE_REFUSED
    named = [entry for entry in records if matches_fully(entry.name.pattern, record_set.name)]
    if not named:
        return NAME_REFUSED
    return None if any(record_set.type.value in entry.types for entry in named) else TYPE_REFUSED


def _selects(selector: LabelSelector, labels: Mapping[str, str]) -> bool:
    """Whether a namespace is meant; an empty selector, stored while no webhook ran, means none."""
    return not selector.is_empty and selector.matches(labels)
