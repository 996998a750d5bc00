"""Hosted zones in which other people's record sets stand."""

from route53_controller.aws.api import ResourceRecordSet
from tests.route53_controller.zoneunit.world import World


async def zone_with(*record_sets: ResourceRecordSet) -> World:
    """Return a world whose hosted zone has these record sets, which are not ours, and was read again since."""
    world = World()
    await world.run()
    world.route53.put(world.zone_id, *record_sets)
    await world.annotate(reconcile_request="again")
    await world.run()
    return world
