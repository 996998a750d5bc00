"""The stores that gathering reads, and the indexes that make each look-up proportional to its answer."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from core_controller.zoneunit.echoes import Echoes
from core_controller.zoneunit.rooms import Rooms
from core_controller.zoneunit.stuck import Stuck
from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.dns.zoneclass import ZoneClass
from libdnsapi.api.dns.zoneunit import ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZoneUnitSlice
from libdnsapi.api.meta import Namespace, ObjectKey
from libdnsapi.runtime.shelf import Indexers
from libdnsapi.runtime.store import Store

BY_ZONE = "zone"
BY_ZONE_AND_NAME = "zone-and-name"
BY_NAMESPACE = "namespace"
BY_CLASS = "class"
BY_PROVIDER = "provider"
BY_UNIT = "unit"
BY_UNIT_AND_NAME = "unit-and-name"
BY_CLAIM = "claim"


def unit_and_name(unit: ObjectKey, name: str) -> str:
    """Return what an owner name in a unit is called in the indexes by both; a bar stands in neither key nor name."""
    return f"{unit}|{name}"


def ledger_names(unit: ObjectKey, ledger: ZoneUnit | ZoneUnitSlice) -> Iterable[str]:
    """Return the index values of the owner names that a ledger object holds."""
    return {unit_and_name(unit, item.name) for item in ledger.spec.record_sets}


def ledger_claims(ledger: ZoneUnit | ZoneUnitSlice) -> Iterable[str]:
    """Return the index values of the claims that stand in a ledger object, in spec or in status."""
    keys = {item.key for item in ledger.spec.record_sets} | {status.key for status in ledger.status.record_sets}
    return {str(key) for key in keys}


RECORD_SET_INDEXES: Indexers[RecordSet] = {
    BY_ZONE: lambda claim: (str(claim.zone_key),),
    BY_ZONE_AND_NAME: lambda claim: (unit_and_name(claim.zone_key, claim.spec.name),),
    BY_NAMESPACE: lambda claim: (claim.metadata.namespace,),
}
ZONE_INDEXES: Indexers[Zone] = {
    BY_CLASS: lambda zone: (str(zone.class_key),),
    BY_PROVIDER: lambda zone: (zone.spec.provider.name,),
    BY_NAMESPACE: lambda zone: (zone.metadata.namespace,),
}
UNIT_INDEXES: Indexers[ZoneUnit] = {
    BY_UNIT_AND_NAME: lambda unit: ledger_names(unit.key, unit),
    BY_CLAIM: ledger_claims,
}
SLICE_INDEXES: Indexers[ZoneUnitSlice] = {
    BY_UNIT: lambda piece: (str(piece.unit_key),),
    BY_UNIT_AND_NAME: lambda piece: ledger_names(piece.unit_key, piece),
    BY_CLAIM: ledger_claims,
}


@dataclass(frozen=True, slots=True)
class Caches:
    """Everything that the controller has read."""

    providers: Store[Provider]
    namespaces: Store[Namespace]
    zone_classes: Store[ZoneClass]
    zones: Store[Zone]
    record_sets: Store[RecordSet]
    units: Store[ZoneUnit]
    slices: Store[ZoneUnitSlice]
    stuck: Stuck
    rooms: Rooms = field(default_factory=Rooms)
    echoes: Echoes = field(default_factory=Echoes)
