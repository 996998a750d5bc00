"""One HTTP session to the API server, and the one door where statuses and failures become errors."""

import asyncio
import os
import socket
import ssl
from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol, TypeVar

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError

from libdnsapi.runtime import errors
from libdnsapi.runtime.metrics import Metrics

R = TypeVar("R")

CONNECTIONS = 100
LONGEST_LINE = 2**21
"""aiohttp reads lines of up to twice this; the API server stores no object of 2 MiB."""

REQUEST_LIMIT = timedelta(seconds=30)
LIST_LIMIT = timedelta(seconds=120)
CONNECT_LIMIT = 10.0
SILENCE_MARGIN = timedelta(seconds=30)
TURNS_TO_CLOSE = 3
"""Turns of the event loop in which aborted connections let go of their sockets."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where an API server is; `tls` is None for plain HTTP."""

    url: str
    tls: ssl.SSLContext | None = None
    server_name: str | None = None
    proxy: str | None = None


class Credentials(Protocol):
    """Who we are; a Connection, or a test's own."""

    @property
    def endpoint(self) -> Endpoint:
        """Where the API server is."""
        ...

    async def authorization(self) -> str:
        """Return the Authorization header, "" for none."""
        ...

    async def renew(self) -> None:
        """Get new credentials: the server no longer accepts the present ones."""
        ...


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request: a path, a query, and a body with its content type."""

    method: str
    path: str
    query: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    content_type: str = "application/json"
    accept: str = "application/json"


class Transport:
    """Requests over one session; close it at the end. Must be made on the running event loop."""

    def __init__(
        self, credentials: Credentials, *, user_agent: str, metrics: Metrics, limit: timedelta = REQUEST_LIMIT
    ) -> None:
        """Open the session; `limit` bounds every request but lists and watches."""
        endpoint = credentials.endpoint
        self._credentials = credentials
        self._endpoint = endpoint
        self._metrics = metrics
        self._limit = limit
        self._user_agent = user_agent
        connector = aiohttp.TCPConnector(
            limit=CONNECTIONS, ssl=endpoint.tls if endpoint.tls is not None else True, socket_factory=_open_socket
        )
        self._session = aiohttp.ClientSession(connector=connector, trust_env=False, read_bufsize=LONGEST_LINE)

    async def close(self) -> None:
        """Close the session and its connections."""
        await self._session.close()
        for _ in range(TURNS_TO_CLOSE):
            await asyncio.sleep(0)

    async def request(self, request: HttpRequest, limit: timedelta | None = None) -> bytes:
        """Send a request and return the body of a 2xx answer; raises KubernetesError for all else."""
        seconds = (limit or self._limit).total_seconds()
        limits = aiohttp.ClientTimeout(total=seconds, sock_connect=CONNECT_LIMIT)
        with self._metrics.request_seconds.labels(request.method).time():
            async with self._open(request, limits) as response:
                return await response.read()

    async def stream(self, request: HttpRequest, lifetime: timedelta) -> AsyncGenerator[bytes, None]:
        """Send a request whose 2xx answer comes as lines, and yield them until the server ends it.

        Raises UnavailableError where the connection breaks or nothing arrives for half a minute past `lifetime`.
        """
        silence = (lifetime + SILENCE_MARGIN).total_seconds()
        limits = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_LIMIT, sock_read=silence)
        async with self._open(request, limits) as response:
            while line := await _line(response):
                yield line

    @asynccontextmanager
    async def _open(
        self, request: HttpRequest, limits: aiohttp.ClientTimeout
    ) -> AsyncGenerator[aiohttp.ClientResponse, None]:
        """Send a request, once more with renewed credentials after a 401, and check the status."""
        try:
            response = await self._send(request, limits)
            if response.status == 401:  # noqa: PLR2004 — Unauthorized
                response.release()
                await _had(self._credentials.renew())
                response = await self._send(request, limits)
            async with response:
                self._count(request, str(response.status))
                await _check(response)
                try:
                    yield response
                except BaseException:
                    _abort(response)
                    raise
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            self._count(request, "<error>")
            raise _unavailable(error) from None

    async def _send(self, request: HttpRequest, limits: aiohttp.ClientTimeout) -> aiohttp.ClientResponse:
        headers = {"Accept": request.accept, "User-Agent": self._user_agent}
        authorization = await _had(self._credentials.authorization())
        if authorization:
            headers["Authorization"] = authorization
        if request.body is not None:
            headers["Content-Type"] = request.content_type
        return await self._session.request(
            request.method,
            self._endpoint.url + request.path,
            params=request.query,
            data=request.body,
            headers=headers,
            timeout=limits,
            proxy=self._endpoint.proxy,
            server_hostname=self._endpoint.server_name,
            allow_redirects=False,
        )

    def _count(self, request: HttpRequest, code: str) -> None:
        self._metrics.requests.labels(code, request.method).inc()


async def _had(credentials: Awaitable[R]) -> R:
    """Await credentials; a plugin or a file that fails for now is a server that cannot be asked for now."""
    try:
        return await credentials
    except Exception as error:  # plugins and parsers raise anything, and quote what they read
        raise errors.UnavailableError(0, "NoCredentials", f"no credentials ({errors.describe(error)})") from None


def _abort(response: aiohttp.ClientResponse) -> None:
    """Cut the connection of an answer that nobody reads to its end: a polite TLS farewell may outlive the loop."""
    connection = response.connection
    if connection is not None and connection.transport is not None:
        connection.transport.abort()


async def _check(response: aiohttp.ClientResponse) -> None:
    if response.status // 100 == 2:  # noqa: PLR2004 — 2xx
        return
    body = await response.content.read(LONGEST_LINE)
    raise errors.from_response(response.status, body, response.headers.get("Retry-After", ""))


async def _line(response: aiohttp.ClientResponse) -> bytes:
    try:
        return await response.content.readline()
    except (ValueError, HttpProcessingError):
        raise errors.UnavailableError(0, "Unreadable", "a line of the watch is too long") from None


def _unavailable(error: Exception) -> errors.UnavailableError:
    """Say what kind of failure it was; the texts of aiohttp's errors carry URLs and stay out."""
    if isinstance(error, TimeoutError):
        return errors.UnavailableError(0, "Timeout", "the API server did not answer in time")
    return errors.UnavailableError(0, "Disconnected", f"no connection to the API server ({_cause(error)})")


def _cause(error: Exception) -> str:
    """Say why there is no connection, in words that hold no URL; else the type alone."""
    match error:
        case aiohttp.ClientConnectorCertificateError(certificate_error=ssl.SSLCertVerificationError() as refused):
            return f"its certificate is not accepted: {refused.verify_message}"
        case aiohttp.ClientSSLError():
            return type(error).__name__
        case aiohttp.ClientConnectorDNSError():
            return "its name cannot be resolved"
        case aiohttp.ClientConnectorError(os_error=OSError(errno=int() as number)) if number > 0:
            return os.strerror(number).lower()
        case _:
            return type(error).__name__


def _open_socket(address: aiohttp.AddrInfoType) -> socket.socket:
    """Open a socket whose dead peer is noticed within a minute, even while a watch has nothing to say."""
    family, kind, protocol, _, _ = address
    opened = socket.socket(family=family, type=kind, proto=protocol)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, name):
            opened.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    return opened
