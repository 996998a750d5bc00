"""Statuses of RecordSets are written beside the passes: the newest of each, once, whatever comes between."""

import asyncio
from datetime import timedelta

import pytest

from core_controller.zoneunit.caches import RECORD_SET_INDEXES
from core_controller.zoneunit.echoes import Echoes
from core_controller.zoneunit.plan.actions import EmitEvent, WriteRecordSetStatus
from core_controller.zoneunit.statuses import Statuses
from libdnsapi.api.dns.recordset import RECORD_SETS, RecordSet, RecordSetStatus
from libdnsapi.api.meta import JsonObject, ObjectKey, ObjectReference, ResourceType
from libdnsapi.runtime.controller import Controller
from libdnsapi.runtime.errors import ConflictError, InvalidError, NotFoundError, UnavailableError
from libdnsapi.runtime.reconciler import Result
from libdnsapi.runtime.store import Store
from libdnsapi.runtime.workqueue import WorkQueue
from tests.core_controller.zoneunit.objects import ZONE, platform, record_set, zone
from tests.core_controller.zoneunit.world import Queue, Recorder, World
from tests.fakes.clock import FakeClock
from tests.fakes.kubernetes import FakeKubernetes, Fault

KEY = ObjectKey(ZONE.namespace, "www")


class Desk:
    """One claim, and the statuses that are written for it."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.api = FakeKubernetes(self.clock)
        self.store = Store(RecordSet, indexers=RECORD_SET_INDEXES)
        self.recorder = Recorder(FakeClock())
        self.queue = Queue()
        self.statuses = Statuses(self.api, self.store, Echoes(), self.queue, self.recorder, self.clock)  # type: ignore[arg-type]
        resource, body = record_set("www")
        self.store.observe(self.api.seed(resource, body))

    @property
    def claim(self) -> RecordSet:
        found = self.store.get(KEY)
        assert found is not None
        return found

    def write(
        self, generation: int, event: str = "", *, uid: str = "", urgent: bool = False, passing: bool = False
    ) -> None:
        events = (EmitEvent(ObjectReference(), warning=False, reason=event, message=event),) if event else ()
        status = RecordSetStatus(observed_generation=generation)
        self.statuses.put(WriteRecordSetStatus(KEY, uid or self.claim.metadata.uid, status, urgent, passing, events))

    @property
    def stored(self) -> int | None:
        return RecordSet.model_validate(self.api.read(RECORD_SETS, KEY)).status.observed_generation

    @property
    def told(self) -> list[str]:
        return [event.reason for event in self.recorder.events]


async def test_only_the_newest_status_is_written_and_what_both_tell_is_told() -> None:
    desk = Desk()
    desk.write(1, "First")
    desk.write(2, "Second")
    await desk.statuses.reconcile(KEY)
    await desk.statuses.reconcile(KEY)
    assert desk.stored == 2
    assert desk.told == ["First", "Second"]
    assert desk.api.writes()[("json_patch", "recordsets/status")] == 1


async def test_planning_sees_what_is_not_written_yet() -> None:
    desk = Desk()
    desk.write(7)
    assert desk.claim.status.observed_generation is None
    assert desk.statuses.newest(desk.claim).status.observed_generation == 7
    await desk.statuses.reconcile(KEY)
    assert desk.claim.status.observed_generation == 7
    assert desk.statuses.newest(desk.claim) is desk.claim


async def test_a_status_of_a_claim_that_was_made_anew_is_not_its_successors() -> None:
    desk = Desk()
    desk.write(7, "Old", uid="another")
    assert desk.statuses.newest(desk.claim) is desk.claim
    await desk.statuses.reconcile(KEY)
    await desk.statuses.reconcile(KEY)
    assert desk.stored is None
    assert desk.told == []


@pytest.mark.parametrize(
    "error",
    [UnavailableError(0, "Timeout", "x"), ConflictError(409, "Conflict", "x"), InvalidError(422, "Invalid", "x")],
)
async def test_a_status_that_could_not_be_written_waits_again(error: Exception) -> None:
    desk = Desk()
    desk.api.fail(Fault(error, "json_patch", RECORD_SETS))
    desk.write(1, "First")
    with pytest.raises(type(error)):
        await desk.statuses.reconcile(KEY)
    assert desk.statuses.newest(desk.claim).status.observed_generation == 1
    await desk.statuses.reconcile(KEY)
    assert desk.stored == 1
    assert desk.told == ["First"]


async def test_a_newer_status_outlives_the_failure_of_an_older_one() -> None:
    desk = Desk()
    original = desk.api.json_patch

    async def patched(*arguments: object, **options: object) -> bytes:
        desk.api.json_patch = original  # type: ignore[method-assign]
        desk.write(2, "Second")
        raise UnavailableError(0, "Timeout", "x")

    desk.api.json_patch = patched  # type: ignore[method-assign]
    desk.write(1, "First")
    with pytest.raises(UnavailableError):
        await desk.statuses.reconcile(KEY)
    await desk.statuses.reconcile(KEY)
    assert desk.stored == 2
    assert desk.told == ["First", "Second"]


async def test_a_claim_that_is_gone_needs_no_status() -> None:
    desk = Desk()
    desk.write(1, "First")
    await desk.api.delete(RECORD_SETS, KEY)
    desk.store.forget(KEY)
    await desk.statuses.reconcile(KEY)
    await desk.statuses.reconcile(KEY)
    assert desk.told == []


async def test_a_pass_does_not_wait_for_the_statuses_of_the_one_before() -> None:
    world = World()
    world.put(*platform(), zone(), *(record_set(f"r{number}") for number in range(5)))
    await world.sync()
    world.api.fail(Fault(UnavailableError(0, "Timeout", "x"), "json_patch", RECORD_SETS, times=100))
    for _ in range(20):
        await world.sync()
        await world.reconcile()
    assert len(world.unit(ZONE).spec.record_sets) == 5
    world.api.faults.clear()
    await world.settle()
    accepted = [world.condition(world.record_set(ObjectKey(ZONE.namespace, f"r{n}")), "Programmed") for n in range(5)]
    assert {condition.status for condition in accepted if condition is not None} == {"True"}


async def test_that_the_provider_is_at_work_waits_for_what_comes_of_it() -> None:
    desk = Desk()
    desk.write(2, "Pending", passing=True)
    assert desk.queue.delayed == [KEY]
    desk.write(3, "Programmed", urgent=True)
    await desk.statuses.reconcile(KEY)
    assert desk.stored == 3
    assert desk.told == ["Pending", "Programmed"]
    assert desk.api.writes()[("json_patch", "recordsets/status")] == 1


async def test_what_follows_news_that_still_wait_makes_them_wait_no_longer() -> None:
    desk = Desk()
    desk.write(2, "Denied", urgent=True)
    desk.write(3, "Pending", passing=True)
    assert desk.queue.delayed == []


async def test_an_edit_is_told_with_its_result_and_a_new_claim_at_once() -> None:
    world = World()
    world.put(*platform(), zone(), record_set("www"))
    await world.sync()
    await world.reconcile()
    assert world.status_queue.delayed == []
    await world.settle()
    world.status_queue.delayed.clear()
    await world.edit(RECORD_SETS, KEY, {"spec": {"ttl": 601}})
    await world.sync()
    await world.reconcile()
    assert world.status_queue.delayed == [KEY]
    world.status_queue.delayed.clear()
    await world.edit(RECORD_SETS, KEY, {"spec": {"a": {"addresses": ["no address"]}}})
    await world.sync()
    await world.reconcile()
    assert world.status_queue.delayed == []


@pytest.mark.parametrize(("written", "moved"), [(["False", "True"], False), (["False"], True), (["True"], False)])
async def test_what_came_and_went_before_it_was_written_moves_no_time_of_transition(
    written: list[str], *, moved: bool
) -> None:
    desk = Desk()
    before = condition("True", "2026-01-01T00:00:00Z")
    desk.store.observe(await desk.api.merge_patch(RECORD_SETS, KEY, {"status": before}, subresource="status"))
    for second, status in enumerate(written, start=1):
        decided = RecordSetStatus.model_validate(condition(status, f"2026-01-01T01:00:0{second}Z"))
        desk.statuses.put(WriteRecordSetStatus(KEY, desk.claim.metadata.uid, decided, urgent=True))
    await desk.statuses.reconcile(KEY)
    (kept,) = desk.claim.status.conditions
    assert kept.status == written[-1]
    assert (kept.last_transition_time.hour > 0) is moved


def condition(status: str, since: str) -> JsonObject:
    """Return a status with a Programmed condition that has had its status since then."""
    told: JsonObject = {
        "type": "Programmed",
        "status": status,
        "reason": "R",
        "message": "",
        "lastTransitionTime": since,
    }
    return {"conditions": [told]}


async def test_that_a_refusal_is_over_is_told_at_once() -> None:
    """Else a Warning would be told of what is no longer so, and nothing would show that the claim has an item."""
    world = World()
    world.put(*platform(), record_set("www"))
    await world.settle()
    world.put(zone())
    world.provided = False
    for _ in range(4):
        await world.sync()
        await world.reconcile()
    assert world.condition(world.record_set(KEY), "Programmed") is not None
    assert world.status_queue.delayed == []


async def test_a_namespace_whose_writes_hang_does_not_keep_the_others_waiting() -> None:
    """As one does whose admission webhook does not answer: each write takes ten seconds and fails."""
    desk = Desk()
    queue = WorkQueue[ObjectKey]("statuses", desk.clock)
    desk.statuses = Statuses(desk.api, desk.store, Echoes(), queue, desk.recorder, desk.clock)  # type: ignore[arg-type]
    original = desk.api.json_patch

    async def patched(resource: ResourceType, key: ObjectKey, *arguments: object, **options: object) -> bytes:
        if key.namespace != KEY.namespace:
            await desk.clock.sleep(timedelta(seconds=10))
            raise UnavailableError(500, "InternalError", "failed calling webhook")
        return await original(resource, key, *arguments, **options)  # type: ignore[arg-type]

    desk.api.json_patch = patched  # type: ignore[method-assign]
    controller = Controller("statuses", desk.statuses, queue, desk.clock, workers=5)
    work = asyncio.create_task(controller.run())
    for number in range(100):
        status = RecordSetStatus(observed_generation=1)
        desk.statuses.put(WriteRecordSetStatus(ObjectKey("hangs", f"r{number}"), "uid", status, urgent=True))
    desk.write(1, urgent=True)
    await desk.clock.advance(timedelta(seconds=11))
    assert desk.stored == 1
    desk.write(2)
    await desk.clock.advance(timedelta(seconds=11))
    assert desk.stored == 2
    work.cancel()
    await asyncio.wait({work})


async def test_what_waits_for_a_slow_namespace_is_looked_at_when_its_turn_comes_and_not_again_and_again() -> None:
    """Thousands of claims that were asked about every few seconds took a fifth of a processor, while nothing moved."""
    desk = Desk()
    queue = WorkQueue[ObjectKey]("statuses", desk.clock)
    desk.statuses = Statuses(desk.api, desk.store, Echoes(), queue, desk.recorder, desk.clock)  # type: ignore[arg-type]
    written: list[ObjectKey] = []
    seconds, looks = 4, 0

    async def patched(resource: ResourceType, key: ObjectKey, *_: object, **__: object) -> bytes:
        await desk.clock.sleep(timedelta(seconds=seconds))
        written.append(key)
        raise NotFoundError(404, "NotFound", f"{resource.plural} {key} is gone")

    class Counting:
        async def reconcile(self, key: ObjectKey) -> Result:
            nonlocal looks
            looks += 1
            return await desk.statuses.reconcile(key)

    desk.api.json_patch = patched  # type: ignore[method-assign]
    work = asyncio.create_task(Controller("statuses", Counting(), queue, desk.clock, workers=5).run())
    for number in range(200):
        status = RecordSetStatus(observed_generation=1)
        desk.statuses.put(WriteRecordSetStatus(ObjectKey("slow", f"r{number}"), "uid", status, urgent=True))
    for _ in range(41):
        await desk.clock.advance(timedelta(seconds=1))
    assert len(written) == 14
    assert looks < 200 + 2 * len(written)
    seconds = 1
    for _ in range(60):
        await desk.clock.advance(timedelta(seconds=1))
    assert len(written) == 200
    work.cancel()
    await asyncio.wait({work})


async def test_a_claim_that_waited_for_a_slow_namespace_is_as_urgent_as_before() -> None:
    desk = Desk()
    queue = WorkQueue[ObjectKey]("statuses", desk.clock)
    desk.statuses = Statuses(desk.api, desk.store, Echoes(), queue, desk.recorder, desk.clock)  # type: ignore[arg-type]

    async def patched(resource: ResourceType, key: ObjectKey, *_: object, **__: object) -> bytes:
        await desk.clock.sleep(timedelta(seconds=4))
        raise NotFoundError(404, "NotFound", f"{resource.plural} {key} is gone")

    async def begin(name: str, *, urgent: bool = False) -> asyncio.Task[Result]:
        key = ObjectKey("slow", name)
        desk.statuses.put(WriteRecordSetStatus(key, "uid", RecordSetStatus(observed_generation=1), urgent=urgent))
        assert await queue.get() == key
        work = asyncio.create_task(desk.statuses.reconcile(key))
        await asyncio.sleep(0)
        queue.done(key)
        return work

    desk.api.json_patch = patched  # type: ignore[method-assign]
    for name in ("first", "second"):
        under_way = await begin(name)
        if name == "second":
            await begin("urgent", urgent=True)
            queue.add(ObjectKey("other", "waits"))
        await desk.clock.advance(timedelta(seconds=4))
        await under_way
    assert [(await queue.get()).name for _ in range(2)] == ["urgent", "waits"]
