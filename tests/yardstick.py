"""How slow this machine is at this moment, so that bounds on processor time mean the same on every machine."""

import time

REFERENCE_SECONDS = 0.0025
"""What one measurement took where the bounds were set."""
_ROUNDS = 20_000


def slowness() -> float:
    """Return how many times longer Python takes here and now than where the bounds were set; at least 1.

    Ten short measurements, the quickest counts: what others do to the machine is left out as far as may be.
    """
    return max(1.0, min(_measured() for _ in range(10)) / REFERENCE_SECONDS)


def _measured() -> float:
    started = time.process_time()
    seen: dict[str, int] = {}
    for number in range(_ROUNDS):
        key = f"k{number % 512}"
        seen[key] = seen.get(key, 0) + len(key)
    return time.process_time() - started
