"""The owner's brakes: the guard against mass deletion, pause, restore; and the events that tell of changes."""

from datetime import timedelta

import pytest

from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject
from route53_controller.aws.api import RecordKey, ResourceRecordSet
from route53_controller.aws.errors import AwsFailure
from tests.route53_controller.zoneunit.world import (
    DOMAIN,
    UNIT,
    World,
    a,
    item,
    leaving,
    slice_document,
    unit_document,
    with_settings,
)

GUARDED = with_settings(max_delete_count=3, max_delete_percent=50)
NAMES = [f"n{number}" for number in range(6)]


async def six_records() -> World:
    world = World(settings=GUARDED)
    await world.set_items(*map(a, NAMES))
    await world.run()
    return world


BODIES: dict[str, JsonObject] = {
    "A": {"a": {"addresses": ["192.0.2.1"]}},
    "AAAA": {"aaaa": {"addresses": ["2001:db8::1"]}},
    "TXT": {"txt": {"values": ["x"]}},
}


def several(name: str, type_: str) -> JsonObject:
    """Return one of several items of a name; its claim is named after both."""
    return item(name, type_, claim=f"{name}-{type_}", ttl=300, **BODIES[type_])


def gone(world: World) -> int:
    return sum(world.values(f"{name}.{DOMAIN}") is None for name in NAMES)


@pytest.mark.spec("R53-GU-001")
async def test_unusually_many_deletions_are_held_until_their_token_is_given() -> None:
    world = await six_records()
    await world.set_items(*(leaving(a(name)) for name in NAMES[:5]), a("n5", "192.0.2.7", generation=2), a("new"))
    await world.run()
    assert gone(world) == 0
    assert world.programmed("n0") == "False ProviderChangeDeferred"
    assert world.reasons().count("Route53DeletionsHeld") == 1
    assert world.programmed("n5") == "True Programmed"
    assert world.programmed("new") == "True Programmed"
    token = world.zone_message().partition("confirm-deletions=")[2].rstrip(".")
    await world.annotate(confirm_deletions="0" * 12)
    await world.run()
    assert gone(world) == 0
    await world.annotate(confirm_deletions=token)
    await world.run()
    assert gone(world) == 5
    await world.set_items(*(leaving(a(name)) for name in NAMES[5:]), a("new"))
    await world.run()
    assert gone(world) == 5


async def test_the_zone_names_the_token_though_it_has_other_troubles() -> None:
    world = await six_records()
    world.route53.fail("ChangeTagsForResource", AwsFailure.ACCESS_DENIED, "AWS denied it", times=9)
    world.put_class({"tags": {"team": "dns"}})
    await world.set_items(*(leaving(a(name)) for name in NAMES))
    for _ in range(3):
        world.clock.jump(await world.step() or timedelta(seconds=5))
    assert world.zone_condition() == "False ProviderAccessDenied"
    assert f"confirm-deletions={world.state()['deletionGuard']['token']}" in world.zone_message()  # type: ignore[index,call-overload]


async def test_a_zone_that_is_being_deleted_names_the_token() -> None:
    world = await six_records()
    await world.delete_unit()
    await world.set_items(*(leaving(a(name)) for name in NAMES))
    await world.run()
    assert gone(world) == 0
    assert f"confirm-deletions={world.state()['deletionGuard']['token']}" in world.zone_message()  # type: ignore[index,call-overload]


async def test_the_event_names_the_token_of_all_that_is_held_in_the_end() -> None:
    world = await six_records()
    await world.set_items(*(leaving(a(name)) for name in NAMES[:4]), *map(a, NAMES[4:]))
    await world.step()
    for count in (5, 6):
        await world.set_items(*(leaving(a(name)) for name in NAMES[:count]), *map(a, NAMES[count:]))
        await world.run()
        token = world.zone_message().partition("confirm-deletions=")[2]
        told = [event.note for event in world.events if event.reason == "Route53DeletionsHeld"]
        assert len(told) == count - 4
        assert told[-1].endswith(token)


