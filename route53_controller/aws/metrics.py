"""What is counted about AWS: calls by action, identity and outcome, and the request budgets.

Identities and budgets are named `namespace/name` after a Route53Identity, never by account id.
"""

from collections.abc import Callable
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from route53_controller.aws.api import Priority
from route53_controller.aws.errors import AwsFailure

CALL_SECONDS = (0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20)
WAIT_SECONDS = (0.01, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
SUCCESS = "Success"
LIMITED = ("CreateHostedZone", "ChangeResourceRecordSets")
"""What meets quotas of an account."""


class AwsMetrics:
    """The metrics of all identities and budgets in one registry."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        """Register everything, in a registry of its own unless one is given."""
        registry = registry or CollectorRegistry()
        self.calls = Counter(
            "route53_api_calls",
            "Calls to Route 53 and STS by action, identity (namespace/name) and outcome: Success or a kind of failure.",
            ("action", "identity", "outcome"),
            registry=registry,
        )
        self.call_seconds = Histogram(
            "route53_api_call_duration_seconds",
            "Time until AWS answered, waiting for the budget left out.",
            ("action",),
            buckets=CALL_SECONDS,
            registry=registry,
        )
        self.budget_tokens = Gauge(
            "route53_budget_tokens",
            "Requests that could be sent at once; the budget is named after the first identity of its account.",
            ("budget",),
            registry=registry,
        )
        self.budget_share = Gauge(
            "route53_budget_rate_share",
            "Part of the configured request rate in use: 1, less after throttling.",
            ("budget",),
            registry=registry,
        )
        self.budget_wait_seconds = Histogram(
            "route53_budget_wait_seconds",
            "Time that requests waited for the budget.",
            ("budget", "priority"),
            buckets=WAIT_SECONDS,
            registry=registry,
        )
        self.connections = Gauge("route53_connections", "Distinct credentials with open clients.", registry=registry)


@dataclass(frozen=True, slots=True)
class BudgetGauges:
    """The metrics of one budget."""

    metrics: AwsMetrics
    budget: str

    def watch(self, tokens: Callable[[], float]) -> None:
        """Show the tokens as they are when somebody looks, and the full rate."""
        self.metrics.budget_tokens.labels(self.budget).set_function(tokens)
        self.share(1.0)

    def share(self, share: float) -> None:
        """Show which part of the configured rate is in use."""
        self.metrics.budget_share.labels(self.budget).set(share)

    def waited(self, priority: Priority, seconds: float) -> None:
        """Count a wait."""
        self.metrics.budget_wait_seconds.labels(self.budget, priority.name.lower()).observe(seconds)


@dataclass(frozen=True, slots=True)
class Meter:
    """The metrics of one identity's calls."""

    metrics: AwsMetrics
    identity: str

    def __post_init__(self) -> None:
        """Show that no quota was met yet: a counter that is born with its first event has not increased, for alerts."""
        for action in LIMITED:
            self.metrics.calls.labels(action, self.identity, AwsFailure.LIMIT_EXCEEDED)

    def called(self, action: str, outcome: str, seconds: float) -> None:
        """Count one call that was answered, or failed, after so many seconds."""
        self.metrics.calls.labels(action, self.identity, outcome).inc()
        self.metrics.call_seconds.labels(action).observe(seconds)
