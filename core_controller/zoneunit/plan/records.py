"""What happens to the claims and items of one owner name: acceptance, ownership, deletion, promotion."""

from collections import Counter
from dataclasses import dataclass

from core_controller.zoneunit.plan.actions import SetFinalizers
from core_controller.zoneunit.plan.announcements import retained
from core_controller.zoneunit.plan.finalizers import finalizer_refused, with_finalizer, without_finalizer
from core_controller.zoneunit.plan.ownership import (
    Owner,
    conflict,
    desired_item,
    doubles,
    holders,
    leaving,
    newest_places,
    pair_conflict,
    seniority,
)
from core_controller.zoneunit.plan.placement import Placement
from core_controller.zoneunit.plan.record_acceptance import ZoneVerdicts, record_verdict, rules_verdict, zone_refuses
from core_controller.zoneunit.plan.retention import Fate, fate, own_places
from core_controller.zoneunit.plan.verdicts import accepted, refused, undecided
from core_controller.zoneunit.snapshot import ClaimFacts, NameGroup, OwnerState, PlacedItem, UnitSnapshot
from libdnsapi.api.conditions import ConditionType, Verdict, find_condition
from libdnsapi.api.dns.zoneunit import RecordSetItem
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.names import RECORDSET_FINALIZER
from libdnsapi.api.reasons import Reason


@dataclass(frozen=True, slots=True)
class Decision:
    """What one claim gets: its verdict, the place that its result is read from, a finalizer change.

    `verdict` is None while there is nothing to say yet (the finalizer comes first).
    """

    facts: ClaimFacts
    verdict: Verdict | None
    place: PlacedItem | None = None
    finalizers: SetFinalizers | None = None
    rival: ObjectKey | None = None
    """In a conflict: the claim that has the name."""
    unseen: bool = False
    """The claim had an item, and the ledger object with it is out of sight: what Programmed says stays."""

    @property
    def awaits_finalizer(self) -> bool:
        """Whether the claim is let in as soon as its finalizer stands."""
        return self.finalizers is not None and self.verdict is None and not self.facts.claim.metadata.deleting


def decide_group(snapshot: UnitSnapshot, zone: ZoneVerdicts, group: NameGroup, placement: Placement) -> list[Decision]:
    """Decide about every claim of one owner name and edit the ledger accordingly."""
    _settle_items(group, placement)
    evicted = _evict(snapshot, group, placement)
    owners = holders(group, evicted)
    places = {facts.claim.key: newest_places(facts.placed).get(facts.claim.key) for facts in group.claims}
    newcomers = sorted((facts for facts in group.claims if places[facts.claim.key] is None), key=seniority)
    entering = [_decide_newcomer(snapshot, zone, facts, owners, placement) for facts in newcomers]
    decisions = list(entering)
    for facts in group.claims:
        place = places[facts.claim.key]
        if place is None or _leaves_later(snapshot, facts, place, entering, group):
            continue
        if facts.claim.key in evicted:
            decisions.append(_decide_evicted(snapshot, facts, owners))
        else:
            decisions.append(_decide_holder(snapshot, zone, facts, place, owners, placement))
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
    evicted = set()
    if any(placed.foreign for placed in group.items):
        return frozenset()  # who is marked is not known
    for placed in doubles(snapshot, group):
        if placed.item is not None:
            placement.update(placed, leaving(placed.item))
            evicted.add(placed.item.key)
    return frozenset(evicted)


def _decide_evicted(snapshot: UnitSnapshot, facts: ClaimFacts, owners: list[Owner]) -> Decision:
    clash = conflict(snapshot, desired_item(facts), [owner for owner in owners if owner.key != facts.claim.key])
    if clash is None:
        return Decision(facts, _earlier_claim_stands(facts))
    return Decision(facts, clash.verdict, rival=clash.owner)


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


