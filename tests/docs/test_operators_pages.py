"""What pages for operators name exists: values of the chart, metrics, lines of the log."""

import re
from pathlib import Path

import pytest

from tests.docs.test_links import PAGES, ROOT
from tools.metrics import names
from tools.values_schema import SETTINGS, component_schema, umbrella_schema

LOG_LINES = frozenset(
    re.findall(r"^\| \w+ \| `([^`]+)`", (ROOT / "docs/reference/metrics.md").read_text(), re.MULTILINE)
)
_HEADS = "|".join(["global", "rbac", "uninstall", "tests", *SETTINGS])
_VALUE = re.compile(rf"(?<![\w./-])(?:{_HEADS})(?:\.[A-Za-z][\w-]*)+")
_NO_VALUES = (".com", ".io", ".yaml")
"""Domains and files whose first part is called as a component or a group of values is."""
_METRIC = re.compile(
    r"\b(?:dnsapi|route53|workqueue|controller_runtime|rest_client|leader_election)_[a-z0-9_]+\b(?!\.py)"
)
_FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_DERIVED = re.compile("_(bucket|sum|count)$")


def is_value(path: str) -> bool:
    """Whether the schema of the chart's values knows a path such as `core.settings.workers`."""
    head, *parts = path.split(".")
    schema = component_schema(head) if head in SETTINGS else umbrella_schema()
    parts = parts if head in SETTINGS else [head, *parts]
    for part in parts:
        properties = schema.get("properties")
        if not isinstance(properties, dict):  # free, as resources and labels are
            return schema.get("type") == "object"
        inner = properties.get(part)
        if not isinstance(inner, dict):
            return False
        schema = inner
    return True


def code(page: Path) -> str:
    """Return what a page shows as code, in its sentences and in blocks."""
    text = page.read_text()
    prose = _FENCE.sub("", text)
    blocks = [match[0] for match in _FENCE.finditer(text)]
    return "\n".join([*blocks, *re.findall(r"`([^`]+)`", prose), *re.findall(r"^ {4,}.*$", prose, re.MULTILINE)])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_values_that_a_page_names_are_the_charts(page: Path) -> None:
    paths = [path for path in _VALUE.findall(code(page)) if not path.endswith(_NO_VALUES)]

    assert [path for path in paths if not is_value(path)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_metrics_that_a_page_names_are_served(page: Path) -> None:
    modules = {"route53_controller", "core_controller"}
    named = {_DERIVED.sub("", name) for name in _METRIC.findall(code(page))} - modules

    assert named <= {_DERIVED.sub("", name) for name in names()}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_lines_of_the_log_that_a_page_looks_for_are_written(page: Path) -> None:
    assert set(re.findall(r"grep\s+'([^']+)'", code(page))) <= LOG_LINES


@pytest.mark.parametrize("path", ["core.settings.worker", "global.podMonitors.enabled", "sources.replicas.count.of"])
def test_a_value_that_is_none_is_found(path: str) -> None:
    assert not is_value(path)
