"""ZoneUnit: the ledger of one zone (core seed, ZoneUnit)."""

from typing import Annotated

from pydantic import ConfigDict, Field

from libdnsapi.api.conditions import Condition
from libdnsapi.api.dns.bodies import RecordContent, RecordType
from libdnsapi.api.dns.references import FullRef, ProviderOutput, ProviderRef, ZoneDomain
from libdnsapi.api.meta import JsonObject, KubernetesObject, ObjectKey, ResourceType, WireModel
from libdnsapi.api.names import GROUP, VERSION
from libdnsapi.api.schema import CONDITIONS_LIST, OPEN_OBJECT, immutable, list_map, rule, validations

ZONE_UNITS = ResourceType(GROUP, VERSION, "ZoneUnit", "zoneunits")
ITEMS_LIST = list_map("recordSetNamespace", "recordSetName")
MAX_ITEMS = 5000


class ZoneTarget(WireModel):
    """The accepted desired state of the zone itself."""

    ref: FullRef
    """The owning Zone."""
    observed_generation: int | None = Field(default=None, ge=0)
    """The Zone's generation that this was built from."""
    domain_name: ZoneDomain
    """The accepted domain name."""
    zone_class_ref: FullRef
    """The resolved ZoneClass."""
    adoption: JsonObject | None = Field(default=None, json_schema_extra=OPEN_OBJECT)
    """The adoption payload in the Provider's storage version."""


class RecordSetItem(RecordContent):
    """The accepted desired state of one record set; also its ownership and cleanup entry."""

    model_config = ConfigDict(json_schema_extra=validations(*immutable("name", "type")))

    record_set_namespace: str = Field(min_length=1, max_length=63)
    """The owner claim's namespace; part of the key."""
    record_set_name: str = Field(min_length=1, max_length=253)
    """The owner claim's name; part of the key."""
    observed_generation: int | None = Field(default=None, ge=0)
    """The claim's generation that this was built from."""
    name: str = Field(min_length=1, max_length=253)
    """The owner name relative to the zone."""
    type: RecordType
    """The record type."""
    allowed: bool | None = None
    """False: kept as an ownership and cleanup entry only; omitted means true."""
    deletion_requested: bool | None = None
    """True: the claim is being deleted and the external record set must go."""

    @property
    def key(self) -> ObjectKey:
        """The owner claim's key."""
        return ObjectKey(self.record_set_namespace, self.record_set_name)

    @property
    def is_allowed(self) -> bool:
        """Whether policy allows the item now."""
        return self.allowed is not False

    @property
    def is_leaving(self) -> bool:
        """Whether deletion was requested."""
        return bool(self.deletion_requested)


class ZoneUnitSpec(WireModel):
    """What the provider controller shall bring about; written by core alone."""

    model_config = ConfigDict(json_schema_extra=validations(*immutable("provider")))

    provider: ProviderRef
    """The Provider and its storage version. Immutable."""
    zone: ZoneTarget
    """The zone itself."""
    record_sets: tuple[RecordSetItem, ...] = Field(default=(), max_length=MAX_ITEMS, json_schema_extra=ITEMS_LIST)
    """Accepted record sets; further ones stand in ZoneUnitSlices."""


class ZoneTargetStatus(WireModel):
    """The provider's result for the zone itself."""

    name_servers: tuple[Annotated[str, Field(max_length=253)], ...] | None = Field(default=None, max_length=32)
    """Provider-assigned name servers."""
    provider: ProviderOutput | None = None
    """Public data and internal state for the zone."""
    conditions: tuple[Condition, ...] = Field(default=(), json_schema_extra=CONDITIONS_LIST)
    """Accepted and Programmed of the zone, as the provider sees it."""


class RecordSetItemStatus(WireModel):
    """The provider's result for one record set."""

    record_set_namespace: str = Field(min_length=1, max_length=63)
    """The owner claim's namespace; part of the key."""
    record_set_name: str = Field(min_length=1, max_length=253)
    """The owner claim's name; part of the key."""
    observed_generation: int | None = Field(default=None, ge=0)
    """The claim's generation, as it stood in the item that was observed."""
    provider: ProviderOutput | None = None
    """Public data and internal state for this record set."""
    conditions: tuple[Condition, ...] = Field(default=(), json_schema_extra=CONDITIONS_LIST)
    """Accepted and Programmed of this record set, as the provider sees it."""
    deletion_completed: bool | None = None
    """True: the external record set is gone, or was never ours; core may remove the item."""

    @property
    def key(self) -> ObjectKey:
        """The owner claim's key."""
        return ObjectKey(self.record_set_namespace, self.record_set_name)


class ZoneUnitStatus(WireModel):
    """What the provider controller found and did."""

    observed_generation: int | None = Field(default=None, ge=0)
    """The unit's generation that was observed."""
    conditions: tuple[Condition, ...] = Field(default=(), json_schema_extra=CONDITIONS_LIST)
    """Programmed of the whole unit, slices included; False takes precedence over Unknown."""
    provider: ProviderOutput | None = None
    """The provider controller's state for the whole unit."""
    zone: ZoneTargetStatus | None = None
    """The result for the zone itself."""
    record_sets: tuple[RecordSetItemStatus, ...] = Field(default=(), max_length=MAX_ITEMS, json_schema_extra=ITEMS_LIST)
    """Results for the record sets of this object."""


class ZoneUnit(KubernetesObject):
    """ZoneUnit is the ledger of one zone: accepted desired state and ownership, written by core, read by a provider."""

    model_config = ConfigDict(
        json_schema_extra=validations(
            rule("self.metadata.name == self.spec.zone.ref.name", "metadata.name must equal spec.zone.ref.name")
        )
    )

    spec: ZoneUnitSpec
    """What the provider controller shall bring about."""
    status: ZoneUnitStatus = Field(default_factory=ZoneUnitStatus)
    """What the provider controller found and did."""
