"""What is counted about calls of AWS."""

import pytest
from prometheus_client import CollectorRegistry

from route53_controller.aws.metrics import LIMITED, AwsMetrics, Meter

CALLS = "route53_api_calls_total"


@pytest.mark.parametrize("action", LIMITED)
def test_met_quotas_are_counted_from_nought_so_that_alerts_see_the_first(action: str) -> None:
    registry = CollectorRegistry()
    meter = Meter(AwsMetrics(registry), "team/main")
    labels = {"action": action, "identity": "team/main", "outcome": "LimitExceeded"}
    before = registry.get_sample_value(CALLS, labels)
    meter.called(action, "LimitExceeded", 0.1)

    assert (before, registry.get_sample_value(CALLS, labels)) == (0, 1)
