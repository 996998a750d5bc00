"""The fake API server keeps what reconcilers rely on."""

import asyncio
from datetime import timedelta

import orjson
import pytest

from libdnsapi.api.meta import NAMESPACES, JsonObject, ObjectKey, ResourceType
from libdnsapi.runtime.errors import (
    AlreadyExistsError,
    ConflictError,
    GoneError,
    InvalidError,
    NamespaceTerminatingError,
    NotFoundError,
    UnavailableError,
)
from tests.fakes.clock import FakeClock, settle
from tests.fakes.kubernetes import FakeKubernetes, Fault, refused

WIDGETS = ResourceType("example.org", "v1", "Widget", "widgets")
KEY = ObjectKey("shop", "one")


def widget(name: str = "one", **spec: int) -> JsonObject:
    return {"metadata": {"name": name}, "spec": dict(spec), "status": {"seen": True}}


def meta(raw: bytes) -> dict[str, object]:
    return dict(orjson.loads(raw)["metadata"])


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def server(clock: FakeClock) -> FakeKubernetes:
    return FakeKubernetes(clock)


async def test_a_created_object_has_identity_and_no_status(server: FakeKubernetes) -> None:
    created = orjson.loads(await server.create(WIDGETS, "shop", widget(a=1)))
    assert created["metadata"]["generation"] == 1
    assert created["metadata"]["creationTimestamp"] == "2026-01-01T00:00:00Z"
    assert created["kind"] == "Widget"
    assert "status" not in created
    with pytest.raises(AlreadyExistsError):
        await server.create(WIDGETS, "shop", widget())


async def test_a_status_write_changes_nothing_else(server: FakeKubernetes) -> None:
    created = orjson.loads(await server.create(WIDGETS, "shop", widget(a=1)))
    created["spec"], created["status"] = {"a": 2}, {"ok": 1}
    written = orjson.loads(await server.replace(WIDGETS, KEY, created, subresource="status"))
    assert (written["spec"], written["status"], written["metadata"]["generation"]) == ({"a": 1}, {"ok": 1}, 1)


async def test_a_main_write_keeps_status_and_raises_the_generation(server: FakeKubernetes) -> None:
    await server.create(WIDGETS, "shop", widget(a=1))
    await server.merge_patch(WIDGETS, KEY, {"status": {"ok": 1}}, subresource="status")
    written = orjson.loads(await server.merge_patch(WIDGETS, KEY, {"spec": {"a": 2}, "status": {"ok": 2}}))
    assert (written["spec"], written["status"], written["metadata"]["generation"]) == ({"a": 2}, {"ok": 1}, 2)


async def test_a_write_without_a_change_leaves_no_trace(server: FakeKubernetes) -> None:
    before = meta(await server.create(WIDGETS, "shop", widget(a=1)))
    after = meta(await server.merge_patch(WIDGETS, KEY, {"spec": {"a": 1}}))
    assert before == after


async def test_an_old_version_is_a_conflict(server: FakeKubernetes) -> None:
    old = orjson.loads(await server.create(WIDGETS, "shop", widget(a=1)))
    await server.merge_patch(WIDGETS, KEY, {"spec": {"a": 2}})
    with pytest.raises(ConflictError):
        await server.replace(WIDGETS, KEY, old)
    with pytest.raises(ConflictError):
        await server.delete(WIDGETS, KEY, resource_version=old["metadata"]["resourceVersion"])
    with pytest.raises(InvalidError):
        await server.replace(WIDGETS, KEY, widget())


async def test_finalizers_hold_an_object_until_the_last_is_removed(server: FakeKubernetes) -> None:
    await server.create(WIDGETS, "shop", {"metadata": {"name": "one", "finalizers": ["a/b"]}})
    await server.delete(WIDGETS, KEY)
    marked = meta(await server.get(WIDGETS, KEY))
    assert marked["deletionTimestamp"] == "2026-01-01T00:00:00Z"
    assert marked["generation"] == 2
    with pytest.raises(InvalidError):
        await server.merge_patch(WIDGETS, KEY, {"metadata": {"finalizers": ["a/b", "c/d"]}})
    await server.merge_patch(WIDGETS, KEY, {"metadata": {"finalizers": []}})
    with pytest.raises(NotFoundError):
        await server.get(WIDGETS, KEY)