async def test_what_is_held_says_the_same_however_many_follow() -> None:
    world = await six_records()
    await world.set_items(*(leaving(a(name)) for name in NAMES[:4]), *map(a, NAMES[4:]))
    await world.run()
    before = world.item_status("n0")
    assert "4 deletions" in world.zone_message()
    await world.set_items(*(leaving(a(name)) for name in NAMES))
    await world.run()
    assert world.item_status("n0") == before
    assert "6 deletions" in world.zone_message()


async def test_the_owner_is_reminded_before_the_event_is_forgotten() -> None:
    world = await six_records()
    await world.set_items(*(leaving(a(name)) for name in NAMES))
    await world.run()
    assert world.reasons().count("Route53DeletionsHeld") == 1
    await world.pass_time(timedelta(minutes=46))
    assert world.reasons().count("Route53DeletionsHeld") == 2


@pytest.mark.parametrize("types", [("A", "AAAA"), ("A", "AAAA", "TXT")])
async def test_record_sets_are_counted_where_several_are_deleted_at_one_name(types: tuple[str, ...]) -> None:
    world = World(settings=GUARDED)
    documents = [several(name, type_) for name in NAMES for type_ in types]
    await world.set_items(*documents)
    await world.run()
    assert set(world.all_programmed().values()) == {"True Programmed"}
    await world.set_items(*map(leaving, documents))
    await world.run()
    assert all(world.values(f"{name}.{DOMAIN}", type_) for name in NAMES for type_ in types)
    assert f"{len(documents)} deletions" in world.zone_message()


@pytest.mark.parametrize("limit", [3, 100])
async def test_deletions_beside_an_edit_of_the_same_name_are_counted_and_the_edit_goes_on(limit: int) -> None:
    world = World(settings=with_settings(max_delete_count=limit, max_delete_percent=50))
    documents = [several(name, type_) for name in NAMES for type_ in BODIES]
    await world.set_items(*documents)
    await world.run()
    assert set(world.all_programmed().values()) == {"True Programmed"}
    edited = [item(n, "TXT", claim=f"{n}-TXT", ttl=300, generation=2, txt={"values": ["y"]}) for n in NAMES]
    await world.set_items(*(leaving(each) for each in documents if each["type"] != "TXT"), *edited)
    await world.run()
    stand = [world.values(f"{name}.{DOMAIN}", type_) is not None for name in NAMES for type_ in ("A", "AAAA")]
    assert set(stand) == {limit == 3}
    assert {world.values(f"{name}.{DOMAIN}", "TXT") for name in NAMES} == {('"y"',)}
    assert {world.programmed(f"{name}-TXT") for name in NAMES} == {"True Programmed"}
    if limit == 3:
        token = world.zone_message().partition("confirm-deletions=")[2].rstrip(".")
        await world.annotate(confirm_deletions=token)
        await world.run()
        assert not any(world.values(f"{name}.{DOMAIN}", type_) for name in NAMES for type_ in ("A", "AAAA"))


async def test_record_sets_of_one_name_that_went_before_are_counted_each() -> None:
    world = World(settings=GUARDED)
    documents = [several(name, type_) for name in NAMES[:2] for type_ in ("A", "AAAA")]
    await world.set_items(*documents)
    await world.run()
    assert set(world.all_programmed().values()) == {"True Programmed"}
    for count in (2, 4):
        await world.set_items(*map(leaving, documents[:count]), *documents[count:])
        await world.run()
    assert world.values(f"n0.{DOMAIN}") is None
    assert world.values(f"n1.{DOMAIN}", "AAAA") is not None


@pytest.mark.spec("R53-GU-002")
async def test_a_token_lets_exactly_what_was_wanted_go() -> None:
    world = await six_records()
    await world.set_items(*(leaving(a(name)) for name in NAMES[:4]), *map(a, NAMES[4:]))
    await world.run()
    token = world.zone_message().partition("confirm-deletions=")[2].rstrip(".")
    await world.set_items(*(leaving(a(name)) for name in NAMES[:5]), *map(a, NAMES[5:]))
    await world.annotate(confirm_deletions=token)
    await world.run()
    assert gone(world) == 0


