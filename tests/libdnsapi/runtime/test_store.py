"""The cache goes only forward, finds by index, and tells of every change once."""

import orjson
import pytest
from pydantic import JsonValue
from structlog.testing import capture_logs

from libdnsapi.api.meta import JsonObject, KubernetesObject, ObjectKey
from libdnsapi.runtime.errors import UndecodableError
from libdnsapi.runtime.rest import RawObject, raw_object
from libdnsapi.runtime.rest import fields as fields_of
from libdnsapi.runtime.store import Change, Store

KEY = ObjectKey("ns", "one")
Seen = list[tuple[str, int | None, int | None]]


class Widget(KubernetesObject):
    """An object with a number."""

    size: int = 0
    zones: tuple[str, ...] = ()


def raw(name: str = "one", version: int = 1, *, metadata: JsonObject | None = None, **fields: JsonValue) -> bytes:
    identity = {"name": name, "namespace": "ns", "resourceVersion": str(version)}
    return orjson.dumps({"metadata": {**identity, **(metadata or {})}, **fields})


def sent(name: str = "one", version: int = 1, *, metadata: JsonObject | None = None, **fields: JsonValue) -> RawObject:
    return raw_object(fields_of(raw(name, version, metadata=metadata, **fields)))


def names(store: Store[Widget]) -> list[str]:
    return [key.name for key in sorted(store.keys())]


@pytest.fixture
def changes() -> Seen:
    return []


@pytest.fixture
def store(changes: Seen) -> Store[Widget]:
    store = Store(Widget, indexers={"zone": lambda widget: widget.zones})

    def note(change: Change[Widget]) -> None:
        old, new = change.old, change.new
        changes.append((change.key.name, old.size if old else None, new.size if new else None))

    store.add_listener(note)
    return store


def test_a_newer_version_replaces_an_older_one_and_never_the_other_way(store: Store[Widget], changes: Seen) -> None:
    assert store.observe(raw(version=5, size=5))
    assert not store.update(sent(version=4, size=4))
    assert not store.update(sent(version=5, size=5))
    assert store.update(sent(version=10, size=10))
    found = store.get(KEY)
    assert found is not None
    assert found.size == 10
    assert changes == [("one", None, 5), ("one", 5, 10)]


def test_a_removed_object_is_not_brought_back_by_a_late_answer(store: Store[Widget], changes: Seen) -> None:
    store.update(sent(version=5, size=5))
    assert store.remove(KEY, 7)
    assert not store.observe(raw(version=6, size=6))
    assert store.get(KEY) is None
    assert store.update(sent(version=8, size=8))
    assert changes == [("one", None, 5), ("one", 5, None), ("one", None, 8)]


def test_an_old_deletion_does_not_remove_a_recreated_object(store: Store[Widget]) -> None:
    store.observe(raw(version=9))
    assert not store.remove(KEY, 7)
    assert KEY in store


def test_the_answer_that_removes_the_last_finalizer_removes_the_object(store: Store[Widget]) -> None:
    store.update(sent(version=5, metadata={"deletionTimestamp": "2026-01-01T00:00:00Z", "finalizers": ["a/b"]}))
    assert KEY in store
    store.observe(raw(version=6, metadata={"deletionTimestamp": "2026-01-01T00:00:00Z"}))
    assert KEY not in store


def test_a_terminating_namespace_seen_by_a_watch_stays(store: Store[Widget]) -> None:
    store.update(sent(version=6, metadata={"deletionTimestamp": "2026-01-01T00:00:00Z"}))
    assert KEY in store


def test_forgetting_keeps_the_known_version_away(store: Store[Widget]) -> None:
    store.update(sent(version=5))
    assert store.forget(KEY)
    assert not store.update(sent(version=5))
    assert not store.forget(KEY)


async def test_a_list_removes_what_it_lacks_and_keeps_what_is_newer(store: Store[Widget], changes: Seen) -> None:
    store.update(sent("gone", 5))
    store.observe(raw("written", 30))
    store.observe(raw("stale", 31, size=31))
    changes.clear()
    await store.replace([*map(store.lean, (sent("stale", 10, size=10), sent("new", 11, size=11)))], 20)
    assert names(store) == ["new", "stale", "written"]
    assert changes == [("new", None, 11), ("gone", 0, None)]


