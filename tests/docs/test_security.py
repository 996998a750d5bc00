import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "SECURITY.md").read_text()
NAMED = sorted(set(re.findall(r"`(test_[a-z0-9_]+)`", PAGE)))


def defined() -> set[str]:
    """Return the names of all tests."""
    files = [*(ROOT / "tests").rglob("test_*.py"), *(ROOT / "e2e" / "suite").glob("test_*.py")]
    return {name for file in files for name in re.findall(r"def (test_\w+)\(", file.read_text())}


def test_every_test_that_the_threat_model_names_exists() -> None:
    assert len(NAMED) > 20
    assert [name for name in NAMED if name not in defined()] == []


def test_every_threat_has_a_proof() -> None:
    table = PAGE.partition("## Threats")[2].partition("## What an operator")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ") and not line.startswith(("| threat", "| ---"))]

    assert rows
    assert [row for row in rows if "`test_" not in row] == []


@pytest.mark.parametrize(
    ("repository", "file", "verifies"),
    [("us/dnsapi", "release.yaml", True), ("them/dnsapi", "release.yaml", False), ("us/dnsapi", "release-yaml", False)],
)
def test_only_the_release_workflow_of_one_repository_signs(repository: str, file: str, verifies: bool) -> None:
    (pattern,) = re.findall(r"--certificate-identity-regexp '([^']+)'", PAGE)
    identity = f"https://github.com/{repository}/.github/workflows/{file}@refs/tags/v1.0.0"

    assert bool(re.search(pattern.replace("OWNER/REPOSITORY", "us/dnsapi"), identity)) is verifies
