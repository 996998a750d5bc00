"""A process over a fake API server: one cache, one controller."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import aiohttp

from libdnsapi.api.meta import KubernetesObject, ObjectKey, ObjectReference, ResourceType
from libdnsapi.runtime.clock import Clock
from libdnsapi.runtime.events import Event
from libdnsapi.runtime.manager import Manager
from libdnsapi.runtime.reconciler import Result
from libdnsapi.runtime.settings import RuntimeSettings
from tests.fakes.clock import settle
from tests.fakes.kubernetes import FakeKubernetes

WIDGETS = ResourceType("example.org", "v1", "Widget", "widgets")
ONE = ObjectKey("ns", "one")
LEASE = ObjectKey("dns", "core")


class Touch:
    """A reconciler that says hello to its object, and takes as long as the test says."""

    def __init__(self, manager: Manager) -> None:
        self.manager = manager
        self.gate = asyncio.Event()
        self.gate.set()
        self.started = asyncio.Event()

    async def reconcile(self, key: ObjectKey) -> Result:
        self.started.set()
        await self.gate.wait()
        await self.manager.client.merge_patch(WIDGETS, key, {"status": {"touched": True}}, subresource="status")
        about = ObjectReference(kind="Widget", namespace=key.namespace, name=key.name, uid="u")
        self.manager.recorder.emit(Event(about, "Normal", "Touched", "hello", "Touch"))
        return Result()


class Process:
    """A manager with one cache and one controller over a fake API server."""

    def __init__(
        self, server: FakeKubernetes, tmp_path: Path, *, clock: Clock | None = None, **settings: object
    ) -> None:
        self.ports_file = tmp_path / "ports.json"
        values = {"health_host": "127.0.0.1", "health_port": 0, "ports_file": self.ports_file}
        options = RuntimeSettings.model_validate({**values, "lease_namespace": "dns", **settings})
        self.synced: list[int] = []
        self.manager = Manager(
            "core", server, options, clock=clock, on_synced=lambda: self.synced.append(len(self.informer))
        )
        self.informer = self.manager.informer(WIDGETS, KubernetesObject)
        queue = self.manager.queue("widget")
        self.informer.add_listener(lambda change: queue.add(change.key) if change.old is None else None)
        self.touch = Touch(self.manager)
        self.manager.controller("widget", self.touch, queue)

    def start(self) -> "asyncio.Task[int]":
        return asyncio.create_task(self.manager.run())

    async def get(self, path: str) -> tuple[int, str]:
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{self.manager.health.port}{path}") as response,
        ):
            return response.status, await response.text()


async def until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await settle()


def touched(server: FakeKubernetes) -> bool:
    widget = server.read(WIDGETS, ONE)
    return widget is not None and "status" in widget


def leads(manager: Manager) -> bool:
    view = manager.lease_view()
    return view is not None and view.leading
