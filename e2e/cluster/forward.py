"""`python -m e2e.cluster.forward <address> <port>`: pass connections on to the same port of the loopback address."""

import asyncio
import contextlib
import sys

_CHUNK = 64 * 1024


async def serve(address: str, port: int) -> None:
    """Serve until cancelled."""
    server = await asyncio.start_server(lambda reader, writer: _forward(reader, writer, port), address, port)
    async with server:
        await server.serve_forever()


async def _forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
    try:
        there, back = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        writer.close()
        return
    await asyncio.gather(_copy(reader, back), _copy(there, writer))


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while content := await reader.read(_CHUNK):
            writer.write(content)
            await writer.drain()
    writer.close()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(sys.argv[1], int(sys.argv[2])))
