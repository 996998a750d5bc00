"""DNSProvider and ClusterDNSProvider: one publishing pipeline each (seed 000; sources page, DNSProvider).

The two kinds differ only in scope, as Issuer and ClusterIssuer do; the cluster-scoped one also says which namespaces
and records its managed Zones admit.
"""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from libdnsapi.api.conditions import Condition
from libdnsapi.api.dns.references import FullRef, LocalRef, NameRef
from libdnsapi.api.dns.zone import AllowedNamespaces, NamePattern
from libdnsapi.api.externaldns.names import EXTERNALDNS_GROUP, EXTERNALDNS_VERSION
from libdnsapi.api.meta import KubernetesObject, ObjectKey, ResourceType, WireModel
from libdnsapi.api.schema import CONDITIONS_LIST, rule, validations
from libdnsapi.api.selectors import LabelSelector

DNS_PROVIDERS = ResourceType(EXTERNALDNS_GROUP, EXTERNALDNS_VERSION, "DNSProvider", "dnsproviders")
CLUSTER_DNS_PROVIDERS = ResourceType(
    EXTERNALDNS_GROUP, EXTERNALDNS_VERSION, "ClusterDNSProvider", "clusterdnsproviders", namespaced=False
)
CONFIG_KEYS = (
    "aws-account-id",
    "aws-assume-role",
    "aws-assume-role-external-id",
    "aws-evaluate-target-health",
    "aws-prefer-cname",
    "aws-region",
    "aws-zone-type",
)
"""The flag-equivalent settings that `spec.config` may hold."""
DEFAULT_TTL = 300
DEFAULT_TYPES = ("A", "AAAA", "CNAME")
ORDINARY_NAMES = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
"""The default of `allowedRecords.name.pattern`: ordinary names; neither the apex nor wildcards."""
_SUFFIX = Annotated[str, Field(min_length=1, max_length=254)]


def pipeline_resource(key: ObjectKey) -> ResourceType:
    """Return the kind of the pipeline with a key: without a namespace it is a ClusterDNSProvider."""
    return DNS_PROVIDERS if key.namespace else CLUSTER_DNS_PROVIDERS


class ZoneSelection(WireModel):
    """Which existing Zones a pipeline publishes into: those that the selector matches, and those that refs name."""

    model_config = ConfigDict(
        json_schema_extra=validations(
            rule("has(self.selector) || has(self.refs)", "name Zones by selector, by refs, or by both")
        )
    )

    selector: LabelSelector | None = None
    """Labels of Zones; an empty selector matches every Zone within reach."""
    refs: tuple[LocalRef, ...] | None = Field(default=None, min_length=1, max_length=100)
    """Zones by name; the namespace defaults to that of the object, and must be given in a ClusterDNSProvider."""


class DomainFilter(WireModel):
    """Which names the pipeline is responsible for, by suffixes on whole labels."""

    include: tuple[_SUFFIX, ...] | None = Field(default=None, max_length=100)
    """Domains that the pipeline serves, each with everything below it; omitted: those of its Zones."""
    exclude: tuple[_SUFFIX, ...] | None = Field(default=None, max_length=100)
    """Domains that it does not serve although include names one above them."""


class Registry(WireModel):
    """Who owns what the pipeline publishes."""

    model_config = ConfigDict(
        json_schema_extra=validations(
            rule(
                "!has(self.type) || self.type == 'ledger'",
                "only ledger is supported: ownership is kept in the Kubernetes API, not in TXT records; to take over"
                " records of another deployment set spec.adoption to Matching and see the migration page",
                "type",
            ),
            rule(
                "!has(self.txtPrefix)",
                "txtPrefix has no meaning here: no TXT records are written; to take over records of another deployment"
                " set spec.adoption to Matching and see the migration page",
                "txtPrefix",
            ),
        )
    )

    type: str | None = Field(default=None, max_length=63)
    """Always ledger."""
    txt_owner_id: str | None = Field(default=None, min_length=1, max_length=317)
    """The owner id, unique in the cluster; default: the object's name, or namespace/name of a DNSProvider."""
    txt_prefix: str | None = Field(default=None, max_length=253)
    """Not supported; known only so that it can be refused with an explanation."""


class PipelineDefaults(WireModel):
    """What holds where the source object says nothing."""

    ttl: int | None = Field(default=None, ge=1, le=2147483647)
    """Seconds; omitted: 300."""


class PublishedRecords(WireModel):
    """Names and types that namespaces may publish into managed Zones."""

    name: NamePattern | None = None
    """Which record names; omitted: ordinary names, neither the apex nor wildcards."""
    types: tuple[Annotated[str, Field(min_length=1, max_length=16)], ...] | None = Field(
        default=None, min_length=1, max_length=16
    )
    """Which record types; omitted: A, AAAA and CNAME."""


