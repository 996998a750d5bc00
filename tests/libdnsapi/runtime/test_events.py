"""Events reach the API server, repetitions become series, and nobody waits for them."""

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from libdnsapi.api.meta import JsonObject, ObjectReference
from libdnsapi.runtime.errors import ForbiddenError, NotFoundError, ThrottledError, UnavailableError, UndecodableError
from libdnsapi.runtime.events import EVENTS, PATIENCE, Event, EventLimits, EventRecorder, Reporter
from libdnsapi.runtime.metrics import Metrics
from tests.fakes.clock import FakeClock, settle
from tests.fakes.kubernetes import FakeKubernetes, Fault

ZONE = ObjectReference(api_version="x/v1", kind="Zone", namespace="shop", name="example", uid="u1")
CLASS = ObjectReference(api_version="x/v1", kind="ZoneClass", name="default", uid="u2")


class Scene:
    """A server, a clock and a running recorder."""

    def __init__(self, limits: EventLimits | None = None) -> None:
        self.clock = FakeClock()
        self.server = FakeKubernetes(self.clock)
        self.metrics = Metrics()
        reporter = Reporter("dns.example/core", "host_1")
        self.recorder = EventRecorder(self.server, reporter, self.clock, limits=limits, metrics=self.metrics)
        self.task = asyncio.create_task(self.recorder.run())

    async def emit(self, note: str = "hello", about: ObjectReference = ZONE, times: int = 1) -> None:
        for _ in range(times):
            self.recorder.emit(Event(about, "Warning", "Broken", note, "Program", related=CLASS))
        await settle(100)

    def events(self) -> list[JsonObject]:
        found = [self.server.read(EVENTS, key) for key in self.server.keys(EVENTS)]
        return [event for event in found if event is not None]

    def count(self, outcome: str) -> float:
        return self.metrics.registry.get_sample_value("dnsapi_events_total", {"outcome": outcome}) or 0

    async def end(self) -> None:
        self.task.cancel()
        await asyncio.wait([self.task])


@pytest.fixture
async def scene() -> AsyncIterator[Scene]:
    scene = Scene()
    yield scene
    await scene.end()


async def test_an_event_has_all_that_the_api_asks_for(scene: Scene) -> None:
    await scene.emit()
    (event,) = scene.events()
    metadata = event.pop("metadata")
    assert isinstance(metadata, dict)
    assert str(metadata["name"]).startswith("example.")
    assert metadata["namespace"] == "shop"
    assert event == {
        "apiVersion": "events.k8s.io/v1",
        "kind": "Event",
        "eventTime": "2026-01-01T00:00:00.000000Z",
        "type": "Warning",
        "reason": "Broken",
        "action": "Program",
        "note": "hello",
        "regarding": {"apiVersion": "x/v1", "kind": "Zone", "namespace": "shop", "name": "example", "uid": "u1"},
        "related": {"apiVersion": "x/v1", "kind": "ZoneClass", "name": "default", "uid": "u2"},
        "reportingController": "dns.example/core",
        "reportingInstance": "host_1",
    }


async def test_events_about_cluster_scoped_objects_live_in_default(scene: Scene) -> None:
    await scene.emit(about=CLASS)
    assert [key.namespace for key in scene.server.keys(EVENTS)] == ["default"]


async def test_a_repetition_is_written_once_and_then_counted(scene: Scene) -> None:
    await scene.emit(times=2)
    assert scene.events()[0]["series"] == {"count": 2, "lastObservedTime": "2026-01-01T00:00:00.000000Z"}
    await scene.emit(times=5)
    assert scene.server.writes() == {("create", "events"): 1, ("merge_patch", "events"): 1}
    await scene.clock.advance(timedelta(seconds=61))
    series = scene.events()[0]["series"]
    assert isinstance(series, dict)
    assert series["count"] == 7
    assert len(scene.events()) == 1


