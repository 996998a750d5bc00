"""A ledger that is kept for another Zone of the same name: restored for one that is not back, or left by one."""

import pytest
from pydantic import JsonValue

from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.names import PAUSED_ANNOTATION
from tests.core_controller.zoneunit.objects import ZONE, namespace, platform, record_set, zone, zone_class
from tests.core_controller.zoneunit.reading import PROGRAMMED, WWW, items, words, zone_message, zone_words
from tests.core_controller.zoneunit.world import World

WAITS = {"Accepted": ("Unknown", "OwnerStateNotResolved")}
OTHERS: list[dict[str, JsonValue]] = [{"domainName": "example.org"}, {"zoneClassRef": {"name": "private"}}]
IDS = ["domain", "class"]


@pytest.fixture
async def restored(served: World) -> World:
    """Return a world in which the ledger alone has come back, its record set standing at the provider."""
    served.put(record_set("www"))
    await served.settle()
    world = World()
    for resource in (ZONE_UNITS, ZONE_UNIT_SLICES):
        for key in served.api.keys(resource):
            body = served.api.read(resource, key)
            assert body is not None
            world.put((resource, body))
    world.put(*platform(), zone_class("private"))
    world.provider.external = dict(served.provider.external)
    await world.edit(ZONE_UNITS, ZONE, {"metadata": {"annotations": {PAUSED_ANNOTATION: "true"}}})
    await world.settle()
    return world


@pytest.mark.spec("CORE-BY-012")
@pytest.mark.parametrize("other", OTHERS, ids=IDS)
@pytest.mark.parametrize("claimed", [False, True])
async def test_a_mistaken_zone_takes_no_ledger_with_it_when_it_goes(
    restored: World, other: dict[str, JsonValue], claimed: bool
) -> None:
    """The typo in a restore: what stands at the provider belongs to the Zone that has still to come back."""
    before = restored.unit(ZONE)
    if claimed:
        restored.put(record_set("www"))
    restored.put(zone(**other))
    await restored.settle()
    assert zone_words(restored) == WAITS
    assert "is kept for" in zone_message(restored)
    await restored.delete(ZONES, ZONE)
    await restored.settle()
    assert restored.api.read(ZONES, ZONE) is None
    after = restored.unit(ZONE)
    assert (after.spec, after.metadata.annotations) == (before.spec, before.metadata.annotations)
    assert not after.metadata.deleting
    assert restored.provider.deleted == []
    restored.put(zone(), record_set("www"))
    await restored.settle()
    assert zone_words(restored) == words(restored) == PROGRAMMED
    assert items(restored) == {"www": "live"}


@pytest.mark.parametrize("other", OTHERS, ids=IDS)
async def test_a_mistaken_zone_withdraws_no_permission_in_a_ledger_that_is_kept_for_another_one(
    restored: World, other: dict[str, JsonValue]
) -> None:
    """It grants nothing to other namespaces, whose record sets stand in the ledger by the word of the other Zone."""
    of_team: dict[str, JsonValue] = {
        "recordSetNamespace": "team",
        "recordSetName": "app",
        "observedGeneration": 1,
        "ttl": 300,
    }
    of_team |= {"name": "app", "type": "A", "a": {"addresses": ["192.0.2.1"]}}
    kept = [item.to_json() for item in restored.unit(ZONE).spec.record_sets]
    await restored.edit(ZONE_UNITS, ZONE, {"spec": {"recordSets": [*kept, of_team]}})
    restored.put(namespace("team", dns="yes"), record_set("app", "team"), zone(**other))
    await restored.settle()
    assert zone_words(restored) == WAITS
    assert items(restored) == {"www": "live", "app": "live"}


@pytest.mark.parametrize("other", OTHERS, ids=IDS)
async def test_a_zone_shows_nothing_of_a_ledger_that_is_kept_for_another_one(
    restored: World, other: dict[str, JsonValue]
) -> None:
    restored.put(zone(**other))
    await restored.settle()
    status = restored.zone(ZONE).status
    assert status.name_servers is None or status.name_servers == ()
    assert status.provider is None
    assert zone_words(restored) == WAITS


@pytest.mark.parametrize("other", OTHERS, ids=IDS)
async def test_a_ledger_given_up_makes_room_for_the_other_zone(restored: World, other: dict[str, JsonValue]) -> None:
    restored.put(zone(**other))
    await restored.settle()
    await restored.delete(ZONES, ZONE)
    await restored.settle()
    await restored.delete(ZONE_UNITS, ZONE)
    await restored.settle()
    restored.put(zone(**other), record_set("www"))
    await restored.settle()
    assert zone_words(restored) == words(restored) == PROGRAMMED


async def test_a_ledger_that_is_deleted_under_a_mistaken_zone_goes_by_the_protocol(restored: World) -> None:
    restored.put(zone(domainName="example.org"), record_set("www"))
    await restored.settle()
    await restored.delete(ZONE_UNITS, ZONE)
    await restored.settle()
    await restored.delete(RECORD_SETS, WWW)
    await restored.settle()
    assert restored.unit(ZONE).spec.zone.domain_name == "example.org"
    assert zone_words(restored) == PROGRAMMED
    assert restored.provider.external == {}
