"""A running process outlives an API server that goes away and comes back."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from urllib.parse import urlsplit

import orjson
import pytest
import yaml
from pydantic import Field

from e2e.toolchain.ports import free_ports
from libdnsapi.api.meta import NAMESPACES, KubernetesObject, ObjectKey, ResourceType
from libdnsapi.runtime.client import KubernetesClient
from libdnsapi.runtime.connection import connect
from libdnsapi.runtime.informer import Informer
from libdnsapi.runtime.manager import Manager
from libdnsapi.runtime.reconciler import Result
from libdnsapi.runtime.settings import RuntimeSettings

CONFIG_MAPS = ResourceType("", "v1", "ConfigMap", "configmaps")


class Cable:
    """A TCP proxy to the API server that can be pulled and plugged in again."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        # None of those that outgoing connections get: a client that dials a free one of these can meet itself.
        (self.port,) = free_ports(1)

    async def plug(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)

    async def pull(self) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection(*self._target)
        self._writers |= {writer, there_writer}
        try:
            await asyncio.gather(_copy(reader, there_writer), _copy(there_reader, writer))
        finally:
            self._writers -= {writer, there_writer}


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while chunk := await reader.read(65536):
            writer.write(chunk)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


class ConfigMap(KubernetesObject):
    """A config map's data."""

    data: dict[str, str] = Field(default_factory=dict)


class Copy:
    """A reconciler that writes each config map's `in` to its `out`."""

    def __init__(self, manager: Manager) -> None:
        self._client = manager.client

    async def reconcile(self, key: ObjectKey) -> Result:
        data = orjson.loads(await self._client.get(CONFIG_MAPS, key)).get("data", {})
        if data.get("in") != data.get("out"):
            await self._client.merge_patch(CONFIG_MAPS, key, {"data": {"out": data["in"]}})
        return Result()


@pytest.fixture
async def direct(kubeconfig: Path) -> AsyncIterator[KubernetesClient]:
    client = KubernetesClient(await connect(str(kubeconfig)), field_manager="outage")
    yield client
    await client.close()


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not condition():  # noqa: ASYNC110 — a real server says nothing to an Event of ours
            await asyncio.sleep(0.05)


def behind(kubeconfig: Path, directory: Path, port: int) -> str:
    """Write a kubeconfig that goes through the cable and return its path."""
    document = yaml.safe_load(kubeconfig.read_text())
    document["clusters"][0]["cluster"]["server"] = f"https://127.0.0.1:{port}"
    through = directory / "kubeconfig"
    through.write_text(yaml.safe_dump(document))
    return str(through)


def address(kubeconfig: Path) -> tuple[str, int]:
    url = urlsplit(yaml.safe_load(kubeconfig.read_text())["clusters"][0]["cluster"]["server"])
    return str(url.hostname), int(url.port or 443)


def assemble(client: KubernetesClient, namespace: str) -> tuple[Manager, Informer[ConfigMap]]:
    options = {"health_host": "127.0.0.1", "health_port": 0, "lease_namespace": namespace}
    manager = Manager("outage", client, RuntimeSettings.model_validate(options))
    informer = manager.informer(CONFIG_MAPS, ConfigMap, namespace=namespace)
    queue = manager.queue("copy")
    informer.add_listener(lambda change: queue.add(change.key) if change.new else None)
    manager.controller("copy", Copy(manager), queue)
    return manager, informer


def value(informer: Informer[ConfigMap], key: ObjectKey) -> str | None:
    found = informer.store.get(key)
    return found.data.get("out") if found else None


async def test_work_goes_on_after_an_outage(direct: KubernetesClient, kubeconfig: Path, tmp_path: Path) -> None:
    namespace = f"outage-{uuid.uuid4().hex[:8]}"
    one, two, gone = (ObjectKey(namespace, name) for name in ("one", "two", "gone"))
    await direct.create(NAMESPACES, "", {"metadata": {"name": namespace}})
    for key in (one, gone):
        await direct.create(CONFIG_MAPS, namespace, {"metadata": {"name": key.name}, "data": {"in": "1"}})
    cable = Cable(*address(kubeconfig))
    await cable.plug()
    client = KubernetesClient(await connect(behind(kubeconfig, tmp_path, cable.port)), field_manager="process")
    manager, informer = assemble(client, namespace)
    running = asyncio.create_task(manager.run())
    try:
        await until(lambda: value(informer, one) == value(informer, gone) == "1")

        await cable.pull()
        await direct.merge_patch(CONFIG_MAPS, one, {"data": {"in": "2"}})
        await direct.create(CONFIG_MAPS, namespace, {"metadata": {"name": "two"}, "data": {"in": "3"}})
        await direct.delete(CONFIG_MAPS, gone)
        labels = {"resource": informer.name, "reason": "Disconnected"}
        failures = "dnsapi_informer_failures_total"
        await until(lambda: (manager.metrics.registry.get_sample_value(failures, labels) or 0) > 1)
        await cable.plug()

        await until(lambda: (value(informer, one), value(informer, two)) == ("2", "3"))
        assert gone not in informer.store
        assert not running.done()
    finally:
        manager.stop()
        assert await running == 0
        await client.close()
        await cable.pull()
