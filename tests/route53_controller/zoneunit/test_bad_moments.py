"""Crashes, lost state, throttling and strangers at the worst moments."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from prometheus_client import CollectorRegistry

from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.runtime.errors import UnavailableError
from route53_controller.aws.api import ChangeInfo, Priority, RecordKey, RecordPage, ResourceRecordSet
from route53_controller.aws.errors import AwsFailure
from route53_controller.zoneunit.metrics import ZoneMetrics
from route53_controller.zoneunit.state import UnitState
from tests.fakes.kubernetes import Fault
from tests.route53_controller.zoneunit.world import DOMAIN, UNIT, World, a, leaving, slice_document

NAME = f"www.{DOMAIN}"


async def lose_status(world: World, **kept: object) -> None:
    """Have the ZoneUnit's status lost, as `kubectl apply` of a backup leaves it, and the process start again."""
    document = world.kubernetes.read(ZONE_UNITS, UNIT)
    assert document is not None
    document["status"] = {"provider": {"state": kept}} if kept else {}  # type: ignore[dict-item]
    world.put(ZONE_UNITS, document)
    world.start()


@pytest.mark.parametrize("next_item", [leaving(a("www")), a("www", "192.0.2.9", generation=2)])
async def test_a_record_set_that_changes_before_it_has_a_mark_stays_ours_when_the_next_call_is_lost(
    next_item: JsonObject,
) -> None:
    """What only the intent of the first change proves must not go with it."""
    world = World()
    await world.run()
    await world.set_items(a("www"))
    await world.step()
    assert world.values(NAME) == ("192.0.2.1",)
    world.route53.fail("ChangeResourceRecordSets", AwsFailure.UNKNOWN_OUTCOME)
    await world.set_items(next_item)
    for _ in range(20):
        await world.run()
        await world.pass_time(timedelta(seconds=15))
    assert world.values(NAME) == (None if next_item.get("deletionRequested") else ("192.0.2.9",))


async def test_an_intent_is_as_old_as_its_plan_however_long_the_look_before_it_took() -> None:
    """The next leader counts from it how long a batch may still be on its way."""
    world = World()
    await world.run()
    await world.set_items(a("www"))
    world.clock.jump(timedelta(minutes=30))
    original = world.route53.list_record_sets

    async def slow(*arguments: object, **options: object) -> RecordPage:
        world.clock.jump(timedelta(seconds=40))
        return await original(*arguments, **options)  # type: ignore[arg-type]

    world.route53.list_record_sets = slow  # type: ignore[method-assign]
    await world.step()
    (change,) = UnitState.parse(world.state()).pending_record_set_changes
    assert world.clock.now() - change.submitted_at < timedelta(seconds=1)


class EndedError(Exception):
    """The process ends here."""


async def end(*_: object, **__: object) -> ChangeInfo:
    """End the process in the place of a call."""
    raise EndedError


@pytest.mark.parametrize("next_item", [leaving(a("www", generation=2)), a("www", "192.0.2.9", generation=2)])
async def test_a_record_set_stays_ours_when_a_process_ends_between_its_next_intent_and_the_call(
    next_item: JsonObject,
) -> None:
    """Two changes of one item stand in the state then.

    The first is over and proves whose the record set is, the second never went out.
    """
    world, key = World(), ObjectKey(UNIT.namespace, "example-com-000")
    await world.run()
    world.put(ZONE_UNIT_SLICES, slice_document(key.name))
    await world.set_items(a("www"), resource=ZONE_UNIT_SLICES, key=key)
    await world.step()
    assert world.values(NAME) == ("192.0.2.1",)
    await world.set_items(a("www", "192.0.2.7", generation=2), resource=ZONE_UNIT_SLICES, key=key)
    sends, world.route53.change_record_sets = world.route53.change_record_sets, end  # type: ignore[method-assign]
    with pytest.raises(EndedError):
        await world.run()
    assert len(world.state()["pendingRecordSetChanges"]) == 2  # type: ignore[arg-type]
    world.route53.change_record_sets = sends  # type: ignore[method-assign]
    world.start()
    await world.set_items(next_item, resource=ZONE_UNIT_SLICES, key=key)
    for _ in range(20):
        await world.run()
        await world.pass_time(timedelta(seconds=15))
    assert world.values(NAME) == (None if next_item.get("deletionRequested") else ("192.0.2.9",))


