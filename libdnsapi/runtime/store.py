"""The cache of one kind: trimmed JSON bytes, parsed when asked for, with named indexes.

- Only forward: an entry is never replaced by an equal or older resource version, so `observe`, fed with the
  answer of a write, lets the writer read what it wrote although the watch lags behind.
- A removed key keeps a tombstone for a while, so that a late answer does not bring it back.
- Listeners hear of every change once, after the store shows it, on the event loop that made the change.
- Memory: an object costs its bytes and about 600 bytes more with two indexes. The bytes are kept as they come, so
  they should come compact, as the client gives them; `trim` makes them smaller still.

Resource versions are compared as numbers, as Kubernetes allows since KEP-5504 and etcd has always made them.
"""

import asyncio
import contextlib
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Generic, Protocol, TypeVar

import structlog
from prometheus_client import Counter
from pydantic import ValidationError

from libdnsapi.api.meta import JsonObject, KubernetesObject, ObjectKey
from libdnsapi.runtime import rest
from libdnsapi.runtime.errors import UndecodableError
from libdnsapi.runtime.postings import Postings, Values, compact_values

T = TypeVar("T", bound=KubernetesObject)
T_co = TypeVar("T_co", bound=KubernetesObject, covariant=True)

PARSED_OBJECTS = 256
TOMBSTONES = 4096
BATCH = 500
UNFIT_LOGGED = 20

Indexers = Mapping[str, Callable[[T], Iterable[str]]]
Trim = Callable[[JsonObject], None]
"""Drops fields that nobody reads, in place, before an object is kept."""

log = structlog.get_logger(__name__)


class Lister(Protocol[T_co]):
    """The reading side of a store: all that a reconciler's gathering needs."""

    def get(self, key: ObjectKey) -> T_co | None:
        """Return the object, None where the cache has none; raises UndecodableError where it fits no model."""
        ...

    def by_index(self, name: str, value: str) -> list[ObjectKey]:
        """Return the keys, sorted, of the objects that have this value in this index."""
        ...

    def keys(self) -> list[ObjectKey]:
        """Return all keys, unsorted."""
        ...


class Entry:
    """What the store keeps of one object."""

    __slots__ = ("index_values", "raw", "version")

    def __init__(self, raw: bytes, version: int, index_values: tuple[Values, ...]) -> None:
        """Keep the bytes, the resource version and, per index in order, the object's values."""
        self.raw = raw
        self.version = version
        self.index_values = index_values


class Change(Generic[T]):
    """One object's change: `old` is None for a new one, `new` for a removed one.

    `before` and `after` are the same as JSON bytes, for listeners that need little of a large object. Old objects parse
    on demand.
    """

    def __init__(
        self, key: ObjectKey, old: Callable[[], T | None], new: T | None, before: bytes | None, after: bytes | None
    ) -> None:
        """Keep the key, the way to the old object and the new object, and the bytes of both."""
        self.key = key
        self.new = new
        self.before = before
        self.after = after
        self._old = old

    @cached_property
    def old(self) -> T | None:
        """The object as it was; None also where its bytes never fitted the model, and so do `before`."""
        return self._old()


Listener = Callable[[Change[T]], None]


