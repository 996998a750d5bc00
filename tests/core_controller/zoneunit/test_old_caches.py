"""What is seen late, or not understood: caches of different age, slices of former lives, objects of later versions."""

import orjson
import pytest

from core_controller.zoneunit.snapshot import Limits
from libdnsapi.api.dns.provider import PROVIDERS
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from libdnsapi.runtime.errors import UndecodableError
from tests.core_controller.zoneunit.objects import PROVIDER, ZONE, platform, record_set, renamed, zone
from tests.core_controller.zoneunit.reading import PROGRAMMED, WWW, items, words, zone_words
from tests.core_controller.zoneunit.world import World
from tests.fakes.objects import listed

SLICE = ObjectKey(ZONE.namespace, f"{ZONE.name}-0")
STEPS = 40


async def with_a_former_life(*, left: bool) -> tuple[World, JsonObject]:
    """Return a world whose Zone was deleted and made anew, and what its former slice looked like near its end.

    The claim's former item was of a newer generation than its present one; `left`: its cleanup was complete.
    """
    world = World(Limits(inline=0))
    world.put(*platform(), zone(), record_set("www"))
    await world.settle()
    await world.edit(RECORD_SETS, WWW, {"spec": {"ttl": 600}})
    await world.settle()
    former = world.api.read(ZONE_UNIT_SLICES, SLICE)
    await world.delete(RECORD_SETS, WWW)
    for _ in range(STEPS):
        seen = world.api.read(ZONE_UNIT_SLICES, SLICE)
        if left and seen is not None and b'"deletionCompleted":true' in orjson.dumps(seen):
            former = seen
        await world.sync()
        await world.reconcile()
        await world.provide()
    await world.delete(ZONES, ZONE)
    await world.settle()
    assert world.api.read(ZONE_UNIT_SLICES, SLICE) is None
    assert world.api.read(ZONE_UNITS, ZONE) is None
    world.limits = Limits()
    world.restart()
    world.put(zone(), record_set("www"))
    await world.settle()
    assert former is not None
    return world, former


@pytest.mark.parametrize("left", [False, True], ids=["an item that lived", "an item that left"])
@pytest.mark.parametrize("deleting", [False, True], ids=["live claim", "claim that is deleted"])
async def test_a_slice_of_a_former_zone_unit_takes_no_item_out_of_the_present_one(left: bool, deleting: bool) -> None:
    """A process that stood by takes over with slices as they were before the Zone was made anew."""
    world, former = await with_a_former_life(left=left)
    world.restart()
    await world.sync(*(resource for resource, _ in world.stores() if resource is not ZONE_UNIT_SLICES))
    world.caches.slices.update(listed(former))
    if deleting:
        await world.delete(RECORD_SETS, WWW)
        await world.sync(RECORD_SETS)
    states = []
    for _ in range(STEPS):
        await world.reconcile()
        states.append(items(world))
        await world.sync(ZONES, RECORD_SETS, ZONE_UNITS)

    expected = {"www": "leaving"} if deleting else {"www": "live"}
    assert states[-1] == expected, states
    assert all(state for state in states), states
    await world.settle()
    assert world.provider.external == ({} if deleting else {(ZONE, "www", "A"): WWW})


@pytest.mark.spec("CORE-DL-008")
async def test_a_zone_whose_ledger_the_cache_does_not_show_is_not_let_go_before_it() -> None:
    """As after a creation whose answer was lost, while the watch of ZoneUnits lags behind."""
    world = World()
    world.put(*platform(), zone(), record_set("www"))
    await world.settle()
    await world.delete(RECORD_SETS, WWW)
    await world.settle()
    world.restart()
    await world.sync(*(resource for resource, _ in world.stores() if resource not in (ZONE_UNITS, ZONE_UNIT_SLICES)))
    await world.delete(ZONES, ZONE)
    for _ in range(STEPS):
        await world.sync(ZONES)
        await world.reconcile()
        assert (world.api.read(ZONES, ZONE) is not None) or world.api.read(ZONE_UNITS, ZONE) is None
    await world.settle()
    assert world.api.read(ZONES, ZONE) is None
    assert world.api.read(ZONE_UNITS, ZONE) is None


