"""The way of a claim through the ledger and back."""

import pytest

from core_controller.zoneunit.snapshot import Limits
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import NAMESPACES, ObjectKey
from libdnsapi.api.names import RECORDSET_FINALIZER, ZONE_FINALIZER, ZONEUNIT_FINALIZER
from tests.core_controller.zoneunit.objects import (
    ZONE,
    allow,
    cname,
    namespace,
    platform,
    record_set,
    renamed,
    zone,
)
from tests.core_controller.zoneunit.reading import PROGRAMMED, WWW, message, words
from tests.core_controller.zoneunit.world import World


@pytest.mark.spec(
    "CORE-ZN-015", "CORE-ZN-016", "CORE-ZS-001", "CORE-ZS-003", "CORE-ZU-001", "CORE-ZU-006", "CORE-DL-001"
)
async def test_an_accepted_zone_gets_a_ledger_and_its_results(world: World) -> None:
    world.put(zone())
    await world.settle()
    found = world.zone(ZONE)
    assert {c.type: (c.status, c.reason) for c in found.status.conditions} == {
        "Accepted": ("True", "Accepted"),
        "Programmed": ("True", "Programmed"),
    }
    assert found.metadata.finalizers == (ZONE_FINALIZER,)
    assert found.status.name_servers == ("ns-1.example.net", "ns-2.example.net")
    assert found.status.provider is not None
    assert found.status.provider.data == {"hostedZoneID": "Z123"}
    unit = world.unit(ZONE)
    assert ZONEUNIT_FINALIZER in unit.metadata.finalizers
    assert unit.spec.zone.domain_name == "example.com"
    assert unit.spec.zone.zone_class_ref.key == ObjectKey("platform", "public")


@pytest.mark.spec("CORE-RS-003", "CORE-RS-015", "CORE-ZU-010", "CORE-RT-003")
async def test_an_accepted_record_set_is_placed_inline_and_programmed(served: World) -> None:
    served.put(record_set("www"))
    await served.settle()
    claim = served.record_set(WWW)
    assert words(served, WWW) == {"Accepted": ("True", "Accepted"), "Programmed": ("True", "Programmed")}
    assert claim.metadata.finalizers == (RECORDSET_FINALIZER,)
    assert claim.status.zone is not None
    assert claim.status.zone.ref.key == ZONE
    [item] = served.unit(ZONE).spec.record_sets
    assert (item.key, item.name, item.type, item.ttl) == (WWW, "www", "A", 300)
    assert item.observed_generation == 1
    assert claim.status.provider is None or claim.status.provider.data == {}


@pytest.mark.spec("CORE-RT-025")
async def test_a_settled_world_is_silent(served: World) -> None:
    served.put(record_set("www"))
    await served.settle()
    before = served.api.writes()
    served.restart()
    await served.settle()
    assert served.api.writes() == before


@pytest.mark.spec("CORE-ZS-029", "CORE-RS-006", "CORE-RT-019")
async def test_an_edit_updates_the_item_in_place_and_never_conflicts_with_itself(served: World) -> None:
    """Case 66."""
    served.put(record_set("www"))
    await served.settle()
    served.provided = False
    await served.edit(RECORD_SETS, WWW, {"spec": {"ttl": 60}})
    await served.settle()
    assert words(served, WWW) == {"Accepted": ("True", "Accepted"), "Programmed": ("False", "ProviderChangePending")}
    [item] = served.unit(ZONE).spec.record_sets
    assert (item.ttl, item.observed_generation) == (60, 2)
    served.provided = True
    await served.settle()
    assert words(served, WWW)["Programmed"] == ("True", "Programmed")
    assert not any("Conflict" in event.reason for event in served.recorder.events)


@pytest.mark.spec("CORE-RS-011", "CORE-ZU-016", "CORE-ZU-017", "CORE-ZU-018", "CORE-RT-014")
async def test_the_older_claim_wins_and_the_loser_is_promoted_when_it_goes(served: World) -> None:
    """Cases 44 and 64."""
    served.put(
        renamed(record_set("www", created="2026-01-02T00:00:00Z"), "younger"),
        renamed(record_set("www", created="2026-01-01T00:00:00Z"), "older"),
    )
    await served.settle()
    older, younger = ObjectKey("platform", "older"), ObjectKey("platform", "younger")
    assert words(served, older)["Programmed"] == ("True", "Programmed")
    assert words(served, younger) == {"Accepted": ("False", "RecordSetConflict")}
    condition = served.condition(served.record_set(younger), "Accepted")
    assert condition is not None
    assert "already allocated to RecordSet platform/older" in condition.message
    [event] = [e for e in served.recorder.events if e.reason == "RecordSetConflict"]
    assert event.related is not None
    assert event.related.name == "older"
    await served.delete(RECORD_SETS, older)
    await served.settle()
    assert words(served, younger)["Programmed"] == ("True", "Programmed")
    assert served.api.read(RECORD_SETS, older) is None