class Store(Generic[T]):
    """Objects of one kind by key, with indexes; used from one event loop."""

    def __init__(
        self,
        model: type[T],
        *,
        indexers: Indexers[T] | None = None,
        trim: Trim | None = None,
        parsed: int = PARSED_OBJECTS,
        undecodable: Counter | None = None,
    ) -> None:
        """Start empty; up to `parsed` models are kept beside the bytes."""
        self._model = model
        self._indexers = dict(indexers or {})
        self._trim = trim
        self._undecodable = undecodable
        self._unfit = 0
        self._unfit_keys: set[ObjectKey] = set()
        self._entries: dict[ObjectKey, Entry] = {}
        self._tombstones: OrderedDict[ObjectKey, int] = OrderedDict()
        self._postings = {name: Postings() for name in self._indexers}
        self._parsed: OrderedDict[ObjectKey, tuple[int, T]] = OrderedDict()
        self._parsed_limit = parsed
        self._listeners: list[Listener[T]] = []

    def __len__(self) -> int:
        """Return the number of objects."""
        return len(self._entries)

    def __contains__(self, key: object) -> bool:
        """Say whether there is an object at this key."""
        return key in self._entries

    def get(self, key: ObjectKey) -> T | None:
        """Return the object, None where there is none; raises UndecodableError where it fits no model."""
        entry = self._entries.get(key)
        return None if entry is None else self._parse(key, entry)

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

    def raw(self, key: ObjectKey) -> bytes | None:
        """Return the kept bytes of an object."""
        entry = self._entries.get(key)
        return None if entry is None else entry.raw

    def version(self, key: ObjectKey) -> int:
        """Return the resource version at which the object is known, 0 without one."""
        entry = self._entries.get(key)
        return 0 if entry is None else entry.version

    def size_bytes(self) -> int:
        """Return the size of all kept bytes; a few milliseconds for 100,000 objects."""
        return sum(len(entry.raw) for entry in self._entries.values())

    def add_listener(self, listener: Listener[T]) -> None:
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
        self._put(key, version, document, raw)
        return True

    def update(self, raw: bytes) -> bool:
        """Take in an object that a watch shows if it is newer than what is known, and say whether it was."""
        document = rest.read_object(raw)
        key, version = identity(document)
        if self._accepts(key, version):
            self._put(key, version, document, raw)
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

    async def replace(self, objects: Sequence[bytes], version: int, *, rewound: bool = False) -> None:
        """Take in a complete list of that version: what it lacks is gone, what is newer than it stays.

        `rewound` says that the server's history went back (a restored backup): then the list is right about
        everything, whatever the versions say. Other tasks get their turn between batches; their own writes'
        answers are newer than the list, so nothing is lost.
        """
        if rewound:
            self._rewind()
        seen: set[ObjectKey] = set()
        for batch in range(0, len(objects), BATCH):
            for raw in objects[batch : batch + BATCH]:
                document = rest.read_object(raw)
                key, item_version = identity(document)
                seen.add(key)
                if self._accepts(key, item_version):
                    self._put(key, item_version, document, raw)
            await asyncio.sleep(0)
        for key in [key for key in self._entries if key not in seen]:
            self.remove(key, version)

    def _rewind(self) -> None:
        """Make every version older than any that the server may name, so that its next list wins."""
        self._tombstones.clear()
        self._parsed.clear()
        for entry in self._entries.values():
            entry.version = -1

    def _accepts(self, key: ObjectKey, version: int) -> bool:
        known = self._entries.get(key)
        return version > max(known.version if known else -1, self._tombstones.get(key, -1))

    def _put(self, key: ObjectKey, version: int, document: JsonObject, raw: bytes) -> None:
        if self._trim is not None:
            self._trim(document)
            raw = rest.compact(document)
        before = self._entries.get(key)
        self._tombstones.pop(key, None)
        new = self._decode(key, raw)
        entry = Entry(raw, version, self._values(new))
        self._entries[key] = entry
        self._index(key, before, entry)
        if new is None:
            self._parsed.pop(key, None)
            return
        self._remember(key, version, new)
        known = self._fitting(key, before)
        self._unfit_keys.discard(key)
        self._tell(Change(key, lambda: self._quietly(known), new, known, raw))

    def _drop(self, key: ObjectKey) -> bool:
        before = self._entries.pop(key, None)
        self._parsed.pop(key, None)
        if before is None:
            return False
        self._index(key, before, None)
        known = self._fitting(key, before)
        self._unfit_keys.discard(key)
        self._tell(Change(key, lambda: self._quietly(known), None, known, None))
        return True

    def _bury(self, key: ObjectKey, version: int) -> None:
        self._tombstones[key] = max(version, self._tombstones.pop(key, 0))
        if len(self._tombstones) > TOMBSTONES:
            self._tombstones.popitem(last=False)

    def _index(self, key: ObjectKey, before: Entry | None, after: Entry | None) -> None:
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
            self._report_unfit(key, error)
            self._unfit_keys.add(key)
            return None

    def _report_unfit(self, key: ObjectKey, error: ValidationError) -> None:
        """Log which fields do not fit, for the first objects; a whole kind that does not fit must not flood."""
        if self._undecodable is not None:
            self._undecodable.inc()
        self._unfit += 1
        if self._unfit <= UNFIT_LOGGED:
            fields = sorted({".".join(map(str, problem["loc"])) for problem in error.errors()})
            log.warning("object does not fit its model", kind=self._model.__name__, key=str(key), fields=fields)

    def _parse(self, key: ObjectKey, entry: Entry) -> T:
        known = self._parsed.get(key)
        if known is not None and known[0] == entry.version:
            self._parsed.move_to_end(key)
            return known[1]
        try:
            parsed = self._model.model_validate_json(entry.raw)
        except ValidationError:
            raise UndecodableError(f"{self._model.__name__} {key} does not fit its model") from None
        self._remember(key, entry.version, parsed)
        return parsed

    def _fitting(self, key: ObjectKey, entry: Entry | None) -> bytes | None:
        """Return an entry's bytes if they fit the model."""
        return None if entry is None or key in self._unfit_keys else entry.raw

    def _quietly(self, raw: bytes | None) -> T | None:
        if raw is not None:
            with contextlib.suppress(ValidationError):
                return self._model.model_validate_json(raw)
        return None

    def _remember(self, key: ObjectKey, version: int, parsed: T) -> None:
        self._parsed.pop(key, None)
        self._parsed[key] = (version, parsed)
        if len(self._parsed) > self._parsed_limit:
            self._parsed.popitem(last=False)

    def _tell(self, change: Change[T]) -> None:
        for listener in self._listeners:
            try:
                listener(change)
            except Exception as error:  # a broken mapper must not stop the cache
                log.error(  # noqa: TRY400 — the text of a foreign error may hold secrets
                    "listener failed", kind=self._model.__name__, key=str(change.key), error=type(error).__name__
                )


Indexer = Store
"""The store by its older name: objects plus named indexes."""


def identity(document: JsonObject) -> tuple[ObjectKey, int]:
    """Return an object's key and its resource version as a number (0 where it has none)."""
    metadata = document.get("metadata")
    if not isinstance(metadata, dict):
        return ObjectKey("", ""), 0
    key = ObjectKey(sys.intern(str(metadata.get("namespace") or "")), str(metadata.get("name") or ""))
    version = str(metadata.get("resourceVersion") or "")
    return key, int(version) if version.isdigit() else 0


def _is_last(document: JsonObject) -> bool:
    metadata = document.get("metadata")
    if not isinstance(metadata, dict):
        return False
    grace = metadata.get("deletionGracePeriodSeconds")
    return bool(metadata.get("deletionTimestamp")) and not metadata.get("finalizers") and not grace
