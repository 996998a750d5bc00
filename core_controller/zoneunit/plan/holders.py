"""Claims that have an item: the item follows them, stays as it was, or leaves."""

from core_controller.zoneunit.plan.decisions import (
    Decision,
    NameContext,
    accepted_claim,
    earlier_claim_stands,
    too_large,
    unwritable,
)
from core_controller.zoneunit.plan.finalizers import with_finalizer, without_finalizer
from core_controller.zoneunit.plan.ownership import conflict, desired_item, leaving, pair_conflict
from core_controller.zoneunit.plan.placement import Placement
from core_controller.zoneunit.plan.record_acceptance import record_verdict, rules_verdict, zone_refuses
from core_controller.zoneunit.plan.retention import Fate, fate, own_places
from core_controller.zoneunit.snapshot import ClaimFacts, PlacedItem
from libdnsapi.api.conditions import ConditionType, Verdict, find_condition
from libdnsapi.api.dns.zoneunit import RecordSetItem
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.reasons import Reason


def decide_holder(name: NameContext, facts: ClaimFacts, place: PlacedItem) -> Decision:
    """Decide about a claim whose item stands at `place`, the newest of its places."""
    item, claim = place.item, facts.claim
    if item is None:  # newest_places gives places with items only
        return Decision(facts, None)
    if claim.metadata.deleting:
        return _decide_leaving(name, facts, place, item)
    if (item.name, item.type) != (claim.spec.name, claim.spec.type):
        if not item.is_leaving:
            name.placement.update(place, leaving(item))  # under another name, which nothing else may bring up again
        return Decision(facts, earlier_claim_stands(facts))
    if item.is_leaving:
        return decide_evicted(name, facts)
    return _decide_staying(name, facts, place, item)


def decide_evicted(name: NameContext, facts: ClaimFacts) -> Decision:
    """Say who has the name of a claim whose item is leaving although the claim is not."""
    clash = conflict(name.snapshot, desired_item(facts), name.owners_but(facts.claim.key))
    if clash is None:
        return Decision(facts, earlier_claim_stands(facts))
    return Decision(facts, clash.verdict, rival=clash.owner)


def _decide_staying(name: NameContext, facts: ClaimFacts, place: PlacedItem, item: RecordSetItem) -> Decision:
    """Let the item follow its claim where that is accepted; where the Zone withdraws its leave, mark it not allowed."""
    stands = desired_item(facts) == item
    verdict, rival = record_verdict(name.snapshot, name.zone, facts, stands=stands), None
    if verdict is None and not stands:
        verdict, rival = _follow(name, facts, place)
    elif verdict is not None and item.is_allowed and zone_refuses(name.snapshot, facts):
        name.placement.update(place, item.model_copy(update={"allowed": False}))
    return Decision(facts, verdict or accepted_claim(facts), place, with_finalizer(facts), rival)


def _follow(name: NameContext, facts: ClaimFacts, place: PlacedItem) -> tuple[Verdict | None, ObjectKey | None]:
    """Let the item follow its edited claim, or say why it stays as it was, and for whose sake."""
    verdict = rules_verdict(name.snapshot, facts)
    if verdict is not None:
        return verdict, None
    wanted = desired_item(facts)
    others = [owner for owner in name.owners_but(facts.claim.key) if not owner.item.is_leaving]
    clash = pair_conflict(name.snapshot, wanted, others)
    if clash is not None:
        return clash.verdict, clash.owner
    if facts.claim.key in name.snapshot.refusals.claims:
        return unwritable(name.snapshot, facts), None
    return (None if name.placement.update(place, wanted) is not None else too_large()), None


def _decide_leaving(name: NameContext, facts: ClaimFacts, place: PlacedItem, item: RecordSetItem) -> Decision:
    """Mark the item of a deleting claim; let the claim go once the provider has cleaned up all there is of it.

    Where the record set stays behind, the item leaves the ledger without a mark, so that nothing is cleaned up.
    """
    own = own_places(facts.claim, facts.placed)
    wish = fate(name.snapshot, facts.claim) if own and not place.is_clean else Fate.GOES
    if wish is Fate.STAYS:
        return _let_go(facts, own, name.placement) if _is_at_rest(place) else Decision(facts, _settled(facts), place)
    if isinstance(wish, Verdict) and not item.is_leaving:
        return Decision(facts, wish, place)
    if not item.is_leaving:
        name.placement.update(place, leaving(item))
    is_whole = all(other.item is None or other.ref == place.ref for other in facts.placed)
    is_over = item.is_leaving and is_whole and place.is_clean
    return Decision(facts, _settled(facts), place, without_finalizer(facts, unplaced=False) if is_over else None)


def _settled(facts: ClaimFacts) -> Verdict | None:
    """Return what replaces the word that a deleted claim's fate is not decided, or None: its Accepted stays as it is.

    What Accepted said before the deletion is of an earlier generation.
    """
    said = find_condition(facts.claim.status.conditions, ConditionType.ACCEPTED)
    if said is None or said.is_true or said.observed_generation != facts.claim.metadata.generation:
        return None
    return accepted_claim(facts)


def _is_at_rest(placed: PlacedItem) -> bool:
    """Whether the provider has looked at an item as it stands, and has no change of it under way.

    A change whose item is gone would be kept by the provider for a while, for what it proves, and keep others waiting.
    """
    said = find_condition(placed.status.conditions if placed.status is not None else (), ConditionType.PROGRAMMED)
    return placed.is_reported and (said is None or said.reason != Reason.PROVIDER_CHANGE_PENDING)


def _let_go(facts: ClaimFacts, own: tuple[PlacedItem, ...], placement: Placement) -> Decision:
    """Take the item of a claim that leaves its record set behind out of the ledger; its finalizer goes after that.

    In the opposite order, an interruption between the two would leave an item that keeps the name for nobody. The
    provider deletes nothing that is not asked for, and drops its mark with the item: the record set is nobody's then.
    """
    for place in own:
        placement.remove(place)
    return Decision(facts, None)
