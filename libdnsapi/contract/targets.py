"""The three kinds that a Provider has a say in, and their payload fields."""

from enum import StrEnum
from typing import NamedTuple

from libdnsapi.api.dns.provider import (
    AdditionalConditionReason,
    OpenAPISchema,
    ProviderVersion,
    RecordSetContract,
    ToStorage,
    ValidationRule,
    ZoneClassContract,
    ZoneContract,
)
from libdnsapi.api.meta import JsonObject
from libdnsapi.api.reasons import RECORD_SET_REASONS, ZONE_CLASS_REASONS, ZONE_REASONS, ReasonTable


class Target(StrEnum):
    """What a payload belongs to."""

    ZONE_CLASS = "ZoneClass"
    ZONE = "Zone"
    RECORD_SET = "RecordSet"


PAYLOAD_FIELDS: dict[Target, tuple[str, ...]] = {
    Target.ZONE_CLASS: ("parameters",),
    Target.ZONE: ("adoption",),
    Target.RECORD_SET: ("options", "adoption"),
}
"""The fields of `spec` that hold provider-owned payload."""

STATUS_DATA = "statusProviderData"
CORE_REASONS: dict[Target, ReasonTable] = {
    Target.ZONE_CLASS: ZONE_CLASS_REASONS,
    Target.ZONE: ZONE_REASONS,
    Target.RECORD_SET: RECORD_SET_REASONS,
}
SECTIONS: dict[Target, str] = {Target.ZONE_CLASS: "zoneClass", Target.ZONE: "zone", Target.RECORD_SET: "recordSet"}
"""Where a Provider version declares a target."""


class Section(NamedTuple):
    """What one version declares for one target, in one shape for all three."""

    schemas: dict[str, JsonObject]
    rules: tuple[ValidationRule, ...]
    reasons: tuple[AdditionalConditionReason, ...]
    to_storage: ToStorage | None


def section(version: ProviderVersion, target: Target) -> Section | None:
    """Return what the version declares for the target, or None where it declares nothing."""
    sections: dict[Target, ZoneClassContract | ZoneContract | RecordSetContract | None] = {
        Target.ZONE_CLASS: version.zone_class,
        Target.ZONE: version.zone,
        Target.RECORD_SET: version.record_set,
    }
    declared = sections[target]
    if declared is None:
        return None
    reasons = () if isinstance(declared, ZoneClassContract) else declared.additional_condition_reasons
    conversion = declared.conversion.to_storage if declared.conversion else None
    return Section(_schemas(declared), declared.validation_rules, reasons, conversion)


def _schemas(declared: ZoneClassContract | ZoneContract | RecordSetContract) -> dict[str, JsonObject]:
    if declared.schemas is None:
        return {}
    named: dict[str, OpenAPISchema | None] = {
        "parameters": getattr(declared.schemas, "parameters", None),
        "options": getattr(declared.schemas, "options", None),
        "adoption": getattr(declared.schemas, "adoption", None),
        STATUS_DATA: getattr(declared.schemas, "status_provider_data", None),
    }
    return {name: schema.open_api_v3_schema for name, schema in named.items() if schema is not None}


def payload_of(target: Target, spec: JsonObject) -> JsonObject:
    """Return the payload of a claim's spec: the provider-owned fields that are present."""
    return {field: spec[field] for field in PAYLOAD_FIELDS[target] if spec.get(field) is not None}
