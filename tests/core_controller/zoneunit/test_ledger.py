"""The ledger under pressure: conflicts of writers, moves, doubles, lost and restored slices, marks of others."""

import pytest

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
)
from tests.core_controller.zoneunit.objects import ZONE, cname, platform, record_set, renamed, zone
from tests.core_controller.zoneunit.pieces import addresses, item, piece
from tests.core_controller.zoneunit.reading import PROGRAMMED, WWW, items, message, words, zone_words
from tests.core_controller.zoneunit.world import World
from tests.fakes.kubernetes import Fault, refused

OLDER, YOUNGER = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"


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


@pytest.mark.spec("CORE-BY-004")
async def test_a_ledger_is_paused_from_the_moment_that_it_is_made(world: World) -> None:
    resource, body = zone()
    meta = body["metadata"]
    assert isinstance(meta, dict)
    asked: JsonObject = {PAUSED_ANNOTATION: "true", "example.net/note": "x"}
    world.put((resource, body | {"metadata": meta | {"annotations": asked}}))
    world.provided = False
    for _ in range(5):
        await world.sync()
        await world.reconcile()
        if world.api.keys(ZONE_UNITS):
            break
    assert world.unit(ZONE).metadata.annotations == {PAUSED_ANNOTATION: "true"}


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
