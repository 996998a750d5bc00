"""What is done in a hosted zone that is the unit's: its tags and its record sets."""

from collections.abc import Iterable
from dataclasses import replace

from libdnsapi.api import names as api_names
from libdnsapi.api.conditions import ConditionStatus
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.reasons import Reason
from libdnsapi.api.route53.payloads import ZoneClassParameters
from route53_controller.aws.errors import AwsError
from route53_controller.failures import consequence
from route53_controller.zoneunit.attention import at_names
from route53_controller.zoneunit.plan.actions import ChangeTags, Notice
from route53_controller.zoneunit.plan.names import NameContext, own_mark, owns, simple
from route53_controller.zoneunit.plan.outcomes import outcome, short_hash
from route53_controller.zoneunit.plan.records import RecordPlan, decide_records
from route53_controller.zoneunit.plan.sending import send
from route53_controller.zoneunit.plan.tags import desired_tags, former_owner, tag_change
from route53_controller.zoneunit.plan.times import earliest
from route53_controller.zoneunit.plan.unmanaged import unread
from route53_controller.zoneunit.plan.work import ZoneWork, paused
from route53_controller.zoneunit.snapshot import Fact, Hold, Item, Observation, Snapshot
from route53_controller.zoneunit.state import PendingChange, Restore, UnitState


def work_on_tags(snapshot: Snapshot, observation: Observation, work: ZoneWork) -> Fact | None:
    """Bring the tags to what they shall be; return why the zone is not programmed, if tags are the cause."""
    parameters, observed = snapshot.parameters, observation.zone.tags
    if observed is None or not isinstance(parameters, ZoneClassParameters):
        return None
    zone = snapshot.unit.spec.zone
    desired = desired_tags(zone.ref.key, zone.zone_class_ref.key, parameters.tags)
    change = tag_change(desired, observed, snapshot.state.tag_keys)
    ours = frozenset(snapshot.state.tag_keys)
    if change is None:
        work.state = work.state.model_copy(update={"tag_keys": tuple(sorted(ours & desired.keys()))})
        return None
    if paused(snapshot):
        message = "The zone is paused: its tags differ and are not written."
        return Fact(ConditionStatus.FALSE, Reason.PROVIDER_CHANGE_PENDING, message, snapshot.zone_generation)
    if observation.tagging is not None:
        return None
    other = former_owner(observed, zone.ref.key)
    if other:
        work.notices.append(_taken_over(zone.ref.key, other))
    ahead = ours | change.add.keys()
    work.state = work.state.model_copy(update={"tag_keys": tuple(sorted(ahead))})
    kept = tuple(sorted(ahead & desired.keys()))
    work.actions.append(ChangeTags(work.state.hosted_zone_id, change.add, change.remove, tag_keys=kept))
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
    work.state = _with_restore(snapshot, work)
    context = name_context(snapshot, observation, work.state, serving=serving, leaving=leaving)
    names = _open_names(snapshot, observation, context)
    plan = decide_records(at_names(names, snapshot.objects, snapshot.items), context)
    work.open_names = frozenset(plan.open_names)
    work.items.update(plan.outcomes)
    work.wake_at = earliest(plan.retry_at, work.rest_at)
    _note_adoptions(snapshot, context, work)
    _note_deletions(snapshot, context, work)
    work.open_removals = _leaves_anything(snapshot, plan, leaving)
    send(snapshot, observation, plan, work, exempt=exempt)
    _keep_ownership(snapshot, context, work)


def _open_names(snapshot: Snapshot, observation: Observation, context: NameContext) -> frozenset[str] | None:
    """Return the names that may need a decision; None: all of them may."""
    if snapshot.open_names is None or observation.fresh is None or context.leaving:
        return None
    busy = (snapshot.items[key].name for key in context.in_flight if key in snapshot.items)
    moving = (item.name for item in snapshot.restless.values() if len(item.places) > 1)
    return snapshot.open_names.union(observation.fresh, context.doubtful, busy, moving)


def _keep_ownership(snapshot: Snapshot, context: NameContext, work: ZoneWork) -> None:
    """Write down as marks what only stored intents prove, in the very write with which those may go.

    An item that is edited or deleted between its change and the mark would else be nobody's: its next change may be
    held, put off or lost with its answer, and the record set would look like a stranger's.
    """
    for key in context.intents:
        item, said = snapshot.items.get(key), work.items.get(key)
        if item is None or item.facts.mark is not None or key in context.in_flight:
            continue
        if said is not None and (said.mark is not None or said.deletion_completed):
            continue
        observed = simple(r for r in context.records.get(item.name, ()) if r.key.type == item.type)
        if observed is None or not owns(item, observed, context):
            continue
        mark = own_mark(item, context)
        work.items[key] = outcome(item, None, mark=mark) if said is None else replace(said, mark=mark)


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
        partial=bool(snapshot.foreign),
        denied=_denied(observation.reading),
    )


def _denied(reading: Hold | None) -> AwsError | None:
    """Return why reading has stopped, where it goes on only when somebody grants it."""
    if reading is None or consequence(reading.error).reason != Reason.PROVIDER_ACCESS_DENIED:
        return None
    return reading.error


