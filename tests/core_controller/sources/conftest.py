"""A running sources controller with a zone example.com and a cluster pipeline for it."""

from collections.abc import AsyncIterator

import pytest

from tests.core_controller.sources.world import GATEWAYS, HTTP_ROUTES, World


@pytest.fixture
async def world() -> AsyncIterator[World]:
    """Everything is there but not started: the test puts its objects and starts it."""
    made = World()
    made.install(HTTP_ROUTES, GATEWAYS)
    made.zone("example.com")
    made.cluster_provider("main", "example-com")
    yield made
    if made.running:
        await made.stop()
