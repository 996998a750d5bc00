# ruff: noqa: D103 — the name of a test is the sentence that it proves
"""Rolling updates, where the services run as Deployments: nobody who applies meanwhile is refused or forgotten."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial

import pytest

from e2e.kube import Document, KubeError
from e2e.polling import eventually
from e2e.suite import manifests
from e2e.suite.cluster import Cluster

APPS, SYSTEM = "apps/v1", "dns-system"
WITHIN = 180.0
RESTARTED = "kubectl.kubernetes.io/restartedAt"


@pytest.fixture
def deployed(cluster: Cluster) -> None:
    if cluster.kube.find(APPS, "Deployment", SYSTEM, "dnsapi-webhook") is None:
        pytest.skip("the services run as processes here, not as Deployments")


def restart(cluster: Cluster, component: str) -> None:
    """Begin a rolling update, as `kubectl rollout restart` does."""
    stamp = {"metadata": {"annotations": {RESTARTED: datetime.now(UTC).isoformat()}}}
    cluster.kube.merge_patch(APPS, "Deployment", SYSTEM, f"dnsapi-{component}", {"spec": {"template": stamp}})


def is_rolled_out(cluster: Cluster, component: str) -> bool:
    """Whether all pods are new and ready, and no old one is left."""
    deployment = cluster.kube.get(APPS, "Deployment", SYSTEM, f"dnsapi-{component}")
    status, wanted = deployment["status"], deployment["spec"]["replicas"]
    counts = (status.get("updatedReplicas"), status.get("availableReplicas"), len(pods(cluster, component)))
    return status.get("observedGeneration") == deployment["metadata"]["generation"] and counts == (wanted,) * 3


def pods(cluster: Cluster, component: str) -> list[Document]:
    label = "app.kubernetes.io/component"
    return [one for one in cluster.kube.list("v1", "Pod", SYSTEM) if one["metadata"]["labels"].get(label) == component]


def refusals(cluster: Cluster, zone: Document) -> Iterator[str]:
    """Ask for a dry run again and again until the webhook's pods are replaced; yield what is refused meanwhile."""
    asked, deadline = 0, time.monotonic() + WITHIN
    while not is_rolled_out(cluster, "webhook"):
        try:
            cluster.kube.apply(zone, dry_run=True)
        except KubeError as error:
            yield str(error)
        asked += 1
        assert time.monotonic() < deadline, "the rolling update does not end"
    assert asked > 10


def test_a_rolling_update_of_the_webhook_refuses_nobody(
    cluster: Cluster, deployed: None, team: str, domain: str
) -> None:
    zone = manifests.zone(team, "dry", domain)
    restart(cluster, "webhook")

    assert list(refusals(cluster, zone)) == []


def test_claims_that_come_during_a_rolling_update_of_the_controllers_are_programmed(
    cluster: Cluster, deployed: None, team: str, domain: str
) -> None:
    zone = manifests.zone(team, "zone", domain)
    cluster.apply(zone)
    cluster.programmed(zone)

    for component in ("core", "route53"):
        restart(cluster, component)
    records = [manifests.a_record(team, f"r{number}", "zone") for number in range(20)]
    for record in records:
        cluster.apply(record)
    cluster.programmed(*records, within=WITHIN)
    for component in ("core", "route53"):
        eventually(partial(is_rolled_out, cluster, component), within=WITHIN, what=f"{component} rolled out")

    assert len(cluster.records(zone)) == 20
