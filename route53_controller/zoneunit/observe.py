"""What a pass asks Route 53: the hosted zone, the changes in flight, the record sets; each only when it is due.

A whole list is read at start, at the scheduled drift check, on request, and after doubt about many names; after a
change only its names. A failure leaves what was known standing and says so.
"""

from collections.abc import Callable
from datetime import timedelta

from libdnsapi.runtime.backoff import Random
from route53_controller.aws.api import ChangeStatus, Priority, Route53
from route53_controller.aws.errors import AwsError, AwsFailure
from route53_controller.zoneunit.ledger import share
from route53_controller.zoneunit.memory import ZONE_CHANGE, Poll, ZoneMemory
from route53_controller.zoneunit.plan.hosted_zone import GetZone, ListZones, Managed, Refused, Step, zone_step
from route53_controller.zoneunit.reading import read_all, read_names
from route53_controller.zoneunit.snapshot import Observation, Snapshot
from route53_controller.zoneunit.state import PendingChange
from route53_controller.zoneunit.stores import Account

POLL_GROWTH = 3
MAX_LOOKS = 8


class Observer:
    """Brings the memory of a zone up to date, with as few calls as it takes."""

    def __init__(self, random: Random, is_outdated: Callable[[Snapshot, ZoneMemory], bool]) -> None:
        """`random` spreads the drift checks; `is_outdated` says whether the ledger has changed since a snapshot."""
        self._random = random
        self._is_outdated = is_outdated

    async def observe(self, snapshot: Snapshot, memory: ZoneMemory, route53: Account) -> Observation:
        """Read what is due and return all that is known; a failed call ends the reading until its rest is over."""
        if not memory.reading.rests(snapshot.now):
            try:
                await self._read_surely(snapshot, memory, route53)
                memory.reading.clear()
            except AwsError as error:
                memory.reading.note(error, snapshot.now, snapshot.settings)
        return memory.observation(snapshot.now)

    async def _read_surely(self, snapshot: Snapshot, memory: ZoneMemory, route53: Account) -> None:
        """Read; where the hosted zone turns out to be missing on the way, look at it first and read again."""
        try:
            await self._read(snapshot, memory, route53)
        except AwsError as error:
            if error.failure is not AwsFailure.NO_SUCH_HOSTED_ZONE or memory.zone is None:
                raise
            memory.zone = None
            await self._read(snapshot, memory, route53)

    async def _read(self, snapshot: Snapshot, memory: ZoneMemory, route53: Account) -> None:
        step = await _see_zone(snapshot, memory, route53)
        memory.within = isinstance(step, Managed) and bool(snapshot.state.hosted_zone_id)
        if not memory.within:
            return
        await _see_changes(snapshot, memory, route53)
        if _is_due(snapshot, memory):
            await self._refresh(snapshot, memory, route53)
        elif memory.doubtful and memory.records is not None:
            await _see_doubtful(snapshot, memory, route53)

    async def _refresh(self, snapshot: Snapshot, memory: ZoneMemory, route53: Route53) -> None:
        """Read everything of the zone: before other users the first time, and when a change of this zone waits for it.

        Otherwise it gives way to them.
        """
        first = memory.records is None
        request = snapshot.reconcile_request

        def priority() -> Priority:
            return Priority.USER if first or self._is_outdated(snapshot, memory) else Priority.DRIFT

        if not first:
            memory.zone = await route53.get_hosted_zone(memory.zone_id, priority=priority())
        memory.tags = await route53.list_tags(memory.zone_id, priority=priority())
        records = await read_all(route53, memory.zone_id, priority)
        share(snapshot.items.values(), records)
        memory.records = records
        memory.doubtful.clear()
        memory.request = request
        memory.schedule(snapshot.now, snapshot.settings, self._random)


def _is_due(snapshot: Snapshot, memory: ZoneMemory) -> bool:
    if memory.records is None or memory.refresh_at is None:
        return True
    return snapshot.now >= memory.refresh_at or memory.request != snapshot.reconcile_request