async def test_deleting_the_loser_touches_nothing(served: World) -> None:
    """Case 64."""
    served.put(record_set("www", created="2026-01-01T00:00:00Z"))
    await served.settle()
    served.put(renamed(record_set("www", created="2026-01-02T00:00:00Z"), "loser"))
    await served.settle()
    await served.delete(RECORD_SETS, ObjectKey("platform", "loser"))
    await served.settle()
    assert served.provider.deleted == []
    assert words(served, WWW)["Programmed"] == ("True", "Programmed")


@pytest.mark.spec("CORE-RS-012")
@pytest.mark.parametrize("first", ["A", "CNAME"])
async def test_a_cname_stands_alone_whichever_came_first(served: World, first: str) -> None:
    address, alias = record_set("www"), renamed(cname("www"), "alias")
    served.put(address if first == "A" else alias)
    await served.settle()
    served.put(alias if first == "A" else address)
    await served.settle()
    loser = ObjectKey("platform", "alias" if first == "A" else "www")
    assert words(served, loser) == {"Accepted": ("False", "RecordSetConflict")}


async def test_deletion_waits_for_the_provider_and_then_leaves_nothing(served: World) -> None:
    """Case 85."""
    for _ in range(3):
        served.put(record_set("www"))
        await served.settle()
        served.provider.cleans = False
        await served.delete(RECORD_SETS, WWW)
        await served.settle()
        assert served.record_set(WWW).metadata.finalizers == (RECORDSET_FINALIZER,)
        [item] = served.unit(ZONE).spec.record_sets
        assert item.deletion_requested is True
        served.provider.cleans = True
        await served.settle()
        assert served.api.read(RECORD_SETS, WWW) is None
        assert served.unit(ZONE).spec.record_sets == ()
        assert served.unit(ZONE).status.record_sets == ()


@pytest.mark.spec("CORE-AR-019")
async def test_a_claim_of_another_namespace_needs_a_rule(served: World) -> None:
    served.put(namespace("team", dns="yes"), record_set("www", "team"))
    await served.settle()
    key = ObjectKey("team", "www")
    assert words(served, key) == {"Accepted": ("False", "NotAllowedByZone")}
    assert served.record_set(key).metadata.finalizers == ()
    await served.edit(ZONES, ZONE, {"spec": {"allowedRecordSets": [allow("www")]}})
    await served.settle()
    assert words(served, key)["Programmed"] == ("True", "Programmed")


@pytest.mark.spec("CORE-AR-021", "CORE-AR-022", "CORE-AR-024", "CORE-AR-025", "CORE-ZU-011")
async def test_policy_shrink_keeps_the_item_and_the_record_and_comes_back(served: World) -> None:
    served.put(namespace("team", dns="yes"), record_set("www", "team"))
    await served.edit(ZONES, ZONE, {"spec": {"allowedRecordSets": [allow("www")]}})
    await served.settle()
    key = ObjectKey("team", "www")
    await served.edit(NAMESPACES, ObjectKey("", "team"), {"metadata": {"labels": {"dns": "no"}}})
    await served.settle()
    assert words(served, key)["Accepted"] == ("False", "NotAllowedByZone")
    [item] = served.unit(ZONE).spec.record_sets
    assert item.allowed is False
    assert served.provider.deleted == []
    await served.edit(RECORD_SETS, key, {"spec": {"ttl": 5}})
    await served.settle()
    [item] = served.unit(ZONE).spec.record_sets
    assert item.ttl == 300
    await served.edit(NAMESPACES, ObjectKey("", "team"), {"metadata": {"labels": {"dns": "yes"}}})
    await served.settle()
    [item] = served.unit(ZONE).spec.record_sets
    assert (item.allowed, item.ttl) == (None, 5)
    assert words(served, key)["Programmed"] == ("True", "Programmed")


@pytest.mark.spec("CORE-BY-001")
async def test_a_successor_in_the_same_namespace_is_in_the_ledger_beside_its_predecessor(served: World) -> None:
    served.put(record_set("www"))
    await served.settle()
    served.provider.cleans = False
    served.put(renamed(cname("www"), "successor"))
    await served.settle()
    assert words(served, ObjectKey("platform", "successor")) == {"Accepted": ("False", "RecordSetConflict")}
    await served.delete(RECORD_SETS, WWW)
    await served.sync()
    await served.reconcile()
    await served.sync()
    await served.reconcile()
    states = [
        {item.record_set_name: item.is_leaving for item in served.unit(ZONE).spec.record_sets},
    ]
    await served.settle()
    states.append({item.record_set_name: item.is_leaving for item in served.unit(ZONE).spec.record_sets})
    assert states[-1] == {"www": True, "successor": False}
    assert {"www": True} not in states