@pytest.mark.spec("R53-GU-004")
async def test_few_deletions_and_small_shares_go_at_once() -> None:
    world = await six_records()
    await world.set_items(*(leaving(a(name)) for name in NAMES[:3]), *map(a, NAMES[3:]))
    await world.run()
    assert gone(world) == 3


@pytest.mark.spec("R53-GU-003")
async def test_a_trickle_of_deletions_is_counted_together() -> None:
    world = await six_records()
    for count in range(1, 6):
        await world.set_items(*(leaving(a(name)) for name in NAMES[:count]), *map(a, NAMES[count:]))
        await world.run()
    assert gone(world) == 3


@pytest.mark.spec("R53-GU-004")
async def test_the_guard_can_be_turned_off() -> None:
    world = World(settings=with_settings(max_delete_count=0))
    await world.set_items(*map(a, NAMES))
    await world.run()
    await world.set_items(*(leaving(a(name)) for name in NAMES))
    await world.run()
    assert gone(world) == 6


@pytest.mark.spec("R53-GU-005")
async def test_a_deleting_zone_whose_class_says_delete_is_exempt() -> None:
    world = World(settings=GUARDED, parameters={"zoneDeletionPolicy": "Delete"})
    await world.set_items(*map(a, NAMES))
    await world.run()
    await world.kubernetes.merge_patch(ZONES, UNIT, {"metadata": {"finalizers": ["x/y"]}})
    await world.kubernetes.delete(ZONES, UNIT)
    world.sync()
    await world.set_items(*(leaving(a(name)) for name in NAMES))
    await world.run()
    assert gone(world) == 6


@pytest.mark.spec("R53-GU-006")
async def test_a_paused_zone_is_observed_and_not_written() -> None:
    world = World()
    await world.set_items(a("www"))
    await world.run()
    await world.annotate(paused="true")
    await world.set_items(a("www", "192.0.2.9", generation=2), a("new"))
    world.quiet()
    await world.run()
    assert world.route53.calls["ChangeResourceRecordSets"] == 0
    assert world.programmed("www") == "False ProviderChangeDeferred"
    assert "paused" in world.message("new")
    await world.annotate(paused=None)
    await world.run()
    assert world.programmed("www") == "True Programmed"


@pytest.mark.spec("R53-GU-006")
async def test_a_paused_zone_is_not_created() -> None:
    world = World()
    await world.annotate(paused="true")
    await world.run()
    assert world.zone_condition() == "False ProviderChangePending"
    assert not world.route53.zones


@pytest.mark.spec("R53-GU-007")
@pytest.mark.parametrize(
    ("restore", "expected"), [("adopt-matching", "True Programmed"), ("", "False ProviderConflict")]
)
async def test_a_restored_ledger_takes_over_what_equals_it(restore: str, expected: str) -> None:
    """Case 70."""
    world = World()
    zone = world.route53.add_zone(DOMAIN)
    world.route53.put(
        zone.id,
        ResourceRecordSet(RecordKey("www.example.com", "A"), 300, ("192.0.2.1",)),
        ResourceRecordSet(RecordKey("api.example.com", "A"), 300, ("198.51.100.1",)),
        ResourceRecordSet(RecordKey("late.example.com", "A"), 300, ("192.0.2.1",)),
    )
    document = unit_document({"hostedZoneId": zone.id})
    document["spec"]["recordSets"] = [a("www"), a("api")]  # type: ignore[index,call-overload]
    if restore:
        document["metadata"]["annotations"] = {"dns.appthrust.io/restore": restore}  # type: ignore[index,call-overload]
    world.put(ZONE_UNITS, document)
    await world.run()
    assert world.programmed("www") == expected
    assert world.programmed("api") == "False ProviderConflict"
    await world.set_items(a("www"), a("api"), a("late"))
    await world.run()
    assert world.programmed("late") == "False ProviderConflict"
    assert world.values("api.example.com") == ("198.51.100.1",)


