"""What a bulk costs: passes, and writes of others' objects; and that waiting for a right costs next to nothing."""

import pytest

from libdnsapi.api.externaldns.dnsprovider import CLUSTER_DNS_PROVIDERS
from libdnsapi.api.meta import ResourceType
from tests.core_controller.sources.test_rights import forbid
from tests.core_controller.sources.world import GATEWAYS, HTTP_ROUTES, INGRESSES, World, gateway, http_route

BULK = 200


def populate(world: World) -> None:
    world.put(GATEWAYS, gateway())
    for number in range(BULK):
        world.put(HTTP_ROUTES, http_route(f"r{number}", hosts=(f"h{number}.example.com",)))


def passes(world: World, controller: str) -> int:
    """Return how often a controller has looked at anything."""
    name = "controller_runtime_reconcile_total"
    families = world.manager.metrics.registry.collect()
    samples = [one for family in families for one in family.samples if one.name == name]
    return int(sum(one.value for one in samples if one.labels["controller"] == controller))


def writes(world: World, kind: ResourceType) -> int:
    return sum(count for (_, plural), count in world.api.writes().items() if plural == kind.plural)


@pytest.mark.spec("SRC-EP-044")
async def test_a_first_start_looks_at_each_object_once_and_at_each_name_three_times_at_most(world: World) -> None:
    """For its object, for what was written, and once all kinds are read."""
    populate(world)
    await world.start()
    await world.settle(10)

    assert len(world.records()) == BULK
    assert passes(world, "sources-objects") <= BULK + 5
    assert passes(world, "sources-hosts") <= 3 * BULK


@pytest.mark.spec("SRC-EP-044")
async def test_a_restart_looks_at_each_object_once_and_at_each_name_three_times_at_most(world: World) -> None:
    populate(world)
    await world.start()
    await world.stop()
    await world.start()
    await world.settle(10)

    assert passes(world, "sources-objects") <= BULK + 5
    assert passes(world, "sources-hosts") <= 3 * BULK


@pytest.mark.spec("SRC-EP-044")
async def test_names_that_wait_for_a_right_are_not_looked_at_again_and_again(world: World) -> None:
    """A right that is missing for a day kept a processor busy with thousands of names."""
    populate(world)
    await world.start()
    await world.stop()
    give_back = forbid(world, INGRESSES, "list", "watch")
    await world.start()
    await world.settle(10)
    before = passes(world, "sources-hosts")

    await world.settle(120)

    assert passes(world, "sources-hosts") == before
    give_back()
    await world.delete(HTTP_ROUTES, "apps", "r0")
    await world.settle(60)
    assert len(world.records()) == BULK - 1


@pytest.mark.spec("SRC-EP-044")
async def test_a_pipeline_whose_record_sets_are_being_made_is_written_every_other_second_at_most(world: World) -> None:
    populate(world)
    await world.start()
    before = writes(world, CLUSTER_DNS_PROVIDERS)

    for number in range(40):
        world.put(HTTP_ROUTES, http_route(f"more{number}", hosts=(f"more{number}.example.com",)))
        await world.settle(0.5)
    await world.settle(5)

    assert len(world.records()) == BULK + 40
    assert writes(world, CLUSTER_DNS_PROVIDERS) - before <= 20 / 2 + 2
