"""Record sets with routing policies or health checks beside ours, and in their place: nothing of them is touched."""

from dataclasses import replace

import pytest

from route53_controller.aws.api import RecordKey, ResourceRecordSet
from tests.route53_controller.zoneunit.test_field_cases import txt
from tests.route53_controller.zoneunit.world import DOMAIN, World, a, cname, leaving

WWW = f"www.{DOMAIN}"
POLICIES = [
    (("Weight", "10"),),
    (("Region", "eu-west-1"),),
    (("GeoLocation", '{"CountryCode": "DE"}'),),
    (("MultiValueAnswer", "True"),),
    (("Failover", "PRIMARY"), ("HealthCheckId", "abc")),
]


def routed(policy: tuple[tuple[str, str], ...], type_: str = "A", name: str = "blue") -> ResourceRecordSet:
    return ResourceRecordSet(RecordKey(WWW, type_, name), 60, ("198.51.100.1",), routing=policy)


async def observe(world: World) -> None:
    """Have Route 53 looked at now."""
    await world.annotate(reconcile_request=str(sum(world.route53.calls.values())))
    await world.run()


@pytest.mark.spec("R53-RO-009", "R53-HD-008")
@pytest.mark.parametrize("policy", POLICIES)
async def test_what_became_a_strangers_by_a_routing_policy_stays_and_its_claim_is_told(
    policy: tuple[tuple[str, str], ...],
) -> None:
    world = World()
    world.claim("www")
    await world.set_items(a("www"), txt("www", "ours"))
    await world.run()
    world.route53.remove(world.zone_id, RecordKey(WWW, "A"))
    theirs = [routed(policy), routed(policy, name="green")]
    world.route53.put(world.zone_id, *theirs)
    await observe(world)
    assert world.programmed("www") == "False ProviderConflict"
    assert world.programmed("txt") == "True Programmed"
    world.quiet()
    await world.set_items(leaving(a("www")), leaving(txt("www", "ours")))
    await world.run()
    status = world.item_status("www")
    assert status is not None
    assert status.deletion_completed
    assert list(world.route53.records(world.zone_id).values()) == theirs
    told = [event for event in world.events if event.reason == "ExternalResourceRetained"]
    assert [(event.type, event.regarding.name) for event in told] == [("Warning", "www")]
    assert WWW in told[0].note


@pytest.mark.spec("R53-RO-009", "R53-HD-008")
async def test_a_record_set_of_ours_that_got_a_health_check_stays_and_its_claim_is_told() -> None:
    world = World()
    world.claim("www")
    await world.set_items(a("www"))
    await world.run()
    found = world.route53.records(world.zone_id)[RecordKey(WWW, "A")]
    checked = replace(found, routing=(("HealthCheckId", "abc"),))
    world.route53.put(world.zone_id, checked)
    await observe(world)
    assert world.programmed("www") == "False ProviderConflict"
    await world.set_items(leaving(a("www")))
    await world.run()
    assert world.route53.records(world.zone_id) == {checked.key: checked}
    assert "ExternalResourceRetained" in world.reasons()
    assert "ExternalResourceDeleted" not in world.reasons()


@pytest.mark.parametrize("policy", POLICIES)
async def test_ours_lives_beside_routed_record_sets_of_another_type(policy: tuple[tuple[str, str], ...]) -> None:
    world = World()
    await world.run()
    world.route53.put(world.zone_id, routed(policy, "AAAA"), routed(policy, "AAAA", "green"))
    await observe(world)
    await world.set_items(a("www"))
    await world.run()
    await world.set_items(a("www", "192.0.2.2", generation=2))
    await world.run()
    assert world.programmed("www") == "True Programmed"
    await world.set_items(leaving(a("www", "192.0.2.2", generation=2)))
    await world.run()
    assert sorted(key.set_identifier for key in world.route53.records(world.zone_id)) == ["blue", "green"]


async def test_a_cname_does_not_come_beside_routed_record_sets_and_comes_when_they_go() -> None:
    world = World()
    await world.run()
    world.route53.put(world.zone_id, routed(POLICIES[0]))
    await observe(world)
    await world.set_items(cname("www"))
    await world.run()
    assert world.programmed("www") == "False ProviderConflict"
    assert not world.route53.batches
    world.route53.remove(world.zone_id, RecordKey(WWW, "A", "blue"))
    await observe(world)
    assert world.programmed("www") == "True Programmed"


async def test_a_routed_record_set_is_not_adopted() -> None:
    world = World()
    await world.run()
    world.route53.put(world.zone_id, replace(routed(POLICIES[0]), ttl=300, values=("192.0.2.1",)))
    await observe(world)
    await world.set_items(a("www", adoption={"enabled": True}))
    await world.run()
    assert world.programmed("www") == "False ProviderConflict"
    await world.set_items(leaving(a("www", adoption={"enabled": True})))
    await world.run()
    assert len(world.route53.records(world.zone_id)) == 1
    assert "ExternalResourceRetained" not in world.reasons()
