"""At no time do two lead, and whoever stops lets the next one begin."""

import asyncio
from datetime import timedelta

import pytest

from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.runtime.errors import ConflictError, UnavailableError
from libdnsapi.runtime.kubernetes import Kubernetes
from libdnsapi.runtime.leader import LEASES, Candidate, LeaderElector, LeadershipLostError, LeaseTimes
from libdnsapi.runtime.metrics import Metrics
from tests.fakes.clock import FakeClock, settle
from tests.fakes.kubernetes import FakeKubernetes, Fault

LEASE = ObjectKey("dns-system", "core")


class Process:
    """One candidate and the work it does while it leads."""

    def __init__(self, server: Kubernetes, clock: FakeClock, name: str) -> None:
        self.metrics = Metrics()
        self.elector = LeaderElector(server, Candidate(LEASE, name), clock, metrics=self.metrics, random=lambda: 0.0)
        self.working = False
        self.stubborn = False
        self.end = asyncio.Event()
        self.error: Exception | None = None
        self.task = asyncio.create_task(self.elector.run(self.lead))

    async def lead(self) -> None:
        self.working = True
        try:
            await self.end.wait()
            if self.error is not None:
                raise self.error
        finally:
            self.working = False

    def leads(self) -> float | None:
        return self.metrics.registry.get_sample_value("leader_election_master_status", {"name": "core"})


class Hanging(FakeKubernetes):
    """A server that stops answering when told to."""

    hangs = False

    async def get(self, *args: object, **options: object) -> bytes:
        await self._hang()
        return await super().get(*args, **options)  # type: ignore[arg-type]

    async def replace(self, *args: object, **options: object) -> bytes:
        await self._hang()
        return await super().replace(*args, **options)  # type: ignore[arg-type]

    async def _hang(self) -> None:
        if self.hangs:
            await asyncio.Event().wait()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def server(clock: FakeClock) -> Hanging:
    return Hanging(clock)


async def wait(clock: FakeClock, seconds: float) -> None:
    for _ in range(int(seconds * 2)):
        await clock.advance(timedelta(seconds=0.5))


def spec(server: FakeKubernetes) -> JsonObject:
    lease = server.read(LEASES, LEASE)
    assert lease is not None
    found = lease["spec"]
    assert isinstance(found, dict)
    return found


async def test_the_first_one_leads_and_renews(server: Hanging, clock: FakeClock) -> None:
    first = Process(server, clock, "a")
    await wait(clock, 61)
    assert first.working
    assert first.leads() == 1
    assert spec(server) == {
        "holderIdentity": "a",
        "leaseDurationSeconds": 15,
        "acquireTime": "2026-01-01T00:00:00.000000Z",
        "renewTime": "2026-01-01T00:01:00.000000Z",
        "leaseTransitions": 0,
    }
    first.end.set()
    await first.task


async def test_the_second_one_waits_and_takes_over_a_released_lease_at_once(server: Hanging, clock: FakeClock) -> None:
    first = Process(server, clock, "a")
    await settle()
    second = Process(server, clock, "b")
    await wait(clock, 30)
    assert (first.working, second.working) == (True, False)
    first.end.set()
    await first.task
    await wait(clock, 2)
    assert second.working
    assert spec(server)["leaseTransitions"] == 1
    second.task.cancel()
    await asyncio.wait([second.task])
    assert not second.working
    assert spec(server)["holderIdentity"] == ""


async def test_a_lease_of_a_dead_process_is_taken_when_it_has_run_out(server: Hanging, clock: FakeClock) -> None:
    server.seed(
        LEASES,
        {
            "metadata": {"name": "core", "namespace": "dns-system"},
            "spec": {
                "holderIdentity": "dead",
                "leaseDurationSeconds": 15,
                "renewTime": "2031-01-01T00:00:00.000000Z",
            },
        },
    )
    process = Process(server, clock, "b")
    await wait(clock, 14.5)
    assert not process.working
    await wait(clock, 2)
    assert process.working
    process.end.set()
    await process.task


