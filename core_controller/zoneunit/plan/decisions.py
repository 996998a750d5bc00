"""What one claim gets, and what all decisions about the claims of one owner name share."""

from dataclasses import dataclass

from core_controller.zoneunit.plan.actions import SetFinalizers
from core_controller.zoneunit.plan.ownership import Owner
from core_controller.zoneunit.plan.placement import Placement
from core_controller.zoneunit.plan.record_acceptance import ZoneVerdicts
from core_controller.zoneunit.snapshot import ClaimFacts, PlacedItem, UnitSnapshot
from libdnsapi.api.conditions import Verdict
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.reasons import Reason
from libdnsapi.api.verdicts import accepted, refused, undecided


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


@dataclass(frozen=True, slots=True)
class NameContext:
    """What all decisions about the claims of one owner name share. `owners` and `placement` change with each of them.

    Local to one planning pass.
    """

    snapshot: UnitSnapshot
    zone: ZoneVerdicts
    owners: list[Owner]
    """Who holds the name; a claim that is let in joins them at once, so that those after it see it."""
    placement: Placement

    def owners_but(self, claim: ObjectKey) -> list[Owner]:
        """Return the holders of the name but for one claim's own item."""
        return [owner for owner in self.owners if owner.key != claim]


def accepted_claim(facts: ClaimFacts) -> Verdict:
    """Return Accepted=True with the seed's sentence (core seed, RecordSet Events)."""
    spec = facts.claim.spec
    return accepted(f"RecordSet type={spec.type.value} name={spec.name} in Zone {facts.claim.zone_key} was accepted.")


def too_large() -> Verdict:
    """Return the verdict on a record set that fits into no ledger object."""
    return refused(Reason.DENIED_BY_POLICY, "The record set is too large for any ledger object.")


def earlier_claim_stands(facts: ClaimFacts) -> Verdict:
    """Return the verdict on a claim whose key still stands in the ledger for an earlier one of that key."""
    return undecided(
        Reason.OWNER_STATE_NOT_RESOLVED,
        f"An earlier RecordSet {facts.claim.key} is still being cleaned up; this one follows after that.",
    )


def unwritable(snapshot: UnitSnapshot, facts: ClaimFacts) -> Verdict:
    """Return the verdict on a claim whose item the API server refuses; the snapshot's refusals must have it."""
    return undecided(Reason.RECONCILE_ERROR, snapshot.refusals.claims[facts.claim.key])
