"""How long to wait: exponential back-off with jitter, and a token bucket. Pure but for the given randomness."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

Random = Callable[[], float]
"""Returns a number in [0, 1), as random.random does."""
MOST_DOUBLINGS = 30
"""More lead past any limit, and in the end out of what a timedelta holds."""


def doubled(first: timedelta, failures: int, limit: timedelta) -> timedelta:
    """Return the wait after one or more failures in a row: `first` after one, then twice the last, up to `limit`."""
    return min(first * (1 << min(failures - 1, MOST_DOUBLINGS)), limit)


@dataclass(frozen=True, slots=True)
class Backoff:
    """Delays that double from `first` to `limit`.

    `jitter` is the largest share by which a delay is lengthened (0.5: up to half as much again), so that many
    keys that failed together do not come back together.
    """

    first: timedelta = timedelta(milliseconds=5)
    limit: timedelta = timedelta(seconds=1000)
    jitter: float = 0.1

    def delay(self, failures: int, random: Random) -> timedelta:
        """Return the wait after so many failures in a row, the first one being 0."""
        doubled = self.first.total_seconds() * 2.0 ** min(failures, 60)
        capped = min(doubled, self.limit.total_seconds())
        return timedelta(seconds=capped * (1.0 + self.jitter * random()))


class TokenBucket:
    """A bucket of `burst` tokens that fills with `rate` tokens a second; times are monotonic seconds."""

    def __init__(self, rate: float, burst: float) -> None:
        """Start full."""
        self._rate = rate
        self._burst = burst
        self._tokens = float(burst)
        self._filled_at: float | None = None

    def reserve(self, now: float) -> timedelta:
        """Take a token, on credit where there is none, and return how long to wait before using it."""
        self._fill(now)
        self._tokens -= 1
        return timedelta(seconds=max(0.0, -self._tokens / self._rate))

    def try_take(self, now: float) -> bool:
        """Take a token if there is a whole one, and say whether there was."""
        self._fill(now)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def _fill(self, now: float) -> None:
        if self._filled_at is not None:
            self._tokens = min(self._burst, self._tokens + max(0.0, now - self._filled_at) * self._rate)
        self._filled_at = now
