"""A payload that is nested so deep that a claim can hold it and its ledger cannot."""

import pytest

from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.meta import JsonObject, ObjectKey
from tests.core_controller.zoneunit.objects import ALL_TYPES, ZONE, namespace, provider, record_set, zone, zone_class
from tests.core_controller.zoneunit.reading import PROGRAMMED, message, words, zone_words
from tests.core_controller.zoneunit.world import World

OPEN: JsonObject = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
VERSION: JsonObject = {
    "zone": {"schemas": {"adoption": OPEN}},
    "recordSet": {"supportedTypes": ALL_TYPES, "schemas": {"options": OPEN}},
}


def nested(levels: int) -> JsonObject:
    """Return an object that deep."""
    made: JsonObject = {"x": 1}
    for _ in range(levels - 1):
        made = {"x": made}
    return made


@pytest.mark.parametrize("levels", [99, 100, 101, 190, 194, 195, 196, 197, 198])
async def test_a_payload_that_a_ledger_cannot_hold_is_refused_and_holds_up_nobody(levels: int) -> None:
    world = World()
    world.put(namespace("platform"), provider(VERSION), zone_class(), zone(), record_set("www"))
    await world.settle()
    world.put(record_set("deep", options=nested(levels)))
    await world.settle()
    deep = ObjectKey("platform", "deep")
    if levels <= 100:
        assert words(world, deep) == PROGRAMMED
    elif levels < 197:
        assert words(world, deep) == {"Accepted": ("False", "InvalidProviderPayload")}
        assert "spec.options: must not be nested more than 100 levels deep" in message(world, deep)
    world.put(record_set("late"))
    await world.edit(RECORD_SETS, ObjectKey("platform", "www"), {"spec": {"ttl": 60}})
    await world.settle()
    assert words(world) == words(world, ObjectKey("platform", "late")) == PROGRAMMED
    assert {item.ttl for item in world.unit(ZONE).spec.record_sets if item.name == "www"} == {60}


async def test_an_adoption_that_a_ledger_cannot_hold_is_refused() -> None:
    world = World()
    world.put(namespace("platform"), provider(VERSION), zone_class(), zone(), record_set("www"))
    await world.settle()
    await world.edit(ZONES, ZONE, {"spec": {"adoption": nested(196)}})
    await world.settle()
    assert zone_words(world)["Accepted"] == ("False", "InvalidProviderPayload")
    assert world.unit(ZONE).spec.zone.adoption is None
