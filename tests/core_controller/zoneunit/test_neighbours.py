"""What cannot be written holds up nobody but those whom it concerns: no deletion, no name, no status of a neighbour."""

from datetime import timedelta

import orjson
import pytest

from core_controller.zoneunit.snapshot import Limits
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from libdnsapi.runtime.errors import ConflictError, InvalidError, TooLargeError
from tests.core_controller.zoneunit.objects import ZONE, cname, platform, record_set, renamed, zone
from tests.core_controller.zoneunit.reading import PROGRAMMED, WWW, items, message, words, zone_message, zone_words
from tests.core_controller.zoneunit.world import World
from tests.fakes.kubernetes import Fault, refused

BROKEN = ObjectKey("platform", "broken")
SLICE_0 = ObjectKey("platform", "example-com-0")
ROUNDS = 40
REFUSED = refused(422, "Invalid")
CRASHED = refused(500, "InternalError")


async def rounds(world: World, count: int = ROUNDS) -> None:
    """Go on for a while; a world in which a write always fails does not settle."""
    for _ in range(count):
        await world.sync()
        await world.reconcile()
        await world.provide()
        world.clock.jump(timedelta(seconds=10))


def unfinished(world: World, error: Exception = REFUSED, key: ObjectKey = BROKEN) -> None:
    """Have nothing about a claim written any more but its status."""
    world.api.fail(Fault(error, "merge_patch", RECORD_SETS, key, times=9999))


@pytest.mark.spec("CORE-BY-002")
@pytest.mark.parametrize("error", [REFUSED, CRASHED], ids=["refused", "an admission webhook that crashes over it"])
async def test_a_claim_of_the_same_namespace_that_cannot_be_let_in_holds_up_no_deletion(
    served: World, error: Exception
) -> None:
    served.put(record_set("www"))
    await served.settle()
    unfinished(served, error)
    served.put(renamed(cname("www"), "broken"))
    await served.delete(RECORD_SETS, WWW)
    await rounds(served)
    assert served.api.read(RECORD_SETS, WWW) is None
    assert served.provider.external == {}
    served.api.faults.clear()
    await served.settle()
    assert words(served, BROKEN) == PROGRAMMED


async def test_a_claim_that_cannot_be_let_in_says_so_and_is_let_in_once_it_can(served: World) -> None:
    unfinished(served)
    served.put(renamed(record_set("www"), "broken"))
    await rounds(served)
    assert words(served, BROKEN) == {"Accepted": ("Unknown", "ReconcileError")}
    assert "finalizer" in message(served, BROKEN)
    assert "Invalid" in message(served, BROKEN)
    served.api.faults.clear()
    await served.settle()
    assert words(served, BROKEN) == PROGRAMMED


async def test_a_claim_that_cannot_be_let_in_pre_empts_nobody(served: World) -> None:
    unfinished(served)
    served.put(renamed(record_set("www", created="2020-01-01T00:00:00Z"), "broken"), record_set("www"))
    await rounds(served)
    assert words(served) == PROGRAMMED
    assert words(served, BROKEN) == {"Accepted": ("False", "RecordSetConflict")}
    served.api.faults.clear()
    await served.settle()
    assert words(served) == PROGRAMMED
    assert words(served, BROKEN) == {"Accepted": ("False", "RecordSetConflict")}


async def test_a_claim_that_cannot_be_let_in_has_no_other_name_decided_again(served: World) -> None:
    unfinished(served)
    served.put(renamed(record_set("www"), "broken"), record_set("api"), record_set("mail"))
    await rounds(served)
    assert served.dirty.take(ZONE).names == ("www",)


async def test_a_zone_whose_status_cannot_be_written_has_no_name_decided_again(served: World) -> None:
    served.api.fail(Fault(REFUSED, "json_patch", ZONES, ZONE, times=9999))
    await served.edit(ZONES, ZONE, {"spec": {"allowedRecordSets": []}})
    served.put(record_set("www"), record_set("api"))
    await rounds(served)
    assert words(served) == PROGRAMMED
    assert served.dirty.take(ZONE).names == ()
    served.api.faults.clear()
    await served.settle()
    assert served.zone(ZONE).status.observed_generation == 2


