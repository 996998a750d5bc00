"""The frozen input of one pass over one unit: everything that planning may look at, the time included."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from libdnsapi.api.conditions import ConditionType, find_condition
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.dns.zoneclass import ZoneClass
from libdnsapi.api.dns.zoneunit import RecordSetItem, RecordSetItemStatus, ZoneUnit
from libdnsapi.api.meta import ObjectKey
from libdnsapi.contract.conversion import ConversionOutcome
from libdnsapi.contract.versions import Contract


@dataclass(frozen=True, slots=True)
class LedgerRef:
    """One ledger object of a unit: the ZoneUnit itself, or one of its slices."""

    key: ObjectKey
    is_slice: bool = False


@dataclass(frozen=True, slots=True)
class PlacedItem:
    """Where an item or its status entry stands. `item` is None where only a status entry is left."""

    ref: LedgerRef
    item: RecordSetItem | None
    status: RecordSetItemStatus | None
    foreign: bool = False
    """In a slice that another ZoneUnit of the same name owns: until it is adopted, nothing follows from its status."""
    unobserved: bool = False
    """The provider has not looked at the ledger object as it stands now."""

    @property
    def generation(self) -> int:
        """The claim's generation that the item was built from; -1 where there is no item."""
        return (self.item.observed_generation or 0) if self.item else -1

    @property
    def is_marked(self) -> bool:
        """Whether the provider keeps state for it: most often the mark of a record set that it has programmed."""
        return self.status is not None and self.status.provider is not None and bool(self.status.provider.state)

    @property
    def is_programmed(self) -> bool:
        """Whether the provider says that it is programmed, at whatever generation."""
        said = find_condition(self.status.conditions, ConditionType.PROGRAMMED) if self.status is not None else None
        return said is not None and said.is_true

    @property
    def is_reported(self) -> bool:
        """Whether the provider has looked at the item as it is here, or at a later one."""
        status = None if self.foreign else self.status
        return status is not None and (status.observed_generation or 0) >= self.generation

    @property
    def is_clean(self) -> bool:
        """Whether the provider says that nothing of the item is left outside: the ledger may forget it."""
        return not self.foreign and self.status is not None and bool(self.status.deletion_completed)


class OwnerState(Enum):
    """What became of the claim that an item belongs to."""

    PRESENT = "present"
    """The claim is there and asks for exactly this zone, name and type."""
    MISSING = "missing"
    """No claim of that key is known; absence alone never removes anything."""
    REPLACED = "replaced"
    """A claim of that key asks for something else: name and type are immutable, so the old claim is gone."""


@dataclass(frozen=True, slots=True)
class ClaimFacts:
    """One claim of the unit and what deciding about it needs."""

    claim: RecordSet
    namespace_labels: Mapping[str, str] | None
    """Labels of the claim's namespace; None while the namespace is not known."""
    conversion: ConversionOutcome | None
    """The payload in the storage version; None where the Provider is not known or the claim is being deleted."""
    placed: tuple[PlacedItem, ...] = ()
    """Every place in the unit where this claim's key stands, whatever its name."""


@dataclass(frozen=True, slots=True)
class NameGroup:
    """All claims and all items of one owner name: ownership is decided in here and nowhere else."""

    name: str
    claims: tuple[ClaimFacts, ...]
    items: tuple[PlacedItem, ...]
    owners: Mapping[ObjectKey, OwnerState]


@dataclass(frozen=True, slots=True)
class Room:
    """How full one ledger object is, and the metadata that its finalizers need."""

    ref: LedgerRef
    items: int
    entries: int
    """Keys that stand in spec or in status."""
    size: int
    """Bytes of the object as it is stored, without managedFields."""
    uid: str = ""
    resource_version: str = ""
    finalizers: tuple[str, ...] = ()
    deleting: bool = False
    owner_uid: str = ""
    """UID of the ZoneUnit that a slice's controller reference names."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How the ledger is divided (beyond-the-seeds 1)."""

    inline: int = 100
    """Items in the ZoneUnit itself."""
    per_slice: int = 100
    """Items in one slice."""
    object_bytes: int = 256 * 1024
    """Bytes of one ledger object."""


@dataclass(frozen=True, slots=True)
class Refusals:
    """Ledger writes that the API server refuses, such as by a quota: in words, for those who wait for them."""

    unit: str = ""
    """Why the ZoneUnit cannot be made; empty where it can."""
    claims: Mapping[ObjectKey, str] = field(default_factory=dict)
    """Why the items of these claims cannot be written."""


@dataclass(frozen=True, slots=True)
class UnitSnapshot:
    """Everything about one unit that one pass may use."""

    key: ObjectKey
    now: datetime
    zone: Zone | None
    zone_class: ZoneClass | None = None
    zone_namespace_labels: Mapping[str, str] | None = None
    contract: Contract | None = None
    """The compiled Provider that the Zone (or, without it, the ZoneUnit) names."""
    zone_conversion: ConversionOutcome | None = None
    unit: ZoneUnit | None = None
    rooms: tuple[Room, ...] = ()
    """Every ledger object of the unit, the ZoneUnit first."""
    groups: tuple[NameGroup, ...] = ()
    """The owner names that this pass decides about."""
    holders: tuple[ObjectKey, ...] = ()
    """While the Zone or the unit is being deleted: claims that still hold an item."""
    orphans: tuple[PlacedItem, ...] = ()
    """While the unit is being deleted: items whose claim is gone."""
    limits: Limits = field(default_factory=Limits)
    refusals: Refusals = field(default_factory=Refusals)
    """What the API server refused a moment ago, while the same snapshot was acted on."""
    stuck: Mapping[ObjectKey, str] = field(default_factory=dict)
    """Claims that could not be let in by earlier passes: what the API server said, in one word."""
    zone_stuck: str = ""
    """The same of the Zone's finalizer; empty where it could be written."""

    @property
    def slices(self) -> tuple[Room, ...]:
        """The unit's slices."""
        return tuple(room for room in self.rooms if room.ref.is_slice)
