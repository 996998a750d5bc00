"""The owner of the zones: reads in the statuses that deletions are held, and lets exactly these go, as they say."""

import re
from collections.abc import Iterable, Mapping

from e2e.claims import DNS
from e2e.kube import Document, Kube
from libdnsapi.api.names import CONFIRM_DELETIONS_ANNOTATION

_TOLD = re.compile(re.escape(CONFIRM_DELETIONS_ANNOTATION) + r"=(\w+)")


def tokens(records: Iterable[Document]) -> Mapping[str, str]:
    """Return the token that record sets name, by the name of their Zone."""
    found = {}
    for record in records:
        for condition in record.get("status", {}).get("conditions", ()):
            if told := _TOLD.search(condition.get("message", "")):
                found[record["spec"]["zoneRef"]["name"]] = told.group(1)
    return found


def confirm(kube: Kube, namespace: str, records: Iterable[Document]) -> None:
    """Annotate the Zones whose deletions are held. Raises what a request raises."""
    for name, token in tokens(records).items():
        annotations = {CONFIRM_DELETIONS_ANNOTATION: token}
        kube.merge_patch(DNS, "Zone", namespace, name, {"metadata": {"annotations": annotations}})
