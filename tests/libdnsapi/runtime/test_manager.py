"""A process starts and ends in order, whatever dies."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import aiohttp
import orjson
import pytest
from structlog.testing import capture_logs

from libdnsapi.api.meta import JsonObject, KubernetesObject, ObjectKey, ObjectReference, ResourceType
from libdnsapi.runtime.clock import Clock, SystemClock
from libdnsapi.runtime.errors import UnavailableError
from libdnsapi.runtime.events import EVENTS, Event
from libdnsapi.runtime.informer import Informer
from libdnsapi.runtime.leader import LEASES, LeadershipLostError
from libdnsapi.runtime.manager import Manager
from libdnsapi.runtime.reconciler import Result
from libdnsapi.runtime.settings import RuntimeSettings
from tests.fakes.clock import FakeClock, settle
from tests.fakes.kubernetes import FakeKubernetes, Fault

WIDGETS = ResourceType("example.org", "v1", "Widget", "widgets")
ONE = ObjectKey("ns", "one")
LEASE = ObjectKey("dns", "core")


class Touch:
    """A reconciler that says hello to its object, and takes as long as the test says."""

    def __init__(self, manager: Manager) -> None:
        self.manager = manager
        self.gate = asyncio.Event()
        self.gate.set()
        self.started = asyncio.Event()

    async def reconcile(self, key: ObjectKey) -> Result:
        self.started.set()
        await self.gate.wait()
        await self.manager.client.merge_patch(WIDGETS, key, {"status": {"touched": True}}, subresource="status")
        about = ObjectReference(kind="Widget", namespace=key.namespace, name=key.name, uid="u")
        self.manager.recorder.emit(Event(about, "Normal", "Touched", "hello", "Touch"))
        return Result()


class Process:
    """A manager with one cache and one controller over a fake API server."""

    def __init__(
        self, server: FakeKubernetes, tmp_path: Path, *, clock: Clock | None = None, **settings: object
    ) -> None:
        self.ports_file = tmp_path / "ports.json"
        values = {"health_host": "127.0.0.1", "health_port": 0, "ports_file": self.ports_file}
        options = RuntimeSettings.model_validate({**values, "lease_namespace": "dns", **settings})
        self.synced: list[int] = []
        self.manager = Manager(
            "core", server, options, clock=clock, on_synced=lambda: self.synced.append(len(self.informer))
        )
        self.informer = self.manager.informer(WIDGETS, KubernetesObject)
        queue = self.manager.queue("widget")
        self.informer.add_listener(lambda change: queue.add(change.key) if change.old is None else None)
        self.touch = Touch(self.manager)
        self.manager.controller("widget", self.touch, queue)

    def start(self) -> "asyncio.Task[int]":
        return asyncio.create_task(self.manager.run())

    async def get(self, path: str) -> tuple[int, str]:
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{self.manager.health.port}{path}") as response,
        ):
            return response.status, await response.text()


@pytest.fixture
def server() -> FakeKubernetes:
    server = FakeKubernetes(SystemClock())
    server.seed(WIDGETS, {"metadata": {"name": "one", "namespace": "ns"}})
    return server


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await settle()


def touched(server: FakeKubernetes) -> bool:
    widget = server.read(WIDGETS, ONE)
    return widget is not None and "status" in widget


def leads(manager: Manager) -> bool:
    view = manager.lease_view()
    return view is not None and view.leading


async def test_it_works_as_the_leader_and_ends_in_order(server: FakeKubernetes, tmp_path: Path) -> None:
    process = Process(server, tmp_path)
    running = process.start()
    await until(lambda: touched(server))
    assert process.synced == [1]
    assert orjson.loads(process.ports_file.read_bytes()) == {"health": process.manager.health.port}
    assert (await process.get("/readyz"))[0] == 200
    assert 'leader_election_master_status{name="core"} 1.0' in (await process.get("/metrics"))[1]
    os.kill(os.getpid(), signal.SIGTERM)
    assert await running == 0
    lease = server.read(LEASES, LEASE)
    assert lease is not None
    assert isinstance(lease["spec"], dict)
    assert lease["spec"]["holderIdentity"] == ""
    assert len(server.keys(EVENTS)) == 1


def test_it_says_when_it_started(server: FakeKubernetes, tmp_path: Path) -> None:
    clock = FakeClock()
    process = Process(server, tmp_path, clock=clock)

    started = process.manager.metrics.registry.get_sample_value("dnsapi_process_start_time_seconds")

    assert started == clock.now().timestamp()


async def test_a_running_reconcile_finishes_before_the_lease_is_released(
    server: FakeKubernetes, tmp_path: Path
) -> None:
    process = Process(server, tmp_path)
    process.touch.gate.clear()
    running = process.start()
    await process.touch.started.wait()
    process.manager.stop()
    await until(lambda: process.manager.health.port)
    assert (await process.get("/readyz"))[0] == 503
    lease = server.read(LEASES, LEASE)
    assert lease is not None
    assert isinstance(lease["spec"], dict)
    assert lease["spec"]["holderIdentity"] == process.manager.identity
    process.touch.gate.set()
    assert await running == 0
    assert touched(server)
    assert len(server.keys(EVENTS)) == 1


async def test_a_reconcile_that_outlasts_the_grace_is_cut_short(server: FakeKubernetes, tmp_path: Path) -> None:
    process = Process(server, tmp_path, shutdown_grace=0.05)
    process.touch.gate.clear()
    running = process.start()
    await process.touch.started.wait()
    process.manager.stop()
    with capture_logs() as logs:
        assert await running == 0
    assert "reconciles are cut short" in [entry["event"] for entry in logs]
    assert not touched(server)


async def test_a_standby_fills_its_caches_and_leaves_the_work_alone(server: FakeKubernetes, tmp_path: Path) -> None:
    server.seed(
        LEASES,
        {
            "metadata": {"name": "core", "namespace": "dns"},
            "spec": {"holderIdentity": "other", "leaseDurationSeconds": 60},
        },
    )
    process = Process(server, tmp_path)
    running = process.start()
    await until(lambda: process.synced and process.manager.health.port)
    assert (await process.get("/readyz"))[0] == 200
    process.manager.stop()
    assert await running == 0
    assert not touched(server)


async def test_what_was_opened_is_closed_when_nothing_runs_any_more(server: FakeKubernetes, tmp_path: Path) -> None:
    process = Process(server, tmp_path)
    order: list[str] = []

    def closer(name: str) -> Callable[[], Awaitable[None]]:
        async def close() -> None:
            order.append(name)

        return close

    process.manager.at_end(closer("first opened"))
    process.manager.at_end(closer("last opened"))
    running = process.start()
    await until(lambda: touched(server))
    assert order == []
    process.manager.stop()
    assert await running == 0
    assert order == ["last opened", "first opened"]


async def test_without_election_no_lease_is_touched(server: FakeKubernetes, tmp_path: Path) -> None:
    process = Process(server, tmp_path, leader_elect=False)
    running = process.start()
    await until(lambda: touched(server))
    process.manager.confirm_leadership()
    process.manager.stop()
    assert await running == 0
    assert server.keys(LEASES) == []


@pytest.mark.parametrize("leading", [True, False])
async def test_a_part_that_dies_ends_the_process(server: FakeKubernetes, tmp_path: Path, leading: bool) -> None:
    process = Process(server, tmp_path)
    die = asyncio.Event()

    async def part() -> None:
        await die.wait()
        raise RuntimeError("hunter2")

    process.manager.runnable("fragile", part, leading=leading)
    running = process.start()
    await until(lambda: touched(server))
    with capture_logs() as logs:
        die.set()
        assert await running == 1
    deaths = [entry for entry in logs if entry["event"] == "part died" and entry["part"] == "fragile"]
    assert [entry["error"] for entry in deaths] == ["RuntimeError"]
    assert "hunter2" not in str(logs)
    lease = server.read(LEASES, LEASE)
    assert lease is not None
    assert isinstance(lease["spec"], dict)
    assert lease["spec"]["holderIdentity"] == ""


async def test_a_lost_lease_ends_the_process(server: FakeKubernetes, tmp_path: Path) -> None:
    times = {"lease_duration": 0.6, "lease_renew_deadline": 0.3, "lease_retry_period": 0.05}
    process = Process(server, tmp_path, **times)
    running = process.start()
    await until(lambda: touched(server))
    server.fail(Fault(UnavailableError(503, "X", "x"), resource=LEASES, times=1000))
    with capture_logs() as logs:
        assert await running == 1
    assert "could not be renewed" in str(logs)


async def test_not_ready_until_the_caches_are_complete(server: FakeKubernetes, tmp_path: Path) -> None:
    server.fail(Fault(UnavailableError(503, "X", "x"), verb="list", times=1000))
    process = Process(server, tmp_path)
    running = process.start()
    await until(lambda: process.manager.health.port)
    status, text = await process.get("/readyz")
    assert status == 503
    assert "[-]informer-widgets failed: not complete yet" in text
    assert (await process.get("/healthz"))[0] == 200
    process.manager.stop()
    assert await running == 0


async def test_a_silent_watch_makes_the_process_unready_until_it_speaks_again(tmp_path: Path) -> None:
    clock = FakeClock()
    server = FakeKubernetes(clock)
    process = Process(server, tmp_path, clock=clock, leader_elect=False)
    other = Informer(server, WIDGETS, KubernetesObject, namespace="elsewhere", clock=clock)
    process.manager.show(other)
    process.manager.runnable("other", other.run)
    running = process.start()
    await until(lambda: process.synced and other.synced.is_set() and process.manager.health.port)
    fault = server.fail(Fault(UnavailableError(503, "X", "x"), resource=WIDGETS, times=100_000))
    server.cut_watches()
    await clock.advance(timedelta(minutes=8))

    status, text = await process.get("/readyz")
    assert status == 503
    assert "[-]informer-widgets failed: no sign of life from the API server" in text
    assert "[-]other-caches failed: no sign of life from the API server: widgets.elsewhere" in text
    assert (await process.get("/healthz"))[0] == 200

    server.faults.remove(fault)
    await clock.advance(timedelta(minutes=1))
    server.bookmark(WIDGETS)
    await settle()
    assert (await process.get("/readyz"))[0] == 200
    process.manager.stop()
    assert await running == 0


async def test_a_shown_cache_that_was_never_complete_keeps_nobody_from_being_ready(tmp_path: Path) -> None:
    clock = FakeClock()
    process = Process(FakeKubernetes(clock), tmp_path, clock=clock, leader_elect=False)
    process.manager.show(Informer(process.manager.client, WIDGETS, KubernetesObject, namespace="denied", clock=clock))
    running = process.start()
    await until(lambda: process.synced and process.manager.health.port)
    await clock.advance(timedelta(minutes=1))

    assert (await process.get("/readyz"))[0] == 200
    process.manager.stop()
    assert await running == 0


async def test_work_that_goes_on_without_a_lease_makes_the_process_unready_and_may_send_nothing(tmp_path: Path) -> None:
    clock = FakeClock()
    server = FakeKubernetes(clock)
    process = Process(server, tmp_path, clock=clock)
    released = asyncio.Event()

    async def stubborn() -> None:
        while not released.is_set():
            with suppress(asyncio.CancelledError):
                await released.wait()

    process.manager.runnable("stubborn", stubborn, leading=True)
    running = process.start()
    await until(lambda: process.manager.health.port and leads(process.manager))
    assert (await process.get("/readyz"))[0] == 200
    process.manager.confirm_leadership()
    server.fail(Fault(UnavailableError(503, "X", "x"), resource=LEASES, times=100_000))
    await clock.advance(timedelta(seconds=11))

    with pytest.raises(LeadershipLostError):
        process.manager.confirm_leadership()

    status, text = await process.get("/readyz")
    assert status == 503
    assert "[-]lease failed: not renewed in time: the work is being stopped" in text
    released.set()
    await clock.advance(timedelta(seconds=30))
    assert await running == 1


@pytest.mark.parametrize("failures", [0, 3], ids=["at once", "after failures"])
async def test_a_process_that_takes_over_works_with_nothing_older_than_its_lease(tmp_path: Path, failures: int) -> None:
    """Its watch broke while it stood by, and rests; the leader before it has deleted one object and made another."""
    clock = FakeClock()
    server = FakeKubernetes(clock)
    server.seed(WIDGETS, {"metadata": {"name": "one", "namespace": "ns"}})
    held: JsonObject = {"holderIdentity": "other", "leaseDurationSeconds": 15}
    server.seed(LEASES, {"metadata": {"name": "core", "namespace": "dns"}, "spec": held})
    process = Process(server, tmp_path, clock=clock)
    seen: list[list[ObjectKey]] = []
    process.manager.runnable("looks", lambda: look(process, seen), leading=True)
    running = process.start()
    await until(lambda: process.synced)
    server.fail(Fault(UnavailableError(503, "X", "x"), "watch", WIDGETS, times=100_000))
    server.fail(Fault(UnavailableError(503, "X", "x"), "list", WIDGETS, times=failures))
    server.cut_watches()
    await clock.advance(timedelta(seconds=5))
    await server.delete(WIDGETS, ONE)
    server.seed(WIDGETS, {"metadata": {"name": "two", "namespace": "ns"}})
    await clock.advance(timedelta(seconds=5))
    assert process.informer.store.keys() == [ONE]
    for _ in range(60):
        await clock.advance(timedelta(seconds=1))

    assert leads(process.manager)
    assert seen == [[ObjectKey("ns", "two")]]
    process.manager.stop()
    assert await running == 0


async def look(process: Process, seen: list[list[ObjectKey]]) -> None:
    """Note what the cache holds when the work of a leader begins, and go on for ever."""
    seen.append(process.informer.store.keys())
    await asyncio.Event().wait()


async def test_a_process_that_cannot_catch_up_ends_in_order_when_it_is_stopped(
    server: FakeKubernetes, tmp_path: Path
) -> None:
    process = Process(server, tmp_path)
    server.fail(Fault(UnavailableError(503, "X", "x"), "list", WIDGETS, skip=1, times=100_000))
    running = process.start()
    await until(lambda: leads(process.manager))
    process.manager.stop()
    assert await running == 0
    assert not touched(server)
    lease = server.read(LEASES, LEASE)
    assert lease is not None
    assert isinstance(lease["spec"], dict)
    assert lease["spec"]["holderIdentity"] == ""


RELEASED: JsonObject = {"holderIdentity": "", "leaseDurationSeconds": 1}


def lists(server: FakeKubernetes) -> int:
    return sum(request.verb == "list" and request.resource == WIDGETS for request in server.requests)


@pytest.mark.parametrize(
    ("lease", "expected"),
    [(RELEASED, 1), (None, 2), ({**RELEASED, "holderIdentity": "dead"}, 2)],
    ids=["nobody leads", "no lease yet", "the last leader did not release it"],
)
async def test_what_was_listed_while_nobody_led_is_not_listed_again(
    tmp_path: Path, lease: JsonObject | None, expected: int
) -> None:
    clock = FakeClock()
    server = FakeKubernetes(clock)
    if lease is not None:
        server.seed(LEASES, {"metadata": {"name": "core", "namespace": "dns"}, "spec": lease})
    process = Process(server, tmp_path, clock=clock)
    seen: list[list[ObjectKey]] = []
    process.manager.runnable("looks", lambda: look(process, seen), leading=True)
    running = process.start()
    for _ in range(30):
        await clock.advance(timedelta(seconds=1))
    assert len(seen) == 1
    assert lists(server) == expected
    process.manager.stop()
    assert await running == 0


async def test_a_leader_that_came_and_went_while_we_listed_makes_us_list_again(tmp_path: Path) -> None:
    clock = FakeClock()
    server = FakeKubernetes(clock)
    server.seed(LEASES, {"metadata": {"name": "core", "namespace": "dns"}, "spec": RELEASED})
    server.fail(Fault(UnavailableError(503, "X", "x"), "list", WIDGETS, times=3))
    process = Process(server, tmp_path, clock=clock)
    seen: list[list[ObjectKey]] = []
    process.manager.runnable("looks", lambda: look(process, seen), leading=True)
    running = process.start()
    await until(lambda: lists(server) == 1)
    for holder in ("other", ""):
        await server.merge_patch(LEASES, LEASE, {"spec": {"holderIdentity": holder}})
    for _ in range(60):
        await clock.advance(timedelta(seconds=1))
    assert len(seen) == 1
    assert lists(server) == 5
    process.manager.stop()
    assert await running == 0
