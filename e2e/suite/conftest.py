"""Fixtures: the cluster that the environment names, a namespace a test, and the local stack where there is one."""

import os
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from e2e.kube import Kube
from e2e.polling import eventually
from e2e.route53.remote import Remote
from e2e.route53_records import Route53Reader
from e2e.stack import Stack
from e2e.suite import manifests
from e2e.suite.cluster import Cluster
from e2e.suite.provider import Provider

collect_ignore = ["test_rollouts.py"] if "DNSAPI_STACK" in os.environ else []
"""On the local stack the services are processes: there is nothing to roll out."""


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """Yield the cluster with an accepted class for each deletion policy and a ready identity."""
    try:
        kubeconfig, emulator = os.environ["KUBECONFIG"], os.environ["ROUTE53_EMULATOR_URL"]
        found = Cluster(
            Kube(Path(kubeconfig)),
            Remote(emulator, os.environ.get("DNS_ADDRESS", "")),
            Route53Reader(emulator),
            os.environ["AWS_ACCOUNT_ID"],
        )
    except KeyError as missing:
        pytest.exit(f"{missing} is not set: run `make e2e`, or `. .local/env` after `make up`", returncode=4)
    try:
        _install_platform(found)
        yield found
        found.emulator.disarm()
    finally:
        found.route53.close()
        found.kube.close()


def _install_platform(cluster: Cluster) -> None:
    cluster.apply(manifests.namespace(manifests.PLATFORM))
    identity = manifests.identity(cluster.account_id)
    classes = [manifests.zone_class(manifests.DELETE, "Delete"), manifests.zone_class(manifests.RETAIN, "Retain")]
    cluster.apply(identity, *classes)
    cluster.having(identity, "Ready", "True/Ready")
    for one in classes:
        cluster.having(one, "Accepted", "True/Accepted")


def namespace_name(test_name: str) -> str:
    """Return a namespace name that says which test it belongs to and is different for each parameter."""
    words = re.sub(r"[^a-z0-9]+", "-", test_name.partition("[")[0].removeprefix("test_").lower())
    return f"e2e-{words[:40].strip('-')}-{sha256(test_name.encode()).hexdigest()[:6]}"


@pytest.fixture
def team(cluster: Cluster, request: pytest.FixtureRequest) -> Iterator[str]:
    """Yield a namespace of the test's own, emptied afterwards."""
    name = namespace_name(request.node.name)
    eventually(lambda: cluster.kube.find("v1", "Namespace", "", name) is None, what=f"an earlier {name} gone")
    cluster.apply(manifests.namespace(name, manifests.TEAM_LABEL))
    yield name
    cluster.emulator.disarm()
    cluster.clean(name)


@pytest.fixture
def domain(team: str) -> str:
    """Return a domain name of the test's own."""
    return f"{team}.example.com"


@pytest.fixture
def stack() -> Stack:
    """Return the local stack, for tests that kill and start services."""
    directory = os.environ.get("DNSAPI_STACK")
    if not directory:
        pytest.skip("not a local stack: DNSAPI_STACK is not set")
    return Stack.open(Path(directory))


@pytest.fixture(scope="session")
def provider(cluster: Cluster) -> Provider:
    """Return the local stack's Route 53 controller, for tests that let it and AWS fail."""
    directory = os.environ.get("DNSAPI_STACK")
    if not directory:
        pytest.skip("not a local stack: DNSAPI_STACK is not set")
    return Provider(cluster, Stack.open(Path(directory)))
