"""What users wrote does nothing on a terminal."""

from datetime import UTC, datetime

import pytest

from libdnsapi.api.conditions import MESSAGE_MAX_LENGTH, ConditionStatus, Verdict, with_verdict
from libdnsapi.api.printable import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("www.example.com is bücher 日本", "www.example.com is bücher 日本"),
        ("\x1b[2J\x07", "\\x1b[2J\\x07"),
        ("a\r\nERROR b\t", "a\\r\\nERROR b\\t"),
        ("c1 \x9b31m", "c1 \\x9b31m"),
        ("right \u202e left \u2028", "right \\u202e left \\u2028"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("half \ud800", "half \\ud800"),
        ("tag \U000e0041", "tag \\U000e0041"),
        ("\x00\x7f", "\\x00\\x7f"),
    ],
)
def test_what_moves_a_terminal_is_written_as_an_escape(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable(shown) == shown
    assert printable(text).isprintable()


def test_no_condition_carries_what_moves_a_terminal_and_none_grows_too_long() -> None:
    said = "\x1b" * MESSAGE_MAX_LENGTH
    verdict = Verdict(type="Accepted", status=ConditionStatus.FALSE, reason="DeniedByPolicy", message=said)
    (condition,) = with_verdict((), verdict, 1, datetime(2026, 1, 1, tzinfo=UTC))
    assert condition.message.isprintable()
    assert len(condition.message) == MESSAGE_MAX_LENGTH
    assert with_verdict((condition,), verdict, 1, datetime(2026, 1, 2, tzinfo=UTC)) == (condition,)