async def test_nothing_is_created_in_a_terminating_namespace(server: FakeKubernetes) -> None:
    server.seed(
        NAMESPACES,
        {"metadata": {"name": "shop", "deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["x/y"]}},
    )
    with pytest.raises(NamespaceTerminatingError):
        await server.create(WIDGETS, "shop", widget())


async def test_pages_show_the_moment_of_the_first(server: FakeKubernetes) -> None:
    for name in "abcde":
        await server.create(WIDGETS, "shop", widget(name))
    first = await server.list_page(WIDGETS, limit=2)
    await server.delete(WIDGETS, ObjectKey("shop", "e"))
    second = await server.list_page(WIDGETS, limit=2, continue_token=first.continue_token)
    third = await server.list_page(WIDGETS, limit=2, continue_token=second.continue_token)
    names = [item.key.name for page in (first, second, third) for item in page.items]
    assert names == list("abcde")
    assert {page.resource_version for page in (first, second, third)} == {first.resource_version}
    assert third.continue_token == ""
    server.compact()
    with pytest.raises(GoneError):
        await server.list_page(WIDGETS, limit=2, continue_token=first.continue_token)


async def test_a_watch_shows_changes_after_its_version(server: FakeKubernetes, clock: FakeClock) -> None:
    await server.create(WIDGETS, "shop", widget("old"))
    start = (await server.list_page(WIDGETS)).resource_version
    seen: list[tuple[str, object]] = []

    async def follow() -> None:
        stream = server.watch(WIDGETS, resource_version=start, lifetime=timedelta(minutes=5), label_selector="!no")
        async for event in stream:
            seen.append((event.type, event.object.key.name))  # noqa: PERF401 — as they come

    task = asyncio.create_task(follow())
    await settle()
    await server.create(WIDGETS, "shop", widget())
    await server.merge_patch(WIDGETS, KEY, {"spec": {"a": 5}})
    server.bookmark(WIDGETS)
    await server.merge_patch(WIDGETS, KEY, {"metadata": {"labels": {"no": "x"}}})
    await server.delete(WIDGETS, ObjectKey("shop", "old"))
    await clock.advance(timedelta(minutes=6))
    await task
    assert seen == [("ADDED", "one"), ("MODIFIED", "one"), ("BOOKMARK", ""), ("DELETED", "one"), ("DELETED", "old")]


async def test_a_watch_from_before_the_history_is_gone(server: FakeKubernetes) -> None:
    await server.create(WIDGETS, "shop", widget())
    server.compact()
    with pytest.raises(GoneError):
        async for _ in server.watch(WIDGETS, resource_version="1", lifetime=timedelta(minutes=1)):
            pass


async def test_an_apply_removes_what_the_previous_one_had(server: FakeKubernetes) -> None:
    await server.apply(WIDGETS, KEY, {"spec": {"a": 1, "b": 2}})
    await server.merge_patch(WIDGETS, KEY, {"spec": {"c": 3}})
    applied = orjson.loads(await server.apply(WIDGETS, KEY, {"spec": {"a": 4}}))
    assert applied["spec"] == {"a": 4, "c": 3}


async def test_a_json_patch_with_a_failed_test_changes_nothing(server: FakeKubernetes) -> None:
    await server.create(WIDGETS, "shop", widget(a=1))
    patch: list[JsonObject] = [
        {"op": "test", "path": "/spec/a", "value": 2},
        {"op": "replace", "path": "/spec/a", "value": 3},
    ]
    with pytest.raises(InvalidError):
        await server.json_patch(WIDGETS, KEY, patch)
    patch[0]["value"] = 1
    assert orjson.loads(await server.json_patch(WIDGETS, KEY, patch))["spec"] == {"a": 3}


async def test_faults_hit_as_often_as_they_say_and_may_lose_only_the_answer(server: FakeKubernetes) -> None:
    server.fail(Fault(UnavailableError(0, "Timeout", "no answer"), verb="create", applied=True))
    with pytest.raises(UnavailableError):
        await server.create(WIDGETS, "shop", widget())
    assert server.keys(WIDGETS) == [KEY]
    server.fail(Fault(refused(403, "Forbidden"), resource=WIDGETS, skip=1))
    await server.get(WIDGETS, KEY)
    with pytest.raises(type(refused(403, "Forbidden"))):
        await server.get(WIDGETS, KEY)
    await server.get(WIDGETS, KEY)


async def test_writes_are_counted_and_dry_runs_store_nothing(server: FakeKubernetes) -> None:
    await server.create(WIDGETS, "shop", widget(), dry_run=True)
    assert server.keys(WIDGETS) == []
    await server.create(WIDGETS, "shop", widget())
    await server.merge_patch(WIDGETS, KEY, {"status": {"a": 1}}, subresource="status")
    await server.get(WIDGETS, KEY)
    assert server.writes() == {("create", "widgets"): 1, ("merge_patch", "widgets/status"): 1}
