"""A name goes from claim to claim in one namespace, and is in the ledger at every moment (beyond-the-seeds 2)."""

from collections.abc import Awaitable, Callable

import pytest

from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.meta import ObjectKey
from tests.core_controller.zoneunit.objects import cname, record_set, renamed
from tests.core_controller.zoneunit.reading import WWW, items
from tests.core_controller.zoneunit.world import World

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
