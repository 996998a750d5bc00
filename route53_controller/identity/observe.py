"""The live check: who STS says we are, and, where asked for, which hosted zones the account has."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import structlog

from libdnsapi.api.route53.identity import DiscoveredHostedZone, Route53Identity
from libdnsapi.dns.names import is_subdomain
from libdnsapi.runtime.clock import Clock
from libdnsapi.runtime.errors import describe
from libdnsapi.runtime.leader import LeadershipLostError
from route53_controller.aws.api import HostedZone, Priority
from route53_controller.aws.errors import AwsError
from route53_controller.identity.snapshot import Check, Discovery, Snapshot

HOSTED_ZONES_LIMIT = 500

log = structlog.get_logger(__name__)


class IdentityClient(Protocol):
    """What the check calls."""

    async def caller_account(self) -> str:
        """Return the account id of the credentials."""
        ...

    async def list_hosted_zones(
        self,
        *,
        limit: int,
        priority: Priority = Priority.DRIFT,
        matching: Callable[[HostedZone], bool] | None = None,
    ) -> tuple[HostedZone, ...]:
        """Return hosted zones, at most `limit` + 1 that match."""
        ...


class IdentityClients(Protocol):
    """What the check asks of `accounts.Accounts`."""

    def route53(self, identity: Route53Identity) -> IdentityClient:
        """Return clients that act as this identity."""
        ...


@dataclass(frozen=True, slots=True)
class Observer:
    """Makes live checks."""

    clients: IdentityClients
    clock: Clock

    async def check(self, snapshot: Snapshot) -> Check:
        """Check the credentials of an identity now.

        Raises LeadershipLostError: who may not ask any more has nothing to say. But for cancellation nothing else.
        """
        identity, account, discovery = snapshot.identity, "", None
        error, unforeseen = snapshot.source_error, False
        try:
            if error is None:
                client = self.clients.route53(identity)
                account = await client.caller_account()
                if account == identity.spec.account_id:
                    discovery = await self._discover(client, identity)
        except AwsError as failure:
            error = failure
        except LeadershipLostError:
            raise
        except Exception as failure:
            unforeseen = True
            log.error("credential check failed", error=describe(failure))  # noqa: TRY400 — its text may hold secrets
        return Check(
            generation=identity.metadata.generation,
            source=snapshot.source,
            finished_at=self.clock.now(),
            account=account,
            error=error,
            unforeseen=unforeseen,
            discovery=discovery,
        )

    async def _discover(self, client: IdentityClient, identity: Route53Identity) -> Discovery | None:
        wanted = identity.spec.zone_discovery
        if wanted is None or not wanted.enabled:
            return None
        try:
            found = await client.list_hosted_zones(limit=HOSTED_ZONES_LIMIT, matching=_wanted(wanted.domains or ()))
        except AwsError as error:
            return Discovery(error=error)
        zones = sorted(found[:HOSTED_ZONES_LIMIT], key=lambda zone: (zone.name, zone.id))
        return Discovery(
            tuple(
                DiscoveredHostedZone(id=zone.id, name=zone.name, record_set_count=zone.record_set_count)
                for zone in zones
            ),
            truncated=len(found) > HOSTED_ZONES_LIMIT,
        )


def _wanted(domains: tuple[str, ...]) -> Callable[[HostedZone], bool]:
    """Return whether a hosted zone is public and its domain in one of these, as a function; none stand for all."""
    suffixes = tuple(domain.lower().strip(".") for domain in domains)

    def matches(zone: HostedZone) -> bool:
        below = (is_subdomain(zone.name, suffix) for suffix in suffixes)
        return not zone.private and (not suffixes or any(below))

    return matches
