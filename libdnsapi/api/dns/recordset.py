"""RecordSet: the claim for one record set in a Zone (core seed, RecordSet)."""

from pydantic import ConfigDict, Field

from libdnsapi.api.conditions import Condition
from libdnsapi.api.dns.bodies import RecordContent, RecordType
from libdnsapi.api.dns.references import FullRef, LocalRef, ProviderPublic, ProviderRef
from libdnsapi.api.meta import KubernetesObject, ObjectKey, ResourceType, WireModel
from libdnsapi.api.names import GROUP, VERSION
from libdnsapi.api.schema import CONDITIONS_LIST, immutable, rule, validations

RECORD_SETS = ResourceType(GROUP, VERSION, "RecordSet", "recordsets")


_ONLY_OWN_BODY = [
    rule(f"!has(self.{t.body}) || self.type == '{t.value}'", f"{t.body} may be set only when type is {t.value}", t.body)
    for t in RecordType
]
_BODY_REQUIRED = [
    rule(f"self.type != '{t.value}' || has(self.{t.body})", f"{t.body} is required when type is {t.value}", t.body)
    for t in (RecordType.CNAME, RecordType.MX, RecordType.CAA, RecordType.NS)
]
"""The other three bodies and the TTL may be disabled by a Provider, so only admission can ask for them."""


_DELEGATION = [
    rule(
        "self.type != 'NS' || !(self.name == '@' || self.name.startsWith('*'))",
        "an NS record set delegates a child name: neither @ nor a wildcard",
        "name",
    ),
]


class RecordSetSpec(RecordContent):
    """Which record set, in which zone, with what content."""

    model_config = ConfigDict(
        json_schema_extra=validations(
            *immutable("zoneRef", "provider", "type", "name"), *_ONLY_OWN_BODY, *_BODY_REQUIRED, *_DELEGATION
        )
    )

    zone_ref: LocalRef
    """The Zone; its namespace defaults to the RecordSet's. Immutable."""
    provider: ProviderRef
    """The Provider and version that options and adoption are written for. Immutable."""
    type: RecordType
    """The record type. Immutable."""
    name: str = Field(min_length=1, max_length=253)
    """The owner name relative to the zone: "@" for the apex, "*" or "*.name" for wildcards. Immutable."""


class ResolvedZone(WireModel):
    """The Zone that the RecordSet really belongs to."""

    ref: FullRef
    """Namespace and name of the Zone."""


class RecordSetStatus(WireModel):
    """What became of the record set."""

    observed_generation: int | None = Field(default=None, ge=0)
    """The metadata.generation that this status was computed from."""
    zone: ResolvedZone | None = None
    """The resolved Zone; absent while it is not found."""
    provider: ProviderPublic | None = None
    """Provider-specific public data."""
    conditions: tuple[Condition, ...] = Field(default=(), json_schema_extra=CONDITIONS_LIST)
    """Accepted (may it be) and Programmed (is it so at the provider)."""


class RecordSet(KubernetesObject):
    """RecordSet claims one name and type in a Zone and says what stands there."""

    spec: RecordSetSpec
    """Which record set, in which zone, with what content."""
    status: RecordSetStatus = Field(default_factory=RecordSetStatus)
    """What became of the record set."""

    @property
    def zone_key(self) -> ObjectKey:
        """The key of the referenced Zone."""
        return self.spec.zone_ref.key(self.metadata.namespace)
