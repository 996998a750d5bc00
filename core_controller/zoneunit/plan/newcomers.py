"""Claims that have no item yet: let in, refused, or let go."""

from core_controller.zoneunit.plan.announcements import retained
from core_controller.zoneunit.plan.decisions import (
    Decision,
    NameContext,
    accepted_claim,
    earlier_claim_stands,
    too_large,
    unwritable,
)
from core_controller.zoneunit.plan.finalizers import finalizer_refused, with_finalizer, without_finalizer
from core_controller.zoneunit.plan.ownership import Owner, conflict, desired_item
from core_controller.zoneunit.plan.record_acceptance import record_verdict, rules_verdict
from core_controller.zoneunit.plan.retention import RETAIN, Fate, fate
from core_controller.zoneunit.snapshot import ClaimFacts, OwnerState, PlacedItem, UnitSnapshot
from libdnsapi.api.conditions import ConditionType, find_condition
from libdnsapi.api.dns.zoneunit import RecordSetItem
from libdnsapi.api.names import DELETION_POLICY_ANNOTATION, RECORDSET_FINALIZER
from libdnsapi.api.reasons import Reason
from libdnsapi.api.verdicts import undecided


def decide_newcomer(name: NameContext, facts: ClaimFacts) -> Decision:
    """Decide about a claim without an item; the name's owners know it afterwards if it is let in."""
    snapshot = name.snapshot
    if facts.claim.metadata.deleting:
        return _release(snapshot, facts)
    verdict = record_verdict(snapshot, name.zone, facts) or rules_verdict(snapshot, facts)
    if verdict is None and any(placed.status is not None for placed in facts.placed):
        verdict = earlier_claim_stands(facts)
    clash = conflict(snapshot, desired_item(facts), name.owners) if verdict is None else None
    verdict = clash.verdict if clash is not None else verdict
    if verdict is None:
        return _admit(name, facts, desired_item(facts))
    rival = clash.owner if clash is not None else None
    if _was_placed(snapshot, facts):
        return Decision(facts, verdict, rival=rival, unseen=True)
    return Decision(facts, verdict, finalizers=without_finalizer(facts), rival=rival)


def _admit(name: NameContext, facts: ClaimFacts, item: RecordSetItem) -> Decision:
    """Add the finalizer first, the item second: a claim that could vanish without a trace is never in the ledger.

    One whose finalizer cannot be written pre-empts nobody; it is tried again with each pass.
    """
    snapshot = name.snapshot
    if snapshot.unit is not None and snapshot.unit.metadata.deleting:
        return Decision(facts, undecided(Reason.RECONCILING, f"ZoneUnit {snapshot.key} is being deleted."))
    if not name.placement.can_hold(item):
        return Decision(facts, too_large(), finalizers=without_finalizer(facts))
    finalizers = with_finalizer(facts)
    if finalizers is not None and item.key in snapshot.stuck:
        told = finalizer_refused(snapshot.stuck[item.key])
        return Decision(facts, undecided(Reason.RECONCILE_ERROR, told), finalizers=finalizers)
    name.owners.append(Owner(item.key, item, OwnerState.PRESENT))
    if finalizers is not None or snapshot.unit is None:
        return Decision(facts, None, finalizers=finalizers)
    return _enter(name, facts, item)


def _enter(name: NameContext, facts: ClaimFacts, item: RecordSetItem) -> Decision:
    """Put the item of a claim that has its finalizer into the ledger."""
    if item.key in name.snapshot.refusals.claims:
        return Decision(facts, unwritable(name.snapshot, facts))
    ref = name.placement.place(item)
    if ref is None:  # can_hold said otherwise
        return Decision(facts, too_large())
    return Decision(facts, accepted_claim(facts), PlacedItem(ref, item, None))


def _release(snapshot: UnitSnapshot, facts: ClaimFacts) -> Decision:
    """Let a claim without an item go: nothing of it exists outside, unless its slice is out of sight.

    What a claim leaves behind is not looked after, wherever its slice is; the server is asked for its item first.
    """
    if _was_placed(snapshot, facts) and fate(snapshot, facts.claim) is Fate.STAYS:
        told = retained(snapshot, facts.claim)
        return Decision(facts, None, finalizers=without_finalizer(facts, events=(told,)))
    if _was_placed(snapshot, facts):
        verdict = undecided(
            Reason.OWNER_STATE_NOT_RESOLVED,
            "The ledger object that held this record set is not found; deletion waits until it is back. If it is lost "
            "for good, look after the record set at the provider and let this RecordSet go by the annotation "
            f"{DELETION_POLICY_ANNOTATION}: {RETAIN}, which the Zone's owner may have to permit.",
        )
        return Decision(facts, verdict, unseen=True)
    return Decision(facts, None, finalizers=without_finalizer(facts))


def _was_placed(snapshot: UnitSnapshot, facts: ClaimFacts) -> bool:
    """Whether a claim once had an item in a unit that still lives: then its absence is not the end of it."""
    unit = snapshot.unit
    if unit is None or unit.metadata.deleting or RECORDSET_FINALIZER not in facts.claim.metadata.finalizers:
        return False
    return find_condition(facts.claim.status.conditions, ConditionType.PROGRAMMED) is not None