@pytest.mark.parametrize("way", ["hangs", "fails"])
async def test_work_stops_before_a_rival_may_begin(server: Hanging, clock: FakeClock, way: str) -> None:
    other_side = Hanging(clock)
    other_side.__dict__.update({name: vars(server)[name] for name in ("_objects", "_history", "_applied")})
    first = Process(server, clock, "a")
    await wait(clock, 4)
    second = Process(other_side, clock, "b")
    await wait(clock, 1)
    if way == "hangs":
        server.hangs = True
    else:
        server.fail(Fault(UnavailableError(0, "X", "x"), times=10_000))
    overlap, stopped_at, started_at = False, None, None
    for _ in range(80):
        await clock.advance(timedelta(seconds=0.25))
        overlap = overlap or (first.working and second.working)
        if not first.working and stopped_at is None:
            stopped_at = clock.monotonic()
        if second.working and started_at is None:
            started_at = clock.monotonic()
    assert not overlap
    assert stopped_at is not None
    assert started_at is not None
    assert started_at - stopped_at >= 4
    assert first.leads() == 0
    with pytest.raises(LeadershipLostError):
        await first.task
    second.end.set()
    await second.task


async def test_a_short_outage_is_survived(server: Hanging, clock: FakeClock) -> None:
    process = Process(server, clock, "a")
    await wait(clock, 4)
    server.hangs = True
    await wait(clock, 5)
    server.hangs = False
    await wait(clock, 20)
    assert process.working
    process.end.set()
    await process.task


async def test_a_renewal_whose_answer_was_lost_is_ours(server: Hanging, clock: FakeClock) -> None:
    process = Process(server, clock, "a")
    await wait(clock, 1)
    server.fail(Fault(UnavailableError(0, "Timeout", "x"), verb="replace", applied=True))
    server.fail(Fault(ConflictError(409, "Conflict", "x"), verb="replace", skip=2))
    await wait(clock, 20)
    assert process.working
    process.end.set()
    await process.task


async def test_a_stolen_lease_stops_the_work_at_once(server: Hanging, clock: FakeClock) -> None:
    process = Process(server, clock, "a")
    await wait(clock, 3)
    await server.merge_patch(LEASES, LEASE, {"spec": {"holderIdentity": "thief"}})
    await wait(clock, 4.5)
    assert not process.working
    with pytest.raises(LeadershipLostError):
        await process.task
    assert spec(server)["holderIdentity"] == "thief"


async def test_a_deleted_lease_is_made_again(server: Hanging, clock: FakeClock) -> None:
    process = Process(server, clock, "a")
    await wait(clock, 3)
    await server.delete(LEASES, LEASE)
    await wait(clock, 6)
    assert process.working
    assert spec(server)["holderIdentity"] == "a"
    process.end.set()
    await process.task


async def test_work_that_dies_ends_the_leadership(server: Hanging, clock: FakeClock) -> None:
    process = Process(server, clock, "a")
    await wait(clock, 3)
    process.error = RuntimeError("dead")
    process.end.set()
    await settle()
    with pytest.raises(RuntimeError):
        await process.task
    assert spec(server)["holderIdentity"] == ""
    assert process.leads() == 0


def test_times_that_let_two_lead_are_refused() -> None:
    with pytest.raises(ValueError, match="renew deadline"):
        LeaseTimes(lease_duration=timedelta(seconds=10), renew_deadline=timedelta(seconds=10))


async def test_a_lease_is_not_released_while_the_work_goes_on(server: Hanging, clock: FakeClock) -> None:
    going, end = asyncio.Event(), asyncio.Event()

    async def lead() -> None:
        going.set()
        while not end.is_set():
            try:
                await end.wait()
            except asyncio.CancelledError:
                continue

    elector = LeaderElector(server, Candidate(LEASE, "a"), clock, random=lambda: 0.0)
    task = asyncio.create_task(elector.run(lead))
    await going.wait()
    task.cancel()
    await wait(clock, 6)
    end.set()
    await settle()
    assert task.done()
    assert spec(server)["holderIdentity"] == "a"
