"""What core will say of a RecordSet by its Zone's allowedRecordSets: asked before anything is said of a Zone.

It refuses nothing by itself: who may use a Zone is core's verdict.
"""

from libdnsapi.api.dns.zone import Zone
from libdnsapi.dns.policy import policy_refusal
from webhook.validators.snapshot import KnownRecordSet, Snapshot


def zone_refusal(zone: Zone, record_set: KnownRecordSet, snapshot: Snapshot) -> str | None:
    """Return why a Zone does not take a RecordSet, None if it does; its own namespace always may."""
    if record_set.key.namespace == zone.metadata.namespace:
        return None
    labels = snapshot.labels.get(record_set.key.namespace, {})
    return policy_refusal(zone.spec.allowed_record_sets or (), labels, record_set.name, record_set.type)
