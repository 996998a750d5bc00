"""The reconciler of one zone: rounds of gather, observe, plan and apply until nothing is left to do now."""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from libdnsapi.api.conditions import ConditionType, find_condition
from libdnsapi.api.dns.zoneunit import ZoneUnit
from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime.backoff import Random
from libdnsapi.runtime.clock import Clock
from libdnsapi.runtime.errors import NotFoundError
from libdnsapi.runtime.kubernetes import Kubernetes
from libdnsapi.runtime.reconciler import Result
from route53_controller.aws.errors import AwsError
from route53_controller.status import Recorder
from route53_controller.zoneunit.apply import Applier
from route53_controller.zoneunit.doubts import doubtful_claims
from route53_controller.zoneunit.gather import Gatherer
from route53_controller.zoneunit.inuse import UseKeeper
from route53_controller.zoneunit.memory import ZoneMemory
from route53_controller.zoneunit.metrics import ZoneMetrics
from route53_controller.zoneunit.notices import NoticeBoard
from route53_controller.zoneunit.observe import Observer
from route53_controller.zoneunit.plan.acceptance import Service, accept, in_scope
from route53_controller.zoneunit.plan.actions import Plan
from route53_controller.zoneunit.plan.cleanup import needs_route53
from route53_controller.zoneunit.plan.program import make_plan
from route53_controller.zoneunit.snapshot import Observation, Snapshot, ZoneUnitSettings
from route53_controller.zoneunit.stores import BY_UNIT, Account, ClientSource, ParametersSource, Stores
from route53_controller.zoneunit.witnesses import Witnesses
from route53_controller.zoneunit.writes import LedgerWriter

MAX_ROUNDS = 25
SOON = timedelta(seconds=1)
LEAST_WAIT = timedelta(milliseconds=50)


@dataclass(frozen=True, slots=True)
class Means:
    """What the reconciler works with."""

    kubernetes: Kubernetes
    stores: Stores
    clients: ClientSource
    parameters: ParametersSource
    recorder: Recorder
    clock: Clock
    random: Random
    metrics: ZoneMetrics = field(default_factory=ZoneMetrics)