async def test_a_zone_that_became_another_one_is_met_as_a_newer_object(served: World) -> None:
    await served.edit(ZONES, ZONE, {"spec": {"allowedRecordSets": []}})
    await served.sync()
    reborn = served.zone(ZONE)
    served.api.seed(ZONES, reborn.model_copy(update={"metadata": reborn.metadata.model_copy(update={"uid": "reborn"})}))
    with pytest.raises(ConflictError, match="another one"):
        await served.reconciler.reconcile(ZONE)
    await served.settle()
    assert zone_words(served) == PROGRAMMED


async def test_an_api_server_that_is_away_for_long_makes_no_gap_in_a_handover(served: World) -> None:
    served.put(record_set("www"))
    await served.settle()
    away = refused(503, "ServiceUnavailable")
    for verb in ("merge_patch", "replace", "json_patch"):
        served.api.fail(Fault(away, verb, times=9999))
    served.put(renamed(cname("www"), "broken"))
    await served.delete(RECORD_SETS, WWW)
    for _ in range(ROUNDS):
        await served.sync()
        await served.reconcile()
        served.clock.jump(timedelta(seconds=10))
    served.api.faults.clear()
    for _ in range(ROUNDS):
        await rounds(served, 1)
        assert "live" in items(served).values()
    assert items(served) == {"broken": "live"}


async def test_a_claim_whose_item_cannot_be_written_holds_up_no_deletion() -> None:
    """As where a quota forbids another slice."""
    world = World(Limits(inline=1, per_slice=1))
    world.put(*platform(), zone(), record_set("www"))
    await world.settle()
    world.api.fail(Fault(refused(403, "Forbidden"), "create", ZONE_UNIT_SLICES, times=9999))
    world.put(renamed(cname("www"), "broken"))
    await rounds(world, 6)
    await world.delete(RECORD_SETS, WWW)
    await rounds(world)
    assert world.api.read(RECORD_SETS, WWW) is None
    assert words(world, BROKEN) == PROGRAMMED, "there is room now"


async def test_a_zone_whose_finalizer_cannot_be_written_says_so(world: World) -> None:
    world.api.fail(Fault(REFUSED, "merge_patch", ZONES, ZONE, times=9999))
    world.put(zone(), record_set("www"))
    await rounds(world, 8)
    assert zone_words(world) == {"Accepted": ("Unknown", "ReconcileError")}
    assert "finalizer" in zone_message(world)
    world.api.faults.clear()
    await world.settle()
    assert words(world) == PROGRAMMED


TOO_LARGE = TooLargeError(500, "InternalError", "etcdserver: request is too large")


@pytest.mark.spec("CORE-SL-018")
@pytest.mark.parametrize("error", [CRASHED, TOO_LARGE], ids=["an error of the server", "too large for etcd"])
async def test_a_ledger_object_that_cannot_be_written_holds_up_no_status_of_others(error: Exception) -> None:
    world = World(Limits(inline=1, per_slice=1))
    world.put(*platform(), zone(), record_set("www"), renamed(record_set("zz"), "broken"))
    await world.settle()
    world.api.fail(Fault(error, "replace", ZONE_UNIT_SLICES, SLICE_0, times=9999))
    await world.edit(RECORD_SETS, BROKEN, {"spec": {"ttl": 60}})
    await world.edit(RECORD_SETS, WWW, {"spec": {"ttl": 60}})
    world.put(renamed(record_set("www", created="2031-01-01T00:00:00Z"), "late"))
    await rounds(world)
    assert words(world) == PROGRAMMED
    assert world.record_set(WWW).status.observed_generation == 2
    assert words(world, ObjectKey("platform", "late")) == {"Accepted": ("False", "RecordSetConflict")}
    told = words(world, BROKEN)["Accepted"]
    assert told == (("Unknown", "ReconcileError") if error is TOO_LARGE else ("True", "Accepted"))
    world.api.faults.clear()
    await world.settle()
    assert words(world, BROKEN) == PROGRAMMED


