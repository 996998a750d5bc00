"""Rows whose expected outputs come from Go's own text/template; see golden/main.go."""

import json
from pathlib import Path

import pytest

from core_controller.sources.templates import EvaluationError, MissingKey, ParseError, TemplateError, parse

GOLDEN = Path(__file__).parent / "golden"
DATA = json.loads((GOLDEN / "inputs.json").read_text())["data"]
ROWS = json.loads((GOLDEN / "expected.json").read_text())
REFUSED = {"{{ 1i }}"}
"""What Go has and we refuse: complex numbers."""


def rows(*outcomes: str) -> list[dict[str, str]]:
    return [row for row in ROWS if row["outcome"] in outcomes and row["template"] not in REFUSED]


@pytest.mark.spec("TF-GR-014")
def test_the_table_has_enough_rows() -> None:
    assert len(ROWS) >= 300


@pytest.mark.parametrize("row", rows("parse error"), ids=lambda row: row["template"])
@pytest.mark.spec("TF-GR-015")
def test_what_go_refuses_to_parse_is_a_parse_error_with_a_position(row: dict[str, str]) -> None:
    with pytest.raises(ParseError) as caught:
        parse(row["template"])

    assert caught.value.line >= 1
    assert caught.value.column >= 1


@pytest.mark.parametrize("row", rows("evaluation error"), ids=lambda row: row["template"])
@pytest.mark.spec("TF-BE-021")
def test_what_go_fails_to_evaluate_is_an_error(row: dict[str, str]) -> None:
    with pytest.raises(TemplateError):
        parse(row["template"]).render(DATA, MissingKey(row["missing"]))


@pytest.mark.parametrize("row", rows("output"), ids=lambda row: row["template"])
@pytest.mark.spec("TF-GR-012", "TF-GR-014")
def test_a_template_gives_what_go_gives(row: dict[str, str]) -> None:
    """Where Go writes a formatting error into the output, ours is an error."""
    output = row.get("output", "")

    if "%!" in output:
        with pytest.raises(EvaluationError):
            parse(row["template"]).render(DATA, MissingKey(row["missing"]))
    else:
        assert parse(row["template"]).render(DATA, MissingKey(row["missing"])) == output
