"""Other people's record sets: never touched, clearly reported, adopted only when asked for and equal."""

import pytest

from libdnsapi.api.meta import JsonObject
from route53_controller.aws.api import RecordKey, ResourceRecordSet
from tests.route53_controller.zoneunit.strangers import zone_with
from tests.route53_controller.zoneunit.world import World, a, cname, leaving

NAME = "www.example.com"
FOREIGN = ResourceRecordSet(RecordKey(NAME, "A"), 60, ("198.51.100.1",))
EQUAL = ResourceRecordSet(RecordKey(NAME, "A"), 300, ("192.0.2.1",))
WEIGHTED = ResourceRecordSet(RecordKey(NAME, "A", "blue"), 60, ("198.51.100.1",), routing=(("Weight", "10"),))


@pytest.mark.spec("PC-AN-006", "PC-WR-004", "R53-RO-004")
async def test_a_foreign_record_set_is_a_conflict_and_stays() -> None:
    world = await zone_with(FOREIGN)
    await world.set_items(a("www"))
    await world.run(settled=world.settings.drift_interval / 2)
    assert world.programmed("www") == "False ProviderConflict"
    assert world.values(NAME) == ("198.51.100.1",)


@pytest.mark.spec("R53-RO-009")
async def test_deleting_a_claim_in_conflict_leaves_the_foreign_record_set() -> None:
    """Case 65."""
    world = await zone_with(FOREIGN)
    await world.set_items(a("www"))
    await world.run()
    await world.set_items(leaving(a("www")))
    await world.run()
    status = world.item_status("www")
    assert status is not None
    assert status.deletion_completed
    assert world.values(NAME) == ("198.51.100.1",)


@pytest.mark.spec("R53-RO-005", "R53-RO-006", "R53-RO-007")
@pytest.mark.parametrize(
    ("there", "adoption", "condition"),
    [
        (EQUAL, {"enabled": True}, "True Programmed"),
        (FOREIGN, {"enabled": True}, "False ExternalResourceMismatch"),
        (None, {"enabled": True}, "False ExternalResourceNotFound"),
        (None, {"enabled": True, "whenMissing": "Create"}, "True Programmed"),
        (EQUAL, {"enabled": False}, "False ProviderConflict"),
        (EQUAL, None, "False ProviderConflict"),
    ],
)
async def test_adoption_needs_an_equal_record_set(
    there: ResourceRecordSet | None, adoption: JsonObject | None, condition: str
) -> None:
    world = await zone_with(*([there] if there else []))
    await world.set_items(a("www", adoption=adoption) if adoption else a("www"))
    await world.run()
    assert world.programmed("www") == condition
    if there is not None:
        assert world.values(NAME) == there.values


@pytest.mark.spec("R53-RO-008")
async def test_an_adopted_record_set_is_ours_afterwards() -> None:
    world = await zone_with(EQUAL)
    await world.set_items(a("www", adoption={"enabled": True}))
    await world.run()
    await world.set_items(a("www", "192.0.2.7", generation=2))
    await world.run()
    assert world.values(NAME) == ("192.0.2.7",)


async def test_an_adoption_that_does_not_fit_is_not_accepted() -> None:
    world = await zone_with()
    await world.set_items(a("www", adoption={"enabled": "perhaps"}))
    await world.run()
    assert world.accepted("www") == "False InvalidAdoption"
    assert world.values(NAME) is None


@pytest.mark.spec("R53-RO-012")
async def test_routing_policies_of_others_are_a_conflict_that_names_the_set() -> None:
    """Case 23."""
    world = await zone_with(WEIGHTED)
    await world.set_items(a("www"))
    await world.run()
    assert world.programmed("www") == "False ProviderConflict"
    assert "blue" in world.message("www")
    assert not world.route53.batches


async def test_a_foreign_cname_conflicts_without_a_call() -> None:
    """Case 25."""
    world = await zone_with(ResourceRecordSet(RecordKey(NAME, "CNAME"), 60, ("x.example.net.",)))
    world.quiet()
    await world.set_items(a("www"), a("api"))
    await world.run()
    assert world.programmed("www") == "False ProviderConflict"
    assert world.programmed("api") == "True Programmed"
    assert world.route53.calls["ChangeResourceRecordSets"] == 1


@pytest.mark.spec("R53-RS-016")
async def test_a_cname_beside_foreign_records_is_a_conflict() -> None:
    world = await zone_with(EQUAL)
    await world.set_items(cname("www"))
    await world.run()
    assert world.programmed("www") == "False ProviderConflict"
    assert world.values(NAME) == ("192.0.2.1",)


@pytest.mark.spec("R53-RO-014")
async def test_a_conflict_heals_by_itself_when_the_foreign_record_set_goes() -> None:
    """Case 33."""
    world = await zone_with(FOREIGN)
    await world.set_items(a("www"))
    await world.run()
    world.route53.remove(world.zone_id, FOREIGN.key)
    await world.pass_time(world.settings.drift_interval)
    assert world.programmed("www") == "True Programmed"


@pytest.mark.spec("R53-OB-001", "R53-OB-002")
async def test_drift_of_what_is_ours_is_healed_and_nothing_else_is_touched() -> None:
    world = World()
    await world.set_items(a("www"))
    await world.run()
    other = ResourceRecordSet(RecordKey("mail.example.com", "MX"), 60, ("10 mx.example.net.",))
    world.route53.put(world.zone_id, FOREIGN, other)
    await world.pass_time(world.settings.drift_interval)
    assert world.values(NAME) == ("192.0.2.1",)
    assert world.values("mail.example.com", "MX") == other.values
    assert world.programmed("www") == "True Programmed"


