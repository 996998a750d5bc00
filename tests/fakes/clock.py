"""A clock that only moves when a test says so."""

import asyncio
import heapq
from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 1, tzinfo=UTC)
TURNS = 25


async def settle(turns: int = TURNS) -> None:
    """Let all tasks run until they wait for something that is not ready."""
    for _ in range(turns):
        await asyncio.sleep(0)


class FakeClock:
    """A libdnsapi.runtime.clock.Clock for tests; sleepers wake when `advance` passes their time, in order."""

    def __init__(self, start: datetime = START) -> None:
        """Begin at a moment, with monotonic second 0."""
        self._start = start
        self._elapsed = 0.0
        self._serial = 0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self.slept: list[timedelta] = []
        """Every duration that something slept for, in order, zeros left out."""

    def now(self) -> datetime:
        """Return the fake wall-clock time."""
        return self._start + timedelta(seconds=self._elapsed)

    def monotonic(self) -> float:
        """Return the fake seconds since the start."""
        return self._elapsed

    async def sleep(self, duration: timedelta) -> None:
        """Wait until the test has advanced the clock that far."""
        if duration <= timedelta():
            await asyncio.sleep(0)
            return
        self.slept.append(duration)
        self._serial += 1
        sleeper: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._elapsed + duration.total_seconds(), self._serial, sleeper))
        await sleeper

    def jump(self, duration: timedelta) -> None:
        """Move on without waking anybody: for code that only reads the time."""
        self._elapsed += duration.total_seconds()

    async def advance(self, duration: timedelta) -> None:
        """Move on, waking each sleeper at its own time and letting what it started run."""
        target = self._elapsed + duration.total_seconds()
        await settle()
        while self._sleepers and self._sleepers[0][0] <= target:
            due, _, sleeper = heapq.heappop(self._sleepers)
            self._elapsed = max(self._elapsed, due)
            if not sleeper.done():
                sleeper.set_result(None)
                await settle()
        self._elapsed = max(self._elapsed, target)
        await settle()
