"""What `examples/migrate/recordsets.jq` makes of a hosted zone claims exactly what stands there, or says why not."""

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, NamedTuple, cast

import pytest

from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.dns.zoneunit import RecordSetItem
from libdnsapi.api.meta import JsonObject
from libdnsapi.dns.names import record_name_problem
from libdnsapi.dns.records import content_problems
from route53_controller.aws import shapes
from route53_controller.aws.wire.record_sets import desired_record_set, matches
from tests.docs.test_links import ROOT

if TYPE_CHECKING:
    from types_aiobotocore_route53.type_defs import ResourceRecordSetOutputTypeDef

PROGRAM = ROOT / "examples" / "migrate" / "recordsets.jq"
DOMAIN = "example.com"
ALIAS: JsonObject = {
    "HostedZoneId": "Z35SXDOTRQ7X7K",
    "DNSName": "Dualstack.lb.example.net.",
    "EvaluateTargetHealth": True,
}


class Outcome(NamedTuple):
    """The RecordSets that the program wrote, and what it said."""

    items: list[RecordSet]
    said: str


def plain(name: str, type_: str, *values: str, ttl: int = 300) -> JsonObject:
    """Return a record set as Route 53 lists it."""
    return {"Name": name, "Type": type_, "TTL": ttl, "ResourceRecords": [{"Value": value} for value in values]}


KEPT = [
    plain("example.com.", "A", "192.0.2.1", "192.0.2.2"),
    plain("apex.example.com.", "A", "192.0.2.3"),
    plain("\\052.apps.example.com.", "AAAA", "2001:db8::1"),
    plain("example.com.", "TXT", '"v=spf1 ~all"', '"say \\"a\\\\b\\""', '"a\\\\1 \\052"'),
    plain("\\052.example.com.", "TXT", '"v=spf1 ip4:192.0.2.1 ""ip4:192.0.2.2 ~all"'),
    plain("_dmarc.example.com.", "TXT", f'"{"x" * 255}" "{"y" * 10}"'),
    plain("_x.example.com.", "CNAME", "_Y.acm-validations.aws."),
    plain("blog.example.com.", "CNAME", "www.example.com", ttl=60),
    plain("example.com.", "MX", "10 Mail.example.net.", "20 mail2.example.net."),
    plain("null.example.com.", "MX", "0 ."),
    plain("wide.example.com.", "MX", "10  mail.example.net.", "20\tmail2.example.net"),
    plain("example.com.", "CAA", '0 issue "letsencrypt.org"', '128 iodef "mailto:a@example.com"'),
    plain("labs.example.com.", "NS", "ns1.example.net.", "ns2.example.net."),
    {"Name": "www.example.com.", "Type": "A", "AliasTarget": ALIAS},
    {"Name": "www2.example.com.", "Type": "A", "AliasTarget": {**ALIAS, "HostedZoneId": "/hostedzone/ZAAA"}},
]
LEFT = [
    (plain("sip.example.com.", "SRV", "1 2 3 sip.example.net."), "its type is none of the seven"),
    (plain("w.example.com.", "A", "192.0.2.1") | {"SetIdentifier": "blue", "Weight": 1}, "it has a routing policy"),
    (plain("h.example.com.", "A", "192.0.2.1") | {"HealthCheckId": "1"}, "it has a health check"),
    (plain("a\\100b.example.com.", "A", "192.0.2.1"), "its name has signs that no name may have here"),
    (plain("a.\\052.example.com.", "A", "192.0.2.1"), "its name has signs that no name may have here"),
    (plain("s1_2048._domainkey.example.com.", "TXT", '"x"'), "its name has signs that no name may have here"),
    (plain("-a.example.com.", "A", "192.0.2.1"), "its name has signs that no name may have here"),
    (plain("_a.example.com.", "A", "192.0.2.1"), "only TXT and CNAME may have underscores"),
    (plain("my_host.example.com.", "A", "192.0.2.1"), "only TXT and CNAME may have underscores"),
    (plain("c.example.com.", "CNAME", "\\052.example.net."), "its target has signs that no target may have here"),
    (plain("c.example.com.", "CNAME", "my_lb.example.net."), "its target has signs that no target may have here"),
    (plain("m.example.com.", "MX", "10 mail_1.example.net."), "its target has signs that no target may have here"),
    (plain("n.example.com.", "NS", "ns_1.example.net."), "its target has signs that no target may have here"),
    (plain("i.example.com.", "MX", "10 mail.example.net.", "20 192.0.2.1."), "its target is an address"),
    (plain("i.example.com.", "CNAME", "192.0.2.1"), "its target is an address"),
    (plain("i.example.com.", "MX", "0 .", "10 mail.example.net."), "it says beside others that there is no mail"),
    (plain("c.example.com.", "CAA", '0 issue "\\303\\244"'), "its value is not printable ASCII alone"),
    (plain("\\052.n.example.com.", "NS", "ns1.example.net."), "a wildcard cannot be delegated here"),
    (plain("e.example.com.", "TXT", '"x"', '""'), "it has an empty text"),
    (plain("d.example.com.", "TXT", '"a" "b"', '"ab"'), "two of its texts are the same"),
    (plain("c.example.com.", "CAA", '0 issue ""'), "it has an empty value"),
    (plain("v.example.com.", "AAAA", "::ffff:192.0.2.1"), "it has an IPv4 address among its IPv6 addresses"),
    (plain("t.example.com.", "TXT", '"\\303\\244"'), "its text is not printable ASCII alone"),
    (plain("z.example.com.", "A", "192.0.2.1", ttl=0), "its TTL is 0"),
    ({"Name": "m.example.com.", "Type": "MX", "AliasTarget": ALIAS}, "it is an alias of another type than A and AAAA"),
]


