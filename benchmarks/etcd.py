"""etcd behind the local API server: reads and writes stored objects in bulk, a hundred times faster than requests.

Only for benchmarks that need a large cluster to be there: objects written here skip admission, defaults and schema, so
they must be copies of what the API server stored itself. Custom resources are stored as JSON.
"""

import base64
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import orjson

from e2e.toolchain import daemons
from libdnsapi.api.meta import JsonObject, ResourceType

PAIRS = 100
"""Puts in one transaction; etcd takes 128."""
BYTES = 900_000
"""Bytes of values in one transaction; etcd takes 1.5 MiB of request, and base64 takes a third more."""
PAGE = 200
Pair = tuple[str, bytes]


class Etcd:
    """The JSON gateway of etcd's client port."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        """Use a session that shows a client certificate."""
        self._session = session
        self._url = url

    async def objects(self, resource: ResourceType, namespace: str) -> AsyncIterator[bytes]:
        """Yield the stored objects of a kind in a namespace."""
        start, end = key(resource, namespace, ""), key(resource, namespace, "\U0010ffff")
        while True:
            body: JsonObject = {"key": _encoded(start.encode()), "range_end": _encoded(end.encode()), "limit": PAGE}
            answer = await self._post("/v3/kv/range", body)
            found = answer.get("kvs", [])
            assert isinstance(found, list)
            for one in found:
                assert isinstance(one, dict)
                start = base64.b64decode(str(one["key"])).decode() + "\0"
                yield base64.b64decode(str(one["value"]))
            if not answer.get("more"):
                return

    async def put(self, pairs: Iterable[Pair]) -> None:
        """Store objects, many in one transaction."""
        for chunk in chunks(pairs):
            puts: list[JsonObject] = [
                {"request_put": {"key": _encoded(name.encode()), "value": _encoded(value)}} for name, value in chunk
            ]
            answer = await self._post("/v3/kv/txn", {"success": [*puts]})
            assert answer.get("succeeded"), answer

    async def _post(self, path: str, body: JsonObject) -> JsonObject:
        async with self._session.post(self._url + path, data=orjson.dumps(body)) as answer:
            document = orjson.loads(await answer.read())
            assert answer.status == 200, document
        assert isinstance(document, dict)
        return document


@asynccontextmanager
async def etcd_of(control_plane: Path) -> AsyncGenerator[Etcd, None]:
    """Connect to the etcd of a local control plane, by the certificate that it gave its API server."""
    pki = control_plane / "pki"
    tls = ssl.create_default_context(cafile=str(pki / "ca.crt"))
    tls.load_cert_chain(str(pki / "etcd.crt"), str(pki / "etcd.key"))
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=tls)) as session:
        yield Etcd(session, client_url(control_plane))


def client_url(control_plane: Path) -> str:
    """Return the client URL, as the running etcd was told it."""
    etcd = daemons.running("etcd", control_plane)
    assert etcd is not None, "etcd of the local control plane does not run"
    arguments = Path(f"/proc/{etcd.pid}/cmdline").read_bytes().decode().split("\0")
    return next(one.partition("=")[2] for one in arguments if one.startswith("--listen-client-urls="))


def key(resource: ResourceType, namespace: str, name: str) -> str:
    """Return where the API server stores a custom resource."""
    return f"/registry/{resource.group}/{resource.plural}/{namespace}/{name}"


def chunks(pairs: Iterable[Pair]) -> Iterator[list[Pair]]:
    """Split pairs so that each chunk fits into one transaction."""
    chunk: list[Pair] = []
    size = 0
    for name, value in pairs:
        if chunk and (len(chunk) >= PAIRS or size + len(value) > BYTES):
            yield chunk
            chunk, size = [], 0
        chunk.append((name, value))
        size += len(value)
    if chunk:
        yield chunk


def _encoded(value: bytes) -> str:
    return base64.b64encode(value).decode()
