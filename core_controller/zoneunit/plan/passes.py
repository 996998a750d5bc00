"""One whole pass over a unit: Zone, ledger head, owner names, deletion, statuses, in this order."""

from datetime import timedelta

from core_controller.zoneunit.plan.actions import (
    Action,
    EditLedger,
    Plan,
    SetFinalizers,
    WriteRecordSetStatus,
    WriteZoneStatus,
)
from core_controller.zoneunit.plan.announcements import news, record_set_events, zone_events
from core_controller.zoneunit.plan.decisions import Decision
from core_controller.zoneunit.plan.deletion import deletion_actions, emptied_slices, orphan_edits, waiting_verdict
from core_controller.zoneunit.plan.finalizers import finalizer_refused
from core_controller.zoneunit.plan.former import item_result, zone_result
from core_controller.zoneunit.plan.placement import Placement
from core_controller.zoneunit.plan.projection import ItemResult, composed_zone, record_set_status, zone_status
from core_controller.zoneunit.plan.record_acceptance import ZoneVerdicts
from core_controller.zoneunit.plan.records import decide_group
from core_controller.zoneunit.plan.unit import create_unit, head_edit, slice_repairs
from core_controller.zoneunit.plan.zone_acceptance import accept_zone, keeps
from core_controller.zoneunit.snapshot import LedgerRef, NameGroup, UnitSnapshot
from libdnsapi.api.conditions import ConditionType, Verdict, changed_conditions, find_condition
from libdnsapi.api.dns.recordset import RecordSet, RecordSetStatus
from libdnsapi.api.dns.zone import ZONES, Zone
from libdnsapi.api.dns.zoneunit import RecordSetItemStatus
from libdnsapi.api.names import ZONE_FINALIZER
from libdnsapi.api.reasons import Reason
from libdnsapi.api.verdicts import undecided

CONVERSION_RETRY = timedelta(seconds=30)
UNDER_WAY = frozenset({Reason.PROVIDER_CHANGE_PENDING, Reason.RECONCILING})
"""Why a record set is not programmed that the provider is at work on."""


def plan(snapshot: UnitSnapshot) -> Plan:
    """Return what this pass does. Equal input gives an equal plan; a settled unit gives an empty one."""
    core = _core_verdict(snapshot)
    verdicts = _zone_verdicts(snapshot, core)
    placement = Placement(snapshot.key, snapshot.limits, {room.ref: room for room in snapshot.rooms})
    decided = [
        (group, decision)
        for group in snapshot.groups
        for decision in decide_group(snapshot, verdicts, group, placement)
    ]
    edits = _merged(snapshot, core, placement)
    actions: tuple[Action, ...] = (
        *_zone_actions(snapshot, core),
        *(d.finalizers for _, d in decided if d.finalizers is not None),
        *edits,
        *(() if edits else (*emptied_slices(snapshot), *deletion_actions(snapshot))),
        *_statuses(snapshot, core, decided),
    )
    return Plan(actions, _requeue(core, decided), _awaiting(decided))


def _core_verdict(snapshot: UnitSnapshot) -> Verdict | None:
    """Return core's verdict on the Zone; one whose ledger or finalizer cannot be written is not accepted."""
    if snapshot.zone is None:
        return None
    verdict = accept_zone(snapshot, snapshot.zone)
    if verdict.is_true and snapshot.unit is None and snapshot.refusals.unit:
        return undecided(Reason.RECONCILE_ERROR, snapshot.refusals.unit)
    if verdict.is_true and snapshot.unit is None and snapshot.zone_stuck:
        return undecided(Reason.RECONCILE_ERROR, finalizer_refused(snapshot.zone_stuck))
    return verdict


def _zone_verdicts(snapshot: UnitSnapshot, core: Verdict | None) -> ZoneVerdicts:
    if core is None or snapshot.zone is None:
        missing = undecided(Reason.ZONE_NOT_RESOLVED, f"Zone {snapshot.key} is not found.")
        return ZoneVerdicts(missing, missing)
    return ZoneVerdicts(core, composed_zone(snapshot.zone, core, snapshot.unit))


def _zone_actions(snapshot: UnitSnapshot, core: Verdict | None) -> tuple[Action, ...]:
    """Return the finalizer first, then the ZoneUnit: a Zone never leaves an untended ledger behind.

    A Zone that has a ledger is held even while it is refused, as after a restore.
    """
    zone, accepts = snapshot.zone, core is not None and core.is_true
    if zone is None or zone.metadata.deleting:
        return ()
    if snapshot.zone_stuck:
        accepts = accept_zone(snapshot, zone).is_true  # tried again
    if not accepts and (snapshot.unit is None or not keeps(snapshot.unit, zone)):
        return ()
    if ZONE_FINALIZER not in zone.metadata.finalizers:
        return (_add_zone_finalizer(zone),)
    created = create_unit(snapshot, zone) if accepts and snapshot.unit is None else None
    return (created,) if created is not None else ()


def _add_zone_finalizer(zone: Zone) -> SetFinalizers:
    meta = zone.metadata
    return SetFinalizers(ZONES, zone.key, (*meta.finalizers, ZONE_FINALIZER), meta.resource_version, meta.uid)


