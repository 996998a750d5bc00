import pytest
from prometheus_client import CollectorRegistry, generate_latest

from libdnsapi.runtime.metrics import Metrics
from route53_controller.aws.metrics import AwsMetrics
from route53_controller.zoneunit.metrics import ZoneMetrics
from tools.metrics import SECTIONS, names, page, rows


def test_the_page_names_every_metric_once() -> None:
    listed = [row.name for register in SECTIONS.values() for row in rows(register)]

    assert len(listed) == len(set(listed))
    assert all(f"| `{name}` |" in page() for name in listed)


@pytest.mark.spec("R53-EV-004")
def test_the_page_names_every_metric_of_the_route53_controller() -> None:
    registry = CollectorRegistry()
    AwsMetrics(registry)
    ZoneMetrics(registry)
    served = {f"{family.name}_total" if family.type == "counter" else family.name for family in registry.collect()}

    assert {name for name in served if f"| `{name}` |" not in page()} == set()


def test_names_are_those_that_are_served() -> None:
    served = Metrics()
    served.requests.labels("200", "GET").inc()
    served.request_seconds.labels("GET").observe(0.1)
    lines = generate_latest(served.registry).decode().splitlines()
    samples = {line.partition("{")[0] for line in lines if line.startswith("rest_client")}

    assert {name for name in samples if not name.endswith("_created")} <= names()


def test_labels_carry_no_account_ids() -> None:
    labels = {label for register in SECTIONS.values() for row in rows(register) for label in row.labels}

    assert not {label for label in labels if "account" in label or "arn" in label}
