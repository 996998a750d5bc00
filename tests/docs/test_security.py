import re
from pathlib import Path

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