@pytest.mark.spec("R53-WR-002")
async def test_a_foreign_edit_between_reading_and_writing_is_never_overwritten() -> None:
    world = World()
    await world.set_items(a("www"))
    await world.run()
    world.route53.put(world.zone_id, ResourceRecordSet(RecordKey("api.example.com", "A"), 60, ("198.51.100.9",)))
    world.route53.put(world.zone_id, FOREIGN)
    await world.set_items(a("www", "192.0.2.2", generation=2), a("api"))
    await world.run()
    assert world.values(NAME) == ("192.0.2.2",)
    assert world.programmed("www") == "True Programmed"
    assert world.values("api.example.com") == ("198.51.100.9",)
    assert world.programmed("api") == "False ProviderConflict"


@pytest.mark.spec("R53-WR-010")
async def test_a_type_change_is_one_batch() -> None:
    """Case 22."""
    world = World()
    await world.set_items(a("www", claim="old"))
    await world.run()
    before = len(world.route53.batches)
    await world.set_items(leaving(a("www", claim="old")), cname("www", claim="new"))
    await world.run()
    assert [len(changes) for _, changes in world.route53.batches[before:]] == [2]
    assert world.programmed("new") == "True Programmed"
    old = world.item_status("old")
    assert old is not None
    assert old.deletion_completed


@pytest.mark.spec("R53-WR-011")
@pytest.mark.parametrize("address", ["192.0.2.1", "192.0.2.2"])
async def test_a_handover_leaves_no_moment_without_an_answer(address: str) -> None:
    """Case 64."""
    world = World()
    await world.set_items(a("www", claim="old"))
    await world.run()
    await world.set_items(leaving(a("www", claim="old")), a("www", address, claim="new"))
    await world.run()
    assert world.programmed("new") == "True Programmed"
    assert world.values(NAME) == (address,)
    old = world.item_status("old")
    assert old is not None
    assert old.deletion_completed
    await world.set_items(a("www", address, claim="new"))
    await world.run()
    assert world.values(NAME) == (address,)


@pytest.mark.spec("CORE-AR-023", "R53-RO-011")
async def test_withheld_items_are_neither_created_nor_changed() -> None:
    world = World()
    await world.set_items(a("www"))
    await world.run()
    await world.set_items(a("www", "192.0.2.9", generation=2, allowed=False), a("new", allowed=False))
    await world.run()
    assert world.values(NAME) == ("192.0.2.1",)
    assert world.values("new.example.com") is None
    assert world.aggregate() == "True Programmed"
    await world.set_items(leaving(a("www", "192.0.2.9", generation=2, allowed=False)), a("new", allowed=False))
    await world.run()
    assert world.values(NAME) is None


@pytest.mark.spec("R53-WR-012")
async def test_of_two_items_with_one_identity_only_the_programmed_one_counts() -> None:
    world = World()
    await world.set_items(a("www", claim="one"))
    await world.run()
    await world.set_items(a("www", claim="one"), a("www", "192.0.2.9", claim="two"))
    await world.run()
    assert world.programmed("one") == "True Programmed"
    assert world.programmed("two") == "False ProviderChangeDeferred"
    assert world.values(NAME) == ("192.0.2.1",)


async def test_a_recreated_claim_inherits_nothing() -> None:
    world = World()
    await world.set_items(a("www"))
    await world.run()
    await world.set_items(leaving(a("www")))
    await world.run()
    await world.set_items()
    await world.run()
    world.route53.put(world.zone_id, FOREIGN)
    await world.annotate(reconcile_request="again")
    await world.set_items(a("www"))
    await world.run()
    assert world.programmed("www") == "False ProviderConflict"


async def test_the_apex_may_have_records_of_ours_beside_others_and_its_own_stay() -> None:
    """Cases 24 and 38."""
    spf = ResourceRecordSet(RecordKey("example.com", "TXT"), 60, ('"v=spf1 -all"',))
    world = await zone_with(spf)
    own = [found for key, found in world.route53.zones[world.zone_id].records.items() if key.type in ("NS", "SOA")]
    servers = {**a("@"), "type": "NS", "a": None, "ns": {"nameServers": ["ns1.example.net"]}, "recordSetName": "ns"}
    await world.set_items(a("@"), servers)
    await world.run()
    assert world.programmed("apex") == "True Programmed"
    assert world.programmed("ns") == "False ProviderInvalidRequest"
    await world.set_items(leaving(a("@")), leaving(servers))
    await world.run()
    after = list(world.route53.zones[world.zone_id].records.values())
    assert spf.values == world.values("example.com", "TXT")
    assert world.values("example.com") is None
    assert all(found in after for found in own)


async def test_an_address_that_becomes_an_alias_sends_one_or_the_other() -> None:
    """Case 34."""
    world = World()
    await world.set_items(a("www"), a("lb"))
    await world.run()
    alias = {"dnsName": "lb.example.com.", "hostedZoneID": world.zone_id, "evaluateTargetHealth": False}
    aliased = {**a("www", generation=2), "ttl": None, "a": None, "options": {"alias": alias}}
    await world.set_items(aliased, a("lb"))
    await world.run()
    sent = [change.record_set for change in world.route53.batches[-1][1]]
    assert [(found.ttl, len(found.values), found.alias is not None) for found in sent] == [
        (300, 1, False),
        (None, 0, True),
    ]
    assert world.programmed("www") == "True Programmed"


async def test_a_wildcard_comes_back_escaped_and_is_the_same_record() -> None:
    """Case 1."""
    world = World()
    await world.set_items(a("*.app", claim="wild"))
    await world.run()
    world.start()
    batches = len(world.route53.batches)
    await world.run()
    assert world.programmed("wild") == "True Programmed"
    assert len(world.route53.batches) == batches
    await world.set_items(leaving(a("*.app", claim="wild")))
    await world.run()
    assert not world.route53.records(world.zone_id)
