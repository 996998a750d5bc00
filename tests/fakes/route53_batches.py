"""What Route 53 makes of a change batch: all of it or nothing, with its own complaints. Pure."""

from collections.abc import Callable, Mapping, Sequence

from route53_controller.aws import wire
from route53_controller.aws.api import Change, ChangeAction, HostedZone, RecordKey, ResourceRecordSet

MAX_ELEMENTS = 1000
MAX_CHARACTERS = 32000
Records = Mapping[RecordKey, ResourceRecordSet]


class Refusal(Exception):  # noqa: N818 — not an error of the fake
    """The batch was refused, for these reasons."""

    def __init__(self, *messages: str) -> None:
        """Keep the reasons."""
        super().__init__(*messages)
        self.messages = messages


def nobody_refuses(_: Change) -> str:
    """Find nothing to complain about."""
    return ""


def applied(
    zone: HostedZone, records: Records, changes: Sequence[Change], refuse: Callable[[Change], str]
) -> dict[RecordKey, ResourceRecordSet]:
    """Return the record sets after a batch; raises Refusal with every complaint."""
    _check_limits(changes)
    after = dict(records)
    complaints = []
    for change in changes:
        complaint = refuse(change) or _complaint(zone, after, change)
        if complaint:
            complaints.append(complaint)
        elif change.action is ChangeAction.DELETE:
            del after[change.record_set.key]
        else:
            after[change.record_set.key] = _listed(change.record_set)
    complaints += [] if complaints else [*_coexistence(after, changes), *_targets(zone, after, changes)]
    if complaints:
        raise Refusal(*complaints)
    return after


def _listed(record_set: ResourceRecordSet) -> ResourceRecordSet:
    return ResourceRecordSet(record_set.key, record_set.ttl, record_set.values, record_set.alias)


def _check_limits(changes: Sequence[Change]) -> None:
    if not changes:
        raise Refusal("The request contains no changes")
    elements = sum(max(1, len(change.record_set.values)) for change in changes)
    if elements > MAX_ELEMENTS:
        raise Refusal(f"Number of records limit of {MAX_ELEMENTS} exceeded.")
    if sum(len(value) for change in changes for value in change.record_set.values) > MAX_CHARACTERS:
        raise Refusal(f"Number of characters in record values limit of {MAX_CHARACTERS} exceeded.")


def _complaint(zone: HostedZone, records: Records, change: Change) -> str:
    key = change.record_set.key
    what = f"resource record set [name='{key.name.replace('*', chr(92) + '052')}.', type='{key.type}']"
    known = records.get(key)
    if change.action is ChangeAction.DELETE:
        if known is None:
            return f"Tried to delete {what} but it was not found"
        return (
            ""
            if _same(known, change.record_set)
            else (f"Tried to delete {what} but the values provided do not match the current values")
        )
    if known is not None:
        return f"Tried to create {what} but it already exists"
    if key.name != zone.name and not key.name.endswith(f".{zone.name}"):
        return f"RRSet with DNS name {key.name}. is not permitted in zone {zone.name}."
    return ""


def _same(known: ResourceRecordSet, given: ResourceRecordSet) -> bool:
    return (known.ttl, sorted(known.values), known.alias) == (given.ttl, sorted(given.values), given.alias)


def _coexistence(after: Records, changes: Sequence[Change]) -> list[str]:
    names = {change.record_set.key.name for change in changes if change.action is ChangeAction.CREATE}
    types: dict[str, set[str]] = {}
    for key in after:
        if key.name in names:
            types.setdefault(key.name, set()).add(key.type)
    return [
        f"RRSet of type CNAME with DNS name {wire.name_to_wire(name)} is not permitted as it conflicts with other "
        "records with the same DNS name"
        for name, found in sorted(types.items())
        if "CNAME" in found and len(found) > 1
    ]


def _targets(zone: HostedZone, after: Records, changes: Sequence[Change]) -> list[str]:
    """Complain about aliases into this very zone whose target is not there."""
    return [
        f"Tried to create an alias that targets {alias.dns_name}., type {change.record_set.key.type} in zone "
        f"{zone.id}, but the alias target name does not lie within the target zone"
        for change in changes
        if (alias := change.record_set.alias) is not None
        and change.action is ChangeAction.CREATE
        and alias.hosted_zone_id == zone.id
        and RecordKey(alias.dns_name, change.record_set.key.type) not in after
    ]
