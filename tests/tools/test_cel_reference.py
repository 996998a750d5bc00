"""The page about CEL is what the function table and the recorded cases say."""

from tools import cel_reference
from tools.generated import drift


def test_the_committed_page_is_what_the_table_says() -> None:
    assert drift(cel_reference.files()) == []


def test_no_recorded_expression_gives_another_value_than_cel_go() -> None:
    page = cel_reference.page()

    assert "| differs |" not in page
    assert "| fails |" not in page
