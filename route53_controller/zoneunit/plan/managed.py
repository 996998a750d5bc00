"""What is done in a hosted zone that is the unit's: its tags, its record sets, its deletions under guard."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from libdnsapi.api import names as api_names
from libdnsapi.api.conditions import ConditionStatus, ConditionType
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.reasons import Reason
from libdnsapi.api.route53.payloads import ZoneClassParameters
from route53_controller.zoneunit.plan import deletions, outcomes
from route53_controller.zoneunit.plan.actions import Action, ChangeTags, Notice, SubmitChanges
from route53_controller.zoneunit.plan.batches import Room, collecting_until, pack
from route53_controller.zoneunit.plan.names import ChangeGroup, NameContext
from route53_controller.zoneunit.plan.outcomes import Outcome, outcome, short_hash, unprogrammed
from route53_controller.zoneunit.plan.records import RecordPlan, decide_records
from route53_controller.zoneunit.plan.tags import desired_tags, former_owner, tag_change
from route53_controller.zoneunit.plan.unmanaged import unread
from route53_controller.zoneunit.snapshot import Fact, Item, Observation, Snapshot
from route53_controller.zoneunit.state import PendingChange, Restore, Stage, UnitState


@dataclass(slots=True)
class ZoneWork:
    """What is to be done in the hosted zone, while it is being collected."""

    state: UnitState
    items: dict[ObjectKey, Outcome]
    actions: list[Action]
    notices: list[Notice]
    wake_at: datetime | None = None
    patient: bool = False
    open_removals: bool = False
    """Whether something that leaves still stands or is on its way out."""


def paused(snapshot: Snapshot) -> bool:
    """Whether the owner asked that nothing be written (beyond-the-seeds 14)."""
    return snapshot.unit.metadata.annotations.get(api_names.PAUSED_ANNOTATION) == "true"


def managed_count(snapshot: Snapshot) -> int:
    """Return how many record sets are ours."""
    return sum(item.facts.mark is not None for item in snapshot.items.values())


def work_on_tags(snapshot: Snapshot, observation: Observation, work: ZoneWork) -> Fact | None:
    """Bring the tags to what they shall be; return why the zone is not programmed, if tags are the cause."""
    parameters, observed = snapshot.parameters, observation.zone.tags
    generation = snapshot.unit.spec.zone.observed_generation or 0
    if observed is None or not isinstance(parameters, ZoneClassParameters):
        return None
    zone = snapshot.unit.spec.zone
    desired = desired_tags(zone.ref.key, zone.zone_class_ref.key, parameters.tags)
    change = tag_change(desired, observed, snapshot.state.tag_keys)
    if change is None:
        work.state = work.state.model_copy(update={"tag_keys": tuple(sorted(desired))})
        return None
    if paused(snapshot):
        message = "The zone is paused: its tags differ and are not written."
        return Fact(ConditionStatus.FALSE, Reason.PROVIDER_CHANGE_PENDING, message, generation)
    if observation.tagging is not None:
        return None
    other = former_owner(observed, zone.ref.key)
    if other:
        work.notices.append(_taken_over(zone.ref.key, other))
    ahead = tuple(sorted({*desired, *snapshot.state.tag_keys}))
    work.state = work.state.model_copy(update={"tag_keys": ahead})
    work.actions.append(
        ChangeTags(work.state.hosted_zone_id, change.add, change.remove, tag_keys=tuple(sorted(desired)))
    )
    return None


def _taken_over(zone: ObjectKey, other: str) -> Notice:
    note = f"The hosted zone was tagged as that of Zone {other}; the tags are replaced by this Zone's."
    return Notice("Zone", zone, "Route53OwnershipTagsReplaced", note, "ReplaceTags", "Warning")


def work_on_records(
    snapshot: Snapshot,
    observation: Observation,
    work: ZoneWork,
    *,
    serving: bool,
    leaving: frozenset[ObjectKey] = frozenset(),
    exempt: bool = False,
) -> None:
    """Decide about all record sets, and about what is sent of it now."""
    _drop_settled(snapshot, observation, work)
    if observation.records is None:
        work.items.update(unread(snapshot, observation.reading))
        work.open_removals = any(item.leaving or key in leaving for key, item in snapshot.items.items())
        return
    work.state = _with_restore(snapshot, work.state)
    context = name_context(snapshot, observation, work.state, serving=serving, leaving=leaving)
    plan = decide_records(snapshot.items, context)
    work.items.update(plan.outcomes)
    work.wake_at = plan.retry_at
    _note_adoptions(snapshot, context, work)
    work.open_removals = _leaves_anything(snapshot, plan, leaving)
    _send(snapshot, observation, plan, work, exempt=exempt)


def name_context(
    snapshot: Snapshot, observation: Observation, state: UnitState, *, serving: bool, leaving: frozenset[ObjectKey]
) -> NameContext:
    """Return what decisions about names need to know."""
    in_flight, intents, confirmed = {}, dict[ObjectKey, frozenset[str]](), set()
    for change, affected in snapshot.state.intents():
        if affected.digest:
            intents[affected.key] = intents.get(affected.key, frozenset()) | {affected.digest}
        if change.ref not in observation.settled:
            in_flight[affected.key] = (change, affected.digest)
        elif change.id and affected.digest:
            confirmed.add(affected.key)
    return NameContext(
        now=snapshot.now,
        zone_id=snapshot.state.hosted_zone_id,
        records=observation.records or {},
        doubtful=observation.doubtful,
        in_flight=in_flight,
        intents=intents,
        confirmed=frozenset(confirmed),
        rejections=observation.rejections or {},
        covered=_covered(snapshot, state),
        leaving=leaving,
        serving=serving,
    )


def _drop_settled(snapshot: Snapshot, observation: Observation, work: ZoneWork) -> None:
    """Let changes that are over leave the state, and say so for each record set."""
    over = [change for change in snapshot.state.pending_record_set_changes if change.ref in observation.settled]
    left = tuple(c for c in snapshot.state.pending_record_set_changes if c.ref not in observation.settled)
    work.state = work.state.with_changes(left)
    for change in over:
        if change.id:
            note = f"Change {change.id} of hosted zone {snapshot.state.hosted_zone_id} is in sync."
            keys = (affected.key for affected in change.affected_record_sets)
            work.notices.extend(
                Notice("RecordSet", key, "Route53RecordSetChangeInSync", note, "AwaitChange") for key in keys
            )


def _restoring(snapshot: Snapshot) -> bool:
    return snapshot.unit.metadata.annotations.get(api_names.RESTORE_ANNOTATION) == "adopt-matching"


def _with_restore(snapshot: Snapshot, state: UnitState) -> UnitState:
    """Note which items a restore covers: those present when it is first seen, each until it is programmed."""
    if state.restore is None and not _restoring(snapshot):
        return state
    unmarked = {short_hash(key) for key, item in snapshot.items.items() if item.facts.mark is None}
    covered = unmarked if state.restore is None else unmarked & set(state.restore.covered)
    return state.model_copy(update={"restore": Restore(covered=tuple(sorted(covered)))})


def _covered(snapshot: Snapshot, state: UnitState) -> frozenset[str]:
    return frozenset(state.restore.covered) if state.restore is not None and _restoring(snapshot) else frozenset()


def _note_adoptions(snapshot: Snapshot, context: NameContext, work: ZoneWork) -> None:
    for key, said in work.items.items():
        item = snapshot.items[key]
        known = item.facts.mark is not None or key in context.intents
        if said.mark is not None and not known and not item.leaving and item.adopts:
            note = f"The existing record set {item.name} {item.type} is managed from now on."
            work.notices.append(Notice("RecordSet", key, "ExternalResourceAdopted", note, "Adopt"))


def _leaves_anything(snapshot: Snapshot, plan: RecordPlan, leaving: frozenset[ObjectKey]) -> bool:
    for key, item in snapshot.items.items():
        said = plan.outcomes.get(key)
        if item.leaving and not (said.deletion_completed if said is not None else item.facts.deletion_completed):
            return True
        if key in leaving and not item.leaving and (said.mark if said is not None else item.facts.mark) is not None:
            return True
    return any(affected.key in leaving for group in plan.groups for affected in group.affected)


def _send(snapshot: Snapshot, observation: Observation, plan: RecordPlan, work: ZoneWork, *, exempt: bool) -> None:
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
    until = collecting_until(waiting, observation.sent_lately, snapshot.now, snapshot.settings)
    if waiting and until is not None:
        work.wake_at = min(until, work.wake_at or until)
        work.patient = True
        return
    packing = pack(groups, _room(snapshot, work.state))
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


def _room(snapshot: Snapshot, state: UnitState) -> Room:
    settings, changes = snapshot.settings, state.pending_record_set_changes
    busy = sum(len(change.affected_record_sets) for change in changes)
    return Room(settings.max_changes_in_flight - len(changes), settings.max_record_sets_in_flight - busy)


def _guarded(snapshot: Snapshot, groups: list[ChangeGroup], work: ZoneWork, *, exempt: bool) -> list[ChangeGroup]:
    removals = [group for group in groups if group.removal]
    metadata = snapshot.unit.metadata
    confirmation = metadata.annotations.get(api_names.CONFIRM_DELETIONS_ANNOTATION, "")
    case = deletions.GuardCase(snapshot.now, metadata.uid, managed_count(snapshot), confirmation, exempt)
    before = work.state.deletion_guard
    verdict = deletions.judge(removals, before, case, snapshot.settings)
    work.state = work.state.model_copy(update={"deletion_guard": verdict.guard})
    if verdict.held:
        message = _held_message(len(verdict.held), verdict.token)
        _rest(verdict.held, snapshot, work, Reason.PROVIDER_CHANGE_DEFERRED, message)
        if before.held_since is None:
            zone = snapshot.unit.spec.zone.ref.key
            work.notices.append(Notice("Zone", zone, "Route53DeletionsHeld", message, "Delete", "Warning"))
    return [*(group for group in groups if not group.removal), *verdict.released]


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


def override_live(snapshot: Snapshot, work: ZoneWork, said: dict[ObjectKey, Outcome]) -> None:
    """Let items that stay say what their unaccepted zone makes of them, whatever their record sets are like."""
    for key, other in said.items():
        if not snapshot.items[key].leaving:
            mine = work.items.get(key)
            work.items[key] = other if mine is None else replace(other, mark=mine.mark)


def zone_condition(type_: ConditionType, snapshot: Snapshot) -> Fact | None:
    """Return a condition of the zone as it stands in status."""
    status = snapshot.unit.status.zone
    found = next((c for c in status.conditions if c.type == type_), None) if status else None
    return None if found is None else Fact(found.status, found.reason, found.message, found.observed_generation or 0)
