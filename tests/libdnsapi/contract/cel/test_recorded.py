"""Over a thousand expressions with the results of the Kubernetes CEL environment: ours never gives another value."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from libdnsapi.contract.cel import default_engine
from libdnsapi.contract.cel.engine import CelProblem, CelValue, Environment

RECORDED: dict[str, Any] = json.loads((Path(__file__).parents[1] / "cases" / "cel-go.json").read_text())
NARROWER_AT_MOST = 7


def outcome(expression: str) -> CelValue | None:
    """Return the value, or None where the expression is refused or fails."""
    program = default_engine().compile(expression, Environment(("self",)))
    found = None if isinstance(program, CelProblem) else program.evaluate({"self": RECORDED["self"]})
    return found if isinstance(found, CelValue) else None


def same(left: JsonValue, right: JsonValue) -> bool:
    return left == right and isinstance(left, bool) == isinstance(right, bool)


def test_what_gives_a_value_in_kubernetes_gives_that_value_here() -> None:
    wrong = []
    for case in RECORDED["cases"]:
        if "error" in case or "narrower" in case:
            continue
        found = outcome(case["expression"])
        if found is None or not same(found.value, case["value"]):
            wrong.append((case, found))

    assert wrong == []


def test_what_fails_in_kubernetes_fails_here() -> None:
    assert [c["expression"] for c in RECORDED["cases"] if "error" in c and outcome(c["expression"]) is not None] == []


@pytest.mark.spec("PC-AD-012")
def test_what_kubernetes_takes_and_we_do_not_is_known_and_fails_openly() -> None:
    narrower = [case["expression"] for case in RECORDED["cases"] if "narrower" in case]

    assert len(narrower) <= NARROWER_AT_MOST
    assert [expression for expression in narrower if outcome(expression) is not None] == []
