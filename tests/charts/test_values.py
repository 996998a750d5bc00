"""Values are explained line by line: by a comment above, by that of the lines right above, or by that of the group."""

import re
from pathlib import Path

import pytest

from tests.charts.conftest import CHART

FILES = sorted([CHART / "values.yaml", *CHART.glob("charts/*/values.yaml")])
_KEY = re.compile(r"(?P<indent> *)(?P<name>[A-Za-z][\w.-]*):(?P<value>.*)")


def unexplained(text: str) -> list[str]:
    """Return the names of values that nothing explains."""
    found: list[str] = []
    groups: dict[int, bool] = {}
    explained, last_indent = False, 0
    for line in text.splitlines():
        key = _KEY.fullmatch(line)
        if key is None:
            explained, last_indent = line.lstrip().startswith("#"), -1
            continue
        indent = len(key["indent"])
        shares = explained and last_indent in {-1, indent}
        groups = {one: told for one, told in groups.items() if one < indent}
        told = shares or any(groups.values())
        is_group = not key["value"].strip()
        groups[indent] = is_group and told
        if not (told or is_group):
            found.append(key["name"])
        explained, last_indent = told, indent
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(CHART)))
def test_every_value_is_explained(file: Path) -> None:
    assert unexplained(file.read_text()) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("# Said.\na: 1\nb: 2\n\nc: 3\n", ["c"]),
        ("# Said.\na:\n  b: 1\n  c: 2\n", []),
        ("a:\n  # Said.\n  b: 1\n\n  c: 2\n", ["c"]),
    ],
)
def test_a_value_without_a_word_is_found(text: str, names: list[str]) -> None:
    assert unexplained(text) == names
