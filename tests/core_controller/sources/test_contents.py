"""What the record sets of a name hold: merged, exclusive, aliased (cases 8, 9, 11, 12, 15 to 17, 21, 24, 44, 46)."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from core_controller.sources.aliases import AliasZone, alias_zone
from core_controller.sources.contents import merge
from core_controller.sources.endpoints import Endpoint, Options, SourceKey
from core_controller.sources.record_texts import body_of, text_value
from core_controller.sources.routing import Placement
from libdnsapi.api.dns.bodies import RecordType
from tests.core_controller.sources.test_routing import pipeline, zone

ELB = "lb-1.eu-west-1.elb.amazonaws.com"
PLACEMENT = Placement(pipeline("main", zone("example.com")), zone("example.com"))


def endpoint(type_: str, *values: str, name: str = "one", age: int = 1, **options: object) -> Endpoint:
    created = datetime(2026, 1, age, tzinfo=UTC)
    source = SourceKey("Service", "apps", name)
    return Endpoint("www.example.com", RecordType(type_), values, source, created, Options(**options))


def merged(
    *endpoints: Endpoint, name: str = "www", placement: Placement = PLACEMENT
) -> tuple[dict[str, Any], list[str]]:
    found = merge(name, placement, endpoints)
    return {one.type.value: one.fields for one in found.contents}, [finding.reason for _, finding in found.findings]


def alias(target: str, zone_id: str, *, health: bool = True) -> dict[str, Any]:
    return {"options": {"alias": {"dnsName": f"{target}.", "hostedZoneID": zone_id, "evaluateTargetHealth": health}}}


@pytest.mark.spec("SRC-EP-027")
def test_addresses_are_united_and_the_smallest_ttl_is_taken() -> None:
    found, reasons = merged(endpoint("A", "192.0.2.2", ttl=60), endpoint("A", "192.0.2.1", name="two", ttl=30))

    assert found == {"A": {"ttl": 30, "a": {"addresses": ["192.0.2.1", "192.0.2.2"]}}}
    assert reasons == []


@pytest.mark.spec("ROUTE-GO-022")
def test_the_pipelines_ttl_is_the_default() -> None:
    assert merged(endpoint("A", "192.0.2.1"))[0]["A"]["ttl"] == 300


@pytest.mark.spec("GW-TG-004")
def test_a_host_name_is_a_cname() -> None:
    assert merged(endpoint("CNAME", "lb.example.net"))[0] == {
        "CNAME": {"ttl": 300, "cname": {"target": "lb.example.net"}}
    }


@pytest.mark.spec("TF-GR-019")
def test_addresses_win_over_a_cname() -> None:
    found, reasons = merged(endpoint("A", "192.0.2.1"), endpoint("CNAME", "lb.example.net", name="two"))

    assert set(found) == {"A"}
    assert reasons == ["RecordTypesConflict"]


@pytest.mark.spec("SRC-EP-026")
def test_the_oldest_host_name_wins_for_ever() -> None:
    """Case 44: the outcome depends on ages and names, not on who was seen last."""
    one, two = endpoint("CNAME", "b.example.net", age=1), endpoint("CNAME", "a.example.net", name="two", age=2)

    for order in ((one, two), (two, one)):
        found, reasons = merged(*order)
        assert found["CNAME"]["cname"] == {"target": "b.example.net"}
        assert reasons == ["SeveralHostnameTargets"]


@pytest.mark.spec("SRC-EP-019")
def test_a_ttl_that_is_asked_for_an_alias_is_told_to_have_no_effect() -> None:
    """Case 21."""
    found, reasons = merged(endpoint("CNAME", ELB, ttl=60), endpoint("CNAME", ELB, name="two"))

    assert found == {"A": alias(ELB, "Z32O12XQLNTSW2")}
    assert reasons == ["TTLWithoutEffect"]
    _, reasons = merged(endpoint("CNAME", ELB, ttl=60), endpoint("A", "192.0.2.1", name="two"))
    assert reasons == ["RecordTypesConflict"]  # no alias is published, so nothing is to be said of one


@pytest.mark.spec("SRC-EP-019")
def test_a_load_balancer_of_aws_is_an_alias() -> None:
    """Case 21: an alias has no TTL, whatever was asked for."""
    assert merged(endpoint("CNAME", ELB, ttl=60))[0] == {"A": alias(ELB, "Z32O12XQLNTSW2")}


@pytest.mark.spec("GW-TG-012")
def test_dualstack_adds_the_alias_for_ipv6() -> None:
    """Case 46; seed 003, Dualstack Routes."""
    assert set(merged(endpoint("CNAME", ELB, dualstack=True))[0]) == {"A", "AAAA"}
    assert set(merged(endpoint("CNAME", f"dualstack.{ELB}"))[0]) == {"A", "AAAA"}


@pytest.mark.spec("SRC-EP-019")
def test_cloudfront_is_dualstack_and_has_no_health_to_evaluate() -> None:
    target = "d111111abcdef8.cloudfront.net"
    found, _ = merged(endpoint("CNAME", target, evaluate_target_health=True))

    assert found == dict.fromkeys(("A", "AAAA"), alias(target, "Z2FDTNDATAQYW2", health=False))


ALIAS_TYPES = [
    # types that each object says, types of the aliases to a target that answers with IPv6 too
    ((["A"],), {"A"}),
    ((["AAAA"],), {"AAAA"}),
    ((["A"], ["AAAA"]), {"A", "AAAA"}),
    ((["AAAA"], []), {"A", "AAAA"}),
    (([],), {"A", "AAAA"}),
]


@pytest.mark.parametrize(("said", "types"), ALIAS_TYPES)
@pytest.mark.spec("SRC-EP-032")
def test_an_alias_whose_type_is_said_is_of_that_type_alone(said: tuple[list[str], ...], types: set[str]) -> None:
    """Case 46, an alias that is limited to A."""
    endpoints = [
        endpoint("CNAME", f"dualstack.{ELB}", alias=True, alias_types=frozenset(map(RecordType, given)))
        for given in said
    ]

    assert set(merged(*endpoints)[0]) == types


@pytest.mark.spec("SRC-EP-023")
def test_an_apex_needs_an_alias() -> None:
    """Case 24."""
    assert merged(endpoint("CNAME", "lb.example.net"), name="@") == ({}, ["ApexNeedsAlias"])
    assert merged(endpoint("CNAME", ELB), name="@")[0] == {"A": alias(ELB, "Z32O12XQLNTSW2")}
    known = endpoint("CNAME", "lb.example.net", alias_hosted_zone_id="Z123")
    assert merged(known, name="@")[0] == {"A": alias("lb.example.net", "Z123")}


@pytest.mark.parametrize(
    ("placement", "options", "types"),
    [
        (PLACEMENT, {}, {"A"}),
        (PLACEMENT, {"alias": False}, {"CNAME"}),
        (Placement(pipeline("m", prefer_cname=True), zone("example.com")), {}, {"CNAME"}),
        (Placement(pipeline("m", prefer_cname=True), zone("example.com")), {"alias": True}, {"A"}),
    ],
)
@pytest.mark.spec("SRC-EP-021")
def test_whether_an_alias_is_made_can_be_said(placement: Placement, options: dict[str, Any], types: set[str]) -> None:
    assert set(merged(endpoint("CNAME", ELB, **options), placement=placement)[0]) == types


@pytest.mark.spec("SRC-EP-021")
def test_an_alias_that_cannot_be_made_is_told_and_a_cname() -> None:
    found, reasons = merged(endpoint("CNAME", "lb.example.net", alias=True))

    assert (set(found), reasons) == ({"CNAME"}, ["AliasZoneUnknown"])


@pytest.mark.spec("SRC-EP-022")
def test_the_health_of_a_target_is_evaluated_as_the_object_then_the_pipeline_says() -> None:
    careless = Placement(pipeline("m", evaluate_target_health=False), zone("example.com"))

    assert merged(endpoint("CNAME", ELB), placement=careless)[0]["A"] == alias(ELB, "Z32O12XQLNTSW2", health=False)
    asked = endpoint("CNAME", ELB, evaluate_target_health=True)
    assert merged(asked, placement=careless)[0]["A"] == alias(ELB, "Z32O12XQLNTSW2")


@pytest.mark.spec("SRC-EP-028")
def test_a_name_that_the_api_would_refuse_is_told() -> None:
    """Case 8."""
    assert merged(endpoint("A", "192.0.2.1"), name="_x") == ({}, ["InvalidRecord"])
    assert set(merged(endpoint("CNAME", "_x2.acm-validations.example"), name="_x1")[0]) == {"CNAME"}
    assert set(merged(endpoint("TXT", "x"), name="_acme-challenge")[0]) == {"TXT"}


ALIAS_ZONES = [
    ("lb.us-east-1.elb.amazonaws.com", "Z35SXDOTRQ7X7K"),
    ("nlb-1.elb.us-east-1.amazonaws.com", "Z26RNL4JYFTOTI"),
    ("lb.cn-north-1.elb.amazonaws.com.cn", "Z1GDH35T77C1KE"),
    ("lb.cn-north-1.elb.amazonaws.com", None),
    ("a1.awsglobalaccelerator.com", "Z2BJ6XQ5FK7U4H"),
    ("d1.cloudfront.net", "Z2FDTNDATAQYW2"),
    ("d1.cloudfront.cn", "Z3RFFRIM2A3IF5"),
    ("cloudfront.net", None),
    ("xcloudfront.net", None),
    ("lb.example.net", None),
    ("lb.nowhere-1.elb.amazonaws.com", None),
]


@pytest.mark.parametrize(("hostname", "zone_id"), ALIAS_ZONES)
@pytest.mark.spec("SRC-EP-019")
def test_the_hosted_zone_of_an_alias_target_is_known(hostname: str, zone_id: str | None) -> None:
    found = alias_zone(hostname)

    assert (found.hosted_zone_id if found else None) == zone_id


@pytest.mark.spec("SRC-EP-020")
def test_an_annotated_hosted_zone_wins_and_loses_its_prefix() -> None:
    """Case 4."""
    assert alias_zone(ELB, "/hostedzone/ZAAA") == AliasZone("ZAAA")
    assert alias_zone(ELB, "not an id") is None


BODIES = [
    ("TXT", ("hello world",), {"values": ["hello world"]}),
    ("TXT", ('"hello" "world"',), {"values": ["helloworld"]}),
    ("TXT", ('"a\\"b\\\\c"',), {"values": ['a"b\\c']}),
    ("TXT", ('a""b', "C:\\x"), {"values": ['a""b', "C:\\x"]}),
    ("TXT", ("x", '"x"'), {"values": ["x"]}),
    ("MX", ("10 mail.example.com.",), {"records": [{"preference": 10, "exchange": "mail.example.com"}]}),
    ("MX", ("0 .",), {"records": [{"preference": 0, "exchange": "."}]}),
    ("CAA", ("0 issue letsencrypt.org",), {"records": [{"flags": 0, "tag": "issue", "value": "letsencrypt.org"}]}),
    ("CAA", ('0 issuewild ";"',), {"records": [{"flags": 0, "tag": "issuewild", "value": ";"}]}),
    (
        "CAA",
        ('128 iodef "mailto:a@example.com"',),
        {"records": [{"flags": 128, "tag": "iodef", "value": "mailto:a@example.com"}]},
    ),
    ("NS", ("ns1.example.net",), {"nameServers": ["ns1.example.net"]}),
]


@pytest.mark.parametrize(("type_", "values", "body"), BODIES)
@pytest.mark.spec("SRC-EP-008")
def test_record_texts_become_bodies(type_: str, values: tuple[str, ...], body: dict[str, Any]) -> None:
    """Cases 11, 12, 16, 17."""
    assert body_of(RecordType(type_), values) == body


@pytest.mark.parametrize("length", [255, 256, 600])
def test_a_long_text_stays_one_logical_string(length: int) -> None:
    """Case 9: cutting it is the provider's work."""
    assert text_value("x" * length) == "x" * length