@pytest.mark.spec("R53-WR-003")
async def test_a_crash_after_a_batch_was_applied_leaves_records_that_are_ours() -> None:
    """The intent was stored before the call, the change id was not: no conflict with oneself, no second batch."""
    world = World()
    await world.run()
    lost = UnavailableError(503, "Unavailable", "gone")
    fault = Fault(lost, verb="replace", resource=ZONE_UNITS, key=UNIT, subresource="status", skip=1)
    world.kubernetes.fail(fault)
    await world.set_items(a("www"), a("api"))
    with pytest.raises(UnavailableError):
        await world.run()
    assert world.values(NAME) == ("192.0.2.1",)
    world.kubernetes.faults.clear()
    world.sync()
    world.start()
    await world.run()
    assert world.all_programmed() == {"www": "True Programmed", "api": "True Programmed"}
    assert len(world.route53.batches) == 1


@pytest.mark.spec("R53-BU-005")
async def test_a_minute_of_throttling_flips_nothing_and_slows_the_calls_down() -> None:
    world = World()
    await world.set_items(a("www"), a("api"))
    await world.run()
    world.quiet()
    world.route53.fail("", AwsFailure.THROTTLED, times=10_000)
    await world.set_items(a("www"), a("api"), a("new"))
    ends = world.clock.now() + timedelta(seconds=60)
    while world.clock.now() < ends:
        wait = await world.step()
        assert wait is not None
        world.clock.jump(wait)
        assert world.programmed("www") == world.programmed("api") == "True Programmed"
        assert world.zone_condition() == "True Programmed"
    assert 1 < sum(world.route53.calls.values()) <= 8
    world.route53.faults.clear()
    await world.run()
    assert world.programmed("new") == "True Programmed"


def inserting(world: World, *record_sets: ResourceRecordSet) -> Callable[..., object]:
    """Have somebody write between the first page of a list and the second."""
    original = world.route53.list_record_sets

    async def listed(
        zone_id: str, *, start: RecordKey | None = None, max_items: int = 300, priority: Priority = Priority.USER
    ) -> RecordPage:
        page = await original(zone_id, start=start, max_items=max_items, priority=priority)
        if start is None:
            world.route53.put(zone_id, *record_sets)
        return page

    return listed


@pytest.mark.spec("R53-OB-008")
async def test_a_record_inserted_while_paging_is_neither_missed_for_good_nor_overwritten() -> None:
    world = World()
    await world.set_items(*(a(f"n{number:03d}") for number in range(700)))
    await world.run()
    behind = ResourceRecordSet(RecordKey(f"a.{DOMAIN}", "A"), 60, ("198.51.100.1",))
    ahead = ResourceRecordSet(RecordKey(f"z.{DOMAIN}", "A"), 60, ("198.51.100.2",))
    world.route53.list_record_sets = inserting(world, behind, ahead)  # type: ignore[method-assign,assignment]
    world.start()
    batches = len(world.route53.batches)
    await world.run()
    assert len(world.route53.batches) == batches
    assert set(world.all_programmed().values()) == {"True Programmed"}
    await world.set_items(*(a(f"n{number:03d}") for number in range(700)), a("a"), a("z"))
    await world.run()
    assert world.programmed("a") == world.programmed("z") == "False ProviderConflict"
    assert world.values(behind.key.name) == behind.values
    assert world.values(ahead.key.name) == ahead.values


@pytest.mark.spec("R53-HZ-010")
async def test_a_lost_status_without_adoption_takes_no_zone_and_no_record() -> None:
    world = World()
    await world.set_items(a("www"))
    await world.run()
    (zone_id,) = world.route53.zones
    await lose_status(world)
    await world.run()
    assert world.zone_condition() == "False ProviderConflict"
    assert zone_id in world.zone_message()
    assert list(world.route53.zones) == [zone_id]
    assert world.route53.calls["CreateHostedZone"] == 1


@pytest.mark.spec("R53-HZ-011")
async def test_a_lost_status_is_recovered_by_adoption_and_restore() -> None:
    world = World()
    await world.set_items(a("www"))
    await world.run()
    (zone_id,) = world.route53.zones
    await lose_status(world)
    await world.edit(ZONE_UNITS, UNIT, {"spec": {"zone": {"adoption": {"hostedZoneId": zone_id}}}})
    await world.annotate(restore="adopt-matching")
    await world.run()
    assert world.zone_id == zone_id
    assert world.programmed("www") == "True Programmed"
    assert len(world.route53.batches) == 1


