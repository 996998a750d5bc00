"""Results that a provider may have written about an earlier object of the same name.

A claim whose finalizer was taken away by force leaves its item behind, status entry included. The claim that comes in
its place begins at generation 1 again, so an equal generation alone does not tell whose result it is: a recreated claim
never inherits Programmed (beyond-the-seeds 1).
"""

from collections.abc import Sequence

from core_controller.zoneunit.plan.ownership import desired_item
from core_controller.zoneunit.plan.zone_acceptance import keeps, zone_target
from core_controller.zoneunit.snapshot import ClaimFacts, PlacedItem, UnitSnapshot
from libdnsapi.api.conditions import Condition, ConditionType, find_condition
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.dns.zoneunit import RecordSetItemStatus, ZoneUnit


def item_result(facts: ClaimFacts, place: PlacedItem) -> RecordSetItemStatus | None:
    """Return an item's result; without its conditions while they may be about an earlier claim of this name."""
    said, item = place.status, place.item
    if said is None or item is None or not _is_older(said.conditions, facts.claim):
        return said
    if not place.unobserved and desired_item(facts) == item.model_copy(update={"allowed": None}):
        return said
    return said.model_copy(update={"conditions": ()})


def zone_result(snapshot: UnitSnapshot, zone: Zone) -> ZoneUnit | None:
    """Return the unit; without the conditions of its zone while they may be about an earlier Zone of this name.

    None where it is kept for another Zone, whose results it holds.
    """
    unit = snapshot.unit if snapshot.unit is not None and keeps(snapshot.unit, zone) else None
    target = unit.status.zone if unit is not None else None
    if unit is None or target is None or not _is_older(target.conditions, zone):
        return unit
    observed = (unit.status.observed_generation or 0) >= unit.metadata.generation
    if observed and unit.spec.zone == zone_target(snapshot, zone):
        return unit
    silent = target.model_copy(update={"conditions": ()})
    return unit.model_copy(update={"status": unit.status.model_copy(update={"zone": silent})})


def _is_older(said: Sequence[Condition], claim: RecordSet | Zone) -> bool:
    """Whether all that was said may be older than a claim that has not been told to be programmed yet.

    Both times are whole seconds: what was said in the second of the claim's creation may have been said before it.
    """
    meta = claim.metadata
    own = find_condition(claim.status.conditions, ConditionType.PROGRAMMED)
    confirmed = own is not None and own.is_true and own.observed_generation == meta.generation
    if not said or confirmed or meta.deleting or meta.creation_timestamp is None:
        return False
    return max(condition.last_transition_time for condition in said) <= meta.creation_timestamp
