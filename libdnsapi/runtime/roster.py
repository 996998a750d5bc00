"""The cache of one kind whose objects nobody reads whole: of each a digest, which a function makes of it.

Versions, indexes and listeners are those of `shelf`. Bytes and models are not kept, so that there is no `get` and no
`raw`, and a change tells digests: what the digest does not have cannot be asked for. An object costs about 300 bytes,
beside its digest and its index values.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from prometheus_client import Counter

from libdnsapi.api.meta import KubernetesObject, ObjectKey
from libdnsapi.runtime.errors import UndecodableError
from libdnsapi.runtime.shelf import Entry, Indexers, Shelf, Trim

T = TypeVar("T", bound=KubernetesObject)
D = TypeVar("D")

Digest = Callable[[ObjectKey, T], D]
"""Returns what is kept of an object: small and immutable. A digest that has the key takes this one, which is shared."""


@dataclass(frozen=True, slots=True)
class News(Generic[D]):
    """One object's change, as digests: `before` is None for a new one, `after` for a removed one.

    `before` is what was told last: news of one key form a chain without gaps. A state that fits no model is not told;
    one that has never fitted is removed with None on both sides.
    """

    key: ObjectKey
    before: D | None
    after: D | None


class DigestEntry(Entry, Generic[D]):
    """What the roster keeps of one object: the digest of the last state that fitted, None before there was one."""

    __slots__ = ("digest",)

    def __init__(self, key: ObjectKey, version: int, digest: D | None) -> None:
        """Keep all."""
        super().__init__(key, version)
        self.digest = digest


class Roster(Shelf[T, DigestEntry[D], News[D]], Generic[T, D]):
    """Digests (D) of objects of one kind (T) by key, with indexes; used from one event loop."""

    def __init__(
        self,
        model: type[T],
        digest: Digest[T, D],
        *,
        indexers: Indexers[T] | None = None,
        trim: Trim | None = None,
        undecodable: Counter | None = None,
    ) -> None:
        """Start empty; a field that `trim` drops cannot make an object unfit either."""
        super().__init__(model, indexers=indexers, trim=trim, undecodable=undecodable)
        self._digest = digest

    def digest(self, key: ObjectKey) -> D | None:
        """Return an object's digest, None where there is no object; raises UndecodableError where it fits no model."""
        entry = self._entries.get(key)
        if entry is not None and key in self._unfit_keys:
            raise UndecodableError(f"{self._model.__name__} {key} does not fit its model")
        return None if entry is None else entry.digest

    def _shelve(
        self, key: ObjectKey, before: DigestEntry[D] | None, new: T | None, raw: bytes, version: int
    ) -> DigestEntry[D]:
        del raw
        told = None if before is None else before.digest
        return DigestEntry(key, version, told if new is None else self._digest(key, new))

    def _change(
        self, key: ObjectKey, before: DigestEntry[D] | None, new: T | None, after: DigestEntry[D] | None
    ) -> News[D]:
        del new
        return News(key, None if before is None else before.digest, None if after is None else after.digest)
