"""The alerts, asked of Prometheus itself: each fires when it should, and only then."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from e2e.kube import load_documents
from e2e.pages import commands, words
from e2e.promtool import find_promtool
from tests.charts.alerts import ABSENT, CASES, HERE, Case, Series, of_component, others_of
from tests.charts.conftest import ALERTS_ON, CHART, Render, rules_file

ROOT = CHART.parents[1]
GROUPS = yaml.safe_load((CHART / "files" / "alerts.yaml").read_text())["groups"]
ALERTS: dict[str, dict[str, Any]] = {rule["alert"]: rule for group in GROUPS for rule in group["rules"]}


def promtool(*arguments: str) -> str:
    """Return what promtool says where it is not content, else nothing."""
    command = [str(find_promtool()), *arguments]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 — our own command
    return "" if answer.returncode == 0 else answer.stdout + answer.stderr


def question(name: str, case: Case, series: Series, fires: bool) -> dict[str, Any]:
    """Return one test in promtool's form."""
    alert = ALERTS[name]
    annotations = {"summary": case.summary, "runbook_url": f"docs/runbooks/{name}.md"}
    expected = {"exp_labels": {**alert["labels"], **case.labels}, "exp_annotations": annotations}
    asked = {"alertname": name, "eval_time": f"{case.minute}m", "exp_alerts": [expected] if fires else []}
    listed = [{"series": one, "values": values} for one, values in series.items()]
    return {"interval": "1m", "input_series": listed, "alert_rule_test": [asked]}


def answered(rules: Path, folder: Path, *tests: dict[str, Any]) -> str:
    """Return what promtool has against the tests."""
    file = folder / "test.yaml"
    file.write_text(json.dumps({"rule_files": [str(rules)], "tests": list(tests)}))
    return promtool("test", "rules", str(file))


def test_every_alert_has_its_case() -> None:
    assert CASES.keys() == ALERTS.keys()


def test_the_rules_are_in_the_form_that_prometheus_takes(all_rules: Path) -> None:
    assert promtool("check", "rules", "--lint-fatal", str(all_rules)) == ""


@pytest.mark.parametrize("name", CASES)
def test_an_alert_fires_when_it_should(name: str, all_rules: Path, tmp_path: Path) -> None:
    case = CASES[name]

    assert answered(all_rules, tmp_path, question(name, case, case.fires, fires=True)) == ""


@pytest.mark.parametrize("name", CASES)
def test_an_alert_is_silent_when_all_is_well(name: str, all_rules: Path, tmp_path: Path) -> None:
    case = CASES[name]

    assert answered(all_rules, tmp_path, question(name, case, case.silent, fires=False)) == ""


def test_a_wrong_expectation_is_told(all_rules: Path, tmp_path: Path) -> None:
    case = CASES["DnsapiNoLeader"]

    assert "exp" in answered(all_rules, tmp_path, question("DnsapiNoLeader", case, case.silent, fires=True))
    assert "exp" in answered(all_rules, tmp_path, question("DnsapiNoLeader", case, case.fires, fires=False))


@pytest.mark.parametrize("component", ABSENT)
def test_a_component_that_never_started_or_has_gone_is_told(component: str, all_rules: Path, tmp_path: Path) -> None:
    name = f"Dnsapi{component.title()}Absent"
    gone = {**others_of(component), **of_component(component, "1x4 stale")}
    tests = [question(name, CASES[name], series, fires=True) for series in ({}, others_of(component), gone)]

    assert answered(all_rules, tmp_path, *tests) == ""


@pytest.mark.parametrize("component", ABSENT)
def test_a_component_that_is_away_for_a_short_time_is_not_told(component: str, all_rules: Path, tmp_path: Path) -> None:
    name = f"Dnsapi{component.title()}Absent"
    away = {**others_of(component), **of_component(component, "1x6 stale _x9")}

    assert answered(all_rules, tmp_path, question(name, CASES[name], away, fires=False)) == ""


def test_a_zone_stays_paused_though_another_pod_leads_meanwhile(all_rules: Path, tmp_path: Path) -> None:
    name, case = "DnsapiZonePaused", CASES["DnsapiZonePaused"]
    old, new = (f'route53_zone_paused{{{HERE},pod="{pod}",zone="team/example"}}' for pod in "ab")
    handed_over = {old: "1x300 stale", new: "_x302 1x500"}

    assert answered(all_rules, tmp_path, question(name, case, handed_over, fires=True)) == ""


@pytest.mark.parametrize("component", ABSENT)
def test_a_component_that_is_switched_off_is_missed_by_nobody(component: str, render: Render, tmp_path: Path) -> None:
    switches = {one: {"enabled": one != component} for one in ABSENT}
    rules = rules_file(render({**ALERTS_ON, **switches}), tmp_path)
    tests = [
        question(name, CASES[name], {}, fires=one != component)
        for one in ABSENT
        for name in (f"Dnsapi{one.title()}Absent",)
    ]

    assert answered(rules, tmp_path, *tests) == ""


def test_rules_without_the_prometheus_operator_are_had_as_the_page_tells(helm: Path, tmp_path: Path) -> None:
    (line,) = (one for one in commands(ROOT / "docs" / "how-to" / "monitor.md") if one.startswith("helm template"))
    (tmp_path / "charts").symlink_to(ROOT / "charts")
    (tmp_path / "values.yaml").write_text("route53: {enabled: false}")
    answer = subprocess.run(  # noqa: S603 — a line of our own page
        [str(helm), *words(line)[1:]], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    rules = rules_file(load_documents(answer.stdout), tmp_path)

    assert promtool("check", "rules", "--lint-fatal", str(rules)) == ""
    assert "DnsapiCoreAbsent" in rules.read_text()
    assert "Route53" not in rules.read_text()
