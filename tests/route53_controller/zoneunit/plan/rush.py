"""A zone under load in virtual time: passes of what decides about sending, and a Route 53 that takes its time.

What is not decided there is kept simple: a pass takes as long as it is told to, a change is asked about when the
observer would ask, and the next pass sees what was written.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from libdnsapi.api.dns.zoneunit import ZoneUnit
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.names import ROUTE53_CONTROLLER, ROUTE53_PROVIDER
from libdnsapi.api.route53.payloads import ZoneClassParameters
from route53_controller.aws.api import Change, ChangeAction
from route53_controller.zoneunit.memory import Poll
from route53_controller.zoneunit.observe import is_short
from route53_controller.zoneunit.plan import outcomes
from route53_controller.zoneunit.plan.actions import SubmitChanges
from route53_controller.zoneunit.plan.names import ChangeGroup
from route53_controller.zoneunit.plan.records import RecordPlan
from route53_controller.zoneunit.plan.sending import intent, send
from route53_controller.zoneunit.plan.work import ZoneWork
from route53_controller.zoneunit.snapshot import Item, ItemFacts, Observation, Snapshot, ZoneUnitSettings
from route53_controller.zoneunit.state import PendingChange, Stage, UnitState
from tests.route53_controller.zoneunit.plan.builders import NOW, ZONE_ID, group, item, record_set
from tests.route53_controller.zoneunit.world import unit_document

SETTINGS = ZoneUnitSettings(ROUTE53_CONTROLLER, ROUTE53_PROVIDER)
UNIT = ZoneUnit.model_validate(unit_document())
LIMIT = 1200.0


@dataclass(frozen=True, slots=True)
class Arrival:
    """A change that the ledger shows `at` so many seconds from the start."""

    at: float
    name: str
    namespace: str = "app"
    edit: bool = True
    """Whether the record set stands already."""

    @property
    def key(self) -> ObjectKey:
        """The item's key."""
        return ObjectKey(self.namespace, self.name)

    def group(self) -> ChangeGroup:
        """Return what is to be sent."""
        made = group(self.name, "192.0.2.2")
        before = Change(ChangeAction.DELETE, record_set(self.name))
        changes = (before, *made.changes) if self.edit else made.changes
        affected = made.affected[0].model_copy(update={"namespace": self.namespace})
        return replace(made, changes=changes, affected=(affected,))


