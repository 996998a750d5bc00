"""Which object an item stands in: room, moves, slices of others, lost and leaving slices."""

import pytest

from core_controller.zoneunit.plan.placement import Placement, slice_name, unit_label
from core_controller.zoneunit.snapshot import LedgerRef, Limits, Room
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS, RecordSetItem
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.api.names import (
    RECORDSET_FINALIZER,
    ZONE_UNIT_LABEL,
    ZONEUNIT_FINALIZER,
)
from tests.core_controller.zoneunit.objects import ZONE, platform, record_set, zone
from tests.core_controller.zoneunit.pieces import addresses, item, piece
from tests.core_controller.zoneunit.reading import PROGRAMMED, WWW, items, message, words
from tests.core_controller.zoneunit.world import World
from tests.fakes.kubernetes import Fault, refused


@pytest.mark.spec("CORE-SL-004")
async def test_an_edit_that_outgrows_its_object_moves_that_item_alone_in_two_steps() -> None:
    world = World(Limits(object_bytes=6000))
    world.put(*platform(), zone(), *(record_set(f"n{i}") for i in range(4)))
    await world.settle()
    assert len(world.unit(ZONE).spec.record_sets) == 4
    grown = ObjectKey("platform", "n1")
    world.provided = False
    await world.edit(RECORD_SETS, grown, {"spec": {"a": addresses(200)}})
    await world.settle()
    inline = {i.record_set_name for i in world.unit(ZONE).spec.record_sets}
    assert inline == {"n0", "n1", "n2", "n3"}, "the old half stays until the provider has reported on the new one"
    assert [[i.record_set_name for i in p.spec.record_sets] for p in world.slices()] == [["n1"]]
    world.provided = True
    await world.settle()
    assert {i.record_set_name for i in world.unit(ZONE).spec.record_sets} == {"n0", "n2", "n3"}
    assert words(world, grown) == PROGRAMMED
    assert world.provider.deleted == []


@pytest.mark.spec("CORE-SL-005")
async def test_a_move_survives_a_restart_and_another_edit_between_its_steps() -> None:
    world = World(Limits(object_bytes=6000))
    world.put(*platform(), zone(), *(record_set(f"n{i}") for i in range(4)))
    await world.settle()
    grown = ObjectKey("platform", "n1")
    world.provided = False
    await world.edit(RECORD_SETS, grown, {"spec": {"a": addresses(200)}})
    await world.settle()
    world.restart()
    await world.edit(RECORD_SETS, grown, {"spec": {"ttl": 60}})
    await world.settle()
    assert [i.ttl for p in world.slices() for i in p.spec.record_sets] == [60]
    world.provided = True
    await world.settle()
    assert sorted(items(world)) == ["n0", "n1", "n2", "n3"]
    assert len(world.unit(ZONE).spec.record_sets) == 3
    await world.delete(RECORD_SETS, grown)
    await world.settle()
    assert world.slices() == []


@pytest.mark.spec("CORE-SL-005")
@pytest.mark.parametrize("restarted", [True, False])
async def test_a_claim_deleted_between_the_steps_of_a_move_leaves_no_half_behind(restarted: bool) -> None:
    world = World(Limits(object_bytes=6000))
    world.put(*platform(), zone(), *(record_set(f"n{i}") for i in range(4)))
    await world.settle()
    grown = ObjectKey("platform", "n1")
    world.provided = False
    await world.edit(RECORD_SETS, grown, {"spec": {"a": addresses(200)}})
    await world.settle()
    await world.delete(RECORD_SETS, grown)
    await world.settle()
    world.api.fail(Fault(refused(503, "ServiceUnavailable"), "replace", ZONE_UNITS, applied=False, times=3))
    await world.provide()
    for _ in range(6):
        await world.sync()
        await world.reconcile()
        held = world.api.read(RECORD_SETS, grown) is not None
        halves = [i.record_set_name for i in world.unit(ZONE).spec.record_sets if i.record_set_name == "n1"]
        assert held or not halves, "the old half has nobody any more who could ask for its end"
        if restarted:
            world.restart()
    world.provided = True
    await world.settle()
    assert sorted(items(world)) == ["n0", "n2", "n3"]
    assert world.api.read(RECORD_SETS, grown) is None
    assert world.slices() == []


