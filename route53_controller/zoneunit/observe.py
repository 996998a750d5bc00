"""What a pass asks Route 53: the hosted zone, the changes in flight, the record sets; each only when it is due.

A whole list is read at start, at the scheduled drift check, on request, and after doubt about many names; after a
change only its names. A failure leaves what was known standing and says so.

A look at what is in the zone makes one call at least and ends after the call under way when the ledger has changed: a
change never waits for more than one call of the reading that verifies others.
"""

from collections.abc import Callable
from datetime import timedelta

from libdnsapi.runtime.backoff import Random, doubled
from route53_controller.aws.api import ChangeStatus, Priority, Route53
from route53_controller.aws.errors import AwsError, AwsFailure
from route53_controller.zoneunit.attention import at_names
from route53_controller.zoneunit.ledger import share
from route53_controller.zoneunit.listing import Listing
from route53_controller.zoneunit.memory import ZONE_CHANGE, Poll, ZoneMemory
from route53_controller.zoneunit.plan.hosted_zone import GetZone, ListZones, Managed, Refused, Step, zone_step
from route53_controller.zoneunit.plan.outcomes import waits_for_room
from route53_controller.zoneunit.reading import read_names, read_page
from route53_controller.zoneunit.snapshot import Observation, Snapshot
from route53_controller.zoneunit.state import PendingChange
from route53_controller.zoneunit.stores import Account


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
        look = Look(lambda: self._is_outdated(snapshot, memory))
        await _see_changes(snapshot, memory, route53, look)
        if _is_due(snapshot, memory):
            await self._refresh(snapshot, memory, route53, look)
        elif memory.doubtful and memory.records is not None:
            await _see_doubtful(snapshot, memory, route53, look)

    async def _refresh(self, snapshot: Snapshot, memory: ZoneMemory, route53: Route53, look: "Look") -> None:
        """Read everything of the zone: before other users the first time, later giving way to them."""
        first = memory.records is None
        priority = Priority.USER if first else Priority.DRIFT
        try:
            while (look.goes_on() or first) and not (memory.listing and memory.listing.complete):
                await _read_on(snapshot, memory, route53, priority)
        except AwsError:
            memory.listing = None
            raise
        if memory.listing is not None and memory.listing.complete:
            share(snapshot.items.values(), memory.listing.found)
            memory.take_list(memory.listing)
            memory.schedule(snapshot.now, snapshot.settings, self._random)


class Look:
    """One look at what is in a zone."""

    def __init__(self, is_outdated: Callable[[], bool]) -> None:
        """No call was made yet."""
        self._is_outdated = is_outdated
        self._called = False

    def goes_on(self) -> bool:
        """Whether one more call may be made: the first always, others while nobody waits for the end."""
        if self._called and self._is_outdated():
            return False
        self._called = True
        return True


async def _read_on(snapshot: Snapshot, memory: ZoneMemory, route53: Route53, priority: Priority) -> None:
    """Read the next page of the list under way, or begin one with what stands beside the record sets."""
    if memory.listing is not None:
        await read_page(route53, memory.zone_id, memory.listing, priority)
        return
    listing = Listing(snapshot.reconcile_request, frozenset(memory.doubtful))
    if memory.records is not None:
        memory.zone = await route53.get_hosted_zone(memory.zone_id, priority=priority)
    memory.tags = await route53.list_tags(memory.zone_id, priority=priority)
    memory.listing = listing


def _is_due(snapshot: Snapshot, memory: ZoneMemory) -> bool:
    if memory.records is None or memory.refresh_at is None:
        return True
    return snapshot.now >= memory.refresh_at or memory.request != snapshot.reconcile_request


async def _see_zone(snapshot: Snapshot, memory: ZoneMemory, route53: Account) -> Step:
    memory.turn_to(snapshot.state.hosted_zone_id)
    memory.drop_old_list(snapshot.now, snapshot.settings)
    step = await _read_zone(snapshot, memory, route53)
    if not isinstance(step, Refused) or not step.again:
        memory.look_again_at, memory.looks = None, 0
        return step
    if memory.look_again_at is not None and snapshot.now >= memory.look_again_at:
        if memory.listed_at != snapshot.now:
            memory.zone, memory.missing, memory.same_name = None, "", None
            step = await _read_zone(snapshot, memory, route53)
        memory.look_again_at = None
    if memory.look_again_at is None:
        memory.looks += 1
        wait = doubled(snapshot.settings.later_first, memory.looks, snapshot.settings.drift_interval)
        memory.look_again_at = snapshot.now + wait
    return step


