"""What all caches of one kind have in common: objects by key that go only forward, named indexes, listeners.

- Only forward: an entry is never replaced by an equal or older resource version, so `observe`, fed with the
  answer of a write, lets the writer read what it wrote although the watch lags behind.
- A removed key keeps a tombstone for a while, so that a late answer or a slow list does not bring it back.
- Listeners hear of every change once, after the shelf shows it, on the event loop that made the change.
- One object stops nothing: what fits no model, or makes an indexer or a digest fail, is kept as unfit, and told.

What is kept of an object and what listeners are told is the subclass's: `Store` keeps bytes, `Roster` a digest.
Resource versions are compared as numbers, as Kubernetes allows since KEP-5504 and etcd has always made them.
"""

import sys
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

from prometheus_client import Counter
from pydantic import ValidationError

from libdnsapi.api.meta import JsonObject, KubernetesObject, ObjectKey
from libdnsapi.runtime import rest
from libdnsapi.runtime.clock import in_batches
from libdnsapi.runtime.errors import frames
from libdnsapi.runtime.postings import Postings, Values, compact_values
from libdnsapi.runtime.rest import RawObject
from libdnsapi.runtime.unfit import UnfitReports

TOMBSTONES = 4096


class Entry:
    """What is kept of every object: its key, its resource version and, per index in order, its values there.

    The values are what an index is cleared by, so that it never needs the old object. The key is the one by which the
    object was first known, for all to share.
    """

    __slots__ = ("index_values", "key", "version")

    def __init__(self, key: ObjectKey, version: int) -> None:
        """Start without index values."""
        self.key = key
        self.version = version
        self.index_values: tuple[Values, ...] = ()


class Keyed(Protocol):
    """Something told of one object."""

    @property
    def key(self) -> ObjectKey:
        """The object's key."""
        ...


T = TypeVar("T", bound=KubernetesObject)
E = TypeVar("E", bound=Entry)
C = TypeVar("C", bound=Keyed)

Indexers = Mapping[str, Callable[[T], Iterable[str]]]
Trim = Callable[[JsonObject], None]
"""Drops fields that nobody reads, in place, before an object is read and kept; what names it and its version stays."""


