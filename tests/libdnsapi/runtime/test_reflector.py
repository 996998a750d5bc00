"""The reflector follows its table of states, pauses after every failure and never believes half a list."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta

import pytest

from libdnsapi.api.meta import ObjectKey, ResourceType
from libdnsapi.runtime.errors import (
    ForbiddenError,
    GoneError,
    KubernetesError,
    NotFoundError,
    ThrottledError,
    UnavailableError,
)
from libdnsapi.runtime.reflector import Outcome, Reflector, Selection, State, step
from libdnsapi.runtime.rest import RawObject
from tests.fakes.clock import settle
from tests.fakes.kubernetes import FakeKubernetes, Fault
from tests.libdnsapi.runtime.scene import ONE, PACE, WIDGETS, Scene, widget


@pytest.mark.parametrize(
    ("state", "outcome", "expected"),
    [
        (State.EMPTY, Outcome.LIST_COMPLETE, State.LISTED),
        (State.EMPTY, Outcome.FAILED, State.EMPTY),
        (State.EMPTY, Outcome.EXPIRED, State.EMPTY),
        (State.LISTED, Outcome.STREAM_SPOKE, State.WATCHING),
        (State.LISTED, Outcome.STREAM_ENDED, State.LISTED),
        (State.LISTED, Outcome.FAILED, State.LISTED),
        (State.LISTED, Outcome.EXPIRED, State.EMPTY),
        (State.WATCHING, Outcome.STREAM_SPOKE, State.WATCHING),
        (State.WATCHING, Outcome.STREAM_ENDED, State.LISTED),
        (State.WATCHING, Outcome.FAILED, State.LISTED),
        (State.WATCHING, Outcome.EXPIRED, State.EMPTY),
    ],
)
def test_the_table_of_states(state: State, outcome: Outcome, expected: State) -> None:
    assert step(state, outcome) is expected


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    scene = Scene()
    yield scene
    if scene.task is not None:
        scene.task.cancel()
        await asyncio.wait([scene.task])


async def test_it_lists_once_and_then_follows(scene: Scene) -> None:
    await scene.put("one")
    await scene.start()
    assert scene.informer.synced.is_set()
    await scene.put("two")
    await scene.server.delete(WIDGETS, ONE)
    await settle()
    assert scene.names() == ["two"]
    await scene.wait(1000)
    await scene.put("three")
    assert scene.names() == ["three", "two"]
    assert scene.requests("list") == 1


async def test_what_vanished_while_it_could_not_watch_is_removed_by_the_next_list(scene: Scene) -> None:
    await scene.put("one")
    await scene.put("two")
    await scene.start()
    scene.server.fail(Fault(UnavailableError(503, "X", "down"), verb="watch", times=3))
    scene.server.cut_watches()
    await settle()
    await scene.server.delete(WIDGETS, ONE)
    scene.server.compact()
    assert scene.names() == ["one", "two"]
    await scene.wait(60)
    assert scene.names() == ["two"]
    assert scene.requests("list") == 2


async def test_a_list_that_fails_between_two_pages_changes_nothing(scene: Scene) -> None:
    await scene.put("gone")
    await scene.start()
    await scene.server.delete(WIDGETS, ObjectKey("ns", "gone"))
    for number in range(600):
        await scene.server.create(WIDGETS, "ns", widget(f"w{number:03}"))
    scene.server.fail(Fault(UnavailableError(503, "X", "down"), verb="list", skip=1))
    scene.server.compact()
    scene.server.cut_watches()
    before = scene.names()
    await scene.wait(2.5)
    assert scene.requests("list") == 3
    assert scene.names() == before
    await scene.wait(30)
    assert len(scene.names()) == 600
    assert "gone" not in scene.names()


SMALL = RawObject(ObjectKey("ns", "w"), "1", b"small")


class Held:
    """A sink that shows what of a list waits for its last page."""

    def __init__(self) -> None:
        self.waiting: list[RawObject] = []
        self.taken: list[RawObject] = []

    def lean(self, found: RawObject) -> RawObject:
        self.waiting.append(found)
        return SMALL

    def listing(self) -> AbstractContextManager[None]:
        return nullcontext()

    async def replace(self, objects: list[RawObject], version: int, *, rewound: bool) -> None:
        self.taken = list(objects)

    def put(self, found: RawObject) -> None: ...
    def remove(self, found: RawObject) -> None: ...
    def missing(self) -> None: ...


async def test_what_a_list_holds_until_its_last_page_is_what_the_sink_makes_of_it(scene: Scene) -> None:
    for number in range(3):
        await scene.put(f"w{number}")
    scene.server.fail(Fault(UnavailableError(503, "X", "down"), verb="list", skip=1))
    sink = Held()
    running = asyncio.create_task(
        Reflector(scene.server, Selection(WIDGETS, page=2), sink, scene.clock, pace=PACE).run()
    )
    await settle()
    assert (len(sink.waiting), sink.taken) == (2, [])
    await scene.wait(30)
    assert sink.taken == [SMALL] * 3
    running.cancel()


async def test_a_list_that_expires_between_two_pages_is_taken_as_one(scene: Scene) -> None:
    for number in range(600):
        await scene.server.create(WIDGETS, "ns", widget(f"w{number:03}"))
    scene.server.fail(Fault(GoneError(410, "Expired", "old"), verb="list", skip=1))
    await scene.start()
    assert len(scene.names()) == 600


@pytest.mark.parametrize(
    ("error", "pauses"),
    [
        (UnavailableError(0, "Disconnected", "x"), [0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30.0, 30.0]),
        (ForbiddenError(403, "Forbidden", "x"), [0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30.0, 30.0]),
        (ThrottledError(429, "X", "x", timedelta(seconds=7)), [7.0, 7.0, 7.0, 7.0, 12.8, 25.6, 30.0, 30.0]),
    ],
)
async def test_pauses_grow_with_failures_in_a_row(scene: Scene, error: KubernetesError, pauses: list[float]) -> None:
    scene.server.fail(Fault(error, verb="list", times=8))
    await scene.start()
    await scene.wait(300)
    assert [pause.total_seconds() for pause in scene.clock.slept[:8]] == pauses
    assert scene.informer.synced.is_set()


async def test_streams_that_end_at_once_are_paused_for(scene: Scene) -> None:
    await scene.start()
    for _ in range(4):
        scene.server.cut_watches()
        await settle()
    assert scene.requests("watch") == 1
    await scene.wait(0.8)
    assert scene.requests("watch") == 2


async def test_silence_makes_it_stuck_and_bookmarks_keep_it_alive(scene: Scene) -> None:
    await scene.start()
    for _ in range(10):
        await scene.wait(60)
        scene.server.bookmark(WIDGETS)
        await settle()
    assert not scene.informer.stuck
    scene.server.fail(Fault(UnavailableError(0, "Timeout", "silent"), times=10_000))
    scene.server.cut_watches()
    await scene.wait(200)
    assert not scene.informer.stuck
    await scene.wait(200)
    assert scene.informer.stuck
    age = scene.metrics.registry.get_sample_value("dnsapi_informer_last_event_age_seconds", {"resource": "widgets"})
    assert age == pytest.approx(400)


async def test_a_bookmark_spares_a_list_after_compaction(scene: Scene) -> None:
    await scene.start()
    await scene.server.create(ResourceType("other", "v1", "Other", "others"), "ns", {"metadata": {"name": "x"}})
    scene.server.bookmark(WIDGETS)
    await settle()
    scene.server.compact()
    scene.server.cut_watches()
    await scene.wait(5)
    assert scene.requests("list") == 1


async def test_catching_up_waits_until_a_required_kind_can_be_listed(scene: Scene) -> None:
    await scene.start()
    scene.server.missing.add(WIDGETS)
    scene.server.cut_watches()
    catching = asyncio.create_task(scene.informer.catch_up())
    await scene.wait(5)
    assert not catching.done()
    scene.server.missing.clear()
    await scene.put("late")
    await scene.wait(60)
    assert catching.done()
    assert scene.names() == ["late"]


async def test_catching_up_leaves_the_watch_alone(scene: Scene) -> None:
    await scene.start()
    await scene.put("one")
    await scene.informer.catch_up()
    await scene.put("two")
    assert scene.names() == ["one", "two"]
    assert sum(request.verb == "watch" for request in scene.server.requests) == 1


async def test_a_required_kind_that_is_not_installed_is_waited_for(scene: Scene) -> None:
    scene.server.fail(Fault(NotFoundError(404, "NotFound", "x"), verb="list", times=2))
    await scene.start()
    assert not scene.informer.synced.is_set()
    await scene.wait(10)
    assert scene.informer.synced.is_set()


async def restore_a_backup(scene: Scene) -> None:
    """Put the server back to the moment when there was but one object."""
    restored = FakeKubernetes(scene.clock)
    await restored.create(WIDGETS, "ns", widget("one"))
    scene.server.__dict__.update(
        {name: value for name, value in vars(restored).items() if name not in ("requests", "_cuts", "_news")}
    )


async def test_a_history_that_went_back_during_an_outage_is_followed_though_the_server_never_says_so(
    scene: Scene,
) -> None:
    for name in ("one", "two", "three"):
        await scene.put(name)
    await scene.start()
    await restore_a_backup(scene)
    scene.server.fail(Fault(UnavailableError(0, "Disconnected", "x"), verb="watch", times=2))
    scene.server.cut_watches()
    await scene.wait(10)
    assert scene.names() == ["one"]
    await scene.put("four")
    assert scene.names() == ["four", "one"]


async def test_catching_up_believes_a_server_whose_history_went_back(scene: Scene) -> None:
    for name in ("one", "two", "three"):
        await scene.put(name)
    await scene.start()
    await restore_a_backup(scene)
    await scene.informer.catch_up()
    assert scene.names() == ["one"]


async def test_an_outage_after_which_history_goes_on_costs_no_list(scene: Scene) -> None:
    await scene.put("one")
    await scene.start()
    scene.server.fail(Fault(UnavailableError(0, "Disconnected", "x"), times=5))
    scene.server.cut_watches()
    await scene.wait(60)
    await scene.put("two")
    assert scene.names() == ["one", "two"]
    assert scene.requests("list") == 1


async def test_a_history_that_went_back_is_followed(scene: Scene) -> None:
    for name in ("one", "two", "three"):
        await scene.put(name)
    await scene.start()
    await restore_a_backup(scene)
    scene.server.compact()
    scene.server.fail(Fault(GoneError(410, "Expired", "x"), verb="watch"))
    scene.server.cut_watches()
    await scene.wait(10)
    assert scene.names() == ["one"]
