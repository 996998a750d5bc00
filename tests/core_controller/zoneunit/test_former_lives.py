"""Slices that another ZoneUnit of the same name owns: of a former life that an old cache shows, or of a backup."""

import pytest

from core_controller.zoneunit.snapshot import Limits
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.api.names import RECORDSET_FINALIZER
from tests.core_controller.zoneunit.objects import ZONE, platform, record_set, zone
from tests.core_controller.zoneunit.reading import PROGRAMMED, WWW, items, words
from tests.core_controller.zoneunit.world import World
from tests.fakes.objects import listed

SLICE = ObjectKey(ZONE.namespace, f"{ZONE.name}-0")
FORMER = "00000000-0000-4000-8000-00000000ffff"
GOING = "2026-01-01T00:00:00Z"


async def served() -> World:
    """Return a world whose record set stands in a slice."""
    world = World(Limits(inline=0))
    world.put(*platform(), zone(), record_set("www"))
    await world.settle()
    assert words(world) == PROGRAMMED
    return world


def stored(world: World) -> JsonObject:
    """Return the slice as the server has it."""
    document = world.api.read(ZONE_UNIT_SLICES, SLICE)
    assert document is not None
    return document


def put_back(world: World, **metadata: object) -> None:
    """Have a tool put the slice back with the owner that it had."""
    document = stored(world)
    document["metadata"]["ownerReferences"][0]["uid"] = FORMER  # type: ignore[index,call-overload]
    document["metadata"] |= metadata  # type: ignore[operator]
    world.put((ZONE_UNIT_SLICES, document))


@pytest.mark.spec("CORE-SL-009", "CORE-SL-011")
@pytest.mark.parametrize("metadata", [{}, {"deletionTimestamp": GOING}], ids=["as it was", "on its way out"])
async def test_a_slice_of_a_backup_is_made_the_units_own_whatever_became_of_its_owner(metadata: JsonObject) -> None:
    """The garbage collector asks for the deletion of what names an owner that is gone."""
    world = await served()
    put_back(world, **metadata)
    world.restart()
    await world.settle()
    [found] = world.slices()
    assert found.owner_uid == world.unit(ZONE).metadata.uid
    assert words(world) == PROGRAMMED
    assert items(world) == {"www": "live"}
    assert world.provider.deleted == []


async def test_a_unit_on_its_way_out_adopts_the_slices_that_its_end_waits_for() -> None:
    world = await served()
    await world.delete(RECORD_SETS, WWW)
    await world.delete(ZONES, ZONE)
    world.provider.cleans = False
    await world.delete(ZONE_UNITS, ZONE)
    await world.settle()
    put_back(world)
    await world.settle()
    [found] = world.slices()
    assert found.owner_uid == world.unit(ZONE).metadata.uid
    world.provider.cleans = True
    await world.settle()
    assert world.api.keys(ZONE_UNIT_SLICES) == []
    assert world.api.read(ZONE_UNITS, ZONE) is None
    assert world.api.read(RECORD_SETS, WWW) is None


@pytest.mark.spec("CORE-SL-019")
async def test_no_status_is_read_from_a_slice_that_another_unit_owns() -> None:
    """A claim of that key has come anew, and has never been placed."""
    world = await served()
    former = stored(world)
    await world.delete(RECORD_SETS, WWW)
    await world.settle()
    world.put(record_set("www"))
    world.provider.programs = False
    world.limits = Limits()
    world.restart()
    await world.sync(*(kind for kind, _ in world.stores() if kind is not ZONE_UNIT_SLICES))
    former["metadata"]["ownerReferences"][0]["uid"] = FORMER  # type: ignore[index,call-overload]
    former["metadata"]["deletionTimestamp"] = GOING  # type: ignore[index,call-overload]
    world.caches.slices.update(listed(former))
    for _ in range(4):
        await world.reconcile()
        await world.sync(ZONES, RECORD_SETS, ZONE_UNITS)
        assert words(world).get("Programmed") != PROGRAMMED["Programmed"]


async def test_whose_a_slice_is_follows_the_uid_and_not_the_name() -> None:
    world = await served()
    put_back(world)
    snapshot = await world.gatherer.snapshot(ZONE, ("www",), world.clock.now())
    assert [placed.foreign for placed in snapshot.groups[0].items] == [False]
    await world.sync()
    snapshot = await world.gatherer.snapshot(ZONE, ("www",), world.clock.now())
    assert [placed.foreign for placed in snapshot.groups[0].items] == [True]


@pytest.mark.spec("CORE-SL-019")
async def test_a_claim_whose_item_is_in_a_slice_that_was_not_seen_is_not_let_go() -> None:
    """Another process placed the item and told nobody; the watch of slices alone is silent."""
    world = await served()
    await world.edit(RECORD_SETS, WWW, {"metadata": {"finalizers": [RECORDSET_FINALIZER]}})
    await world.api.merge_patch(RECORD_SETS, WWW, {"status": None}, subresource="status")
    await world.delete(RECORD_SETS, WWW)
    world.restart()
    await world.sync(*(kind for kind, _ in world.stores() if kind is not ZONE_UNIT_SLICES))
    world.provider.cleans = False
    for _ in range(6):
        await world.reconcile()
        await world.sync(ZONES, RECORD_SETS, ZONE_UNITS)
    assert world.record_set(WWW).metadata.finalizers == (RECORDSET_FINALIZER,)
    assert items(world) == {"www": "leaving"}
    world.provider.cleans = True
    await world.settle()
    assert world.api.read(RECORD_SETS, WWW) is None
    assert world.provider.external == {}
