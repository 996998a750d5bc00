"""What a deleted RecordSet leaves at the provider: by default nothing, on request its record set (decision 16).

It stays where the claim asks for it and the Zone's owner permits it. What is left behind is nobody's, so that no policy
and no quota reaches it any more, and only who owns the hosted zone can remove it.
"""

from enum import Enum

from core_controller.zoneunit.snapshot import PlacedItem, UnitSnapshot
from libdnsapi.api.conditions import Verdict
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.names import ALLOW_RETAIN_ANNOTATION, DELETION_POLICY_ANNOTATION
from libdnsapi.api.reasons import Reason
from libdnsapi.api.verdicts import refused, undecided

DELETE = "Delete"
RETAIN = "Retain"
PERMITTED = "true"


class Fate(Enum):
    """What becomes of the external record set of a claim that is being deleted."""

    GOES = "goes"
    STAYS = "stays"


def fate(snapshot: UnitSnapshot, claim: RecordSet) -> Fate | Verdict:
    """Return what becomes of a deleted claim's record set, or why that is not decided: then nothing is touched."""
    asked = claim.metadata.annotations.get(DELETION_POLICY_ANNOTATION, DELETE)
    if asked == DELETE:
        return Fate.GOES
    if asked != RETAIN:
        return refused(
            Reason.DENIED_BY_POLICY,
            f"The annotation {DELETION_POLICY_ANNOTATION} says neither {DELETE} nor {RETAIN}; correct or remove it.",
        )
    return Fate.STAYS if claim.metadata.namespace == snapshot.key.namespace else _permission(snapshot)


def _permission(snapshot: UnitSnapshot) -> Fate | Verdict:
    """Return what the Zone's owner says about record sets that claims of other namespaces leave behind."""
    if snapshot.zone is None:
        return undecided(Reason.ZONE_NOT_RESOLVED, f"Zone {snapshot.key}, which has to permit {RETAIN}, is not found.")
    if snapshot.zone.metadata.annotations.get(ALLOW_RETAIN_ANNOTATION) == PERMITTED:
        return Fate.STAYS
    return refused(
        Reason.NOT_ALLOWED_BY_ZONE,
        f"Zone {snapshot.key} does not let RecordSets of other namespaces leave their record sets behind. Remove the "
        f"annotation {DELETION_POLICY_ANNOTATION} to have it deleted, or ask the Zone's owner for "
        f'{ALLOW_RETAIN_ANNOTATION}: "{PERMITTED}".',
    )


def own_places(claim: RecordSet, placed: tuple[PlacedItem, ...]) -> tuple[PlacedItem, ...]:
    """Return where a claim's item stands; not what is left of an earlier claim of its key under another name."""
    wanted = claim.spec.name, claim.spec.type
    return tuple(place for place in placed if place.item is not None and (place.item.name, place.item.type) == wanted)