class ZoneUnitReconciler:
    """Brings hosted zones and record sets to what the ledger says; keyed by the ZoneUnit's key.

    Enqueue a unit on changes of itself, its slices, its class, the class's identity and Provider, the labels of its
    namespace and the deletion of claims that it holds.
    """

    def __init__(self, means: Means, settings: ZoneUnitSettings) -> None:
        """Start with no memory of any zone."""
        self._stores = means.stores
        self._clients = means.clients
        self._clock = means.clock
        self._metrics = means.metrics
        self._gatherer = Gatherer(means.stores, means.parameters, settings)
        self._observer = Observer(means.random, self._gatherer.is_outdated)
        self._writer = LedgerWriter(means.kubernetes, means.stores)
        keeper = UseKeeper(means.kubernetes, means.stores, settings.controller_name)
        self._witnesses = Witnesses(means.kubernetes, means.stores)
        board = NoticeBoard(means.recorder, means.stores)
        self._applier = Applier(self._writer, self._witnesses, keeper, board, means.random)
        self._memories: dict[ObjectKey, ZoneMemory] = {}
        self._asking: dict[ObjectKey, tuple[Account, str]] = {}

    async def reconcile(self, key: ObjectKey) -> Result:
        """Do all that can be done for one unit now; the result says when to look again without an event."""
        for _ in range(MAX_ROUNDS):
            unit = self._stores.units.get(key)
            if unit is None:
                return await self._forget(key)
            try:
                plan, progress = await self._round(unit)
            except NotFoundError:
                return Result()
            if plan is None:
                return Result()
            if not progress:
                return Result(requeue_after=_wait(plan.wake_at, self._clock.now()))
        return Result(requeue_after=SOON)

    def hurry(self, key: ObjectKey) -> None:
        """Let what a pass over this unit reads now give way to no other user any more: a change waits behind it."""
        if key in self._asking:
            route53, zone_id = self._asking[key]
            route53.hurry(zone_id)

    async def _round(self, unit: ZoneUnit) -> tuple[Plan | None, bool]:
        memory = self._memory(unit)
        snapshot = await self._gatherer.gather(unit, memory, self._clock.now())
        if not in_scope(snapshot):
            self._metrics.forget(unit.key)
            return None, False
        if _identity_is_looked_at_again(snapshot):
            return None, False
        if snapshot.foreign and await self._witnesses.renew(snapshot.foreign):
            snapshot = await self._gatherer.gather(unit, memory, self._clock.now())
        route53 = self._client(snapshot, memory)
        observation = await self._observe(snapshot, memory, route53)
        snapshot = await self._newest(snapshot, memory)
        plan = make_plan(snapshot, observation)
        memory.attention.note_decided(snapshot.objects, plan.open_names)
        self._metrics.note(snapshot, observation, plan)
        return plan, await self._applier.apply(snapshot, plan, memory, route53)

    async def _newest(self, snapshot: Snapshot, memory: ZoneMemory) -> Snapshot:
        """Return the unit after the observation, which may have taken a while: an intent is as old as its plan.

        Where what the observation rests on has changed too, the old snapshot stands until the next round.
        """
        unit, now = self._stores.units.get(snapshot.unit.key), self._clock.now()
        if unit is None or not self._gatherer.is_outdated(snapshot, memory):
            return replace(snapshot, now=now)
        newest = await self._gatherer.gather(unit, memory, now)
        return newest if _basis(newest) == _basis(snapshot) else replace(snapshot, now=now)

    def _memory(self, unit: ZoneUnit) -> ZoneMemory:
        known = self._memories.get(unit.key)
        if known is None or known.uid != unit.metadata.uid:
            known = self._memories[unit.key] = ZoneMemory(unit.metadata.uid, tried_at=self._clock.now())
        return known

    def _client(self, snapshot: Snapshot, memory: ZoneMemory) -> Account | None:
        """Return a client for the unit's identity; None where Route 53 cannot or need not be asked."""
        if snapshot.identity is None or accept(snapshot).service is Service.NOTHING or not needs_route53(snapshot):
            return None
        try:
            return self._clients.route53(snapshot.identity, cleanup=snapshot.unit.metadata.deleting)
        except AwsError as error:
            if not memory.reading.rests(snapshot.now):
                memory.reading.note(error, snapshot.now, snapshot.settings)
            return None

    async def _observe(self, snapshot: Snapshot, memory: ZoneMemory, route53: Account | None) -> Observation:
        memory.turn_to(snapshot.state.hosted_zone_id)
        circumstances = _circumstances(snapshot)
        if circumstances != memory.circumstances and not snapshot.state.account:
            memory.zone = None  # whoever found it may have looked into another account
        memory.give_new_chance(circumstances)
        if memory.records is not None:  # whether or not it can be read again now: what is said meanwhile is no verdict
            memory.doubtful |= doubtful_claims(snapshot, memory.records)
        if route53 is None:
            return memory.unasked(snapshot.now)
        self._asking[snapshot.unit.key] = (route53, memory.zone_id)
        try:
            return await self._observer.observe(snapshot, memory, route53)
        finally:
            del self._asking[snapshot.unit.key]

    async def _forget(self, key: ObjectKey) -> Result:
        """Drop what is remembered of a unit that is gone, and let go of slices that are going with it."""
        self._memories.pop(key, None)
        self._metrics.forget(key)
        for slice_key in self._stores.slices.by_index(BY_UNIT, str(key)):
            held = self._stores.slices.get(slice_key)
            if held is not None and held.metadata.deleting:
                await self._writer.release_slice(slice_key)
        return Result()


def _identity_is_looked_at_again(snapshot: Snapshot) -> bool:
    """Whether nothing is known of an edited identity yet: all stays as it is until its controller has judged it."""
    return snapshot.identity is not None and snapshot.identity.is_looked_at_again


def _circumstances(snapshot: Snapshot) -> tuple[object, ...]:
    """Return what, when it changes, makes failed calls worth another try before their rest is over."""
    identity, zone_class = snapshot.identity, snapshot.zone_class
    ready = find_condition(identity.status.conditions, ConditionType.READY) if identity else None
    return (
        snapshot.reconcile_request,
        identity and (identity.metadata.uid, identity.metadata.generation),
        ready and (ready.status, ready.last_transition_time),
        zone_class and (zone_class.metadata.uid, zone_class.metadata.generation),
        snapshot.namesakes,
    )


def _basis(snapshot: Snapshot) -> tuple[object, ...]:
    """Return what decides which hosted zone is observed, and as whom."""
    metadata = snapshot.unit.metadata
    return metadata.uid, metadata.deleting, in_scope(snapshot), snapshot.state, _circumstances(snapshot)


def _wait(wake_at: datetime | None, now: datetime) -> timedelta | None:
    return None if wake_at is None else max(wake_at - now, LEAST_WAIT)
