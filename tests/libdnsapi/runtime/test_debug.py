"""The debug page says why something does not move, to local callers, and only where it is asked for."""

import asyncio
import io
import logging
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from typing import Any

import orjson
import pytest
import structlog
from aiohttp.test_utils import make_mocked_request

from libdnsapi.api.meta import KubernetesObject, ObjectKey, ResourceType
from libdnsapi.runtime.debug import SHOWN, DebugPage, is_local
from libdnsapi.runtime.errors import UnavailableError
from libdnsapi.runtime.informer import Informer
from libdnsapi.runtime.logging import RECENT, RecentProblems, configure
from libdnsapi.runtime.manager import Manager
from libdnsapi.runtime.reconciler import Result
from libdnsapi.runtime.settings import RuntimeSettings
from tests.fakes.clock import FakeClock, settle
from tests.fakes.kubernetes import FakeKubernetes

WIDGETS = ResourceType("example.org", "v1", "Widget", "widgets")
PASSWORD = "hunter2"  # noqa: S105 — what must be seen nowhere


class Fails:
    """A reconciler that cannot reconcile `bad`, and hangs with `slow`."""

    async def reconcile(self, key: ObjectKey) -> Result:
        if key.name == "slow":
            await asyncio.Event().wait()
        if key.name == "bad":
            raise UnavailableError(503, "ServiceUnavailable", "try later")
        if key.name == "worse":
            raise RuntimeError(PASSWORD)
        return Result(requeue_after=timedelta(seconds=60))


class Scene:
    """A process over a fake API server, with its page."""

    def __init__(self, problems: RecentProblems) -> None:
        self.clock = FakeClock()
        self.server = FakeKubernetes(self.clock)
        settings = RuntimeSettings.model_validate(
            {"health_host": "127.0.0.1", "health_port": 0, "lease_namespace": "d"}
        )
        self.manager = Manager("core", self.server, settings, clock=self.clock)
        self.informer = self.manager.informer(WIDGETS, KubernetesObject)
        queue = self.manager.queue("widget")
        self.informer.add_listener(lambda change: queue.add(change.key))
        self.manager.controller("widget", Fails(), queue, workers=2)
        self.page = DebugPage(self.manager, problems)

    def document(self) -> dict[str, Any]:
        found: dict[str, Any] = orjson.loads(orjson.dumps(self.page.document()))
        return found

    def seed(self, *names: str) -> None:
        for name in names:
            self.server.seed(WIDGETS, {"metadata": {"name": name, "namespace": "ns"}})


@pytest.fixture
def problems() -> Iterator[RecentProblems]:
    handlers, level = logging.root.handlers[:], logging.root.level
    yield configure("info", "json", io.StringIO())
    structlog.reset_defaults()
    logging.root.handlers[:] = handlers
    logging.root.setLevel(level)


@pytest.fixture
async def scene(problems: RecentProblems) -> AsyncIterator[Scene]:
    scene = Scene(problems)
    scene.seed("bad", "fine", "slow", "worse")
    running = asyncio.create_task(scene.manager.run())
    async with asyncio.timeout(60):
        while not scene.document()["queues"]["widget"]["in_work"]:
            await settle()
    yield scene
    stopping = asyncio.create_task(scene.clock.advance(timedelta(seconds=0)))
    scene.manager.stop()
    await stopping
    while not running.done():
        await scene.clock.advance(timedelta(seconds=5))
    assert running.result() == 0


async def test_it_shows_which_keys_wait_work_fail_and_come_again(scene: Scene) -> None:
    await settle()
    scene.clock.jump(timedelta(seconds=3))

    queue = scene.document()["queues"]["widget"]

    assert queue["working_seconds"] == {"ns/slow": 3}
    assert (queue["in_work"], queue["depth"], queue["delayed"], queue["retried"]) == (1, 0, 3, 2)
    assert queue["failures"] == {"ns/bad": 1, "ns/worse": 1}
    assert queue["due_in_seconds"]["ns/fine"] == 57
    assert list(queue["due_in_seconds"])[-1] == "ns/fine"


