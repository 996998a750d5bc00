"""Reads the entries of a unit's ledger objects for one pass: each object that is touched is taken apart once.

Taken apart means split into JSON entries by key and by name; only those that are asked for become models. One changed
claim so costs two models, not the hundred that share its object.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

import orjson

from core_controller.zoneunit.caches import BY_CLAIM, BY_UNIT, BY_UNIT_AND_NAME, Caches, unit_and_name
from core_controller.zoneunit.documents import claim_key, entries, number_at, object_at
from core_controller.zoneunit.snapshot import LedgerRef, PlacedItem
from libdnsapi.api.dns.zoneunit import RecordSetItem, RecordSetItemStatus
from libdnsapi.api.meta import JsonObject, ObjectKey


class Entries:
    """The items and status entries of one unit, as the caches show them when they are first asked for."""

    def __init__(self, caches: Caches, unit: ObjectKey) -> None:
        """Read nothing yet."""
        self._caches = caches
        self._unit = unit
        self._parts: dict[LedgerRef, _Parts] = {}
        self._foreign = caches.rooms.foreign(unit)

    def of_name(self, name: str) -> tuple[PlacedItem, ...]:
        """Return the items of an owner name, the ZoneUnit's first."""
        found = self._indexed(BY_UNIT_AND_NAME, unit_and_name(self._unit, name))
        return tuple(placed for parts in found for placed in parts.of_name(name))

    def of_claim(self, claim: ObjectKey) -> tuple[PlacedItem, ...]:
        """Return every place where a claim's key stands, in spec or in status."""
        places = (parts.of_claim(claim) for parts in self._indexed(BY_CLAIM, str(claim)))
        return tuple(placed for placed in places if placed is not None)

    def all(self) -> Iterator[PlacedItem]:
        """Yield every entry of the unit."""
        for parts in self._whole():
            for claim in parts.claims():
                placed = parts.of_claim(claim)
                if placed is not None:
                    yield placed

    def names(self) -> set[str]:
        """Return every owner name that the ledger holds."""
        return {name for parts in self._whole() for name in parts.names()}

    def _whole(self) -> Iterator["_Parts"]:
        refs = [LedgerRef(self._unit)]
        refs += [LedgerRef(key, is_slice=True) for key in self._caches.slices.by_index(BY_UNIT, str(self._unit))]
        return self._read(refs)

    def _indexed(self, index: str, value: str) -> Iterator["_Parts"]:
        refs = [LedgerRef(key) for key in self._caches.units.by_index(index, value)]
        refs += [LedgerRef(key, is_slice=True) for key in self._caches.slices.by_index(index, value)]
        return self._read(ref for ref in refs if self._caches.rooms.has(self._unit, ref))

    def _read(self, refs: Iterable[LedgerRef]) -> Iterator["_Parts"]:
        for ref in refs:
            known = self._parts.get(ref)
            if known is None:
                raw = (self._caches.slices if ref.is_slice else self._caches.units).raw(ref.key)
                if raw is None:
                    continue
                known = self._parts[ref] = _Parts(ref, raw, foreign=ref in self._foreign)
            yield known


class _Parts:
    """One ledger object, split."""

    def __init__(self, ref: LedgerRef, raw: bytes, *, foreign: bool) -> None:
        """Split the object's bytes."""
        document: JsonObject = orjson.loads(raw)
        self._ref, self._foreign = ref, foreign
        observed = number_at(object_at(document, "status"), "observedGeneration")
        self._unobserved = observed < number_at(object_at(document, "metadata"), "generation")
        self._items = {claim_key(entry): entry for entry in entries(document, "spec")}
        self._statuses = {claim_key(entry): entry for entry in entries(document, "status")}
        self._by_name: dict[str, list[ObjectKey]] = defaultdict(list)
        for key, entry in self._items.items():
            self._by_name[str(entry.get("name"))].append(key)
        self._placed: dict[ObjectKey, PlacedItem] = {}

    def names(self) -> Iterable[str]:
        """Return the owner names."""
        return self._by_name.keys()

    def claims(self) -> set[ObjectKey]:
        """Return the keys that stand in spec or in status."""
        return self._items.keys() | self._statuses.keys()

    def of_name(self, name: str) -> Iterator[PlacedItem]:
        """Yield the items of an owner name."""
        for key in self._by_name.get(name, ()):
            placed = self.of_claim(key)
            if placed is not None:
                yield placed

    def of_claim(self, key: ObjectKey) -> PlacedItem | None:
        """Return a claim's entry; the same object each time."""
        known = self._placed.get(key)
        if known is not None:
            return known
        item, status = self._items.get(key), self._statuses.get(key)
        if item is None and status is None:
            return None
        placed = self._placed[key] = PlacedItem(
            self._ref,
            RecordSetItem.model_validate(item) if item is not None else None,
            RecordSetItemStatus.model_validate(status) if status is not None else None,
            self._foreign,
            self._unobserved,
        )
        return placed
