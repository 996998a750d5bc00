"""All that one decision about an identity is made of, frozen. Pure."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from libdnsapi.api.route53.identity import DiscoveredHostedZone, Route53Identity
from route53_controller.aws.credentials import CredentialSource
from route53_controller.aws.errors import AwsError


@dataclass(frozen=True, slots=True)
class Policy:
    """Which identities the platform allows (beyond-the-seeds 7): shell-style patterns; `*` allows all."""

    runtime_namespaces: tuple[str, ...] = ("*",)
    role_arns: tuple[str, ...] = ("*",)


@dataclass(frozen=True, slots=True)
class Intervals:
    """When credentials are checked again: after success, and after a failure that time may mend."""

    recheck: timedelta = timedelta(minutes=10)
    retry: timedelta = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Discovery:
    """What zone discovery found, or why it found nothing."""

    zones: tuple[DiscoveredHostedZone, ...] = ()
    truncated: bool = False
    error: AwsError | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """One live check that this process made, and what it was made of.

    `account` is what STS named, "" where it named none; `error` is what failed, None where nothing did;
    `unforeseen` says that it failed for a reason of our own.
    """

    generation: int
    source: CredentialSource | None
    finished_at: datetime
    account: str = ""
    error: AwsError | None = None
    unforeseen: bool = False
    discovery: Discovery | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An identity and what bears on it.

    `partition` is the AWS partition of its region, None where there is no such region; `secrets_readable` says
    whether the settings let Secrets of its namespace be read; `source` is where its credentials come from now, or
    `source_error` why there are none; `last` is this process's last live check.
    """

    identity: Route53Identity
    now: datetime
    partition: str | None
    source: CredentialSource | None
    source_error: AwsError | None = None
    secrets_readable: bool = True
    policy: Policy = field(default_factory=Policy)
    intervals: Intervals = field(default_factory=Intervals)
    last: Check | None = None