@dataclass
class Rush:
    """One zone. `insync`: the seconds that Route 53 takes; `quick` and `sending`: those of a pass that sends or not."""

    insync: float
    quick: float = 0.02
    sending: float = 0.15
    batches: list[tuple[float, int]] = field(default_factory=list)
    """When batches were sent, and how many record sets they had."""
    sent_at: dict[str, float] = field(default_factory=dict)
    """When changes were sent, by name."""
    asked: int = 0
    """How often a change was asked about."""
    most: tuple[int, int] = (0, 0)
    """How many changes, and how many record sets, were in flight at most."""

    def __post_init__(self) -> None:
        """Start with nothing to do."""
        self._seconds = 0.0
        self._items: dict[ObjectKey, Item] = {}
        self._waiting: dict[ObjectKey, ChangeGroup] = {}
        self._state = UnitState(hosted_zone_id=ZONE_ID)
        self._polls: dict[str, Poll] = {}
        self._arrived_at: datetime | None = None

    def run(self, arrivals: Iterable[Arrival]) -> float:
        """Let changes arrive and make passes until all is sent and in sync; return when that was."""
        coming = sorted(arrivals, key=lambda arrival: arrival.at)
        while self._seconds < LIMIT:
            while coming and coming[0].at <= self._seconds:
                self._arrive(coming.pop(0))
            before = len(self.batches)
            wake_at = self._pass()
            if not (coming or self._waiting or self._state.pending_record_set_changes):
                return self._seconds
            if len(self.batches) > before:
                self._seconds += self.sending
            else:
                events = [wake_at, *(arrival.at for arrival in coming[:1]), *map(self._next_poll, self._polls.values())]
                next_at = min(event for event in events if event is not None)
                self._seconds = max(self._seconds + self.quick, next_at)
        raise AssertionError("the zone does not come to rest")

    def waits(self, arrivals: Sequence[Arrival]) -> list[float]:
        """Return how many seconds each of these changes waited until it was sent, the longest first."""
        return sorted((self.sent_at[arrival.name] - arrival.at for arrival in arrivals), reverse=True)

    @property
    def _now(self) -> datetime:
        return NOW + timedelta(seconds=self._seconds)

    def _arrive(self, arrival: Arrival) -> None:
        facts = ItemFacts(1, programmed=outcomes.programmed(item(arrival.name))) if arrival.edit else ItemFacts()
        self._items[arrival.key] = replace(item(arrival.name, generation=2, facts=facts), key=arrival.key)
        self._waiting[arrival.key] = arrival.group()
        self._arrived_at = self._now

    def _pass(self) -> float | None:
        """Make one pass; return when it wants to be woken."""
        self._ask()
        work = ZoneWork(self._state, {}, [], [])
        groups = [self._waiting[key] for key in sorted(self._waiting)]
        snapshot = self._snapshot()
        send(snapshot, Observation(sent_lately=self._lately()), RecordPlan(groups=groups), work, exempt=False)
        for key, said in work.items.items():
            if self._items[key].facts.programmed != said.programmed:
                self._items[key] = replace(self._items[key], facts=ItemFacts(2, said.accepted, said.programmed))
        self._state = work.state
        for action in work.actions:
            if isinstance(action, SubmitChanges):
                self._submit(action.batches)
        return None if work.wake_at is None else (work.wake_at - NOW).total_seconds()

    def _lately(self) -> tuple[tuple[datetime, int], ...]:
        window = SETTINGS.bulk_window.total_seconds()
        recent = [(at, count) for at, count in self.batches if self._seconds - at < window]
        return tuple((NOW + timedelta(seconds=at), count) for at, count in recent)

    def _submit(self, batches: Iterable[tuple[ChangeGroup, ...]]) -> None:
        changes = {change.ref: change for change in self._state.pending_record_set_changes}
        for batch in batches:
            ref = intent(batch, self._now).ref
            changes[ref] = changes[ref].model_copy(update={"id": f"C{len(self.batches)}", "status": Stage.PENDING})
            self._polls[ref] = Poll(self._now + SETTINGS.change_poll_first, SETTINGS.change_poll_first)
            keys = [affected.key for one in batch for affected in one.affected]
            self.batches.append((self._seconds, len(keys)))
            for key in keys:
                del self._waiting[key]
                self.sent_at[key.name] = self._seconds
        self._state = self._state.with_changes(tuple(changes.values()))
        held = sum(len(change.affected_record_sets) for change in changes.values())
        self.most = (max(self.most[0], len(changes)), max(self.most[1], held))

    def _ask(self) -> None:
        """Ask about the changes whose turn it is; those that are in sync leave the state."""
        short, left = is_short(self._snapshot()), []
        for change in self._state.pending_record_set_changes:
            if short:
                self._polls[change.ref].hasten(SETTINGS.change_poll_first)
            if self._is_over(change):
                continue
            if short:
                self._polls[change.ref].hasten(SETTINGS.change_poll_first)
            short = False
            left.append(change)
        self._state = self._state.with_changes(tuple(left))

    def _is_over(self, change: PendingChange) -> bool:
        poll = self._polls[change.ref]
        if poll.next_at > self._now:
            return False
        self.asked += 1
        if (self._now - change.submitted_at).total_seconds() >= self.insync:
            del self._polls[change.ref]
            return True
        poll.postpone(self._now, SETTINGS.change_poll_limit)
        return False

    def _snapshot(self) -> Snapshot:
        return replace(snapshot_of(self._items, self._now, self._arrived_at), state=self._state)

    @staticmethod
    def _next_poll(poll: Poll) -> float:
        return (poll.next_at - NOW).total_seconds()


def snapshot_of(items: Mapping[ObjectKey, Item], now: datetime, arrived_at: datetime | None) -> Snapshot:
    """Return a snapshot of these items."""
    return Snapshot(
        now=now,
        settings=SETTINGS,
        unit=UNIT,
        state=UnitState(hosted_zone_id=ZONE_ID),
        objects={},
        items=items,
        restless=items,
        zone_class=None,
        parameters=ZoneClassParameters(),
        namespace_labels={},
        identity=None,
        arrived_at=arrived_at,
    )
