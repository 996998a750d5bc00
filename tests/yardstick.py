"""Processor time by the pace of this machine at this moment, so that bounds on it mean the same on every machine."""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from e2e.pace import yardstick

ATTEMPTS = 10
REFERENCE_SECONDS = 0.0098
"""What the yardstick took where the bounds were set."""


class Stopwatch:
    """Measures a block: `seconds` of processor time, divided by how much slower than there Python is here and now.

    A machine may be slow, and what others do to it (a busy sibling of the core, emptied caches) costs time that counts
    as ours; both lengthen the yardstick, too, which is held to it before and after.
    """

    def __init__(self) -> None:
        """Nothing is measured yet."""
        self.seconds = float("inf")
        self._began, self._before = 0.0, 0.0

    def __enter__(self) -> Self:
        """Begin."""
        self._before = yardstick(time.process_time)
        self._began = time.process_time()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End, whatever came of it."""
        spent = time.process_time() - self._began
        self.seconds = spent * REFERENCE_SECONDS / max(REFERENCE_SECONDS, self._before, yardstick(time.process_time))


def least_seconds(work: Callable[[], object], limit: float) -> float:
    """Return the least that `work` took; it is done until it took less than `limit`, at most ATTEMPTS times."""
    least = float("inf")
    for _ in range(ATTEMPTS):
        with Stopwatch() as watch:
            work()
        least = min(least, watch.seconds)
        if least < limit:
            break
    return least
