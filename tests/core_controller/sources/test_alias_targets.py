"""What is an alias, of what, and at which hosted zone, as reports on other DNS controllers have it."""

from dataclasses import replace
from typing import Any

import pytest

from core_controller.sources.aliases import alias_zone
from core_controller.sources.annotations import Annotations
from core_controller.sources.endpoints import read_options
from core_controller.sources.routing import Placement
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.meta import ObjectKey
from tests.core_controller.sources.services import ELB, named, service
from tests.core_controller.sources.services import endpoint as dns_endpoint
from tests.core_controller.sources.test_contents import alias, endpoint, merged
from tests.core_controller.sources.test_routing import pipeline, zone
from tests.core_controller.sources.world import DNS_ENDPOINTS, PREFIX, SERVICES, World

CLOUDFRONT = "Z2FDTNDATAQYW2"
OWN = replace(zone("example.com"), hosted_zone_id="ZOWN")
SAME_ZONE = Placement(pipeline("main", OWN, zone("in.example.com")), OWN)
SPARING = Placement(pipeline("main", OWN, prefer_cname=True), OWN)

TARGETS = [
    # report, target, the hosted zone of its alias
    ("kubernetes-sigs/external-dns#3429", "vpce-0a-0b.vpce-svc-0c.us-west-2.vpce.amazonaws.com", "Z1YSA3EXCYUU9Z"),
    ("kubernetes-sigs/external-dns#3429", "us-west-2.vpce.amazonaws.com", None),
    ("kubernetes-sigs/external-dns#3609", "d-6s2dss8z05.execute-api.eu-west-1.amazonaws.com", "ZLY8HYME6SFDD"),
    ("aws/aws-cdk#19643", "axs1a2b3c4.execute-api.eu-west-1.amazonaws.com", None),
    ("kubernetes-sigs/external-dns#2426", "d1997fng27asef.cloudfront.net", CLOUDFRONT),
    ("kubernetes-sigs/external-dns#1830", "lb-1.af-south-1.elb.amazonaws.com", "Z268VQBMOI5EKX"),
    ("kubernetes-sigs/external-dns#3604", "nlb-1.elb.eu-south-2.amazonaws.com", "Z1011216NVTVYADP1SSV"),
    ("kubernetes-sigs/external-dns#3833", "lb-1.ap-south-2.elb.amazonaws.com", "Z0173938T07WNTVAEPZN"),
    ("kubernetes-sigs/external-dns#4064", "lb-1.il-central-1.elb.amazonaws.com", "Z09170902867EHPV2DABU"),
    ("kubernetes-sigs/external-dns#4442", "lb-1.ca-west-1.elb.amazonaws.com", "Z06473681N0SF6OS049SD"),
    ("kubernetes-sigs/external-dns#5600", "lb-1.ap-southeast-7.elb.amazonaws.com", "Z0390008CMBRTHFGWBCB"),
    ("hashicorp/terraform#21021", "website.s3.amazonaws.com", None),
]


@pytest.mark.parametrize(("report", "target", "zone_id"), TARGETS)
@pytest.mark.spec("SRC-EP-019")
def test_the_hosted_zone_of_a_target_is_known_wherever_aws_names_it(
    report: str, target: str, zone_id: str | None
) -> None:
    found = alias_zone(target)

    assert (found.hosted_zone_id if found else None) == zone_id, report


@pytest.mark.parametrize("zone_id", [CLOUDFRONT, "Z3RFFRIM2A3IF5"])
@pytest.mark.spec("SRC-EP-022")
def test_of_a_cloudfront_target_no_health_is_evaluated_though_its_hosted_zone_is_given_by_hand(zone_id: str) -> None:
    """Miserlou/Zappa#451, ExtensionEngine/infra-code-blocks#232: Route 53 has no health of distributions."""
    found, _ = merged(endpoint("CNAME", "cdn.example.net", alias_hosted_zone_id=zone_id, evaluate_target_health=True))

    assert found == dict.fromkeys(("A", "AAAA"), alias("cdn.example.net", zone_id, health=False))


@pytest.mark.parametrize(
    ("annotations", "zone_id"),
    [
        ({"aws-target-hosted-zone": "/hostedzone/ZAAA"}, "/hostedzone/ZAAA"),
        ({"alias-hosted-zone-id": "ZBBB", "aws-target-hosted-zone": "ZAAA"}, "ZBBB"),
        ({"alias-hosted-zone-id": " ", "aws-target-hosted-zone": "ZAAA"}, "ZAAA"),
    ],
)
@pytest.mark.spec("SRC-EP-020")
def test_the_annotation_of_externaldns_for_the_hosted_zone_of_an_alias_is_read_too(
    annotations: dict[str, str], zone_id: str
) -> None:
    """kubernetes-sigs/external-dns#3587."""
    options, findings = read_options(Annotations({PREFIX + name: text for name, text in annotations.items()}))

    assert (options.alias_hosted_zone_id, findings) == (zone_id, ())


