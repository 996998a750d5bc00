"""Warnings about what will happen next (beyond-the-seeds 8): they never refuse anything."""

from collections.abc import Iterator, Sequence

from libdnsapi.api.conditions import ConditionType, find_condition
from libdnsapi.api.dns.bodies import RecordType
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.meta import JsonObject
from libdnsapi.dns.names import fqdn, fqdn_problem, is_subdomain
from webhook.answer import ALLOWED, Answer
from webhook.review import Review
from webhook.validators import shape
from webhook.validators.policy import zone_refusal
from webhook.validators.snapshot import KnownRecordSet, Snapshot

NAMED = 5
"""Objects that one warning names."""
EXAMINED = 1000
"""RecordSets that one preview looks at; it says so when there are more."""


def preview_zone_update(review: Review, snapshot: Snapshot) -> Answer:
    """Count the RecordSets of other namespaces that the new policy refuses and the old one allowed."""
    old, new = shape.read(Zone, review.old, bulky=review.bulky), shape.read(Zone, review.object, bulky=review.bulky)
    if isinstance(old, tuple) or isinstance(new, tuple):
        return ALLOWED
    if old.spec.allowed_record_sets == new.spec.allowed_record_sets:
        return ALLOWED
    foreign = [record_set for record_set in snapshot.record_sets if record_set.key.namespace != review.namespace]
    lost, seen = _lost(old, new, foreign, snapshot)
    if not lost:
        return ALLOWED
    least = "At least " if len(foreign) > seen else ""
    told = f"{least}{_counted(lost)} will no longer be allowed by this Zone (DNS stays as it is): {_named(lost)}"
    return Answer(warnings=(told,))


def preview_zone_delete(review: Review, snapshot: Snapshot) -> Answer:
    """Count the RecordSets that keep a deleted Zone waiting, and those that will be left without one.

    The Zone waits for what stands in its ledger; claims that were never accepted do not hold it (wire reference,
    Decisions).
    """
    del review
    waiting = [record_set for record_set in snapshot.record_sets if record_set.held]
    others = [record_set for record_set in snapshot.record_sets if not record_set.held]
    warnings: list[str] = []
    if waiting:
        verb = "is" if len(waiting) == 1 else "are"
        warnings.append(f"The Zone stays until {_counted(waiting)} {verb} deleted: {_named(waiting)}")
    if others:
        warnings.append(f"{_counted(others)} without an accepted record will have no Zone: {_named(others)}")
    return Answer(warnings=tuple(warnings))


def preview_record_set(review: Review, snapshot: Snapshot) -> Answer:
    """Say what core would refuse at this moment: policy first, and then nothing more."""
    record_set = shape.read(RecordSet, review.object, bulky=review.bulky)
    if isinstance(record_set, tuple) or snapshot.zone is None:
        return ALLOWED
    known = KnownRecordSet(review.key, record_set.zone_key, record_set.spec.name, record_set.spec.type)
    refusal = zone_refusal(snapshot.zone, known, snapshot)
    reasons = [f"{refusal}."] if refusal else _refusals(record_set, known, snapshot.zone, snapshot)
    told = [f"This RecordSet will not be accepted now: {reason}" for reason in reasons]
    hints = [] if refusal else _hints(record_set, snapshot.zone.spec.domain_name)
    return Answer(warnings=(*told, *hints))


def _hints(record_set: RecordSet, domain: str) -> Iterator[str]:
    """Yield what is allowed and hardly meant: a full name where a relative one belongs, a CNAME to itself."""
    spec = record_set.spec
    full = fqdn(spec.name, domain)
    if is_subdomain(spec.name, domain):
        relative = spec.name.removesuffix(domain).removesuffix(".") or "@"
        yield f"spec.name is relative to the Zone, so this is {full}; for {spec.name} write {relative}"
    if spec.cname is not None and spec.cname.target == full:
        yield f"spec.cname.target is the record's own name {full}: resolvers will find no answer"


def _refusals(record_set: RecordSet, known: KnownRecordSet, zone: Zone, snapshot: Snapshot) -> list[str]:
    found: list[str] = []
    holds = any(other.held and other.key == known.key for other in snapshot.record_sets)
    if zone.metadata.deleting and not holds:
        found.append(f"Zone {zone.key} is being deleted.")
    accepted = find_condition(zone.status.conditions, ConditionType.ACCEPTED)
    if accepted is not None and accepted.is_false:
        found.append(f"Zone {zone.key} is not accepted itself.")
    if zone.spec.provider.name != record_set.spec.provider.name:
        found.append(f"Zone {zone.key} is of Provider {zone.spec.provider.name}.")
    if wrong := fqdn_problem(known.name, zone.spec.domain_name):
        found.append(f"spec.name {wrong}.")
    rival = next((other for other in snapshot.record_sets if _conflicts(known, other, zone, snapshot)), None)
    if rival is not None:
        found.append(f"{rival.type} {rival.name} in Zone {zone.key} belongs to RecordSet {rival.key}.")
    return found


def _conflicts(mine: KnownRecordSet, other: KnownRecordSet, zone: Zone, snapshot: Snapshot) -> bool:
    """Whether the ledger's record of another RecordSet keeps this one out.

    A deleting one makes room for a successor in its own namespace at once (beyond-the-seeds 2).
    """
    if not other.held or other.key == mine.key or other.name != mine.name:
        return False
    if other.leaving and other.key.namespace == mine.key.namespace:
        return False
    if other.type is mine.type:
        return True
    if RecordType.CNAME not in {other.type, mine.type}:
        return False
    contract = snapshot.contracts.get(zone.spec.provider.name)
    version = None if contract is None else contract.storage
    return version is None or not version.coexistence_allowed(
        _item(mine), _item(other), zone.to_json(), snapshot.deadline
    )


def _item(record_set: KnownRecordSet) -> JsonObject:
    """Return the part of a ledger item that the cache knows."""
    return {
        "recordSetNamespace": record_set.key.namespace,
        "recordSetName": record_set.key.name,
        "name": record_set.name,
        "type": record_set.type.value,
    }


def _allows(zone: Zone, record_set: KnownRecordSet, snapshot: Snapshot) -> bool:
    return zone_refusal(zone, record_set, snapshot) is None


def _counted(record_sets: Sequence[KnownRecordSet]) -> str:
    return f"{len(record_sets)} RecordSet{'' if len(record_sets) == 1 else 's'}"


def _named(record_sets: Sequence[KnownRecordSet]) -> str:
    names = ", ".join(str(record_set.key) for record_set in record_sets[:NAMED])
    return f"{names} and {len(record_sets) - NAMED} more" if len(record_sets) > NAMED else names


def _lost(
    old: Zone, new: Zone, foreign: Sequence[KnownRecordSet], snapshot: Snapshot
) -> tuple[list[KnownRecordSet], int]:
    """Return what the old policy allows and the new one does not, and how many were looked at in the time there is."""
    lost: list[KnownRecordSet] = []
    for seen, record_set in enumerate(foreign):
        if seen == EXAMINED or snapshot.deadline():
            return lost, seen
        if _allows(old, record_set, snapshot) and not _allows(new, record_set, snapshot):
            lost.append(record_set)
    return lost, len(foreign)
