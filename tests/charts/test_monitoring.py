"""Alerts and dashboard: they ask for metrics that the services have, and every alert has its page."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from tests.charts.conftest import ALERTS_ON, CHART, Render
from tests.charts.values import COMPONENTS, VALUES, named
from tools.metrics import names

RUNBOOKS = CHART.parents[1] / "docs" / "runbooks"
ALERTS: list[dict[str, Any]] = [
    rule for group in yaml.safe_load((CHART / "files" / "alerts.yaml").read_text())["groups"] for rule in group["rules"]
]
DASHBOARD: dict[str, Any] = json.loads((CHART / "dashboards" / "dnsapi.json").read_text())
WORDS = frozenset({"histogram_quantile", "label_values", "last_over_time"})
"""Functions whose names look like those of metrics."""
_METRIC = re.compile(r"\b[a-z][a-z0-9_]*_[a-z0-9_]+\b(?!\s*=)")


def asked(expression: str) -> set[str]:
    """Return what looks like the name of a metric in a query."""
    without_labels = re.sub(r"\{[^}]*\}|by \([^)]*\)|\[[^\]]*\]", "", expression)
    return set(_METRIC.findall(without_labels)) - WORDS


def queries() -> Iterator[str]:
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", []):
            yield target["expr"]
    for variable in DASHBOARD["templating"]["list"]:
        if variable["type"] == "query":
            yield variable["query"].rpartition(",")[0]


@pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: alert["alert"])
def test_an_alert_asks_for_metrics_that_are_served(alert: dict[str, Any]) -> None:
    assert asked(alert["expr"])
    assert asked(alert["expr"]) <= names()


@pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: alert["alert"])
def test_an_alert_says_what_is_the_case_and_where_its_page_is(alert: dict[str, Any]) -> None:
    name = alert["alert"]
    page = (RUNBOOKS / f"{name}.md").read_text()

    assert alert["annotations"]["runbook_url"] == f"RUNBOOKS/{name}.md"
    assert alert["labels"]["severity"] in {"warning", "critical"}
    assert page.startswith(f"# {name}\n")
    assert all(f"## {part}" in page for part in ("What it means", "What to do"))


def test_every_page_is_of_an_alert_and_listed() -> None:
    listed = (RUNBOOKS / "README.md").read_text()
    pages = {page.stem for page in RUNBOOKS.glob("Dnsapi*.md")}

    assert pages == {alert["alert"] for alert in ALERTS}
    assert all(f"({page}.md)" in listed for page in pages)


def test_the_dashboard_asks_for_metrics_that_are_served() -> None:
    for query in queries():
        assert asked(query), query
        assert asked(query) <= names(), query


def test_panels_of_the_dashboard_do_not_cover_each_other() -> None:
    places = [panel["gridPos"] for panel in DASHBOARD["panels"]]
    cells = [(x, y) for p in places for x in range(p["x"], p["x"] + p["w"]) for y in range(p["y"], p["y"] + p["h"])]

    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24


def test_the_rules_reach_the_prometheus_operator_with_links_to_the_pages(render: Render) -> None:
    documents = render(VALUES["everything set"])
    rule = named(documents, "PrometheusRule", "dnsapi")
    rendered = [alert for group in rule["spec"]["groups"] for alert in group["rules"]]

    assert [alert["expr"] for alert in rendered] == [
        alert["expr"].replace("NAMESPACE", "dns-system") for alert in ALERTS
    ]
    assert [alert["labels"] for alert in rendered] == [alert["labels"] for alert in ALERTS]
    assert rendered[0]["annotations"]["runbook_url"] == "https://x.test/r/DnsapiNoLeader.md"
    assert rule["metadata"]["labels"]["release"] == "prometheus"


@pytest.mark.parametrize("component", COMPONENTS)
def test_a_component_that_is_switched_off_has_no_rules(render: Render, component: str) -> None:
    switches = {one: {"enabled": one != component} for one in COMPONENTS}
    groups = named(render({**ALERTS_ON, **switches}), "PrometheusRule", "dnsapi")["spec"]["groups"]

    assert {group["name"] for group in groups} == {
        "dnsapi.controllers",
        *(f"dnsapi.{one}" for one in COMPONENTS if one != component),
    }


def test_the_dashboard_reaches_grafana_unchanged(render: Render) -> None:
    carried = named(render(VALUES["everything set"]), "ConfigMap", "dnsapi-dashboard")

    assert json.loads(carried["data"]["dnsapi.json"]) == DASHBOARD
    assert carried["metadata"]["labels"]["grafana_dashboard"] == "1"


def test_nothing_of_it_is_created_unless_asked_for(render: Render) -> None:
    kinds = {document["kind"] for document in render()}

    assert not kinds & {"PrometheusRule", "PodMonitor", "ConfigMap"}
