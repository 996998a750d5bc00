"""What of the wanted changes is sent now: under guard, within what may be in flight, and a bulk collected."""

from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from libdnsapi.api import names as api_names
from libdnsapi.api.reasons import Reason
from route53_controller.zoneunit.plan import deletions, outcomes
from route53_controller.zoneunit.plan.actions import Notice, SubmitChanges
from route53_controller.zoneunit.plan.batches import Traffic, collecting_until, is_plain, spaced_until
from route53_controller.zoneunit.plan.names import ChangeGroup
from route53_controller.zoneunit.plan.outcomes import outcome, short_hash, unprogrammed
from route53_controller.zoneunit.plan.records import RecordPlan
from route53_controller.zoneunit.plan.times import earliest
from route53_controller.zoneunit.plan.turns import Flight, may_go, size, take_turns
from route53_controller.zoneunit.plan.work import ZoneWork, managed_count, paused
from route53_controller.zoneunit.snapshot import Item, Observation, Snapshot
from route53_controller.zoneunit.state import DeletionGuard, PendingChange, Stage


def send(snapshot: Snapshot, observation: Observation, plan: RecordPlan, work: ZoneWork, *, exempt: bool) -> None:
    """Choose what is sent now, store its intent, and say what waits."""
    if paused(snapshot):
        _rest(plan.groups, snapshot, work, Reason.PROVIDER_CHANGE_DEFERRED, outcomes.PAUSED_MESSAGE)
        return
    groups = _guarded(snapshot, plan, work, exempt=exempt)
    if observation.writing is not None:
        for item in _items(groups, snapshot):
            work.items[item.key] = outcome(item, outcomes.failed(item, observation.writing.error), mark=item.facts.mark)
        return
    _take_back(groups, snapshot, work)
    flight = _flight(observation, work)
    until = _not_before(groups, snapshot, observation, work, flight)
    if groups and until is not None:
        _wake(until, work)
        work.due_at = until
        return
    turn = take_turns(groups, snapshot, flight)
    if turn.undecided_until is not None:
        _wake(turn.undecided_until, work)
    _rest(turn.put_off, snapshot, work, Reason.PROVIDER_CHANGE_DEFERRED, outcomes.DEFERRED_MESSAGE)
    _rest(turn.next_up, snapshot, work, Reason.PROVIDER_CHANGE_DEFERRED, outcomes.NEXT_MESSAGE)
    if turn.batches:
        _submit(turn.batches, snapshot, work)


def _take_back(groups: Iterable[ChangeGroup], snapshot: Snapshot, work: ZoneWork) -> None:
    """Have no item say Programmed whose content is not there: a Provider may convert a payload anew, or others edit."""
    for item in _items(groups, snapshot):
        if not item.leaving and outcomes.claims_programmed(item):
            work.items[item.key] = outcome(item, outcomes.pending(item), mark=item.facts.mark)


def _submit(batches: tuple[tuple[ChangeGroup, ...], ...], snapshot: Snapshot, work: ZoneWork) -> None:
    for item in _items((group for batch in batches for group in batch), snapshot):
        work.items[item.key] = outcome(item, outcomes.pending(item), mark=item.facts.mark)
    ahead = tuple(intent(batch, snapshot.now) for batch in batches)
    work.state = work.state.with_changes((*work.state.pending_record_set_changes, *ahead))
    work.actions.append(SubmitChanges(work.state.hosted_zone_id, batches, managed_count(snapshot)))


def intent(batch: Iterable[ChangeGroup], now: datetime) -> PendingChange:
    """Return the intent to send a batch, as it is stored before the call."""
    groups = tuple(batch)
    return PendingChange(
        status=Stage.SUBMITTING,
        operation="DELETE_BATCH" if all(group.removal for group in groups) else "UPSERT_BATCH",
        submitted_at=now,
        affected_record_sets=tuple(affected for group in groups for affected in group.affected),
    )


