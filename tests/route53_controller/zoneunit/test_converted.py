"""A payload that changes without a new generation, as when a Provider converts it anew: no status says what was."""

from datetime import timedelta

from libdnsapi.api.meta import JsonObject
from route53_controller.zoneunit.snapshot import ZoneUnitSettings
from tests.route53_controller.zoneunit.world import DOMAIN, SETTINGS, World, a, item, with_settings

WWW = f"www.{DOMAIN}"


def alias(zone_id: str, *, health: bool) -> JsonObject:
    options = {"alias": {"dnsName": f"lb.{DOMAIN}.", "hostedZoneID": zone_id, "evaluateTargetHealth": health}}
    return item("www", "A", claim="www", options=options)


def shown(world: World) -> list[bool]:
    """Return whether each alias at the name has its target's health evaluated."""
    found = world.route53.records(world.zone_id).items()
    return [record.alias.evaluate_target_health for key, record in found if key.name == WWW and record.alias]


async def aliased(settings: ZoneUnitSettings = SETTINGS) -> World:
    world = World(settings=settings)
    await world.set_items(a("lb"))
    await world.run()
    await world.set_items(a("lb"), alias(world.zone_id, health=False))
    await world.run()
    assert world.programmed("www") == "True Programmed"
    return world


async def test_a_payload_that_was_converted_anew_is_programmed_and_not_said_to_be_before() -> None:
    world = await aliased()
    world.route53.auto_insync = False
    await world.set_items(a("lb"), alias(world.zone_id, health=True))
    await world.step()
    assert world.programmed("www") == "False ProviderChangePending"
    world.route53.auto_insync = True
    await world.run()
    assert world.programmed("www") == "True Programmed"
    assert shown(world) == [True]


async def test_what_is_converted_anew_in_a_bulk_is_not_said_to_stand_while_the_bulk_is_collected() -> None:
    many = [a(f"n{number:03d}") for number in range(60)]
    world = await aliased(with_settings(bulk_soon=timedelta()))
    world.route53.auto_insync = False
    await world.set_items(a("lb"), alias(world.zone_id, health=False), *many)
    world.clock.jump(await world.step() or timedelta())
    await world.step()
    assert world.programmed("n000") == "False ProviderChangePending"
    await world.set_items(a("lb"), alias(world.zone_id, health=True), *many)
    await world.step()
    assert shown(world) == [False]
    assert world.programmed("www") == "False ProviderChangePending"
    world.route53.auto_insync = True
    await world.run()
    assert world.programmed("www") == "True Programmed"
