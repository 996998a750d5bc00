"""The adapter and its parts, in front of an emulator."""

from collections.abc import Awaitable
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

from e2e.route53.remote import Remote
from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime.clock import SystemClock
from route53_controller.aws.api import Change, ChangeAction, ResourceRecordSet
from route53_controller.aws.client import Account, AwsClient, Permit, always
from route53_controller.aws.connection import Connections
from route53_controller.aws.credentials import CredentialSource, RoleStep, StaticKeys
from route53_controller.aws.errors import AwsError
from route53_controller.aws.metrics import AwsMetrics, BudgetGauges, Meter
from route53_controller.aws.session import Sdk, Timeouts
from route53_controller.aws.throttle import Budget, Limits

ACCOUNT = "123456789012"
USER = ObjectKey("platform", "main")
KEYS = StaticKeys("AKIAIOSFODNN7EXAMPLE", "secret")
PATIENT = Timeouts(timedelta(seconds=60), timedelta(seconds=60), timedelta(seconds=60))
"""What nothing meets that an emulator answers, however busy the machine is."""
IMPATIENT = Timeouts(timedelta(seconds=60), timedelta(seconds=3), timedelta(seconds=60))
GENEROUS = Limits(1000, 1000)


class HastyClock(SystemClock):
    """The machine's clock, but pauses take a twentieth of what they should."""

    async def sleep(self, duration: timedelta) -> None:
        """Wait less."""
        await super().sleep(duration / 20)


@dataclass
class Adapter:
    """The adapter and its parts, for tests that look behind it."""

    remote: Remote
    metrics: AwsMetrics = field(default_factory=AwsMetrics)
    timeouts: Timeouts = PATIENT
    limits: Limits = GENEROUS

    def __post_init__(self) -> None:
        """Make sessions, but open nothing."""
        self.clock = HastyClock()
        self.sdk = Sdk(self.timeouts, self.clock)
        self.connections = Connections(self.sdk, self.metrics)
        self.budget = Budget(self.limits, self.clock, BudgetGauges(self.metrics, str(USER)))

    def client(
        self,
        keys: StaticKeys | None = KEYS,
        steps: tuple[RoleStep, ...] = (),
        *,
        account: str = ACCOUNT,
        user: ObjectKey = USER,
        permit: Permit = always,
    ) -> AwsClient:
        """Return a client of these credentials for an account."""
        source = CredentialSource("eu-central-1", keys, steps)
        connection = self.connections.of(user, source)
        return AwsClient(connection, Account(account, self.budget, Meter(self.metrics, str(user)), permit), self.clock)


def create(*records: ResourceRecordSet) -> list[Change]:
    """Return the changes that create these record sets."""
    return [Change(ChangeAction.CREATE, found) for found in records]


async def failure(call: Awaitable[object]) -> AwsError:
    """Return the error that a call ends with; one that succeeds fails the test."""
    with pytest.raises(AwsError) as caught:
        await call
    return caught.value
