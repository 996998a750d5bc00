"""The work queue keeps client-go's guarantees."""

import asyncio
from datetime import timedelta

import pytest

from libdnsapi.runtime.backoff import Backoff, TokenBucket, doubled
from libdnsapi.runtime.metrics import Metrics
from libdnsapi.runtime.workqueue import QueueShutDownError, WorkQueue
from tests.fakes.clock import FakeClock, settle


def seconds(number: float) -> timedelta:
    return timedelta(seconds=number)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


@pytest.fixture
def queue(clock: FakeClock, metrics: Metrics) -> WorkQueue[str]:
    return WorkQueue("q", clock, metrics=metrics, random=lambda: 0.0)


async def test_a_key_waits_at_most_once(queue: WorkQueue[str]) -> None:
    for key in "aba":
        queue.add(key)
    assert [await queue.get(), await queue.get()] == ["a", "b"]
    assert len(queue) == 0


async def test_a_key_added_in_work_comes_back_after_it_is_done(queue: WorkQueue[str]) -> None:
    queue.add("a")
    await queue.get()
    queue.add("a")
    assert len(queue) == 0
    queue.done("a")
    assert await queue.get() == "a"
    queue.done("a")
    assert queue.pending == 0


async def test_a_waiting_worker_gets_the_next_key(queue: WorkQueue[str]) -> None:
    worker = asyncio.create_task(queue.get())
    await settle()
    queue.add("a")
    assert await worker == "a"


async def test_a_cancelled_worker_passes_its_key_on(queue: WorkQueue[str]) -> None:
    first, second = asyncio.create_task(queue.get()), asyncio.create_task(queue.get())
    await settle()
    queue.add("a")
    first.cancel()
    await settle()
    assert await second == "a"


async def test_delayed_keys_come_in_the_order_of_their_times(queue: WorkQueue[str], clock: FakeClock) -> None:
    queue.add_after("late", seconds(20))
    queue.add_after("soon", seconds(10))
    queue.add_after("late", seconds(30))
    queue.add_after("now", seconds(0))
    assert await queue.get() == "now"
    await clock.advance(seconds(9))
    assert len(queue) == 0
    await clock.advance(seconds(1))
    assert await queue.get() == "soon"
    await clock.advance(seconds(10))
    assert await queue.get() == "late"
    queue.done("late")
    await clock.advance(seconds(100))
    assert len(queue) == 0


async def test_an_earlier_time_replaces_a_later_one(queue: WorkQueue[str], clock: FakeClock) -> None:
    queue.add_after("a", seconds(600))
    queue.add_after("a", seconds(5))
    await clock.advance(seconds(5))
    assert await queue.get() == "a"


async def test_retries_double_until_forgotten(queue: WorkQueue[str], clock: FakeClock) -> None:
    for _ in range(4):
        queue.add_rate_limited("a")
        await clock.advance(seconds(1))
        queue.done(await queue.get())
    assert queue.failures("a") == 4
    queue.forget("a")
    queue.add_rate_limited("a")
    await clock.advance(seconds(1))
    assert [pause.total_seconds() for pause in clock.slept] == [0.005, 0.01, 0.02, 0.04, 0.005]


async def test_a_bucket_bounds_the_retries_of_all_keys(clock: FakeClock) -> None:
    queue = WorkQueue[str]("q", clock, bucket=TokenBucket(rate=1, burst=2), random=lambda: 0.0)
    for key in "abcd":
        queue.add_rate_limited(key)
    await clock.advance(seconds(0.5))
    assert len(queue) == 2
    await clock.advance(seconds(1.5))
    assert len(queue) == 4


async def test_shutdown_wakes_workers_and_hands_out_nothing(queue: WorkQueue[str]) -> None:
    workers = [asyncio.create_task(queue.get()) for _ in range(2)]
    await settle()
    queue.add_after("b", seconds(5))
    queue.shutdown()
    queue.add("a")
    for worker in workers:
        with pytest.raises(QueueShutDownError):
            await worker
    with pytest.raises(QueueShutDownError):
        await queue.get()


