"""Reads the entries of a unit's ledger objects for one pass: each object that is touched is taken apart once."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from core_controller.zoneunit.caches import (
    BY_UNIT,
    BY_UNIT_AND_CLAIM,
    BY_UNIT_AND_NAME,
    Caches,
    claimed,
    named,
)
from core_controller.zoneunit.snapshot import LedgerRef, PlacedItem
from libdnsapi.api.dns.zoneunit import ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZoneUnitSlice
from libdnsapi.api.meta import ObjectKey

Ledger = ZoneUnit | ZoneUnitSlice


@dataclass(slots=True)
class _Parts:
    by_claim: dict[ObjectKey, PlacedItem] = field(default_factory=dict)
    by_name: dict[str, list[PlacedItem]] = field(default_factory=lambda: defaultdict(list))


class Entries:
    """The items and status entries of one unit, as the caches show them when they are first asked for."""

    def __init__(self, caches: Caches, unit: ObjectKey) -> None:
        """Read nothing yet."""
        self._caches = caches
        self._unit = unit
        self._parts: dict[LedgerRef, _Parts] = {}

    def of_name(self, name: str) -> tuple[PlacedItem, ...]:
        """Return the items of an owner name, the ZoneUnit's first."""
        found = self._indexed(BY_UNIT_AND_NAME, named(self._unit, name))
        return tuple(placed for ref, ledger in found for placed in self._of(ref, ledger).by_name.get(name, ()))

    def of_claim(self, claim: ObjectKey) -> tuple[PlacedItem, ...]:
        """Return every place where a claim's key stands, in spec or in status."""
        found = self._indexed(BY_UNIT_AND_CLAIM, claimed(self._unit, claim))
        places = (self._of(ref, ledger).by_claim.get(claim) for ref, ledger in found)
        return tuple(placed for placed in places if placed is not None)

    def all(self) -> Iterator[PlacedItem]:
        """Yield every entry of the unit."""
        for ref, ledger in self.ledgers():
            yield from self._of(ref, ledger).by_claim.values()

    def ledgers(self) -> Iterator[tuple[LedgerRef, Ledger]]:
        """Yield the ZoneUnit and its slices."""
        found = self._caches.units.get(self._unit)
        if found is not None:
            yield LedgerRef(self._unit), found
        yield from self._slices(self._caches.slices.by_index(BY_UNIT, str(self._unit)))

    def _indexed(self, index: str, value: str) -> Iterator[tuple[LedgerRef, Ledger]]:
        for key in self._caches.units.by_index(index, value):
            found = self._caches.units.get(key)
            if found is not None:
                yield LedgerRef(key), found
        yield from self._slices(self._caches.slices.by_index(index, value))

    def _slices(self, keys: Iterable[ObjectKey]) -> Iterator[tuple[LedgerRef, Ledger]]:
        for key in keys:
            piece = self._caches.slices.get(key)
            if piece is not None:
                yield LedgerRef(key, is_slice=True), piece

    def _of(self, ref: LedgerRef, ledger: Ledger) -> _Parts:
        known = self._parts.get(ref)
        if known is None:
            known = self._parts[ref] = _taken_apart(ref, ledger)
        return known


def _taken_apart(ref: LedgerRef, ledger: Ledger) -> _Parts:
    """Return every key of a ledger object with its item, its status entry, or both."""
    parts = _Parts()
    statuses = {status.key: status for status in ledger.status.record_sets}
    for item in ledger.spec.record_sets:
        placed = parts.by_claim[item.key] = PlacedItem(ref, item, statuses.pop(item.key, None))
        parts.by_name[item.name].append(placed)
    for status in statuses.values():
        parts.by_claim[status.key] = PlacedItem(ref, None, status)
    return parts
