"""What to do about one name: create, change, mark and delete RecordSets (sources page; cases 47 to 50, 88). Pure.

- A RecordSet that a person wrote is never touched, nor a copy of ours, which has our labels, under another name
  or in another namespace.
- A RecordSet is pinned while one of its contributing objects is held or cannot be seen: nothing goes from it, and
  what its other objects ask for is added.
- Nothing is deleted from a partial view, by a policy other than sync, or for a pipeline that is gone or has no
  longer to do with the name; nor while its object asks for something in its place that cannot be published.
- Creations and changes come before deletions: in a change of type the new claim stands before the old one goes, so
  core hands the name over in one batch. Where the new claim cannot stand yet, because one of its name is on its way
  out, the old one stays until it can; in a move to another Zone until the name is live there.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from core_controller.sources.additions import with_additions
from core_controller.sources.annotations import Finding
from core_controller.sources.endpoints import Endpoint, SourceKey
from core_controller.sources.patches import replacing
from core_controller.sources.pipelines import Pipeline, PipelineTable
from core_controller.sources.recordsets import Desired, DesiredRecordSet, HostKey, desired, name_as_made
from libdnsapi.api.conditions import ConditionType, find_condition
from libdnsapi.api.dns.bodies import RecordType
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.externaldns.names import (
    CONTRIBUTORS_ANNOTATION,
    MANAGED_BY,
    MANAGED_BY_LABEL,
    ORPHANED_LABEL,
    PIPELINE_ANNOTATION,
)
from libdnsapi.api.meta import JsonObject, ObjectKey

HELD_SHOWN = 3
"""Held objects that a note names at most."""


@dataclass(frozen=True, slots=True)
class HostSnapshot:
    """One name at one moment.

    `endpoints` are those of objects that are not held; `existing` are the RecordSets of the name that we made.
    `unseen` are contributors of `existing` that are held or cannot be seen, `ages` when those were made that are there;
    `complete` says that every source has been read and evaluated once.
    """

    host: HostKey
    endpoints: tuple[Endpoint, ...]
    table: PipelineTable
    existing: tuple[RecordSet, ...] = ()
    unseen: frozenset[str] = frozenset()
    ages: Mapping[str, datetime] = field(default_factory=dict)
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Create:
    """Make a RecordSet."""

    desired: DesiredRecordSet


@dataclass(frozen=True, slots=True)
class Change:
    """Merge a patch into a RecordSet of ours, of this very version."""

    key: ObjectKey
    patch: JsonObject
    resource_version: str
    desired: DesiredRecordSet


@dataclass(frozen=True, slots=True)
class Orphan:
    """Mark a RecordSet whose pipeline is gone; it stays."""

    key: ObjectKey
    resource_version: str


@dataclass(frozen=True, slots=True)
class Delete:
    """Delete a RecordSet of ours, of this very identity and version."""

    key: ObjectKey
    uid: str
    resource_version: str
    contributors: tuple[str, ...]
    pipeline: Pipeline
    type: RecordType


Action = Create | Change | Orphan | Delete


@dataclass(slots=True)
class HostPlan:
    """What to do about a name, in this order, and what to tell whom."""

    actions: list[Action] = field(default_factory=list)
    findings: list[tuple[SourceKey, Finding]] = field(default_factory=list)


def plan_host(snapshot: HostSnapshot) -> HostPlan:
    """Decide about one name."""
    wanted = desired(snapshot.host, snapshot.endpoints, snapshot.table)
    plan = HostPlan(findings=wanted.findings)
    kept = snapshot.unseen | {str(source) for source in wanted.held}
    existing = {record_set.key: record_set for record_set in snapshot.existing}
    ages = {**snapshot.ages, **{str(one.source): one.created for one in snapshot.endpoints if one.created is not None}}
    staying = {key: {*kept, *_lasting(found, wanted, pipeline_key(found))} for key, found in existing.items()}
    pinned = [record_set for key, record_set in existing.items() if _is_pinned(record_set, staying[key])]
    for one in wanted.record_sets:
        in_the_way = [record_set for record_set in pinned if _excludes(record_set, one)]
        if in_the_way:
            plan.findings += _waiting(one, in_the_way, set().union(*(staying[held.key] for held in in_the_way)))
        else:
            _plan_wanted(plan, one, existing.get(one.key), kept, wanted, ages)
    standing = _standing(wanted, existing)
    for key in existing.keys() - {one.key for one in wanted.record_sets}:
        if standing is None or _moves(existing[key], wanted, standing):
            continue
        action = _unwanted(existing[key], snapshot, wanted, kept)
        if action is not None:
            plan.actions.append(action)
    plan.actions.sort(key=_order)
    return plan


def _standing(wanted: Desired, existing: Mapping[ObjectKey, RecordSet]) -> dict[ObjectKey, RecordSet] | None:
    """Return the wanted RecordSets that are there already; None while one of them is on its way out."""
    there = {one.key: existing[one.key] for one in wanted.record_sets if one.key in existing}
    return None if any(record_set.metadata.deleting for record_set in there.values()) else there


def _moves(record_set: RecordSet, wanted: Desired, standing: Mapping[ObjectKey, RecordSet]) -> bool:
    """Whether a name is on its way from a RecordSet's Zone to another of the same pipeline and not live there yet."""
    successors = [one for one in wanted.record_sets if one.pipeline.key == pipeline_key(record_set)]
    if not successors or any(one.zone == record_set.zone_key for one in successors):
        return False
    return not all(one.key in standing and is_live(standing[one.key]) for one in successors)


