"""The specification ledger is up to date, and says so when it is not."""

from pathlib import Path

import pytest

from tools import spec_ledger
from tools.spec_ledger import LedgerError, Row, Section, markers, page, problems, sections

ROWS = (Row("X-001", "It works.", "unit"), Row("X-002", "It sings.", "unit", "nobody listens"))
PART = Section("Part", "a source", ROWS)


def test_the_committed_page_is_what_rows_and_markers_say() -> None:
    parts, tests = sections(), markers()
    assert page(parts, tests) == spec_ledger.PAGE.read_text()
    assert problems(parts, tests) == []


def test_there_is_a_row_for_each_statement_and_ids_say_where_from() -> None:
    ids = [row.id for part in sections() for row in part.rows]
    assert len(ids) >= 600
    assert {id_.split("-")[0] for id_ in ids} <= {"CORE", "PC", "R53", "GW", "TF", "ROUTE", "SRC"}


def test_a_row_without_test_or_decision_is_told() -> None:
    assert problems([PART], {}) == ["X-001 has no test: It works."]


def test_a_test_of_an_unknown_row_is_told() -> None:
    found = problems([PART], {"X-001": ["a.py::test_a"], "X-009": ["a.py::test_b"]})
    assert found == ["a.py::test_b names X-009, which is no row"]


def test_the_page_lists_tests_and_decisions() -> None:
    text = page([PART], {"X-001": ["a.py::test_a", "a.py::test_b"]})
    assert "| X-001 | It works. | unit | `a.py::test_a`<br>`a.py::test_b` |" in text
    assert "| X-002 | It sings. | unit | Not followed: nobody listens |" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sections: [{title: T, source: s, rows: {X-1: {tier: unit}}}]", "must be a text"),
        ("sections: [{title: T, source: s, rows: {X-1: {says: a, tier: moon}}}]", "tier must be one of"),
        ("sections: [{title: T, source: s, rows: [a]}]", "must be a map of ids"),
        (
            "sections: [{title: T, source: s, rows: {X-1: a}}, {title: U, source: s, rows: {X-1: b}}]",
            "X-1 stands twice",
        ),
    ],
)
def test_rows_of_the_wrong_shape_are_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "rows.yaml").write_text(text)
    with pytest.raises(LedgerError, match=message):
        sections(tmp_path)


def test_markers_are_found_on_functions_and_on_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spec_ledger, "ROOT", tmp_path)
    (tmp_path / "test_one.py").write_text(
        "import pytest\n"
        'pytestmark = [pytest.mark.apiserver, pytest.mark.spec("X-001")]\n'
        '@pytest.mark.spec("X-002", "X-003")\n'
        "async def test_a():\n    pass\n"
    )
    assert markers([tmp_path]) == {
        "X-001": ["test_one.py"],
        "X-002": ["test_one.py::test_a"],
        "X-003": ["test_one.py::test_a"],
    }