class Shelf(ABC, Generic[T, E, C]):
    """Objects of one kind (T) by key, with indexes: of each an entry (E); of each change C; for one event loop."""

    def __init__(
        self,
        model: type[T],
        *,
        indexers: Indexers[T] | None = None,
        trim: Trim | None = None,
        undecodable: Counter | None = None,
    ) -> None:
        """Start empty."""
        self._model = model
        self._indexers = dict(indexers or {})
        self._trim = trim
        self._reports = UnfitReports(model.__name__, undecodable)
        self._unfit_keys: set[ObjectKey] = set()
        self._entries: dict[ObjectKey, E] = {}
        self._tombstones: OrderedDict[ObjectKey, int] = OrderedDict()
        self._lists = 0
        self._postings = {name: Postings() for name in self._indexers}
        self._listeners: list[Callable[[C], None]] = []

    def __len__(self) -> int:
        """Return the number of objects."""
        return len(self._entries)

    def __contains__(self, key: object) -> bool:
        """Say whether there is an object at this key."""
        return key in self._entries

    def by_index(self, name: str, value: str) -> list[ObjectKey]:
        """Return the keys, sorted, of the objects that have this value in this index; KeyError: no such index."""
        return sorted(self._postings[name].keys(value))

    def count(self, name: str, value: str) -> int:
        """Return how many objects have this value in this index, however many they are; KeyError: no such index."""
        return self._postings[name].count(value)

    def index_values(self, name: str) -> list[str]:
        """Return all values that the index knows, unsorted."""
        return self._postings[name].values()

    def keys(self) -> list[ObjectKey]:
        """Return all keys, unsorted."""
        return list(self._entries)

    def unfit(self) -> list[ObjectKey]:
        """Return the keys, unsorted, of objects that fit no model or that our code fails over: no index has them."""
        return list(self._unfit_keys)

    def version(self, key: ObjectKey) -> int:
        """Return the resource version at which the object is known, 0 without one."""
        entry = self._entries.get(key)
        return 0 if entry is None else entry.version

    def size_bytes(self) -> int:
        """Return the size of all kept bytes of objects."""
        return 0

    def add_listener(self, listener: Callable[[C], None]) -> None:
        """Tell this function of every change from now on; what it raises is logged and goes no further."""
        self._listeners.append(listener)

    def observe(self, raw: bytes) -> bool:
        """Take in an object if it is newer than what is known, and say whether it was.

        For the answers of one's own writes. One that shows an object on its way out (a deletion timestamp, no
        finalizers left) is the last of its object and removes it.
        """
        document = rest.read_object(raw)
        key, version = identity(document)
        if not self._accepts(key, version):
            return False
        if _is_last(document):
            return self.remove(key, version)
        self._put(key, version, self._trimmed(RawObject(key, str(version), raw)).raw)
        return True

    def update(self, found: RawObject) -> bool:
        """Take in an object that a watch shows if it is newer than what is known, and say whether it was."""
        version = found.version
        if self._accepts(found.key, version):
            self._put(found.key, version, self._trimmed(found).raw)
            return True
        return False

    def remove(self, key: ObjectKey, version: int) -> bool:
        """Drop an object that was deleted at this version, unless a newer one is known; say whether it went."""
        if version < self.version(key):
            return False
        self._bury(key, version)
        return self._drop(key)

    def forget(self, key: ObjectKey) -> bool:
        """Drop an object whose deletion the API server has confirmed to us; say whether it was known."""
        self._bury(key, self.version(key))
        return self._drop(key)

    def lean(self, found: RawObject) -> RawObject:
        """Return an object of a list as `replace` takes it: trimmed at once, since a list waits for its last page."""
        known = self._entries.get(found.key)
        return self._trimmed(found if known is None else found._replace(key=known.key))

    @contextmanager
    def listing(self) -> Iterator[None]:
        """Keep all tombstones while a list is on its way: it may still show what is removed beside it."""
        self._lists += 1
        try:
            yield
        finally:
            self._lists -= 1
            self._drop_tombstones()

    async def replace(self, objects: Sequence[RawObject], version: int, *, rewound: bool = False) -> None:
        """Take in a complete list of that version: what it lacks is gone, what is newer than it stays.

        `rewound` says that the server's history went back (a restored backup): then the list is right about
        everything, whatever the versions say. Other tasks get their turn between batches; their own writes'
        answers are newer than the list, so nothing is lost.
        """
        if rewound:
            self._rewind()
        seen: set[ObjectKey] = set()
        async for batch in in_batches(objects):
            for found in batch:
                seen.add(found.key)
                if self._accepts(found.key, found.version):
                    self._put(found.key, found.version, found.raw)
        async for gone in in_batches([key for key in self._entries if key not in seen]):
            for key in gone:
                self.remove(key, version)

    @abstractmethod
    def _shelve(self, key: ObjectKey, before: E | None, new: T | None, raw: bytes, version: int) -> E:
        """Return the entry of an object, without index values; `new` is None where the bytes fit no model."""

    @abstractmethod
    def _change(self, key: ObjectKey, before: E | None, new: T | None, after: E | None) -> C:
        """Return what listeners are told: entries before and after, None for a new or a removed object."""

    def _rewind(self) -> None:
        """Make every version older than any that the server may name, so that its next list wins."""
        self._tombstones.clear()
        for entry in self._entries.values():
            entry.version = -1

    def _accepts(self, key: ObjectKey, version: int) -> bool:
        known = self._entries.get(key)
        return version > max(known.version if known else -1, self._tombstones.get(key, -1))

    def _trimmed(self, found: RawObject) -> RawObject:
        """Return an object trimmed; one that cannot be trimmed stays whole, which is all that trimming is about."""
        if self._trim is None:
            return found
        try:
            document = rest.read_object(found.raw)
            self._trim(document)
            kept = rest.snug(document)
        except Exception as error:  # a broken trim must not stop the cache
            self._reports.not_trimmed(found.key, type(error).__name__, frames(error))
            return found
        if identity(document) != (found.key, found.version):  # a list of nameless objects would empty the cache
            self._reports.not_trimmed(found.key, "what it is known by was dropped", [])
            return found
        return found._replace(raw=kept)

    def _put(self, key: ObjectKey, version: int, raw: bytes) -> None:
        before = self._entries.get(key)
        key = key if before is None else before.key
        self._tombstones.pop(key, None)
        entry, new = self._taken(key, before, raw, version)
        self._entries[key] = entry
        self._index(key, before, entry)
        if new is None:
            self._unfit_keys.add(key)
            return
        change = self._change(key, before, new, entry)
        self._unfit_keys.discard(key)
        self._tell(change)

    def _taken(self, key: ObjectKey, before: E | None, raw: bytes, version: int) -> tuple[E, T | None]:
        """Return the entry of an object and its model; no model where it fits none or our own code fails over it."""
        new = self._decode(key, raw)
        if new is not None:
            try:
                return self._entry(key, before, new, raw, version), new
            except Exception as error:  # a broken indexer or digest must not stop the cache
                self._reports.failed(key, error)
        return self._entry(key, before, None, raw, version), None

    def _entry(self, key: ObjectKey, before: E | None, new: T | None, raw: bytes, version: int) -> E:
        entry = self._shelve(key, before, new, raw, version)
        entry.index_values = self._values(new)
        return entry

    def _drop(self, key: ObjectKey) -> bool:
        before = self._entries.pop(key, None)
        if before is None:
            return False
        self._index(key, before, None)
        change = self._change(key, before, None, None)
        self._unfit_keys.discard(key)
        self._tell(change)
        return True

    def _bury(self, key: ObjectKey, version: int) -> None:
        self._tombstones[key] = max(version, self._tombstones.pop(key, 0))
        self._drop_tombstones()

    def _drop_tombstones(self) -> None:
        while len(self._tombstones) > TOMBSTONES and not self._lists:
            self._tombstones.popitem(last=False)

    def _index(self, key: ObjectKey, before: E | None, after: E | None) -> None:
        for number, postings in enumerate(self._postings.values()):
            old = before.index_values[number] if before else ()
            new = after.index_values[number] if after else ()
            if old != new:
                postings.move(key, old, new)

    def _values(self, new: T | None) -> tuple[Values, ...]:
        if new is None:
            return ((),) * len(self._indexers)
        return tuple(compact_values(indexer(new)) for indexer in self._indexers.values())

    def _decode(self, key: ObjectKey, raw: bytes) -> T | None:
        try:
            return self._model.model_validate_json(raw)
        except ValidationError as error:
            self._reports.does_not_fit(key, error)
        except Exception as error:  # a broken validator must not stop the cache
            self._reports.failed(key, error)
        return None

    def _tell(self, change: C) -> None:
        for listener in self._listeners:
            try:
                listener(change)
            except Exception as error:  # a broken mapper must not stop the cache
                self._reports.listener_failed(change.key, error)


def identity(document: JsonObject) -> tuple[ObjectKey, int]:
    """Return an object's key and its resource version as a number (0 where it has none)."""
    metadata = document.get("metadata")
    if not isinstance(metadata, dict):
        return ObjectKey("", ""), 0
    key = ObjectKey(sys.intern(str(metadata.get("namespace") or "")), str(metadata.get("name") or ""))
    return key, rest.number(str(metadata.get("resourceVersion") or ""))


def _is_last(document: JsonObject) -> bool:
    metadata = document.get("metadata")
    if not isinstance(metadata, dict):
        return False
    grace = metadata.get("deletionGracePeriodSeconds")
    return bool(metadata.get("deletionTimestamp")) and not metadata.get("finalizers") and not grace