async def test_a_mark_never_moves_an_item_out_of_a_full_object() -> None:
    world = World(Limits(object_bytes=3200))
    world.put(*platform(), zone(), *(record_set(f"n{i}") for i in range(3)))
    await world.settle()
    for i in range(3):
        await world.delete(RECORD_SETS, ObjectKey("platform", f"n{i}"))
    await world.settle()
    assert world.api.keys(RECORD_SETS) == []
    assert items(world) == {}


@pytest.mark.spec("CORE-SL-002")
async def test_new_items_go_into_the_fullest_slice_that_has_room() -> None:
    world = World(Limits(inline=0, per_slice=3))
    world.put(*platform(), zone())
    await world.settle()
    world.put(piece(0, item("a")), piece(1, item("b"), item("c")), record_set("a"), record_set("b"), record_set("c"))
    await world.settle()
    world.put(record_set("d"))
    await world.settle()
    assert [len(p.spec.record_sets) for p in world.slices()] == [1, 3]


@pytest.mark.spec("CORE-SL-007")
async def test_a_preapplied_ledger_with_more_items_than_fit_is_honoured() -> None:
    world = World(Limits(inline=2))
    ledger: JsonObject = {
        "metadata": {"namespace": ZONE.namespace, "name": ZONE.name, "generation": 1},
        "spec": {
            "provider": {"name": "example.dns.appthrust.io", "version": "v1"},
            "zone": {
                "ref": ZONE._asdict(),
                "domainName": "example.com",
                "zoneClassRef": {"namespace": "platform", "name": "public"},
            },
            "recordSets": [item(f"n{i}") for i in range(4)],
        },
    }
    world.put(*platform(), (ZONE_UNITS, ledger), zone(), *(record_set(f"n{i}") for i in range(5)))
    await world.settle()
    assert len(world.unit(ZONE).spec.record_sets) == 4
    assert [len(p.spec.record_sets) for p in world.slices()] == [1]
    assert ZONEUNIT_FINALIZER in world.unit(ZONE).metadata.finalizers


@pytest.mark.spec("CORE-SL-009", "CORE-SL-011")
async def test_a_slice_applied_by_hand_is_made_the_units_own(served: World) -> None:
    served.put(record_set("www"), piece(0, item("www")))
    await served.settle()
    [made] = served.slices()
    assert ZONEUNIT_FINALIZER in made.metadata.finalizers
    assert [(r.kind, r.uid, r.controller) for r in made.metadata.owner_references] == [
        ("ZoneUnit", served.unit(ZONE).metadata.uid, True)
    ]
    assert made.metadata.labels[ZONE_UNIT_LABEL] == ZONE.name
    assert items(served) == {"www": "live"}


@pytest.mark.spec("CORE-SL-012")
async def test_a_slice_that_is_being_deleted_is_served_on_and_gets_nothing_new() -> None:
    world = World(Limits(inline=0, per_slice=3))
    world.put(*platform(), zone(), record_set("a"))
    await world.settle()
    await world.delete(ZONE_UNIT_SLICES, ObjectKey("platform", f"{ZONE.name}-0"))
    await world.edit(RECORD_SETS, ObjectKey("platform", "a"), {"spec": {"ttl": 60}})
    world.put(record_set("b"))
    await world.settle()
    assert words(world, ObjectKey("platform", "a")) == PROGRAMMED
    assert [(p.metadata.name, [i.ttl for i in p.spec.record_sets]) for p in world.slices()] == [
        (f"{ZONE.name}-0", [60]),
        (f"{ZONE.name}-1", [300]),
    ]
    assert world.provider.deleted == []
    await world.delete(RECORD_SETS, ObjectKey("platform", "a"))
    await world.settle()
    assert [p.metadata.name for p in world.slices()] == [f"{ZONE.name}-1"]


