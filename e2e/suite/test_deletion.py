# ruff: noqa: D103 — the name of a test is the sentence that it proves
"""What is deleted at the provider when claims, zones and namespaces go, and what stays."""

import pytest

from e2e.claims import DNS
from e2e.polling import eventually
from e2e.suite import manifests
from e2e.suite.cluster import WITHIN, Cluster
from libdnsapi.api.names import DELETION_POLICY_ANNOTATION


@pytest.mark.spec("CORE-DL-011")
def test_a_deleted_record_leaves_route_53_and_the_others_stay(cluster: Cluster, team: str, domain: str) -> None:
    zone = manifests.zone(team, "zone", domain)
    kept, dropped = manifests.a_record(team, "kept", "zone"), manifests.a_record(team, "dropped", "zone")
    cluster.apply(zone, kept, dropped)
    cluster.programmed(zone, kept, dropped)
    cluster.delete(dropped)
    assert set(cluster.records(zone)) == {(f"kept.{domain}.", "A")}
    eventually(lambda: _ledger(cluster, team) == (["kept"], ["kept"]), what="a ledger that holds the kept one only")


def test_a_changed_record_is_changed_at_the_provider(cluster: Cluster, team: str, domain: str) -> None:
    """Case 66."""
    zone = manifests.zone(team, "zone", domain)
    cluster.apply(zone, manifests.a_record(team, "www", "zone", ttl=60))
    record = manifests.a_record(team, "www", "zone", addresses=("192.0.2.7", "192.0.2.8"), ttl=120)
    cluster.programmed(zone, record)
    cluster.apply(record)
    cluster.programmed(record)
    answer = cluster.records(zone)[(f"www.{domain}.", "A")]
    assert (answer.ttl, set(answer.values)) == (120, {"192.0.2.7", "192.0.2.8"})


@pytest.mark.parametrize(("class_name", "stays"), [(manifests.DELETE, False), (manifests.RETAIN, True)])
def test_the_hosted_zone_of_a_deleted_zone_follows_its_class(
    cluster: Cluster, team: str, domain: str, class_name: str, *, stays: bool
) -> None:
    zone = manifests.zone(team, "zone", domain, class_name=class_name)
    record = manifests.a_record(team, "www", "zone")
    cluster.apply(zone, record)
    cluster.programmed(zone, record)
    zone_id = cluster.hosted_zone_id(zone)
    cluster.delete(record)
    cluster.delete(zone)
    assert (zone_id in cluster.zone_ids(domain)) is stays
    if stays:
        cluster.emulator.delete_zone(zone_id)


def test_a_record_that_is_to_stay_is_left_for_nobody_and_can_be_taken_over(
    cluster: Cluster, team: str, domain: str
) -> None:
    """Decision 16."""
    zone = manifests.zone(team, "zone", domain)
    record = manifests.a_record(team, "www", "zone")
    record["metadata"]["annotations"] = {DELETION_POLICY_ANNOTATION: "Retain"}
    cluster.apply(zone, record)
    cluster.programmed(zone, record)
    cluster.delete(record)
    assert set(cluster.records(zone)) == {(f"www.{domain}.", "A")}
    eventually(lambda: _ledger(cluster, team) == ([], []), what="an empty ledger")
    heir = manifests.a_record(team, "heir", "zone")
    heir["spec"] |= {"name": "www", "adoption": {"enabled": True}}
    cluster.apply(heir)
    cluster.programmed(heir)
    cluster.delete(heir)
    assert cluster.records(zone) == {}


@pytest.mark.spec("CORE-DL-003")
def test_a_zone_waits_for_its_records_and_goes_after_them(cluster: Cluster, team: str, domain: str) -> None:
    zone = manifests.zone(team, "zone", domain)
    record = manifests.a_record(team, "www", "zone")
    cluster.apply(zone, record)
    cluster.programmed(zone, record)
    cluster.delete(zone, wait=False)
    eventually(lambda: cluster.get(zone)["metadata"].get("deletionTimestamp"), what="a deleting Zone")
    assert (f"www.{domain}.", "A") in cluster.records(zone)
    cluster.delete(record)
    eventually(lambda: cluster.is_gone(zone), within=WITHIN, what="the end of the Zone")
    assert cluster.zone_ids(domain) == []


@pytest.mark.spec("CORE-DL-018")
def test_a_deleted_namespace_takes_records_and_hosted_zone_with_it(cluster: Cluster, team: str, domain: str) -> None:
    """Beyond-the-seeds 11: in any order."""
    zone = manifests.zone(team, "zone", domain)
    records = [manifests.a_record(team, f"host{index}", "zone") for index in range(5)]
    cluster.apply(zone, *records)
    cluster.programmed(zone, *records)
    cluster.kube.delete("v1", "Namespace", "", team)
    eventually(
        lambda: cluster.kube.find("v1", "Namespace", "", team) is None, within=2 * WITHIN, what="the namespace's end"
    )
    assert cluster.zone_ids(domain) == []


def test_cycles_of_creating_and_deleting_leave_nothing_behind(cluster: Cluster, team: str, domain: str) -> None:
    """Case 85, with fewer cycles."""
    zone, record = manifests.zone(team, "zone", domain), manifests.a_record(team, "www", "zone")
    cluster.apply(zone)
    cluster.programmed(zone)
    for _ in range(5):
        cluster.apply(record)
        cluster.programmed(record)
        cluster.delete(record)
    eventually(lambda: _ledger(cluster, team) == ([], []), what="an empty ledger")
    assert cluster.records(zone) == {}


def _ledger(cluster: Cluster, namespace_name: str) -> tuple[list[str], list[str]]:
    """Return the claims' names in spec and in status of the unit of `zone`."""
    unit = cluster.kube.get(DNS, "ZoneUnit", namespace_name, "zone")
    names = [[one["recordSetName"] for one in unit[part].get("recordSets", [])] for part in ("spec", "status")]
    return names[0], names[1]
