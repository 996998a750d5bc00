"""A ledger in several objects: items are found, programmed, moved and cleaned up wherever they stand."""

import pytest

from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime.errors import ConflictError, UndecodableError
from tests.fakes.kubernetes import Fault
from tests.route53_controller.zoneunit.plan.builders import record_set
from tests.route53_controller.zoneunit.world import UNIT, World, a, leaving, slice_document

ONE = ObjectKey("dns", "example-com-1")
TWO = ObjectKey("dns", "example-com-2")
OURS = "route53.dns.appthrust.io/zoneunit-finalizer"


async def with_slices() -> World:
    world = World()
    for key in (ONE, TWO):
        world.put(ZONE_UNIT_SLICES, slice_document(key.name))
    await world.set_items(a("inline"))
    await world.set_items(a("one"), resource=ZONE_UNIT_SLICES, key=ONE)
    await world.set_items(a("two"), resource=ZONE_UNIT_SLICES, key=TWO)
    await world.run()
    return world


@pytest.mark.spec("CORE-ZU-022")
async def test_items_of_slices_are_programmed_and_reported_beside_their_spec() -> None:
    world = await with_slices()
    assert world.all_programmed() == dict.fromkeys(("inline", "one", "two"), "True Programmed")
    assert [s.record_set_name for s in world.slice(ONE.name).status.record_sets] == ["one"]
    assert world.aggregate() == "True Programmed"
    assert OURS in world.slice(ONE.name).metadata.finalizers
    assert world.route53.calls["ChangeResourceRecordSets"] == 1


@pytest.mark.spec("CORE-ZU-025")
async def test_one_failing_item_of_a_slice_shows_in_the_aggregate() -> None:
    world = await with_slices()
    bad = a("bad") | {"type": "TXT", "a": None, "txt": {"values": ["t\tab"]}}
    await world.set_items(a("two"), bad, resource=ZONE_UNIT_SLICES, key=TWO)
    await world.run()
    assert world.aggregate() == "False ProviderInvalidRequest"
    message = next(c.message for c in world.unit.status.conditions)
    assert "app/bad" in message


@pytest.mark.spec("CORE-SL-019")
async def test_a_missing_slice_never_means_deletion() -> None:
    world = await with_slices()
    world.stores.slices.forget(ONE)
    await world.reconciler.reconcile(UNIT)
    assert world.values("one.example.com") is not None


async def test_an_item_on_the_move_is_one_item_and_is_reported_in_both_places() -> None:
    world = await with_slices()
    await world.set_items(a("two"), a("one"), resource=ZONE_UNIT_SLICES, key=TWO)
    batches = len(world.route53.batches)
    await world.run()
    assert [s.record_set_name for s in world.slice(TWO.name).status.record_sets] == ["two", "one"]
    status = world.slice(TWO.name).status.record_sets[1]
    assert status.provider is not None
    assert (status.provider.state or {})["recordName"] == "one.example.com."
    await world.set_items(resource=ZONE_UNIT_SLICES, key=ONE)
    await world.run()
    assert world.slice(ONE.name).status.record_sets == ()
    assert world.programmed("one") == "True Programmed"
    assert len(world.route53.batches) == batches


@pytest.mark.parametrize("goes", [False, True], ids=["stays", "goes"])
async def test_an_old_slice_with_the_key_of_an_item_under_another_name_touches_nothing_there(goes: bool) -> None:
    """A claim was made anew under another name, and the slice of its former life came back with a backup."""
    world = await with_slices()
    new, others = a("new", claim="www", generation=5), [a(f"n{number}") for number in range(6)]
    await world.set_items(new, *others)
    await world.run()
    world.route53.put(world.zone_id, record_set("old", "A", "203.0.113.9"))
    await world.annotate(reconcile_request="now")
    await world.run()
    await world.set_items(a("old", claim="www", generation=2), resource=ZONE_UNIT_SLICES, key=ONE)
    await world.run()
    assert world.programmed("www") == "True Programmed"
    await world.set_items(leaving(new) if goes else new, *others)
    await world.run()
    assert world.values("old.example.com") == ("203.0.113.9",)
    assert world.values("new.example.com") == (None if goes else ("192.0.2.1",))