WITHIN = [
    # report, name, target, options, what is published, what is told
    ("kubernetes-sigs/external-dns#599", "www", "lb.example.com", {"alias": True}, {"A"}, []),
    ("aws/aws-cdk#14800", "@", "www.example.com", {"alias": True}, {"A"}, []),
    ("kubernetes-sigs/external-dns#1175", "www", "lb.example.com", {}, {"CNAME"}, []),
    ("kubernetes-sigs/external-dns#1175", "www", "x.in.example.com", {"alias": True}, {"CNAME"}, ["AliasZoneUnknown"]),
    ("kubernetes-sigs/external-dns#1175", "www", "notexample.com", {"alias": True}, {"CNAME"}, ["AliasZoneUnknown"]),
    ("kubernetes-sigs/external-dns#5649", "www", "_x.example.com", {"alias": True}, {"CNAME"}, ["AliasZoneUnknown"]),
    (
        "kubernetes-sigs/external-dns#5815",
        "www",
        "lb.example.com",
        {"alias": True, "dualstack": True},
        {"A", "AAAA"},
        [],
    ),
]


@pytest.mark.parametrize(("report", "name", "target", "options", "types", "reasons"), WITHIN)
@pytest.mark.spec("SRC-EP-021", "SRC-EP-023")
def test_an_alias_to_another_name_of_its_zone_is_made_where_it_is_asked_for(
    report: str, name: str, target: str, options: dict[str, Any], types: set[str], reasons: list[str]
) -> None:
    found, told = merged(endpoint("CNAME", target, **options), name=name, placement=SAME_ZONE)

    assert (set(found), told) == (types, reasons), report
    assert all(found[type_] == alias(target, "ZOWN") for type_ in types - {"CNAME"})


@pytest.mark.parametrize(
    ("report", "name", "options", "types"),
    [
        ("kubernetes-sigs/external-dns#1325", "www", {}, {"CNAME"}),
        ("kubernetes-sigs/external-dns#1809", "www", {"alias": True}, {"A"}),
        ("kubernetes-sigs/external-dns#3787", "@", {}, {"A"}),
        ("kubernetes-sigs/external-dns#3787", "@", {"alias": False}, set()),
    ],
)
@pytest.mark.spec("SRC-EP-021", "SRC-EP-023")
def test_a_pipeline_that_prefers_cnames_has_aliases_where_they_are_asked_for_and_at_the_apex(
    report: str, name: str, options: dict[str, Any], types: set[str]
) -> None:
    assert set(merged(endpoint("CNAME", ELB, **options), name=name, placement=SPARING)[0]) == types, report


@pytest.mark.spec("SRC-EP-021")
async def test_an_alias_within_a_zone_waits_until_the_hosted_zone_is_known_and_follows_it(world: World) -> None:
    """kubernetes-sigs/external-dns#599: until then it is no CNAME, which would have to become an alias at once."""
    world.put(SERVICES, service(named(alias="true", target="lb.example.com")))
    await world.start()
    assert world.records() == {}
    assert "AliasZoneUnknown" in {reason for _, reason in world.events()}

    for zone_id in ("ZONE1", "ZONE2"):
        found = world.api.read(ZONES, ObjectKey("dns", "example-com"))
        world.put(ZONES, {**found, "status": {"provider": {"data": {"hostedZoneID": zone_id}}}})
        await world.settle()
        assert world.records() == {"apps/a A": ["alias lb.example.com."]}
        (made,) = world.record_sets()
        assert made["spec"]["options"]["alias"]["hostedZoneID"] == zone_id


@pytest.mark.spec("SRC-EP-032")
async def test_an_entry_of_a_dnsendpoint_is_an_alias_within_its_zone(world: World) -> None:
    """kubernetes-sigs/external-dns#5997."""
    world.install(DNS_ENDPOINTS)
    found = world.api.read(ZONES, ObjectKey("dns", "example-com"))
    world.put(ZONES, {**found, "status": {"provider": {"data": {"hostedZoneID": "ZONE1"}}}})
    wish = [{"name": "alias", "value": "true"}]
    world.put(DNS_ENDPOINTS, dns_endpoint("AAAA", "lb.example.com", providerSpecific=wish))
    await world.start()

    assert world.records() == {"apps/a AAAA": ["alias lb.example.com."]}