@pytest.mark.spec("R53-RO-009")
async def test_who_knows_of_nothing_of_its_own_deletes_nothing() -> None:
    """Case 37."""
    world = World()
    await world.set_items(a("www"))
    await world.run()
    (zone_id,) = world.route53.zones
    batches = len(world.route53.batches)
    await lose_status(world, hostedZoneID=zone_id)
    world.put_class({"zoneDeletionPolicy": "Delete"})
    await world.set_items(leaving(a("www")))
    await world.run()
    status = world.item_status("www")
    assert status is not None
    assert status.deletion_completed
    assert len(world.route53.batches) == batches
    assert (RecordKey(NAME, "A")) in world.route53.records(zone_id)


@pytest.mark.spec("R53-HD-002")
async def test_a_policy_turned_from_delete_to_retain_deletes_nothing() -> None:
    world = World(parameters={"zoneDeletionPolicy": "Delete"})
    await world.run()
    world.put_class({"zoneDeletionPolicy": "Retain"})
    await world.run()
    await world.delete_unit()
    await world.run()
    assert len(world.route53.zones) == 1
    assert world.route53.calls["DeleteHostedZone"] == 0
    assert "ExternalResourceRetained" in world.reasons()


@pytest.mark.spec("R53-HZ-006", "R53-HZ-007", "R53-HZ-013", "R53-RO-013")
async def test_of_the_hosted_zone_only_its_id_is_public() -> None:
    world = World()
    await world.set_items(a("www"))
    await world.run()
    zone = world.unit.status.zone
    assert zone is not None
    assert zone.provider is not None
    assert zone.provider.to_json() == {"data": {"hostedZoneID": world.zone_id}}
    assert world.state()["callerReference"] == f"{world.unit.metadata.uid}-1"
    assert "callerReference" not in str(world.unit.spec.model_dump())
    status = world.item_status("www")
    assert status is not None
    assert status.provider is not None
    assert status.provider.data is None
    assert status.provider.state == {
        "hostedZoneID": world.zone_id,
        "recordName": f"{NAME}.",
        "recordType": "A",
    }


@pytest.mark.spec("R53-HZ-014", "R53-OB-012")
async def test_only_pending_changes_are_kept() -> None:
    world = World()
    world.route53.auto_insync = False
    await world.set_items(a("www"))
    for _ in range(4):
        wait = await world.step()
        world.clock.jump(wait or timedelta())
    state = UnitState.parse(world.state())
    assert state.pending_hosted_zone_change is not None
    assert (state.pending_hosted_zone_change.operation, state.pending_hosted_zone_change.status) == (
        "CREATE",
        "PENDING",
    )
    (change,) = state.pending_record_set_changes
    assert (change.operation, change.status, bool(change.id)) == ("UPSERT_BATCH", "PENDING", True)
    assert str(world.state()).count("'status': 'PENDING'") == 2
    assert world.programmed("www") == "False ProviderChangePending"
    world.route53.auto_insync = True
    await world.run()
    assert not [name for name in world.state() if name.startswith("pending")]
    assert world.programmed("www") == "True Programmed"


async def test_a_second_process_finds_the_same_work_done() -> None:
    """A restart of a settled zone reads and writes nothing, at Route 53 and in the ledger."""
    world = World()
    await world.set_items(a("www"))
    await world.run()
    world.quiet()
    world.start()
    await world.run()
    assert world.route53.calls["ChangeResourceRecordSets"] == 0
    assert not world.kubernetes.writes()
    assert world.unit.key == ObjectKey("dns", "example-com")


@pytest.mark.spec("R53-EV-003")
async def test_a_refused_claim_is_counted_until_it_goes() -> None:
    registry = CollectorRegistry()
    world = World(metrics=ZoneMetrics(registry))
    await world.run()
    world.route53.refuse = lambda change: (
        f"Invalid Resource Record: FATAL problem [name='{change.record_set.key.name}.']"
    )

    def isolated() -> float | None:
        return registry.get_sample_value("route53_zone_isolated_record_sets", {"zone": str(UNIT)})

    await world.set_items(a("bad"))
    await world.run()
    assert world.programmed("bad") == "False ProviderInvalidRequest"
    assert isolated() == 1
    world.start()
    await world.run()
    assert isolated() == 1
    await world.set_items(leaving(a("bad")))
    await world.run()
    await world.set_items()
    await world.run()
    assert isolated() == 0


