"""One frozen snapshot of a unit from caches and indexes; the payload conversions are part of the input."""

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime

from core_controller.payloads import Payloads
from core_controller.zoneunit.caches import BY_ZONE, BY_ZONE_AND_NAME, Caches, unit_and_name
from core_controller.zoneunit.entries import Entries
from core_controller.zoneunit.plan.ownership import claim_of_item
from core_controller.zoneunit.snapshot import (
    ClaimFacts,
    Limits,
    NameGroup,
    OwnerState,
    PlacedItem,
    UnitSnapshot,
)
from libdnsapi.api.dns.recordset import RECORD_SETS, RecordSet
from libdnsapi.api.dns.zone import ZONES, Zone
from libdnsapi.api.dns.zoneunit import ZoneUnit
from libdnsapi.api.meta import ObjectKey
from libdnsapi.contract.versions import Contract
from libdnsapi.runtime.errors import UndecodableError
from libdnsapi.runtime.ledgers import require_whole_ledger


class Gatherer:
    """Reads the caches for one pass; asks nobody but the conversion service."""

    def __init__(
        self,
        caches: Caches,
        payloads: Payloads,
        limits: Limits,
        newest: Callable[[RecordSet], RecordSet] = lambda claim: claim,
    ) -> None:
        """Tie the caches to the limits that placement is to keep; `newest` knows statuses that are being written."""
        self._caches = caches
        self._newest = newest
        self._payloads = payloads
        self._limits = limits

    def all_names(self, key: ObjectKey) -> tuple[str, ...]:
        """Return every owner name that a claim asks for or a ledger object holds: a full pass."""
        claims = (self._claim(claim) for claim in self._claim_keys(key))
        asked = {claim.spec.name for claim in claims if claim is not None}
        return tuple(sorted(asked | Entries(self._caches, key).names()))

    async def snapshot(self, key: ObjectKey, names: Iterable[str], now: datetime) -> UnitSnapshot:
        """Return what one pass over these owner names may look at.

        Raises UndecodableError where Zone, ZoneUnit or one of its slices fits no model.
        """
        require_whole_ledger(self._caches.slices, key)
        zone, unit = self._caches.zones.get(key), self._caches.units.get(key)
        contract = self._contract(zone, unit)
        entries = Entries(self._caches, key)
        ending = (zone is not None and zone.metadata.deleting) or (unit is not None and unit.metadata.deleting)
        groups = await asyncio.gather(*(self._group(entries, key, name, zone, contract) for name in sorted(names)))
        return UnitSnapshot(
            key=key,
            now=now,
            zone=zone,
            zone_class=self._caches.zone_classes.fitting(zone.class_key) if zone else None,
            zone_namespace_labels=self._labels(key.namespace),
            contract=contract,
            zone_conversion=await self._payloads.of_zone(contract, zone) if zone else None,
            unit=unit,
            rooms=self._caches.rooms.of(key),
            groups=tuple(groups),
            holders=self._holders(key, entries) if ending else (),
            orphans=self._orphans(key, entries) if unit is not None and unit.metadata.deleting else (),
            limits=self._limits,
            stuck=self._stuck(groups),
            zone_stuck=(self._caches.stuck.reason(ZONES, key, zone.metadata.uid) if zone else None) or "",
        )

    def _stuck(self, groups: Iterable[NameGroup]) -> dict[ObjectKey, str]:
        claims = (facts.claim for group in groups for facts in group.claims)
        known = ((claim.key, self._caches.stuck.reason(RECORD_SETS, claim.key, claim.metadata.uid)) for claim in claims)
        return {key: reason for key, reason in known if reason is not None}

    def _contract(self, zone: Zone | None, unit: ZoneUnit | None) -> Contract | None:
        named_by = zone.spec.provider if zone is not None else unit.spec.provider if unit is not None else None
        if named_by is None:
            return None
        provider = self._caches.providers.fitting(ObjectKey("", named_by.name))
        return self._payloads.contract(provider) if provider is not None else None

    async def _group(
        self, entries: Entries, unit: ObjectKey, name: str, zone: Zone | None, contract: Contract | None
    ) -> NameGroup:
        keys = self._caches.record_sets.by_index(BY_ZONE_AND_NAME, unit_and_name(unit, name))
        claims = [claim for key in keys if (claim := self._claim(key)) is not None]
        items = entries.of_name(name)
        return NameGroup(
            name=name,
            claims=tuple([await self._facts(entries, claim, zone, contract) for claim in claims]),
            items=items,
            owners={placed.item.key: self._owner(unit, placed) for placed in items if placed.item is not None},
        )

    async def _facts(
        self, entries: Entries, claim: RecordSet, zone: Zone | None, contract: Contract | None
    ) -> ClaimFacts:
        return ClaimFacts(
            claim=claim,
            namespace_labels=self._labels(claim.metadata.namespace),
            conversion=None if claim.metadata.deleting else await self._payloads.of_record_set(contract, claim, zone),
            placed=entries.of_claim(claim.key),
        )

    def _owner(self, unit: ObjectKey, placed: PlacedItem) -> OwnerState:
        if placed.item is None:
            return OwnerState.MISSING
        return claim_of_item(self._claim(placed.item.key), placed.item, unit)

    def _claim(self, key: ObjectKey) -> RecordSet | None:
        """Return a claim; one that fits no model counts as not there, which never removes anything."""
        claim = self._caches.record_sets.fitting(key)
        return None if claim is None else self._newest(claim)

    def _labels(self, namespace: str) -> dict[str, str] | None:
        found = self._caches.namespaces.fitting(ObjectKey("", namespace))
        return found.metadata.labels if found is not None else None

    def _claim_keys(self, zone: ObjectKey) -> list[ObjectKey]:
        return self._caches.record_sets.by_index(BY_ZONE, str(zone))

    def _holders(self, unit: ObjectKey, entries: Entries) -> tuple[ObjectKey, ...]:
        """Claims of this Zone that hold an item: all of the ledger is looked at, while it comes to its end."""
        asking = set(self._claim_keys(unit))
        held = {placed.item.key for placed in entries.all() if placed.item is not None}
        return tuple(sorted(key for key in held if key in asking or self._is_unreadable(key)))

    def _orphans(self, unit: ObjectKey, entries: Entries) -> tuple[PlacedItem, ...]:
        asking = set(self._claim_keys(unit))
        return tuple(
            placed
            for placed in entries.all()
            if placed.item is not None and placed.item.key not in asking and not self._is_unreadable(placed.item.key)
        )

    def _is_unreadable(self, key: ObjectKey) -> bool:
        """Whether a claim is there and fits no model, as after a downgrade: it stays as it is."""
        try:
            self._caches.record_sets.get(key)
        except UndecodableError:
            return True
        return False
