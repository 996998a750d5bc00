"""The whole webhook in this process: fake API server behind, HTTPS on a free port in front."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import aiohttp
import orjson

from libdnsapi.api.meta import JsonObject
from libdnsapi.runtime.clock import SystemClock
from libdnsapi.runtime.manager import Manager
from tests.fakes.kubernetes import FakeKubernetes
from tests.webhook.objects import CORE, envelope
from webhook.main import assemble
from webhook.review import Review
from webhook.settings import WebhookSettings
from webhook.tls.authority import Authority, new_authority, new_leaf
from webhook.tls.pair import Pair

DEADLINE = timedelta(seconds=90)


@dataclass
class Running:
    """A webhook that serves."""

    server: FakeKubernetes
    session: aiohttp.ClientSession
    folder: Path
    authority: Authority
    port: int
    health_port: int
    stop: Callable[[], None] = lambda: None

    def url(self, path: str) -> str:
        """Return the address of a path."""
        return f"https://127.0.0.1:{self.port}{path}"

    @property
    def trust(self) -> ssl.SSLContext:
        """A client's context that trusts the webhook."""
        return ssl.create_default_context(cadata=self.authority.certificate.decode())

    async def review(self, path: str, review: Review) -> JsonObject:
        """Ask for a review and return its `response`."""
        status, body = await self.post(path, orjson.dumps(envelope(review)))
        assert status == 200, body
        document: JsonObject = orjson.loads(body)
        response = document["response"]
        assert isinstance(response, dict)
        assert response["uid"] == review.uid
        return response

    async def post(self, path: str, body: bytes, content_type: str = "application/json") -> tuple[int, bytes]:
        """Send a body and return status and answer."""
        async with self.session.post(
            self.url(path), data=BytesIO(body), headers={"Content-Type": content_type}
        ) as answer:
            return answer.status, await answer.read()

    async def health(self, path: str) -> tuple[int, str]:
        """Ask the health server."""
        async with self.session.get(f"http://127.0.0.1:{self.health_port}{path}") as answer:
            return answer.status, await answer.text()

    def write_pair(self, pair: Pair) -> None:
        """Put a certificate where the webhook reads it."""
        write_pair(self.folder, pair)


def write_pair(folder: Path, pair: Pair) -> None:
    """Write certificate and key."""
    (folder / "tls.crt").write_bytes(pair.certificate)
    (folder / "tls.key").write_bytes(pair.key)


def fresh_pair(authority: Authority) -> Pair:
    """Return a certificate for this machine."""
    return new_leaf(authority, ["127.0.0.1"], SystemClock().now())


@asynccontextmanager
async def running(
    server: FakeKubernetes, folder: Path, *, authority: Authority | None = None, **options: object
) -> AsyncIterator[Running]:
    """Run the webhook until the end of the block, and check that it ends well."""
    authority = authority or new_authority(SystemClock().now())
    write_pair(folder, fresh_pair(authority))
    given = {
        "address": "127.0.0.1:0",
        "health_host": "127.0.0.1",
        "health_port": 0,
        "ports_file": folder / "ports.json",
        "tls_cert_file": folder / "tls.crt",
        "tls_key_file": folder / "tls.key",
        "controllers": CORE,
        **options,
    }
    settings = WebhookSettings.model_validate(given)
    manager = Manager("dnsapi-webhook", server, settings.model_copy(update={"ports_file": None}))
    assemble(settings, manager)
    process = asyncio.create_task(manager.run())
    try:
        ports = await _ports(folder / "ports.json", process)
        trust = ssl.create_default_context(cadata=authority.certificate.decode())
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=trust)) as session:
            found = Running(server, session, folder, authority, ports["webhook"], ports["health"])
            await until(lambda: _ready(found))
            found.stop = manager.stop
            yield found
    finally:
        manager.stop()
        assert await asyncio.wait_for(process, DEADLINE.total_seconds()) == 0


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Ask again and again until something holds; fails at the deadline."""
    async with asyncio.timeout(DEADLINE.total_seconds()):
        while not await holds():  # noqa: ASYNC110 — what is waited for has no event to wait on
            await asyncio.sleep(0.01)


async def _ports(path: Path, process: asyncio.Task[int]) -> dict[str, int]:
    async def written() -> bool:
        assert not process.done()
        return await asyncio.to_thread(path.exists)

    await until(written)
    ports: dict[str, int] = orjson.loads(await asyncio.to_thread(path.read_bytes))
    return ports


async def _ready(webhook: Running) -> bool:
    return (await webhook.health("/readyz"))[0] == 200
