"""Taking over what ExternalDNS wrote: equal records become ours without a write, its markers are nobody's business.

It keeps a TXT record beside each record. For `app.example.com A` that is `a-app`, or `app` itself before v0.18,
has a prefix or suffix in its first label, or is encrypted; for wildcards the asterisk may be replaced.
Source: ExternalDNS, docs/registry/txt.md.
"""

import pytest

from libdnsapi.api.meta import JsonObject
from route53_controller.aws.api import AliasRecord, RecordKey, ResourceRecordSet
from tests.route53_controller.zoneunit.test_conflicts import zone_with
from tests.route53_controller.zoneunit.world import World, a, cname, item, leaving

HERITAGE = '"heritage=external-dns,external-dns/owner=prod,external-dns/resource=ingress/app/web"'
ENCRYPTED = '"h8UQ6jelUFUsEIn7SbFktc2MYXPx/q8lySqI4VwNVfVaB8sKjSj7nZ8nCyJ8bC1XyEgqw7Ng6RcD5Gc="'
MATCHING: JsonObject = {"enabled": True, "whenMissing": "Create"}
ELB, ELB_ZONE = "lb-1.eu-west-1.elb.amazonaws.com.", "Z32O12XQLNTSW2"


def record(name: str, type_: str, *values: str) -> ResourceRecordSet:
    return ResourceRecordSet(RecordKey(_full(name), type_), 300, values)


def alias(name: str, type_: str) -> ResourceRecordSet:
    return ResourceRecordSet(
        RecordKey(_full(name), type_), None, alias=AliasRecord(ELB.removesuffix("."), ELB_ZONE, True)
    )


def marker(name: str, value: str = HERITAGE) -> ResourceRecordSet:
    return record(name, "TXT", value)


def aliased(name: str, type_: str = "A") -> JsonObject:
    target: JsonObject = {"dnsName": ELB, "hostedZoneID": ELB_ZONE, "evaluateTargetHealth": True}
    return item(name, type_, claim=f"{name}-{type_.lower()}", options={"alias": target}, adoption=MATCHING)


def _full(name: str) -> str:
    return "example.com" if name == "@" else f"{name}.example.com"


APP = record("app", "A", "192.0.2.1")
CASES = [
    # what is wanted, the record, its markers
    (a("app", adoption=MATCHING), APP, [marker("a-app")]),
    (a("app", adoption=MATCHING), APP, [marker("app")]),
    (a("app", adoption=MATCHING), APP, [marker("app"), marker("a-app")]),
    (a("app", adoption=MATCHING), APP, [marker("a-app", ENCRYPTED)]),
    (a("app", adoption=MATCHING), APP, [marker("xdns-a-app"), marker("xdns-app")]),
    (a("app", adoption=MATCHING), APP, [marker("a-app-xdns")]),
    (a("app", adoption=MATCHING), APP, [marker("a-registry.app")]),
    (a("*.app", adoption=MATCHING), record("*.app", "A", "192.0.2.1"), [marker("a-*.app")]),
    (a("*.app", adoption=MATCHING), record("*.app", "A", "192.0.2.1"), [marker("a-any.app"), marker("any.app")]),
    (a("@", adoption=MATCHING), record("@", "A", "192.0.2.1"), [marker("a-registry")]),
    (a("@", adoption=MATCHING), record("@", "A", "192.0.2.1"), [record("@", "TXT", '"v=spf1 -all"', HERITAGE)]),
    (cname("app", adoption=MATCHING), record("app", "CNAME", "lb.example.net"), [marker("cname-app")]),
    (aliased("app"), alias("app", "A"), [marker("cname-app"), marker("a-app")]),
    (aliased("app", "AAAA"), alias("app", "AAAA"), [marker("aaaa-app")]),
]


async def take_over(wanted: JsonObject, *there: ResourceRecordSet) -> World:
    world = await zone_with(*there)
    world.route53.batches.clear()
    await world.set_items(wanted)
    await world.run()
    return world


@pytest.mark.parametrize(("wanted", "there", "markers"), CASES)
@pytest.mark.spec("R53-RO-005")
async def test_a_record_of_external_dns_is_taken_over_without_a_write_and_goes_without_its_markers(
    wanted: JsonObject, there: ResourceRecordSet, markers: list[ResourceRecordSet]
) -> None:
    world = await take_over(wanted, there, *markers)
    claim = str(wanted["recordSetName"])
    assert world.programmed(claim) == "True Programmed"
    assert world.route53.batches == []

    await world.set_items(leaving(wanted))
    await world.run()

    left = list(world.route53.records(world.zone_id).values())
    assert there not in left
    assert all(one in left for one in markers)


@pytest.mark.spec("R53-RO-005")
async def test_the_ipv6_alias_beside_an_ipv4_one_is_not_taken_over_unless_it_is_asked_for() -> None:
    """ExternalDNS makes both for every load balancer; here the second one is made where the target has IPv6."""
    both = (alias("app", "A"), alias("app", "AAAA"))
    world = await take_over(aliased("app"), *both)
    await world.set_items(aliased("app"), aliased("app", "AAAA"))
    await world.run()

    assert world.programmed("app-aaaa") == "True Programmed"
    assert world.route53.batches == []


@pytest.mark.spec("R53-RO-004")
async def test_a_marker_at_the_very_name_is_in_the_way_of_a_cname_until_somebody_deletes_it() -> None:
    world = await take_over(cname("app", adoption=MATCHING), marker("app"))
    assert world.programmed("app") == "False ProviderConflict"

    world.route53.remove(world.zone_id, marker("app").key)
    await world.pass_time(world.settings.drift_interval * 2)
    await world.run()

    assert world.programmed("app") == "True Programmed"
