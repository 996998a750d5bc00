"""Annotations under both prefixes, TTLs, and selectors as text."""

import pytest

from core_controller.sources.annotations import Annotations, ttl_seconds
from core_controller.sources.endpoints import read_options
from core_controller.sources.label_filters import parse_selector

GA, ALPHA = "external-dns.kubernetes.io/", "external-dns.alpha.kubernetes.io/"


@pytest.mark.parametrize(
    ("annotations", "value", "findings"),
    [
        ({ALPHA + "hostname": "a"}, "a", 0),
        ({GA + "hostname": "b"}, "b", 0),
        ({ALPHA + "hostname": "a", GA + "hostname": "b"}, "b", 1),
        ({ALPHA + "hostname": "a", GA + "hostname": "a"}, "a", 0),
        ({"hostname": "a"}, None, 0),
        ({}, None, 0),
    ],
)
@pytest.mark.spec("SRC-EP-012")
def test_both_prefixes_are_read_and_a_disagreement_is_told(
    annotations: dict[str, str], value: str | None, findings: int
) -> None:
    """Case 55."""
    found = Annotations(annotations)

    assert found.get("hostname") == value
    assert len(found.disagreements()) == findings


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("60", 60),
        (" 60 ", 60),
        ("1m", 60),
        ("1m30s", 90),
        ("1h", 3600),
        ("1.5h", 5400),
        ("1500ms", 1),
        ("0", None),
        ("", None),
        ("-1", None),
        ("x", None),
        ("1m x", None),
        ("2147483648", None),
        ("99999999999999999999", None),
        ("\u0661", None),
        ("9" * 400 + "h", None),
        ("9" * 30 + "h", None),
        ("." * 70, None),
    ],
)
@pytest.mark.spec("SRC-EP-013")
def test_a_ttl_is_seconds_or_a_duration(text: str, seconds: int | None) -> None:
    assert ttl_seconds(text) == seconds


@pytest.mark.spec("SRC-EP-013")
def test_a_wrong_ttl_is_told_and_left_to_the_pipeline() -> None:
    options, findings = read_options(Annotations({GA + "ttl": "soon"}))

    assert options.ttl is None
    assert [finding.reason for finding in findings] == ["InvalidTTL"]


LABELS = {"a": "1", "b": "2"}


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("", True),
        ("a=1", True),
        ("a==1", True),
        ("a = 1, b = 2", True),
        ("a=2", False),
        ("a!=2", True),
        ("c!=2", True),
        ("a!=1", False),
        ("a", True),
        ("c", False),
        ("!c", True),
        ("!a", False),
        ("a in (1, 3)", True),
        ("a notin (1,3)", False),
        ("c notin (1)", True),
        ("a in (3),b", False),
        ("a=1,b in (2),!c", True),
        ("x/y-z=1", False),
    ],
)
@pytest.mark.spec("GW-DN-002")
def test_a_selector_is_read_as_kubectl_reads_it(text: str, matches: bool) -> None:
    assert parse_selector(text).matches(LABELS) is matches


@pytest.mark.parametrize("text", ["=", "a=1 b=2", "a in 1", ",", "a=(1)", "a,,b", "a in (1"])
@pytest.mark.spec("GW-DN-003")
def test_a_wrong_selector_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="selector"):
        parse_selector(text)
