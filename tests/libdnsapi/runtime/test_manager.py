"""A process starts and ends in order, whatever dies."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import orjson
import pytest
from structlog.testing import capture_logs

from libdnsapi.api.meta import KubernetesObject
from libdnsapi.runtime.clock import SystemClock
from libdnsapi.runtime.errors import NotFoundError, UnavailableError
from libdnsapi.runtime.events import EVENTS
from libdnsapi.runtime.informer import Informer
from libdnsapi.runtime.leader import LEASES
from tests.fakes.clock import FakeClock, settle
from tests.fakes.kubernetes import FakeKubernetes, Fault
from tests.libdnsapi.runtime.process import LEASE, WIDGETS, Process, leads, touched, until


@pytest.fixture
def server() -> FakeKubernetes:
    server = FakeKubernetes(SystemClock())
    server.seed(WIDGETS, {"metadata": {"name": "one", "namespace": "ns"}})
    return server


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
    (death,) = [entry for entry in logs if entry["event"] == "part died"]
    assert "could not be renewed" in death["error"]


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


async def test_a_kind_that_is_not_installed_is_named(server: FakeKubernetes, tmp_path: Path) -> None:
    server.fail(
        Fault(
            NotFoundError(404, "NotFound", "the server could not find the requested resource"), verb="list", times=1000
        )
    )
    process = Process(server, tmp_path)
    with capture_logs() as logs:
        running = process.start()
        await until(lambda: any("does not know a kind" in entry["event"] for entry in logs))
    (told,) = [entry for entry in logs if "does not know a kind" in entry["event"]]
    assert (told["log_level"], told["resource"]) == ("warning", "widgets")
    status, text = await process.get("/readyz")
    assert status == 503
    assert "[-]informer-widgets failed: the API server does not know the kind: install its CRD" in text
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
