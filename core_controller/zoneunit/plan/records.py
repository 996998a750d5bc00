"""What happens to the claims and items of one owner name: acceptance, ownership, deletion, promotion."""

from dataclasses import dataclass

from core_controller.zoneunit.plan.actions import SetFinalizers
from core_controller.zoneunit.plan.ownership import (
    Owner,
    conflict,
    desired_item,
    holders,
    leaving,
    newest_places,
    pair_conflict,
    seniority,
)
from core_controller.zoneunit.plan.placement import Placement
from core_controller.zoneunit.plan.record_acceptance import ZoneVerdicts, record_verdict
from core_controller.zoneunit.plan.verdicts import accepted, refused, undecided
from core_controller.zoneunit.snapshot import ClaimFacts, NameGroup, OwnerState, PlacedItem, UnitSnapshot
from libdnsapi.api.conditions import ConditionType, Verdict, find_condition
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zoneunit import RecordSetItem
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


def decide_group(snapshot: UnitSnapshot, zone: ZoneVerdicts, group: NameGroup, placement: Placement) -> list[Decision]:
    """Decide about every claim of one owner name and edit the ledger accordingly."""
    _settle_items(group, placement)
    owners = holders(group)
    places = {facts.claim.key: newest_places(facts.placed).get(facts.claim.key) for facts in group.claims}
    newcomers = sorted((facts for facts in group.claims if places[facts.claim.key] is None), key=seniority)
    decisions = [_decide_newcomer(snapshot, zone, facts, owners, placement) for facts in newcomers]
    # A newcomer that waits for its finalizer is to take over without a gap: its predecessor leaves a pass later.
    wait = any(
        d.finalizers is not None and not d.facts.claim.metadata.deleting and d.verdict is None for d in decisions
    )
    for facts in group.claims:
        place = places[facts.claim.key]
        if place is not None and not (wait and facts.claim.metadata.deleting):
            decisions.append(_decide_holder(snapshot, zone, facts, place, owners, placement))
    return decisions


def _awaits_finalizer(decision: Decision) -> bool:
    deleting = decision.facts.claim.metadata.deleting
    return decision.finalizers is not None and decision.verdict is None and not deleting


def _settle_items(group: NameGroup, placement: Placement) -> None:
    """Items whose claim is gone leave by the protocol; the old half of a finished move goes."""
    newest = newest_places(group.items)
    claims = {facts.claim.key: facts.claim for facts in group.claims}
    for placed in group.items:
        if placed.item is None:
            continue
        key = placed.item.key
        if newest[key] is not placed:
            if _reported(newest[key]):
                placement.remove(placed)
            continue
        if group.owners.get(key) is OwnerState.REPLACED and not placed.item.is_leaving:
            placement.update(placed, leaving(placed.item))
        claim = claims.get(key)
        released = claim is None or not claim.metadata.deleting or RECORDSET_FINALIZER not in claim.metadata.finalizers
        if placed.item.is_leaving and released and _is_clean(placed):
            placement.remove(placed)


def _reported(placed: PlacedItem) -> bool:
    return placed.status is not None and (placed.status.observed_generation or 0) >= placed.generation


def _is_clean(placed: PlacedItem) -> bool:
    return placed.status is not None and bool(placed.status.deletion_completed)


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
        return _decide_leaving(facts, place, item, placement)
    if item.is_leaving or (item.name, item.type) != (claim.spec.name, claim.spec.type):
        return Decision(facts, _earlier_claim_stands(facts))
    verdict = record_verdict(snapshot, zone, facts) or _edit_conflict(snapshot, facts, item, owners)
    _update_item(facts, place, item, verdict, placement)
    return Decision(facts, verdict or accepted(acceptance_message(facts)), place, _with_finalizer(facts))


def _edit_conflict(
    snapshot: UnitSnapshot, facts: ClaimFacts, item: RecordSetItem, owners: list[Owner]
) -> Verdict | None:
    others = [owner for owner in owners if owner.key != facts.claim.key and not owner.item.is_leaving]
    if not others:
        return None
    wanted = desired_item(facts)
    return None if wanted == item else pair_conflict(snapshot, wanted, others)


