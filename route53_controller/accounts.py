"""From a Route53Identity to clients that act as it: the registry that both controllers share.

One connection a distinct credential source, one request budget an AWS account. A changed Secret or spec takes effect
with the next call; what was used before closes when nobody uses it any more.
"""

import random as system_random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.route53.identity import Route53Identity
from libdnsapi.runtime.backoff import Random
from libdnsapi.runtime.clock import Clock
from route53_controller.aws.client import Account, AwsClient, Permit, always
from route53_controller.aws.connection import Connections
from route53_controller.aws.credentials import CredentialSource, StaticKeys, credential_source
from route53_controller.aws.errors import AwsError, AwsFailure
from route53_controller.aws.metrics import AwsMetrics, BudgetGauges, Meter
from route53_controller.aws.throttle import Budget, Limits
from route53_controller.secrets import Secrets, static_keys


@dataclass(frozen=True, slots=True)
class _Remembered:
    """The last keys that an identity's Secret held; the uid tells a later identity of the same name apart."""

    uid: str
    secret_name: str
    keys: StaticKeys


class Accounts:
    """Clients by identity; used from one event loop."""

    def __init__(  # noqa: PLR0913 — independent parts by keyword
        self,
        *,
        connections: Connections,
        secrets: Secrets,
        limits: Limits,
        metrics: AwsMetrics,
        clock: Clock,
        random: Random = system_random.random,
        permit: Permit = always,
    ) -> None:
        """Start with no clients; `permit` is asked before every call to Route 53."""
        self._connections = connections
        self._secrets = secrets
        self._limits = limits
        self._metrics = metrics
        self._clock = clock
        self._random = random
        self._permit = permit
        self._on_mismatch: Callable[[ObjectKey], None] = _ignored
        self._budgets: dict[str, Budget] = {}
        self._remembered: dict[ObjectKey, _Remembered] = {}

    def route53(self, identity: Route53Identity, *, cleanup: bool = False) -> AwsClient:
        """Return an `aws.api.Route53` (and `Sts`) that acts as this identity; nothing is called yet.

        Raises AwsError CREDENTIALS_UNAVAILABLE where its Secret has no usable keys. With `cleanup` the last good
        keys do where the Secret is gone: in a namespace that is being deleted it may go first (beyond-the-seeds 11).
        """
        source = self.source(identity, cleanup=cleanup)
        alias = str(identity.key)
        account = Account(
            identity.spec.account_id,
            self._budget(identity.spec.account_id, alias),
            Meter(self._metrics, alias),
            self._permit,
            partial(self._on_mismatch, identity.key),
        )
        return AwsClient(self._connections.of(identity.key, source), account, self._clock, self._random)

    def tell_mismatches(self, listener: Callable[[ObjectKey], None]) -> None:
        """Have a listener told of identities whose credentials a call found to belong to another account."""
        self._on_mismatch = listener

    def source(self, identity: Route53Identity, *, cleanup: bool = False) -> CredentialSource:
        """Return the credential source of an identity as it is now; raises as `route53` does."""
        reference = identity.spec.credentials.secret_ref
        if reference is None:
            return credential_source(identity, None)
        return credential_source(identity, self._keys(identity, reference.name, cleanup=cleanup))

    def partition(self, region: str) -> str | None:
        """Return the AWS partition of a region, None where AWS has no such region."""
        return self._connections.partition(region)

    def release(self, identity: ObjectKey) -> None:
        """Forget an identity that is gone."""
        self._remembered.pop(identity, None)
        self._connections.release(identity)

    async def aclose(self) -> None:
        """Close all clients, each when its last call is done."""
        await self._connections.aclose()

    def _keys(self, identity: Route53Identity, secret_name: str, *, cleanup: bool) -> StaticKeys:
        secret = self._secrets.get(ObjectKey(identity.metadata.namespace, secret_name))
        if secret is not None:
            keys = static_keys(secret)
            self._remembered[identity.key] = _Remembered(identity.metadata.uid, secret_name, keys)
            return keys
        last = self._remembered.get(identity.key)
        if cleanup and last is not None and (last.uid, last.secret_name) == (identity.metadata.uid, secret_name):
            return last.keys
        raise AwsError(AwsFailure.CREDENTIALS_UNAVAILABLE, _missing(secret_name, cleanup=cleanup))

    def _budget(self, account_id: str, alias: str) -> Budget:
        if account_id not in self._budgets:
            self._budgets[account_id] = Budget(self._limits, self._clock, BudgetGauges(self._metrics, alias))
        return self._budgets[account_id]


def _ignored(_: ObjectKey) -> None:
    """Tell nobody."""


def _missing(secret_name: str, *, cleanup: bool) -> str:
    if not cleanup:
        return f"the Secret {secret_name} does not exist, or may not be read in this namespace"
    return (
        f"the Secret {secret_name} is gone and cleanup at AWS is still owed: create it again, or clean up by hand and "
        "then remove our finalizers"
    )
