"""Each service killed mid-run: nothing is lost, nothing is done twice."""

from collections import Counter

import pytest

from e2e.claims import is_true
from e2e.kube import KubeError
from e2e.polling import eventually
from e2e.stack import CORE, ROUTE53, WEBHOOK, Service, Stack, await_service
from e2e.suite import manifests
from e2e.suite.cluster import Cluster

RECORDS = 40
TAKE_OVER_SECONDS = 240.0
"""A crashed leader's lease runs out first."""


@pytest.mark.parametrize("service", [CORE, ROUTE53], ids=lambda service: service.name)
def test_a_killed_controller_loses_nothing_and_duplicates_nothing(
    cluster: Cluster, stack: Stack, team: str, domain: str, service: Service
) -> None:
    """Case 63 and beyond-the-seeds 2 and 4."""
    zone = manifests.zone(team, "zone", domain)
    records = [manifests.a_record(team, f"host{index}", "zone") for index in range(RECORDS)]
    cluster.apply(zone, *records[: RECORDS // 2])
    eventually(lambda: any(is_true(cluster.get(one), "Accepted") for one in records[:5]), what="work in progress")
    stack.kill(service)
    cluster.apply(*records[RECORDS // 2 :])
    stack.runner.start(service)
    cluster.programmed(zone, *records, within=TAKE_OVER_SECONDS)
    assert len(cluster.zone_ids(domain)) == 1
    assert set(cluster.records(zone)) == {(f"host{index}.{domain}.", "A") for index in range(RECORDS)}
    assert set(_changes(cluster, cluster.hosted_zone_id(zone)).values()) == {1}
    await_service(stack.runner, service)


def test_while_the_webhook_is_down_claims_are_refused_and_the_rest_goes_on(
    cluster: Cluster, stack: Stack, team: str, domain: str
) -> None:
    """Beyond-the-seeds 12."""
    zone, record = manifests.zone(team, "zone", domain), manifests.a_record(team, "www", "zone")
    cluster.apply(zone)
    cluster.programmed(zone)
    cluster.apply(record)
    stack.kill(WEBHOOK)
    try:
        cluster.programmed(record)
        with pytest.raises(KubeError, match="failed calling webhook"):
            cluster.apply(manifests.a_record(team, "late", "zone"))
        cluster.delete(record)
    finally:
        stack.runner.start(WEBHOOK)
        await_service(stack.runner, WEBHOOK)
    late = manifests.a_record(team, "late", "zone")
    eventually(lambda: cluster.apply(late), what="admission after the webhook's return")
    cluster.programmed(late)


def _changes(cluster: Cluster, zone_id: str) -> Counter[tuple[str, str, str]]:
    batches = [batch for batch in cluster.emulator.log() if batch.hosted_zone_id == zone_id]
    return Counter((one.action, one.record_set.name, one.record_set.type) for batch in batches for one in batch.changes)
