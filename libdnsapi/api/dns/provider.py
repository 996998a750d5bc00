"""Provider: the cluster-scoped contract of one provider package (provider-contract page)."""

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from libdnsapi.api.dns.bodies import RecordType
from libdnsapi.api.meta import JsonObject, KubernetesObject, ResourceType, WireModel
from libdnsapi.api.names import GROUP, VERSION
from libdnsapi.api.schema import OPEN_OBJECT, list_map, rule, validations

PROVIDERS = ResourceType(GROUP, VERSION, "Provider", "providers", namespaced=False)
EXPRESSION_MAX_LENGTH = 10240
RECORD_SET_VALIDATIONS = (
    "require-ttl",
    "require-a-addresses",
    "require-aaaa-addresses",
    "require-txt-values",
    "forbid-cname-apex",
    "forbid-txt-non-printable-ascii",
)
"""The core validations of a RecordSet that a Provider may turn off."""
ZONE_UNIT_VALIDATIONS = ("forbid-cname-coexistence",)
"""The validations of a pair of items that a Provider may turn off."""


def _only_known(names: tuple[str, ...]) -> JsonDict:
    return validations(
        rule(
            f"!has(self.disableValidations) || self.disableValidations.all(x, x.name in {list(names)})",
            f"only these validations can be disabled: {', '.join(names)}",
            "disableValidations",
        )
    )


class Logo(WireModel):
    """A picture for user interfaces."""

    url: str = Field(max_length=2048)
    """Where the picture is."""


class Display(WireModel):
    """How the provider is shown to people."""

    name: str = Field(min_length=1, max_length=253)
    """The name that people read."""
    description: str | None = Field(default=None, max_length=4096)
    """A sentence about the provider."""
    logo: Logo | None = None
    """A picture for user interfaces."""


class OpenAPISchema(WireModel):
    """One structural OpenAPI v3 schema."""

    open_api_v3_schema: JsonObject = Field(alias="openAPIV3Schema", json_schema_extra=OPEN_OBJECT)
    """A structural OpenAPI v3 schema; every property has a description."""


class ValidationRule(WireModel):
    """One CEL rule."""

    rule: str = Field(min_length=1, max_length=EXPRESSION_MAX_LENGTH)
    """A CEL expression with a boolean result; true means valid."""
    message: str | None = Field(default=None, max_length=2048)
    """What the user reads when the rule does not hold."""


class DisableValidation(WireModel):
    """Turns one named core validation off where an expression holds."""

    name: str = Field(min_length=1, max_length=63)
    """The validation's name, such as require-ttl."""
    when: str = Field(min_length=1, max_length=EXPRESSION_MAX_LENGTH)
    """A CEL expression with a boolean result; true turns the validation off."""


class AdditionalConditionReason(WireModel):
    """A condition reason that this provider adds to the core table."""

    condition_type: str = Field(json_schema_extra={"enum": ["Accepted", "Programmed"]})
    """Accepted or Programmed."""
    status: str = Field(json_schema_extra={"enum": ["True", "False", "Unknown"]})
    """The status that the reason may stand with."""
    reason: str = Field(pattern="^[A-Z][A-Za-z0-9]*$", max_length=316)
    """The reason, in CamelCase."""
    description: str = Field(min_length=1, max_length=2048)
    """What the reason means, for people."""


class ServiceReference(WireModel):
    """An in-cluster Service."""

    namespace: str = Field(min_length=1, max_length=63)
    """The Service's namespace."""
    name: str = Field(min_length=1, max_length=63)
    """The Service's name."""
    path: str | None = Field(default=None, max_length=1024, json_schema_extra={"pattern": "^/"})
    """The URL path; defaults to /convert."""
    port: int | None = Field(default=None, ge=1, le=65535)
    """The Service's port; defaults to 443."""


class ClientConfig(WireModel):
    """How a conversion webhook is reached and verified."""

    service: ServiceReference
    """The in-cluster Service to call."""
    ca_bundle: str | None = Field(default=None, max_length=1048576, json_schema_extra={"format": "byte"})
    """Base64 of the PEM bundle that the server certificate is verified with; required by admission."""


class ConversionWebhook(WireModel):
    """Conversion by an HTTPS call."""

    client_config: ClientConfig
    """How the webhook is reached."""
    timeout_seconds: int | None = Field(default=None, ge=1, le=30)
    """How long one call may take; defaults to 10."""


class ToStorage(WireModel):
    """How a payload is converted to the storage version: exactly one of `cel` and `webhook`."""

    model_config = ConfigDict(
        json_schema_extra=validations(
            rule("has(self.cel) != has(self.webhook)", "exactly one of cel and webhook must be set")
        )
    )

    cel: str | None = Field(default=None, min_length=1, max_length=EXPRESSION_MAX_LENGTH)
    """A CEL expression: object in (self), object out."""
    webhook: ConversionWebhook | None = None
    """An HTTPS conversion service."""


class Conversion(WireModel):
    """Conversion of one target's payload."""

    to_storage: ToStorage
    """The strategy that converts to the storage version."""


class IdentityResource(WireModel):
    """The kind that ZoneClass.spec.identityRef names."""

    group: str = Field(min_length=1, max_length=253)
    """The identity kind's API group."""
    kind: str = Field(min_length=1, max_length=63)
    """The identity kind."""
    scope: str = Field(json_schema_extra={"enum": ["Namespaced"]})
    """Always Namespaced: identities live beside their ZoneClass."""


