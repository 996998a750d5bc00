"""Wait for a state with a deadline; nothing in the suite sleeps for a fixed time and hopes."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

POLL_SECONDS = 0.1


class DeadlineError(AssertionError):
    """The state was not reached in time; the message says what was seen last."""


def eventually(
    observe: Callable[[], T],
    holds: Callable[[T], bool] = bool,
    *,
    within: float = 30.0,
    what: str = "the expected state",
) -> T:
    """Call `observe` until `holds` is true of its result, and return that result.

    Raises DeadlineError after `within` seconds, with the last result or error.
    """
    deadline = time.monotonic() + within
    while True:
        try:
            seen = observe()
        except (AssertionError, LookupError, OSError, RuntimeError) as error:
            last = repr(error)
        else:
            if holds(seen):
                return seen
            last = repr(seen)
        if time.monotonic() > deadline:
            raise DeadlineError(f"{what} was not reached within {within:g} s; last seen: {last[:4000]}")
        time.sleep(POLL_SECONDS)
