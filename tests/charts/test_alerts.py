"""The alerts, asked of Prometheus itself: each fires when it should, and only then."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from e2e.promtool import find_promtool
from tests.charts.alerts import CASES, Case, Series
from tests.charts.conftest import CHART

RULES = CHART / "files" / "alerts.yaml"
ALERTS: dict[str, dict[str, Any]] = {
    rule["alert"]: rule for group in yaml.safe_load(RULES.read_text())["groups"] for rule in group["rules"]
}


def promtool(*arguments: str) -> str:
    """Return what promtool says where it is not content, else nothing."""
    command = [str(find_promtool()), *arguments]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 — our own command
    return "" if answer.returncode == 0 else answer.stdout + answer.stderr


def question(name: str, case: Case, series: Series, fires: bool) -> dict[str, Any]:
    """Return one test in promtool's form."""
    alert = ALERTS[name]
    annotations = {"summary": case.summary, "runbook_url": alert["annotations"]["runbook_url"]}
    expected = {"exp_labels": {**alert["labels"], **case.labels}, "exp_annotations": annotations}
    asked = {"alertname": name, "eval_time": f"{case.minute}m", "exp_alerts": [expected] if fires else []}
    listed = [{"series": one, "values": values} for one, values in series.items()]
    return {"interval": "1m", "input_series": listed, "alert_rule_test": [asked]}


def answered(folder: Path, *tests: dict[str, Any]) -> str:
    """Return what promtool has against the tests."""
    file = folder / "test.yaml"
    file.write_text(json.dumps({"rule_files": [str(RULES)], "tests": list(tests)}))
    return promtool("test", "rules", str(file))


def test_every_alert_has_its_case() -> None:
    assert CASES.keys() == ALERTS.keys()


def test_the_rules_are_in_the_form_that_prometheus_takes() -> None:
    assert promtool("check", "rules", "--lint-fatal", str(RULES)) == ""


@pytest.mark.parametrize("name", CASES)
def test_an_alert_fires_when_it_should(name: str, tmp_path: Path) -> None:
    case = CASES[name]

    assert answered(tmp_path, question(name, case, case.fires, fires=True)) == ""


@pytest.mark.parametrize("name", CASES)
def test_an_alert_is_silent_when_all_is_well(name: str, tmp_path: Path) -> None:
    case = CASES[name]

    assert answered(tmp_path, question(name, case, case.silent, fires=False)) == ""


def test_a_wrong_expectation_is_told(tmp_path: Path) -> None:
    case = CASES["DnsapiNoLeader"]

    assert "exp" in answered(tmp_path, question("DnsapiNoLeader", case, case.silent, fires=True))
    assert "exp" in answered(tmp_path, question("DnsapiNoLeader", case, case.fires, fires=False))