@pytest.mark.spec("R53-GU-010")
async def test_a_ledger_that_is_restored_with_its_status_goes_on_where_it_was() -> None:
    """Also under other uids, as objects that are created again have them."""
    world = World()
    await world.set_items(a("www"))
    await world.run()
    document = world.kubernetes.read(ZONE_UNITS, UNIT)
    assert document is not None
    document["metadata"]["uid"] = "another"  # type: ignore[index,call-overload]
    world.put(ZONE_UNITS, document)
    world.start()
    world.quiet()
    await world.set_items(a("www", "192.0.2.9", generation=2))
    await world.run()
    assert world.zone_condition() == "True Programmed"
    assert world.programmed("www") == "True Programmed"
    assert world.values("www.example.com") == ("192.0.2.9",)
    assert len(world.route53.zones) == 1


@pytest.mark.spec("R53-GU-007", "R53-GU-010")
async def test_slices_that_are_restored_after_their_zone_unit_are_covered_as_well() -> None:
    """They cannot come with it; what is first seen is the ledger once it has come to rest."""
    world = World()
    zone = world.route53.add_zone(DOMAIN)
    for name in ("www", "api", "late"):
        world.route53.put(zone.id, ResourceRecordSet(RecordKey(f"{name}.example.com", "A"), 300, ("192.0.2.1",)))
    document = unit_document({"hostedZoneId": zone.id})
    document["spec"]["recordSets"] = [a("www")]  # type: ignore[index,call-overload]
    document["metadata"]["annotations"] = {"dns.appthrust.io/restore": "adopt-matching"}  # type: ignore[index,call-overload]
    world.put(ZONE_UNITS, document)
    await world.step()
    world.clock.jump(timedelta(seconds=4))
    slice_ = slice_document("example-com-0")
    slice_["spec"]["recordSets"] = [a("api")]  # type: ignore[index,call-overload]
    world.put(ZONE_UNIT_SLICES, slice_)
    await world.run()
    assert world.all_programmed() == {"www": "True Programmed", "api": "True Programmed"}
    await world.pass_time(timedelta(minutes=1))
    await world.set_items(a("www"), a("late"))
    await world.run()
    assert world.programmed("late") == "False ProviderConflict"


@pytest.mark.spec("PC-AN-003", "R53-OB-003")
async def test_a_reconcile_request_looks_again_and_sends_nothing() -> None:
    world = World()
    await world.set_items(a("www"))
    await world.run()
    world.quiet()
    await world.annotate(reconcile_request="one")
    await world.run()
    assert world.route53.calls["ListResourceRecordSets"] == 1
    assert world.route53.calls["ChangeResourceRecordSets"] == 0
    assert world.programmed("www") == "True Programmed"


@pytest.mark.spec("CORE-RE-014", "R53-EV-001", "R53-EV-002")
async def test_events_name_each_record_set_with_its_zone() -> None:
    """Case 77."""
    world = World()
    world.claim("www")
    await world.set_items(a("www"), a("unknown"))
    await world.run()
    mine = [event for event in world.events if event.regarding.kind == "RecordSet"]
    assert [event.reason for event in mine] == ["Route53RecordSetChangeSubmitted", "Route53RecordSetChangeInSync"]
    assert {event.regarding.name for event in mine} == {"www"}
    assert all(event.regarding.uid for event in mine)
    assert all(event.related is not None and event.related.name == UNIT.name for event in mine)
    zone = [event.reason for event in world.events if event.regarding.kind == "Zone"]
    assert zone == ["Route53HostedZoneChangeSubmitted", "Route53HostedZoneChangeInSync"]
    world.quiet()
    await world.set_items(leaving(a("www")), a("unknown"))
    await world.run()
    assert world.reasons() == [
        "Route53RecordSetChangeSubmitted",
        "Route53RecordSetChangeInSync",
        "ExternalResourceDeleted",
    ]
