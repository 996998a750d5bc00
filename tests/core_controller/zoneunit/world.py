"""A whole core controller on an API server in memory, with a provider that does what it is told.

Nothing runs in the background: `settle` feeds the caches, reconciles every queued unit and lets the provider answer,
until nothing changes any more.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

import orjson

from core_controller.conversions import PatientConversions
from core_controller.main import zoneunit_caches
from core_controller.payloads import Payloads
from core_controller.watches import Mappers
from core_controller.zoneunit.apply import Applier
from core_controller.zoneunit.dirty import DirtyNames
from core_controller.zoneunit.gather import Gatherer
from core_controller.zoneunit.reconciler import ZoneUnitReconciler
from core_controller.zoneunit.snapshot import Limits
from core_controller.zoneunit.statuses import Statuses
from libdnsapi.api.conditions import Condition, find_condition
from libdnsapi.api.dns.conversion import ConversionCall
from libdnsapi.api.dns.provider import PROVIDERS
from libdnsapi.api.dns.recordset import RECORD_SETS, RecordSet
from libdnsapi.api.dns.zone import ZONES, Zone
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS, ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES, ZoneUnitSlice
from libdnsapi.api.meta import NAMESPACES, JsonObject, KubernetesObject, ObjectKey, ResourceType
from libdnsapi.contract.cel.interpreter import InterpretingEngine
from libdnsapi.contract.conversion import WebhookAnswer, WebhookCall
from libdnsapi.runtime.errors import KubernetesError
from libdnsapi.runtime.events import PATIENCE, Event, EventRecorder
from libdnsapi.runtime.manager import Manager
from libdnsapi.runtime.settings import RuntimeSettings
from libdnsapi.runtime.store import Store
from tests.core_controller.zoneunit.provider import FakeProvider
from tests.fakes.clock import FakeClock
from tests.fakes.kubernetes import FakeKubernetes

ROUNDS = 200
Answering = Callable[[WebhookCall], WebhookAnswer]

T = TypeVar("T", bound=KubernetesObject)


class Recorder:
    """Keeps the events that would be written."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self.events: list[Event] = []
        self.patient: list[tuple[float, Event, Callable[[], bool]]] = []

    def emit(self, event: Event) -> None:
        self.events.append(event)

    def emit_if_it_stays(self, event: Event, stands: Callable[[], bool]) -> None:
        self.patient.append((self.clock.monotonic() + PATIENCE.total_seconds(), event, stands))

    def tell_the_patient(self) -> None:
        due = [one for one in self.patient if one[0] <= self.clock.monotonic()]
        self.patient = [one for one in self.patient if one not in due]
        self.events += [event for _, event, stands in due if stands()]


class NoConversions:
    """A conversion service that answers what the test says, by default that it is away."""

    def __init__(self) -> None:
        self.answer: Answering | None = None

    async def post(self, call: WebhookCall) -> WebhookAnswer:
        assert self.answer is not None, "no conversion was expected"
        return self.answer(call)

    def known(self, call: ConversionCall) -> WebhookAnswer | None:
        return None

    def forget(self, call: ConversionCall) -> None:
        """Nothing is kept."""

    async def close(self) -> None:
        return


class Queue:
    """The units that wait, without time: what is delayed waits like all else, and is noted."""

    def __init__(self) -> None:
        self.keys: dict[ObjectKey, None] = {}
        self.delayed: list[ObjectKey] = []

    def add(self, key: ObjectKey, *, urgent: bool = False) -> None:
        self.keys[key] = None

    def add_after(self, key: ObjectKey, delay: timedelta) -> None:
        self.delayed.append(key)
        self.add(key)


