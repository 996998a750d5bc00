"""Whose turn it is while more waits than may be in flight: little goes before a bulk, and a bulk leaves room for it.

Route 53 may take 45 s for a change, and ten may be in flight. A bulk that used them up with small batches would have
everybody wait for that long.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from route53_controller.zoneunit.plan.batches import Packing, Room, alias_targets, pack
from route53_controller.zoneunit.plan.names import ChangeGroup
from route53_controller.zoneunit.plan.outcomes import says_put_off
from route53_controller.zoneunit.snapshot import Snapshot, ZoneUnitSettings

SMALL = 20
"""As many waiting record sets are no bulk."""
SPARE_CHANGES = 3
SPARE_RECORD_SETS = 100
LITTLE_IN_FLIGHT = 3
"""As many changes of one namespace may be in flight before the last ones are kept for others."""
Groups = Sequence[ChangeGroup]


@dataclass(frozen=True, slots=True)
class Flight:
    """How many changes and record sets are in flight; `ending` are the record sets whose changes will be over soon.

    `of` counts the changes by the namespaces that have something in them.
    """

    changes: int
    record_sets: int
    ending: int
    of: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_small(self) -> bool:
        """Whether a bulk may take all that is left: little is in flight, in few changes."""
        return self.record_sets <= SMALL and self.changes <= LITTLE_IN_FLIGHT


@dataclass(frozen=True, slots=True)
class Turn:
    """What goes, in order, and what is put off.

    `next_up` goes as soon as a change in flight is over; until `undecided_until` it is not said of the rest whether it
    belongs to the bulk.
    """

    batches: tuple[tuple[ChangeGroup, ...], ...]
    put_off: tuple[ChangeGroup, ...] = ()
    next_up: tuple[ChangeGroup, ...] = ()
    undecided_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Queue:
    """What waits: little that is new, the bulk, and what is new and may be the bulk's."""

    little: Groups
    bulk: Groups
    undecided: Groups = ()


def may_go(groups: Groups, flight: Flight, settings: ZoneUnitSettings) -> bool:
    """Whether all that waits may go as far as there is room, a bulk without what it leaves for others.

    What comes free bit by bit would be used bit by bit, and small batches would go on for ever: so a bulk waits for a
    good batch as long as more comes free.
    """
    if size(groups) <= SMALL or flight.is_small:
        return True
    room = _spared(_room(flight, settings))
    return room.changes > 0 and room.record_sets >= max(1, min(size(groups), settings.bulk_batch, flight.ending))


def take_turns(groups: Groups, snapshot: Snapshot, flight: Flight) -> Turn:
    """Return what of the waiting changes goes now."""
    room = _room(flight, snapshot.settings)
    if size(groups) <= SMALL:
        packing = pack(groups, _open_to(groups, flight, snapshot.settings))
        older = tuple(group for group in packing.deferred if _was_put_off(group, snapshot))
        return Turn(packing.batches, older, tuple(group for group in packing.deferred if group not in older))
    queue = line_up(groups, snapshot)
    if may_go(groups, flight, snapshot.settings):
        free = room if flight.is_small else _spared(room)
        return _in_order(queue, pack([*queue.little, *queue.undecided, *queue.bulk], free))
    alone = pack(queue.little, _open_to(queue.little, flight, snapshot.settings))
    filled = _filled(alone, queue, _spared(room).record_sets)
    until = None if snapshot.arrived_at is None else snapshot.arrived_at + snapshot.settings.bulk_lull
    return Turn(filled.batches, filled.deferred, alone.deferred, until if queue.undecided else None)


def _in_order(queue: Queue, packing: Packing) -> Turn:
    """Return what goes; of the rest, what is little stays apart from the bulk, or it would wait for all of that."""
    little = {group.name for group in queue.little}
    put_off = tuple(group for group in packing.deferred if group.name not in little)
    return Turn(packing.batches, put_off, tuple(group for group in packing.deferred if group.name in little))


