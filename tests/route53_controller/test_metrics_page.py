from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from route53_controller.aws.metrics import AwsMetrics
from route53_controller.zoneunit.metrics import ZoneMetrics

PAGE = Path(__file__).parents[2] / "docs/reference/route53-metrics.md"


@pytest.mark.spec("R53-EV-004")
def test_the_page_names_every_metric_of_the_controller() -> None:
    registry = CollectorRegistry()
    AwsMetrics(registry)
    ZoneMetrics(registry)
    page = PAGE.read_text()
    names = {f"{family.name}_total" if family.type == "counter" else family.name for family in registry.collect()}
    assert {name for name in names if f"`{name}`" not in page} == set()