def _decide_holder(
    snapshot: UnitSnapshot,
    zone: ZoneVerdicts,
    facts: ClaimFacts,
    place: PlacedItem,
    owners: list[Owner],
    placement: Placement,
) -> Decision:
    item, claim = place.item, facts.claim
    if item is None:  # newest_places gives places with items only
        return Decision(facts, None)
    if claim.metadata.deleting:
        return _decide_leaving(snapshot, facts, place, item, placement)
    if (item.name, item.type) != (claim.spec.name, claim.spec.type):
        if not item.is_leaving:
            placement.update(place, leaving(item))  # under another name, which nothing else may bring up again
        return Decision(facts, _earlier_claim_stands(facts))
    if item.is_leaving:
        return _decide_evicted(snapshot, facts, owners)
    stands = desired_item(facts) == item
    verdict, rival = record_verdict(snapshot, zone, facts, stands=stands), None
    if verdict is None and not stands:
        verdict, rival = _follow(snapshot, facts, place, owners, placement)
    elif verdict is not None and item.is_allowed and zone_refuses(snapshot, facts):
        placement.update(place, item.model_copy(update={"allowed": False}))
    finalizers = with_finalizer(facts)
    return Decision(facts, verdict or accepted(acceptance_message(facts)), place, finalizers, rival)


def _follow(
    snapshot: UnitSnapshot, facts: ClaimFacts, place: PlacedItem, owners: list[Owner], placement: Placement
) -> tuple[Verdict | None, ObjectKey | None]:
    """Let the item follow its edited claim, or say why it stays as it was."""
    verdict = rules_verdict(snapshot, facts)
    if verdict is not None:
        return verdict, None
    wanted = desired_item(facts)
    others = [owner for owner in owners if owner.key != facts.claim.key and not owner.item.is_leaving]
    clash = pair_conflict(snapshot, wanted, others)
    if clash is not None:
        return clash.verdict, clash.owner
    if facts.claim.key in snapshot.refusals.claims:
        return _unwritable(snapshot, facts), None
    return (None if placement.update(place, wanted) is not None else too_large()), None


def _decide_leaving(
    snapshot: UnitSnapshot, facts: ClaimFacts, place: PlacedItem, item: RecordSetItem, placement: Placement
) -> Decision:
    own = own_places(facts.claim, facts.placed)
    wish = fate(snapshot, facts.claim) if own and not _is_clean(place) else Fate.GOES
    if wish is Fate.STAYS:
        return _let_go(facts, own, placement) if _is_at_rest(place) else Decision(facts, None, place)
    if isinstance(wish, Verdict) and not item.is_leaving:
        return Decision(facts, wish, place)
    if not item.is_leaving:
        placement.update(place, leaving(item))
    is_whole = all(other.item is None or other.ref == place.ref for other in facts.placed)
    is_over = item.is_leaving and is_whole and place.is_clean
    return Decision(facts, None, place, without_finalizer(facts, unplaced=False) if is_over else None)


def _is_at_rest(placed: PlacedItem) -> bool:
    """Whether the provider has looked at an item as it stands, and has no change of it under way.

    A change whose item is gone would be kept by the provider for a while, for what it proves, and keep others waiting.
    """
    said = find_condition(placed.status.conditions if placed.status is not None else (), ConditionType.PROGRAMMED)
    return _reported(placed) and (said is None or said.reason != Reason.PROVIDER_CHANGE_PENDING)


def _let_go(facts: ClaimFacts, own: tuple[PlacedItem, ...], placement: Placement) -> Decision:
    """Take the item of a claim that leaves its record set behind out of the ledger; its finalizer goes after that.

    In the opposite order, an interruption between the two would leave an item that keeps the name for nobody. The
    provider deletes nothing that is not asked for, and drops its mark with the item: the record set is nobody's then.
    """
    for place in own:
        placement.remove(place)
    return Decision(facts, None)


def _earlier_claim_stands(facts: ClaimFacts) -> Verdict:
    return undecided(
        Reason.OWNER_STATE_NOT_RESOLVED,
        f"An earlier RecordSet {facts.claim.key} is still being cleaned up; this one follows after that.",
    )


