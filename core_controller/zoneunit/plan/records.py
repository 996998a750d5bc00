"""What happens to the claims and items of one owner name: items settle, excluded ones go, claims are decided about."""

from collections import Counter

from core_controller.zoneunit.plan.decisions import Decision, NameContext
from core_controller.zoneunit.plan.holders import decide_evicted, decide_holder
from core_controller.zoneunit.plan.newcomers import decide_newcomer
from core_controller.zoneunit.plan.ownership import excluded_items, holders, leaving, newest_places, seniority
from core_controller.zoneunit.plan.placement import Placement
from core_controller.zoneunit.plan.record_acceptance import ZoneVerdicts
from core_controller.zoneunit.snapshot import ClaimFacts, NameGroup, OwnerState, PlacedItem, UnitSnapshot
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.names import RECORDSET_FINALIZER


def decide_group(snapshot: UnitSnapshot, zone: ZoneVerdicts, group: NameGroup, placement: Placement) -> list[Decision]:
    """Decide about every claim of one owner name and edit the ledger accordingly."""
    _settle_items(group, placement)
    evicted = _evict(snapshot, group, placement)
    name = NameContext(snapshot, zone, holders(snapshot, group, evicted), placement)
    places = {facts.claim.key: newest_places(facts.placed).get(facts.claim.key) for facts in group.claims}
    newcomers = sorted((facts for facts in group.claims if places[facts.claim.key] is None), key=seniority)
    entering = [decide_newcomer(name, facts) for facts in newcomers]
    decisions = list(entering)
    for facts in group.claims:
        place = places[facts.claim.key]
        if place is None or _leaves_later(snapshot, facts, place, entering, group):
            continue
        is_evicted = facts.claim.key in evicted
        decisions.append(decide_evicted(name, facts) if is_evicted else decide_holder(name, facts, place))
    return decisions


def _leaves_later(
    snapshot: UnitSnapshot, facts: ClaimFacts, place: PlacedItem, entering: list[Decision], group: NameGroup
) -> bool:
    """Whether a deleting holder is left alone in this pass, so that a newcomer takes over without a gap.

    The newcomer's item must be in the ledger no later than the old one's mark: it waits for its finalizer, or has just
    been placed in another object, whose write could come second, or waits for an item of its own key that still goes.
    A newcomer that is stuck is not waited for.
    """
    if not facts.claim.metadata.deleting or (place.item is not None and place.item.is_leaving):
        return False
    if any(_comes_back(other) and other.claim.key.namespace == facts.claim.key.namespace for other in group.claims):
        return True
    namespace = facts.claim.key.namespace  # a handover stays inside
    near = [d for d in entering if d.facts.claim.key.namespace == namespace and d.facts.claim.key not in snapshot.stuck]
    return any(d.awaits_finalizer or (d.place is not None and d.place.ref != place.ref) for d in near)


def _comes_back(facts: ClaimFacts) -> bool:
    """Whether a claim is there anew while the ledger still shows what is left of the one before it."""
    live = any(placed.item is not None and not placed.item.is_leaving for placed in facts.placed)
    return not facts.claim.metadata.deleting and bool(facts.placed) and not live


def _evict(snapshot: UnitSnapshot, group: NameGroup, placement: Placement) -> frozenset[ObjectKey]:
    """Have the items leave that cannot stand beside others of the name; return the keys of their claims."""
    evicted = set()
    if any(placed.foreign for placed in group.items):
        return frozenset()  # who is marked is not known
    for placed in excluded_items(snapshot, group):
        if placed.item is not None:
            placement.update(placed, leaving(placed.item))
            evicted.add(placed.item.key)
    return frozenset(evicted)


def _settle_items(group: NameGroup, placement: Placement) -> None:
    """Items whose claim is gone leave by the protocol; the old half of a finished move goes, and always goes first.

    The objects are written apart from each other: an old half that outlived the new one would be an item again. And
    they are of different age in the caches: what looks like the new half may be in a slice that is long gone.
    """
    newest = newest_places(group.items)
    places = Counter(placed.item.key for placed in group.items if placed.item is not None)
    claims = {facts.claim.key: facts.claim for facts in group.claims}
    for placed in group.items:
        if placed.item is None:
            continue
        key = placed.item.key
        if newest[key] is not placed:
            if newest[key].is_reported:
                placement.remove(placed, successor=newest[key])
            continue
        if group.owners.get(key) is OwnerState.REPLACED and not placed.item.is_leaving:
            placement.update(placed, leaving(placed.item))
        claim = claims.get(key)
        released = claim is None or not claim.metadata.deleting or RECORDSET_FINALIZER not in claim.metadata.finalizers
        if placed.item.is_leaving and released and places[key] == 1 and placed.is_clean:
            placement.remove(placed)
