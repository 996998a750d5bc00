"""A queue of keys with the guarantees of client-go's work queue.

- A key waits at most once, however often it is added.
- One worker a key: what is added while its key is in work comes back once that work is done.
- `add_after` never delays a key that waits already, and keeps the earliest of several times.
- Urgent keys are handed out before others, each kind in the order in which it came; but every eighth turn is that of
  one that is not, so that nothing waits for ever where urgent keys keep coming.
- After `shutdown` nothing more is handed out.
"""

import asyncio
import heapq
import random as system_random
from collections import deque
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Generic, TypeVar

from libdnsapi.runtime.backoff import Backoff, Random, TokenBucket
from libdnsapi.runtime.clock import Clock
from libdnsapi.runtime.metrics import Metrics

URGENT_IN_A_ROW = 7
"""Urgent keys that are handed out while others wait, before one of those is."""

K = TypeVar("K", bound=Hashable)
N = TypeVar("N", int, float)


class QueueShutDownError(Exception):
    """The queue hands out nothing more."""


@dataclass(frozen=True, slots=True)
class QueueView:
    """A queue at one moment: how many keys are in each state, and the first of them with seconds or counts."""

    depth: int
    in_work: int
    delayed: int
    retried: int
    waiting_seconds: dict[str, float]
    """Since they were added, longest first; also keys that wait for the end of work on themselves."""
    working_seconds: dict[str, float]
    """Since they were taken, longest first."""
    due_in_seconds: dict[str, float]
    """Until they are added, soonest first."""
    failures: dict[str, int]
    """Rate-limited additions since the last success, most first."""


class WorkQueue(Generic[K]):
    """Keys to be worked on; used from one event loop."""

    def __init__(
        self,
        name: str,
        clock: Clock,
        *,
        backoff: Backoff | None = None,
        bucket: TokenBucket | None = None,
        metrics: Metrics | None = None,
        random: Random = system_random.random,
    ) -> None:
        """Start empty; `bucket` also bounds the rate of retries over all keys."""
        self._clock = clock
        self._backoff = backoff or Backoff()
        self._bucket = bucket
        self._random = random
        self._ready: dict[K, None] = {}
        self._urgent: dict[K, None] = {}
        self._marked_urgent: set[K] = set()
        self._urgent_in_a_row = 0
        self._dirty: dict[K, float] = {}
        self._working: dict[K, float] = {}
        self._failures: dict[K, int] = {}
        self._delayed = _Delays[K]()
        self._alarm: asyncio.Task[None] | None = None
        self._waiters: deque[asyncio.Future[None]] = deque()
        self._shut_down = False
        self._resting = False
        self._measure(name, metrics or Metrics())

    def __len__(self) -> int:
        """Return how many keys wait to be handed out."""
        return len(self._ready) + len(self._urgent)

    @property
    def pending(self) -> int:
        """How many keys wait or are in work; delayed ones are not counted."""
        return len(self._dirty.keys() | self._working.keys())

    def view(self, limit: int) -> QueueView:
        """Return the state of the queue, with at most `limit` keys of each kind."""
        now = self._clock.monotonic()
        due = self._delayed.due()
        return QueueView(
            depth=len(self._dirty),
            in_work=len(self._working),
            delayed=len(due),
            retried=len(self._failures),
            waiting_seconds=_first(limit, {key: now - added for key, added in self._dirty.items()}),
            working_seconds=_first(limit, {key: now - taken for key, taken in self._working.items()}),
            due_in_seconds=_first(limit, {key: at - now for key, at in due.items()}, smallest=True),
            failures=_first(limit, self._failures),
        )

    def rest(self) -> None:
        """Count nothing as waiting: nobody takes keys, as in a process that stands by."""
        self._resting = True

    def start(self) -> None:
        """Count waiting from now: until now nobody was there to take a key."""
        self._resting = False
        now = self._clock.monotonic()
        self._dirty = dict.fromkeys(self._dirty, now)

    def add(self, key: K, *, urgent: bool = False) -> None:
        """Have the key worked on as soon as may be; an urgent one before all that are not."""
        if self._shut_down:
            return
        if urgent:
            self._mark_urgent(key)
        if key in self._dirty:
            return
        self._adds.inc()
        self._dirty[key] = self._clock.monotonic()
        if key not in self._working:
            self._make_ready(key)

    def add_after(self, key: K, delay: timedelta) -> None:
        """Have the key added when the delay is over."""
        if self._shut_down:
            return
        if delay <= timedelta():
            self.add(key)
        elif self._delayed.put(key, self._clock.monotonic() + delay.total_seconds()):
            self._set_alarm()

    def add_rate_limited(self, key: K, *, at_least: timedelta = timedelta()) -> None:
        """Have the key added after a delay that grows with each call until it is forgotten."""
        failures = self._failures.get(key, 0)
        self._failures[key] = failures + 1
        self._retries.inc()
        delay = max(at_least, self._backoff.delay(failures, self._random))
        if self._bucket is not None:
            delay = max(delay, self._bucket.reserve(self._clock.monotonic()))
        self.add_after(key, delay)

    def failures(self, key: K) -> int:
        """Return how often the key was added rate-limited since it was last forgotten."""
        return self._failures.get(key, 0)

    def forget(self, key: K) -> None:
        """Let the key's next rate-limited delay be the first one again."""
        self._failures.pop(key, None)

    async def get(self) -> K:
        """Wait for a key and take it into work; raises QueueShutDownError. Every key taken must be `done`."""
        while not self._shut_down:
            if len(self):
                return self._take()
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            try:
                await waiter
            except asyncio.CancelledError:
                self._pass_on(waiter)
                raise
        raise QueueShutDownError

    def done(self, key: K) -> None:
        """End the work on a key; if it was added meanwhile, it waits again."""
        started = self._working.pop(key, None)
        if started is None:
            return
        self._work_seconds.observe(self._clock.monotonic() - started)
        if key in self._dirty:
            self._make_ready(key)

    def shutdown(self) -> None:
        """Hand out nothing more, drop what waits and wake all who wait for keys."""
        self._shut_down = True
        self._ready.clear()
        self._urgent.clear()
        self._marked_urgent.clear()
        self._dirty.clear()
        if self._alarm is not None:
            self._alarm.cancel()
        while self._waiters:
            self._wake_one()

    def _take(self) -> K:
        line = self._line()
        key = next(iter(line))
        del line[key]
        self._marked_urgent.discard(key)
        now = self._clock.monotonic()
        self._wait_seconds.observe(now - self._dirty.pop(key))
        self._working[key] = now
        return key

    def _line(self) -> dict[K, None]:
        """Return the keys of which one is handed out next."""
        if not self._ready or not self._urgent or self._urgent_in_a_row >= URGENT_IN_A_ROW:
            self._urgent_in_a_row = 0
            return self._ready or self._urgent
        self._urgent_in_a_row += 1
        return self._urgent

    def _make_ready(self, key: K) -> None:
        line = self._urgent if key in self._marked_urgent else self._ready
        line[key] = None
        self._wake_one()

    def _mark_urgent(self, key: K) -> None:
        """Have a key handed out early, now or when the work on it is done."""
        self._marked_urgent.add(key)
        if key in self._ready:
            del self._ready[key]
            self._urgent[key] = None

    def _wake_one(self) -> None:
        while self._waiters:
            waiter = self._waiters.popleft()
            if not waiter.done():
                waiter.set_result(None)
                return

    def _pass_on(self, waiter: "asyncio.Future[None]") -> None:
        """Give a wake-up that reached a cancelled worker to another one."""
        if waiter.done() and not waiter.cancelled() and len(self):
            self._wake_one()

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self._alarm = asyncio.get_running_loop().create_task(self._ring())

    async def _ring(self) -> None:
        while (due := self._delayed.next_due()) is not None:
            await self._clock.sleep(timedelta(seconds=due - self._clock.monotonic()))
            for key in self._delayed.take_due(self._clock.monotonic()):
                self.add(key)

    def _measure(self, name: str, metrics: Metrics) -> None:
        self._adds = metrics.queue_adds.labels(name, name)
        self._retries = metrics.queue_retries.labels(name, name)
        self._wait_seconds = metrics.queue_wait_seconds.labels(name, name)
        self._work_seconds = metrics.queue_work_seconds.labels(name, name)
        metrics.queue_depth.labels(name, name).set_function(lambda: 0.0 if self._resting else float(len(self)))
        metrics.queue_unfinished_seconds.labels(name, name).set_function(lambda: sum(self._ages()))
        metrics.queue_longest_seconds.labels(name, name).set_function(lambda: max(self._ages(), default=0.0))

    def _ages(self) -> list[float]:
        """Seconds that each key in work has taken; a copy, since metrics are read in another thread."""
        now = self._clock.monotonic()
        return [now - started for started in list(self._working.values())]


