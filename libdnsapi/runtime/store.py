"""The cache of one kind whose objects are read: trimmed JSON bytes, parsed when asked for.

Versions, indexes and listeners are those of `shelf`. Memory: an object costs its bytes and about 600 bytes more with
two indexes. The bytes are kept as they come, so they should come compact, as the client gives them; `trim` makes them
smaller still. A kind whose objects are only listened to belongs in a `Roster`.
"""

import contextlib
from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property
from typing import Generic, Protocol, TypeVar

from prometheus_client import Counter
from pydantic import ValidationError

from libdnsapi.api.meta import KubernetesObject, ObjectKey
from libdnsapi.runtime.errors import UndecodableError
from libdnsapi.runtime.shelf import Entry, Indexers, Shelf, Trim

T = TypeVar("T", bound=KubernetesObject)
T_co = TypeVar("T_co", bound=KubernetesObject, covariant=True)

PARSED_OBJECTS = 256


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


class RawEntry(Entry):
    """What the store keeps of one object: its bytes, too."""

    __slots__ = ("raw",)

    def __init__(self, key: ObjectKey, version: int, raw: bytes) -> None:
        """Keep all."""
        super().__init__(key, version)
        self.raw = raw


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


class Store(Shelf[T, RawEntry, Change[T]], Generic[T]):
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
        super().__init__(model, indexers=indexers, trim=trim, undecodable=undecodable)
        self._parsed: OrderedDict[ObjectKey, tuple[int, T]] = OrderedDict()
        self._parsed_limit = parsed

    def get(self, key: ObjectKey) -> T | None:
        """Return the object, None where there is none; raises UndecodableError where it fits no model."""
        entry = self._entries.get(key)
        if entry is not None and key in self._unfit_keys:
            raise UndecodableError(f"{self._model.__name__} {key} does not fit its model")
        return None if entry is None else self._parse(key, entry)

    def fitting(self, key: ObjectKey) -> T | None:
        """Return the object, None also where it fits no model, as after a downgrade: it counts as not there.

        Not for objects without which nothing may be decided, as ledgers: one that fits no model is not a lost one.
        """
        try:
            return self.get(key)
        except UndecodableError:
            return None

    def raw(self, key: ObjectKey) -> bytes | None:
        """Return the kept bytes of an object."""
        entry = self._entries.get(key)
        return None if entry is None else entry.raw

    def size_bytes(self) -> int:
        """Return the size of all kept bytes; a few milliseconds for 100,000 objects."""
        return sum(len(entry.raw) for entry in self._entries.values())

    def _shelve(self, key: ObjectKey, before: RawEntry | None, new: T | None, raw: bytes, version: int) -> RawEntry:
        del before
        if new is None:
            self._parsed.pop(key, None)
        else:
            self._remember(key, version, new)
        return RawEntry(key, version, raw)

    def _change(self, key: ObjectKey, before: RawEntry | None, new: T | None, after: RawEntry | None) -> Change[T]:
        if after is None:
            self._parsed.pop(key, None)
        known = self._fitting(key, before)
        return Change(key, lambda: self._quietly(known), new, known, None if after is None else after.raw)

    def _rewind(self) -> None:
        self._parsed.clear()
        super()._rewind()

    def _parse(self, key: ObjectKey, entry: RawEntry) -> T:
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

    def _fitting(self, key: ObjectKey, entry: RawEntry | None) -> bytes | None:
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