def _filled(alone: Packing, queue: Queue, record_sets: int) -> Packing:
    """Let the bulk fill the batches that go anyway: however much comes with little, the bulk comes to its end."""
    goes = [group for batch in alone.batches for group in batch]
    ready = _with_targets([*goes, *queue.bulk], {group.name for group in (*alone.deferred, *queue.undecided)})
    filled = pack(ready, Room(len(alone.batches), record_sets))
    sent = {group.name for batch in filled.batches for group in batch}
    if not sent.issuperset(group.name for group in goes):
        return Packing(alone.batches, tuple(queue.bulk))
    return Packing(filled.batches, tuple(group for group in queue.bulk if group.name not in sent))


def _room(flight: Flight, settings: ZoneUnitSettings) -> Room:
    return Room(
        settings.max_changes_in_flight - flight.changes, settings.max_record_sets_in_flight - flight.record_sets
    )


def _open_to(groups: Groups, flight: Flight, settings: ZoneUnitSettings) -> Room:
    """Return the room that a few changes find: the last of it is kept for namespaces that have little in flight.

    So no namespace that changes much, one by one, has others wait until its first changes are over. Who goes takes the
    others along.
    """
    room = _room(flight, settings)
    counts = (max(flight.of.get(namespace, 0) for namespace in _namespaces(group)) for group in groups)
    beyond = max(0, min(counts, default=0) - LITTLE_IN_FLIGHT)
    return Room(room.changes - min(beyond, SPARE_CHANGES), room.record_sets)


def _spared(room: Room) -> Room:
    return Room(room.changes - SPARE_CHANGES, room.record_sets - SPARE_RECORD_SETS)


def line_up(groups: Groups, snapshot: Snapshot) -> Queue:
    """Tell what is new and little from the bulk that was put off before."""
    new = [group for group in groups if not _was_put_off(group, snapshot)]
    bulky = _bulky(groups, snapshot)
    apart = [group for group in new if bulky.isdisjoint(_namespaces(group))]
    undecided = [group for group in new if not bulky.isdisjoint(_namespaces(group))]
    if size(undecided) > SMALL:
        undecided = []
    little = _least(apart, {group.name for group in groups})
    taken = {group.name for group in (*little, *undecided)}
    fresh = {group.name for group in new}
    older = [group for group in groups if group.name not in fresh]
    return Queue(little, (*older, *(group for group in new if group.name not in taken)), undecided)


def _bulky(groups: Groups, snapshot: Snapshot) -> set[str]:
    """Return the namespaces of which what is new may be more of the bulk: only a lull shows that it is not.

    Those of which something was put off; or all, where the bulk is made of little of each of many, not mostly of one.
    """
    arrived_at = snapshot.arrived_at
    if arrived_at is None or snapshot.now - arrived_at >= snapshot.settings.bulk_lull:
        return set()
    counts = Counter(namespace for group in groups for namespace in _namespaces(group))
    most = max(counts.values(), default=0)
    if most <= SMALL and 2 * most <= counts.total():
        return set(counts)
    return {namespace for group in groups if _was_put_off(group, snapshot) for namespace in _namespaces(group)}


def _least(groups: Groups, waiting: set[str]) -> Groups:
    """Return the changes of namespaces that have few, the fewest first, as long as all together are few.

    An alias whose target waits goes with that, and so does what points at such an alias.
    """
    counts = Counter(namespace for group in groups for namespace in _namespaces(group))
    little: list[ChangeGroup] = []
    for group in sorted(groups, key=lambda group: min((counts[n], n) for n in _namespaces(group))):
        most = max(counts[namespace] for namespace in _namespaces(group))
        if most > SMALL or size(little) + len(group.affected) > SMALL:
            break
        little.append(group)
    return _with_targets(little, waiting)


def _with_targets(groups: Groups, waiting: set[str]) -> Groups:
    """Return the groups without aliases whose target waits and is none of them, and without what points at those."""
    while True:
        names = {group.name for group in groups}
        ready = [group for group in groups if not (waiting - names).intersection(alias_targets(group))]
        if len(ready) == len(groups):
            return ready
        groups = ready


def size(groups: Groups) -> int:
    """Return how many record sets groups are about."""
    return sum(len(group.affected) for group in groups)


def _was_put_off(group: ChangeGroup, snapshot: Snapshot) -> bool:
    return all(says_put_off(snapshot.items[affected.key]) for affected in group.affected)


def _namespaces(group: ChangeGroup) -> set[str]:
    return {affected.namespace for affected in group.affected}
