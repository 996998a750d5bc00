"""The HTTPS server: routes of the path table, limits on what is read, and a graceful end.

Bodies are read by hand and parsed with orjson; declaring them as parameters would cost a third more per request.
"""

import asyncio
import contextlib
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from http import HTTPStatus

import orjson
import uvicorn
from fastapi import FastAPI, Request, Response

from libdnsapi.runtime.errors import cannot_listen
from webhook.conversion.review import MalformedConversionError, converted
from webhook.dispatch import Dispatcher
from webhook.entries import BY_PATH

MAX_BODY = 1024 * 1024
"""Bytes of a request's body that are read; a longer one is refused unread."""
LARGE_BODY = 4 * 1024 * 1024
"""The same for ledgers and Providers: an update carries the object twice, and etcd takes one of 1.5 MiB, which is what
a ledger that keeps a whole zone in one object can be; what was stored once must be deletable, too. The API server sends
reviews only of those who may write such objects at all."""
JSON = "application/json"
CONVERT_PATH = "/convert"
SHUTDOWN_SECONDS = 10
KEEP_ALIVE_SECONDS = 120
"""Longer than the 90 s that the API server keeps an idle connection, so that it is never the server who hangs up."""

Answering = Callable[[str, bytes], Awaitable[Response]]


def application(dispatcher: Dispatcher, max_body: int = MAX_BODY) -> FastAPI:
    """Return the application: every path of the table and `/convert`, POST only, without documentation pages."""
    app = FastAPI(title="dnsapi webhook", docs_url=None, redoc_url=None, openapi_url=None)

    async def review(path: str, body: bytes) -> Response:
        reply = await dispatcher.reply(path, body)
        return Response(reply.body, reply.status, media_type=JSON)

    for path, entry in BY_PATH.items():
        limit = max(max_body, LARGE_BODY) if entry.guards_deletion else max_body
        app.add_api_route(path, _endpoint(review, limit), methods=["POST"])
    app.add_api_route(CONVERT_PATH, _endpoint(_convert, max_body), methods=["POST"])
    return app


def _endpoint(answer: Answering, max_body: int) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media_type != JSON:
            return _refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"the content type must be {JSON}")
        body = await _read(request, max_body)
        if body is None:
            return _refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the body must be at most {max_body} bytes")
        return await answer(request.url.path, body)

    return endpoint


async def _convert(path: str, body: bytes) -> Response:
    del path
    try:
        return Response(orjson.dumps(converted(body)), media_type=JSON)
    except MalformedConversionError as error:
        return _refused(HTTPStatus.BAD_REQUEST, str(error))


async def _read(request: Request, limit: int) -> bytes | None:
    """Return the body, None as soon as it is known to be too long."""
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and int(announced) > limit:
        return None
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            return None
    return bytes(body)


def _refused(status: HTTPStatus, message: str) -> Response:
    """Refuse a request without reading on: the connection closes, since an unread rest would confuse the next one."""
    return Response(orjson.dumps({"message": message}), status, media_type=JSON, headers={"connection": "close"})


class _QuietServer(uvicorn.Server):
    """A server that leaves signals to the process's own main."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def listening_socket(host: str, port: int) -> socket.socket:
    """Bind a TCP socket, port 0 for a free one; raises CannotListenError where the port is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio turns Nagle's algorithm off only where the protocol is given by number; with it, an answer takes 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise cannot_listen(f"{host}:{port}", "--address", error) from None
    return listener


class HttpsServer:
    """uvicorn on one socket with one TLS context, which may take up new certificates while it serves."""

    def __init__(
        self, app: FastAPI, listener: socket.socket, tls: ssl.SSLContext, drain: timedelta = timedelta()
    ) -> None:
        """Prepare; nothing is accepted before `run`, and `drain` is how long it goes on after it is told to end."""
        config = uvicorn.Config(
            app,
            http="httptools",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            ssl_context_factory=lambda config, default: tls,
        )
        self._server = _QuietServer(config)
        self._listener = listener
        self._drain = drain

    @property
    def port(self) -> int:
        """The port that is really listened on."""
        port: int = self._listener.getsockname()[1]
        return port

    @property
    def is_serving(self) -> bool:
        """Whether requests are accepted now."""
        return self._server.started and not self._server.should_exit

    async def run(self) -> None:
        """Serve until `stop` or cancellation; requests in flight are answered first.

        After a cancellation new connections are still taken for the time of `drain`: a Service sends them here until
        every node has heard that this pod is no longer ready.
        """
        serving = asyncio.ensure_future(self._server.serve(sockets=[self._listener]))
        try:
            await asyncio.shield(serving)
        except asyncio.CancelledError:
            await asyncio.wait({serving}, timeout=self._drain.total_seconds())
            self.stop()
            await serving
            raise

    def stop(self) -> None:
        """Accept nothing more and end when all is answered."""
        self._server.should_exit = True
