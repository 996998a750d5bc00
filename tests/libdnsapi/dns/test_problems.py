"""Findings and their paths."""

import pytest

from libdnsapi.dns.problems import Problem, all_at


@pytest.mark.parametrize(
    ("path", "prefix", "expected"),
    [
        ("a.addresses[0]", "spec", "spec.a.addresses[0]"),
        ("[0].exchange", "spec.mx.records", "spec.mx.records[0].exchange"),
        ("", "spec", "spec"),
        ("spec", "", "spec"),
    ],
)
def test_a_path_is_put_below_another(path: str, prefix: str, expected: str) -> None:
    assert Problem(path, "is wrong").at(prefix).path == expected
    assert all_at(prefix, [Problem(path, "is wrong")]) == (Problem(expected, "is wrong"),)


def test_a_finding_reads_as_path_and_message() -> None:
    assert str(Problem("spec.ttl", "is required")) == "spec.ttl: is required"
    assert str(Problem("", "is wrong")) == "is wrong"
