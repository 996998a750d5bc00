"""What a pass may do. One `match` in `apply` carries each of these out with one write."""

from dataclasses import dataclass
from datetime import timedelta

from core_controller.zoneunit.snapshot import LedgerRef
from libdnsapi.api.conditions import Condition
from libdnsapi.api.dns.recordset import RecordSetStatus
from libdnsapi.api.dns.zone import ZoneStatus
from libdnsapi.api.dns.zoneunit import RecordSetItem, ZoneUnitSpec
from libdnsapi.api.meta import ObjectKey, ObjectMeta, ObjectReference, ResourceType


@dataclass(frozen=True, slots=True)
class EmitEvent:
    """Tell people what changed."""

    regarding: ObjectReference
    warning: bool
    reason: str
    message: str
    related: ObjectReference | None = None
    waits_for: Condition | None = None
    """Where something may merely be new: what must still stand some seconds later for this to be told."""


@dataclass(frozen=True, slots=True)
class SetFinalizers:
    """Replace a claim's finalizers; refused by the server if the object changed since it was read."""

    resource: ResourceType
    key: ObjectKey
    finalizers: tuple[str, ...]
    resource_version: str
    uid: str
    unplaced: bool = False
    """Whether a claim is let go because no item, or ledger, of it was seen: the server is asked before."""
    events: tuple[EmitEvent, ...] = ()
    """What to tell people once the finalizers stand."""


@dataclass(frozen=True, slots=True)
class CreateUnit:
    """Create the ZoneUnit, with the items that go into it at once."""

    metadata: ObjectMeta
    spec: ZoneUnitSpec


@dataclass(frozen=True, slots=True)
class UnitHead:
    """Everything of a ZoneUnit's main resource but its items; None keeps what is there."""

    spec: ZoneUnitSpec
    annotations: tuple[tuple[str, str | None], ...] = ()
    """Annotations to set, or to remove where the value is None."""


@dataclass(frozen=True, slots=True)
class Witness:
    """An item in a ledger object, of this generation or a later one, for whose sake another copy of it is taken out."""

    ref: LedgerRef
    key: ObjectKey
    generation: int


@dataclass(frozen=True, slots=True)
class EditLedger:
    """Change items, finalizers or head of one ledger object with one PUT; a slice that is not there is created."""

    ref: LedgerRef
    upserts: tuple[RecordSetItem, ...] = ()
    removals: tuple[ObjectKey, ...] = ()
    add_finalizer: bool = False
    remove_finalizer: bool = False
    adopt: bool = False
    """Make the slice the ZoneUnit's own, as one that was applied by hand is not."""
    head: UnitHead | None = None
    witnesses: tuple[Witness, ...] = ()
    """What a removal rests on that the PUT itself does not prove: it is looked up before."""


@dataclass(frozen=True, slots=True)
class DeleteLedger:
    """Ask the server to delete a ledger object; its finalizers decide when it goes."""

    ref: LedgerRef
    uid: str
    resource_version: str


@dataclass(frozen=True, slots=True)
class WriteZoneStatus:
    """Replace a Zone's status."""

    key: ObjectKey
    uid: str
    status: ZoneStatus
    events: tuple[EmitEvent, ...] = ()
    """What to tell people once the status stands."""


@dataclass(frozen=True, slots=True)
class WriteRecordSetStatus:
    """Replace a RecordSet's status."""

    key: ObjectKey
    uid: str
    status: RecordSetStatus
    urgent: bool
    """Whether a condition changed, not merely an observedGeneration."""
    passing: bool = False
    """Whether it tells nobody anything but that the provider is at work: what comes of that follows soon."""
    events: tuple[EmitEvent, ...] = ()
    """What to tell people once the status stands."""


Action = SetFinalizers | CreateUnit | EditLedger | DeleteLedger | WriteZoneStatus | WriteRecordSetStatus


@dataclass(frozen=True, slots=True)
class Plan:
    """The actions of one pass, in the order in which they may depend on each other."""

    actions: tuple[Action, ...] = ()
    requeue_after: timedelta | None = None
    awaiting: tuple[str, ...] = ()
    """Owner names to look at again with the next event of the unit, whatever that is about."""