async def _read_zone(snapshot: Snapshot, memory: ZoneMemory, route53: Account) -> Step:
    step = zone_step(snapshot, memory.sight())
    while isinstance(step, GetZone | ListZones):
        if isinstance(step, ListZones):
            memory.same_name = await route53.list_hosted_zones_by_name(snapshot.unit.spec.zone.domain_name)
            memory.listed_at = snapshot.now
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


async def _see_changes(snapshot: Snapshot, memory: ZoneMemory, route53: Route53, look: Look) -> None:
    """Ask about the changes in flight whose turn it is; about the oldest often, while no or little room is left."""
    zone_change = snapshot.state.pending_hosted_zone_change
    if zone_change is not None and zone_change.id and not memory.zone_change_settled:
        memory.zone_change_settled = await _is_over(zone_change.id, ZONE_CHANGE, snapshot, memory, route53, look)
    short = is_short(snapshot)
    for change in snapshot.state.pending_record_set_changes:
        if change.ref in memory.settled:
            continue
        if short:
            _hasten(change, snapshot, memory)
        if await _is_settled(change, snapshot, memory, route53, look):
            names = memory.settled[change.ref] = _names(change, snapshot)
            memory.polls.pop(change.ref, None)
            memory.doubtful.update(names)
        elif short:
            _hasten(change, snapshot, memory)
            short = False


def is_short(snapshot: Snapshot) -> bool:
    """Whether what may be in flight is more than half used, or something waits for room in it."""
    changes = len(snapshot.state.pending_record_set_changes)
    if 2 * changes > snapshot.settings.max_changes_in_flight:
        return True
    return changes > 0 and any(map(waits_for_room, snapshot.restless.values()))


def _hasten(change: PendingChange, snapshot: Snapshot, memory: ZoneMemory) -> None:
    """Ask about a change as often as at first: its room may be free, and the next one is to know soon."""
    poll = memory.polls.get(change.ref)
    if change.id and poll is not None:
        poll.hasten(snapshot.settings.change_poll_first)


async def _is_settled(
    change: PendingChange, snapshot: Snapshot, memory: ZoneMemory, route53: Route53, look: Look
) -> bool:
    if change.id:
        return await _is_over(change.id, change.ref, snapshot, memory, route53, look)
    return snapshot.now >= _unconfirmed(change, snapshot, memory).next_at


def _unconfirmed(change: PendingChange, snapshot: Snapshot, memory: ZoneMemory) -> Poll:
    """Return when an intent without an answer is over.

    A poll of ours may be there that asks about a change by its id: the answer could not be stored, or it was of a part
    of what the intent covers. Of the rest nothing is known, and it may still be on its way.
    """
    known = memory.polls.get(change.ref)
    if known is not None and not known.wait:
        return known
    # Whoever submitted it may have had another clock.
    over_at = min(change.submitted_at, snapshot.now) + snapshot.settings.unconfirmed_wait
    poll = memory.polls[change.ref] = Poll(over_at, timedelta())
    return poll


async def _is_over(
    change_id: str, ref: str, snapshot: Snapshot, memory: ZoneMemory, route53: Route53, look: Look
) -> bool:
    """Whether Route 53 has propagated a change, or knows it no longer."""
    settings = snapshot.settings
    poll = memory.polls.get(ref)
    if poll is None or not poll.wait:  # none, or that of the intent, as long as the answer was not seen in the ledger
        poll = memory.polls[ref] = Poll(snapshot.now, settings.change_poll_first)
    if snapshot.now < poll.next_at or not look.goes_on():
        return False
    try:
        info = await route53.get_change(change_id, zone_id=memory.zone_id, priority=Priority.VERIFY)
    except AwsError as error:
        if error.failure is not AwsFailure.NO_SUCH_CHANGE:
            raise
    else:
        if info.status is not ChangeStatus.INSYNC:
            poll.postpone(snapshot.now, settings.change_poll_limit)
            return False
    memory.polls.pop(ref, None)
    return True


def _names(change: PendingChange, snapshot: Snapshot) -> frozenset[str]:
    items = (snapshot.items.get(affected.key) for affected in change.affected_record_sets)
    return frozenset(item.name for item in items if item is not None)


async def _see_doubtful(snapshot: Snapshot, memory: ZoneMemory, route53: Route53, look: Look) -> None:
    records = memory.records if memory.records is not None else {}
    found = await read_names(route53, memory.zone_id, memory.doubtful, len(records), look.goes_on)
    there = at_names(found, snapshot.objects, snapshot.items)
    share((item for items in there.values() for item in items), found)
    memory.attention.note_read(found)
    for name, record_sets in found.items():
        if record_sets:
            records[name] = record_sets
        else:
            records.pop(name, None)
    memory.doubtful.difference_update(found)
