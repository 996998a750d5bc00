"""A TCP relay to one address, in a thread of its own: connections through it can be cut, refused or held back."""

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress
from enum import Enum, auto
from types import TracebackType
from typing import Any, Self, TypeVar

R = TypeVar("R")
CHUNK = 65536
START_SECONDS = 10.0


class Passage(Enum):
    """What happens to bytes and connections."""

    OPEN = auto()
    REFUSED = auto()
    """New connections are closed at once."""
    HELD = auto()
    """Connections stand, and nothing goes through them in either direction until it is open again."""


class Relay:
    """Listens on `port` of the loopback address while it is entered, and passes everything on to `host`:`target`."""

    def __init__(self, host: str, target: int) -> None:
        """Prepare; nothing listens before it is entered."""
        self.host = host
        self.target = target
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="relay", daemon=True)
        self._writers: set[asyncio.StreamWriter] = set()
        self._passage = Passage.OPEN
        self._open = asyncio.Event()
        self._held = 0

    def __enter__(self) -> Self:
        """Listen on a free port."""
        self._thread.start()
        self.port = self._call(self._listen())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Cut everything and listen no more."""
        self._call(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def turn(self, passage: Passage) -> None:
        """Change what happens from now on; REFUSED cuts what stands too."""
        self._call(self._turn(passage))

    def cut(self) -> int:
        """Close all connections, and say how many there were; new ones are let through as before."""
        return self._call(self._cut())

    @property
    def held(self) -> int:
        """How many pieces of data have been held back so far."""
        return self._held

    def _call(self, work: Coroutine[Any, Any, R]) -> R:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(START_SECONDS)

    async def _listen(self) -> int:
        self._open.set()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def _end(self) -> None:
        self._server.close()
        self._open.set()
        await self._cut()
        if others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others, timeout=START_SECONDS / 2)

    async def _turn(self, passage: Passage) -> None:
        self._passage = passage
        (self._open.clear if passage is Passage.HELD else self._open.set)()
        if passage is Passage.REFUSED:
            await self._cut()

    async def _cut(self) -> int:
        count = len(self._writers) // 2
        for writer in list(self._writers):
            writer.close()
        return count

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._passage is Passage.REFUSED:
            writer.close()
            return
        try:
            there, back = await asyncio.open_connection(self.host, self.target)
        except OSError:
            writer.close()
            return
        self._writers |= {writer, back}
        await asyncio.gather(self._pump(reader, back), self._pump(there, writer))
        self._writers -= {writer, back}

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        """Pass on until one side ends; then the other one ends too."""
        with suppress(OSError):
            while data := await source.read(CHUNK):
                self._held += not self._open.is_set()
                await self._open.wait()
                sink.write(data)
                await sink.drain()
        sink.close()
