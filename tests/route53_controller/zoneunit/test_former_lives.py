"""Slices of another ZoneUnit of the same name, of a former life or of a backup, and slices as they were a while ago."""

import orjson
import pytest

from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.runtime.errors import KubernetesError
from tests.route53_controller.zoneunit.world import UNIT, World, a, leaving, slice_document, unit_document

SLICE = ObjectKey(UNIT.namespace, "example-com-0")
OURS = "route53.dns.appthrust.io/zoneunit-finalizer"
LATEST = "999999"
UID = "00000000-0000-4000-8000-00000000aaaa"
FORMER = "00000000-0000-4000-8000-00000000ffff"


def owned(uid: str, *items: JsonObject) -> JsonObject:
    """Return a slice that a ZoneUnit of this uid owns."""
    document = slice_document(SLICE.name)
    reference = {
        "apiVersion": ZONE_UNITS.api_version,
        "kind": ZONE_UNITS.kind,
        "name": UNIT.name,
        "uid": uid,
        "controller": True,
    }
    document["metadata"]["ownerReferences"] = [reference]  # type: ignore[index,call-overload]
    document["spec"]["recordSets"] = list(items)  # type: ignore[index,call-overload]
    return document


def unit_of(uid: str) -> JsonObject:
    document = unit_document()
    document["metadata"]["uid"] = uid  # type: ignore[index,call-overload]
    return document


async def in_a_slice(*items: JsonObject, uid: str = UID) -> World:
    """Return a world whose items stand programmed in one slice of a unit of this uid."""
    world = World()
    world.put(ZONE_UNITS, unit_of(uid))
    world.put(ZONE_UNIT_SLICES, owned(uid, *items))
    await world.run()
    return world


def show(world: World, document: JsonObject | None) -> None:
    """Let the cache show a slice, and nothing newer of it."""
    assert document is not None
    world.stores.slices.forget(SLICE)
    document["metadata"]["resourceVersion"] = LATEST  # type: ignore[index,call-overload]
    world.stores.slices.observe(orjson.dumps(document))
    assert world.stores.slices.get(SLICE) is not None


def adopt(world: World) -> None:
    """Make the slice the unit's own, as core does."""
    document = world.kubernetes.read(ZONE_UNIT_SLICES, SLICE)
    assert document is not None
    document["metadata"]["ownerReferences"][0]["uid"] = world.unit.metadata.uid  # type: ignore[index,call-overload]
    world.put(ZONE_UNIT_SLICES, document)


def another_life(world: World) -> None:
    """Give the unit another uid, its status and the hosted zone being as they were."""
    document = world.kubernetes.read(ZONE_UNITS, UNIT)
    assert document is not None
    document["metadata"]["uid"] = FORMER  # type: ignore[index,call-overload]
    world.put(ZONE_UNITS, document)
    world.start()
    world.quiet()


@pytest.mark.spec("CORE-SL-019")
async def test_a_slice_that_went_with_a_former_unit_asks_for_no_deletion() -> None:
    """The cache of slices alone is old: it shows the item of a former life on its way out."""
    world = await in_a_slice(a("www"))
    document = world.kubernetes.read(ZONE_UNIT_SLICES, SLICE)
    assert document is not None
    document["spec"]["recordSets"] = [leaving(a("www"))]  # type: ignore[index,call-overload]
    await world.kubernetes.merge_patch(ZONE_UNIT_SLICES, SLICE, {"metadata": {"finalizers": None}})
    await world.kubernetes.delete(ZONE_UNIT_SLICES, SLICE)
    another_life(world)
    await world.set_items(a("www"))
    show(world, document)
    await world.reconciler.reconcile(UNIT)
    assert world.route53.calls["ChangeResourceRecordSets"] == 0
    assert world.values("www.example.com") == ("192.0.2.1",)
    assert world.stores.slices.get(SLICE) is None


@pytest.mark.spec("CORE-SL-019")
async def test_an_item_that_came_back_is_not_deleted_for_what_its_slice_was_a_while_ago() -> None:
    """The same life: another process deleted the record set and made it again, and its slice is seen as it was."""
    world = await in_a_slice(a("www"))
    document = world.kubernetes.read(ZONE_UNIT_SLICES, SLICE)
    assert document is not None
    document["spec"]["recordSets"] = [leaving(a("www"))]  # type: ignore[index,call-overload]
    world.start()
    world.quiet()
    show(world, document)
    await world.reconciler.reconcile(UNIT)
    assert world.route53.calls["ChangeResourceRecordSets"] == 0
    assert world.values("www.example.com") == ("192.0.2.1",)


