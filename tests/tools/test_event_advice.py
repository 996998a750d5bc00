"""Every reason that the code can give an Event or a pipeline has its line in the documentation, and no other has."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from core_controller.sources import standing
from tools.event_advice import PIPELINES, ROUTE53, SOURCES
from tools.reason_advice import Advice

ROOT = Path(__file__).parents[2]
REASON_AT = {"Finding": 0, "Hold": 0, "Notice": 2, "zone_notice": 1, "Event": 2, "tell": 1, "refuse": 2, "_for_all": 1}
"""The position of the reason in a call, by the name of what is called."""
DELETED = "PipelineDeleted"


def trees(package: str) -> list[ast.Module]:
    return [ast.parse(file.read_text()) for file in sorted((ROOT / package).rglob("*.py"))]


def constants(modules: list[ast.Module]) -> dict[str, str]:
    """Return the module-level texts by name."""
    return {
        target.id: node.value.value
        for module in modules
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def reasons(package: str) -> Iterator[str]:
    """Yield what stands where a reason stands, as far as it is a text or the name of one."""
    modules = trees(package)
    named = constants(modules)
    for node in (one for module in modules for one in ast.walk(module) if isinstance(one, ast.Call)):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        at = REASON_AT.get(called)
        if at is None or len(node.args) <= at:
            continue
        argument = node.args[at]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str) and argument.value[:1].isupper():
            yield argument.value
        if isinstance(argument, ast.Name) and argument.id in named:
            yield named[argument.id]


def test_every_reason_of_the_sources_is_explained() -> None:
    assert {*reasons("core_controller/sources"), DELETED} == set(SOURCES)


def test_every_notice_of_the_route53_controller_is_explained() -> None:
    assert set(reasons("route53_controller")) == set(ROUTE53)


def test_every_reason_of_a_pipeline_is_explained() -> None:
    assert set(PIPELINES) == {
        standing.PROVIDER_INITIALIZED,
        standing.ZONE_NOT_FOUND,
        standing.AUTH_FAILED,
        standing.INVALID_SPEC,
    }


@pytest.mark.parametrize("table", [PIPELINES, ROUTE53, SOURCES], ids=["pipelines", "route53", "sources"])
def test_each_line_says_what_happened_and_what_to_do(table: dict[str, Advice]) -> None:
    assert all(advice.meaning.endswith(".") and advice.action.endswith(".") for advice in table.values())