async def test_a_version_of_the_object_makes_no_other_event(scene: Scene) -> None:
    await scene.emit()
    await scene.emit(about=ZONE.model_copy(update={"resource_version": "17"}))
    assert len(scene.events()) == 1


async def test_other_notes_are_other_events(scene: Scene) -> None:
    await scene.emit("one")
    await scene.emit("two")
    assert sorted(str(event["note"]) for event in scene.events()) == ["one", "two"]


async def test_a_series_ends_after_six_minutes_of_silence(scene: Scene) -> None:
    await scene.emit()
    await scene.clock.advance(timedelta(minutes=7))
    await scene.emit()
    assert len(scene.events()) == 2
    assert scene.count("updated") == 0


async def test_a_series_whose_event_has_expired_begins_anew(scene: Scene) -> None:
    await scene.emit()
    await scene.server.delete(EVENTS, scene.server.keys(EVENTS)[0])
    await scene.emit()
    assert len(scene.events()) == 1


async def test_an_object_may_have_25_events_and_one_more_every_five_minutes(scene: Scene) -> None:
    for number in range(40):
        await scene.emit(f"n{number}")
    assert len(scene.events()) == 25
    assert scene.count("dropped-rate") == 15
    await scene.emit("other", about=CLASS)
    assert len(scene.events()) == 26
    await scene.clock.advance(timedelta(seconds=300))
    await scene.emit("later")
    assert len(scene.events()) == 27


async def test_a_full_queue_drops_and_counts() -> None:
    scene = Scene(EventLimits(queued=3))
    for number in range(5):
        scene.recorder.emit(Event(ZONE, "Normal", "R", f"n{number}", "A"))
    await settle(100)
    assert len(scene.events()) == 3
    assert scene.count("dropped-full") == 2
    await scene.end()


async def test_all_together_are_limited_too() -> None:
    scene = Scene(EventLimits(burst=2, rate=1))
    for number in range(4):
        await scene.emit(f"n{number}")
    assert len(scene.events()) == 2
    await scene.clock.advance(timedelta(seconds=1))
    assert len(scene.events()) == 3
    await scene.clock.advance(timedelta(seconds=1))
    assert len(scene.events()) == 4
    await scene.end()


@pytest.mark.parametrize(
    ("fault", "written"),
    [
        (Fault(UnavailableError(503, "X", "x"), verb="create", times=2), 1),
        (Fault(ThrottledError(429, "X", "x", timedelta(seconds=3)), verb="create"), 1),
        (Fault(UnavailableError(503, "X", "x"), verb="create", times=4), 0),
        (Fault(ForbiddenError(403, "Forbidden", "x"), verb="create"), 0),
    ],
)
async def test_failures_are_tried_again_where_that_may_help(scene: Scene, fault: Fault, written: int) -> None:
    scene.server.fail(fault)
    await scene.emit()
    await scene.clock.advance(timedelta(seconds=60))
    assert len(scene.events()) == written
    assert scene.count("failed") == 1 - written
    await scene.emit("next")
    assert len(scene.events()) == written + 1


@pytest.mark.parametrize(("note", "length"), [("x" * 1024, 1024), ("x" * 2000, 1024), ("é" * 600, 1023)])
async def test_notes_are_cut_to_what_the_api_takes(scene: Scene, note: str, length: int) -> None:
    await scene.emit(note)
    assert len(str(scene.events()[0]["note"]).encode()) == length


async def test_what_users_wrote_into_a_note_moves_no_terminal(scene: Scene) -> None:
    await scene.emit("RecordSet name=\x1b[2Jwww\u202e\n")
    assert scene.events()[0]["note"] == "RecordSet name=\\x1b[2Jwww\\u202e\\n"


async def test_long_names_are_cut(scene: Scene) -> None:
    await scene.emit(about=ZONE.model_copy(update={"name": "a" * 253}))
    assert len(scene.server.keys(EVENTS)[0].name) <= 253


