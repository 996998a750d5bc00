"""Wait for a state with a deadline; nothing in the suite sleeps for a fixed time and hopes."""

import http.client
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

POLL_SECONDS = 0.1
WITHIN_SECONDS = 120.0
"""Long: it costs nothing while all is well, and other machines are slower than the one that this is written on."""

PASSING = (AssertionError, LookupError, OSError, RuntimeError, http.client.HTTPException)
"""What may be raised while the state is not there yet."""


class DeadlineError(AssertionError):
    """The state was not reached in time; the message says what was seen last."""


def eventually(
    observe: Callable[[], T],
    holds: Callable[[T], bool] = bool,
    *,
    within: float = WITHIN_SECONDS,
    what: str = "the expected state",
) -> T:
    """Call `observe` until `holds` is true of its result, and return that result.

    Raises DeadlineError after `within` seconds, with the last result or error.
    """
    deadline = time.monotonic() + within
    while True:
        try:
            seen = observe()
        except PASSING as error:
            last = repr(error)
        else:
            if holds(seen):
                return seen
            last = repr(seen)
        if time.monotonic() > deadline:
            raise DeadlineError(f"{what} was not reached within {within:g} s; last seen: {last[:4000]}")
        time.sleep(POLL_SECONDS)