async def test_it_shows_each_cache_with_its_size_and_how_long_it_has_been_silent(scene: Scene) -> None:
    scene.clock.jump(timedelta(seconds=7))

    (cache,) = scene.document()["caches"]

    assert cache.pop("size_bytes") > 4 * len('{"metadata":{"name":"bad","namespace":"ns"}}')
    assert cache == {
        "name": "widgets",
        "objects": 4,
        "state": "listed",
        "resource_version": scene.informer.view().resource_version,
        "last_event_seconds": 7,
        "synced": True,
        "installed": True,
        "stuck": False,
        "unfit": 0,
        "unfit_keys": [],
    }


async def test_a_cache_that_somebody_else_runs_is_shown_until_it_is_hidden(scene: Scene) -> None:
    other = Informer(scene.server, WIDGETS, KubernetesObject, namespace="ns", clock=scene.clock)
    scene.manager.show(other)

    assert [cache["name"] for cache in scene.document()["caches"]] == ["widgets", "widgets.ns"]

    scene.manager.hide(other)

    assert [cache["name"] for cache in scene.document()["caches"]] == ["widgets"]


async def test_it_shows_who_holds_the_lease_and_when_it_was_renewed(scene: Scene) -> None:
    scene.clock.jump(timedelta(seconds=1.5))

    assert scene.document()["lease"] == {
        "lease": "d/core",
        "holder": scene.manager.identity,
        "leading": True,
        "renewed_seconds": 1.5,
        "overdue": False,
    }


async def test_the_last_errors_are_those_of_the_log_newest_first(scene: Scene) -> None:
    await settle()

    failed = [line for line in scene.document()["problems"] if line["event"] == "reconcile failed"]

    assert [(line["key"], line["error"]) for line in failed] == [
        ("ns/worse", "RuntimeError"),
        ("ns/bad", "ServiceUnavailable (503): try later"),
    ]
    assert {line["controller"] for line in failed} == {"widget"}
    assert all(line["reconcile_id"] > 0 for line in failed)


async def test_what_an_error_says_of_secrets_is_not_shown(scene: Scene) -> None:
    logging.getLogger("aiohttp.server").error("a token: %s", "of a library, which it must not log")

    assert PASSWORD not in str(scene.document())
    assert scene.document()["problems"][0]["event"] == "a token: of a library, which it must not log"


async def test_it_shows_what_each_task_runs_and_where_it_waits(scene: Scene) -> None:
    tasks = scene.document()["tasks"]

    workers = [task for task in tasks["shown"] if task["name"] == "widget-0"]
    assert tasks["count"] == len(tasks["shown"])
    assert workers[0]["runs"] == "Controller._work"
    assert any(
        task["waits_at"].startswith("Fails.reconcile:") or "Event.wait" in task["waits_at"] for task in tasks["shown"]
    )


async def test_long_queues_are_cut_with_what_tells_most_first(problems: RecentProblems) -> None:
    scene = Scene(problems)
    queue = scene.manager.queue("long")
    for number in range(3 * SHOWN):
        queue.add(ObjectKey("ns", f"{number}"))
        scene.clock.jump(timedelta(seconds=1))

    view = queue.view(SHOWN)

    assert view.depth == 3 * SHOWN
    assert len(view.waiting_seconds) == SHOWN
    assert next(iter(view.waiting_seconds.items())) == ("ns/0", 3 * SHOWN)


def test_only_so_many_problems_are_kept(problems: RecentProblems) -> None:
    log = structlog.get_logger("x")
    for number in range(2 * RECENT):
        log.warning("failed", number=number)
        log.info("went well")

    assert [line["number"] for line in problems.lines()] == list(range(2 * RECENT - 1, RECENT - 1, -1))


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("127.0.0.1", True),
        ("127.3.2.1", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("10.0.0.7", False),
        ("::ffff:10.0.0.7", False),
        ("fd00::7", False),
        ("", False),
        (None, False),
    ],
)
def test_only_loopback_addresses_are_local(address: str | None, local: bool) -> None:
    assert is_local(address) is local


async def test_callers_from_elsewhere_are_turned_away(scene: Scene) -> None:
    request = make_mocked_request("GET", "/debug").clone(remote="10.0.0.7")

    answer = await scene.page.answer(request)

    assert answer.status == 403
    assert "widget" not in (answer.text or "")


async def test_the_page_is_json_for_people(scene: Scene) -> None:
    request = make_mocked_request("GET", "/debug").clone(remote="127.0.0.1")

    answer = await scene.page.answer(request)

    assert answer.content_type == "application/json"
    assert isinstance(answer.body, bytes)
    assert orjson.loads(answer.body)["process"] == scene.manager.identity
