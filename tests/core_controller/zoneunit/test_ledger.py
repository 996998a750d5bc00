"""The ledger under pressure: conflicts of writers, moves, doubles, lost and restored slices, marks of others."""

import pytest

from core_controller.zoneunit.plan.placement import slice_name, unit_label
from core_controller.zoneunit.reconciler import NAMES_A_PASS
from core_controller.zoneunit.snapshot import Limits
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.api.names import (
    COPIED_ANNOTATIONS,
    PAUSED_ANNOTATION,
    RECONCILE_REQUEST_ANNOTATION,
    RECORDSET_FINALIZER,
    RESTORE_ANNOTATION,
    ZONE_UNIT_LABEL,
    ZONEUNIT_FINALIZER,
)
from tests.core_controller.zoneunit.objects import ZONE, cname, platform, record_set, renamed, zone
from tests.core_controller.zoneunit.reading import PROGRAMMED, WWW, items, message, words, zone_words
from tests.core_controller.zoneunit.world import World
from tests.fakes.kubernetes import Fault, refused

OLDER, YOUNGER = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"


def item(name: str, claim: str = "", generation: int = 1, **more: object) -> JsonObject:
    """Return an item as a ledger holds it."""
    body: JsonObject = {
        "recordSetNamespace": "platform",
        "recordSetName": claim or name,
        "observedGeneration": generation,
        "name": name,
        "type": "A",
        "ttl": 300,
        "a": {"addresses": ["192.0.2.1"]},
    }
    return body | more  # type: ignore[operator] - only JSON is given


def piece(index: int, *entries: JsonObject, **metadata: object) -> tuple:  # type: ignore[type-arg]
    """Return a slice that somebody applied."""
    meta: JsonObject = {"namespace": ZONE.namespace, "name": f"{ZONE.name}-{index}", "generation": 1}
    spec: JsonObject = {"zoneUnitRef": {"name": ZONE.name}, "recordSets": list(entries)}
    return ZONE_UNIT_SLICES, {"metadata": meta | metadata, "spec": spec}


async def test_the_finalizer_stands_before_the_item_and_is_there_while_the_item_is(served: World) -> None:
    served.provided = False
    served.put(record_set("www"))
    seen = []
    for _ in range(6):
        await served.sync()
        await served.reconcile()
        held = RECORDSET_FINALIZER in served.record_set(WWW).metadata.finalizers
        seen.append((held, "www" in items(served)))
    assert (False, True) not in seen
    assert seen[0] == (True, False)
    assert seen[-1] == (True, True)


@pytest.mark.spec("CORE-ZU-023", "CORE-SL-016")
async def test_a_provider_that_wrote_first_costs_no_new_decision(served: World) -> None:
    """The two writers share one resourceVersion; the edit is put again at once on the live object."""
    served.put(record_set("www"))
    await served.settle()
    await served.edit(RECORD_SETS, WWW, {"spec": {"ttl": 60}})
    await served.sync()
    ledger = served.api.read(ZONE_UNITS, ZONE)
    assert ledger is not None
    status = ledger["status"]
    assert isinstance(status, dict)
    await served.api.replace(
        ZONE_UNITS, ZONE, ledger | {"status": status | {"observedGeneration": 1}}, subresource="status"
    )
    served.queue.add(ZONE)
    await served.reconciler.reconcile(ZONE)
    assert served.unit(ZONE).spec.record_sets[0].ttl == 60
    assert served.unit(ZONE).status.observed_generation == 1


async def test_a_ledger_edited_by_another_hand_is_decided_about_anew(served: World) -> None:
    served.put(record_set("www"))
    await served.sync()
    await served.reconcile()
    await served.sync(RECORD_SETS)
    await served.edit(ZONE_UNITS, ZONE, {"spec": {"recordSets": [item("www", "stranger")]}})
    await served.settle()
    assert items(served) == {"stranger": "live"}
    assert words(served) == {"Accepted": ("Unknown", "OwnerStateNotResolved")}


@pytest.mark.parametrize("applied", [True, False])
@pytest.mark.parametrize("verb", ["create", "replace", "merge_patch", "json_patch"])
async def test_a_lost_or_failed_write_is_made_good(world: World, verb: str, applied: bool) -> None:
    for skip in range(3):
        world.api.fail(Fault(refused(503, "ServiceUnavailable"), verb, applied=applied, skip=skip))  # type: ignore[arg-type]
    world.put(zone(), record_set("www"))
    await world.settle()
    assert words(world) == PROGRAMMED
    assert items(world) == {"www": "live"}


