"""What the Route 53 controller wants to know: options, or environment variables with DNSAPI_ROUTE53_."""

from datetime import timedelta
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_settings import SettingsConfigDict

from libdnsapi.api.names import ROUTE53_CONTROLLER, ROUTE53_PROVIDER, VERSION
from libdnsapi.runtime.settings import Duration, RuntimeSettings
from route53_controller.aws.session import Timeouts
from route53_controller.aws.throttle import Limits
from route53_controller.identity.snapshot import Intervals, Policy
from route53_controller.zoneunit.snapshot import ZoneUnitSettings


def _without_blanks(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(value.strip() for value in values if value.strip())


def _all_if_empty(values: tuple[str, ...]) -> tuple[str, ...]:
    """Read an empty list as `*`: a setting that nobody narrowed."""
    return values or ("*",)


Names = Annotated[tuple[str, ...], AfterValidator(_without_blanks)]
"""Names, comma-separated on the command line."""
Patterns = Annotated[Names, AfterValidator(_all_if_empty)]
"""Shell-style patterns, comma-separated on the command line; none means all."""


class Route53Settings(RuntimeSettings):
    """Options of `python -m route53_controller`. Durations are written 90s or 1h30m, lists with commas."""

    model_config = SettingsConfigDict(env_prefix="DNSAPI_ROUTE53_", cli_prog_name="python -m route53_controller")

    controller_name: str = Field(ROUTE53_CONTROLLER, min_length=3, max_length=253)
    """ZoneClasses with this controllerName are served; two controllers side by side have two names."""
    provider_name: str = Field(ROUTE53_PROVIDER, min_length=1, max_length=253)
    """The Provider object that this controller implements."""
    provider_version: str = Field(VERSION, min_length=1, max_length=63)
    """The Provider's storage version that this controller reads."""
    workers: int = Field(8, ge=1, le=64)
    """Zones that are worked on at once."""

    drift_interval: Duration = Field(timedelta(minutes=10), ge=timedelta(seconds=1))
    """How often a zone that nobody changed is compared with Route 53."""
    change_poll_initial: Duration = Field(timedelta(seconds=2), ge=timedelta(milliseconds=100))
    """First wait before asking whether a submitted change is INSYNC."""
    change_poll_max: Duration = Field(timedelta(seconds=15), ge=timedelta(milliseconds=100))
    """Longest wait between two such questions."""
    retry_initial: Duration = Field(timedelta(seconds=2), ge=timedelta(milliseconds=100))
    """First wait after a failure of Route 53 that passes by itself."""
    retry_max: Duration = Field(timedelta(minutes=1), ge=timedelta(seconds=1))
    """Longest wait between two such tries."""
    max_delete_count: int = Field(100, ge=0)
    """Deletions in ten minutes above which a zone's further ones are held; 0 turns the guard off."""
    max_delete_percent: int = Field(50, ge=0, le=100)
    """Percentage of a zone's record sets, above which (and above the count) deletions are held; 0: off."""

    requests_per_second: float = Field(5.0, gt=0, le=1000)
    """Route 53 requests a second for each AWS account; divide it where several tools share the account."""
    request_burst: int = Field(10, ge=1, le=1000)
    """Route 53 requests at once for each AWS account."""
    aws_connect_timeout: Duration = Field(timedelta(seconds=3), gt=timedelta())
    """Longest wait for a connection to AWS."""
    aws_read_timeout: Duration = Field(timedelta(seconds=15), gt=timedelta())
    """Longest wait for AWS to go on with its answer."""

    runtime_identity_namespaces: Patterns = ("*",)
    """Namespaces whose identities may use the controller's own credentials (credentials.runtime)."""
    allowed_role_arns: Patterns = ("*",)
    """Role ARNs that identities may assume."""
    secret_namespaces: Names = ()
    """Namespaces in which Secrets with access keys are read; the controller needs the right to do so there."""
    credential_check_interval: Duration = Field(timedelta(minutes=10), ge=timedelta(seconds=10))
    """How often working credentials are checked again."""
    credential_retry_interval: Duration = Field(timedelta(minutes=1), ge=timedelta(seconds=1))
    """How soon credentials that failed are checked again."""

    conversion_addresses: dict[str, str] = Field(default_factory=dict)
    """Addresses of conversion Services (namespace/name: host:port) where cluster DNS is out of reach."""

    @property
    def request_limits(self) -> Limits:
        """The request budget of one account."""
        return Limits(self.requests_per_second, self.request_burst)

    @property
    def timeouts(self) -> Timeouts:
        """How long one call to AWS may take; in all twice the longest read."""
        return Timeouts(self.aws_connect_timeout, self.aws_read_timeout, 2 * self.aws_read_timeout)

    @property
    def identity_policy(self) -> Policy:
        """Which identities the platform allows."""
        return Policy(self.runtime_identity_namespaces, self.allowed_role_arns)

    @property
    def credential_intervals(self) -> Intervals:
        """When credentials are checked again."""
        return Intervals(self.credential_check_interval, self.credential_retry_interval)

    @property
    def zone_units(self) -> ZoneUnitSettings:
        """What the ZoneUnit controller goes by."""
        return ZoneUnitSettings(
            controller_name=self.controller_name,
            provider_name=self.provider_name,
            drift_interval=self.drift_interval,
            change_poll_first=self.change_poll_initial,
            change_poll_limit=self.change_poll_max,
            retry_first=self.retry_initial,
            retry_limit=self.retry_max,
            max_delete_count=self.max_delete_count,
            max_delete_percent=self.max_delete_percent,
        )
