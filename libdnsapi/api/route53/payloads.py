"""The Route 53 Provider's own payloads in its storage version v1alpha1 (provider seed, wire reference)."""

from typing import Literal

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from libdnsapi.api.meta import WireModel

HOSTED_ZONE_ID_PATTERN = "^Z[A-Z0-9]{1,31}$"


class ClosedModel(WireModel):
    """A payload that refuses unknown fields."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
    )


class ZoneClassParameters(ClosedModel):
    """ZoneClass.spec.parameters; omitted fields mean Create, Retain and Deny."""

    zone_creation_policy: Literal["Create", "Deny"] = "Create"
    """Controls whether a public hosted zone may be created when a Zone adopts none."""
    zone_deletion_policy: Literal["Delete", "Retain"] = "Retain"
    """Controls whether the hosted zone is deleted when the Zone is deleted."""
    same_name_zone_policy: Literal["Allow", "Deny"] = "Deny"
    """Controls whether a hosted zone may be created when another one of the same name exists."""
    tags: dict[str, str] = Field(default_factory=dict)
    """Additional tags for hosted zones of this class."""


class ZoneAdoption(ClosedModel):
    """Zone.spec.adoption."""

    hosted_zone_id: str = Field(pattern=HOSTED_ZONE_ID_PATTERN)
    """The public hosted zone to adopt."""


class ZoneData(ClosedModel):
    """Zone.status.provider.data."""

    hosted_zone_id: str = Field(alias="hostedZoneID", pattern=HOSTED_ZONE_ID_PATTERN)
    """The hosted zone that is managed for this Zone."""


class AliasTarget(ClosedModel):
    """RecordSet.spec.options.alias."""

    dns_name: str
    """The alias target's name, with a final dot."""
    hosted_zone_id: str = Field(alias="hostedZoneID", pattern=HOSTED_ZONE_ID_PATTERN)
    """The hosted zone id of the alias target, such as a load balancer's canonical hosted zone id."""
    evaluate_target_health: bool
    """Whether Route 53 evaluates the target's health."""


class RecordSetOptions(ClosedModel):
    """RecordSet.spec.options."""

    alias: AliasTarget | None = None
    """An alias target for an A or AAAA record set, which then has no TTL and no body."""


class RecordSetAdoption(ClosedModel):
    """RecordSet.spec.adoption."""

    enabled: bool
    """Whether an existing, equal record set may be taken over."""
    when_missing: Literal["Fail", "Create"] = "Fail"
    """What happens when there is no record set to take over."""