async def test_a_namespace_that_is_gone_ends_nothing_but_the_event(scene: Scene) -> None:
    scene.server.fail(Fault(NotFoundError(404, "NotFound", 'namespaces "shop" not found'), verb="create", times=1))
    await scene.emit("too late")
    await scene.emit("about another", CLASS)
    assert not scene.task.done()
    assert [event["note"] for event in scene.events()] == ["about another"]
    assert scene.count("failed") == 1


async def test_an_event_that_is_written_is_not_kept(scene: Scene) -> None:
    """Thousands are remembered for minutes, to tell repetitions: their fingerprints do."""
    related = ObjectReference(api_version="x/v1", kind="Zone", namespace="shop", name="once", uid="u3")
    kept = weakref.ref(related)
    scene.recorder.emit(Event(ZONE, "Warning", "Broken", "hello", "Program", related=related))
    del related
    await scene.emit("the next")
    gc.collect()
    assert scene.count("created") == 2
    assert kept() is None


async def test_flush_waits_for_what_was_emitted(scene: Scene) -> None:
    for _ in range(3):
        scene.recorder.emit(Event(ZONE, "Normal", "R", "same", "A"))
    assert await scene.recorder.flush(timedelta(seconds=5))
    series = scene.events()[0]["series"]
    assert isinstance(series, dict)
    assert series["count"] == 3


async def test_flush_gives_up_in_time(scene: Scene) -> None:
    scene.server.fail(Fault(UnavailableError(503, "X", "x"), times=100))
    scene.recorder.emit(Event(ZONE, "Normal", "R", "same", "A"))
    flushing = asyncio.create_task(scene.recorder.flush(timedelta(seconds=1)))
    await scene.clock.advance(timedelta(seconds=2))
    assert await flushing is False


async def test_what_may_merely_be_new_is_told_after_a_while_if_it_still_stands(scene: Scene) -> None:
    moment = timedelta(seconds=1)
    for note, stands in (("mended", False), ("lasting", True)):
        event = Event(ZONE, "Warning", "Missing", note, "Program")
        scene.recorder.emit_if_it_stays(event, lambda stands=stands: stands)  # type: ignore[misc]
    await scene.clock.advance(PATIENCE - moment)
    assert scene.events() == []
    await scene.clock.advance(2 * moment)
    assert [event["note"] for event in scene.events()] == ["lasting"]


async def test_what_is_put_off_is_told_in_its_time_and_is_bounded() -> None:
    scene = Scene(EventLimits(queued=2))
    for note in ("oldest", "second", "third"):
        scene.recorder.emit_if_it_stays(Event(ZONE, "Warning", "Missing", note, "Program"), lambda: True)
        await scene.clock.advance(PATIENCE / 4)
    assert scene.count("dropped-full") == 1
    await scene.clock.advance(PATIENCE / 2)
    assert [event["note"] for event in scene.events()] == ["second"]
    await scene.clock.advance(PATIENCE)
    assert sorted(str(event["note"]) for event in scene.events()) == ["second", "third"]
    await scene.end()


async def test_an_event_of_which_nobody_can_say_whether_it_stands_silences_no_other(scene: Scene) -> None:
    def unreadable() -> bool:
        raise UndecodableError

    for note, stands in (("unreadable", unreadable), ("lasting", lambda: True)):
        scene.recorder.emit_if_it_stays(Event(ZONE, "Warning", "Missing", note, "Program"), stands)
    await scene.clock.advance(2 * PATIENCE)
    assert [event["note"] for event in scene.events()] == ["lasting"]


async def test_a_recorder_that_ends_leaves_nothing_behind() -> None:
    scene, unheard = Scene(), list[str]()
    asyncio.get_running_loop().set_exception_handler(lambda _, context: unheard.append(str(context["message"])))
    await settle()
    await scene.end()
    del scene
    gc.collect()
    await settle()
    assert unheard == []
