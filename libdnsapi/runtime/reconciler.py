"""What a service gives to the loop: a function of a key that makes the world agree with the key's object."""

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol, TypeVar

K_contra = TypeVar("K_contra", bound=Hashable, contravariant=True)


@dataclass(frozen=True, slots=True)
class Result:
    """A reconcile that went well; with `requeue_after` the key comes back then, without any event."""

    requeue_after: timedelta | None = None


class Reconciler(Protocol[K_contra]):
    """The logic of one controller.

    It reads the state again each time (the key says where, never what changed), and may run any number of times
    for one change. It never runs twice at once for one key. It raises TerminalError where trying again cannot
    help, and lets every other error through: the loop owns the retry policy.
    """

    async def reconcile(self, key: K_contra) -> Result:
        """Make the world agree with the object at this key, which may be gone."""
        ...