def is_live(record_set: RecordSet) -> bool:
    """Whether the provider serves a RecordSet."""
    found = find_condition(record_set.status.conditions, ConditionType.PROGRAMMED)
    return found is not None and found.is_true


def contributors_of(record_set: RecordSet) -> tuple[str, ...]:
    """Return the objects that a RecordSet of ours comes from, as `kind/namespace/name`.

    They are all of its own namespace. Whoever may write RecordSets there may also write this annotation, so what names
    objects elsewhere, or no object, is not believed.
    """
    text = record_set.metadata.annotations.get(CONTRIBUTORS_ANNOTATION, "")
    return tuple(part for part in text.split(",") if _is_object_of(part, record_set.metadata.namespace))


def _is_object_of(contributor: str, namespace: str) -> bool:
    parts = contributor.split("/")
    return len(parts) == 3 and all(parts) and parts[1] == namespace  # noqa: PLR2004 — kind, namespace, name


def is_ours(record_set: RecordSet) -> bool:
    """Whether we made a RecordSet."""
    return record_set.metadata.labels.get(MANAGED_BY_LABEL) == MANAGED_BY


def pipeline_key(record_set: RecordSet) -> ObjectKey | None:
    """Return the pipeline of a RecordSet of ours."""
    kind, _, key = record_set.metadata.annotations.get(PIPELINE_ANNOTATION, "").partition("/")
    return ObjectKey.parse(key) if kind and key else None


def _plan_wanted(
    plan: HostPlan,
    wanted: DesiredRecordSet,
    existing: RecordSet | None,
    kept: Collection[str],
    all_wanted: Desired,
    ages: Mapping[str, datetime],
) -> None:
    if existing is None:
        plan.actions.append(Create(wanted))
        return
    if existing.metadata.deleting or wanted.pipeline.policy == "create-only":
        return
    lasting = _lasting(existing, all_wanted, wanted.pipeline.key)
    left = wanted
    if _is_pinned(existing, kept) or _takes_out(existing, wanted, lasting):
        added = with_additions(existing, wanted, _all_contributors(existing, wanted, {*kept, *lasting}), ages)
        if added is None:
            changes = "spec" in difference(existing, wanted)
            plan.findings += _waiting(wanted, [existing], {*kept, *lasting}) if changes else []
            return
        left = added
    patch = difference(existing, left)
    if patch:
        plan.actions.append(Change(wanted.key, patch, existing.metadata.resource_version, left))


def _waiting(
    wanted: DesiredRecordSet, in_the_way: Iterable[RecordSet], kept: Collection[str]
) -> list[tuple[SourceKey, Finding]]:
    """Tell objects that wait for a held one what they wait for; all of them are of one namespace."""
    held = sorted({one for record_set in in_the_way for one in contributors_of(record_set) if one in kept})
    note = (
        f"{wanted.spec['type']} {wanted.spec['name']} waits for {', '.join(held[:HELD_SHOWN])}, whose record of the"
        " name is kept as it is; see the events there"
    )
    waits = (source for source in wanted.contributors if str(source) not in held)
    return [(source, Finding("WaitsForHeldObject", note, patient=True)) for source in waits]


def _takes_out(existing: RecordSet, wanted: DesiredRecordSet, lasting: Collection[str]) -> bool:
    """Whether a change would withdraw what an object shares in a RecordSet and is to keep, others being left in it."""
    staying = {str(source) for source in wanted.contributors}
    return any(contributor in lasting and contributor not in staying for contributor in contributors_of(existing))


