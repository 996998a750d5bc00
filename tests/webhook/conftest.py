"""The running webhook over a cluster that has the test Provider."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from libdnsapi.api.dns.provider import PROVIDERS
from libdnsapi.api.meta import NAMESPACES
from tests.fakes.kubernetes import FakeKubernetes
from tests.webhook.objects import provider
from tests.webhook.running import Running, running


@pytest.fixture
def cluster() -> FakeKubernetes:
    """An API server with the test Provider and two namespaces."""
    server = FakeKubernetes()
    server.seed(PROVIDERS, provider())
    server.seed(NAMESPACES, {"metadata": {"name": "app", "labels": {"team": "app"}}})
    server.seed(NAMESPACES, {"metadata": {"name": "tenant", "labels": {"dns": "yes"}}})
    return server


@pytest.fixture
async def webhook(cluster: FakeKubernetes, tmp_path: Path) -> AsyncIterator[Running]:
    """A webhook that is ready."""
    async with running(cluster, tmp_path) as found:
        yield found
