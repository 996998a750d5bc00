"""A zone with more record sets than its ZoneUnit holds: the others lie in slices, and no user notices."""

import pytest

from e2e.claims import DNS
from e2e.kube import KubeError
from e2e.polling import eventually
from e2e.suite import manifests
from e2e.suite.cluster import Cluster

INLINE = 100
RECORDS = INLINE + 20
WITHIN = 240.0


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

    in_slices = {item["recordSetName"] for one in slices for item in one["spec"]["recordSets"]}
    cluster.delete(*(one for one in records if one["metadata"]["name"] in in_slices), within=WITHIN)
    eventually(lambda: cluster.kube.list(DNS, "ZoneUnitSlice", team) == [], what="the end of empty slices")
    assert len(cluster.records(zone)) == INLINE

    # All at once would be held by the guard against mass deletion; a zone that goes is exempt.
    cluster.delete(zone, wait=False)
    cluster.delete(zone, *records, within=WITHIN)
    assert cluster.zone_ids(domain) == []
