"""Identities for tests: a builder shows only what matters."""

from collections.abc import Mapping
from datetime import UTC, datetime

from libdnsapi.api.route53.identity import Route53Identity

ACCOUNT = "123456789012"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
ROLE = "arn:aws:iam::123456789012:role/dns"


def identity(
    *,
    spec: Mapping[str, object] | None = None,
    status: Mapping[str, object] | None = None,
    generation: int = 1,
) -> Route53Identity:
    """Return platform/main with a spec that is merged into a good one."""
    good = {"accountID": ACCOUNT, "region": "eu-central-1", "credentials": {"runtime": {}}}
    return Route53Identity.model_validate(
        {
            "apiVersion": "route53.dns.appthrust.io/v1alpha1",
            "kind": "Route53Identity",
            "metadata": {"namespace": "platform", "name": "main", "uid": "uid-1", "generation": generation},
            "spec": {**good, **(spec or {})},
            "status": status or {},
        }
    )