def _update_item(
    facts: ClaimFacts, place: PlacedItem, item: RecordSetItem, verdict: Verdict | None, placement: Placement
) -> None:
    """Let an accepted claim's item follow it; mark it where policy says no; otherwise leave it as it was."""
    if verdict is None:
        wanted = desired_item(facts)
        if wanted != item:
            placement.update(place, wanted)
    elif verdict.reason == Reason.NOT_ALLOWED_BY_ZONE and item.is_allowed:
        placement.update(place, item.model_copy(update={"allowed": False}))


def _decide_leaving(facts: ClaimFacts, place: PlacedItem, item: RecordSetItem, placement: Placement) -> Decision:
    if not item.is_leaving:
        placement.update(place, leaving(item))
    finalizers = _without_finalizer(facts) if item.is_leaving and _is_clean(place) else None
    return Decision(facts, None, place, finalizers)


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
    verdict = record_verdict(snapshot, zone, facts)
    if verdict is None and any(placed.status is not None for placed in facts.placed):
        verdict = _earlier_claim_stands(facts)
    if verdict is None:
        item = desired_item(facts)
        verdict = conflict(snapshot, item, owners)
    if verdict is not None:
        return Decision(facts, verdict, None, None if _was_placed(snapshot, facts) else _without_finalizer(facts))
    return _admit(snapshot, facts, desired_item(facts), owners, placement)


def _admit(
    snapshot: UnitSnapshot, facts: ClaimFacts, item: RecordSetItem, owners: list[Owner], placement: Placement
) -> Decision:
    """Add the finalizer first, the item second: a claim that could vanish without a trace is never in the ledger."""
    owners.append(Owner(item.key, item, OwnerState.PRESENT))
    finalizers = _with_finalizer(facts)
    if finalizers is not None or snapshot.unit is None or snapshot.unit.metadata.deleting:
        return Decision(facts, None, None, finalizers)
    ref = placement.place(item)
    if ref is None:
        owners.pop()
        return Decision(
            facts, refused(Reason.DENIED_BY_POLICY, "The record set is too large for any ledger object."), None, None
        )
    return Decision(facts, accepted(acceptance_message(facts)), PlacedItem(ref, item, None))


def _release(snapshot: UnitSnapshot, facts: ClaimFacts) -> Decision:
    """Let a claim without an item go: nothing of it exists outside, unless its slice is out of sight."""
    if _was_placed(snapshot, facts):
        verdict = undecided(
            Reason.OWNER_STATE_NOT_RESOLVED,
            "The ledger object that held this record set is not found; deletion waits until it is back.",
        )
        return Decision(facts, verdict)
    return Decision(facts, None, None, _without_finalizer(facts))


def _was_placed(snapshot: UnitSnapshot, facts: ClaimFacts) -> bool:
    """Whether a claim once had an item in a unit that still lives: then its absence is not the end of it."""
    unit = snapshot.unit
    if unit is None or unit.metadata.deleting or RECORDSET_FINALIZER not in facts.claim.metadata.finalizers:
        return False
    return find_condition(facts.claim.status.conditions, ConditionType.PROGRAMMED) is not None


def _with_finalizer(facts: ClaimFacts) -> SetFinalizers | None:
    meta = facts.claim.metadata
    if RECORDSET_FINALIZER in meta.finalizers:
        return None
    return _finalizers(facts, (*meta.finalizers, RECORDSET_FINALIZER))


def _without_finalizer(facts: ClaimFacts) -> SetFinalizers | None:
    meta = facts.claim.metadata
    if RECORDSET_FINALIZER not in meta.finalizers:
        return None
    return _finalizers(facts, tuple(f for f in meta.finalizers if f != RECORDSET_FINALIZER))


def _finalizers(facts: ClaimFacts, finalizers: tuple[str, ...]) -> SetFinalizers:
    meta = facts.claim.metadata
    return SetFinalizers(RECORD_SETS, facts.claim.key, finalizers, meta.resource_version, meta.uid)


def acceptance_message(facts: ClaimFacts) -> str:
    """Return the seed's sentence for an accepted claim."""
    spec = facts.claim.spec
    return f"RecordSet type={spec.type.value} name={spec.name} in Zone {facts.claim.zone_key} was accepted."
