"""How busy and how slow this machine is, for promises that are made in seconds."""

import time
from collections.abc import Callable

REFERENCE_SECONDS = 0.1952
"""What the measurement takes on the quiet machine on which the promises were made."""
_PARTS = 20
_ROUNDS = 80_000


def slowness() -> float:
    """Return how many times longer work takes here and now than on a quiet machine; at least 1."""
    spent = 0.0
    for _ in range(_PARTS):
        spent += yardstick(time.monotonic)
        time.sleep(0.01)  # as a process that waits now and then, which others run meanwhile
    return max(1.0, spent / REFERENCE_SECONDS)


def yardstick(clock: Callable[[], float]) -> float:
    """Return the seconds of a clock that a piece of work takes, always the same: some ten milliseconds."""
    began = clock()
    seen: dict[str, int] = {}
    for number in range(_ROUNDS):
        key = f"k{number % 512}"
        seen[key] = seen.get(key, 0) + len(key)
    return clock() - began
