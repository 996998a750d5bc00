"""Decide whether a change batch is accepted, and what each touched name holds afterwards. Pure.

A batch is all or nothing; changes are judged in their order, each on what the ones before it left (API reference,
ChangeResourceRecordSets; developer guide, "Quotas": 1,000 elements, 32,000 characters, both counted twice for UPSERT).
"""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from e2e.route53 import changes_syntax
from e2e.route53.errors import InvalidChangeBatchError
from e2e.route53.model import Change, RecordSet
from e2e.route53.table import Node, RecordTable

MAX_ELEMENTS: Final = 1000
MAX_CHARACTERS: Final = 32_000


@dataclass(frozen=True)
class Batch:
    """All that the verdict depends on. `tables` are the account's zones by id, for alias targets inside them."""

    zone_id: str
    zone_name: str
    changes: tuple[Change, ...]
    tables: Mapping[str, tuple[str, RecordTable]]
    health_checks: Container[str] = ()
    max_record_sets: int | None = None

    @property
    def table(self) -> RecordTable:
        """The record sets of the zone itself."""
        return self.tables[self.zone_id][1]


@dataclass
class Draft:
    """The zone as the batch leaves it: touched names over the untouched table."""

    table: RecordTable
    nodes: dict[str, dict[tuple[str, str], RecordSet]] = field(default_factory=dict)

    def at(self, name: str) -> Node:
        """Return what a name holds so far."""
        return self.nodes[name] if name in self.nodes else self.table.at(name)

    def edit(self, name: str) -> dict[tuple[str, str], RecordSet]:
        """Return the writable node of a name."""
        return self.nodes.setdefault(name, dict(self.table.at(name)))

    def growth(self) -> int:
        """Return by how many record sets the zone grows."""
        return sum(len(node) - len(self.table.at(name)) for name, node in self.nodes.items())


def decide(batch: Batch) -> dict[str, dict[tuple[str, str], RecordSet]]:
    """Return the new content of every touched name.

    Raises InvalidChangeBatchError with all findings of the first stage that has any.
    """
    for stage in (_limits, _syntax, _repetitions):
        _refuse_if(stage(batch))
    draft = Draft(batch.table)
    _refuse_if(message for change in batch.changes for message in _apply(batch, draft, change))
    _refuse_if(_apex(batch, draft))
    return draft.nodes


def _refuse_if(messages: Iterable[str]) -> None:
    found = list(messages)
    if found:
        raise InvalidChangeBatchError(found)


def _limits(batch: Batch) -> Iterable[str]:
    weights = [(2 if change.action == "UPSERT" else 1, change.record_set) for change in batch.changes]
    if sum(weight * max(1, len(record.values)) for weight, record in weights) > MAX_ELEMENTS:
        yield f"Number of records limit of {MAX_ELEMENTS} exceeded."
    if sum(weight * sum(map(len, record.values)) for weight, record in weights) > MAX_CHARACTERS:
        yield f"Number of characters limit of {MAX_CHARACTERS} exceeded."


def _syntax(batch: Batch) -> Iterable[str]:
    for change in batch.changes:
        yield from changes_syntax.problems(change.record_set, batch.zone_name, batch.health_checks)


def _repetitions(batch: Batch) -> Iterable[str]:
    """Refuse two changes of one record set in a batch, unless the first deletes it and the second sets it."""
    seen: dict[tuple[str, tuple[str, str]], str] = {}
    for change in batch.changes:
        record = change.record_set
        before = seen.get((record.name, record.identity))
        if before is not None and (before != "DELETE" or change.action == "DELETE"):
            yield (
                "The request contains an invalid set of changes for a resource record set "
                f"'{record.type} {record.name}'"
            )
        seen[record.name, record.identity] = change.action


