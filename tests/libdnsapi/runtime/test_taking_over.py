"""Who takes over works with nothing older than its lease, and sends nothing without it."""

import asyncio
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

import pytest

from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.runtime.errors import UnavailableError
from libdnsapi.runtime.leader import LEASES, LeadershipLostError
from tests.fakes.clock import FakeClock
from tests.fakes.kubernetes import FakeKubernetes, Fault
from tests.libdnsapi.runtime.process import LEASE, ONE, WIDGETS, Process, leads, until


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