@pytest.mark.spec("CORE-BY-002")
async def test_other_namespaces_wait_for_the_cleanup_of_a_leaving_owner(served: World) -> None:
    served.put(namespace("team", dns="yes"))
    await served.edit(ZONES, ZONE, {"spec": {"allowedRecordSets": [allow("www")]}})
    served.put(record_set("www"))
    await served.settle()
    served.provider.cleans = False
    served.put(record_set("www", "team"))
    await served.delete(RECORD_SETS, WWW)
    await served.settle()
    key = ObjectKey("team", "www")
    assert words(served, key) == {"Accepted": ("False", "RecordSetConflict")}
    served.provider.cleans = True
    await served.settle()
    assert words(served, key)["Programmed"] == ("True", "Programmed")


@pytest.mark.spec("CORE-SL-001", "CORE-SL-006", "CORE-SL-011")
async def test_items_overflow_into_slices_and_empty_slices_go() -> None:
    world = World(Limits(inline=2, per_slice=3))
    world.put(*platform(), zone(), *(record_set(f"n{i}") for i in range(9)))
    await world.settle()
    assert len(world.unit(ZONE).spec.record_sets) == 2
    assert [len(piece.spec.record_sets) for piece in world.slices()] == [3, 3, 1]
    assert [piece.metadata.name for piece in world.slices()] == [f"{ZONE.name}-{i}" for i in range(3)]
    assert all(ZONEUNIT_FINALIZER in piece.metadata.finalizers for piece in world.slices())
    for i in range(9):
        await world.delete(RECORD_SETS, ObjectKey("platform", f"n{i}"))
    await world.settle()
    assert world.api.keys(RECORD_SETS) == []
    assert world.api.keys(ZONE_UNIT_SLICES) == []
    assert world.unit(ZONE).spec.record_sets == ()


@pytest.mark.spec("CORE-DL-003", "CORE-DL-004", "CORE-DL-005")
async def test_a_deleting_zone_waits_for_the_claims_that_hold_an_item(served: World) -> None:
    served.put(record_set("www"), renamed(record_set("www", created="2027-01-01T00:00:00Z"), "loser"))
    await served.settle()
    await served.delete(ZONES, ZONE)
    await served.settle()
    condition = served.condition(served.zone(ZONE), "Programmed")
    assert condition is not None
    assert condition.reason == "ProviderChangePending"
    assert "must be deleted or moved first: platform/www" in condition.message
    assert not served.unit(ZONE).metadata.deleting
    await served.delete(RECORD_SETS, WWW)
    await served.settle()
    assert served.api.read(ZONES, ZONE) is None
    assert served.api.read(ZONE_UNITS, ZONE) is None
    assert words(served, ObjectKey("platform", "loser")) == {"Accepted": ("Unknown", "ZoneNotResolved")}


@pytest.mark.spec("CORE-ZU-013", "CORE-ZU-031")
async def test_a_preapplied_ledger_keeps_an_item_whose_claim_has_not_come_back(served: World) -> None:
    """Case 70."""
    served.put(record_set("www"))
    await served.settle()
    ledger = served.api.read(ZONE_UNITS, ZONE)
    assert ledger is not None
    other = World()
    other.put(*platform(), (ZONE_UNITS, ledger), zone(), renamed(record_set("www"), "intruder"))
    await other.settle()
    assert words(other, ObjectKey("platform", "intruder")) == {"Accepted": ("Unknown", "OwnerStateNotResolved")}
    assert "create it again and delete it" in message(other, ObjectKey("platform", "intruder"))
    [item] = other.unit(ZONE).spec.record_sets
    assert item.key == WWW
    assert other.provider.deleted == []
    other.put(record_set("www"))
    await other.settle()
    assert words(other, WWW)["Programmed"] == ("True", "Programmed")
    assert words(other, ObjectKey("platform", "intruder")) == {"Accepted": ("False", "RecordSetConflict")}
    await other.delete(RECORD_SETS, WWW)
    await other.settle()
    assert words(other, ObjectKey("platform", "intruder")) == PROGRAMMED


@pytest.mark.spec("CORE-RT-005")
async def test_claims_before_their_zone_wait_and_are_then_served(world: World) -> None:
    """Case 90."""
    world.put(record_set("www"))
    await world.settle()
    assert words(world, WWW) == {"Accepted": ("Unknown", "ZoneNotResolved")}
    assert world.record_set(WWW).status.zone is None
    world.put(zone())
    await world.settle()
    assert words(world, WWW)["Programmed"] == ("True", "Programmed")


@pytest.mark.spec("CORE-RT-009")
async def test_a_zone_that_the_provider_rejects_rejects_its_record_sets(served: World) -> None:
    """Case 76."""
    served.put(record_set("www"))
    await served.settle()
    served.provider.zone_verdict = ("False", "DeniedByPolicy")
    await served.edit(ZONES, ZONE, {"spec": {"adoption": {"hostedZoneId": "Z1"}}})
    await served.settle()
    assert words(served, WWW)["Accepted"] == ("False", "ZoneNotAccepted")
    assert len(served.unit(ZONE).spec.record_sets) == 1
