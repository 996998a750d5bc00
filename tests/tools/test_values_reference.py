from tools import values_reference
from tools.generated import drift
from tools.values_schema import CHART, SETTINGS


def test_the_committed_page_is_what_the_values_say() -> None:
    assert drift(values_reference.files()) == []


def test_a_comment_is_of_the_value_below_it_and_of_those_right_below_that() -> None:
    text = "# Of the file.\n\n# Of a,\n# in two lines.\na: 1\nb: 2\n\nc:\n  # Of d.\n  d: 1\n"

    said = values_reference.told(text)

    assert said == {"a": "Of a, in two lines.", "b": "Of a, in two lines.", "c.d": "Of d."}


def test_every_value_is_described() -> None:
    files = [CHART / "values.yaml", *(CHART / "charts" / name / "values.yaml" for name in SETTINGS)]

    assert [path for file in files for path, (_, text) in values_reference.rows(file).items() if not text] == []


def test_what_all_components_have_is_told_once() -> None:
    page = values_reference.PAGE.read_text()

    assert page.count("| `priorityClassName` |") == 1
    assert "| `settings.maxDeleteCount` |  | Deletions in ten minutes" in page
    assert "| `replicas` | `2` | Number of pods." in page
