"""The owner of the zones: reads in the ledgers that deletions are held, and lets exactly these go."""

from collections.abc import Iterable, Mapping

from e2e.claims import DNS
from e2e.kube import Document, Kube
from libdnsapi.api.names import CONFIRM_DELETIONS_ANNOTATION


def tokens(units: Iterable[Document]) -> Mapping[str, str]:
    """Return the token of what is held, by the name of the Zone."""
    found = {}
    for unit in units:
        state = unit.get("status", {}).get("provider", {}).get("state", {})
        if token := state.get("deletionGuard", {}).get("token"):
            found[unit["metadata"]["name"]] = token
    return found


def confirm(kube: Kube, namespace: str) -> None:
    """Annotate the Zones whose deletions are held. Raises what a request raises."""
    for name, token in tokens(kube.list(DNS, "ZoneUnit", namespace)).items():
        annotations = {CONFIRM_DELETIONS_ANNOTATION: token}
        kube.merge_patch(DNS, "Zone", namespace, name, {"metadata": {"annotations": annotations}})