def _all_contributors(existing: RecordSet, wanted: DesiredRecordSet, kept: Collection[str]) -> tuple[SourceKey, ...]:
    """Return the objects that ask for a RecordSet, and those of its own that are to keep their share in it."""
    staying = {SourceKey.parse(one) for one in contributors_of(existing) if one in kept}
    return tuple(sorted({*wanted.contributors, *staying}, key=str))


def difference(existing: RecordSet, wanted: DesiredRecordSet) -> JsonObject:
    """Return the merge patch that makes a RecordSet what it shall be; empty where it is that."""
    patch: JsonObject = {}
    spec = existing.spec.to_json()
    changed: JsonObject = {key: value for key, value in wanted.spec.items() if spec.get(key) != value}
    changed |= dict.fromkeys(spec.keys() - wanted.spec.keys())
    if changed:
        patch["spec"] = {key: replacing(spec.get(key), value) for key, value in changed.items()}
    labels = _changed(existing.metadata.labels, wanted.labels, (ORPHANED_LABEL,))
    annotations = _changed(existing.metadata.annotations, wanted.annotations, ())
    if labels or annotations:
        patch["metadata"] = {
            **({"labels": labels} if labels else {}),
            **({"annotations": annotations} if annotations else {}),
        }
    return patch


def _changed(now: dict[str, str], wanted: dict[str, str], unwanted: Iterable[str]) -> JsonObject:
    changed: JsonObject = {key: value for key, value in wanted.items() if now.get(key) != value}
    return changed | {key: None for key in unwanted if key in now}


def _unwanted(record_set: RecordSet, snapshot: HostSnapshot, wanted: Desired, kept: Collection[str]) -> Action | None:
    """Decide about a RecordSet of ours that nothing asks for any more."""
    meta = record_set.metadata
    if meta.deleting or not _is_as_made(record_set):
        return None
    key = pipeline_key(record_set)
    pipeline = snapshot.table.get(key) if key is not None else None
    if pipeline is None:
        marked = ORPHANED_LABEL in meta.labels
        return None if marked or not snapshot.complete else Orphan(meta.key, meta.resource_version)
    if not snapshot.complete or _is_pinned(record_set, kept) or pipeline.policy != "sync":
        return None
    if _is_pinned(record_set, _lasting(record_set, wanted, key)):
        return None
    if not _still_serves(pipeline, record_set, snapshot.host.hostname):
        return None
    return Delete(
        meta.key, meta.uid, meta.resource_version, contributors_of(record_set), pipeline, record_set.spec.type
    )


def _is_as_made(record_set: RecordSet) -> bool:
    """Whether a RecordSet stands where we made it; a copy has another name, or names objects of another namespace."""
    named = CONTRIBUTORS_ANNOTATION in record_set.metadata.annotations
    is_elsewhere = named and not contributors_of(record_set)
    return record_set.metadata.name == name_as_made(record_set) and not is_elsewhere


def _excludes(pinned: RecordSet, wanted: DesiredRecordSet) -> bool:
    """Whether a RecordSet that stays keeps a claim from being accepted: a CNAME and others of its name in one Zone."""
    is_cname = wanted.spec["type"] == RecordType.CNAME
    return pinned.zone_key == wanted.zone and (pinned.spec.type is RecordType.CNAME) is not is_cname


def _lasting(record_set: RecordSet, wanted: Desired, pipeline: ObjectKey | None) -> set[str]:
    """Return the objects that ask for something instead, of this type or of this pipeline, and cannot get it."""
    kept = {str(source) for source, type_ in wanted.kept if type_ is record_set.spec.type}
    return kept | {str(source) for source, placed in wanted.placed.items() if pipeline not in placed}


def _is_pinned(record_set: RecordSet, kept: Collection[str]) -> bool:
    return any(contributor in kept for contributor in contributors_of(record_set))


def _still_serves(pipeline: Pipeline, record_set: RecordSet, hostname: str) -> bool:
    """Whether a pipeline still has to do with the name, and has the Zone that the RecordSet is in."""
    return pipeline.covers(hostname) and record_set.zone_key in {zone.key for zone in pipeline.zones}


def _order(action: Action) -> tuple[int, bool, ObjectKey]:
    """Return what actions are sorted by. A host name takes over from the last claim that goes: that is the A's.

    Each deletion is a write of its own, and whoever asks for IPv6 alone asks for IPv4 too.
    """
    match action:
        case Create():
            return 0, False, action.desired.key
        case Change():
            return 1, False, action.key
        case Orphan():
            return 2, False, action.key
        case Delete():
            return 3, action.type is RecordType.A, action.key