def _merged(snapshot: UnitSnapshot, core: Verdict | None, placement: Placement) -> tuple[EditLedger, ...]:
    """Return all edits of the ledger, one for each object: its head, finalizers, items and orphans go in one PUT."""
    merged: dict[LedgerRef, EditLedger] = {}
    head = head_edit(snapshot, core)
    for edit in (
        *((head,) if head is not None else ()),
        *placement.actions(),
        *orphan_edits(snapshot),
        *slice_repairs(snapshot),
    ):
        old = merged.get(edit.ref)
        merged[edit.ref] = edit if old is None else _both(old, edit)
    return tuple(merged.values())


def _both(one: EditLedger, other: EditLedger) -> EditLedger:
    """Return one edit that does what two of the same object do; a finalizer that one of them removes is gone."""
    return EditLedger(
        one.ref,
        (*one.upserts, *other.upserts),
        (*one.removals, *other.removals),
        add_finalizer=(one.add_finalizer or other.add_finalizer)
        and not (one.remove_finalizer or other.remove_finalizer),
        remove_finalizer=one.remove_finalizer or other.remove_finalizer,
        adopt=one.adopt or other.adopt,
        head=one.head or other.head,
        witnesses=(*one.witnesses, *other.witnesses),
    )


def _statuses(
    snapshot: UnitSnapshot, core: Verdict | None, decided: list[tuple[NameGroup, Decision]]
) -> tuple[Action, ...]:
    zone_write = _zone_status_write(snapshot, core)
    writes = [write for group, d in decided if (write := _record_set_write(snapshot, group, d)) is not None]
    urgent_first = sorted(writes, key=lambda write: not write.urgent)
    return (*urgent_first,) if zone_write is None else (zone_write, *urgent_first)


def _zone_status_write(snapshot: UnitSnapshot, core: Verdict | None) -> WriteZoneStatus | None:
    zone = snapshot.zone
    if zone is None or core is None:
        return None
    status = zone_status(zone, core, zone_result(snapshot, zone), waiting_verdict(snapshot), snapshot.now)
    if status == zone.status:
        return None
    return WriteZoneStatus(zone.key, zone.metadata.uid, status, zone_events(snapshot, zone, status.conditions))


def _record_set_write(snapshot: UnitSnapshot, group: NameGroup, decision: Decision) -> WriteRecordSetStatus | None:
    claim = decision.facts.claim
    if decision.verdict is None and decision.place is None:
        return None
    status = record_set_status(claim, decision.verdict, _result(decision), snapshot.now)
    if status == claim.status:
        return None
    return WriteRecordSetStatus(
        claim.key,
        claim.metadata.uid,
        status,
        urgent=bool(news(claim.status.conditions, status.conditions)),
        passing=_is_passing(claim.status, status),
        events=record_set_events(snapshot, claim, status.conditions, _winner(group, decision)),
    )


def _result(decision: Decision) -> RecordSetItemStatus | ItemResult | None:
    """Return the status entry that a claim's result is read from (None: not written yet), or why there is none."""
    if decision.unseen or (decision.place is not None and decision.place.foreign):
        return ItemResult.UNSEEN
    return item_result(decision.facts, decision.place) if decision.place is not None else ItemResult.NONE


def _is_passing(before: RecordSetStatus, after: RecordSetStatus) -> bool:
    """Whether a status tells no more than that the provider is at work, of a claim that was let in before.

    That a refusal is over is told at once, and so is the first Programmed: it shows that the claim has an item.
    """
    programmed = find_condition(after.conditions, ConditionType.PROGRAMMED)
    if programmed is None or find_condition(before.conditions, ConditionType.PROGRAMMED) is None:
        return False
    differing = {condition.type for condition in changed_conditions(before.conditions, after.conditions)}
    return programmed.reason in UNDER_WAY and differing <= {ConditionType.PROGRAMMED}


def _winner(group: NameGroup, decision: Decision) -> RecordSet | None:
    """Return the RecordSet that a conflict message names, if it is here."""
    return next((facts.claim for facts in group.claims if facts.claim.key == decision.rival), None)


def _requeue(core: Verdict | None, decided: list[tuple[NameGroup, Decision]]) -> timedelta | None:
    """Return when to look again at what sends no event: a conversion service sends none when it is back."""
    away = Reason.PROVIDER_CONVERSION_UNAVAILABLE
    reasons = {d.verdict.reason for _, d in decided if d.verdict is not None} | ({core.reason} if core else set())
    return CONVERSION_RETRY if away in reasons else None


def _awaiting(decided: list[tuple[NameGroup, Decision]]) -> tuple[str, ...]:
    """Return the names whose result waits until the provider has observed their ledger object.

    That changes the object's observedGeneration, which is an event; but not the entry, so that it marks no name. A
    provider that never says what it observed is never asked again: nothing wakes up for it.
    """
    return tuple(dict.fromkeys(group.name for group, decision in decided if _awaits_result(decision)))


def _awaits_result(decision: Decision) -> bool:
    place = decision.place
    if place is None or place.foreign or decision.verdict is None or not decision.verdict.is_true:
        return False
    return item_result(decision.facts, place) is not place.status
