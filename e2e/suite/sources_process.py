"""Fixtures of all tests of sources, a plugin of their modules: one controller for all, and a way to apply things."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.gateway import definition_files
from e2e.kube import Document, load_documents
from e2e.leaks import leaks_in
from e2e.stack import Stack
from e2e.stack.bringup import SOURCES
from e2e.stack.installation import definitions
from e2e.stack.sources import Sources
from e2e.stack.sources import sources as running
from e2e.suite import manifests
from e2e.suite.cluster import Cluster
from e2e.suite.sources import EXTERNAL_DNS, GRACE_SECONDS, document
from e2e.suite.sources_examples import Applied
from e2e.toolchain.gomodule import ModuleMissingError

OPTIONS = (
    *("--source", ",".join(SOURCES)),
    *("--gateway-address-grace", str(GRACE_SECONDS)),
    *("--pipeline-namespace", manifests.PLATFORM),
)


@pytest.fixture(scope="session")
def sources(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sources]:
    """Run the sources controller beside the local stack, with the Gateway API installed."""
    if not os.environ.get("DNSAPI_STACK"):
        pytest.skip("not a local stack: DNSAPI_STACK is not set")
    try:
        files = definition_files()
    except ModuleMissingError as missing:
        pytest.skip(str(missing))
    definitions(cluster.kube, [one for file in files for one in load_documents(file.read_text())])
    stack = Stack.open(Path(os.environ["DNSAPI_STACK"]))
    with running(stack, tmp_path_factory.mktemp("sources"), *OPTIONS) as found:
        yield found
        assert leaks_in(found.log.read_text(errors="replace")) == []


@pytest.fixture
def applied(cluster: Cluster, team: str) -> Iterator[Applied]:
    """Yield the way to apply things; what asks for records goes before the records."""
    found = Applied(cluster)
    yield found
    found.withdraw()


@pytest.fixture
def zone(cluster: Cluster, team: str, domain: str, applied: Applied) -> Document:
    """Return a Zone of the test's own, with a pipeline of its namespace."""
    made = manifests.zone(team, "zone", domain)
    pipeline = {"type": "aws", "zones": {"refs": [{"name": "zone"}]}, "defaults": {"ttl": 60}}
    applied.apply(made, document(EXTERNAL_DNS, "DNSProvider", team, "main", pipeline))
    cluster.programmed(made)
    return made