@pytest.mark.spec("CORE-SL-018")
async def test_items_that_the_server_names_are_left_out_at_once(served: World, monkeypatch: pytest.MonkeyPatch) -> None:
    replace, tries = served.api.replace, 0

    async def guarded(
        resource: ResourceType, key: ObjectKey, body: JsonObject, *, subresource: str = "", dry_run: bool = False
    ) -> bytes:
        nonlocal tries
        spec = orjson.loads(orjson.dumps(body)).get("spec", {})
        names = [entry["recordSetName"] for entry in spec.get("recordSets", ())]
        wrong = tuple(f"spec.recordSets[{n}].ttl" for n, name in enumerate(names) if name.startswith("broken"))
        if not subresource:
            tries += 1
            if wrong:
                error = InvalidError(422, "Invalid", "a rule of today")
                error.fields = wrong
                raise error
        return await replace(resource, key, body, subresource=subresource, dry_run=dry_run)

    monkeypatch.setattr(served.api, "replace", guarded)
    broken = [renamed(record_set(f"b{i}"), f"broken{i}") for i in range(10)]
    served.put(*(record_set(f"n{i}") for i in range(10)), *broken)
    await served.sync()
    await served.reconcile()
    assert tries <= 2
    await rounds(served, 6)
    others = [key for key in served.api.keys(RECORD_SETS) if not key.name.startswith("broken")]
    assert [words(served, key) for key in others] == [PROGRAMMED] * 10
    told = [words(served, ObjectKey("platform", f"broken{i}")) for i in range(10)]
    assert told == [{"Accepted": ("Unknown", "ReconcileError")}] * 10
    assert message(served, ObjectKey("platform", "broken0")).startswith("The API server does not store ttl of this")
    monkeypatch.undo()
    await served.settle()
    assert words(served, ObjectKey("platform", "broken3")) == PROGRAMMED


async def test_an_empty_slice_that_cannot_be_deleted_now_holds_up_no_status() -> None:
    world = World(Limits(inline=1, per_slice=1))
    world.put(*platform(), zone(), record_set("www"), record_set("api"))
    await world.settle()
    world.api.fail(Fault(CRASHED, "delete", ZONE_UNIT_SLICES, times=9999))
    await world.delete(RECORD_SETS, WWW)
    await world.delete(RECORD_SETS, ObjectKey("platform", "api"))
    await rounds(world, 12)
    world.put(record_set("new"), renamed(record_set("new", created="2031-01-01T00:00:00Z"), "late"))
    await rounds(world, 12)
    assert words(world, ObjectKey("platform", "new")) == PROGRAMMED
    assert words(world, ObjectKey("platform", "late")) == {"Accepted": ("False", "RecordSetConflict")}


@pytest.mark.spec("CORE-SL-018")
async def test_an_item_that_the_server_will_not_store_holds_up_none_that_comes_with_it(
    served: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that is small in JSON and large as the server writes it."""
    replace = served.api.replace

    async def guarded(
        resource: ResourceType, key: ObjectKey, body: JsonObject, *, subresource: str = "", dry_run: bool = False
    ) -> bytes:
        if b'"recordSetName":"broken"' in orjson.dumps(body):
            raise TOO_LARGE
        return await replace(resource, key, body, subresource=subresource, dry_run=dry_run)

    monkeypatch.setattr(served.api, "replace", guarded)
    served.put(*(record_set(f"n{i}") for i in range(5)), renamed(record_set("n9"), "broken"))
    await rounds(served)
    served.put(record_set("late"))
    await rounds(served)
    others = [key for key in served.api.keys(RECORD_SETS) if key != BROKEN]
    assert [words(served, key) for key in others] == [PROGRAMMED] * 6
    assert words(served, BROKEN) == {"Accepted": ("Unknown", "ReconcileError")}
    monkeypatch.undo()
    await served.settle()
    assert words(served, BROKEN) == PROGRAMMED
