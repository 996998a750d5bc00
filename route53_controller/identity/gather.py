"""Gathers an identity's snapshot from the caches, and remembers the live checks of this process."""

from collections.abc import MutableMapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.route53.identity import Route53Identity
from libdnsapi.runtime.clock import Clock
from libdnsapi.runtime.store import Lister
from route53_controller.aws.credentials import CredentialSource
from route53_controller.aws.errors import AwsError
from route53_controller.identity.snapshot import Check, Intervals, Policy, Snapshot


class CredentialSources(Protocol):
    """What gathering asks of `accounts.Accounts`."""

    def source(self, identity: Route53Identity) -> CredentialSource:
        """Return where an identity's credentials come from; raises AwsError where there are none."""
        ...

    def partition(self, region: str) -> str | None:
        """Return the AWS partition of a region, None where there is none."""
        ...


class ReadableSecrets(Protocol):
    """What gathering asks of `secrets.Secrets`."""

    def readable(self, namespace: str) -> bool:
        """Whether the settings let Secrets of this namespace be read."""
        ...

    def complete(self, namespace: str) -> bool:
        """Whether all Secrets of this namespace have been seen."""
        ...


@dataclass(frozen=True, slots=True)
class Gatherer:
    """Reads caches and settings; calls nobody."""

    identities: Lister[Route53Identity]
    sources: CredentialSources
    secrets: ReadableSecrets
    clock: Clock
    policy: Policy = field(default_factory=Policy)
    intervals: Intervals = field(default_factory=Intervals)
    patience: timedelta = timedelta(seconds=30)
    """How long after the start an incomplete cache of Secrets is waited for."""
    checks: MutableMapping[ObjectKey, tuple[str, Check]] = field(default_factory=dict)
    """The last check by identity, with the uid that it was made for."""
    started_at: datetime | None = None

    def snapshot(self, key: ObjectKey) -> Snapshot | None:
        """Return all that bears on an identity, None where it is gone."""
        identity = self.identities.get(key)
        if identity is None:
            self.checks.pop(key, None)
            return None
        source, source_error = self._source(identity)
        uid, last = self.checks.get(key, ("", None))
        return Snapshot(
            identity=identity,
            now=self.clock.now(),
            partition=self.sources.partition(identity.spec.region),
            source=source,
            source_error=source_error,
            secrets_readable=self.secrets.readable(key.namespace),
            policy=self.policy,
            intervals=self.intervals,
            last=last if uid == identity.metadata.uid else None,
        )

    def must_wait(self, snapshot: Snapshot) -> bool:
        """Whether a missing Secret may only be one that has not been seen yet, soon after the start."""
        if snapshot.source is not None or not snapshot.secrets_readable or self.started_at is None:
            return False
        young = snapshot.now - self.started_at < self.patience
        return young and not self.secrets.complete(snapshot.identity.metadata.namespace)

    def remember(self, identity: Route53Identity, check: Check) -> None:
        """Keep a live check until the next one."""
        self.checks[identity.key] = (identity.metadata.uid, check)

    def doubt(self, key: ObjectKey) -> None:
        """Forget the last live check: a call has shown something else since."""
        self.checks.pop(key, None)

    def _source(self, identity: Route53Identity) -> tuple[CredentialSource | None, AwsError | None]:
        try:
            return self.sources.source(identity), None
        except AwsError as error:
            return None, error
