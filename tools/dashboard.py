"""`python -m tools.dashboard [--check]`: the Grafana dashboard of the chart, from a table of rows and panels.

Every expression uses metrics of `tools.metrics` alone; a test holds it to that. `$ns` is the namespace of the release,
`$identity` an identity of the Route 53 controller.
"""

import json
import sys
from dataclasses import dataclass
from typing import Literal

from libdnsapi.api.meta import JsonObject
from tools.generated import ROOT, run

FILE = ROOT / "charts" / "dnsapi" / "dashboards" / "dnsapi.json"
SOURCE: JsonObject = {"type": "prometheus", "uid": "${source}"}
WIDTH, HEIGHT = 24, 8

Unit = Literal["short", "s", "reqps", "percentunit", "d", "ops"]


@dataclass(frozen=True, slots=True)
class Panel:
    """One graph: what it shows, its unit, and its queries by legend."""

    title: str
    unit: Unit
    queries: dict[str, str]
    about: str = ""
    kind: Literal["timeseries", "stat"] = "timeseries"


def _quantile(share: float, metric: str, by: str, selector: str = "") -> str:
    chosen = ",".join(filter(None, ('namespace=~"$ns"', selector)))
    return f"histogram_quantile({share:g}, sum by ({by}, le) (rate({metric}_bucket{{{chosen}}}[$__rate_interval])))"


def _rate(metric: str, by: str, selector: str = "") -> str:
    chosen = ",".join(filter(None, ('namespace=~"$ns"', selector)))
    return f"sum by ({by}) (rate({metric}{{{chosen}}}[$__rate_interval]))"


IDENTITY = 'identity=~"$identity"'

ROWS: dict[str, list[Panel]] = {
    "Is it well?": [
        Panel(
            "Leaders",
            "short",
            {"{{name}}": 'sum by (name) (leader_election_master_status{namespace=~"$ns"})'},
            "One for each controller; 0: nothing is reconciled.",
            "stat",
        ),
        Panel(
            "Oldest sign of life of a watch",
            "s",
            {"{{resource}}": 'max by (resource) (dnsapi_informer_last_event_age_seconds{namespace=~"$ns"})'},
            "Bookmarks come about once a minute.",
        ),
        Panel(
            "Certificate of the webhook",
            "d",
            {"days left": 'min(dnsapi_webhook_certificate_days_left{namespace=~"$ns"})'},
            kind="stat",
        ),
        Panel(
            "Objects in memory",
            "short",
            {"{{resource}}": 'max by (resource) (dnsapi_informer_objects{namespace=~"$ns"})'},
        ),
    ],
    "Work": [
        Panel(
            "Reconciles",
            "ops",
            {"{{controller}} {{result}}": _rate("controller_runtime_reconcile_total", "controller, result")},
        ),
        Panel(
            "Failed reconciles",
            "ops",
            {
                "{{controller}}": _rate("controller_runtime_reconcile_errors_total", "controller"),
                "{{controller}} until changed": _rate(
                    "controller_runtime_terminal_reconcile_errors_total", "controller"
                ),
            },
        ),
        Panel(
            "Time that changes wait (95 %)",
            "s",
            {"{{controller}}": _quantile(0.95, "workqueue_queue_duration_seconds", "controller")},
        ),
        Panel(
            "Keys that wait",
            "short",
            {"{{controller}}": 'max by (controller) (workqueue_depth{namespace=~"$ns"})'},
        ),
        Panel(
            "Time of a reconcile (95 %)",
            "s",
            {"{{controller}}": _quantile(0.95, "controller_runtime_reconcile_time_seconds", "controller")},
        ),
        Panel(
            "Oldest work in progress",
            "s",
            {"{{controller}}": 'max by (controller) (workqueue_longest_running_processor_seconds{namespace=~"$ns"})'},
        ),
    ],
    "Route 53": [
        Panel("Calls", "reqps", {"{{action}}": _rate("route53_api_calls_total", "action", IDENTITY)}),
        Panel(
            "Calls that did not succeed",
            "reqps",
            {
                "{{identity}} {{outcome}}": _rate(
                    "route53_api_calls_total", "identity, outcome", f'{IDENTITY},outcome!="Success"'
                )
            },
        ),
        Panel(
            "Time until AWS answers (95 %)",
            "s",
            {"{{action}}": _quantile(0.95, "route53_api_call_duration_seconds", "action")},
        ),
        Panel(
            "Wait for the request budget (95 %)",
            "s",
            {"{{budget}} {{priority}}": _quantile(0.95, "route53_budget_wait_seconds", "budget, priority")},
            "user: changes of people; verify: results of changes; drift: comparisons without a change.",
        ),
        Panel(
            "Share of the configured rate in use",
            "percentunit",
            {"{{budget}}": 'min by (budget) (route53_budget_rate_share{namespace=~"$ns"})'},
            "Less than 1 after throttling.",
        ),
        Panel(
            "Requests that could be sent at once",
            "short",
            {"{{budget}}": 'min by (budget) (route53_budget_tokens{namespace=~"$ns"})'},
        ),
    ],
    "Zones": [
        Panel(
            "Record sets by state",
            "short",
            {"{{state}}": 'sum by (state) (route53_zone_record_sets{namespace=~"$ns"})'},
        ),
        Panel(
            "Zones that are not programmed",
            "short",
            {"{{zone}}": 'min by (zone) (route53_zone_programmed{namespace=~"$ns"}) < 1'},
            "Nothing here is good news.",
        ),
        Panel(
            "Oldest change in flight",
            "s",
            {"{{zone}}": 'max by (zone) (route53_zone_pending_change_age_seconds{namespace=~"$ns"}) > 0'},
        ),
        Panel(
            "Refused record sets, zones with held deletions, paused zones",
            "short",
            {
                "{{zone}} refused": 'max by (zone) (route53_zone_isolated_record_sets{namespace=~"$ns"}) > 0',
                "{{zone}} held": 'max by (zone) (route53_zone_held_deletions{namespace=~"$ns"}) > 0',
                "{{zone}} paused": 'max by (zone) (route53_zone_paused{namespace=~"$ns"}) > 0',
            },
        ),
        Panel("Records that others changed", "ops", {"{{zone}}": _rate("route53_drift_total", "zone")}),
        Panel(
            "Elements of a batch (95 %)",
            "short",
            {
                "elements": "histogram_quantile(0.95, sum by (le) "
                '(rate(route53_change_batch_elements_bucket{namespace=~"$ns"}[$__rate_interval])))'
            },
        ),
    ],
    "Admission": [
        Panel("Reviews", "reqps", {"{{verdict}}": _rate("dnsapi_webhook_reviews_total", "verdict")}),
        Panel(
            "Time of a review (99 %)",
            "s",
            {"{{path}}": _quantile(0.99, "dnsapi_webhook_review_duration_seconds", "path")},
        ),
    ],
    "API server and Events": [
        Panel("Requests", "reqps", {"{{method}} {{code}}": _rate("rest_client_requests_total", "method, code")}),
        Panel(
            "Lists and watches that failed",
            "ops",
            {"{{resource}} {{reason}}": _rate("dnsapi_informer_failures_total", "resource, reason")},
        ),
        Panel("Events", "ops", {"{{outcome}}": _rate("dnsapi_events_total", "outcome")}),
    ],
    "Sources": [
        Panel(
            "RecordSets written",
            "ops",
            {
                "{{provider_resource}} {{action}}": _rate(
                    "dnsapi_sources_recordset_writes_total", "provider_resource, action"
                )
            },
        ),
        Panel(
            "What is not published as asked",
            "short",
            {
                "{{reason}} {{pipelines}}": 'max by (reason, pipelines) (dnsapi_sources_findings{namespace=~"$ns"})',
                "held": 'max(dnsapi_sources_held{namespace=~"$ns"})',
            },
        ),
        Panel(
            "RecordSets of a pipeline",
            "short",
            {"{{provider_resource}}": 'max by (provider_resource) (dnsapi_sources_records{namespace=~"$ns"})'},
        ),
    ],
}


