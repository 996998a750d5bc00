"""The fixture of the sources controller, one process for all tests of sources: a plugin of their modules."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.gateway import definition_files
from e2e.kube import load_documents
from e2e.stack import Stack
from e2e.stack.bringup import SOURCES
from e2e.stack.installation import definitions
from e2e.stack.sources import Sources
from e2e.stack.sources import sources as running
from e2e.suite import manifests
from e2e.suite.cluster import Cluster
from e2e.suite.sources import GRACE_SECONDS
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
