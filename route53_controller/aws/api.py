"""What the controllers need of Route 53 and STS, as Protocols over plain frozen values.

Names are canonical: lower case, no final dot, `*` for the wildcard label (the wire's octal escapes are undone),
hosted zone ids without the `/hostedzone/` prefix, change ids without `/change/`.
Source: Amazon Route 53 API Reference, Actions and Data Types.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import Protocol

ACCOUNT_WIDE = "*"
"""Stands for the hosted zone of calls that concern none, when zones take turns."""


class Priority(IntEnum):
    """Who goes first when the request budget is short; lower goes first."""

    USER = 0
    VERIFY = 1
    DRIFT = 2


class ChangeAction(StrEnum):
    """What one change does. UPSERT is not used: it would overwrite what we did not observe."""

    CREATE = "CREATE"
    DELETE = "DELETE"


class ChangeStatus(StrEnum):
    """How far Route 53 has propagated a change."""

    PENDING = "PENDING"
    INSYNC = "INSYNC"


@dataclass(frozen=True, slots=True)
class RecordKey:
    """What tells one record set from another; `set_identifier` is empty for simple routing."""

    name: str
    type: str
    set_identifier: str = ""


@dataclass(frozen=True, slots=True)
class AliasRecord:
    """An alias target as Route 53 lists it; `dns_name` keeps no final dot."""

    dns_name: str
    hosted_zone_id: str
    evaluate_target_health: bool


@dataclass(frozen=True, slots=True)
class ResourceRecordSet:
    """One record set with the very strings that Route 53 listed, so that a DELETE matches them.

    Either `ttl` and `values`, or `alias`. `wire_name` is the name as listed (with escapes and final dot), empty where
    that is how we write it ourselves: a zone may have ten thousand of these.
    `routing` holds whatever makes it a routing-policy record set (weight, region, failover, …) or has a
    health check, as sorted (key, value) pairs; such record sets are never ours.
    """

    key: RecordKey
    ttl: int | None
    values: tuple[str, ...] = ()
    alias: AliasRecord | None = None
    routing: tuple[tuple[str, str], ...] = ()
    wire_name: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One element of a change batch."""

    action: ChangeAction
    record_set: ResourceRecordSet


@dataclass(frozen=True, slots=True)
class ChangeInfo:
    """A submitted change."""

    id: str
    status: ChangeStatus
    submitted_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class HostedZone:
    """A hosted zone; `name_servers` is filled by get and create only."""

    id: str
    name: str
    caller_reference: str
    private: bool
    record_set_count: int | None = None
    name_servers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CreatedHostedZone:
    """The answer to CreateHostedZone."""

    zone: HostedZone
    change: ChangeInfo


@dataclass(frozen=True, slots=True)
class RecordPage:
    """One page of ListResourceRecordSets; `next` is None on the last page."""

    record_sets: tuple[ResourceRecordSet, ...]
    next: RecordKey | None


class Route53(Protocol):
    """Route 53 as one identity sees it. Every method raises `aws.errors.AwsError` and nothing else.

    Every call waits for the account's request budget at the given priority.
    """

    async def get_hosted_zone(self, zone_id: str, *, priority: Priority = Priority.USER) -> HostedZone:
        """Return one hosted zone with its name servers."""
        ...

    async def list_hosted_zones_by_name(
        self, name: str, *, priority: Priority = Priority.USER
    ) -> tuple[HostedZone, ...]:
        """Return all hosted zones of exactly this name, public and private."""
        ...

    async def list_hosted_zones(self, *, limit: int, priority: Priority = Priority.DRIFT) -> tuple[HostedZone, ...]:
        """Return the account's hosted zones, at most `limit` + 1 of them (one more shows truncation)."""
        ...

    async def create_hosted_zone(self, name: str, caller_reference: str) -> CreatedHostedZone:
        """Create a public hosted zone."""
        ...

    async def delete_hosted_zone(self, zone_id: str) -> ChangeInfo:
        """Delete a hosted zone that has only its apex NS and SOA."""
        ...

    async def list_tags(self, zone_id: str, *, priority: Priority = Priority.USER) -> dict[str, str]:
        """Return a hosted zone's tags."""
        ...

    async def change_tags(self, zone_id: str, add: dict[str, str], remove: Sequence[str]) -> None:
        """Set and remove tags, in chunks of ten (the API's limit)."""
        ...

    async def list_record_sets(
        self, zone_id: str, *, start: RecordKey | None = None, max_items: int = 300, priority: Priority = Priority.USER
    ) -> RecordPage:
        """Return one page of record sets in Route 53's order, from `start` on."""
        ...

    async def change_record_sets(self, zone_id: str, changes: Sequence[Change]) -> ChangeInfo:
        """Submit one atomic batch."""
        ...

    async def get_change(
        self, change_id: str, *, zone_id: str = ACCOUNT_WIDE, priority: Priority = Priority.USER
    ) -> ChangeInfo:
        """Return how far a change has got; it takes the turn of this hosted zone."""
        ...

    def hurry(self, zone_id: str) -> None:
        """Have calls for this hosted zone that wait for the budget go with the changes of users."""
        ...


class Sts(Protocol):
    """STS as one set of credentials sees it. Raises `aws.errors.AwsError`."""

    async def caller_account(self) -> str:
        """Return the account id of the credentials (GetCallerIdentity)."""
        ...