class World:
    """The API server, the controller and the provider."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.clock = FakeClock()
        self.api = FakeKubernetes(self.clock)
        self.recorder = Recorder(self.clock)
        self.conversions = NoConversions()
        self.provider = FakeProvider(self.api, self.clock)
        self.limits = limits or Limits()
        self.provided = True
        self.restart()

    def restart(self) -> None:
        """Begin again with empty caches, as a new process does."""
        manager = Manager("test", self.api, RuntimeSettings(_cli_parse_args=[]), clock=self.clock)
        self.caches = zoneunit_caches(manager)
        self.dirty = DirtyNames()
        self.queue = Queue()
        self.status_queue = Queue()
        self.later: dict[ObjectKey, timedelta] = {}
        patient = PatientConversions(self.conversions, self.clock)
        Mappers(self.caches, self.dirty, self.queue.add).attach()
        recorder: EventRecorder = self.recorder  # type: ignore[assignment] - the recorder's one method
        self.statuses = Statuses(
            self.api, self.caches.record_sets, self.caches.echoes, self.status_queue, recorder, self.clock
        )
        self.gatherer = Gatherer(
            self.caches, Payloads(InterpretingEngine(), patient), self.limits, self.statuses.newest
        )
        self.reconciler = ZoneUnitReconciler(
            self.gatherer,
            Applier(self.api, self.caches, recorder, self.statuses),
            self.dirty,
            self.queue,  # type: ignore[arg-type] - the queue's one method
            self.clock,
        )

    def stores(self) -> list[tuple[ResourceType, Store]]:  # type: ignore[type-arg] - of every kind
        """Return every store with its kind, claims before ledgers."""
        c = self.caches
        return [
            (NAMESPACES, c.namespaces),
            (PROVIDERS, c.providers),
            (ZONE_CLASSES, c.zone_classes),
            (ZONES, c.zones),
            (RECORD_SETS, c.record_sets),
            (ZONE_UNITS, c.units),
            (ZONE_UNIT_SLICES, c.slices),
        ]

    async def sync(self, *resources: ResourceType) -> None:
        """Show the caches what the server has; without arguments, of every kind."""
        for resource, store in self.stores():
            if not resources or resource in resources:
                page = await self.api.list_page(resource, limit=0)
                await store.replace([*map(store.lean, page.items)], int(page.resource_version))

    async def reconcile(self) -> bool:
        """Reconcile what is queued, once each; say whether there was anything."""
        keys = list(self.queue.keys)
        self.queue.keys.clear()
        for key in keys:
            try:
                result = await self.reconciler.reconcile(key)
                if result.requeue_after is not None:
                    self.later[key] = result.requeue_after
            except KubernetesError:
                self.queue.add(key)
        return await self._write_statuses() or bool(keys)

    async def _write_statuses(self) -> bool:
        """Write what statuses wait, once each; say whether there was any."""
        keys = list(self.status_queue.keys)
        self.status_queue.keys.clear()
        for key in keys:
            try:
                await self.statuses.reconcile(key)
            except KubernetesError:
                self.status_queue.add(key)
        return bool(keys)

    async def wait(self, time: timedelta) -> None:
        """Let time pass, and settle with those units that asked to be looked at again."""
        self.clock.jump(time)
        self.recorder.tell_the_patient()
        for key in self.later:
            self.queue.add(key)
        self.later.clear()
        await self.settle()

    async def settle(self) -> None:
        """Run everything until nothing changes any more."""
        for _ in range(ROUNDS):
            await self.sync()
            busy = await self.reconcile()
            if self.provided:
                busy |= await self.provide()
            self.clock.jump(timedelta(seconds=1))
            self.recorder.tell_the_patient()
            if not busy:
                return
        raise AssertionError("the world does not settle")

    async def provide(self) -> bool:
        """Let the provider do one step; say whether there was anything, a failure included."""
        try:
            return await self.provider.step()
        except KubernetesError:
            return True

    def put(self, *bodies: tuple[ResourceType, JsonObject]) -> None:
        """Put objects there, as people do."""
        for resource, body in bodies:
            self.api.seed(resource, body)

    async def edit(self, resource: ResourceType, key: ObjectKey, patch: JsonObject) -> None:
        """Merge-patch an object, as people do."""
        await self.api.merge_patch(resource, key, patch)

    async def delete(self, resource: ResourceType, key: ObjectKey) -> None:
        """Ask for an object's deletion."""
        await self.api.delete(resource, key)

    def zone(self, key: ObjectKey) -> Zone:
        """Return a Zone that must be there."""
        return self._read(ZONES, key, Zone)

    def record_set(self, key: ObjectKey) -> RecordSet:
        """Return a RecordSet that must be there."""
        return self._read(RECORD_SETS, key, RecordSet)

    def unit(self, key: ObjectKey) -> ZoneUnit:
        """Return a ZoneUnit that must be there."""
        return self._read(ZONE_UNITS, key, ZoneUnit)

    def slices(self) -> list[ZoneUnitSlice]:
        """Return all slices."""
        return [self._read(ZONE_UNIT_SLICES, key, ZoneUnitSlice) for key in self.api.keys(ZONE_UNIT_SLICES)]

    def condition(self, obj: Zone | RecordSet, type_: str) -> Condition | None:
        """Return one of an object's conditions."""
        return find_condition(obj.status.conditions, type_)

    def _read(self, resource: ResourceType, key: ObjectKey, model: type[T]) -> T:
        document = self.api.read(resource, key)
        assert document is not None, f"{resource.kind} {key} is gone"
        return model.model_validate_json(orjson.dumps(document))
