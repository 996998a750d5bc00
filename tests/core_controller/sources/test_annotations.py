"""Annotations under both prefixes, TTLs, and selectors as text."""

import pytest

from core_controller.sources.annotations import Annotations, ttl_seconds
from core_controller.sources.endpoints import read_options, sort_targets
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
        ("1", 1),
        ("2147483647", 2147483647),
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


DUALSTACK = [
    ({GA + "dualstack": "true"}, True),
    ({}, False),
    ({"alb.ingress.kubernetes.io/ip-address-type": "dualstack"}, True),
    ({"alb.ingress.kubernetes.io/ip-address-type": "dualstack-without-public-ipv4"}, True),
    ({"alb.ingress.kubernetes.io/ip-address-type": "ipv4"}, False),
    ({"service.beta.kubernetes.io/aws-load-balancer-ip-address-type": "dualstack"}, True),
    ({"alb.ingress.kubernetes.io/ip-address-type": "dualstack", GA + "dualstack": "false"}, False),
]


@pytest.mark.parametrize(("annotations", "dualstack"), DUALSTACK)
@pytest.mark.spec("SRC-EP-034")
def test_a_load_balancer_is_known_to_be_dualstack_by_its_own_annotation(
    annotations: dict[str, str], dualstack: bool
) -> None:
    """Case 46."""
    assert read_options(Annotations(annotations))[0].dualstack is dualstack


@pytest.mark.spec("SRC-EP-035")
def test_an_annotation_without_effect_is_told() -> None:
    given = dict.fromkeys((GA + "ttl", ALPHA + "cloudflare-proxied", ALPHA + "aws-weight", "example.net/x"), "60")
    _, findings = read_options(Annotations(given))

    assert [finding.reason for finding in findings] == ["AnnotationNotSupported"]
    assert findings[0].note.endswith(f": {ALPHA}aws-weight, {ALPHA}cloudflare-proxied")


TARGETS = [
    ("192.0.2.1", ("192.0.2.1",), True),
    ("256.1.1.1", (), False),
    ("010.0.0.1", (), False),
    ("1.2.3", (), False),
    ("lb.example.123", (), False),
    ("1.2.3.example", ("1.2.3.example",), True),
    ("lb1", ("lb1",), True),
]


@pytest.mark.parametrize(("text", "values", "legal"), TARGETS)
@pytest.mark.spec("SRC-EP-036")
def test_a_mistyped_address_is_no_host_name(text: str, values: tuple[str, ...], legal: bool) -> None:
    targets, findings = sort_targets([text])

    assert targets.ipv4 + targets.ipv6 + targets.names == values
    assert (not findings) is legal


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
