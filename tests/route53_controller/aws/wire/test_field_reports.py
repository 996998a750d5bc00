"""Values and names as reports on other DNS controllers have them; each row names its report."""

from typing import TYPE_CHECKING, cast

import pytest

from libdnsapi.api.dns.zoneunit import RecordSetItem
from libdnsapi.api.meta import JsonObject
from route53_controller.aws import shapes, wire
from route53_controller.aws.api import AliasRecord, RecordKey, ResourceRecordSet
from tests.route53_controller.aws.wire.test_record_sets import DOMAIN, agree, alias, item, observed

if TYPE_CHECKING:
    from types_aiobotocore_route53.type_defs import ResourceRecordSetOutputTypeDef


def txt(*values: str) -> RecordSetItem:
    return item("TXT", txt={"values": list(values)})


def mx(*records: tuple[int, str]) -> RecordSetItem:
    return item("MX", mx={"records": [{"preference": number, "exchange": name} for number, name in records]})


def aaaa(*addresses: str) -> RecordSetItem:
    return item("AAAA", aaaa={"addresses": list(addresses)})


def cname(target: str) -> RecordSetItem:
    return item("CNAME", cname={"target": target})


def ns(*servers: str) -> RecordSetItem:
    return item("NS", ns={"nameServers": list(servers)})


def caa(value: str, tag: str = "issue") -> RecordSetItem:
    return item("CAA", caa={"records": [{"flags": 0, "tag": tag, "value": value}]})


DKIM = "v=DKIM1; k=rsa; p=MIIB"
AT_THE_CUT = "x" * 254 + "\\" + '"y'

WRITTEN = [
    # report, what is desired, what is sent
    ("hashicorp/terraform#455", txt("lalalala"), ('"lalalala"',)),
    ("octodns/octodns#66", txt(DKIM), (f'"{DKIM}"',)),
    ("barnybug/cli53#205", txt("v=DKIM1\\; k=rsa"), ('"v=DKIM1\\\\; k=rsa"',)),
    ("barnybug/cli53#263", txt("v=spf1 +a +mx -all"), ('"v=spf1 +a +mx -all"',)),
    ("octodns/octodns#1196", txt(AT_THE_CUT), ('"' + "x" * 254 + '\\\\" "\\"y"',)),
    ("pulumi/pulumi-aws#5451", txt(DKIM + "x" * 300), (f'"{DKIM}{"x" * 233}" "{"x" * 67}"',)),
    ("kubernetes-sigs/external-dns#5740", txt("ends.with.dots.", "a=b,c=d"), ('"ends.with.dots."', '"a=b,c=d"')),
    ("hashicorp/terraform#10048", txt('"aaa" "bbb"'), ('"\\"aaa\\" \\"bbb\\""',)),
    ("ansible/ansible#23435", mx((10, "aspmx.l.google.com")), ("10 aspmx.l.google.com.",)),
    ("cloudflare/terraform-provider-cloudflare#944", mx((0, ".")), ("0 .",)),
    ("okta/terraform-provider-okta#2338", caa("letsencrypt.org"), ('0 issue "letsencrypt.org"',)),
    ("kubernetes-sigs/external-dns#3979", caa(";", "issuewild"), ('0 issuewild ";"',)),
    ("hashicorp/terraform#2858", ns("ns-1.awsdns-00.com"), ("ns-1.awsdns-00.com.",)),
    ("GSA-TTS/dns#389", cname("digitalgov-gov.hs01b.dkim.example.net"), ("digitalgov-gov.hs01b.dkim.example.net.",)),
]


@pytest.mark.parametrize(("report", "wanted", "values"), WRITTEN)
@pytest.mark.spec("R53-RS-001", "R53-RS-003")
def test_what_is_desired_is_sent_as_route_53_wants_it_and_recognised_again(
    report: str, wanted: RecordSetItem, values: tuple[str, ...]
) -> None:
    assert wire.desired_record_set(wanted, DOMAIN).values == values, report
    assert agree(wanted, observed(wanted.type, *values)), report


def target(name: str, zone_id: str = "ZAAA", *, health: bool = True) -> ResourceRecordSet:
    record = AliasRecord(wire.name_from_wire(name), zone_id, evaluate_target_health=health)
    return ResourceRecordSet(RecordKey("www.example.com", "A"), None, alias=record)


