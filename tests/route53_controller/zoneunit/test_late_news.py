"""What somebody did at Route 53 a moment ago is seen by the claim that comes next, not at the next drift check."""

import pytest

from libdnsapi.api.meta import JsonObject
from route53_controller.aws.api import RecordKey, ResourceRecordSet
from route53_controller.aws.errors import AwsFailure
from route53_controller.zoneunit.plan import outcomes
from tests.route53_controller.zoneunit.world import World, a, cname, item, leaving

ADOPTION: JsonObject = {"enabled": True}
THEIRS = ResourceRecordSet(RecordKey("www.example.com", "A"), 300, ("192.0.2.1",))
OTHERWISE = ResourceRecordSet(RecordKey("www.example.com", "A"), 60, ("192.0.2.9",))
FIRST = ResourceRecordSet(RecordKey("aaa.example.com", "A"), 300, ("192.0.2.1",))
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


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (OTHERWISE, cname("www")),
        (ResourceRecordSet(RecordKey("www.example.com", "CNAME"), 60, ("lb.example.net",)), a("www")),
    ],
)
async def test_a_cname_that_was_just_removed_is_in_no_other_types_way_nor_they_in_its(
    theirs: ResourceRecordSet, ours: JsonObject
) -> None:
    world = World()
    await world.run()
    world.route53.put(world.zone_id, theirs)
    await world.pass_time(2 * world.settings.drift_interval)
    world.route53.remove(world.zone_id, theirs.key)
    await world.set_items(ours)
    await world.run()
    assert world.programmed("www") == TAKEN


async def test_a_claim_that_another_types_claim_makes_way_for_needs_no_look_before() -> None:
    world = World()
    await world.set_items(cname("www", claim="old"))
    await world.run()
    world.quiet()
    await world.set_items(leaving(cname("www", claim="old")), a("www"))
    await world.step()
    assert world.values("www.example.com") == ("192.0.2.1",)
    assert world.route53.calls["ListResourceRecordSets"] == 0


async def test_a_claim_that_comes_while_route_53_does_not_answer_is_judged_by_what_stands_there_afterwards() -> None:
    world = World()
    await world.run()
    world.route53.auto_insync = False
    await world.set_items(a("www", claim="other"))
    await world.step()
    world.clock.jump(world.settings.change_poll_first)
    world.route53.put(world.zone_id, FIRST)
    world.route53.fail("GetChange", AwsFailure.UNAVAILABLE, "no answer")
    await world.set_items(a("www", claim="other"), a("aaa", adoption=ADOPTION))
    await world.step()
    assert world.message("aaa") == outcomes.UNREAD_MESSAGE
    world.route53.make_insync()
    await world.run()
    assert world.programmed("aaa") == TAKEN


async def test_a_claim_that_comes_while_the_identity_is_not_ready_is_judged_by_what_stands_there_afterwards() -> None:
    world = await at_rest()
    world.put_identity(ready="False", reason="CredentialsUnavailable")
    await world.set_items(a("api"), a("aaa", adoption=ADOPTION))
    await world.run()
    world.route53.put(world.zone_id, FIRST)
    world.put_identity()
    await world.run()
    assert world.programmed("aaa") == TAKEN


@pytest.mark.parametrize(
    "claim",
    [leaving(a("www")), item("@", "NS", ttl=300, ns={"nameServers": ["ns.example.net"]})],
    ids=["it goes", "it can never be ours"],
)
async def test_what_a_look_cannot_change_is_not_looked_for(claim: JsonObject) -> None:
    world = World()
    await world.run()
    world.route53.put(world.zone_id, OTHERWISE)
    await world.pass_time(2 * world.settings.drift_interval)
    world.quiet()
    await world.set_items(claim)
    await world.step()
    assert world.route53.calls["ListResourceRecordSets"] == 0


async def test_what_a_claim_takes_over_from_another_needs_no_look_before() -> None:
    world = await at_rest()
    await world.set_items(leaving(a("api")), a("api", "192.0.2.2", claim="heir"))
    await world.step()
    assert world.values("api.example.com") == ("192.0.2.2",)
    assert world.route53.calls["ListResourceRecordSets"] == 0
