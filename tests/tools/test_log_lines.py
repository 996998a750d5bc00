import pytest

from tools.log_lines import LogLine, UnlistedLineError, lines_in, log_lines
from tools.metrics import page


def test_a_line_is_a_call_with_a_literal_event_and_named_fields() -> None:
    source = (
        'if x:\n    log.warning(\n        "went wrong", kind=a, key=str(b)\n    )\nlog.info("fine")\nother.info(x)\n'
    )

    assert set(lines_in(source, "webhook", "a.py")) == {
        LogLine("warning", "went wrong", ("kind", "key"), "webhook"),
        LogLine("info", "fine", (), "webhook"),
    }


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ('log.info(f"zone {name}")', "a.py:1: the event is not a literal"),
        ("log.info(text)", "a.py:1: the event is not a literal"),
        ('log.info("x", *values)', "a.py:1: the event is not a literal"),
        ('log.info("x", **fields)', "a.py:1: fields are not named"),
        ('log.exception("x")', "a.py:1: log.exception is not a call of one of error, warning, info, debug"),
        ('\nreport = log.info\nreport("x")', "a.py:2: log.info is not a call of one of error, warning, info, debug"),
    ],
)
def test_a_line_that_cannot_be_listed_is_an_error(source: str, message: str) -> None:
    with pytest.raises(UnlistedLineError, match=message):
        list(lines_in(source, "webhook", "a.py"))


def test_the_page_lists_every_line_worst_first() -> None:
    levels = [line.level for line in log_lines()]

    assert levels == sorted(levels, key=["error", "warning", "info", "debug"].index)
    assert all(f"| {line.level} | `{line.event}` |" in page() for line in log_lines())
    assert {line.process for line in log_lines()} == {"every process", "core, sources", "Route 53", "webhook"}