_COMMON_RULES = (
    rule("self.type != 'dns-api' || has(self.zones)", "zones is required when type is dns-api", "zones"),
    rule(
        f"!has(self.config) || self.config.all(k, k in {list(CONFIG_KEYS)})",
        f"known settings are {', '.join(CONFIG_KEYS)}",
        "config",
    ),
    rule(
        "!has(self.config) || !('aws-zone-type' in self.config) || self.config['aws-zone-type'] == 'public'",
        "aws-zone-type must be public: private hosted zones are not supported",
        "config",
    ),
)


class PipelineSpec(WireModel):
    """What the two kinds have in common."""

    type: Literal["aws", "dns-api"]
    """aws publishes through Route 53; dns-api through existing Zones of any Provider."""
    zones: ZoneSelection | None = None
    """Existing Zones to publish into; omitted: the controller makes the Zones from config and credentialsRef."""
    domain_filter: DomainFilter | None = None
    """Which names the pipeline is responsible for."""
    config: dict[str, Annotated[str, Field(max_length=2048)]] | None = Field(
        default=None, json_schema_extra={"maxProperties": 16}
    )
    """Flag-equivalent settings, such as aws-assume-role."""
    credentials_ref: NameRef | None = None
    """The Secret of this pipeline's identity: keys aws_access_key_id and aws_secret_access_key."""
    registry: Registry | None = None
    """Who owns what the pipeline publishes."""
    policy: Literal["sync", "upsert-only", "create-only"] | None = None
    """sync (when omitted) also deletes, upsert-only creates and changes, create-only creates."""
    defaults: PipelineDefaults | None = None
    """What holds where the source object says nothing."""
    adoption: Literal["Never", "Matching"] | None = None
    """Matching takes over equal records that exist already; Never when omitted."""

    @property
    def is_managed(self) -> bool:
        """Whether the controller makes the pipeline's Zones itself."""
        return self.zones is None

    def owner_id(self, key: ObjectKey) -> str:
        """Return the owner id of the pipeline with this key: the one that the spec names, else the key itself."""
        named = self.registry.txt_owner_id if self.registry is not None else None
        return named or str(key)


class DNSProviderSpec(PipelineSpec):
    """The pipeline of one namespace."""

    model_config = ConfigDict(
        json_schema_extra=validations(
            *_COMMON_RULES,
            rule(
                "has(self.zones) || has(self.credentialsRef)",
                "credentialsRef is required without zones: a namespace never acts with the controller's own role",
                "credentialsRef",
            ),
        )
    )


class ClusterDNSProviderSpec(PipelineSpec):
    """A pipeline of the whole cluster."""

    model_config = ConfigDict(
        json_schema_extra=validations(
            *_COMMON_RULES,
            rule(
                "has(self.zones) || (has(self.allowedNamespaces) && has(self.allowedRecords))",
                "allowedNamespaces and allowedRecords are required without zones",
                "allowedNamespaces",
            ),
        )
    )

    allowed_namespaces: AllowedNamespaces | None = None
    """Which namespaces may publish into the managed Zones; required without zones."""
    allowed_records: PublishedRecords | None = None
    """Which records those namespaces may publish; required without zones."""


class PipelineZone(WireModel):
    """One Zone that the pipeline publishes into."""

    ref: FullRef
    """The Zone."""
    domain_name: str = Field(max_length=253)
    """Its apex."""


class PipelineStatus(WireModel):
    """What became of the pipeline."""

    observed_generation: int | None = Field(default=None, ge=0)
    """The metadata.generation that this status was computed from."""
    last_sync_time: datetime | None = None
    """When a record of this pipeline was last written, or the pipeline last checked."""
    records: int | None = Field(default=None, ge=0)
    """How many RecordSets the pipeline publishes."""
    zones: tuple[PipelineZone, ...] | None = Field(default=None, max_length=500)
    """The Zones that it publishes into."""
    conditions: tuple[Condition, ...] = Field(default=(), json_schema_extra=CONDITIONS_LIST)
    """Ready: ProviderInitialized, or ZoneNotFound, AuthFailed or InvalidSpec."""


class DNSProvider(KubernetesObject):
    """DNSProvider is a publishing pipeline of one namespace."""

    spec: DNSProviderSpec
    """What is published, and where."""
    status: PipelineStatus = Field(default_factory=PipelineStatus)
    """What became of the pipeline."""


class ClusterDNSProvider(KubernetesObject):
    """ClusterDNSProvider is a publishing pipeline of the whole cluster."""

    spec: ClusterDNSProviderSpec
    """What is published, and where."""
    status: PipelineStatus = Field(default_factory=PipelineStatus)
    """What became of the pipeline."""
