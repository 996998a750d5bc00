"""Route53Identity: an AWS account, how to act in it, and whether that works (provider seed)."""

from datetime import datetime

from pydantic import ConfigDict, Field

from libdnsapi.api.conditions import Condition, ConditionType, find_condition
from libdnsapi.api.dns.references import NameRef
from libdnsapi.api.meta import KubernetesObject, ResourceType, WireModel
from libdnsapi.api.names import ROUTE53_GROUP, VERSION
from libdnsapi.api.schema import CONDITIONS_LIST, list_map, rule, spoken, validations

ROUTE53_IDENTITIES = ResourceType(ROUTE53_GROUP, VERSION, "Route53Identity", "route53identities")
REGION_PATTERN = r"^(eusc|[a-z]{2})(-[a-z]+)+-[0-9]+$"
_PARTITIONS = "aws(-cn|-eusc|-us-gov|-iso(-[bef])?)?"
ROLE_ARN_PATTERN = rf"^arn:{_PARTITIONS}:iam::[0-9]{{12}}:role/[A-Za-z0-9+=,.@_/-]{{1,512}}$"
_ACCOUNT_ID_PATTERN = r"^[0-9]{12}$"
_SESSION_NAME_PATTERN = r"^[A-Za-z0-9_+=,.@-]+$"
ACCOUNT_ID_WORDS = "must be an AWS account id: twelve digits, written as a string"
REGION_WORDS = "must be an AWS region such as eu-central-1"
ROLE_ARN_WORDS = "must be the ARN of an IAM role such as arn:aws:iam::111122223333:role/dns"
SESSION_NAME_WORDS = "must be letters, digits and _ + = , . @ -"


class RuntimeCredentials(WireModel):
    """The controller's own credentials, from the AWS SDK's default chain."""


class Credentials(WireModel):
    """Where the base credentials come from: exactly one of the members."""

    model_config = ConfigDict(
        json_schema_extra=validations(
            rule("has(self.runtime) != has(self.secretRef)", "exactly one of runtime and secretRef must be set")
        )
    )

    runtime: RuntimeCredentials | None = None
    """The controller's own credentials."""
    secret_ref: NameRef | None = None
    """A Secret in the same namespace: aws_access_key_id, aws_secret_access_key, optional aws_session_token."""


class AssumeRole(WireModel):
    """One step of the chain."""

    role_arn: str = Field(
        alias="roleARN",
        min_length=20,
        max_length=2048,
        pattern=ROLE_ARN_PATTERN,
        json_schema_extra=spoken(ROLE_ARN_PATTERN, ROLE_ARN_WORDS),
    )
    """The IAM role to assume."""
    external_id: str | None = Field(default=None, alias="externalID", min_length=2, max_length=1224)
    """The external id that the role's trust policy asks for."""
    session_name: str | None = Field(
        default=None,
        min_length=2,
        max_length=64,
        pattern=_SESSION_NAME_PATTERN,
        json_schema_extra=spoken(_SESSION_NAME_PATTERN, SESSION_NAME_WORDS),
    )
    """The session name; omitted: a stable one is made."""


class ZoneDiscovery(WireModel):
    """Listing of the account's public hosted zones (beyond-the-seeds 10)."""

    enabled: bool
    """Whether hosted zones are listed into status."""
    domains: tuple[str, ...] | None = Field(default=None, max_length=100)
    """Only zones at or below these domains; omitted: all."""


class Route53IdentitySpec(WireModel):
    """Which account and how to act in it."""

    account_id: str = Field(
        alias="accountID",
        max_length=64,
        pattern=_ACCOUNT_ID_PATTERN,
        json_schema_extra=spoken(_ACCOUNT_ID_PATTERN, ACCOUNT_ID_WORDS),
    )
    """The AWS account that the final credentials must belong to: twelve digits, written as a string."""
    region: str = Field(
        min_length=1, max_length=64, pattern=REGION_PATTERN, json_schema_extra=spoken(REGION_PATTERN, REGION_WORDS)
    )
    """The AWS region for STS and endpoint resolution."""
    credentials: Credentials
    """Where the base credentials come from."""
    assume_role_chain: tuple[AssumeRole, ...] | None = Field(default=None, max_length=10)
    """Roles to assume one after the other; omitted: the base credentials are used."""
    zone_discovery: ZoneDiscovery | None = None
    """Listing of the account's hosted zones; off when omitted."""


class DiscoveredHostedZone(WireModel):
    """One public hosted zone of the account."""

    id: str = Field(max_length=64)
    """The hosted zone id."""
    name: str = Field(max_length=255)
    """The zone's name without a final dot."""
    record_set_count: int | None = Field(default=None, ge=0)
    """How many record sets it holds."""


class Route53IdentityStatus(WireModel):
    """Whether the identity works."""

    observed_generation: int | None = Field(default=None, ge=0)
    """The metadata.generation that this status was computed from."""
    account_id: str | None = Field(default=None, alias="accountID", max_length=12)
    """The account that STS named for the final credentials."""
    last_credential_check_time: datetime | None = None
    """When the last live check finished."""
    next_credential_check_time: datetime | None = None
    """About when the next live check is due; absent while none is scheduled."""
    hosted_zones: tuple[DiscoveredHostedZone, ...] | None = Field(
        default=None,
        max_length=500,
        json_schema_extra=list_map("id"),
    )
    """The account's public hosted zones, when zoneDiscovery is enabled."""
    hosted_zones_truncated: bool | None = None
    """True: the account has more hosted zones than are listed."""
    conditions: tuple[Condition, ...] = Field(default=(), json_schema_extra=CONDITIONS_LIST)
    """Accepted (the spec is usable) and Ready (the credentials work)."""


class Route53Identity(KubernetesObject):
    """Route53Identity names an AWS account and the credentials that act in it."""

    spec: Route53IdentitySpec
    """Which account and how to act in it."""
    status: Route53IdentityStatus = Field(default_factory=Route53IdentityStatus)
    """Whether the identity works."""

    @property
    def is_looked_at_again(self) -> bool:
        """Whether an older generation was accepted and nothing is said of the present one yet.

        An edit, and a deletion that waits for cleanup, make a new generation; the controller judges it after a live
        check, which takes a moment.
        """
        accepted = find_condition(self.status.conditions, ConditionType.ACCEPTED)
        if accepted is None or not accepted.is_true:
            return False
        return (accepted.observed_generation or 0) < self.metadata.generation