async def test_the_metrics_have_controller_runtimes_names(
    queue: WorkQueue[str], clock: FakeClock, metrics: Metrics
) -> None:
    queue.add("a")
    queue.add("b")
    clock.jump(seconds(2))
    await queue.get()
    clock.jump(seconds(3))
    labels = {"name": "q", "controller": "q"}

    def value(name: str) -> float | None:
        return metrics.registry.get_sample_value(name, labels)

    assert value("workqueue_depth") == 1
    assert value("workqueue_adds_total") == 2
    assert value("workqueue_queue_duration_seconds_sum") == 2
    assert value("workqueue_unfinished_work_seconds") == 3
    assert value("workqueue_longest_running_processor_seconds") == 3
    queue.done("a")
    assert value("workqueue_work_duration_seconds_sum") == 3


async def test_keys_of_a_process_that_stands_by_do_not_count_as_waiting(
    queue: WorkQueue[str], clock: FakeClock, metrics: Metrics
) -> None:
    labels = {"name": "q", "controller": "q"}
    queue.rest()
    queue.add("a")
    queue.add("b", urgent=True)
    clock.jump(seconds(3600))
    assert metrics.registry.get_sample_value("workqueue_depth", labels) == 0

    queue.start()
    clock.jump(seconds(2))

    assert metrics.registry.get_sample_value("workqueue_depth", labels) == 2
    assert [await queue.get(), await queue.get()] == ["b", "a"]
    assert metrics.registry.get_sample_value("workqueue_queue_duration_seconds_sum", labels) == 4


@pytest.mark.parametrize(
    ("failures", "random", "expected"),
    [(0, 0.0, 0.005), (1, 0.0, 0.01), (3, 1.0, 0.044), (17, 0.0, 655.36), (18, 0.0, 1000), (5000, 0.0, 1000)],
)
def test_back_off_doubles_up_to_its_limit(failures: int, random: float, expected: float) -> None:
    assert Backoff().delay(failures, lambda: random) == timedelta(seconds=expected)


@pytest.mark.parametrize(("failures", "expected"), [(1, 2), (2, 4), (3, 8), (6, 60), (10_000, 60)])
def test_a_wait_begins_with_the_first_failure_and_doubles_up_to_its_limit(failures: int, expected: float) -> None:
    assert doubled(seconds(2), failures, seconds(60)) == seconds(expected)


def test_a_token_bucket_fills_with_time_and_never_past_its_burst() -> None:
    bucket = TokenBucket(rate=2, burst=2)
    assert [bucket.try_take(0) for _ in range(3)] == [True, True, False]
    assert bucket.try_take(0.5)
    assert not bucket.try_take(0.6)
    assert [bucket.try_take(100) for _ in range(3)] == [True, True, False]


async def test_urgent_keys_go_first_each_kind_in_its_order() -> None:
    queue = WorkQueue[str]("test", FakeClock())
    for key in ("a", "b"):
        queue.add(key)
    for key in ("x", "y"):
        queue.add(key, urgent=True)
    assert len(queue) == 4
    assert [await queue.get() for _ in range(4)] == ["x", "y", "a", "b"]


async def test_a_key_that_waits_already_can_become_urgent() -> None:
    queue = WorkQueue[str]("test", FakeClock())
    for key in ("a", "b", "c"):
        queue.add(key)
    queue.add("c", urgent=True)
    queue.add("c")
    assert [await queue.get() for _ in range(3)] == ["c", "a", "b"]
    assert len(queue) == 0


async def test_a_key_in_work_that_becomes_urgent_comes_back_first() -> None:
    queue = WorkQueue[str]("test", FakeClock())
    queue.add("a")
    assert await queue.get() == "a"
    queue.add("b")
    queue.add("a", urgent=True)
    queue.done("a")
    assert [await queue.get(), await queue.get()] == ["a", "b"]
    queue.done("a")
    queue.add("c")
    queue.add("a")
    assert [await queue.get(), await queue.get()] == ["c", "a"]


async def test_a_key_that_is_not_urgent_gets_its_turn_while_urgent_ones_keep_coming() -> None:
    queue = WorkQueue[str]("test", FakeClock())
    queue.add("quiet")
    taken = []
    for number in range(20):
        queue.add(f"urgent{number}", urgent=True)
        queue.add(f"more{number}", urgent=True)
        taken.append(await queue.get())
    assert "quiet" in taken
    assert taken[:3] == ["urgent0", "more0", "urgent1"]
