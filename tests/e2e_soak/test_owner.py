"""The owner lets go what is held, and nothing else."""

from e2e.kube import Document
from e2e.soak.owner import tokens


def unit(name: str, **state: object) -> Document:
    return {"metadata": {"name": name}, "status": {"provider": {"state": state}}}


def test_a_token_is_read_where_deletions_are_held() -> None:
    fresh: Document = {"metadata": {"name": "zone2"}}
    released = unit("zone0", deletionGuard={"usedToken": "cc1893165126"})
    held = unit("zone1", deletionGuard={"token": "cc1893165126", "usedToken": "aa"})
    assert tokens([released, held, fresh, unit("zone3")]) == {"zone1": "cc1893165126"}