@pytest.mark.spec("CORE-DL-003", "CORE-DL-020")
async def test_a_claim_that_this_version_cannot_read_keeps_its_zone_and_its_record_set(served: World) -> None:
    """As after a downgrade: what is not understood is not gone."""
    served.put(record_set("www"), record_set("api"))
    await served.settle()
    await served.edit(RECORD_SETS, WWW, {"spec": {"ttl": "of a later version"}})
    await served.delete(RECORD_SETS, ObjectKey("platform", "api"))
    await served.delete(ZONES, ZONE)
    await served.settle()
    assert set(served.provider.external) == {(ZONE, "www", "A")}
    assert zone_words(served)["Programmed"] == ("False", "ProviderChangePending")
    await served.edit(RECORD_SETS, WWW, {"spec": {"ttl": 300}})
    await served.delete(RECORD_SETS, WWW)
    await served.settle()
    assert served.api.read(ZONES, ZONE) is None
    assert served.provider.external == {}


@pytest.mark.parametrize(
    ("resource", "key", "patch", "reason"),
    [
        (ZONE_CLASSES, ObjectKey("platform", "public"), {"allowedZones": "later"}, "ZoneClassNotResolved"),
        (PROVIDERS, ObjectKey("", PROVIDER), {"versions": "later"}, "ProviderStorageVersionNotResolved"),
    ],
)
async def test_a_class_or_provider_that_this_version_cannot_read_is_told_and_stops_no_deletion(
    served: World, resource: ResourceType, key: ObjectKey, patch: JsonObject, reason: str
) -> None:
    served.put(record_set("www"), record_set("api"))
    await served.settle()
    await served.edit(resource, key, {"spec": patch})
    served.restart()
    await served.settle()
    assert zone_words(served)["Accepted"] == ("Unknown", reason)
    assert items(served) == {"www": "live", "api": "live"}
    await served.delete(RECORD_SETS, WWW)
    await served.settle()
    assert set(served.provider.external) == {(ZONE, "api", "A")}
    await served.delete(RECORD_SETS, ObjectKey("platform", "api"))
    await served.delete(ZONES, ZONE)
    await served.settle()
    assert served.api.read(ZONES, ZONE) is None


@pytest.mark.spec("CORE-DL-003", "CORE-DL-020")
@pytest.mark.parametrize("restarted", [False, True])
async def test_a_slice_that_this_version_cannot_read_keeps_its_zone_and_its_names(restarted: bool) -> None:
    """As after a downgrade: to go on without it would be to conclude from a partial view."""
    world = World(Limits(inline=0, per_slice=1))
    world.put(*platform(), zone(), record_set("www"))
    await world.settle()
    (held,) = world.slices()
    entry = held.spec.record_sets[0].to_json()
    newer: JsonObject = {"spec": {"recordSets": [entry | {"ttl": "of a later version"}]}}
    await world.edit(ZONE_UNIT_SLICES, SLICE, newer)
    if restarted:
        world.restart()
    world.put(renamed(record_set("www"), "other"))
    await world.delete(ZONES, ZONE)
    for _ in range(STEPS):
        await world.sync()
        with pytest.raises(UndecodableError):
            await world.reconciler.reconcile(ZONE)
    assert not world.unit(ZONE).metadata.deleting
    assert world.api.keys(ZONE_UNIT_SLICES) == [SLICE]
    assert words(world) == PROGRAMMED
    await world.edit(ZONE_UNIT_SLICES, SLICE, {"spec": {"recordSets": [entry]}})
    await world.settle()
    assert zone_words(world)["Programmed"] == ("False", "ProviderChangePending")
    assert items(world) == {"www": "live"}
