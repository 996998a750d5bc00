"""ZoneUnitSlice: more room for the ledger of one zone (beyond-the-seeds 1)."""

from pydantic import ConfigDict, Field

from libdnsapi.api.dns.references import NameRef
from libdnsapi.api.dns.zoneunit import ITEMS_LIST, MAX_ITEMS, ZONE_UNITS, RecordSetItem, RecordSetItemStatus
from libdnsapi.api.meta import KubernetesObject, ObjectKey, ResourceType, WireModel
from libdnsapi.api.names import GROUP, VERSION
from libdnsapi.api.schema import immutable, validations

ZONE_UNIT_SLICES = ResourceType(GROUP, VERSION, "ZoneUnitSlice", "zoneunitslices")


class ZoneUnitSliceSpec(WireModel):
    """More items of one ZoneUnit; written by core alone."""

    model_config = ConfigDict(json_schema_extra=validations(*immutable("zoneUnitRef")))

    zone_unit_ref: NameRef
    """The ZoneUnit, in the same namespace. Immutable."""
    record_sets: tuple[RecordSetItem, ...] = Field(default=(), max_length=MAX_ITEMS, json_schema_extra=ITEMS_LIST)
    """Accepted record sets, exactly as in a ZoneUnit."""


class ZoneUnitSliceStatus(WireModel):
    """What the provider controller found and did for the items of this slice."""

    observed_generation: int | None = Field(default=None, ge=0)
    """The slice's generation that was observed."""
    record_sets: tuple[RecordSetItemStatus, ...] = Field(default=(), max_length=MAX_ITEMS, json_schema_extra=ITEMS_LIST)
    """Results for the record sets of this slice."""


class ZoneUnitSlice(KubernetesObject):
    """ZoneUnitSlice holds record sets of a ZoneUnit that would not fit into the ZoneUnit itself."""

    spec: ZoneUnitSliceSpec
    """More items of one ZoneUnit."""
    status: ZoneUnitSliceStatus = Field(default_factory=ZoneUnitSliceStatus)
    """What the provider controller found and did."""

    @property
    def unit_key(self) -> ObjectKey:
        """The key of the ZoneUnit that this slice belongs to."""
        return ObjectKey(self.metadata.namespace, self.spec.zone_unit_ref.name)

    @property
    def owner_uid(self) -> str:
        """The uid of the ZoneUnit that the controller reference names; "" without one, as after a restore."""
        owners = (ref for ref in self.metadata.owner_references if ref.controller and ref.kind == ZONE_UNITS.kind)
        return next((ref.uid for ref in owners), "")
