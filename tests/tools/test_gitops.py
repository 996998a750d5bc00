"""The health checks for Argo CD and Flux, run: the Lua by an interpreter of Lua, the CEL by our own."""

from collections.abc import Callable
from typing import Any

import pytest

from libdnsapi.contract.cel.engine import CelFailure, CelProblem, Environment
from libdnsapi.contract.cel.interpreter import InterpretingEngine
from tools.gitops import KINDS, Checked, expressions, lua

ZONE = next(kind for kind in KINDS if kind.kind == "Zone")
IDENTITY = next(kind for kind in KINDS if kind.kind == "Route53Identity")

Conditions = dict[str, tuple[str, str]]
ACCEPTED, PROGRAMMED = ("True", "Accepted"), ("True", "Programmed")
HEALTH: list[tuple[str, Conditions, int, str]] = [
    ("nobody has looked at it", {}, 1, "Progressing"),
    ("it is accepted alone", {"Accepted": ACCEPTED}, 1, "Progressing"),
    ("all is done", {"Accepted": ACCEPTED, "Programmed": PROGRAMMED}, 1, "Healthy"),
    ("it was done before an edit", {"Accepted": ACCEPTED, "Programmed": PROGRAMMED}, 2, "Progressing"),
    (
        "it is denied",
        {"Accepted": ("False", "DeniedByPolicy"), "Programmed": ("Unknown", "Reconciling")},
        1,
        "Degraded",
    ),
    ("its denial is old", {"Accepted": ("False", "DeniedByPolicy")}, 2, "Progressing"),
    ("AWS is at it", {"Accepted": ACCEPTED, "Programmed": ("False", "ProviderChangePending")}, 1, "Progressing"),
    ("a stranger is in the way", {"Accepted": ACCEPTED, "Programmed": ("False", "ProviderConflict")}, 1, "Degraded"),
    ("its class is to come", {"Accepted": ("Unknown", "ZoneClassNotResolved")}, 1, "Progressing"),
]
"""What is the case, the conditions at generation 1, the generation, the health."""
NAMES = [row[0] for row in HEALTH]
ROWS = [row[1:] for row in HEALTH]


def subject(conditions: Conditions, generation: int) -> dict[str, Any]:
    listed = [
        {"type": kind, "status": status, "reason": reason, "message": "as it is", "observedGeneration": 1}
        for kind, (status, reason) in conditions.items()
    ]
    return {"metadata": {"generation": generation}, "spec": {}, "status": {"conditions": listed} if listed else {}}


def by_flux(checked: Checked, found: dict[str, Any]) -> str:
    """Return what Flux makes of it: the first of its three expressions that holds."""
    for name, health in (("inProgress", "Progressing"), ("failed", "Degraded"), ("current", "Healthy")):
        program = InterpretingEngine().compile(expressions(checked)[name], Environment(("metadata", "status")))
        assert not isinstance(program, CelProblem), program
        answer = program.evaluate({"metadata": found["metadata"], "status": found["status"]})
        assert not isinstance(answer, CelFailure), answer
        if answer.value is True:
            return health
    return "none"


def by_argocd(checked: Checked, found: dict[str, Any]) -> str:
    """Return what Argo CD shows."""
    lupa = pytest.importorskip("lupa", reason="an interpreter of Lua is not installed")
    runtime = lupa.LuaRuntime()
    check = runtime.eval(f"function(obj) {lua(checked)} end")
    return str(check(runtime.table_from(found, recursive=True))["status"])


@pytest.mark.parametrize(("conditions", "generation", "health"), ROWS, ids=NAMES)
def test_flux_sees_the_health_of_a_zone(conditions: Conditions, generation: int, health: str) -> None:
    assert by_flux(ZONE, subject(conditions, generation)) == health


@pytest.mark.parametrize(("conditions", "generation", "health"), ROWS, ids=NAMES)
def test_argocd_sees_the_health_of_a_zone(conditions: Conditions, generation: int, health: str) -> None:
    assert by_argocd(ZONE, subject(conditions, generation)) == health


def test_argocd_shows_what_is_paused_and_what_goes() -> None:
    paused, leaving = subject({}, 1), subject({}, 1)
    paused["metadata"]["annotations"] = {"dns.appthrust.io/paused": "true"}
    leaving["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"

    assert by_argocd(ZONE, paused) == "Suspended"
    assert by_argocd(ZONE, leaving) == "Progressing"


@pytest.mark.parametrize("ask", [by_flux, by_argocd])
def test_identities_are_healthy_when_their_credentials_work(ask: Callable[[Checked, dict[str, Any]], str]) -> None:
    works: Conditions = {"Accepted": ("True", "Accepted"), "Ready": ("True", "Ready")}
    denied: Conditions = {"Accepted": ("True", "Accepted"), "Ready": ("False", "AssumeRoleFailed")}

    assert ask(IDENTITY, subject(works, 1)) == "Healthy"
    assert ask(IDENTITY, subject(denied, 1)) == "Degraded"
