"""Whatever happens in whatever order: what stands in the end depends on what there is, not on how it came to be.

After a random history a new process finds nothing to do, and a process that never saw the history would publish the
same.
"""

import random

import pytest

from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.externaldns.dnsprovider import CLUSTER_DNS_PROVIDERS
from libdnsapi.api.meta import ObjectKey, ResourceType
from tests.core_controller.sources.world import (
    GATEWAYS,
    HTTP_ROUTES,
    SERVICES,
    World,
    gateway,
    http_route,
    load_balancer,
)

STEPS = 40
HOSTS = ("a.example.com", "b.example.com", "*.example.com", "x.sub.example.com", "out.example.org", "example.com")
ADDRESSES = (("192.0.2.1",), ("192.0.2.2", "2001:db8::1"), ("lb.example.net",), ("lb-1.eu-west-1.elb.amazonaws.com",))


def fresh() -> World:
    world = World()
    world.install(HTTP_ROUTES, GATEWAYS)
    world.zone("example.com")
    world.zone("sub.example.com")
    world.cluster_provider("main", "example-com")
    return world


async def toggle_off(world: World, resource: ResourceType, namespace: str, name: str) -> bool:
    """Delete an object and say whether it was there."""
    if world.api.read(resource, ObjectKey(namespace, name)) is None:
        return False
    await world.delete(resource, namespace, name)
    return True


async def step(world: World, chance: random.Random) -> None:
    """Do one thing that users or controllers do."""
    name = f"n{chance.randrange(3)}"
    namespace = chance.choice(("apps", "default"))
    match chance.randrange(8):
        case 0 | 1:
            hosts = tuple(chance.sample(HOSTS, chance.randrange(1, 3)))
            world.put(HTTP_ROUTES, http_route(name, namespace, hosts, gateway=f"g{chance.randrange(2)}"))
        case 2:
            await toggle_off(world, HTTP_ROUTES, namespace, name)
        case 3:
            world.put(GATEWAYS, gateway(f"g{chance.randrange(2)}", addresses=chance.choice(ADDRESSES)))
        case 4:
            service = load_balancer(chance.choice(HOSTS), ip=f"192.0.2.{chance.randrange(50, 60)}")
            service["metadata"]["namespace"] = namespace
            world.put(SERVICES, service)
        case 5:
            policy = chance.choice(("sync", "sync", "upsert-only"))
            world.cluster_provider("main", "example-com", policy=policy)
        case 6:
            if not await toggle_off(world, CLUSTER_DNS_PROVIDERS, "", "sub"):
                world.cluster_provider("sub", "sub-example-com")
        case _:
            await world.settle(chance.choice((0, 1, 5)))


async def history(world: World, seed: int) -> None:
    """Live through a random history and come to rest with nothing ambiguous and every pipeline at work."""
    chance = random.Random(seed)  # noqa: S311 — a repeatable history, no secret
    for number in range(2):
        world.put(GATEWAYS, gateway(f"g{number}"))
    await world.start()
    for _ in range(STEPS):
        await step(world, chance)
    world.cluster_provider("main", "example-com", policy="sync")
    await toggle_off(world, CLUSTER_DNS_PROVIDERS, "", "sub")
    await world.settle(320)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.spec("ROUTE-LC-006")
async def test_a_new_process_finds_nothing_to_do(seed: int) -> None:
    world = fresh()
    await history(world, seed)
    await world.stop()
    before, writes = world.records(), world.recordset_writes()

    await world.start()
    await world.settle(30)
    await world.stop()

    assert world.records() == before
    assert world.recordset_writes() == writes


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.spec("ROUTE-LC-007")
async def test_the_past_leaves_no_trace_in_what_is_published(seed: int) -> None:
    """What the deleted pipeline `sub` has published stays by rule, and is left out."""
    world = fresh()
    await history(world, seed)
    await world.stop()
    lived = published(world)
    for key in world.api.keys(RECORD_SETS):
        await world.api.delete(RECORD_SETS, key)

    await world.start()
    await world.settle(30)
    await world.stop()

    assert published(world) == lived


def published(world: World) -> list[tuple[str, str]]:
    """Return name and spec of each RecordSet of the pipeline `main`."""
    return sorted(
        (one["metadata"]["name"], str(sorted(one["spec"].items())))
        for one in world.record_sets()
        if one["metadata"]["annotations"]["sources.dns.appthrust.io/owner-id"] == "main"
    )