def _not_before(
    groups: list[ChangeGroup], snapshot: Snapshot, observation: Observation, work: ZoneWork, flight: Flight
) -> datetime | None:
    """Return until when nothing goes: a bulk is collected, where there is room for it, and batches are spaced.

    Without room for it, the bulk is put off at once: so what comes later can be told from it.
    """
    changes = work.state.pending_record_set_changes
    under_way = [change.submitted_at for change in changes if change.ref not in observation.settled]
    traffic = Traffic(
        waiting=size(groups),
        sent_lately=observation.sent_lately,
        arrived_at=snapshot.arrived_at,
        plain=is_plain(groups),
        in_flight=len(changes),
        oldest_at=min(under_way, default=None),
    )
    collected = may_go(groups, flight, snapshot.settings)
    until = collecting_until(traffic, snapshot.now, snapshot.settings) if collected else None
    spaced = spaced_until(traffic, snapshot.now, snapshot.settings)
    return max((time for time in (until, spaced) if time is not None), default=None)


def _flight(observation: Observation, work: ZoneWork) -> Flight:
    """Return what is in flight; of changes that are over some stay in the state for what they prove."""
    counts = {change.ref: len(change.affected_record_sets) for change in work.state.pending_record_set_changes}
    ending = sum(count for ref, count in counts.items() if ref not in observation.settled)
    spaces = ({a.namespace for a in change.affected_record_sets} for change in work.state.pending_record_set_changes)
    return Flight(len(counts), sum(counts.values()), ending, Counter(space for found in spaces for space in found))


def _wake(at: datetime, work: ZoneWork) -> None:
    work.wake_at = earliest(at, work.wake_at)


def _guarded(snapshot: Snapshot, plan: RecordPlan, work: ZoneWork, *, exempt: bool) -> list[ChangeGroup]:
    """Return what the guard lets go: of a name all, or what is not a deletion.

    It judges what has to wait for a batch of its own too, so that all that is wanted is confirmed at once.
    """
    removals = {group.name: removal for group in plan.groups if (removal := _removal(group, snapshot)) is not None}
    later = [removal for group in plan.later if (removal := _removal(group, snapshot)) is not None]
    guard = work.state.deletion_guard
    case = _case(snapshot, guard, exempt=exempt)
    verdict = deletions.judge((*removals.values(), *later), guard, case, snapshot.settings)
    work.state = work.state.model_copy(update={"deletion_guard": verdict.guard})
    if verdict.held:
        work.held = _held_message(sum(group.deletions for group in verdict.held), verdict.token)
        _rest(verdict.held, snapshot, work, Reason.PROVIDER_CHANGE_DEFERRED, outcomes.HELD_MESSAGE)
        _tell_of_held(snapshot, verdict.guard, work)
    held = {group.name: group for group in verdict.held if group not in later}
    rests = (_without(group, held[group.name]) if group.name in held else group for group in plan.groups)
    return [group for group in rests if group.changes]


def _case(snapshot: Snapshot, guard: DeletionGuard, *, exempt: bool) -> deletions.GuardCase:
    metadata = snapshot.unit.metadata
    confirmation = metadata.annotations.get(api_names.CONFIRM_DELETIONS_ANNOTATION, "")
    leaving = {short_hash(key) for key, item in snapshot.restless.items() if item.leaving} if guard.confirmed else ()
    return deletions.GuardCase(
        snapshot.now, metadata.uid, managed_count(snapshot), confirmation, exempt, frozenset(leaving)
    )


def _tell_of_held(snapshot: Snapshot, guard: DeletionGuard, work: ZoneWork) -> None:
    """Tell the owner of the Zone what is held and how to let it go, or look again when that is due."""
    due = deletions.due_at(guard, snapshot.now)
    if snapshot.now < due:
        _wake(due, work)
        return
    work.notices.append(Notice("Zone", snapshot.zone_key, "Route53DeletionsHeld", work.held, "Delete", "Warning"))
    told = guard.model_copy(update={"told_token": guard.token, "told_at": snapshot.now})
    work.state = work.state.model_copy(update={"deletion_guard": told})


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
