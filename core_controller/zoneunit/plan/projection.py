"""The unit's results projected to the claims (wire reference, decision "projection").

A provider result counts for a claim only if it was observed at the claim's own generation. Public data is
projected, internal state never.
"""

from collections.abc import Sequence
from datetime import datetime
from enum import Enum

from libdnsapi.api.conditions import (
    Condition,
    ConditionStatus,
    ConditionType,
    Verdict,
    find_condition,
    with_verdict,
)
from libdnsapi.api.dns.recordset import RecordSet, RecordSetStatus, ResolvedZone
from libdnsapi.api.dns.references import FullRef, ProviderOutput, ProviderPublic
from libdnsapi.api.dns.zone import Zone, ZoneStatus
from libdnsapi.api.dns.zoneunit import RecordSetItemStatus, ZoneTargetStatus, ZoneUnit
from libdnsapi.api.reasons import Reason
from libdnsapi.api.verdicts import pending, reconciling, undecided

HELD_BACK = "What was accepted last stays in force; this generation follows once it is accepted."
UNTOUCHED = "The record set stays as it is until it is decided whether it goes."


def compose(core: Verdict, provider: Verdict | None, current: Condition | None) -> Verdict | None:
    """Return a claim's Accepted, made of core's verdict and the provider's; None leaves the condition as it stands.

    `provider` is the verdict at the claim's present generation, None while there is none; `current` the claim's own
    condition. Core's refusal decides; otherwise the provider's verdict does. While there is none, what an earlier
    generation had stays, marked by its own observedGeneration; a new claim is Unknown.
    """
    if not core.is_true:
        return core
    if provider is not None:
        return provider.model_copy(update={"message": core.message}) if provider.is_true else provider
    if current is not None and current.is_true:
        return None
    return undecided(Reason.RECONCILING, "Waiting for the provider controller to look at it.")


def reported(conditions: Sequence[Condition], type_: str, generation: int) -> Verdict | None:
    """Return what a provider said of a zone in a condition that it computed at this very generation, or None."""
    condition = find_condition(conditions, type_)
    if condition is None or condition.observed_generation != generation:
        return None
    return _as_verdict(condition)


def programmed(provider: Verdict | None, current: Condition | None, core: Verdict | None) -> Verdict:
    """Return Programmed: the provider's word at this generation, else pending if it stood before, else unknown.

    `core` is core's verdict on acceptance: what it holds back never reaches the provider, and the message says so.
    """
    if provider is not None:
        return provider
    stood = current is not None and (current.is_true or current.reason == Reason.PROVIDER_CHANGE_PENDING)
    if core is not None and not core.is_true:
        return (pending if stood else reconciling)(HELD_BACK)
    if stood:
        return pending("Waiting for the provider controller to take up this generation.")
    return reconciling("Waiting for the provider controller to look at it.")


def removal(said: Condition | None) -> Verdict:
    """Return Programmed of a claim that is being deleted: the provider's trouble with it, else that it is under way.

    `said` is the provider's condition of whatever generation: deletion begins one that no item is built from.
    """
    if said is None or said.is_true:
        return pending("Waiting for the provider controller to clean up.")
    return _as_verdict(said)


def _as_verdict(condition: Condition) -> Verdict:
    return Verdict(
        type=condition.type,
        status=ConditionStatus(condition.status),
        reason=condition.reason,
        message=condition.message,
    )


def item_verdict(status: RecordSetItemStatus | None, type_: ConditionType, generation: int) -> Verdict | None:
    """Return what a provider said of an item in a condition, if the entry as a whole is of the claim's generation."""
    if status is None or status.observed_generation != generation:
        return None
    condition = find_condition(status.conditions, type_)
    return _as_verdict(condition) if condition is not None else None


def public(output: ProviderOutput | None) -> ProviderPublic | None:
    """Return what of a provider's output a claim shows: its data, never its state; None where it has no data."""
    if output is None or output.data is None:
        return None
    return ProviderPublic(data=output.data)


class ItemResult(Enum):
    """Why there is no status entry to read a claim's result from."""

    NONE = "none"
    """The claim has no item, so nothing is to be programmed."""
    UNSEEN = "unseen"
    """The claim has an item in a ledger object that is out of sight."""


