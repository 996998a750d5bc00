"""The unit's own Programmed: True when all targets are, False over Unknown.

Source: core seed (ZoneUnit), beyond-the-seeds 1.
"""

from collections.abc import Iterable, Mapping

from libdnsapi.api.conditions import ConditionStatus, ConditionType
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.reasons import ZONE_UNIT_REASONS, Reason, is_known
from route53_controller.zoneunit.plan.actions import ZoneOutcome
from route53_controller.zoneunit.plan.outcomes import Outcome
from route53_controller.zoneunit.snapshot import Fact, Item

_TRUE = ConditionStatus.TRUE.value
_ZONE = "the zone"
ALL_MESSAGE = "The zone and all its record sets stand in Route 53 as desired."


def aggregate(
    zone: ZoneOutcome,
    zone_programmed: Fact | None,
    items: Mapping[ObjectKey, Item],
    outcomes: Mapping[ObjectKey, Outcome],
    generation: int,
) -> Fact:
    """Return the unit's Programmed. `zone_programmed` is what the zone's will be, `outcomes` what items' will.

    Of items it takes those that may not be programmed: the others need no look.
    """
    targets = [(_ZONE, _zone_fact(zone, zone_programmed)), *_record_targets(items, outcomes)]
    for wanted in (ConditionStatus.FALSE, ConditionStatus.UNKNOWN):
        failing = [(name, fact) for name, fact in targets if fact.status == wanted]
        if failing:
            return _summary(failing, generation)
    return Fact(ConditionStatus.TRUE, Reason.PROGRAMMED, ALL_MESSAGE, generation)


def _zone_fact(zone: ZoneOutcome, programmed: Fact | None) -> Fact:
    if zone.accepted.status == ConditionStatus.FALSE:
        message = f"not accepted: {zone.accepted.message}"
        return Fact(ConditionStatus.FALSE, Reason.PROVIDER_INVALID_REQUEST, message, zone.accepted.generation)
    unknown = Fact(ConditionStatus.UNKNOWN, Reason.RECONCILING, "not known yet.", zone.accepted.generation)
    if zone.accepted.status == ConditionStatus.UNKNOWN:
        return unknown
    return programmed or unknown


def _record_targets(
    items: Mapping[ObjectKey, Item], outcomes: Mapping[ObjectKey, Outcome]
) -> Iterable[tuple[str, Fact]]:
    for key, item in items.items():
        said, facts = outcomes.get(key), item.facts
        fact = said.programmed if said is not None and said.programmed is not None else facts.programmed
        if fact is not None and fact.status == _TRUE:
            continue
        accepted = said.accepted if said is not None else facts.accepted
        if item.leaving or not item.allowed or accepted is None or accepted.status != _TRUE:
            continue
        yield f"RecordSet {key}", fact or Fact(ConditionStatus.UNKNOWN, Reason.RECONCILING, "not known yet.", 0)


def _summary(failing: list[tuple[str, Fact]], generation: int) -> Fact:
    name, fact = min(failing, key=lambda target: (target[0] != _ZONE, target[0]))
    known = is_known(ZONE_UNIT_REASONS, ConditionType.PROGRAMMED, fact.status, fact.reason)
    reason = fact.reason if known else Reason.PROVIDER_INVALID_REQUEST
    more = f" ({len(failing) - 1} more are not programmed.)" if len(failing) > 1 else ""
    return Fact(fact.status, reason, f"{name}: {fact.message}{more}", generation)
