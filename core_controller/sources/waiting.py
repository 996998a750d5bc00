"""Host names that wait for a full view before anything of theirs may be withdrawn.

Whether the view is full is asked once for all of them: with a right missing it may stay partial for days, and thousands
of names that each look again every second would keep a processor busy.
"""

from collections.abc import Callable
from datetime import timedelta

from core_controller.sources.recordsets import HostKey
from libdnsapi.runtime.clock import Clock

PERIOD = timedelta(seconds=1)


class Waiting:
    """The names that wait; used from one event loop."""

    def __init__(self, complete: Callable[[], bool], add: Callable[[HostKey], None], clock: Clock) -> None:
        """Start with none; `complete` says whether the view is full, `add` has a name planned."""
        self._complete = complete
        self._add = add
        self._clock = clock
        self._hosts: set[HostKey] = set()

    def put(self, host: HostKey) -> None:
        """Have a name planned again once the view is full."""
        self._hosts.add(host)

    async def run(self) -> None:
        """Ask until cancelled."""
        while True:
            await self._clock.sleep(PERIOD)
            if self._hosts and self._complete():
                ready, self._hosts = sorted(self._hosts, key=str), set()
                for host in ready:
                    self._add(host)
