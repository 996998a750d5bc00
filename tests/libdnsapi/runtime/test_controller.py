"""The loop applies its one retry policy and never loses a key."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from libdnsapi.runtime.controller import Controller
from libdnsapi.runtime.errors import (
    ConflictError,
    NamespaceTerminatingError,
    TerminalError,
    ThrottledError,
    UnavailableError,
)
from libdnsapi.runtime.leader import LeadershipLostError
from libdnsapi.runtime.metrics import Metrics
from libdnsapi.runtime.reconciler import Result
from libdnsapi.runtime.workqueue import WorkQueue
from tests.fakes.clock import FakeClock, settle


class Script:
    """A reconciler that does what the test says."""

    def __init__(self, outcome: Callable[[str], Result]) -> None:
        self.outcome = outcome
        self.keys: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def reconcile(self, key: str) -> Result:
        self.keys.append(key)
        await self.gate.wait()
        return self.outcome(key)


def raising(error: Exception) -> Callable[[str], Result]:
    def outcome(_: str) -> Result:
        raise error

    return outcome


CONFLICT = ConflictError(409, "Conflict", "newer")
FOREIGN_TEXT = "arn:aws:iam::123456789012:role/secret"


@pytest.mark.parametrize(
    ("outcome", "failures", "delays", "result", "level"),
    [
        (lambda _: Result(), 0, [], "success", None),
        (lambda _: Result(timedelta(minutes=3)), 0, [180.0], "requeue_after", None),
        (raising(TerminalError("never")), 0, [], "error", "error"),
        (raising(CONFLICT), 1, [0.005], "requeue", "debug"),
        (raising(ThrottledError(429, "X", "y", timedelta(seconds=9))), 1, [9.0], "requeue", "warning"),
        (raising(NamespaceTerminatingError(403, "Forbidden", "y")), 1, [0.005], "requeue", "info"),
        (raising(LeadershipLostError("the lease was not renewed in time")), 1, [0.005], "requeue", "warning"),
        (raising(UnavailableError(503, "X", "y")), 1, [0.005], "error", "error"),
        (raising(ValueError(FOREIGN_TEXT)), 1, [0.005], "error", "error"),
    ],
)
async def test_the_retry_policy(
    outcome: Callable[[str], Result], failures: int, delays: list[float], result: str, level: str | None
) -> None:
    clock, metrics = FakeClock(), Metrics()
    queue = WorkQueue[str]("c", clock, random=lambda: 0.0)
    controller = Controller("c", Script(outcome), queue, clock, metrics=metrics)
    with capture_logs() as logs:
        await controller.reconcile("ns/a")
        await settle()
    assert queue.failures("ns/a") == failures
    assert [pause.total_seconds() for pause in clock.slept] == delays
    labels = {"controller": "c", "result": result}
    assert metrics.registry.get_sample_value("controller_runtime_reconcile_total", labels) == 1
    *problems, done = logs
    assert [entry["log_level"] for entry in problems] == ([level] if level else [])
    assert done == {"log_level": "debug", "event": "reconciled", "result": result, "seconds": 0}
    assert FOREIGN_TEXT not in str(logs)


async def test_one_worker_a_key_and_several_keys_at_once() -> None:
    clock, metrics = FakeClock(), Metrics()
    queue = WorkQueue[str]("c", clock)
    script = Script(lambda _: Result())
    script.gate.clear()
    controller = Controller("c", script, queue, clock, workers=3, metrics=metrics)
    run = asyncio.create_task(controller.run())
    queue.add("a")
    await settle()
    queue.add("a")
    queue.add("b")
    await settle()
    assert script.keys == ["a", "b"]
    active = metrics.registry.get_sample_value("controller_runtime_active_workers", {"controller": "c"})
    assert active == 2
    script.gate.set()
    await settle()
    assert script.keys == ["a", "b", "a"]
    controller.stop()
    await run


async def test_stop_lets_running_reconciles_finish_and_takes_no_more() -> None:
    clock = FakeClock()
    queue = WorkQueue[str]("c", clock)
    script = Script(lambda _: Result())
    script.gate.clear()
    controller = Controller("c", script, queue, clock)
    run = asyncio.create_task(controller.run())
    queue.add("a")
    queue.add("b")
    await settle()
    controller.stop()
    await settle()
    assert not run.done()
    script.gate.set()
    await run
    assert script.keys == ["a"]


async def test_cancelling_cuts_running_reconciles_short() -> None:
    clock = FakeClock()
    queue = WorkQueue[str]("c", clock)
    script = Script(lambda _: Result())
    script.gate.clear()
    run = asyncio.create_task(Controller("c", script, queue, clock).run())
    queue.add("a")
    await settle()
    run.cancel()
    with pytest.raises(asyncio.CancelledError):
        await run


async def test_before_a_controller_runs_nothing_counts_as_waiting() -> None:
    clock, metrics = FakeClock(), Metrics()
    queue: WorkQueue[str] = WorkQueue("c", clock, metrics=metrics)
    done = asyncio.Event()

    class Last:
        async def reconcile(self, key: str) -> Result:
            done.set()
            return Result()

    controller = Controller("c", Last(), queue, clock, metrics=metrics)
    queue.add("a")
    clock.jump(timedelta(hours=1))
    running = asyncio.create_task(controller.run())
    await done.wait()
    controller.stop()
    await running

    labels = {"name": "c", "controller": "c"}
    assert metrics.registry.get_sample_value("workqueue_queue_duration_seconds_sum", labels) == 0


async def test_errors_are_counted_from_nought_so_that_alerts_see_the_first() -> None:
    clock, metrics = FakeClock(), Metrics()
    queue: WorkQueue[str] = WorkQueue("c", clock, metrics=metrics)

    Controller("c", Script(lambda _: Result()), queue, clock, metrics=metrics)

    for name in ("controller_runtime_reconcile_errors_total", "controller_runtime_terminal_reconcile_errors_total"):
        assert metrics.registry.get_sample_value(name, {"controller": "c"}) == 0