@pytest.mark.spec("R53-GU-010")
async def test_a_slice_of_a_backup_counts_once_it_is_the_units_own() -> None:
    """A tool put it back with the reference to the ZoneUnit that it had."""
    world = await in_a_slice(a("www"))
    await world.set_items(a("inline"))
    await world.run()
    another_life(world)
    await world.set_items(leaving(a("inline")))
    await world.run()
    assert world.route53.calls["ChangeResourceRecordSets"] == 0
    assert world.values("inline.example.com") is not None
    status = world.item_status("inline")
    assert status is not None
    assert not status.deletion_completed
    adopt(world)
    await world.run()
    assert world.values("inline.example.com") is None
    assert world.values("www.example.com") == ("192.0.2.1",)
    assert world.programmed("www") == "True Programmed"
    await world.set_items(leaving(a("www")), resource=ZONE_UNIT_SLICES, key=SLICE)
    await world.run()
    assert world.values("www.example.com") is None


async def test_a_unit_is_not_released_while_a_slice_of_its_name_is_anothers() -> None:
    world = World(parameters={"zoneDeletionPolicy": "Delete"})
    world.put(ZONE_UNITS, unit_of(UID))
    world.put(ZONE_UNIT_SLICES, owned(UID, a("www")))
    await world.run()
    another_life(world)
    await world.delete_unit()
    await world.run()
    assert len(world.route53.zones) == 1
    assert str(SLICE) in world.zone_message()
    assert OURS in world.slice(SLICE.name).metadata.finalizers
    adopt(world)
    await world.run()
    assert not world.route53.zones


@pytest.mark.spec("R53-GU-007", "R53-GU-010")
async def test_a_restore_covers_nothing_before_all_of_the_ledger_counts() -> None:
    world = await in_a_slice(a("www"))
    zone_id = world.zone_id
    await world.set_items(leaving(a("inline")))
    another_life(world)
    document = unit_document({"hostedZoneId": zone_id})
    document["metadata"]["uid"] = FORMER  # type: ignore[index,call-overload]
    document["metadata"]["annotations"] = {"dns.appthrust.io/restore": "adopt-matching"}  # type: ignore[index,call-overload]
    world.put(ZONE_UNITS, document)
    world.put(ZONE_UNIT_SLICES, owned(UID, a("www")))
    await world.pass_time(world.settings.drift_interval)
    assert "restore" not in world.state()
    adopt(world)
    await world.run()
    assert world.programmed("www") == "True Programmed"


async def test_a_change_in_flight_of_an_item_that_does_not_count_yet_is_kept() -> None:
    """It alone proves whose the record set is."""
    world = World()
    world.put(ZONE_UNITS, unit_of(UID))
    await world.run()
    world.put(ZONE_UNIT_SLICES, owned(UID, a("www")))
    await world.step()
    while not world.state().get("pendingRecordSetChanges"):
        world.clock.jump(world.settings.bulk_lull)
        await world.step()
    another_life(world)
    await world.run()
    assert world.state().get("pendingRecordSetChanges")
    adopt(world)
    await world.run()
    assert world.programmed("www") == "True Programmed"
    assert "pendingRecordSetChanges" not in world.state()
    assert world.route53.calls["ChangeResourceRecordSets"] == 0


async def test_a_status_is_never_put_onto_another_object_of_the_same_name() -> None:
    """The unit that was planned for is gone, and its cache has not heard of it."""
    world = World()
    await world.run()
    await world.annotate(paused="true")
    await world.set_items(a("www"))
    document = unit_document()
    document["metadata"]["uid"] = FORMER  # type: ignore[index,call-overload]
    world.kubernetes.seed(ZONE_UNITS, document)
    with pytest.raises(KubernetesError):
        await world.reconciler.reconcile(UNIT)
    stored = world.kubernetes.read(ZONE_UNITS, UNIT)
    assert stored is not None
    assert not stored.get("status")
