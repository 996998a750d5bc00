"""A zone with more record sets than its ZoneUnit holds: the others lie in slices, and no user notices."""

import pytest

from e2e.claims import DNS
from e2e.kube import KubeError
from e2e.polling import eventually
from e2e.suite import manifests
from e2e.suite.cluster import Cluster

INLINE = 100
RECORDS = INLINE + 20
WITHIN = 90.0


def test_a_large_zone_is_programmed_from_slices_that_nobody_deletes_by_hand(
    cluster: Cluster, team: str, domain: str
) -> None:
    """Beyond-the-seeds 1."""
    zone = manifests.zone(team, "zone", domain)
    records = [manifests.a_record(team, f"host{index}", "zone") for index in range(RECORDS)]
    cluster.apply(zone, *records)
    cluster.programmed(zone, *records, within=WITHIN)

    slices = cluster.kube.list(DNS, "ZoneUnitSlice", team)
    assert sum(len(one["spec"]["recordSets"]) for one in slices) == RECORDS - INLINE
    assert set(cluster.records(zone)) == {(f"host{index}.{domain}.", "A") for index in range(RECORDS)}
    with pytest.raises(KubeError, match="denied the request"):
        cluster.kube.delete(DNS, "ZoneUnitSlice", team, slices[0]["metadata"]["name"])

    cluster.delete(*records, within=WITHIN)
    eventually(lambda: cluster.kube.list(DNS, "ZoneUnitSlice", team) == [], what="the end of empty slices")
    assert cluster.records(zone) == {}
