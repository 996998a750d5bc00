"""A world that holds what every Zone needs."""

import pytest

from tests.core_controller.zoneunit.objects import platform, zone
from tests.core_controller.zoneunit.world import World


@pytest.fixture
def world() -> World:
    """Return a world with a Provider, a class and the namespace platform."""
    made = World()
    made.put(*platform())
    return made


@pytest.fixture
async def served(world: World) -> World:
    """Return a world whose Zone is programmed."""
    world.put(zone())
    await world.settle()
    return world
