"""How lists come: in pages, late, and of kinds that may be missing."""

import asyncio

from libdnsapi.api.meta import KubernetesObject, ResourceType
from libdnsapi.runtime.informer import Informer
from libdnsapi.runtime.kubernetes import ListPage
from libdnsapi.runtime.shelf import TOMBSTONES
from tests.fakes.clock import FakeClock, settle
from tests.fakes.kubernetes import FakeKubernetes
from tests.libdnsapi.runtime.scene import PACE, WIDGETS, Scene, widget


async def test_large_objects_come_in_smaller_pages() -> None:
    server = FakeKubernetes(FakeClock())
    for number in range(25):
        await server.create(WIDGETS, "ns", widget(f"w{number:02}"))
    informer = Informer(server, WIDGETS, KubernetesObject, page=10, clock=FakeClock(), pace=PACE)
    running = asyncio.create_task(informer.run())
    await settle()
    assert len(informer) == 25
    assert sum(request.verb == "list" for request in server.requests) == 3
    running.cancel()


async def test_an_optional_kind_that_is_not_installed_counts_as_synced() -> None:
    scene = Scene(optional=True)
    seen: list[bool] = []
    scene.informer.on_seen(lambda: seen.append(scene.informer.installed))
    scene.server.missing.add(WIDGETS)
    await scene.start()
    assert (scene.informer.synced.is_set(), scene.informer.installed, seen) == (True, False, [])
    await scene.wait(3600)
    assert not scene.informer.stuck
    scene.server.missing.clear()
    scene.server.seed(WIDGETS, {"metadata": {"name": "one", "namespace": "ns"}})
    await scene.wait(30)
    assert scene.informer.installed
    assert seen == [True]
    assert scene.names() == ["one"]
    assert scene.task is not None
    scene.task.cancel()
    await asyncio.wait([scene.task])


async def test_catching_up_waits_for_no_optional_kind_that_is_not_installed() -> None:
    scene = Scene(optional=True)
    scene.server.missing.add(WIDGETS)
    await scene.start()
    await scene.informer.catch_up()
    assert not scene.informer.installed
    assert scene.task is not None
    scene.task.cancel()
    await asyncio.wait([scene.task])


class Slow(FakeKubernetes):
    """A server whose lists take until the gate opens to arrive."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__(clock)
        self.gate = asyncio.Event()
        self.gate.set()

    async def list_page(
        self,
        resource: ResourceType,
        *,
        namespace: str = "",
        label_selector: str = "",
        limit: int = 500,
        continue_token: str = "",
        metadata_only: bool = False,
    ) -> ListPage:
        page = await super().list_page(
            resource,
            namespace=namespace,
            label_selector=label_selector,
            limit=limit,
            continue_token=continue_token,
            metadata_only=metadata_only,
        )
        await self.gate.wait()
        return page


async def test_a_slow_list_brings_nothing_back_however_much_was_deleted_beside_it() -> None:
    server = Slow(FakeClock())
    for number in range(TOMBSTONES + 100):
        server.seed(WIDGETS, {"metadata": {"name": f"w{number}", "namespace": "ns"}})
    informer = Informer(server, WIDGETS, KubernetesObject, page=0, clock=FakeClock(), pace=PACE)
    running = asyncio.create_task(informer.run())
    await settle(100)
    server.gate.clear()
    catching = asyncio.create_task(informer.catch_up())
    await settle()
    for key in informer.store.keys():  # noqa: SIM118 — a store is no dict
        await server.delete(WIDGETS, key)
    while len(informer):
        await settle()

    server.gate.set()
    await catching

    assert informer.store.keys() == []
    running.cancel()


def test_caches_of_one_kind_in_several_namespaces_have_their_own_names() -> None:
    server = FakeKubernetes(FakeClock())
    names = [Informer(server, WIDGETS, KubernetesObject, namespace=name).name for name in ("", "a", "b")]
    assert names == ["widgets", "widgets.a", "widgets.b"]