@pytest.mark.parametrize(
    ("type_", "values"),
    [
        ("MX", ("mail.example.com",)),
        ("MX", ("0 .", "10 mail.example.com")),
        ("CAA", ("issue x",)),
        ("CAA", ("999 issue x",)),
        ("TXT", ("x" * 4001,)),
        ("NS", ("not a name",)),
    ],
)
@pytest.mark.spec("SRC-EP-008")
def test_a_text_without_its_types_form_is_told_and_not_published(type_: str, values: tuple[str, ...]) -> None:
    assert merged(endpoint(type_, *values)) == ({}, ["InvalidRecord"])


class Compared(SourceKey):
    """A key that counts how often keys are compared with each other."""

    count = 0

    def __eq__(self, other: object) -> bool:
        Compared.count += 1
        return super().__eq__(other)

    __hash__ = SourceKey.__hash__


@pytest.mark.spec("SRC-EP-029")
def test_thousands_of_objects_of_one_name_are_told_apart_in_one_walk() -> None:
    """Whoever may write Services may write many, and all namespaces wait for the plan of a name."""
    sources = [Compared("Service", "apps", f"s{number:04}") for number in range(1000)]
    values = [f"10.0.{number // 250}.{number % 250}" for number in range(1000)]
    many = [replace(endpoint("A", value), source=one) for one, value in zip(sources, values, strict=True)]
    found, reasons = merged(*many)

    assert found["A"]["a"]["addresses"] == sorted(values[:400])
    assert reasons == ["InvalidRecord"] * 600
    assert Compared.count < 10 * len(many)