def _drop_settled(snapshot: Snapshot, observation: Observation, work: ZoneWork) -> None:
    """Let changes that are over leave the state, and say so for each record set.

    Some stay, for nothing else says yet whose their record sets are: those of items that are out of sight, and what
    they made for items that another change is under way for. That one may never have gone out, if the process that
    stored it ended. Of all other items marks are written now: what such a change says of them goes.
    """
    left: list[PendingChange] = []
    changes = snapshot.state.pending_record_set_changes
    busy = {a.key for change in changes if change.ref not in observation.settled for a in change.affected_record_sets}
    for change in changes:
        if change.ref not in observation.settled or _is_out_of_sight(change, snapshot):
            left.append(change)
            continue
        proof = tuple(a for a in change.affected_record_sets if a.digest and a.key in busy)
        if proof:
            left.append(change.model_copy(update={"affected_record_sets": proof}))
        work.notices.extend(_in_sync(change, [a.key for a in change.affected_record_sets if a not in proof], snapshot))
    work.state = work.state.with_changes(tuple(left))


def _in_sync(change: PendingChange, keys: Iterable[ObjectKey], snapshot: Snapshot) -> Iterable[Notice]:
    if not change.id:
        return ()
    note = f"Change {change.id} of hosted zone {snapshot.state.hosted_zone_id} is in sync."
    return (Notice("RecordSet", key, "Route53RecordSetChangeInSync", note, "AwaitChange") for key in keys)


def _is_out_of_sight(change: PendingChange, snapshot: Snapshot) -> bool:
    """Whether a change made something for an item that is not seen, and that may well be there.

    An item leaves the ledger after its changes are over; one that is not seen for long was torn out of it.
    """
    unseen = any(a.digest and a.key not in snapshot.items for a in change.affected_record_sets)
    recent = snapshot.now - change.submitted_at < snapshot.settings.drift_interval
    return unseen and (recent or bool(snapshot.foreign))


def _restoring(snapshot: Snapshot) -> bool:
    return snapshot.unit.metadata.annotations.get(api_names.RESTORE_ANNOTATION) == "adopt-matching"


def _with_restore(snapshot: Snapshot, work: ZoneWork) -> UnitState:
    """Note which items a restore covers: those present when it is first seen, each until it is programmed.

    First seen is the ledger once it has come to rest, and all of it is this unit's: slices cannot be put back before
    their ZoneUnit.
    """
    state = work.state
    if state.restore is None and not _restoring(snapshot):
        return state
    if state.restore is None and snapshot.foreign:
        return state
    if state.restore is None:
        complete_at = (snapshot.arrived_at or snapshot.now) + snapshot.settings.restore_lull
        if snapshot.now < complete_at:
            work.rest_at = complete_at
            return state
    unmarked = _unmarked(snapshot)
    covered = unmarked if state.restore is None else unmarked & set(state.restore.covered)
    return state.model_copy(update={"restore": Restore(covered=tuple(sorted(covered)))})


def _unmarked(snapshot: Snapshot) -> set[str]:
    return {short_hash(key) for key, item in snapshot.restless.items() if item.facts.mark is None}


def _covered(snapshot: Snapshot, state: UnitState) -> frozenset[str]:
    if not _restoring(snapshot):
        return frozenset()
    return frozenset(_unmarked(snapshot) if state.restore is None else state.restore.covered)


def _note_adoptions(snapshot: Snapshot, context: NameContext, work: ZoneWork) -> None:
    for key, said in work.items.items():
        item = snapshot.items[key]
        known = item.facts.mark is not None or key in context.intents
        if said.mark is not None and not known and not item.leaving and item.adopts:
            note = f"The existing record set {item.name} {item.type} is managed from now on."
            work.notices.append(Notice("RecordSet", key, "ExternalResourceAdopted", note, "Adopt"))


def _note_deletions(snapshot: Snapshot, context: NameContext, work: ZoneWork) -> None:
    """Tell of record sets of ours that are gone, or stay since they are not ours alone any more.

    One that was handed over stands on and is not told of.
    """
    for key, said in work.items.items():
        item = snapshot.items[key]
        if not said.deletion_completed or item.facts.deletion_completed or item.facts.mark is None:
            continue
        there = [found for found in context.records.get(item.name, ()) if found.key.type == item.type]
        if not there:
            note = f"The record set {item.name} {item.type} was deleted from Route 53."
            work.notices.append(Notice("RecordSet", key, "ExternalResourceDeleted", note, "Delete"))
        elif simple(there) is None:
            work.notices.append(_retained(key, item))


def _retained(key: ObjectKey, item: Item) -> Notice:
    note = (
        f"The record set {item.name} {item.type} was given a routing policy or health check that is not ours: it stays "
        "in Route 53 and is not managed any more."
    )
    return Notice("RecordSet", key, "ExternalResourceRetained", note, "Retain", "Warning")


def _leaves_anything(snapshot: Snapshot, plan: RecordPlan, leaving: frozenset[ObjectKey]) -> bool:
    for key, item in snapshot.unsteady((*plan.outcomes, *(leaving & snapshot.items.keys()))).items():
        said = plan.outcomes.get(key)
        if item.leaving and not (said.deletion_completed if said is not None else item.facts.deletion_completed):
            return True
        if key in leaving and not item.leaving and (said.mark if said is not None else item.facts.mark) is not None:
            return True
    return any(affected.key in leaving for group in plan.groups for affected in group.affected)