async def test_a_change_that_proves_one_item_proves_no_more_of_another_that_was_deleted_since() -> None:
    """The claim comes again where a stranger's record set stands by then: that one is not touched."""
    world, key = World(), ObjectKey(UNIT.namespace, "example-com-000")
    await world.run()
    world.put(ZONE_UNIT_SLICES, slice_document(key.name))
    await world.set_items(a("www"), a("api"), resource=ZONE_UNIT_SLICES, key=key)
    await world.step()
    edited = a("api", "192.0.2.7", generation=2)
    await world.set_items(a("www"), edited, resource=ZONE_UNIT_SLICES, key=key)
    sends, world.route53.change_record_sets = world.route53.change_record_sets, end  # type: ignore[method-assign]
    with pytest.raises(EndedError):
        await world.run()
    world.route53.change_record_sets = sends  # type: ignore[method-assign]
    world.start()
    await world.step()
    assert len(world.state()["pendingRecordSetChanges"]) == 2  # type: ignore[arg-type]
    await world.set_items(leaving(a("www")), edited, resource=ZONE_UNIT_SLICES, key=key)
    for _ in range(8):
        await world.step()
        world.clock.jump(timedelta(seconds=2))
    status = world.item_status("www")
    assert status is not None
    assert status.deletion_completed
    await world.set_items(edited, resource=ZONE_UNIT_SLICES, key=key)
    await world.step()
    foreign = ResourceRecordSet(RecordKey(NAME, "A"), ttl=60, values=("198.51.100.9",))
    world.route53.put(world.zone_id, foreign)
    await world.set_items(a("www", "192.0.2.5", generation=3), edited, resource=ZONE_UNIT_SLICES, key=key)
    world.start()
    for _ in range(10):
        await world.run()
        await world.pass_time(timedelta(seconds=15))
    assert world.values(NAME) == ("198.51.100.9",)
    assert world.programmed("www") == "False ProviderConflict"
    assert world.programmed("api") == "True Programmed"


@pytest.mark.spec("R53-WR-003")
async def test_what_may_be_on_its_way_is_waited_for_though_an_answer_for_another_part_of_its_intent_came() -> None:
    """A refused batch goes in halves: one is answered, one is lost, and then the ledger cannot be written."""
    world = World()
    await world.run()
    await world.set_items(a("aa"), a("bb"))
    world.route53.fail("ChangeResourceRecordSets", AwsFailure.INVALID_CHANGE_BATCH)
    world.route53.fail("ChangeResourceRecordSets", AwsFailure.UNKNOWN_OUTCOME, skip=1)
    world.kubernetes.fail(Fault(UnavailableError(0, "Timeout", "x"), "replace", ZONE_UNITS, skip=1))
    with pytest.raises(UnavailableError):
        await world.step()
    await world.set_items(a("aa"), leaving(a("bb")))
    world.clock.jump(timedelta(seconds=20))
    await world.step()
    status = world.item_status("bb")
    assert status is None or not status.deletion_completed
    late = ResourceRecordSet(RecordKey(f"bb.{DOMAIN}", "A"), 300, ("192.0.2.1",))
    world.route53.put(world.zone_id, late)
    await world.run()
    assert world.values(f"bb.{DOMAIN}") is None


async def test_a_change_whose_id_could_not_be_stored_is_as_if_its_answer_had_been_lost() -> None:
    """It says Programmed when it is surely over, not two seconds later."""
    world = World()
    await world.run()
    world.route53.auto_insync = False
    await world.set_items(a("www"))
    world.kubernetes.fail(Fault(UnavailableError(0, "Timeout", "x"), "replace", ZONE_UNITS, skip=1))
    with pytest.raises(UnavailableError):
        await world.step()
    world.clock.jump(world.settings.change_poll_first * 2)
    await world.step()
    assert world.programmed("www") == "False ProviderUnavailable"
    await world.run()
    assert world.programmed("www") == "True Programmed"
    assert len(world.route53.batches) == 1
