"""A settled stack is silent: no write but leases, no call at the provider (case 62's rest state, case 87)."""

from e2e.suite import manifests
from e2e.suite.cluster import Cluster
from e2e.suite.silence import await_silence

WATCHED_SECONDS = 10.0
WITHIN_SECONDS = 120.0
"""What earlier tests left behind (zones that go, a back-off of a minute) may be heard for a while."""


def test_a_settled_zone_causes_neither_writes_nor_calls(cluster: Cluster, team: str, domain: str) -> None:
    """Case 87."""
    zone = manifests.zone(team, "zone", domain)
    records = [manifests.a_record(team, f"host{index}", "zone") for index in range(20)]
    cluster.apply(zone, *records)
    cluster.programmed(zone, *records)
    await_silence(cluster, lasting=WATCHED_SECONDS, within=WITHIN_SECONDS)


def test_records_that_waited_for_their_zone_take_one_batch(cluster: Cluster, team: str, domain: str) -> None:
    """Cases 83 and 84, in small."""
    zone = manifests.zone(team, "zone", domain)
    records = [manifests.a_record(team, f"host{index}", "zone") for index in range(20)]
    cluster.apply(*records)
    cluster.apply(zone)
    cluster.programmed(zone, *records)
    zone_id = cluster.hosted_zone_id(zone)
    batches = [batch for batch in cluster.emulator.log() if batch.hosted_zone_id == zone_id]
    assert [len(batch.changes) for batch in batches] == [20]