async def test_a_list_of_a_rewound_history_is_right_about_everything(store: Store[Widget]) -> None:
    store.update(sent("one", 1000, size=1))
    store.update(sent("gone", 1001))
    store.remove(ObjectKey("ns", "dead"), 1002)
    await store.replace([*map(store.lean, (sent("one", 50, size=2), sent("dead", 51)))], 60, rewound=True)
    assert names(store) == ["dead", "one"]
    found = store.get(KEY)
    assert found is not None
    assert found.size == 2


def test_indexes_follow_the_objects(store: Store[Widget]) -> None:
    store.update(sent("a", 1, zones=["x", "y"]))
    store.update(sent("b", 2, zones=["x"]))
    assert [key.name for key in store.by_index("zone", "x")] == ["a", "b"]
    assert (store.count("zone", "x"), store.count("zone", "none")) == (2, 0)
    store.update(sent("a", 3, zones=["y", "z"]))
    assert [key.name for key in store.by_index("zone", "x")] == ["b"]
    assert store.count("zone", "x") == 1
    assert [key.name for key in store.by_index("zone", "z")] == ["a"]
    store.remove(ObjectKey("ns", "b"), 4)
    assert store.by_index("zone", "x") == []
    assert sorted(store.index_values("zone")) == ["y", "z"]
    with pytest.raises(KeyError):
        store.by_index("owner", "x")


def drop_status(document: JsonObject) -> None:
    document.pop("status", None)


def test_trimmed_fields_are_not_kept() -> None:
    store = Store(Widget, trim=drop_status)
    store.update(sent(version=1, status={"big": "x"}, metadata={"annotations": {"a": "b"}}))
    kept = store.raw(KEY)
    assert kept is not None
    assert orjson.loads(kept)["metadata"]["annotations"] == {"a": "b"}
    assert b"status" not in kept


async def test_an_object_of_a_list_is_trimmed_before_the_list_is_complete() -> None:
    store = Store(Widget, trim=drop_status)
    waiting = store.lean(sent(version=7, status={"big": "x"}))
    assert b"status" not in waiting.raw
    await store.replace([waiting], 9)
    assert (store.raw(KEY), store.version(KEY)) == (waiting.raw, 7)


def test_an_object_that_fits_no_model_is_an_error_and_not_an_absence(store: Store[Widget], changes: Seen) -> None:
    with capture_logs() as logs:
        store.update(sent(version=1, size="hunter2"))
    assert changes == []
    assert "hunter2" not in str(logs)
    assert KEY in store
    with pytest.raises(UndecodableError):
        store.get(KEY)
    assert store.fitting(KEY) is None
    store.update(sent(version=2, size=2))
    assert changes == [("one", None, 2)]
    assert store.fitting(KEY) == store.get(KEY)


def test_a_broken_listener_stops_neither_the_store_nor_the_others(store: Store[Widget], changes: Seen) -> None:
    def broken(_: Change[Widget]) -> None:
        raise RuntimeError

    fresh = Store(Widget)
    seen: list[ObjectKey] = []
    fresh.add_listener(broken)
    fresh.add_listener(lambda change: seen.append(change.key))
    with capture_logs() as logs:
        fresh.update(sent())
    assert seen == [KEY]
    assert logs[0]["error"] == "RuntimeError"


def test_parsed_models_are_kept_up_to_a_limit() -> None:
    store = Store(Widget, parsed=1)
    store.update(sent("a", 1, size=1))
    first = store.get(ObjectKey("ns", "a"))
    assert store.get(ObjectKey("ns", "a")) is first
    store.update(sent("b", 2, size=2))
    again = store.get(ObjectKey("ns", "a"))
    assert again == first
    assert again is not first


def test_a_change_carries_the_bytes_of_both_states_and_none_that_never_fitted(store: Store[Widget]) -> None:
    seen: list[tuple[bytes | None, bytes | None]] = []
    store.add_listener(lambda change: seen.append((change.before, change.after)))
    one, broken, two = raw(version=1, size=1), raw(version=2, size="many"), raw(version=3, size=3)
    for state in (one, broken, two):
        store.observe(state)
    store.remove(KEY, 4)
    store.update(sent(version=5, size="many"))
    store.remove(KEY, 6)
    assert seen == [(None, one), (None, two), (two, None), (None, None)]