async def _see_zone(snapshot: Snapshot, memory: ZoneMemory, route53: Account) -> Step:
    memory.turn_to(snapshot.state.hosted_zone_id)
    step = await _read_zone(snapshot, memory, route53)
    if not isinstance(step, Refused) or not step.again:
        memory.look_again_at, memory.looks = None, 0
        return step
    if memory.look_again_at is not None and snapshot.now >= memory.look_again_at:
        memory.zone, memory.missing, memory.same_name = None, "", None
        step = await _read_zone(snapshot, memory, route53)
        memory.look_again_at = None
    if memory.look_again_at is None:
        wait = snapshot.settings.later_first * 2**memory.looks
        memory.look_again_at = snapshot.now + min(wait, snapshot.settings.drift_interval)
        memory.looks = min(memory.looks + 1, MAX_LOOKS)
    return step


async def _read_zone(snapshot: Snapshot, memory: ZoneMemory, route53: Account) -> Step:
    step = zone_step(snapshot, memory.sight())
    while isinstance(step, GetZone | ListZones):
        if isinstance(step, ListZones):
            memory.same_name = await route53.list_hosted_zones_by_name(snapshot.unit.spec.zone.domain_name)
        else:
            await _get_zone(step.zone_id, snapshot, memory, route53)
        step = zone_step(snapshot, memory.sight())
    return step


async def _get_zone(zone_id: str, snapshot: Snapshot, memory: ZoneMemory, route53: Account) -> None:
    try:
        memory.zone, memory.missing = await route53.get_hosted_zone(zone_id), ""
    except AwsError as error:
        if error.failure is not AwsFailure.NO_SUCH_HOSTED_ZONE:
            raise
        await _check_account(snapshot, route53)
        memory.zone, memory.missing = None, zone_id


async def _check_account(snapshot: Snapshot, route53: Account) -> None:
    """Make sure that a hosted zone is missing in the right account: credentials may have been switched under us."""
    identity = snapshot.identity
    if identity is not None and await route53.caller_account() != identity.spec.account_id:
        message = "the credentials belong to another AWS account than the Route53Identity names"
        raise AwsError(AwsFailure.CREDENTIALS_UNAVAILABLE, message)


async def _see_changes(snapshot: Snapshot, memory: ZoneMemory, route53: Route53) -> None:
    """Ask about the changes in flight whose turn it is."""
    zone_change = snapshot.state.pending_hosted_zone_change
    if zone_change is not None and not memory.zone_change_settled:
        memory.zone_change_settled = await _is_over(zone_change.id, ZONE_CHANGE, snapshot, memory, route53)
    for change in snapshot.state.pending_record_set_changes:
        if change.ref not in memory.settled and await _is_settled(change, snapshot, memory, route53):
            memory.settled.add(change.ref)
            memory.polls.pop(change.ref, None)
            memory.doubtful.update(_names(change, snapshot))


async def _is_settled(change: PendingChange, snapshot: Snapshot, memory: ZoneMemory, route53: Route53) -> bool:
    if change.id:
        return await _is_over(change.id, change.ref, snapshot, memory, route53)
    over_at = change.submitted_at + snapshot.settings.unconfirmed_wait
    memory.polls[change.ref] = Poll(over_at, timedelta())
    return snapshot.now >= over_at


async def _is_over(change_id: str, ref: str, snapshot: Snapshot, memory: ZoneMemory, route53: Route53) -> bool:
    """Whether Route 53 has propagated a change, or knows it no longer."""
    settings = snapshot.settings
    poll = memory.polls.setdefault(ref, Poll(snapshot.now, settings.change_poll_first))
    if snapshot.now < poll.next_at:
        return False
    try:
        info = await route53.get_change(change_id, priority=Priority.VERIFY)
    except AwsError as error:
        if error.failure is not AwsFailure.NO_SUCH_CHANGE:
            raise
    else:
        if info.status is not ChangeStatus.INSYNC:
            poll.wait = min(poll.wait * POLL_GROWTH, settings.change_poll_limit)
            poll.next_at = snapshot.now + poll.wait
            return False
    memory.polls.pop(ref, None)
    return True


def _names(change: PendingChange, snapshot: Snapshot) -> set[str]:
    items = (snapshot.items.get(affected.key) for affected in change.affected_record_sets)
    return {item.name for item in items if item is not None}


async def _see_doubtful(snapshot: Snapshot, memory: ZoneMemory, route53: Route53) -> None:
    records = memory.records if memory.records is not None else {}
    found = await read_names(route53, memory.zone_id, memory.doubtful, len(records))
    share(snapshot.items.values(), found)
    for name, record_sets in found.items():
        if record_sets:
            records[name] = record_sets
        else:
            records.pop(name, None)
    memory.doubtful.clear()