def taken_over(*record_sets: JsonObject) -> Outcome:
    """Run the program on a listing, as the page says."""
    if shutil.which("jq") is None and "GITHUB_ACTIONS" not in os.environ:
        pytest.skip("jq is not installed")
    arguments = ["--arg", "domain", DOMAIN, "--arg", "zone", "dns-platform/zone", "--arg", "namespace", "team-a"]
    answer = subprocess.run(  # noqa: S603 — our own program
        ["jq", "--from-file", str(PROGRAM), *arguments],  # noqa: S607 — whichever jq the reader has
        input=json.dumps({"ResourceRecordSets": record_sets}),
        capture_output=True,
        text=True,
        check=True,
    )
    items = [RecordSet.model_validate(one) for one in json.loads(answer.stdout)["items"]]
    return Outcome(items, answer.stderr)


def item(claim: RecordSet) -> RecordSetItem:
    """Return the ledger's item of a claim."""
    content = claim.spec.model_dump(by_alias=True, exclude_none=True, exclude={"zone_ref", "provider"})
    owner = {"recordSetNamespace": claim.metadata.namespace, "recordSetName": claim.metadata.name}
    return RecordSetItem.model_validate({**content, **owner})


@pytest.mark.parametrize("listed", KEPT, ids=lambda listed: f"{listed['Name']} {listed['Type']}")
def test_a_record_set_is_claimed_as_it_stands(listed: JsonObject) -> None:
    (claim,) = taken_over(listed).items
    spec, alias = claim.spec, claim.spec.options is not None
    observed = shapes.record_set(cast("ResourceRecordSetOutputTypeDef", listed))
    disabled = frozenset({"require-ttl", "require-a-addresses"}) if alias else frozenset()

    assert spec.adoption == {"enabled": True}
    assert matches(desired_record_set(item(claim), DOMAIN), observed)
    assert record_name_problem(spec.name, spec.type) is None
    assert list(content_problems(spec.name, spec.type, spec, disabled)) == []


def test_no_two_claims_have_one_name_and_none_is_lost() -> None:
    claims = taken_over(*KEPT).items

    assert len({claim.metadata.name for claim in claims}) == len(claims) == len(KEPT)


@pytest.mark.parametrize(("listed", "why"), LEFT, ids=lambda part: part if isinstance(part, str) else part["Name"])
def test_what_cannot_be_held_is_left_and_named(listed: JsonObject, why: str) -> None:
    result = taken_over(listed)

    assert result.items == []
    assert f"left as it is: {listed['Name']} {listed['Type']}: {why}".replace("\\", "\\\\") in result.said


def test_the_name_servers_of_the_domain_itself_are_left_without_a_word() -> None:
    own = (plain("example.com.", "NS", "ns-1.example.net."), plain("example.com.", "SOA", "a. b. 1 2 3 4 5"))

    assert taken_over(*own) == Outcome([], "")