def _decide_newcomer(
    snapshot: UnitSnapshot, zone: ZoneVerdicts, facts: ClaimFacts, owners: list[Owner], placement: Placement
) -> Decision:
    if facts.claim.metadata.deleting:
        return _release(snapshot, facts)
    verdict = record_verdict(snapshot, zone, facts) or rules_verdict(snapshot, facts)
    if verdict is None and any(placed.status is not None for placed in facts.placed):
        verdict = _earlier_claim_stands(facts)
    clash = conflict(snapshot, desired_item(facts), owners) if verdict is None else None
    verdict = clash.verdict if clash is not None else verdict
    if verdict is None:
        return _admit(snapshot, facts, desired_item(facts), owners, placement)
    rival = clash.owner if clash is not None else None
    if _was_placed(snapshot, facts):
        return Decision(facts, verdict, rival=rival, unseen=True)
    return Decision(facts, verdict, None, without_finalizer(facts), rival)


def _admit(
    snapshot: UnitSnapshot, facts: ClaimFacts, item: RecordSetItem, owners: list[Owner], placement: Placement
) -> Decision:
    """Add the finalizer first, the item second: a claim that could vanish without a trace is never in the ledger.

    One whose finalizer cannot be written pre-empts nobody; it is tried again with each pass.
    """
    if snapshot.unit is not None and snapshot.unit.metadata.deleting:
        return Decision(facts, undecided(Reason.RECONCILING, f"ZoneUnit {snapshot.key} is being deleted."))
    if not placement.can_hold(item):
        return Decision(facts, too_large(), None, without_finalizer(facts))
    finalizers = with_finalizer(facts)
    if finalizers is not None and item.key in snapshot.stuck:
        told = finalizer_refused(snapshot.stuck[item.key])
        return Decision(facts, undecided(Reason.RECONCILE_ERROR, told), None, finalizers)
    owners.append(Owner(item.key, item, OwnerState.PRESENT))
    if finalizers is not None or snapshot.unit is None:
        return Decision(facts, None, None, finalizers)
    return _enter(snapshot, facts, item, placement)


def _enter(snapshot: UnitSnapshot, facts: ClaimFacts, item: RecordSetItem, placement: Placement) -> Decision:
    """Put the item of a claim that has its finalizer into the ledger."""
    if item.key in snapshot.refusals.claims:
        return Decision(facts, _unwritable(snapshot, facts))
    ref = placement.place(item)
    if ref is None:  # can_hold said otherwise
        return Decision(facts, too_large())
    return Decision(facts, accepted(acceptance_message(facts)), PlacedItem(ref, item, None))


def _release(snapshot: UnitSnapshot, facts: ClaimFacts) -> Decision:
    """Let a claim without an item go: nothing of it exists outside, unless its slice is out of sight.

    What a claim leaves behind is not looked after, wherever its slice is; the server is asked for its item first.
    """
    if _was_placed(snapshot, facts) and fate(snapshot, facts.claim) is Fate.STAYS:
        return Decision(facts, None, None, without_finalizer(facts, events=(retained(snapshot, facts.claim),)))
    if _was_placed(snapshot, facts):
        verdict = undecided(
            Reason.OWNER_STATE_NOT_RESOLVED,
            "The ledger object that held this record set is not found; deletion waits until it is back. If it is lost "
            "for good, look after the record set at the provider and remove the finalizer by hand.",
        )
        return Decision(facts, verdict, unseen=True)
    return Decision(facts, None, None, without_finalizer(facts))


def _unwritable(snapshot: UnitSnapshot, facts: ClaimFacts) -> Verdict:
    return undecided(Reason.RECONCILE_ERROR, snapshot.refusals.claims[facts.claim.key])


def too_large() -> Verdict:
    """Return the verdict on a record set that fits into no ledger object."""
    return refused(Reason.DENIED_BY_POLICY, "The record set is too large for any ledger object.")


def _was_placed(snapshot: UnitSnapshot, facts: ClaimFacts) -> bool:
    """Whether a claim once had an item in a unit that still lives: then its absence is not the end of it."""
    unit = snapshot.unit
    if unit is None or unit.metadata.deleting or RECORDSET_FINALIZER not in facts.claim.metadata.finalizers:
        return False
    return find_condition(facts.claim.status.conditions, ConditionType.PROGRAMMED) is not None


def acceptance_message(facts: ClaimFacts) -> str:
    """Return the seed's sentence for an accepted claim."""
    spec = facts.claim.spec
    return f"RecordSet type={spec.type.value} name={spec.name} in Zone {facts.claim.zone_key} was accepted."