class _Delays(Generic[K]):
    """Keys with the monotonic second at which each is due; a heap whose outdated entries are skipped."""

    def __init__(self) -> None:
        self._due: dict[K, float] = {}
        self._heap: list[tuple[float, int, K]] = []
        self._serial = 0

    def put(self, key: K, due: float) -> bool:
        """Keep the key, at the earliest of its times, and say whether it is now the first of all."""
        if key in self._due and self._due[key] <= due:
            return False
        first = self.next_due()
        self._due[key] = due
        self._serial += 1
        heapq.heappush(self._heap, (due, self._serial, key))
        return first is None or due < first

    def due(self) -> dict[K, float]:
        """Return all keys with the seconds at which they are due."""
        return self._due

    def next_due(self) -> float | None:
        """Return when the first key is due, None without any."""
        while self._heap:
            due, _, key = self._heap[0]
            if self._due.get(key) == due:
                return due
            heapq.heappop(self._heap)
        return None

    def take_due(self, now: float) -> list[K]:
        """Remove and return the keys whose time has come, earliest first."""
        keys = []
        while (due := self.next_due()) is not None and due <= now:
            key = heapq.heappop(self._heap)[2]
            del self._due[key]
            keys.append(key)
        return keys


def _first(limit: int, keys: Mapping[K, N], *, smallest: bool = False) -> dict[str, N]:
    """Return the keys with the largest values (or the smallest), by name, in that order."""
    pick = heapq.nsmallest if smallest else heapq.nlargest
    found = pick(limit, keys.items(), key=lambda item: item[1])
    return {str(key): value for key, value in found}
