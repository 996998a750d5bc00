"""Record sets from ledger to Route 53 and back into status, with the whole reconciler."""

import pytest

from tests.route53_controller.zoneunit.world import World, a, cname, leaving


@pytest.mark.spec("R53-HD-005", "R53-HZ-001", "R53-HZ-012", "R53-RO-002", "R53-ZC-004")
async def test_a_new_zone_is_created_tagged_and_programmed_with_its_records() -> None:
    world = World()
    await world.set_items(a("www"), cname("blog"))
    await world.run()
    assert world.zone_condition() == "True Programmed"
    assert world.zone_condition("Accepted") == "True Accepted"
    assert world.programmed("www") == "True Programmed"
    assert world.programmed("blog") == "True Programmed"
    assert world.aggregate() == "True Programmed"
    assert world.values("www.example.com") == ("192.0.2.1",)
    assert world.values("blog.example.com", "CNAME") == ("lb.example.net.",)
    assert world.route53.zones[world.zone_id].tags["appthrust.io/zone-name"] == "example-com"
    assert "pendingRecordSetChanges" not in world.state()
    assert world.unit.status.zone is not None
    assert len(world.unit.status.zone.name_servers or ()) == 4
    assert "route53.dns.appthrust.io/zoneunit-finalizer" in world.unit.metadata.finalizers


@pytest.mark.spec("CORE-ZS-019", "R53-OB-004")
async def test_a_settled_zone_costs_no_call_and_no_write() -> None:
    """Case 87."""
    world = World()
    await world.set_items(a("www"))
    await world.run()
    world.quiet()
    await world.run()
    assert not world.route53.calls
    assert not world.kubernetes.writes()


@pytest.mark.spec("R53-RO-003", "R53-WR-001")
async def test_an_edit_replaces_exactly_what_was_observed_in_one_batch() -> None:
    """Case 66."""
    world = World()
    await world.set_items(a("www"))
    await world.run()
    await world.set_items(a("www", "192.0.2.9", generation=2))
    await world.step()
    assert world.programmed("www") == "False ProviderChangePending"
    await world.run()
    assert world.programmed("www") == "True Programmed"
    assert [c.action.value for c in world.route53.batches[-1][1]] == ["DELETE", "CREATE"]
    assert world.values("www.example.com") == ("192.0.2.9",)
    status = world.item_status("www")
    assert status is not None
    assert status.observed_generation == 2


@pytest.mark.spec("R53-RO-010")
async def test_a_leaving_record_set_is_deleted_and_reported_as_gone() -> None:
    """Case 85."""
    world = World()
    await world.set_items(a("www"), a("api"))
    await world.run()
    await world.set_items(leaving(a("www")), a("api"))
    await world.run()
    status = world.item_status("www")
    assert status is not None
    assert status.deletion_completed
    assert world.values("www.example.com") is None
    assert world.values("api.example.com") is not None
    await world.set_items(a("api"))
    await world.run()
    assert world.item_status("www") is None
