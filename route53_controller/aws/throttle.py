"""The request budget of one AWS account: a token bucket with priorities, fairness and adaptive slow-down.

Route 53 limits requests by account, so all hosted zones of an account share one budget in this process
(beyond-the-seeds 5). Guarantees:

- At most `burst` requests at once and `rate` a second in the long run; drift checks at most half of both.
- Lower priorities wait for higher ones, but a step in priority is worth no more than `PATIENCE` of waiting. Waiting
  counts from the last refusal on: while calls are refused nobody is overtaken, and users' changes drain first.
- Inside a priority, hosted zones take turns, however many requests each of them has waiting.
- What waits for a hosted zone can be hurried: then it goes with the changes of users, one of which waits behind it.
- An answer that asks for fewer requests halves the rate (once a second at most) and empties the bucket; each
  success then wins a part of it back.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from libdnsapi.runtime.clock import Clock
from route53_controller.aws.api import Priority
from route53_controller.aws.metrics import BudgetGauges

PATIENCE = timedelta(seconds=30)
_PATIENCE = PATIENCE.total_seconds()
DRIFT_SHARE = 0.5
SLOWEST = 1 / 32
SLOW_DOWN = 0.5
SPEED_UP = 1.15
HALVING_INTERVAL = 1.0
_ROUNDING = 1e-9
_SHORTEST_PAUSE = 0.001


@dataclass(frozen=True, slots=True)
class Limits:
    """What one account may be asked: requests a second in the long run, and at once."""

    rate: float = 5.0
    burst: float = 10.0


class Bucket:
    """Tokens that fill with time; times are monotonic seconds."""

    def __init__(self, limits: Limits, now: float) -> None:
        """Start full."""
        self.rate = limits.rate
        self.tokens = limits.burst
        self._burst = limits.burst
        self._filled_at = now

    def fill(self, now: float) -> None:
        """Add what has come since the last time."""
        gained = max(0.0, now - self._filled_at) * self.rate
        self.tokens = min(self._burst, self.tokens + gained)
        self._filled_at = now

    def wait(self) -> float:
        """Return how many seconds it takes until there is a whole token."""
        missing = 1.0 - self.tokens
        return missing / self.rate if missing > _ROUNDING else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class _Waiter:
    zone: str
    since: float
    granted: asyncio.Future[None]


class _Line:
    """Those who wait at one priority; zones take turns."""

    def __init__(self) -> None:
        self._zones: OrderedDict[str, deque[_Waiter]] = OrderedDict()

    def add(self, waiter: _Waiter) -> None:
        self._zones.setdefault(waiter.zone, deque()).append(waiter)

    def oldest(self) -> float | None:
        """Return since when the longest waiting one waits; those who gave up are left out."""
        self._drop_gone()
        return min((waiters[0].since for waiters in self._zones.values()), default=None)

    def take(self) -> _Waiter:
        """Take the first one of the zone whose turn it is; that zone is last in the next round."""
        zone, waiters = next(iter(self._zones.items()))
        waiter = waiters.popleft()
        if waiters:
            self._zones.move_to_end(zone)
        else:
            del self._zones[zone]
        return waiter

    def leave(self, zone: str) -> Iterable[_Waiter]:
        """Take all of a zone out of the line, in order."""
        return self._zones.pop(zone, ())

    def _drop_gone(self) -> None:
        for zone, waiters in list(self._zones.items()):
            while waiters and waiters[0].granted.done():
                waiters.popleft()
            if not waiters:
                del self._zones[zone]


class Budget:
    """One account's budget; used from one event loop."""

    def __init__(self, limits: Limits, clock: Clock, gauges: BudgetGauges) -> None:
        """Start full and at full rate."""
        now = clock.monotonic()
        self._clock = clock
        self._gauges = gauges
        self._limits = limits
        self._all = Bucket(limits, now)
        self._drift = Bucket(Limits(limits.rate * DRIFT_SHARE, max(1.0, limits.burst * DRIFT_SHARE)), now)
        self._lines = {priority: _Line() for priority in Priority}
        self._share = 1.0
        self._halved_at = float("-inf")
        self._refused_at = float("-inf")
        self._pump: asyncio.Task[None] | None = None
        self._pump_due = float("inf")
        gauges.watch(self.tokens)

    @property
    def share(self) -> float:
        """Which part of the configured rate is in use, from 1/32 to 1."""
        return self._share

    def tokens(self) -> float:
        """Return how many requests could be sent at once now."""
        self._all.fill(self._clock.monotonic())
        return self._all.tokens

    async def acquire(self, priority: Priority, zone: str) -> None:
        """Wait until a request for this hosted zone may be sent at this priority."""
        since = self._clock.monotonic()
        waiter = _Waiter(zone, since, asyncio.get_running_loop().create_future())
        self._lines[priority].add(waiter)
        self._schedule(self._grant())
        await waiter.granted
        self._gauges.waited(priority, self._clock.monotonic() - since)

    def hurry(self, zone: str) -> None:
        """Let what waits for this hosted zone go with the changes of users."""
        for priority in (Priority.VERIFY, Priority.DRIFT):
            for waiter in self._lines[priority].leave(zone):
                self._lines[Priority.USER].add(waiter)
        self._schedule(self._grant())

    def slow_down(self) -> None:
        """Take notice of an answer that asks for fewer requests."""
        self._refused_at = now = self._clock.monotonic()
        if now - self._halved_at < HALVING_INTERVAL:
            return
        self._halved_at = now
        self._fill(now)
        self._all.tokens = min(self._all.tokens, 0.0)
        self._set_share(max(SLOWEST, self._share * SLOW_DOWN))

    def speed_up(self) -> None:
        """Take notice of a request that was not throttled."""
        if self._share < 1.0:
            self._fill(self._clock.monotonic())
            self._set_share(min(1.0, self._share * SPEED_UP))

    def _set_share(self, share: float) -> None:
        self._share = share
        self._all.rate = self._limits.rate * share
        self._drift.rate = self._all.rate * DRIFT_SHARE
        self._gauges.share(share)

    def _fill(self, now: float) -> None:
        self._all.fill(now)
        self._drift.fill(now)

    def _grant(self) -> float | None:
        """Hand out what can be handed out; return the seconds until there is more, None when nobody waits."""
        self._fill(self._clock.monotonic())
        while (priority := self._next()) is not None:
            wait = self._wait_for(priority)
            if wait > 0:
                return wait
            self._all.tokens -= 1
            if priority is Priority.DRIFT:
                self._drift.tokens -= 1
            self._lines[priority].take().granted.set_result(None)
        return None

    def _next(self) -> Priority | None:
        """Return whose turn it is: the one who waits shortest, then by priority weighed against time waited."""
        oldest = {priority: line.oldest() for priority, line in self._lines.items()}
        since = {priority: max(one, self._refused_at) for priority, one in oldest.items() if one is not None}
        return min(since, key=lambda line: (self._wait_for(line), since[line] + line * _PATIENCE, line), default=None)

    def _wait_for(self, priority: Priority) -> float:
        wait = self._all.wait()
        return max(wait, self._drift.wait()) if priority is Priority.DRIFT else wait

    def _schedule(self, wait: float | None) -> None:
        """Have the next token handed out when it is there, earlier than planned if need be."""
        if wait is None:
            return
        due = self._clock.monotonic() + wait
        if self._pump is not None and not self._pump.done():
            if self._pump_due <= due:
                return
            self._pump.cancel()
        self._pump_due = due
        self._pump = asyncio.create_task(self._run_pump(wait), name="route53-budget")

    async def _run_pump(self, first: float) -> None:
        """Hand out tokens as they come, until nobody waits."""
        wait: float | None = first
        while wait is not None:
            pause = max(_SHORTEST_PAUSE, wait)
            self._pump_due = self._clock.monotonic() + pause
            await self._clock.sleep(timedelta(seconds=pause))
            wait = self._grant()
