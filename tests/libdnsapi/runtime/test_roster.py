"""A roster answers and tells what a store does, as far as digests can, whatever comes and in whichever order."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdnsapi.api.meta import JsonObject, KubernetesObject, ObjectKey
from libdnsapi.runtime.errors import UndecodableError
from libdnsapi.runtime.rest import RawObject, fields, raw_object
from libdnsapi.runtime.roster import News, Roster
from libdnsapi.runtime.shelf import Indexers
from libdnsapi.runtime.store import Change, Store

KEY = ObjectKey("ns", "a")
NAMES = ("a", "b", "c")
ZONES = ("x", "y", "z")
INDEXES = ("zone", "size")
Digest = tuple[ObjectKey, int, tuple[str, ...]]


class Widget(KubernetesObject):
    """An object with a number and zones."""

    size: int = 0
    zones: tuple[str, ...] = ()


@dataclass(frozen=True)
class State:
    """An object at one version; a size that is no number fits no model."""

    name: str
    version: int
    size: int | str = 0
    zones: tuple[str, ...] = ()
    leaving: bool = False

    @property
    def raw(self) -> bytes:
        metadata: JsonObject = {"name": self.name, "namespace": "ns", "resourceVersion": str(self.version)}
        if self.leaving:
            metadata["deletionTimestamp"] = "2026-01-01T00:00:00Z"
        return orjson.dumps({"metadata": metadata, "size": self.size, "zones": self.zones})

    @property
    def seen(self) -> RawObject:
        return raw_object(fields(self.raw))


@dataclass(frozen=True)
class Step:
    """Something that befalls a cache: an event, the answer of a write, a list."""

    kind: str
    states: Sequence[State]
    version: int

    def befall(self, cache: Store[Widget] | Roster[Widget, Digest]) -> bool | None:
        first = self.states[0]
        match self.kind:
            case "update":
                return cache.update(first.seen)
            case "observe":
                return cache.observe(first.raw)
            case "remove":
                return cache.remove(ObjectKey("ns", first.name), self.version)
            case "forget":
                return cache.forget(ObjectKey("ns", first.name))
            case _:
                listed = {state.name: cache.lean(state.seen) for state in self.states}
                asyncio.run(cache.replace([*listed.values()], self.version, rewound=self.kind == "rewound"))
                return None


VERSIONS = st.integers(1, 12)
STATES = st.builds(
    State,
    name=st.sampled_from(NAMES),
    version=VERSIONS,
    size=st.integers(0, 2) | st.just("many"),
    zones=st.lists(st.sampled_from(ZONES), max_size=3).map(tuple),
    leaving=st.booleans(),
)
KINDS = ("update", "update", "update", "observe", "remove", "forget", "relist", "rewound")
STEPS = st.builds(Step, kind=st.sampled_from(KINDS), states=st.lists(STATES, min_size=1, max_size=3), version=VERSIONS)
INDEXERS: Indexers[Widget] = {"zone": lambda widget: widget.zones, "size": lambda widget: (str(widget.size),)}


def digest(key: ObjectKey, widget: Widget) -> Digest:
    return key, widget.size, widget.zones


@dataclass
class Pair:
    """The same in full and as digests, with what both told."""

    store: Store[Widget] = field(default_factory=lambda: Store(Widget, indexers=INDEXERS))
    roster: Roster[Widget, Digest] = field(default_factory=lambda: Roster(Widget, digest, indexers=INDEXERS))
    changes: list[tuple[ObjectKey, Digest | None, Digest | None]] = field(default_factory=list)
    news: list[News[Digest]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.store.add_listener(self._note)
        self.roster.add_listener(self.news.append)

    def _note(self, change: Change[Widget]) -> None:
        old, new = (None if each is None else digest(change.key, each) for each in (change.old, change.new))
        self.changes.append((change.key, old, new))

    def agree(self) -> None:
        """Fail where the two answer differently."""
        assert sorted(self.roster.keys()) == sorted(self.store.keys())
        assert len(self.roster) == len(self.store)
        for name in NAMES:
            key = ObjectKey("ns", name)
            assert (key in self.roster) == (key in self.store)
            assert self.roster.version(key) == self.store.version(key)
            assert read(self.roster, key) == read(self.store, key)
        for index in INDEXES:
            found = self._indexed(index)
            assert sorted(self.roster.index_values(index)) == sorted(self.store.index_values(index)) == sorted(found)
            for value in (*ZONES, "0", "1", "2"):
                keys = sorted(found.get(value, ()))
                assert self.roster.by_index(index, value) == self.store.by_index(index, value) == keys
                assert self.roster.count(index, value) == self.store.count(index, value) == len(keys)

    def _indexed(self, index: str) -> dict[str, set[ObjectKey]]:
        """Return what an index should say of what the store shows."""
        found: dict[str, set[ObjectKey]] = {}
        for key in map(partial(ObjectKey, "ns"), NAMES):
            shown = None if isinstance(read(self.store, key), str) else self.store.get(key)
            for value in () if shown is None else INDEXERS[index](shown):
                found.setdefault(value, set()).add(key)
        return found


def read(cache: Store[Widget] | Roster[Widget, Digest], key: ObjectKey) -> Digest | str | None:
    try:
        if isinstance(cache, Roster):
            return cache.digest(key)
        found = cache.get(key)
        return None if found is None else digest(key, found)
    except UndecodableError as error:
        return str(error)


@given(st.lists(STEPS, max_size=20))
def test_a_roster_answers_and_tells_as_a_store_does(steps: list[Step]) -> None:
    pair = Pair()
    for step in steps:
        assert step.befall(pair.roster) == step.befall(pair.store)
        pair.agree()
    assert [(each.key, each.after) for each in pair.news] == [(key, after) for key, _, after in pair.changes]
    told: dict[ObjectKey, Digest | None] = {}
    for news, (_, old, _) in zip(pair.news, pair.changes, strict=True):
        assert news.before == told.get(news.key)
        assert old in (None, news.before)
        told[news.key] = news.after
    shown = {key for key in pair.roster.keys() if isinstance(read(pair.roster, key), tuple)}  # noqa: SIM118
    assert shown <= {key for key, after in told.items() if after is not None}


def test_an_index_lets_go_of_values_whose_object_is_not_kept() -> None:
    roster = Roster(Widget, lambda _, widget: widget.size, indexers=INDEXERS)
    roster.update(State("a", 1, zones=("x", "y")).seen)
    roster.update(State("b", 2, zones=("x",)).seen)
    roster.update(State("a", 3, zones=("y", "z")).seen)
    assert roster.by_index("zone", "x") == [ObjectKey("ns", "b")]
    roster.remove(ObjectKey("ns", "b"), 4)
    assert sorted(roster.index_values("zone")) == ["y", "z"]
    roster.update(State("a", 5, size="many").seen)
    assert roster.index_values("zone") == []


def test_a_state_that_fits_no_model_is_an_error_and_what_was_told_before_it_stays_told() -> None:
    pair = Pair()
    pair.roster.update(State("a", 1, size=1).seen)
    pair.roster.update(State("a", 2, size="many").seen)
    with pytest.raises(UndecodableError):
        pair.roster.digest(KEY)
    pair.roster.update(State("a", 3, size=3).seen)
    first, last = (KEY, 1, ()), (KEY, 3, ())
    assert [(each.before, each.after) for each in pair.news] == [(None, first), (first, last)]
    assert pair.roster.digest(KEY) == last


def test_an_object_that_never_fitted_goes_with_nothing_on_either_side() -> None:
    pair = Pair()
    pair.roster.update(State("a", 1, size="many").seen)
    assert pair.news == []
    assert KEY in pair.roster
    assert pair.roster.remove(KEY, 2)
    assert pair.news == [News(KEY, None, None)]


def test_nothing_of_an_object_is_kept_beside_its_digest() -> None:
    roster = Roster(Widget, lambda _, widget: widget.size)
    roster.update(State("a", 1, size=7, zones=("x",)).seen)
    assert roster.size_bytes() == 0
    assert not hasattr(roster, "get")
    assert not hasattr(roster, "raw")
    assert roster.digest(KEY) == 7


def drop_size(document: JsonObject) -> None:
    document.pop("size", None)


def test_a_field_that_is_trimmed_cannot_make_an_object_unfit() -> None:
    roster = Roster(Widget, lambda _, widget: widget.zones, trim=drop_size)
    roster.update(State("a", 1, size="many", zones=("x",)).seen)
    assert roster.digest(KEY) == ("x",)


def test_all_digests_of_an_object_share_one_key() -> None:
    pair = Pair()
    pair.roster.update(State("a", 1, size=1).seen)
    pair.roster.update(State("a", 2, size=2).seen)
    first, second = (each.after for each in pair.news)
    assert first is not None
    assert second is not None
    assert first[0] is second[0] is pair.roster.keys()[0]
