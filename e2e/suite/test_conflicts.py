"""Two want the same name: the first has it, the second is told so, and the record never flickers."""

import pytest

from e2e.route53.edits import RecordDocument, RecordEdits, RecordKey
from e2e.suite import manifests
from e2e.suite.cluster import Cluster


@pytest.mark.spec("CORE-RS-011", "CORE-ZU-018")
def test_the_second_claim_of_a_name_is_refused_and_takes_over_after_the_first(
    cluster: Cluster, team: str, domain: str
) -> None:
    """Cases 57 and 64."""
    zone = manifests.zone(team, "zone", domain)
    first = manifests.a_record(team, "www", "zone", addresses=("192.0.2.1",))
    second = manifests.a_record(team, "www", "zone", addresses=("192.0.2.2",))
    second["metadata"]["name"] = "another"
    cluster.apply(zone, first)
    cluster.programmed(zone, first)
    cluster.apply(second)
    cluster.having(second, "Accepted", "False/RecordSetConflict")
    assert cluster.records(zone)[(f"www.{domain}.", "A")].values == ("192.0.2.1",)
    cluster.delete(first)
    cluster.programmed(second)
    assert cluster.records(zone)[(f"www.{domain}.", "A")].values == ("192.0.2.2",)


def test_deleting_the_loser_does_not_touch_the_winners_record(cluster: Cluster, team: str, domain: str) -> None:
    """Case 64."""
    zone, winner = manifests.zone(team, "zone", domain), manifests.a_record(team, "www", "zone")
    loser = manifests.a_record(team, "www", "zone", addresses=("192.0.2.2",))
    loser["metadata"]["name"] = "loser"
    cluster.apply(zone, winner)
    cluster.programmed(zone, winner)
    cluster.apply(loser)
    cluster.having(loser, "Accepted", "False/RecordSetConflict")
    zone_id = cluster.hosted_zone_id(zone)
    last = max((batch.sequence for batch in cluster.emulator.log()), default=0)
    cluster.delete(loser)
    assert [batch for batch in cluster.emulator.log(last) if batch.hosted_zone_id == zone_id] == []


@pytest.mark.spec("CORE-AR-019")
def test_a_namespace_that_the_zone_does_not_name_may_not_publish(cluster: Cluster, team: str, domain: str) -> None:
    """Case 57."""
    zone = manifests.zone(team, "zone", domain)
    outsider = manifests.record_set(
        manifests.PLATFORM,
        "outsider",
        {"namespace": team, "name": "zone"},
        {"name": "www", "type": "A", "ttl": 300, "a": {"addresses": ["192.0.2.9"]}},
    )
    cluster.apply(zone, outsider)
    cluster.programmed(zone)
    cluster.having(outsider, "Accepted", "False/NotAllowedByZone")
    cluster.delete(outsider)


@pytest.mark.spec("PC-AN-006")
def test_a_strangers_record_is_never_taken_over_nor_deleted(cluster: Cluster, team: str, domain: str) -> None:
    """Case 65."""
    zone, record = manifests.zone(team, "zone", domain), manifests.a_record(team, "www", "zone")
    cluster.apply(zone)
    cluster.programmed(zone)
    zone_id = cluster.hosted_zone_id(zone)
    foreign = RecordDocument(name=f"www.{domain}.", type="A", ttl=60, values=("203.0.113.5",))
    cluster.emulator.edit(RecordEdits(hosted_zone_id=zone_id, put=(foreign,)))
    cluster.apply(record)
    cluster.having(record, "Programmed", "False/ProviderConflict")
    cluster.delete(record)
    assert cluster.records(zone)[(f"www.{domain}.", "A")].values == ("203.0.113.5",)
    cluster.emulator.edit(RecordEdits(hosted_zone_id=zone_id, delete=(RecordKey(name=f"www.{domain}.", type="A"),)))
