"""The owner lets go what is held, and nothing else."""

from e2e.kube import Document
from e2e.soak.owner import tokens


def record(zone: str, message: str) -> Document:
    conditions = [{"type": "Accepted", "message": ""}, {"type": "Programmed", "message": message}]
    return {"spec": {"zoneRef": {"name": zone}}, "status": {"conditions": conditions}}


def test_a_token_is_read_where_deletions_are_held() -> None:
    held = (
        "12 deletions in this zone are held, for they are unusually many. To let exactly these go, annotate the Zone "
        "with dns.appthrust.io/confirm-deletions=cc1893165126."
    )
    fresh: Document = {"spec": {"zoneRef": {"name": "zone2"}}}
    assert tokens([record("zone0", "The record set stands."), record("zone1", held), fresh]) == {
        "zone1": "cc1893165126"
    }
