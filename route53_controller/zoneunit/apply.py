"""Carrying out a plan: finalizers, status, then the actions in order, then what they left in the state."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace

from libdnsapi.runtime.backoff import Random
from libdnsapi.runtime.errors import KubernetesError
from route53_controller.aws.api import Route53
from route53_controller.aws.errors import AwsError, AwsFailure
from route53_controller.failures import Mends, consequence
from route53_controller.zoneunit.inuse import UseKeeper
from route53_controller.zoneunit.memory import ZONE_CHANGE, Poll, ZoneMemory
from route53_controller.zoneunit.notices import NoticeBoard
from route53_controller.zoneunit.plan.actions import (
    Action,
    ChangeTags,
    CreateHostedZone,
    DeleteHostedZone,
    Notice,
    Plan,
    Release,
    StatusPlan,
    SubmitChanges,
)
from route53_controller.zoneunit.plan.work import zone_notice
from route53_controller.zoneunit.snapshot import Snapshot
from route53_controller.zoneunit.state import PendingChange, PendingZoneChange, UnitState
from route53_controller.zoneunit.submission import Submission, submitted_keys
from route53_controller.zoneunit.witnesses import Witnesses
from route53_controller.zoneunit.writes import LedgerWriter

SUBMITTED = "Route53HostedZoneChangeSubmitted"


class Applier:
    """Applies plans of one controller."""

    def __init__(
        self, writer: LedgerWriter, witnesses: Witnesses, keeper: UseKeeper, board: NoticeBoard, random: Random
    ) -> None:
        """Apply nothing yet."""
        self._writer = writer
        self._witnesses = witnesses
        self._keeper = keeper
        self._board = board
        self._random = random

    async def apply(self, snapshot: Snapshot, plan: Plan, memory: ZoneMemory, route53: Route53 | None) -> bool:
        """Carry out one plan; return whether anything was done, so that another round is due.

        A failed call at Route 53 is remembered, not raised. Raises KubernetesError where the ledger cannot be
        written: then nothing was sent that it does not say. Nothing is done of a plan that rests on what is not in
        the live ledger: the next round plans with what was seen.
        """
        if not await self._witnesses.stand(snapshot, plan, memory):
            return True
        if _goes_soon(snapshot, plan):
            return False
        await self._hold(snapshot, plan)
        if route53 is not None and _sends_first(snapshot, plan):
            await self._send(snapshot, plan, memory, route53)
            wrote = True
        else:
            wrote = await self._write_and_act(snapshot, plan, memory, route53)
        await self._release_empty(snapshot)
        released = any(isinstance(action, Release) for action in plan.actions)
        return not released and (wrote or bool(plan.actions) or plan.again)

    async def _write_and_act(self, snapshot: Snapshot, plan: Plan, memory: ZoneMemory, route53: Route53 | None) -> bool:
        """Write the status, then act, then tell of both, before what came of it is stored; return whether it wrote."""
        wrote = not _can_wait(snapshot, plan) and await self._write_status(snapshot, plan)
        _forget(snapshot, plan.status.state, memory)
        state, notices = await self._act(snapshot, plan, plan.status.state, memory, route53)
        self._post(snapshot, (*plan.notices, *notices))
        if state != plan.status.state:
            await self._writer.write_unit(snapshot, replace(plan.status, state=state))
        return wrote

    async def _write_status(self, snapshot: Snapshot, plan: Plan) -> bool:
        """Write what differs, slices first: the ZoneUnit's state must not forget what they do not say yet.

        What slices say is told though the ZoneUnit could not be written: it is no news to the next round. Returns
        whether anything was written.
        """
        wrote = await self._writer.write_slices(snapshot, plan.status)
        try:
            return await self._writer.write_unit(snapshot, plan.status) or wrote
        except KubernetesError:
            if wrote:
                self._post(snapshot, plan.notices)
            raise

    async def _send(self, snapshot: Snapshot, plan: Plan, memory: ZoneMemory, route53: Route53) -> None:
        """Store the intents, send the batches and write the slices at the same time.

        Changes that are over stay in the state until the slices say what they prove. Raises the first error after both
        were tried; all is told before, for what one half has written down is no news to the next round. Most of what
        the other half did not come to is told once more then, as a series of the same Event.
        """
        over = _over(snapshot, plan)
        held = _beside(plan.status, plan.status.state, over)
        await self._writer.write_unit(snapshot, held)
        _forget(snapshot, held.state, memory)
        sent, written = await asyncio.gather(
            self._send_batches(snapshot, plan, memory, route53, over),
            self._writer.write_slices(snapshot, plan.status),
            return_exceptions=True,
        )
        self._post(snapshot, plan.notices)
        if isinstance(sent, BaseException):
            raise sent
        if isinstance(written, BaseException):
            raise written
        await self._writer.write_unit(snapshot, replace(plan.status, state=sent))

    async def _send_batches(
        self, snapshot: Snapshot, plan: Plan, memory: ZoneMemory, route53: Route53, over: tuple[PendingChange, ...]
    ) -> UnitState:
        """Act, tell of it, and store what came of it beside what is over; return the state without that."""
        state, notices = await self._act(snapshot, plan, plan.status.state, memory, route53)
        self._post(snapshot, notices)
        await self._writer.write_unit(snapshot, _beside(plan.status, state, over))
        return state

    def _post(self, snapshot: Snapshot, notices: Iterable[Notice]) -> None:
        for notice in notices:
            self._board.post(notice, snapshot.zone_key)

    async def _act(
        self, snapshot: Snapshot, plan: Plan, state: UnitState, memory: ZoneMemory, route53: Route53 | None
    ) -> tuple[UnitState, list[Notice]]:
        """Carry out the actions; return the state with what they left, and what is to be told."""
        notices: list[Notice] = []
        for action in plan.actions:
            state, told = await self._perform(action, snapshot, state, memory, route53)
            notices.extend(told)
        return state, notices

    async def _hold(self, snapshot: Snapshot, plan: Plan) -> None:
        """Put finalizers on all that cleanup will need, before the first write outside."""
        if any(isinstance(action, Release) for action in plan.actions):
            return
        if not (plan.writes_outside or plan.status.state.has_external):
            return
        await self._keeper.hold(snapshot)
        places = {snapshot.unit.key}
        for key, said in plan.status.items.items():
            if said.mark is not None:
                places.update(snapshot.items[key].places)
        for action in plan.actions:
            if isinstance(action, SubmitChanges):
                places.update(place for key in submitted_keys(action.batches) for place in snapshot.items[key].places)
        await self._writer.hold(snapshot, places)

    async def _release_empty(self, snapshot: Snapshot) -> None:
        """Let go of slices that are being deleted and hold nothing."""
        for held in snapshot.objects.values():
            empty = not held.items and not held.foreign
            if held.deleting and held.held and empty and held.key != snapshot.unit.key:
                await self._writer.release_slice(held.key)

    async def _perform(
        self, action: Action, snapshot: Snapshot, state: UnitState, memory: ZoneMemory, route53: Route53 | None
    ) -> tuple[UnitState, list[Notice]]:
        if isinstance(action, Release):
            await self._writer.release(snapshot)
            return state, []
        if route53 is None:
            return state, []
        match action:
            case CreateHostedZone():
                return await self._create(action, snapshot, state, memory, route53)
            case ChangeTags():
                return await _change_tags(action, snapshot, state, memory, route53)
            case SubmitChanges():
                submission = Submission(action, memory, snapshot.settings, snapshot.now)
                return await submission.run(route53, state), submission.notices
            case DeleteHostedZone():
                return await _delete(action, snapshot, state, memory, route53)

    async def _create(
        self, action: CreateHostedZone, snapshot: Snapshot, state: UnitState, memory: ZoneMemory, route53: Route53
    ) -> tuple[UnitState, list[Notice]]:
        try:
            created = await route53.create_hosted_zone(action.domain, action.reference)
        except AwsError as error:
            memory.same_name = None
            if consequence(error).maybe_applied:
                memory.tried_at = snapshot.now
            if error.failure is AwsFailure.HOSTED_ZONE_ALREADY_EXISTS:
                memory.burned.setdefault(action.reference, snapshot.now)
            else:
                memory.writing.note(error, snapshot.now, snapshot.settings)
            return _without_reservation(state, error), []
        memory.writing.clear()
        memory.take_created(created.zone, snapshot, self._random)
        memory.polls[ZONE_CHANGE] = _poll(snapshot)
        change = PendingZoneChange(id=created.change.id, operation="CREATE", submitted_at=snapshot.now)
        after = state.model_copy(update={"hosted_zone_id": created.zone.id, "pending_hosted_zone_change": change})
        note = f"Change {change.id} (CREATE) of hosted zone {created.zone.id} for {action.domain} was submitted."
        return after, [zone_notice(snapshot, SUBMITTED, note, "CreateHostedZone")]


def _without_reservation(state: UnitState, error: AwsError) -> UnitState:
    """Return the state after a creation that failed: where nothing can have come of it, it binds to no account."""
    means = consequence(error)
    if means.maybe_applied or means.mends is Mends.SOON:
        return state
    return state.model_copy(update={"account": ""})


async def _change_tags(
    action: ChangeTags, snapshot: Snapshot, state: UnitState, memory: ZoneMemory, route53: Route53
) -> tuple[UnitState, list[Notice]]:
    try:
        await route53.change_tags(action.zone_id, dict(action.add), action.remove)
    except AwsError as error:
        if error.failure is AwsFailure.NO_SUCH_HOSTED_ZONE:
            memory.zone = None
        else:
            memory.tagging.note(error, snapshot.now, snapshot.settings)
        return state, []
    memory.tagging.clear()
    kept = {key: value for key, value in (memory.tags or {}).items() if key not in action.remove}
    memory.tags = {**kept, **action.add}
    return state.model_copy(update={"tag_keys": action.tag_keys}), []


async def _delete(
    action: DeleteHostedZone, snapshot: Snapshot, state: UnitState, memory: ZoneMemory, route53: Route53
) -> tuple[UnitState, list[Notice]]:
    try:
        info = await route53.delete_hosted_zone(action.zone_id)
    except AwsError as error:
        if error.failure is AwsFailure.NO_SUCH_HOSTED_ZONE:
            memory.zone = None
        else:
            memory.writing.note(error, snapshot.now, snapshot.settings)
            _look_afresh(memory, error)
        return state, []
    memory.zone_change_settled = False
    memory.polls[ZONE_CHANGE] = _poll(snapshot)
    change = PendingZoneChange(id=info.id, operation="DELETE", submitted_at=snapshot.now)
    note = f"Change {info.id} (DELETE) of hosted zone {action.zone_id} was submitted."
    return state.model_copy(update={"pending_hosted_zone_change": change}), [
        zone_notice(snapshot, SUBMITTED, note, "DeleteHostedZone")
    ]


def _look_afresh(memory: ZoneMemory, error: AwsError) -> None:
    """After a lost answer the hosted zone may be gone already."""
    if consequence(error).maybe_applied:
        memory.zone = None


def _poll(snapshot: Snapshot) -> Poll:
    first = snapshot.settings.change_poll_first
    return Poll(snapshot.now + first, first)


def _over(snapshot: Snapshot, plan: Plan) -> tuple[PendingChange, ...]:
    """Return the changes of which something leaves the state: only they prove what their items do not say yet."""
    kept = plan.status.state.pending_record_set_changes
    return tuple(change for change in snapshot.state.pending_record_set_changes if change not in kept)


def _beside(status: StatusPlan, state: UnitState, over: tuple[PendingChange, ...]) -> StatusPlan:
    """Return the status with a state that still holds changes which are over."""
    return replace(status, state=state.with_changes((*over, *state.pending_record_set_changes)))


def _sends_first(snapshot: Snapshot, plan: Plan) -> bool:
    """Whether a batch goes before the slices say that it goes: the ZoneUnit's intents are all that it needs.

    Not where changes that are over would, beside the new ones, be more than a ZoneUnit is to hold.
    """
    if not any(isinstance(action, SubmitChanges) for action in plan.actions):
        return False
    changes = (*_over(snapshot, plan), *plan.status.state.pending_record_set_changes)
    held = sum(len(change.affected_record_sets) for change in changes)
    return (
        held <= snapshot.settings.max_record_sets_in_flight and len(changes) <= snapshot.settings.max_changes_in_flight
    )


def _can_wait(snapshot: Snapshot, plan: Plan) -> bool:
    """Whether a status write would only say that nothing is known of the newest content yet."""
    collects = plan.due_at is not None
    return collects and not plan.status.items and not plan.actions and plan.status.state == snapshot.state


def _goes_soon(snapshot: Snapshot, plan: Plan) -> bool:
    """Whether nothing is to be done until a batch goes that is nearly together.

    What is to be written meanwhile is written with what is written for the batch, during the call: it is about the same
    slices most often, and the batch would wait for a second while it is written.
    """
    return plan.due_at is not None and not plan.actions and plan.due_at - snapshot.now <= snapshot.settings.bulk_soon


def _forget(snapshot: Snapshot, state: UnitState, memory: ZoneMemory) -> None:
    """Drop what was remembered of changes and record sets that the ledger no longer holds."""
    for key in [key for key in memory.rejections if key not in snapshot.items]:
        del memory.rejections[key]
    for key in [key for key in memory.stale if key not in snapshot.items]:
        del memory.stale[key]
    refs = {change.ref for change in state.pending_record_set_changes}
    for ref in memory.settled.keys() - refs:
        del memory.settled[ref]
    for ref in memory.polls.keys() - refs - {ZONE_CHANGE}:
        del memory.polls[ref]
    if state.pending_hosted_zone_change is None:
        memory.zone_change_settled = False