async def test_no_status_speaks_of_a_ledger_write_that_failed(served: World) -> None:
    served.provided = False
    served.put(record_set("www"))
    await served.sync()
    await served.reconcile()
    served.api.fail(Fault(refused(503, "ServiceUnavailable"), "replace", ZONE_UNITS))
    await served.sync()
    await served.reconcile()
    assert words(served) == {}


async def _rounds(world: World, count: int = 8) -> None:
    for _ in range(count):
        await world.sync()
        await world.reconcile()
        await world.provide()


@pytest.mark.spec("CORE-SL-018")
async def test_a_ledger_object_that_cannot_be_written_holds_up_its_own_names_only_and_they_say_so() -> None:
    """Case 25 in the ledger, as where a quota forbids another slice."""
    world = World(Limits(inline=1, per_slice=1))
    world.put(*platform(), zone(), record_set("www"))
    await world.settle()
    world.api.fail(Fault(refused(403, "Forbidden"), "create", ZONE_UNIT_SLICES, times=1000))
    api = ObjectKey("platform", "api")
    world.put(record_set("api"))
    await _rounds(world)
    assert words(world, api) == {"Accepted": ("Unknown", "ReconcileError")}
    assert "Forbidden" in message(world, api)
    await world.edit(RECORD_SETS, WWW, {"spec": {"ttl": 60}})
    await _rounds(world)
    assert words(world) == PROGRAMMED
    assert world.record_set(WWW).status.observed_generation == 2
    told = [event.reason for event in world.recorder.events if event.regarding.name == "api"]
    assert told == ["ReconcileError"]
    world.api.faults.clear()
    await world.settle()
    assert words(world, api) == PROGRAMMED


async def test_a_zone_whose_ledger_cannot_be_made_says_so_and_so_do_its_record_sets(world: World) -> None:
    world.api.fail(Fault(refused(403, "Forbidden"), "create", ZONE_UNITS, times=1000))
    world.put(zone(), record_set("www"))
    await _rounds(world)
    assert zone_words(world) == {"Accepted": ("Unknown", "ReconcileError")}
    assert words(world) == {"Accepted": ("Unknown", "ReconcileError")}
    world.api.faults.clear()
    await world.settle()
    assert words(world) == PROGRAMMED


async def test_an_empty_slice_that_may_not_be_deleted_holds_up_nobody() -> None:
    world = World(Limits(inline=1, per_slice=1))
    world.put(*platform(), zone(), record_set("www"), record_set("api"))
    await world.settle()
    world.api.fail(Fault(refused(403, "Forbidden"), "delete", ZONE_UNIT_SLICES, times=1000))
    await world.delete(RECORD_SETS, ObjectKey("platform", "www"))
    await world.delete(RECORD_SETS, ObjectKey("platform", "api"))
    await _rounds(world)
    world.put(record_set("new"))
    await _rounds(world)
    assert words(world, ObjectKey("platform", "new")) == PROGRAMMED


async def test_an_edit_that_cannot_be_written_leaves_what_is_programmed_and_says_so() -> None:
    world = World(Limits(object_bytes=6000))
    world.put(*platform(), zone(), *(record_set(f"n{i}") for i in range(4)))
    await world.settle()
    grown = ObjectKey("platform", "n1")
    world.api.fail(Fault(refused(403, "Forbidden"), "create", ZONE_UNIT_SLICES, times=1000))
    await world.edit(RECORD_SETS, grown, {"spec": {"a": addresses(200)}})
    await _rounds(world)
    assert words(world, grown) == {
        "Accepted": ("Unknown", "ReconcileError"),
        "Programmed": ("False", "ProviderChangePending"),
    }
    assert items(world)["n1"] == "live"
    await world.delete(RECORD_SETS, ObjectKey("platform", "n2"))
    await _rounds(world)
    assert world.api.read(RECORD_SETS, ObjectKey("platform", "n2")) is None


@pytest.mark.spec("CORE-SL-018")
async def test_one_name_that_always_fails_does_not_keep_the_others_from_their_turn() -> None:
    world = World()
    world.put(*platform(), zone(), *(record_set(f"n{i:04}") for i in range(NAMES_A_PASS + 5)))
    world.api.fail(
        Fault(refused(422, "Invalid"), "json_patch", RECORD_SETS, ObjectKey("platform", "n0000"), times=1000)
    )
    world.provided = False
    for _ in range(6):
        await world.sync()
        await world.reconcile()
    assert words(world, ObjectKey("platform", f"n{NAMES_A_PASS + 4:04}"))["Accepted"] == ("Unknown", "Reconciling")
    assert words(world, ObjectKey("platform", "n0000")) == {}