def record_set_status(
    claim: RecordSet, verdict: Verdict | None, result: RecordSetItemStatus | ItemResult | None, now: datetime
) -> RecordSetStatus:
    """Return the status that a claim should have.

    `verdict` is core's (None: nothing to say about acceptance now), `result` the item's status entry (None: the
    provider has not written one). Without an item there is no Programmed condition: nothing was to be programmed.
    """
    generation = claim.metadata.generation
    status = result if isinstance(result, RecordSetItemStatus) else None
    conditions = known(claim.status.conditions)
    if verdict is not None:
        provider = item_verdict(status, ConditionType.ACCEPTED, generation)
        composed = compose(verdict, provider, find_condition(conditions, ConditionType.ACCEPTED))
        if composed is not None:
            conditions = with_verdict(conditions, composed, generation, now)
    if not isinstance(result, ItemResult):
        wanted = _programmed_record_set(claim, status, conditions, verdict)
        conditions = with_verdict(conditions, wanted, generation, now)
    elif result is ItemResult.NONE:
        conditions = tuple(c for c in conditions if c.type != ConditionType.PROGRAMMED)
    return RecordSetStatus(
        observed_generation=generation,
        zone=_resolved_zone(claim, verdict),
        provider=public(status.provider) if status is not None else None,
        conditions=conditions,
    )


def _programmed_record_set(
    claim: RecordSet, status: RecordSetItemStatus | None, conditions: Sequence[Condition], core: Verdict | None
) -> Verdict:
    if claim.metadata.deleting and core is not None and not core.is_true:
        return pending(UNTOUCHED)
    if claim.metadata.deleting:
        return removal(find_condition(status.conditions, ConditionType.PROGRAMMED) if status is not None else None)
    said = item_verdict(status, ConditionType.PROGRAMMED, claim.metadata.generation)
    return programmed(said, find_condition(conditions, ConditionType.PROGRAMMED), core)


def known(conditions: Sequence[Condition]) -> tuple[Condition, ...]:
    """Return the Accepted and Programmed of a list: what somebody else wrote beside them goes."""
    return tuple(c for c in conditions if c.type in {ConditionType.ACCEPTED, ConditionType.PROGRAMMED})


def _resolved_zone(claim: RecordSet, verdict: Verdict | None) -> ResolvedZone | None:
    if verdict is not None and verdict.reason in {Reason.ZONE_NOT_RESOLVED, Reason.INVALID_ZONE_REF}:
        return None
    key = claim.zone_key
    return ResolvedZone(ref=FullRef(namespace=key.namespace, name=key.name))


def zone_provider_verdict(unit: ZoneUnit | None, type_: ConditionType, generation: int) -> Verdict | None:
    """Return what the provider reported about the Zone at this generation, or None."""
    target = unit.status.zone if unit is not None else None
    return reported(target.conditions, type_, generation) if target is not None else None


def zone_status(
    zone: Zone, verdict: Verdict, unit: ZoneUnit | None, blocked: Verdict | None, now: datetime
) -> ZoneStatus:
    """Return the status that a Zone should have.

    `verdict` is core's. `blocked` overrides Programmed while a deleting Zone waits for its record sets.
    """
    generation = zone.metadata.generation
    target = (unit.status.zone if unit is not None else None) or ZoneTargetStatus()
    conditions = known(zone.status.conditions)
    composed = compose(
        verdict,
        zone_provider_verdict(unit, ConditionType.ACCEPTED, generation),
        find_condition(conditions, ConditionType.ACCEPTED),
    )
    if composed is not None:
        conditions = with_verdict(conditions, composed, generation, now)
    if unit is not None or blocked is not None:
        wanted = blocked or _programmed_zone(zone, target, conditions, verdict)
        conditions = with_verdict(conditions, wanted, generation, now)
    else:
        conditions = tuple(c for c in conditions if c.type != ConditionType.PROGRAMMED)
    return ZoneStatus(
        observed_generation=generation,
        name_servers=target.name_servers,
        provider=public(target.provider),
        conditions=conditions,
    )


def _programmed_zone(zone: Zone, target: ZoneTargetStatus, conditions: Sequence[Condition], core: Verdict) -> Verdict:
    if zone.metadata.deleting:
        return removal(find_condition(target.conditions, ConditionType.PROGRAMMED))
    said = reported(target.conditions, ConditionType.PROGRAMMED, zone.metadata.generation)
    return programmed(said, find_condition(conditions, ConditionType.PROGRAMMED), core)


def composed_zone(zone: Zone, core: Verdict, unit: ZoneUnit | None) -> Verdict:
    """Return the Zone's Accepted as record sets see it: a provider's earlier word holds until a newer one comes."""
    if not core.is_true:
        return core
    current = zone_provider_verdict(unit, ConditionType.ACCEPTED, zone.metadata.generation)
    earlier = find_condition(zone.status.conditions, ConditionType.ACCEPTED)
    composed = compose(core, current, earlier)
    return core if composed is None else composed
