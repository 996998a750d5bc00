"""How a connection ends badly: cut without an answer, or in the middle of one."""

import asyncio

from fastapi import Request, Response
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class CuttableProtocol(HttpToolsProtocol):
    """uvicorn's protocol that also lets the application reach its transport."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Put the transport into the state of every request of the connection."""
        super().connection_made(transport)
        self.app_state = {**self.app_state, "transport": transport}


def cut(request: Request) -> Response:
    """Close the connection at once; the returned answer never leaves."""
    transport: asyncio.Transport = request.state.transport
    transport.abort()
    return Response(status_code=500)


async def hold(request: Request, seconds: float) -> Response:
    """Answer nothing until the client goes away or the time is over, then close."""
    try:
        async with asyncio.timeout(seconds):
            while (await request.receive())["type"] != "http.disconnect":
                continue
    except TimeoutError:
        pass
    return cut(request)


class TruncatedResponse(Response):
    """An answer that promises its whole body, stops half-way, and closes the connection."""

    def __init__(self, whole: Response) -> None:
        """Keep the headers of the whole answer."""
        super().__init__(bytes(whole.body), whole.status_code, dict(whole.headers))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the head and half of the body; uvicorn closes a connection whose answer is short."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        half = bytes(self.body)[: len(self.body) // 2]
        await send({"type": "http.response.body", "body": half, "more_body": True})
        scope["state"]["transport"].close()
