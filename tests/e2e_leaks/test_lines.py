import json
from pathlib import Path

import pytest

from e2e.lines import problems, unfit
from e2e.stack.layout import Layout

ALWAYS = {"timestamp": "2026-01-01T00:00:00Z", "level": "info", "event": "leading"}
OF_RECONCILE = {"controller": "zoneunit", "key": "ns/zone", "reconcile_id": 7}


def test_lines_as_promised_are_fit() -> None:
    lines = [ALWAYS, ALWAYS | {"event": "object does not fit", "key": "ns/zone"}, ALWAYS | OF_RECONCILE]

    assert list(problems("\n".join(map(json.dumps, lines)))) == []


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("Traceback (most recent call last):", "no JSON: Traceback"),
        (json.dumps(ALWAYS | {"level": ""}), "without level"),
        (json.dumps({"event": "x"}), "without timestamp, level"),
        (json.dumps(ALWAYS | {"event": "reconcile failed"}), "without controller, key, reconcile_id"),
        (json.dumps(ALWAYS | {"controller": "zoneunit"}), "without key, reconcile_id"),
    ],
)
def test_what_is_missing_is_named(line: str, problem: str) -> None:
    (found,) = problems(line)

    assert found.startswith(problem)


def test_the_logs_of_all_services_and_replicas_are_read(tmp_path: Path) -> None:
    for name in ("core_controller-second", "webhook"):
        log = Layout(tmp_path).log(name)
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("oops\n")

    assert unfit(tmp_path) == ["core_controller-second.log: no JSON: oops", "webhook.log: no JSON: oops"]