@pytest.mark.parametrize("restarted", [False, True])
async def test_nothing_is_decided_and_no_unit_is_let_go_while_a_slice_cannot_be_read(restarted: bool) -> None:
    """As after a downgrade: what it holds stands in Route 53, and is out of sight."""
    world = await with_slices()
    await world.edit(ZONE_UNIT_SLICES, ONE, {"spec": {"recordSets": [a("one") | {"ttl": "of a later version"}]}})
    if restarted:
        world.start()
    await world.delete_unit()
    with pytest.raises(UndecodableError):
        await world.step()
    assert OURS in world.unit.metadata.finalizers
    await world.set_items(a("one"), resource=ZONE_UNIT_SLICES, key=ONE)
    await world.run()
    assert world.values("one.example.com") == ("192.0.2.1",)


async def test_an_old_slice_in_which_a_former_life_of_a_claim_was_leaving_deletes_nothing_of_the_new_one() -> None:
    world = await with_slices()
    await world.set_items(a("new", claim="www", generation=5))
    await world.run()
    former = leaving(a("old", claim="www", generation=2))
    await world.set_items(former, resource=ZONE_UNIT_SLICES, key=ONE)
    await world.run()
    assert world.values("new.example.com") == ("192.0.2.1",)
    assert world.programmed("www") == "True Programmed"


async def test_a_slice_that_is_being_deleted_is_served_until_its_items_have_left() -> None:
    world = await with_slices()
    await world.kubernetes.delete(ZONE_UNIT_SLICES, ONE)
    world.sync()
    await world.run()
    assert world.values("one.example.com") is not None
    assert OURS in world.slice(ONE.name).metadata.finalizers
    await world.set_items(leaving(a("one")), resource=ZONE_UNIT_SLICES, key=ONE)
    await world.run()
    assert world.slice(ONE.name).status.record_sets[0].deletion_completed
    assert world.values("one.example.com") is None
    await world.set_items(resource=ZONE_UNIT_SLICES, key=ONE)
    await world.run()
    assert world.kubernetes.read(ZONE_UNIT_SLICES, ONE) is None


async def test_thirty_cycles_of_a_claim_leave_no_entry_behind() -> None:
    """Case 85."""
    world = await with_slices()
    for cycle in range(30):
        item = a(f"cycle{cycle}")
        await world.set_items(a("two"), item, resource=ZONE_UNIT_SLICES, key=TWO)
        await world.run()
        await world.set_items(a("two"), leaving(item), resource=ZONE_UNIT_SLICES, key=TWO)
        await world.run()
        await world.set_items(a("two"), resource=ZONE_UNIT_SLICES, key=TWO)
        await world.run()
    assert [s.record_set_name for s in world.slice(TWO.name).status.record_sets] == ["two"]
    assert "pendingRecordSetChanges" not in world.state()


async def test_a_conflict_puts_our_half_onto_the_live_object() -> None:
    world = World()
    await world.run()
    await world.set_items(a("www"))
    await world.kubernetes.merge_patch(ZONE_UNITS, UNIT, {"metadata": {"annotations": {"x": "y"}}})
    result = await world.reconciler.reconcile(UNIT)
    assert result.requeue_after is not None
    world.sync()
    await world.run()
    assert world.programmed("www") == "True Programmed"
    assert world.unit.metadata.annotations["x"] == "y"


async def test_endless_conflicts_are_left_to_the_loop_and_send_nothing() -> None:
    world = World()
    await world.run()
    world.kubernetes.fail(
        Fault(ConflictError(409, "Conflict", "no"), verb="replace", resource=ZONE_UNITS, subresource="status", times=9)
    )
    await world.set_items(a("www"))
    try:
        await world.step()
    except ConflictError:
        world.kubernetes.faults.clear()
    assert world.route53.calls["ChangeResourceRecordSets"] == 0
    await world.run()
    assert world.programmed("www") == "True Programmed"


async def test_last_transition_times_move_only_with_the_status() -> None:
    world = World()
    await world.set_items(a("www"))
    await world.run()
    before = world.item_status("www")
    await world.set_items(a("www", generation=2))
    await world.pass_time(world.settings.drift_interval)
    after = world.item_status("www")
    assert before is not None
    assert after is not None
    assert [c.last_transition_time for c in before.conditions] == [c.last_transition_time for c in after.conditions]
    assert after.observed_generation == 2
    assert {c.observed_generation for c in after.conditions} == {2}
