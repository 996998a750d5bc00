"""A health check: enough of one that record sets can refer to it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """A health check and its configuration as named texts, in the order they came."""

    id: str
    account_id: str
    caller_reference: str
    config: tuple[tuple[str, str], ...]