@pytest.mark.spec("CORE-SL-013", "CORE-SL-019")
async def test_a_deletion_waits_while_the_slice_that_held_the_record_set_is_not_seen() -> None:
    world = World(Limits(inline=0))
    world.put(*platform(), zone(), record_set("www"))
    await world.settle()
    [key] = world.api.keys(ZONE_UNIT_SLICES)
    lost = world.api.read(ZONE_UNIT_SLICES, key)
    assert lost is not None
    await world.edit(ZONE_UNIT_SLICES, key, {"metadata": {"finalizers": None}})
    await world.delete(ZONE_UNIT_SLICES, key)
    await world.delete(RECORD_SETS, WWW)
    await world.settle()
    assert words(world)["Accepted"] == ("Unknown", "OwnerStateNotResolved")
    assert "deletion waits until it is back" in message(world)
    assert world.record_set(WWW).metadata.finalizers == (RECORDSET_FINALIZER,)
    world.put((ZONE_UNIT_SLICES, lost))
    await world.settle()
    assert world.api.read(RECORD_SETS, WWW) is None
    assert world.provider.external == {}


@pytest.mark.spec("CORE-SL-013")
async def test_a_refused_claim_whose_slice_is_not_seen_keeps_its_finalizer_and_its_memory() -> None:
    world = World(Limits(inline=0))
    world.put(*platform(), zone(), record_set("www"))
    await world.settle()
    [key] = world.api.keys(ZONE_UNIT_SLICES)
    await world.edit(ZONE_UNIT_SLICES, key, {"metadata": {"finalizers": None}})
    await world.delete(ZONE_UNIT_SLICES, key)
    await world.edit(ZONES, ZONE, {"spec": {"adoption": {"no": "such payload"}}})
    await world.settle()
    assert words(world) == {"Accepted": ("False", "ZoneNotAccepted"), "Programmed": ("True", "Programmed")}
    assert world.record_set(WWW).metadata.finalizers == (RECORDSET_FINALIZER,)


@pytest.mark.spec("CORE-SL-008")
def test_slice_names_and_labels_are_deterministic_and_legal() -> None:
    assert slice_name("example-com", 3) == "example-com-3"
    long = "a" * 253
    assert len(slice_name(long, 12)) == 253
    assert slice_name(long, 1) != slice_name("a" * 252 + "b", 1)
    assert unit_label("example-com") == "example-com"
    assert len(unit_label(long)) <= 63


@pytest.mark.spec("CORE-SL-002")
@pytest.mark.parametrize(
    ("counts", "expected"), [((2, 1), 0), ((1, 2), 1), ((1, 1), 1), ((3, 1), 1), ((3, 3), 2), ((0, 1), 1)]
)
def test_the_fullest_slice_that_has_room_is_found_by_what_it_holds(counts: tuple[int, ...], expected: int) -> None:
    refs = [LedgerRef(ObjectKey(ZONE.namespace, slice_name(ZONE.name, number)), is_slice=True) for number in range(3)]
    rooms = {ref: Room(ref, count, count, 0) for ref, count in zip(refs, counts, strict=False)}
    inline = LedgerRef(ZONE)
    placement = Placement(ZONE, Limits(inline=1, per_slice=3), {inline: Room(inline, 1, 1, 0), **rooms})
    assert placement.place(RecordSetItem.model_validate(item("www"))) == refs[expected]


def test_a_name_is_shortened_only_where_it_has_to_be() -> None:
    assert slice_name("a" * 251, 0) == "a" * 251 + "-0"
    assert len(slice_name("a" * 252, 0)) == 253
    assert slice_name("a" * 252, 0) != slice_name("a" * 251 + "b", 0)
    assert unit_label("a" * 63) == "a" * 63
    assert unit_label("a" * 64) != unit_label("a" * 63 + "b")
    assert len(unit_label("a" * 64)) <= 63
