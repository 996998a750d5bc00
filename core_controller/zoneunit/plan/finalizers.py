"""Changes of a claim's finalizer: ours is added and removed, everybody else's stay as they are."""

from core_controller.zoneunit.plan.actions import EmitEvent, SetFinalizers
from core_controller.zoneunit.snapshot import ClaimFacts
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.names import RECORDSET_FINALIZER


def with_finalizer(facts: ClaimFacts) -> SetFinalizers | None:
    """Return the change that adds ours, or None where it stands."""
    finalizers = facts.claim.metadata.finalizers
    return None if RECORDSET_FINALIZER in finalizers else _set(facts, (*finalizers, RECORDSET_FINALIZER))


def without_finalizer(
    facts: ClaimFacts, *, unplaced: bool = True, events: tuple[EmitEvent, ...] = ()
) -> SetFinalizers | None:
    """Return the change that removes ours, or None where it does not stand; `unplaced`: no item was seen."""
    finalizers = facts.claim.metadata.finalizers
    if RECORDSET_FINALIZER not in finalizers:
        return None
    left = tuple(name for name in finalizers if name != RECORDSET_FINALIZER)
    return _set(facts, left, unplaced=unplaced, events=events)


def finalizer_refused(reason: str) -> str:
    """Return what to tell of a claim whose finalizer cannot be written; `reason` is the API server's word."""
    return (
        f"The finalizer of core cannot be written ({reason}); it is tried again. What the API server says is in the "
        "log of the core controller."
    )


def _set(
    facts: ClaimFacts, finalizers: tuple[str, ...], *, unplaced: bool = False, events: tuple[EmitEvent, ...] = ()
) -> SetFinalizers:
    meta = facts.claim.metadata
    return SetFinalizers(RECORD_SETS, facts.claim.key, finalizers, meta.resource_version, meta.uid, unplaced, events)
