"""What somebody did at Route 53 a moment ago is seen by the claim that comes next, not at the next drift check."""

from libdnsapi.api.meta import JsonObject
from route53_controller.aws.api import RecordKey, ResourceRecordSet
from tests.route53_controller.zoneunit.world import World, a, leaving

ADOPTION: JsonObject = {"enabled": True}
THEIRS = ResourceRecordSet(RecordKey("www.example.com", "A"), 300, ("192.0.2.1",))
OTHERWISE = ResourceRecordSet(RecordKey("www.example.com", "A"), 60, ("192.0.2.9",))
TAKEN = "True Programmed"


async def at_rest() -> World:
    """Return a world that has read its hosted zone and looks at it again in ten minutes."""
    world = World()
    await world.set_items(a("api"))
    await world.run()
    world.quiet()
    return world


async def test_a_record_set_that_was_just_made_can_be_adopted_at_once() -> None:
    world = await at_rest()
    world.route53.put(world.zone_id, THEIRS)
    await world.set_items(a("api"), a("www", adoption=ADOPTION))
    await world.run()
    assert world.programmed("www") == TAKEN


async def test_a_record_set_that_was_just_made_equal_can_be_adopted_at_once() -> None:
    world = World()
    await world.run()
    world.route53.put(world.zone_id, OTHERWISE)
    await world.pass_time(2 * world.settings.drift_interval)
    world.route53.put(world.zone_id, THEIRS)
    await world.set_items(a("www", adoption=ADOPTION))
    await world.run()
    assert world.programmed("www") == TAKEN


async def test_an_edited_claim_looks_again() -> None:
    world = await at_rest()
    await world.set_items(a("api"), a("www", adoption=ADOPTION))
    await world.run()
    assert world.programmed("www") == "False ExternalResourceNotFound"
    world.route53.put(world.zone_id, THEIRS)
    await world.set_items(a("api"), a("www", generation=2, adoption=ADOPTION))
    await world.run()
    assert world.programmed("www") == TAKEN


async def test_what_is_not_there_is_looked_for_once() -> None:
    world = await at_rest()
    await world.set_items(a("api"), a("www", adoption=ADOPTION))
    await world.run()
    await world.run()
    assert world.programmed("www") == "False ExternalResourceNotFound"
    assert world.route53.calls["ListResourceRecordSets"] == 1


async def test_what_is_known_to_be_equal_is_adopted_without_a_look() -> None:
    world = World()
    await world.run()
    world.route53.put(world.zone_id, THEIRS)
    await world.pass_time(2 * world.settings.drift_interval)
    world.quiet()
    await world.set_items(a("www", adoption=ADOPTION))
    await world.run()
    assert world.programmed("www") == TAKEN
    assert world.route53.calls["ListResourceRecordSets"] == 0


async def test_what_may_be_created_needs_no_look() -> None:
    """Its creation tells whether it is there."""
    world = await at_rest()
    world.route53.put(world.zone_id, THEIRS)
    either: JsonObject = ADOPTION | {"whenMissing": "Create"}
    await world.set_items(a("api"), a("new", adoption=either), a("www", adoption=either))
    await world.run()
    assert world.programmed("new") == TAKEN
    assert world.programmed("www") == TAKEN


async def test_a_record_set_that_was_just_removed_is_in_nobodys_way() -> None:
    world = World()
    await world.run()
    world.route53.put(world.zone_id, OTHERWISE)
    await world.pass_time(2 * world.settings.drift_interval)
    world.route53.remove(world.zone_id, OTHERWISE.key)
    await world.set_items(a("www"))
    await world.run()
    assert world.programmed("www") == TAKEN
    assert world.values("www.example.com") == ("192.0.2.1",)


async def test_what_a_claim_takes_over_from_another_needs_no_look_before() -> None:
    world = await at_rest()
    await world.set_items(leaving(a("api")), a("api", "192.0.2.2", claim="heir"))
    await world.step()
    assert world.values("api.example.com") == ("192.0.2.2",)
    assert world.route53.calls["ListResourceRecordSets"] == 0
