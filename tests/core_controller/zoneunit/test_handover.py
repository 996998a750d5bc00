"""A name goes from claim to claim in one namespace, and is in the ledger at every moment (beyond-the-seeds 2)."""

from collections.abc import Awaitable, Callable

import pytest

from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.meta import ObjectKey
from tests.core_controller.zoneunit.objects import allow, cname, namespace, record_set, renamed, zone
from tests.core_controller.zoneunit.reading import WWW, items
from tests.core_controller.zoneunit.world import World
from tests.fakes.kubernetes import Fault, refused

SUCCESSOR = ObjectKey("platform", "successor")
STEPS = 60


async def step(world: World, *, provide: bool) -> None:
    await world.sync()
    await world.reconcile()
    if provide:
        await world.provide()


async def step_until(world: World, holds: Callable[[], bool], then: Callable[[], Awaitable[None]]) -> None:
    """Go on step by step, and act at the very moment at which something holds."""
    for _ in range(STEPS):
        if holds():
            await then()
            return
        await step(world, provide=True)
    raise AssertionError("it never came to that")


@pytest.mark.parametrize("slow", [False, True], ids=["at once", "the provider reports late"])
@pytest.mark.spec("CORE-BY-001")
async def test_a_claim_that_comes_back_while_its_old_item_goes_takes_over_without_a_gap(
    served: World, slow: bool
) -> None:
    """An address becomes a host name and an address again, faster than the first claim is cleaned up."""
    served.put(record_set("www"))
    await served.settle()
    served.put(renamed(cname("www"), "successor"))
    await step(served, provide=False)
    await served.delete(RECORD_SETS, WWW)

    async def come_back() -> None:
        served.put(record_set("www"))
        await served.delete(RECORD_SETS, SUCCESSOR)

    await step_until(served, lambda: served.api.read(RECORD_SETS, WWW) is None, come_back)
    states = []
    for number in range(STEPS):
        await step(served, provide=not slow or number % 5 == 4)
        states.append(items(served))

    assert all("live" in state.values() for state in states), states
    assert states[-1] == {"www": "live"}


@pytest.mark.spec("CORE-BY-002")
async def test_a_claim_of_another_namespace_that_cannot_be_let_in_holds_up_no_deletion(world: World) -> None:
    """Its finalizer cannot be written, as where the object is not valid any more; that is no concern of others."""
    world.put(namespace("team", dns="yes"), zone(allowedRecordSets=[allow()]), record_set("www"))
    await world.settle()
    broken = ObjectKey("team", "www")
    world.api.fail(Fault(refused(422, "Invalid"), "merge_patch", RECORD_SETS, broken, times=9999))
    world.put(record_set("www", "team", type="TXT", a=None, txt={"values": ["x"]}))
    await world.delete(RECORD_SETS, WWW)
    for _ in range(STEPS):
        await step(world, provide=True)
    assert world.api.read(RECORD_SETS, WWW) is None
    assert world.provider.external == {}