def _apply(batch: Batch, draft: Draft, change: Change) -> list[str]:
    record = change.record_set
    if change.action == "DELETE":
        return _delete(draft, record)
    rules: tuple[Callable[[], list[str]], ...] = (
        lambda: _exists(draft, change),
        lambda: _coexistence(draft, record, batch.zone_name),
        lambda: _siblings(draft, record),
        lambda: _alias(batch, draft, record),
    )
    for rule in rules:
        if messages := rule():
            return messages
    draft.edit(record.name)[record.identity] = record
    return []


def _described(record: RecordSet) -> str:
    suffix = f", set identifier='{record.set_identifier}'" if record.set_identifier else ""
    return f"[name='{record.name}', type='{record.type}'{suffix}]"


def _delete(draft: Draft, record: RecordSet) -> list[str]:
    present = draft.at(record.name).get(record.identity)
    attempt = f"Tried to delete resource record set {_described(record)}"
    if present is None:
        return [f"{attempt} but it was not found"]
    if not present.matches(record):
        return [f"{attempt} but the values provided do not match the current values"]
    del draft.edit(record.name)[record.identity]
    return []


def _exists(draft: Draft, change: Change) -> list[str]:
    record = change.record_set
    if change.action == "CREATE" and record.identity in draft.at(record.name):
        return [f"Tried to create resource record set {_described(record)} but it already exists"]
    return []


def _coexistence(draft: Draft, record: RecordSet, zone: str) -> list[str]:
    others = {type_ for type_, _ in draft.at(record.name)} - {record.type}
    if record.type == "CNAME" and others:
        return [
            f"RRSet of type CNAME with DNS name {record.name} is not permitted as it conflicts with other records "
            f"with the same DNS name in zone {zone}"
        ]
    if "CNAME" in others:
        return [
            f"RRSet of type {record.type} with DNS name {record.name} is not permitted because a conflicting RRSet "
            f"of type CNAME with the same DNS name already exists in zone {zone}"
        ]
    return []


def _siblings(draft: Draft, record: RecordSet) -> list[str]:
    """Refuse a mix of simple record sets and routing policies, or of two policies, at one name and type."""
    kind = record.routing.kind if record.routing else ""
    for (type_, identifier), other in draft.at(record.name).items():
        other_kind = other.routing.kind if other.routing else ""
        if type_ == record.type and identifier != record.set_identifier and other_kind != kind:
            return [
                f"RRSet with DNS name {record.name}, type {record.type}, SetIdentifier "
                f"{record.set_identifier or 'null'} cannot be created because a {other_kind or 'simple'} RRSet "
                "exists with the same name and type"
            ]
    return []


def _alias(batch: Batch, draft: Draft, record: RecordSet) -> list[str]:
    """Refuse an alias whose target should be in a zone of this account and is not there."""
    if record.alias is None or record.alias.hosted_zone_id not in batch.tables:
        return []
    zone_id, target = record.alias.hosted_zone_id, record.alias.dns_name
    name, table = batch.tables[zone_id]
    attempt = f"Tried to create an alias that targets {target}, type {record.type} in zone {zone_id}, but "
    if target != name and not target.endswith(f".{name}"):
        return [f"{attempt}the alias target name does not lie within the target zone"]
    node = draft.at(target) if zone_id == batch.zone_id else table.at(target)
    if not any(type_ == record.type for type_, _ in node) or (record.name == target and zone_id == batch.zone_id):
        return [f"{attempt}that target was not found"]
    return []


def _apex(batch: Batch, draft: Draft) -> Iterable[str]:
    apex = {type_ for type_, _ in draft.at(batch.zone_name)}
    if "SOA" not in apex:
        yield "A HostedZone must contain exactly one SOA record."
    if "NS" not in apex:
        yield "A HostedZone must contain at least one NS record for the zone itself."
    limit = batch.max_record_sets
    if limit is not None and draft.growth() > 0 and len(batch.table) + draft.growth() > limit:
        yield f"The hosted zone {batch.zone_id} cannot hold more than {limit} resource record sets"
