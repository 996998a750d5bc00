"""The workflows: what they run exists, what they take from elsewhere is pinned, and rights are given job by job."""

import importlib.util
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yaml"))
TARGETS = frozenset(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
_USES = re.compile(r"^\s*(?:- )?uses: (\S+)(.*)$", re.MULTILINE)
_PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}")
_VERSION = re.compile(r" # v\d+\.\d+\.\d+")


def unpinned(text: str) -> list[str]:
    """Return what is used without the hash of a commit and the version that it stands for; our own files need none."""
    return [
        used
        for used, rest in _USES.findall(text)
        if not (used.startswith("./") or (_PINNED.fullmatch(used) and _VERSION.fullmatch(rest)))
    ]


def jobs(file: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = yaml.safe_load(file.read_text())["jobs"]
    return found


def scripts(file: Path) -> list[str]:
    return [step["run"] for job in jobs(file).values() for step in job.get("steps", []) if "run" in step]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_actions_are_pinned_by_commit(file: Path) -> None:
    assert unpinned(file.read_text()) == []


def test_an_action_by_its_tag_is_found() -> None:
    commit = "a" * 40

    assert unpinned(f"- uses: one/two@v4\n  uses: one/two@{commit} # v4.1.0\n- uses: one/two@{commit}\n") == [
        "one/two@v4",
        f"one/two@{commit}",
    ]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_workflow_may_read_the_code_and_a_job_no_more_than_it_says(file: Path) -> None:
    assert yaml.safe_load(file.read_text())["permissions"] == {"contents": "read"}
    for job in jobs(file).values():
        assert "uses" in job or job["timeout-minutes"] <= 60
        assert job.get("permissions", {}).get("contents", "read") == "read"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_what_a_step_runs_exists(file: Path) -> None:
    text = "\n".join(scripts(file))

    assert set(re.findall(r"\bmake ([a-z][a-z0-9-]*)", text)) <= TARGETS
    assert [
        one for one in re.findall(r"python -m (e2e[\w.]*|tools[\w.]*)", text) if not importlib.util.find_spec(one)
    ] == []
    assert [one for one in re.findall(r"(?:charts|e2e|tests)/[\w./-]+", text) if not (ROOT / one).exists()] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_scripts_get_what_others_may_choose_through_the_environment(file: Path) -> None:
    """An expression inside of a script is code for whoever chooses its value."""
    free = {"matrix.kubernetes"}
    used = {one for script in scripts(file) for one in re.findall(r"\$\{\{\s*([^}]+?)\s*\}\}", script)}

    assert used <= free


def test_a_release_is_checked_signed_and_says_what_is_in_it() -> None:
    (file,) = [one for one in FILES if one.name == "release.yaml"]
    text = "\n".join(scripts(file))

    assert jobs(file)["images"]["needs"] == "checks"
    assert "cosign sign" in text
    assert "cosign attest" in text
    assert "linux/amd64,linux/arm64" in file.read_text()


def test_what_an_image_holds_is_checked_and_silence_is_no_answer() -> None:
    (file,) = [one for one in FILES if one.name == "ci.yaml"]
    text = "\n".join(scripts(file))

    assert "pip-audit" in text
    assert "--strict" in text
    assert "tools.licences" in text
