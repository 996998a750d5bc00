"""Commands of the documentation: what they name exists, and CI runs those of the README."""

import importlib.util
import re
from pathlib import Path

import pytest

from e2e.pages import commands, inline, words
from tests.apiserver.documented import runs_on_an_api_server
from tests.docs.test_links import PAGES, ROOT

TARGETS = frozenset(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
WORKFLOWS = "\n".join(file.read_text() for file in [*(ROOT / ".github" / "workflows").glob("*.yaml"), ROOT / ".ci/run"])
SUITE = (ROOT / "e2e" / "suite" / "test_documentation.py").read_text()
KNOWN = frozenset({".", "aws", "cosign", "curl", "dig", "docker", "helm", "jq", "kind", "kubectl", "make", "python"})
README = ROOT / "README.md"
_PATH = re.compile(r"(?:charts|docs|e2e|examples|tests|tools|benchmarks)/[\w./-]+")


def told(page: Path) -> list[str]:
    return [*commands(page), *inline(page)]


def program(command: str) -> str:
    return next(word for word in words(command) if "=" not in word)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_command_names_exists(page: Path) -> None:
    text = "\n".join(told(page))
    modules = re.findall(r"python -m ([\w.]+)", text)

    assert set(re.findall(r"\bmake ([a-z][a-z0-9-]*)", text)) <= TARGETS
    assert [module for module in modules if importlib.util.find_spec(module) is None] == []
    assert [path for path in _PATH.findall(text) if not (ROOT / path).exists()] == []


DRAWN = {ROOT / "ARCHITECTURE.md"}
"""Pages whose blocks are drawings."""


@pytest.mark.parametrize("page", sorted({*PAGES} - DRAWN), ids=lambda page: str(page.relative_to(ROOT)))
def test_blocks_that_are_read_as_commands_begin_with_a_program(page: Path) -> None:
    assert {program(command) for command in commands(page)} <= KNOWN


def is_run(command: str) -> bool:
    """Whether a test or a workflow runs a command of the README."""
    name = program(command)
    if name == "kubectl" and not runs_on_an_api_server(command):
        return f'"{command}"' in SUITE
    return runs_on_an_api_server(command) or re.search(rf"{re.escape(command)}(?![\w-])", WORKFLOWS) is not None


def test_the_readme_tells_the_way_from_nothing_to_an_installed_chart() -> None:
    assert {program(command) for command in told(README)} == {"make", "kubectl", "helm"}


@pytest.mark.parametrize("command", told(README))
def test_ci_runs_what_the_readme_tells_to_type(command: str) -> None:
    assert is_run(command)


@pytest.mark.parametrize(
    "command", ["make no-such-target", "kubectl get rset -n elsewhere", "helm test other", "make te"]
)
def test_a_command_that_nobody_runs_is_found(command: str) -> None:
    assert not is_run(command)