def _graph(panel: Panel, number: int, left: int, top: int, width: int) -> JsonObject:
    targets: list[JsonObject] = [
        {"refId": chr(65 + index), "datasource": SOURCE, "expr": expression, "legendFormat": legend}
        for index, (legend, expression) in enumerate(panel.queries.items())
    ]
    return {
        "id": number,
        "type": panel.kind,
        "title": panel.title,
        "description": panel.about,
        "datasource": SOURCE,
        "gridPos": {"x": left, "y": top, "w": width, "h": HEIGHT},
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "targets": [*targets],
    }


def _row(title: str, number: int, top: int) -> JsonObject:
    return {
        "id": number,
        "type": "row",
        "title": title,
        "collapsed": False,
        "gridPos": {"x": 0, "y": top, "w": WIDTH, "h": 1},
        "panels": [],
    }


def _variable(name: str, label: str, query: str) -> JsonObject:
    return {
        "name": name,
        "label": label,
        "type": "query",
        "datasource": SOURCE,
        "query": query,
        "refresh": 2,
        "includeAll": True,
        "multi": True,
        "current": {"text": "All", "value": "$__all"},
    }


def dashboard() -> JsonObject:
    """Return the dashboard; panels stand three in a row below their title."""
    placed: list[JsonObject] = []
    top = 0
    for title, panels in ROWS.items():
        placed.append(_row(title, len(placed) + 1, top))
        top += 1
        columns = min(len(panels), 3)
        width = WIDTH // columns
        for index, panel in enumerate(panels):
            line, column = divmod(index, columns)
            placed.append(_graph(panel, len(placed) + 1, column * width, top + line * HEIGHT, width))
        top += HEIGHT * -(-len(panels) // columns)
    source: JsonObject = {"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"}
    variables = [
        source,
        _variable("ns", "Namespace", "label_values(leader_election_master_status, namespace)"),
        _variable("identity", "Identity", "label_values(route53_api_calls_total, identity)"),
    ]
    return {
        "uid": "dnsapi",
        "title": "dnsapi",
        "tags": ["dns", "kubernetes"],
        "timezone": "",
        "schemaVersion": 39,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {"list": [*variables]},
        "panels": [*placed],
    }


if __name__ == "__main__":
    sys.exit(run("tools.dashboard", {FILE: json.dumps(dashboard(), indent=2) + "\n"}))
