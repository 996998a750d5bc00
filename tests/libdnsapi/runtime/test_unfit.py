"""One object never stops a cache: what fits no model, or makes our own code fail, is left out, counted and told."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import orjson
import pytest
from pydantic import field_validator
from structlog.testing import capture_logs

from libdnsapi.api.meta import JsonObject, KubernetesObject, ObjectKey, ResourceType
from libdnsapi.runtime.clock import BATCH
from libdnsapi.runtime.errors import UndecodableError
from libdnsapi.runtime.informer import UNFIT_SHOWN, Informer, RosterInformer
from libdnsapi.runtime.metrics import Metrics
from libdnsapi.runtime.reflector import Pace
from libdnsapi.runtime.unfit import UNFIT_LOGGED
from tests.fakes.clock import FakeClock, settle
from tests.fakes.kubernetes import FakeKubernetes

WIDGETS = ResourceType("example.org", "v1", "Widget", "widgets")
GOOD, BAD = ObjectKey("ns", "good"), ObjectKey("ns", "bad")
PACE = Pace(random=lambda: 0.0)
SECRET = "hunter2"  # noqa: S105 — what must be in no log
Cache = Informer["Widget"] | RosterInformer["Widget", int]


class Widget(KubernetesObject):
    """An object over which our own code fails where its size is 13, and whose validator does so at 14."""

    size: int = 0

    @field_validator("size")
    @classmethod
    def _is_lucky(cls, size: int) -> int:
        if size == 14:
            raise LookupError(SECRET)
        return size


def sizes(widget: Widget) -> list[str]:
    if widget.size == 13:
        raise KeyError(SECRET)
    return [str(widget.size)]


def digest(_: ObjectKey, widget: Widget) -> int:
    return int(sizes(widget)[0])


def trim(document: JsonObject) -> None:
    document.pop("status", None)
    if document.get("size") == 13:
        raise TypeError(SECRET)


def forget_name(document: JsonObject) -> None:
    if document.get("size") == 13:
        document.pop("metadata")


def widget(name: str, size: int) -> JsonObject:
    return {"metadata": {"name": name, "namespace": "ns"}, "size": size}


@asynccontextmanager
async def following(server: FakeKubernetes, cache: Cache) -> AsyncIterator[asyncio.Task[None]]:
    running = asyncio.create_task(cache.run())
    await settle()
    yield running
    running.cancel()
    await asyncio.wait([running])


def read(cache: Cache, key: ObjectKey) -> object:
    return cache.store.get(key) if isinstance(cache, Informer) else cache.store.digest(key)


def indexed(server: FakeKubernetes, metrics: Metrics) -> Cache:
    return Informer(server, WIDGETS, Widget, indexers={"size": sizes}, clock=FakeClock(), pace=PACE, metrics=metrics)


def digested(server: FakeKubernetes, metrics: Metrics) -> Cache:
    return RosterInformer(server, WIDGETS, Widget, digest, clock=FakeClock(), pace=PACE, metrics=metrics)


@pytest.mark.parametrize("size", [13, 14])
@pytest.mark.parametrize("make", [indexed, digested])
async def test_an_object_over_which_our_own_code_fails_is_left_out_and_stops_no_other(
    make: Callable[[FakeKubernetes, Metrics], Cache], size: int
) -> None:
    server, metrics = FakeKubernetes(FakeClock()), Metrics()
    await server.create(WIDGETS, "ns", widget("bad", size))
    cache = make(server, metrics)
    told: list[ObjectKey] = []
    cache.add_listener(lambda change: told.append(change.key))
    with capture_logs() as logs:
        async with following(server, cache) as running:
            assert cache.synced.is_set()
            await server.create(WIDGETS, "ns", widget("good", 1))
            await server.create(WIDGETS, "ns", widget("worse", size))
            await settle()
            assert not running.done()
            assert read(cache, GOOD) is not None
            with pytest.raises(UndecodableError):
                read(cache, BAD)
            assert sorted(cache.store.unfit()) == [BAD, ObjectKey("ns", "worse")]
            assert told == [GOOD]

            await server.merge_patch(WIDGETS, BAD, {"size": 2})
            await settle()
            assert read(cache, BAD) is not None
            assert told == [GOOD, BAD]
    value = metrics.registry.get_sample_value
    assert value("dnsapi_informer_unfit_objects", {"resource": "widgets"}) == 1
    assert value("dnsapi_informer_undecodable_objects_total", {"resource": "widgets"}) == 2
    assert [line["key"] for line in logs if line["event"] == "object cannot be taken in"] == ["ns/bad", "ns/worse"]
    assert SECRET not in str(logs)


async def test_an_object_that_fitted_and_no_longer_does_leaves_its_indexes() -> None:
    server, metrics = FakeKubernetes(FakeClock()), Metrics()
    await server.create(WIDGETS, "ns", widget("bad", 5))
    cache = indexed(server, metrics)
    async with following(server, cache):
        assert cache.store.by_index("size", "5") == [BAD]
        await server.merge_patch(WIDGETS, BAD, {"size": 13})
        await settle()
        assert cache.store.by_index("size", "5") == []
        assert cache.store.unfit() == [BAD]
        await server.delete(WIDGETS, BAD)
        await settle()
        assert (len(cache), cache.store.unfit()) == (0, [])


@pytest.mark.parametrize("broken", [trim, forget_name])
async def test_an_object_that_cannot_be_trimmed_is_kept_whole(broken: Callable[[JsonObject], None]) -> None:
    server, metrics = FakeKubernetes(FakeClock()), Metrics()
    await server.create(WIDGETS, "ns", widget("bad", 13))
    cache = Informer(server, WIDGETS, Widget, trim=broken, clock=FakeClock(), pace=PACE, metrics=metrics)
    with capture_logs() as logs:
        async with following(server, cache) as running:
            await server.create(WIDGETS, "ns", widget("good", 1))
            await server.merge_patch(WIDGETS, BAD, {"status": {"a": 1}}, subresource="status")
            await settle()
            assert not running.done()
            assert sorted(cache.store.keys()) == [BAD, GOOD]
            found, kept = cache.store.get(BAD), cache.store.raw(BAD)
            assert found is not None
            assert kept is not None
            assert (found.size, orjson.loads(kept)["status"]) == (13, {"a": 1})
    assert {line["key"] for line in logs if line["event"] == "object cannot be trimmed"} == {"ns/bad"}
    assert SECRET not in str(logs)


async def test_the_first_objects_that_fit_no_model_are_named_and_all_are_counted() -> None:
    server, metrics = FakeKubernetes(FakeClock()), Metrics()
    for number in range(UNFIT_SHOWN + 5):
        await server.create(WIDGETS, "ns", {**widget(f"w{number:02}", 0), "size": "many"})
    cache = indexed(server, metrics)
    with capture_logs() as logs:
        async with following(server, cache):
            view = cache.view()
    assert (view.unfit, view.unfit_keys) == (25, tuple(f"ns/w{number:02}" for number in range(UNFIT_SHOWN)))
    assert sum(line["event"] == "object does not fit its model" for line in logs) == UNFIT_LOGGED
    assert metrics.registry.get_sample_value("dnsapi_informer_unfit_objects", {"resource": "widgets"}) == 25


async def test_an_object_that_changes_twice_while_unfit_counts_once_as_one_that_is_there() -> None:
    server, metrics = FakeKubernetes(FakeClock()), Metrics()
    cache = indexed(server, metrics)
    async with following(server, cache):
        await server.create(WIDGETS, "ns", widget("bad", 13))
        await server.merge_patch(WIDGETS, BAD, {"metadata": {"labels": {"a": "b"}}})
        await settle()
    assert metrics.registry.get_sample_value("dnsapi_informer_unfit_objects", {"resource": "widgets"}) == 1


async def test_a_list_that_comes_as_one_page_lets_other_tasks_have_their_turn() -> None:
    server, metrics = FakeKubernetes(FakeClock()), Metrics()
    trimmed, turns = 0, [0]

    def count(_: JsonObject) -> None:
        nonlocal trimmed
        trimmed += 1
        turns[-1] += 1

    async def others() -> None:
        while True:
            await asyncio.sleep(0)
            turns.append(0)

    for number in range(3 * BATCH):
        server.seed(WIDGETS, widget(f"w{number}", 1))
    cache = Informer(server, WIDGETS, Widget, trim=count, page=0, clock=FakeClock(), pace=PACE, metrics=metrics)
    beside = asyncio.create_task(others())
    async with following(server, cache):
        assert (trimmed, len(cache)) == (3 * BATCH, 3 * BATCH)
        assert max(turns) <= BATCH
    beside.cancel()
