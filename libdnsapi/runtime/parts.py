"""The parts of a process: tasks that should run until somebody wishes to stop, and whose death is reported."""

import asyncio
from collections.abc import Awaitable

import structlog

from libdnsapi.runtime.errors import describe, frames

Part = asyncio.Task[None]

log = structlog.get_logger(__name__)


class PartDiedError(Exception):
    """Something that should run for ever has ended; what it was has been logged."""


class Parts:
    """Watches over tasks until the wish to stop."""

    def __init__(self) -> None:
        """Begin without that wish."""
        self._stopping = asyncio.Event()
        self._reported: set[Part] = set()

    @property
    def stopping(self) -> bool:
        """Whether somebody wished to stop."""
        return self._stopping.is_set()

    def stop(self) -> None:
        """Wish to stop; may be called more than once."""
        self._stopping.set()

    async def first_end(self, parts: set[Part]) -> None:
        """Wait for the wish to stop or the end of any part."""
        wish = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait({wish, *parts}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            wish.cancel()

    async def watch_over(self, parts: set[Part]) -> bool:
        """Wait for the wish to stop or the end of any part, and say whether it was the latter."""
        await self.first_end(parts)
        failures = [self.report(part) for part in parts if part.done()]
        return any(failures)

    def report(self, part: Part) -> bool:
        """Log the end of a part, once; say whether it failed, or ended although nobody wished it."""
        if part in self._reported:
            return True
        error = None if part.cancelled() else part.exception()
        if error is not None:
            log.error("part died", part=part.get_name(), error=describe(error), frames=frames(error))
        elif not self.stopping:
            log.error("part ended", part=part.get_name())
        else:
            return False
        self._reported.add(part)
        return True


def begin(name: str, work: Awaitable[None]) -> Part:
    """Begin a part."""
    return asyncio.create_task(_awaited(work), name=name)


async def cancel(parts: set[Part]) -> None:
    """Cancel what still runs and wait for its end."""
    for part in parts:
        part.cancel()
    if parts:
        await asyncio.wait(parts)


async def _awaited(work: Awaitable[None]) -> None:
    await work
