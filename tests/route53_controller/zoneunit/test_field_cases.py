"""Bug reports on other DNS controllers that name the provider, each as a small zone with the right outcome."""

import pytest

from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.meta import JsonObject
from route53_controller.aws import wire
from route53_controller.aws.api import RecordKey, ResourceRecordSet
from tests.route53_controller.zoneunit.strangers import zone_with
from tests.route53_controller.zoneunit.world import DOMAIN, UNIT, World, a, cname, item, leaving

CHALLENGE = f"_acme-challenge.{DOMAIN}"
SPF = ResourceRecordSet(RecordKey(DOMAIN, "TXT"), 300, ('"v=spf1 -all"',))


def txt(name: str, *values: str, **more: object) -> JsonObject:
    return item(name, "TXT", ttl=300, txt={"values": list(values)}, claim="txt", **more)


def ns(name: str, *servers: str) -> JsonObject:
    return item(name, "NS", ttl=300, ns={"nameServers": list(servers)}, claim="ns")


@pytest.mark.spec("R53-RO-001")
async def test_a_label_of_63_characters_needs_no_other_name() -> None:
    """Case 19."""
    world = World()
    await world.set_items(a("x" * 63, claim="long"))
    await world.run()
    assert world.programmed("long") == "True Programmed"
    assert [key.name for key in world.route53.records(world.zone_id)] == [f"{'x' * 63}.{DOMAIN}"]


async def test_the_apex_is_managed_beside_a_foreign_spf_text() -> None:
    """Case 24."""
    world = await zone_with(SPF)
    await world.set_items(a("@"))
    await world.run()
    assert world.programmed("apex") == "True Programmed"
    assert world.values(DOMAIN, "TXT") == SPF.values
    await world.set_items(leaving(a("@")))
    await world.run()
    assert world.values(DOMAIN) is None
    assert world.values(DOMAIN, "TXT") == SPF.values


@pytest.mark.spec("R53-RS-016")
async def test_a_cname_at_the_apex_is_a_conflict_without_a_call() -> None:
    """Case 24."""
    world = await zone_with()
    world.quiet()
    await world.set_items(cname("@"))
    await world.run()
    assert world.programmed("apex") == "False ProviderConflict"
    assert not world.route53.calls["ChangeResourceRecordSets"]


@pytest.mark.spec("R53-RS-012")
async def test_the_zones_own_name_servers_are_never_written_and_a_delegation_only_if_owned() -> None:
    """Case 38."""
    foreign = ResourceRecordSet(RecordKey(f"their.{DOMAIN}", "NS"), 300, ("ns.example.net.",))
    world = await zone_with(foreign)
    zone = world.route53.zones[world.zone_id]
    apex = {key: found for key, found in zone.records.items() if key.name == DOMAIN}
    await world.set_items(ns("@", "ns.example.net"))
    await world.run()
    assert world.programmed("ns") == "False ProviderInvalidRequest"
    await world.set_items(ns("sub", "ns.example.net"))
    await world.run()
    assert world.programmed("ns") == "True Programmed"
    await world.set_items(leaving(ns("sub", "ns.example.net")))
    await world.run()
    assert world.values(f"sub.{DOMAIN}", "NS") is None
    assert world.values(foreign.key.name, "NS") == foreign.values
    assert {key: found for key, found in zone.records.items() if key.name == DOMAIN} == apex


@pytest.mark.spec("R53-RS-012")
async def test_a_forged_mark_makes_the_zones_own_name_servers_nobodys() -> None:
    """Case 38: whoever restores a ledger writes its status, too."""
    world = await zone_with()
    zone = world.route53.zones[world.zone_id]
    apex = dict(zone.records)
    await world.set_items(ns("@", "ns.example.net"))
    await world.run()
    marked: JsonObject = {"hostedZoneID": world.zone_id, "recordName": f"{DOMAIN}.", "recordType": "NS"}
    entry: JsonObject = {
        "recordSetNamespace": "app",
        "recordSetName": "ns",
        "observedGeneration": 1,
        "provider": {"state": marked},
    }
    forged: JsonObject = {"status": {"recordSets": [entry]}}
    await world.kubernetes.merge_patch(ZONE_UNITS, UNIT, forged, subresource="status")
    world.sync()
    world.start()
    await world.set_items(leaving(ns("@", "ns.example.net")))
    world.quiet()
    await world.run()
    assert not world.route53.calls["ChangeResourceRecordSets"]
    assert zone.records == apex
    status = world.item_status("ns")
    assert status is not None
    assert status.deletion_completed


