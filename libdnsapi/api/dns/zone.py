"""Zone: the claim for one zone at a provider (core seed, Zone)."""

from typing import Annotated

from pydantic import ConfigDict, Field

from libdnsapi.api.conditions import Condition
from libdnsapi.api.dns.references import LocalRef, ProviderPublic, ProviderRef, ZoneDomain
from libdnsapi.api.meta import JsonObject, KubernetesObject, ObjectKey, ResourceType, WireModel
from libdnsapi.api.names import GROUP, VERSION
from libdnsapi.api.schema import CONDITIONS_LIST, OPEN_OBJECT, immutable, rule, validations
from libdnsapi.api.selectors import LabelSelector

ZONES = ResourceType(GROUP, VERSION, "Zone", "zones")


class AllowedNamespaces(WireModel):
    """Namespaces by their labels."""

    model_config = ConfigDict(
        json_schema_extra=validations(
            rule(
                "(has(self.selector.matchLabels) && size(self.selector.matchLabels) > 0)"
                " || (has(self.selector.matchExpressions) && size(self.selector.matchExpressions) > 0)",
                "an empty selector would admit every namespace; name at least one label",
                "selector",
            )
        )
    )

    selector: LabelSelector
    """Labels of the namespaces; an empty selector is refused."""


class NamePattern(WireModel):
    """Record names by a regular expression."""

    pattern: str = Field(min_length=1, max_length=1024)
    """An RE2 expression that the whole normalised record name must match."""


class AllowedRecords(WireModel):
    """Record names and types."""

    name: NamePattern
    """Which record names."""
    types: tuple[Annotated[str, Field(min_length=1, max_length=16)], ...] = Field(min_length=1, max_length=16)
    """Which record types."""


class AllowedRecordSetsRule(WireModel):
    """One rule: namespaces and records must both match."""

    namespaces: AllowedNamespaces
    """Namespaces whose RecordSets may attach."""
    records: tuple[AllowedRecords, ...] = Field(min_length=1, max_length=100)
    """Names and types that those RecordSets may have; any entry suffices."""


class ZoneSpec(WireModel):
    """What the zone is and who may write into it."""

    model_config = ConfigDict(json_schema_extra=validations(*immutable("domainName", "zoneClassRef", "provider")))

    domain_name: ZoneDomain
    """The zone's apex: lower-case ASCII (Punycode for IDN) without a final dot. Immutable."""
    zone_class_ref: LocalRef
    """The ZoneClass; its namespace defaults to the Zone's. Immutable."""
    provider: ProviderRef
    """The Provider and version that adoption is written for. Immutable."""
    adoption: JsonObject | None = Field(default=None, json_schema_extra=OPEN_OBJECT)
    """Provider-specific instruction to take over an existing external zone; omitted: create one."""
    allowed_record_sets: tuple[AllowedRecordSetsRule, ...] | None = Field(default=None, max_length=100)
    """Which RecordSets of other namespaces may attach; omitted: none. The own namespace always may."""


class ZoneStatus(WireModel):
    """What became of the zone."""

    observed_generation: int | None = Field(default=None, ge=0)
    """The metadata.generation that this status was computed from."""
    name_servers: tuple[Annotated[str, Field(max_length=253)], ...] | None = Field(default=None, max_length=32)
    """The provider's name servers for this zone; delegate to these in the parent zone."""
    provider: ProviderPublic | None = None
    """Provider-specific public data, such as the external id."""
    conditions: tuple[Condition, ...] = Field(default=(), json_schema_extra=CONDITIONS_LIST)
    """Accepted (may it be) and Programmed (is it so at the provider)."""


class Zone(KubernetesObject):
    """Zone claims one zone at a DNS provider and says which namespaces may publish records in it."""

    spec: ZoneSpec
    """What the zone is and who may write into it."""
    status: ZoneStatus = Field(default_factory=ZoneStatus)
    """What became of the zone."""

    @property
    def class_key(self) -> ObjectKey:
        """The key of the referenced ZoneClass."""
        return self.spec.zone_class_ref.key(self.metadata.namespace)
