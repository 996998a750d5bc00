"""The status documents of the ledger, from what stands there and what a plan says.

Made from the live object each time it is written, so a conflict is answered by putting our half again. Entries of
items that have gone are left out (case 85). Equal input gives an equal document, so a settled object costs no write.
"""

from collections.abc import Mapping
from datetime import datetime

from pydantic import JsonValue

from libdnsapi.api.conditions import Condition, ConditionStatus, ConditionType, Verdict, with_verdict
from libdnsapi.api.dns.zoneunit import RecordSetItem, RecordSetItemStatus, ZoneTargetStatus, ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZoneUnitSlice
from libdnsapi.api.meta import JsonObject, ObjectKey
from route53_controller.zoneunit.ledger import mark_state
from route53_controller.zoneunit.plan.actions import StatusPlan, ZoneOutcome
from route53_controller.zoneunit.plan.outcomes import Outcome
from route53_controller.zoneunit.snapshot import Fact

Outcomes = Mapping[ObjectKey, Outcome]


def unit_status(unit: ZoneUnit, plan: StatusPlan, generation: int, now: datetime) -> JsonObject:
    """Return the ZoneUnit's status. `generation` is the one that was really observed."""
    old = unit.status
    conditions = _with_fact(old.conditions, ConditionType.PROGRAMMED, plan.aggregate, now)
    status: JsonObject = {"observedGeneration": generation, "conditions": _documents(conditions)}
    state = plan.state.to_state()
    if state:
        status["provider"] = {"state": state}
    status["zone"] = _zone_status(old.zone or ZoneTargetStatus(), plan.zone, now)
    status["recordSets"] = item_statuses(unit.spec.record_sets, old.record_sets, plan.items, now)
    return status


def slice_status(held: ZoneUnitSlice, items: Outcomes, generation: int, now: datetime) -> JsonObject:
    """Return a slice's status."""
    return {
        "observedGeneration": generation,
        "recordSets": item_statuses(held.spec.record_sets, held.status.record_sets, items, now),
    }


def item_statuses(
    specs: tuple[RecordSetItem, ...], old: tuple[RecordSetItemStatus, ...], items: Outcomes, now: datetime
) -> list[JsonValue]:
    """Return the status entries of the items that an object holds, in their order.

    The items may be newer than what was decided: after a conflict the live object is written. That a deletion is
    complete is said of the very item alone that it was decided for, never of one that has come under its key since.
    """
    known = {status.key: status for status in old}
    entries: list[JsonValue] = []
    for item in specs:
        said, before = items.get(item.key), known.get(item.key)
        if said is not None and (_was_meant(item, said) or not said.deletion_completed):
            entries.append(_item_status(item, before, said, now))
        elif before is not None:
            entries.append(before.to_json())
    return entries


def _was_meant(item: RecordSetItem, said: Outcome) -> bool:
    return item.is_leaving and (item.observed_generation or 0) == said.accepted.generation


def _item_status(item: RecordSetItem, before: RecordSetItemStatus | None, said: Outcome, now: datetime) -> JsonObject:
    conditions = before.conditions if before else ()
    conditions = _with_fact(conditions, ConditionType.ACCEPTED, said.accepted, now)
    if said.programmed is not None:
        conditions = _with_fact(conditions, ConditionType.PROGRAMMED, said.programmed, now)
    entry: JsonObject = {
        "recordSetNamespace": item.record_set_namespace,
        "recordSetName": item.record_set_name,
        "observedGeneration": said.accepted.generation,
        "conditions": _documents(conditions),
    }
    state = _item_state(said)
    if state:
        entry["provider"] = {"state": state}
    if said.deletion_completed:
        entry["deletionCompleted"] = True
    return entry


def _item_state(said: Outcome) -> JsonObject:
    state = {} if said.mark is None else mark_state(said.mark)
    return {**state, "rejected": said.rejected} if said.rejected else state


def _zone_status(old: ZoneTargetStatus, said: ZoneOutcome, now: datetime) -> JsonObject:
    conditions = _with_fact(old.conditions, ConditionType.ACCEPTED, said.accepted, now)
    if said.programmed is not None:
        conditions = _with_fact(conditions, ConditionType.PROGRAMMED, said.programmed, now)
    status: JsonObject = {"conditions": _documents(conditions)}
    name_servers = said.name_servers or old.name_servers
    if name_servers:
        status["nameServers"] = list[JsonValue](sorted(name_servers))
    if said.hosted_zone_id is not None:
        status["provider"] = {"data": {"hostedZoneID": said.hosted_zone_id}}
    elif old.provider is not None:
        status["provider"] = old.provider.to_json()
    return status


def _with_fact(
    conditions: tuple[Condition, ...], type_: ConditionType, fact: Fact, now: datetime
) -> tuple[Condition, ...]:
    verdict = Verdict(type=type_, status=ConditionStatus(fact.status), reason=fact.reason, message=fact.message)
    return with_verdict(conditions, verdict, fact.generation, now)


def _documents(conditions: tuple[Condition, ...]) -> list[JsonValue]:
    return [condition.to_json() for condition in conditions]