@pytest.mark.parametrize("change", ["", "C1"])
async def test_a_forged_intent_makes_the_zones_own_name_servers_nobodys(change: str) -> None:
    world = World()
    await world.run()
    key = RecordKey(DOMAIN, "NS")
    affected: JsonObject = {
        "namespace": "app",
        "name": "apex",
        "digest": wire.digest(world.route53.zones[world.zone_id].records[key]),
    }
    forged: JsonObject = {
        "id": change,
        "submittedAt": "2026-01-01T00:00:00Z",
        "status": "PENDING" if change else "SUBMITTING",
        "operation": "UPSERT_BATCH",
        "affectedRecordSets": [affected],
    }
    state: JsonObject = {**world.state(), "pendingRecordSetChanges": [forged]}
    patch: JsonObject = {"status": {"provider": {"state": state}}}
    await world.kubernetes.merge_patch(ZONE_UNITS, UNIT, patch, subresource="status")
    await world.set_items(leaving(item("@", "NS", claim="apex", ns={"nameServers": ["ns1.example.net"]})))
    world.start()
    await world.run()
    assert not world.route53.batches
    status = world.item_status("apex")
    assert status is not None
    assert status.deletion_completed


@pytest.mark.spec("R53-RO-004")
async def test_the_text_of_a_stranger_is_not_merged_into_and_survives() -> None:
    """Case 42: this API gives a record set to one claim; what a stranger has there is a conflict and stays."""
    foreign = ResourceRecordSet(RecordKey(CHALLENGE, "TXT"), 300, ('"theirs"',))
    world = await zone_with(foreign)
    await world.set_items(txt("_acme-challenge", "ours"))
    await world.run()
    assert world.programmed("txt") == "False ProviderConflict"
    await world.set_items(leaving(txt("_acme-challenge", "ours")))
    await world.run()
    assert world.values(CHALLENGE, "TXT") == foreign.values


@pytest.mark.spec("R53-RO-005", "R53-RS-004")
@pytest.mark.parametrize(
    ("seen", "condition"),
    [
        (('"ab"',), "True Programmed"),
        (('"a" "b"',), "True Programmed"),
        (('"\\141b"',), "True Programmed"),
        (('"ab"', '"c"'), "False ExternalResourceMismatch"),
    ],
)
async def test_a_text_is_adopted_by_its_meaning(seen: tuple[str, ...], condition: str) -> None:
    """Case 35: what exists is taken over by an explicit step in the claim, and only if it is equal."""
    world = await zone_with(ResourceRecordSet(RecordKey(CHALLENGE, "TXT"), 300, seen))
    await world.set_items(txt("_acme-challenge", "ab", adoption={"enabled": True}))
    await world.run()
    assert world.programmed("txt") == condition
    assert world.values(CHALLENGE, "TXT") == seen


@pytest.mark.spec("R53-OB-011")
async def test_a_wildcard_lives_and_dies_under_its_own_name() -> None:
    """Case 1."""
    world = World()
    await world.set_items(a("*.app"))
    await world.run()
    world.quiet()
    await world.annotate(reconcile_request="again")
    await world.run()
    assert world.programmed("any.app") == "True Programmed"
    assert world.route53.calls["ChangeResourceRecordSets"] == 0
    await world.set_items(leaving(a("*.app")))
    await world.run()
    assert world.values(f"*.app.{DOMAIN}") is None


@pytest.mark.spec("R53-RS-014")
async def test_an_alias_is_programmed_as_given_and_healed_like_any_other() -> None:
    """Cases 3, 4 and 34."""
    world = await zone_with(ResourceRecordSet(RecordKey(f"lb.{DOMAIN}", "A"), 60, ("192.0.2.8",)))
    target = {"dnsName": f"lb.{DOMAIN}.", "hostedZoneID": world.zone_id, "evaluateTargetHealth": True}
    alias = {**a("www"), "ttl": None, "a": None, "options": {"alias": target}}
    await world.set_items(alias)
    await world.run()
    assert world.programmed("www") == "True Programmed"
    found = world.route53.records(world.zone_id)[RecordKey(f"www.{DOMAIN}", "A")]
    assert (found.ttl, found.values) == (None, ())
    assert found.alias is not None
    assert (found.alias.dns_name, found.alias.hosted_zone_id) == (f"lb.{DOMAIN}", world.zone_id)
    world.quiet()
    await world.annotate(reconcile_request="again")
    await world.run()
    assert world.route53.calls["ChangeResourceRecordSets"] == 0
    world.route53.put(world.zone_id, ResourceRecordSet(RecordKey(f"www.{DOMAIN}", "A"), 60, ("192.0.2.9",)))
    await world.annotate(reconcile_request="once more")
    await world.run()
    assert world.route53.records(world.zone_id)[RecordKey(f"www.{DOMAIN}", "A")] == found
