"""A server, a clock and an informer that follows it."""

import asyncio
from datetime import timedelta

from libdnsapi.api.meta import JsonObject, KubernetesObject, ObjectKey, ResourceType
from libdnsapi.runtime.informer import Informer
from libdnsapi.runtime.metrics import Metrics
from libdnsapi.runtime.reflector import Pace
from tests.fakes.clock import FakeClock, settle
from tests.fakes.kubernetes import FakeKubernetes

WIDGETS = ResourceType("example.org", "v1", "Widget", "widgets")
ONE = ObjectKey("ns", "one")
PACE = Pace(random=lambda: 0.0)


class Scene:
    """A server, a clock and a running informer."""

    def __init__(self, *, optional: bool = False) -> None:
        self.clock = FakeClock()
        self.server = FakeKubernetes(self.clock)
        self.metrics = Metrics()
        self.informer = Informer(
            self.server,
            WIDGETS,
            KubernetesObject,
            optional=optional,
            clock=self.clock,
            pace=PACE,
            metrics=self.metrics,
        )
        self.task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self.task = asyncio.create_task(self.informer.run())
        await settle()

    async def wait(self, seconds: float) -> None:
        await self.clock.advance(timedelta(seconds=seconds))

    async def put(self, name: str) -> None:
        await self.server.create(WIDGETS, "ns", widget(name))
        await settle()

    def names(self) -> list[str]:
        return sorted(key.name for key in self.informer.store.keys())  # noqa: SIM118 — a store is no dict

    def requests(self, verb: str) -> int:
        return sum(request.verb == verb for request in self.server.requests)


def widget(name: str) -> JsonObject:
    return {"metadata": {"name": name}}
