"""What of the wanted changes is sent now: under guard, within what may be in flight, and a bulk collected."""

from collections.abc import Iterable
from datetime import datetime

from libdnsapi.api import names as api_names
from libdnsapi.api.reasons import Reason
from route53_controller.zoneunit.plan import deletions, outcomes
from route53_controller.zoneunit.plan.actions import Notice, SubmitChanges
from route53_controller.zoneunit.plan.batches import Room, Traffic, collecting_until, is_plain, pack
from route53_controller.zoneunit.plan.names import ChangeGroup
from route53_controller.zoneunit.plan.outcomes import outcome, unprogrammed
from route53_controller.zoneunit.plan.records import RecordPlan
from route53_controller.zoneunit.plan.work import ZoneWork, managed_count, paused
from route53_controller.zoneunit.snapshot import Item, Observation, Snapshot
from route53_controller.zoneunit.state import PendingChange, Stage, UnitState

SMALL = 20
"""As many waiting record sets are no bulk."""
SPARE_CHANGES = 2
SPARE_RECORD_SETS = 100


def send(snapshot: Snapshot, observation: Observation, plan: RecordPlan, work: ZoneWork, *, exempt: bool) -> None:
    """Choose what is sent now, store its intent, and say what waits."""
    if paused(snapshot):
        _rest(plan.groups, snapshot, work, Reason.PROVIDER_CHANGE_DEFERRED, outcomes.PAUSED_MESSAGE)
        return
    groups = _guarded(snapshot, plan.groups, work, exempt=exempt)
    if observation.writing is not None:
        for item in _items(groups, snapshot):
            work.items[item.key] = outcome(item, outcomes.failed(item, observation.writing.error), mark=item.facts.mark)
        return
    waiting = sum(len(group.affected) for group in groups)
    in_flight = len(work.state.pending_record_set_changes)
    traffic = Traffic(waiting, observation.sent_lately, snapshot.arrived_at, is_plain(groups), in_flight)
    until = collecting_until(traffic, snapshot.now, snapshot.settings)
    if waiting and until is not None:
        work.wake_at = min(until, work.wake_at or until)
        work.patient = True
        return
    packing = pack(groups, _room(snapshot, work.state, waiting))
    _rest(packing.deferred, snapshot, work, Reason.PROVIDER_CHANGE_DEFERRED, outcomes.DEFERRED_MESSAGE)
    if not packing.batches:
        return
    for item in _items((group for batch in packing.batches for group in batch), snapshot):
        work.items[item.key] = outcome(item, outcomes.pending(item), mark=item.facts.mark)
    ahead = tuple(intent(batch, snapshot.now) for batch in packing.batches)
    work.state = work.state.with_changes((*work.state.pending_record_set_changes, *ahead))
    work.actions.append(SubmitChanges(work.state.hosted_zone_id, packing.batches, managed_count(snapshot)))


def intent(batch: Iterable[ChangeGroup], now: datetime) -> PendingChange:
    """Return the intent to send a batch, as it is stored before the call."""
    groups = tuple(batch)
    return PendingChange(
        status=Stage.SUBMITTING,
        operation="DELETE_BATCH" if all(group.removal for group in groups) else "UPSERT_BATCH",
        submitted_at=now,
        affected_record_sets=tuple(affected for group in groups for affected in group.affected),
    )


def _room(snapshot: Snapshot, state: UnitState, waiting: int) -> Room:
    """Return how much may be sent; behind a bulk in flight, the rest of the bulk leaves room for a small change."""
    settings, changes = snapshot.settings, state.pending_record_set_changes
    busy = sum(len(change.affected_record_sets) for change in changes)
    record_sets = settings.max_record_sets_in_flight - busy
    if busy > SMALL and waiting > SMALL:
        return Room(settings.max_changes_in_flight - len(changes) - SPARE_CHANGES, record_sets - SPARE_RECORD_SETS)
    return Room(settings.max_changes_in_flight - len(changes), record_sets)


def _guarded(snapshot: Snapshot, groups: list[ChangeGroup], work: ZoneWork, *, exempt: bool) -> list[ChangeGroup]:
    """Return what the guard lets go: of a name all, or what is not a deletion."""
    removals = {group.name: removal for group in groups if (removal := _removal(group, snapshot)) is not None}
    metadata = snapshot.unit.metadata
    confirmation = metadata.annotations.get(api_names.CONFIRM_DELETIONS_ANNOTATION, "")
    case = deletions.GuardCase(snapshot.now, metadata.uid, managed_count(snapshot), confirmation, exempt)
    before = work.state.deletion_guard
    verdict = deletions.judge(tuple(removals.values()), before, case, snapshot.settings)
    work.state = work.state.model_copy(update={"deletion_guard": verdict.guard})
    if verdict.held:
        message = _held_message(sum(group.deletions for group in verdict.held), verdict.token)
        _rest(verdict.held, snapshot, work, Reason.PROVIDER_CHANGE_DEFERRED, message)
        if before.held_since is None:
            zone = snapshot.unit.spec.zone.ref.key
            work.notices.append(Notice("Zone", zone, "Route53DeletionsHeld", message, "Delete", "Warning"))
    held = {group.name: group for group in verdict.held}
    rests = (_without(group, held[group.name]) if group.name in held else group for group in groups)
    return [group for group in rests if group.changes]


def _removal(group: ChangeGroup, snapshot: Snapshot) -> ChangeGroup | None:
    """Return what of a name is deleted with nothing in its place, None where nothing is."""
    if group.removal:
        return group
    types = {change.record_set.key.type for change in group.gone}
    goes = tuple(a for a in group.affected if not a.digest and snapshot.items[a.key].type in types)
    return ChangeGroup(group.name, group.gone, goes, removal=True) if goes else None


def _without(group: ChangeGroup, removal: ChangeGroup) -> ChangeGroup:
    """Return the rest of a name whose removal is held."""
    changes = tuple(change for change in group.changes if change not in removal.changes)
    affected = tuple(each for each in group.affected if each not in removal.affected)
    return ChangeGroup(group.name, changes, affected, removal=False)


def _held_message(count: int, token: str) -> str:
    return (
        f"{count} deletions in this zone are held, for they are unusually many. To let exactly these go, annotate "
        f"the Zone with {api_names.CONFIRM_DELETIONS_ANNOTATION}={token}."
    )


def _rest(groups: Iterable[ChangeGroup], snapshot: Snapshot, work: ZoneWork, reason: Reason, message: str) -> None:
    for item in _items(groups, snapshot):
        work.items[item.key] = outcome(item, unprogrammed(item, reason, message), mark=item.facts.mark)


def _items(groups: Iterable[ChangeGroup], snapshot: Snapshot) -> Iterable[Item]:
    return (snapshot.items[affected.key] for group in groups for affected in group.affected)
