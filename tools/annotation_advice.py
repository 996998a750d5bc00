"""Annotations that people write on objects of ours, and labels to find objects by; part of `docs/reference/api.md`."""

from typing import NamedTuple

from libdnsapi.api import names
from libdnsapi.api.externaldns.names import CONTRIBUTORS_ANNOTATION, ORPHANED_LABEL, PIPELINE_LABEL


class Marking(NamedTuple):
    """On which kinds an annotation or label stands, its value, and what it does."""

    kinds: str
    value: str
    effect: str


ANNOTATIONS: dict[str, Marking] = {
    names.DESCRIPTION_ANNOTATION: Marking("any", "any text", "For people; nobody acts on it."),
    names.RECONCILE_REQUEST_ANNOTATION: Marking(
        "Zone",
        "any, each time another one",
        "The Zone and all its record sets are compared with Route 53 at once, and what was refused is tried again.",
    ),
    names.PAUSED_ANNOTATION: Marking(
        "Zone", "`true`", "Route 53 is compared and reported, and nothing is written there until it is removed."
    ),
    names.CONFIRM_DELETIONS_ANNOTATION: Marking(
        "Zone",
        "the token in the Zone's condition Programmed or its Event Route53DeletionsHeld",
        "Lets exactly the deletions go that were wanted when the token was told.",
    ),
    names.RECREATE_ZONE_ANNOTATION: Marking(
        "Zone",
        "the token of the condition's message",
        "Has a hosted zone that vanished at Route 53 made anew, with other name servers, and its record sets in it.",
    ),
    names.DELETION_POLICY_ANNOTATION: Marking(
        "RecordSet",
        "`Delete` or `Retain`",
        "Retain: its deletion leaves its record set at the provider, for nobody ([let go](../how-to/let-go.md)). "
        "Delete, as without it: the record set goes. Any other value holds the deletion.",
    ),
    names.ALLOW_RETAIN_ANNOTATION: Marking(
        "Zone",
        "`true`",
        "RecordSets of other namespaces may leave their record sets behind; those of its own always may.",
    ),
    names.RESTORE_ANNOTATION: Marking(
        "ZoneUnit",
        "`adopt-matching`",
        "The ledger's status is lost: record sets that equal their items are ours ([restore](../how-to/restore.md)).",
    ),
}
LABELS: dict[str, Marking] = {
    names.ZONE_UNIT_LABEL: Marking("ZoneUnitSlice", "a name", "The ZoneUnit that the slice belongs to."),
    PIPELINE_LABEL: Marking("RecordSet", "a hash", "The pipeline that made it."),
    ORPHANED_LABEL: Marking("RecordSet", "`true`", "Its pipeline was deleted; it stays until somebody deletes it."),
    CONTRIBUTORS_ANNOTATION: Marking(
        "RecordSet", "a list", "An annotation: the routes, Services and Ingresses that ask for it."
    ),
}