LISTED = [
    # report, what is desired, what Route 53 lists, whether they are the same
    ("octodns/octodns#59", txt("a; b"), observed("TXT", '"a\\; b"'), True),
    ("octodns/octodns#59", txt("a; b"), observed("TXT", '"a\\073 b"'), True),
    ("octodns/octodns#52", txt('"v=spf1 -all"'), observed("TXT", '"v=spf1 -all"'), False),
    ("barnybug/cli53#138", txt("v=spf1 ~all"), observed("TXT", '"\\"v=spf1 ~all\\""'), False),
    ("DNSControl/dnscontrol#2854", txt("v=spf1 a  b ~all"), observed("TXT", '"v=spf1 a "" b ~all"'), True),
    ("DNSControl/dnscontrol#2854", txt("v=spf1 a  b ~all"), observed("TXT", '"v=spf1 a " "" " b ~all"'), True),
    ("hashicorp/terraform-provider-aws#2761", txt("ab"), observed("TXT", '"a"', '"b"'), False),
    ("cookpad/roadworker#100", aaaa("2001:db8::a"), observed("AAAA", "2001:0DB8:0:0::a"), True),
    ("DNSControl/dnscontrol#25", aaaa("2001:0db8:85a3:0000::7334"), observed("AAAA", "2001:db8:85a3::7334"), True),
    ("hashicorp/terraform-provider-aws#16527", cname("my.example.net"), observed("CNAME", "MY.EXAMPLE.NET"), True),
    ("octodns/octodns-route53#84", cname("www.example.net"), observed("CNAME", "www.example.net"), True),
    ("kubernetes-sigs/external-dns#1906", cname("up.example.net"), observed("CNAME", "Up.Example.Net."), True),
    ("kubernetes-sigs/external-dns#2307", cname("new.example.net"), observed("CNAME", "old.example.net."), False),
    ("cytopia/terraform-aws-route53-zone#13", ns("b.net", "a.net"), observed("NS", "a.net", "b.net."), True),
    ("DNSControl/dnscontrol#64", mx((0, "mail4.example.com")), observed("MX", "0 example.com."), False),
    ("ansible/ansible#23435", mx((10, "a.net")), observed("MX", "10 A.NET."), True),
    ("ansible/ansible#23435", mx((10, "a.net")), observed("MX", "a.net."), False),
    ("kubernetes-sigs/external-dns#3979", caa("a.net"), observed("CAA", "0 issue a.net"), True),
    ("aws/aws-cdk#14039", item("A", a={"addresses": ["192.0.2.1"]}), observed("A", "192.0.2.1", ttl=1800), False),
    ("hashicorp/terraform#9411", alias("lb.eu.example.net."), target("LB.eu.example.net."), True),
    ("hashicorp/terraform-provider-aws#6480", alias("lb.example.net."), target("dualstack.lb.example.net."), False),
    ("hashicorp/terraform-provider-aws#10843", alias("*.example.net."), target("\\052.example.net."), True),
    ("kubernetes-sigs/external-dns#6137", alias("*.example.net."), target("\\052.example.net."), True),
    (
        "aws-controllers-k8s/community#2987",
        alias("lb.example.net."),
        target("lb.example.net.", "/hostedzone/ZAAA"),
        True,
    ),
    ("kubernetes-sigs/external-dns#627", alias("lb.example.net."), target("lb.example.net.", health=False), False),
]


@pytest.mark.parametrize(("report", "wanted", "seen", "same"), LISTED)
@pytest.mark.spec("R53-RS-002", "R53-RS-004", "R53-RS-015")
def test_what_is_listed_is_compared_by_what_it_means(
    report: str, wanted: RecordSetItem, seen: ResourceRecordSet, same: bool
) -> None:
    assert agree(wanted, seen) is same, report


@pytest.mark.spec("R53-RS-007")
def test_a_cname_that_is_listed_with_its_target_twice_is_drift() -> None:
    """A CNAME has exactly one value (provider seed)."""
    assert not agree(cname("x.net"), observed("CNAME", "x.net.", "X.net."))


NAMES = [
    # report, name as listed, its canonical form
    ("aws/aws-sdk-ruby#1468", "\\052.example.com.", "*.example.com"),
    ("coredns/coredns#2345", "\\052.docker.example.com.", "*.docker.example.com"),
    ("ansible/ansible#7335", "\\052.a.example.com.", "*.a.example.com"),
    ("GoogleCloudPlatform/terraformer#1239", "\\100.example.com.", "@.example.com"),
    ("hashicorp/terraform-provider-aws#48932", "0\\05725.example.com.", "0/25.example.com"),
    ("hashicorp/terraform-provider-aws#48932", "a\\056b.example.com.", "a\\056b.example.com"),
    ("octodns/octodns#626", f"_acme-challenge.{'x' * 63}.example.com.", f"_acme-challenge.{'x' * 63}.example.com"),
]


def listed(name: str, **more: object) -> JsonObject:
    return {"Name": name, "Type": "A", "TTL": 300, "ResourceRecords": [{"Value": "192.0.2.1"}], **more}  # type: ignore[dict-item]


def read(shape: JsonObject) -> ResourceRecordSet:
    return shapes.record_set(cast("ResourceRecordSetOutputTypeDef", shape))


@pytest.mark.parametrize(("report", "name", "canonical"), NAMES)
@pytest.mark.spec("R53-OB-011")
def test_a_listed_name_is_understood_and_deleted_under_the_very_name(report: str, name: str, canonical: str) -> None:
    found = read(listed(name))

    assert found.key.name == canonical, report
    assert shapes.record_set_shape(found)["Name"] == name


ROUTED: list[tuple[str, JsonObject]] = [
    ("kubernetes-sigs/external-dns#1698", {"SetIdentifier": "cluster1", "Weight": 1}),
    ("kubernetes-sigs/external-dns#4345", {"SetIdentifier": "us", "Region": "us-east-1"}),
    ("home-assistant/core#130658", {"SetIdentifier": "de", "GeoLocation": {"CountryCode": "DE"}}),
    ("kubernetes-sigs/external-dns#4927", {"SetIdentifier": "x", "GeoProximityLocation": {"AWSRegion": "us-east-1"}}),
    ("cert-manager/cert-manager#5388", {"SetIdentifier": "x", "MultiValueAnswer": True}),
    ("gardener/external-dns-management#295", {"SetIdentifier": "x", "CidrRoutingConfig": {"LocationName": "*"}}),
    ("presslabs/zinc#236", {"SetIdentifier": "x", "Failover": "PRIMARY", "HealthCheckId": "abc"}),
    ("airbnb/zonify#23", {"HealthCheckId": "abc"}),
    ("DNSControl/dnscontrol#585", {"TrafficPolicyInstanceId": "abc"}),
]


@pytest.mark.parametrize(("report", "more"), ROUTED)
@pytest.mark.spec("R53-RS-010")
def test_what_has_a_routing_policy_or_a_health_check_is_never_taken_for_ours(report: str, more: JsonObject) -> None:
    found = read(listed("www.example.com.", **more))

    assert found.routing, report
    assert not agree(item("A", a={"addresses": ["192.0.2.1"]}), found)