class Identity(WireModel):
    """Discovery data about the identity kind."""

    resource: IdentityResource
    """The identity kind."""


class ZoneClassSchemas(WireModel):
    """Schemas of a ZoneClass's payload."""

    parameters: OpenAPISchema | None = None
    """The schema of ZoneClass.spec.parameters."""


class ZoneSchemas(WireModel):
    """Schemas of a Zone's payload and public data."""

    adoption: OpenAPISchema | None = None
    """The schema of Zone.spec.adoption."""
    status_provider_data: OpenAPISchema | None = None
    """The schema of Zone.status.provider.data."""


class RecordSetSchemas(WireModel):
    """Schemas of a RecordSet's payloads and public data."""

    options: OpenAPISchema | None = None
    """The schema of RecordSet.spec.options."""
    adoption: OpenAPISchema | None = None
    """The schema of RecordSet.spec.adoption."""
    status_provider_data: OpenAPISchema | None = None
    """The schema of RecordSet.status.provider.data."""


class ZoneClassContract(WireModel):
    """What a version says about ZoneClasses."""

    schemas: ZoneClassSchemas | None = None
    """Payload schemas."""
    validation_rules: tuple[ValidationRule, ...] = Field(default=(), max_length=100)
    """CEL rules over the whole ZoneClass (self)."""
    conversion: Conversion | None = None
    """Conversion of {parameters} to the storage version."""


class ZoneContract(WireModel):
    """What a version says about Zones."""

    schemas: ZoneSchemas | None = None
    """Payload and status schemas."""
    additional_condition_reasons: tuple[AdditionalConditionReason, ...] = Field(default=(), max_length=100)
    """Condition reasons beside the core table."""
    validation_rules: tuple[ValidationRule, ...] = Field(default=(), max_length=100)
    """CEL rules over the whole Zone (self)."""
    conversion: Conversion | None = None
    """Conversion of {adoption} to the storage version."""


class RecordSetContract(WireModel):
    """What a version says about RecordSets."""

    model_config = ConfigDict(json_schema_extra=_only_known(RECORD_SET_VALIDATIONS))

    supported_types: tuple[RecordType, ...] = Field(
        min_length=1,
        max_length=7,
        json_schema_extra=validations(
            rule("self.all(x, self.exists_one(y, x == y))", "a record type is listed only once")
        ),
    )
    """The record types that the provider takes."""
    schemas: RecordSetSchemas | None = None
    """Payload and status schemas."""
    validation_rules: tuple[ValidationRule, ...] = Field(default=(), max_length=100)
    """CEL rules over the whole RecordSet (self)."""
    additional_condition_reasons: tuple[AdditionalConditionReason, ...] = Field(default=(), max_length=100)
    """Condition reasons beside the core table."""
    disable_validations: tuple[DisableValidation, ...] = Field(default=(), max_length=100)
    """Core validations that this provider turns off."""
    conversion: Conversion | None = None
    """Conversion of {options, adoption} to the storage version."""


class ZoneUnitContract(WireModel):
    """What a version says about pairs of items with one owner name."""

    model_config = ConfigDict(json_schema_extra=_only_known(ZONE_UNIT_VALIDATIONS))

    disable_validations: tuple[DisableValidation, ...] = Field(default=(), max_length=100)
    """Composition validations that this provider turns off for a pair (self, other)."""
    validation_rules: tuple[ValidationRule, ...] = Field(default=(), max_length=100)
    """CEL rules over every pair (self, other) of items with the same owner name."""


class ProviderVersion(WireModel):
    """One version of the contract."""

    name: str = Field(min_length=1, max_length=63, pattern="^[^/]+$")
    """What spec.provider.version of other objects refers to."""
    served: bool
    """Whether new objects and spec updates may refer to it."""
    storage: bool | None = None
    """Whether payloads are converted to this version before they enter a ZoneUnit; exactly one version."""
    deprecated: bool | None = None
    """Whether admission warns when it is used."""
    identity: Identity | None = None
    """The identity kind of this provider."""
    zone_class: ZoneClassContract | None = None
    """The contract for ZoneClasses."""
    zone: ZoneContract | None = None
    """The contract for Zones."""
    record_set: RecordSetContract | None = None
    """The contract for RecordSets."""
    zone_unit: ZoneUnitContract | None = None
    """The contract for pairs of items in a ZoneUnit."""


class ProviderSpec(WireModel):
    """What a provider package declares."""

    model_config = ConfigDict(
        json_schema_extra=validations(
            rule(
                "self.versions.filter(x, has(x.storage) && x.storage).size() == 1",
                "exactly one version must have storage: true",
                "versions",
            )
        )
    )

    display: Display
    """How the provider is shown to people."""
    versions: tuple[ProviderVersion, ...] = Field(
        min_length=1,
        max_length=32,
        json_schema_extra=list_map("name"),
    )
    """The contract's versions; exactly one has storage: true."""


class Provider(KubernetesObject):
    """Provider declares what one DNS provider package understands: versions, schemas, rules and conversions."""

    spec: ProviderSpec
    """What the provider package declares."""

    def version(self, name: str) -> ProviderVersion | None:
        """Return the version of that name, served or not."""
        return next((v for v in self.spec.versions if v.name == name), None)

    @property
    def storage(self) -> ProviderVersion | None:
        """The storage version, or None while there is not exactly one."""
        found = [v for v in self.spec.versions if v.storage]
        return found[0] if len(found) == 1 else None