def addresses(count: int) -> JsonObject:
    """Return an A body of that many addresses."""
    return {"addresses": [f"192.0.2.{i}" for i in range(count)]}


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


@pytest.mark.spec("CORE-ZU-015", "CORE-SL-014")
async def test_two_items_of_one_identity_are_repaired_in_favour_of_the_one_the_provider_has(served: World) -> None:
    """Cases 44 and 57."""
    served.put(renamed(record_set("www", created=YOUNGER), "younger"))
    await served.settle()
    served.put(renamed(record_set("www", created=OLDER), "older"), piece(0, item("www", "older")))
    await served.settle()
    assert items(served) == {"younger": "live"}
    assert words(served, ObjectKey("platform", "younger")) == PROGRAMMED
    assert words(served, ObjectKey("platform", "older")) == {"Accepted": ("False", "RecordSetConflict")}
    assert served.provider.deleted == []


@pytest.mark.spec("CORE-SL-005")
async def test_one_key_in_two_objects_is_one_item(served: World) -> None:
    served.put(record_set("www"))
    await served.settle()
    served.put(piece(0, item("www")))
    await served.settle()
    assert items(served) == {"www": "live"}
    assert len(served.unit(ZONE).spec.record_sets) + sum(len(p.spec.record_sets) for p in served.slices()) == 1
    assert served.provider.deleted == []


@pytest.mark.spec("CORE-BY-001")
async def test_a_handover_into_another_object_is_in_the_ledger_before_the_old_item_is_marked() -> None:
    world = World(Limits(inline=1))
    world.put(*platform(), zone(), record_set("www"))
    await world.settle()
    world.provider.cleans = False
    world.put(renamed(cname("www"), "successor"))
    await world.settle()
    await world.delete(RECORD_SETS, WWW)
    states = []
    for _ in range(6):
        await world.sync()
        await world.reconcile()
        states.append(items(world))
    assert {"www": "leaving"} not in states
    assert states[-1] == {"www": "leaving", "successor": "live"}


@pytest.mark.spec("PC-AN-001", "CORE-BY-004")
async def test_annotations_are_mirrored_also_on_a_zone_in_trouble_and_their_removal_too(served: World) -> None:
    marks: JsonObject = dict.fromkeys(COPIED_ANNOTATIONS, "x")
    await served.edit(ZONES, ZONE, {"metadata": {"annotations": marks}})
    await served.settle()
    assert {n: v for n, v in served.unit(ZONE).metadata.annotations.items() if n in marks} == marks
    for key in served.api.keys(platform()[2][0]):
        await served.delete(platform()[2][0], key)
    await served.edit(
        ZONES, ZONE, {"metadata": {"annotations": {PAUSED_ANNOTATION: "true", RECONCILE_REQUEST_ANNOTATION: None}}}
    )
    await served.settle()
    assert zone_words(served)["Accepted"][0] == "Unknown"
    found = served.unit(ZONE).metadata.annotations
    assert found[PAUSED_ANNOTATION] == "true"
    assert RECONCILE_REQUEST_ANNOTATION not in found


@pytest.mark.spec("CORE-BY-005")
async def test_what_people_set_on_the_ledger_itself_stays(served: World) -> None:
    await served.edit(ZONE_UNITS, ZONE, {"metadata": {"annotations": {RESTORE_ANNOTATION: "adopt-matching"}}})
    await served.edit(ZONES, ZONE, {"metadata": {"annotations": {PAUSED_ANNOTATION: "true"}}})
    served.put(record_set("www"))
    await served.settle()
    assert served.unit(ZONE).metadata.annotations[RESTORE_ANNOTATION] == "adopt-matching"


@pytest.mark.spec("PC-AN-002")
async def test_a_reconcile_request_alone_changes_no_condition(served: World) -> None:
    before = served.zone(ZONE).status
    await served.edit(ZONES, ZONE, {"metadata": {"annotations": {RECONCILE_REQUEST_ANNOTATION: "now"}}})
    await served.settle()
    assert served.zone(ZONE).status == before
    assert served.zone(ZONE).metadata.annotations == {RECONCILE_REQUEST_ANNOTATION: "now"}


@pytest.mark.spec("CORE-SL-008")
def test_slice_names_and_labels_are_deterministic_and_legal() -> None:
    assert slice_name("example-com", 3) == "example-com-3"
    long = "a" * 253
    assert len(slice_name(long, 12)) == 253
    assert slice_name(long, 1) != slice_name("a" * 252 + "b", 1)
    assert unit_label("example-com") == "example-com"
    assert len(unit_label(long)) <= 63
