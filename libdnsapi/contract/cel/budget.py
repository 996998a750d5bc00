"""The bound on one evaluation: units of work, and the caller's deadline."""

from libdnsapi.contract.cel.engine import Deadline
from libdnsapi.contract.cel.values import StoppedError

LIMIT = 100_000
"""Units of one evaluation: an iteration of a macro, an element that is looked at, or 64 characters that are."""
CHECK_EVERY = 500
"""Units between two looks at the deadline: well below a millisecond."""
MAX_LENGTH = 262_144
"""Characters or elements that one string or list made by an expression may have."""


class Budget:
    """What is left of the bound; spent by the closures of one evaluation."""

    __slots__ = ("_check_at", "_deadline", "_left")

    def __init__(self, deadline: Deadline) -> None:
        self._left = LIMIT
        self._check_at = LIMIT - CHECK_EVERY
        self._deadline = deadline

    def spend(self, units: int = 1) -> None:
        """Take units; raise StoppedError when none are left or the time is up."""
        self._left -= units
        if self._left < self._check_at:
            self._look()

    def spend_text(self, length: int) -> None:
        """Take what looking at a text of this length costs."""
        self.spend(1 + (length >> 6))

    def _look(self) -> None:
        if self._left < 0:
            raise StoppedError(f"the expression needs more than {LIMIT} steps")
        if self._deadline():
            raise StoppedError("the expression took too long")
        self._check_at = self._left - CHECK_EVERY


def bounded_length(length: int) -> int:
    """Return a length that a result may have, or raise StoppedError before it is made."""
    if length > MAX_LENGTH:
        raise StoppedError(f"the expression makes a value longer than {MAX_LENGTH}")
    return length
