"""The 86 recorded expressions: what cel-go's Kubernetes environment says, and what we say."""

import json
from pathlib import Path
from typing import Any

import pytest

from libdnsapi.api.meta import JsonObject
from libdnsapi.contract.cel.engine import CelFailure, CelProblem, CelValue, Environment
from libdnsapi.contract.cel.interpreter import InterpretingEngine

RECORDED: dict[str, Any] = json.loads((Path(__file__).parents[1] / "cases" / "expressions.json").read_text())
SELF: JsonObject = RECORDED["self"]
CASES: list[dict[str, Any]] = RECORDED["cases"]
AGREE_AT_LEAST = 80


def outcome(expression: str) -> CelValue | CelFailure | CelProblem:
    program = InterpretingEngine().compile(expression, Environment(("self",)))
    return program if isinstance(program, CelProblem) else program.evaluate({"self": SELF})


def agrees(case: dict[str, Any]) -> bool:
    found = outcome(case["expression"])
    if not isinstance(found, CelValue):
        return bool(case.get("error"))
    return "value" in case and type(found.value) is type(case["value"]) and found.value == case["value"]


@pytest.mark.spec("PC-AD-012")
@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["expression"]))
def test_an_expression_agrees_or_is_refused_when_it_is_compiled(case: dict[str, Any]) -> None:
    assert agrees(case) or isinstance(outcome(case["expression"]), CelProblem)


def test_most_recorded_expressions_agree() -> None:
    assert len(CASES) == 86
    assert sum(map(agrees, CASES)) >= AGREE_AT_LEAST
