"""Time as a value: the only door to the system's clock, so that tests own theirs."""

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Protocol, TypeVar

R = TypeVar("R")

BATCH = 500
"""Objects that are worked on at a time: some milliseconds, in which leases and health have to wait."""


class Clock(Protocol):
    """What the runtime asks of time."""

    def now(self) -> datetime:
        """Return the wall-clock time, aware and in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds that never go back; only differences mean anything."""
        ...

    async def sleep(self, duration: timedelta) -> None:
        """Wait; zero and negative durations only give way to other tasks."""
        ...


class SystemClock:
    """The machine's own clocks."""

    def now(self) -> datetime:
        """Return the wall-clock time, aware and in UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Return the system's monotonic seconds."""
        return time.monotonic()

    async def sleep(self, duration: timedelta) -> None:
        """Wait on the event loop."""
        await asyncio.sleep(max(0.0, duration.total_seconds()))


async def in_batches(objects: Sequence[R]) -> AsyncGenerator[Sequence[R], None]:
    """Yield a sequence in pieces of BATCH, and let other tasks have their turn between two of them."""
    for start in range(0, len(objects), BATCH):
        if start:
            await asyncio.sleep(0)
        yield objects[start : start + BATCH]


async def bounded(clock: Clock, limit: timedelta, work: Awaitable[R]) -> R:
    """Await `work` for at most `limit` on the given clock; raise TimeoutError (and cancel the work) after it.

    The bound holds even where the work ignores its cancellation: it is then left behind, never waited for.
    """
    task = asyncio.ensure_future(work)
    task.add_done_callback(_look_away)
    alarm = asyncio.ensure_future(clock.sleep(limit))
    try:
        await asyncio.wait({task, alarm}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise TimeoutError
        return task.result()
    finally:
        alarm.cancel()
        task.cancel()


def _look_away(task: asyncio.Future[R]) -> None:
    """Take notice of the error of a task that nobody waits for any more."""
    if not task.cancelled():
        task.exception()


def micro_time(moment: datetime) -> str:
    """Write a MicroTime as the API server stores it, e.g. `2026-01-02T03:04:05.000006Z`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
