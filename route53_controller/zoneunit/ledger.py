"""From the ledger's models to facts. Pure.

Reading an object costs a parse of all its items, so readers keep the result by resource version. What thousands of
items have in common (texts, whole conditions, what Route 53 shows of them) is kept once.
"""

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from pydantic import ValidationError

from libdnsapi.api.conditions import Condition, ConditionType, find_condition
from libdnsapi.api.dns.bodies import RecordType
from libdnsapi.api.dns.zoneunit import RecordSetItem, RecordSetItemStatus, ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZoneUnitSlice
from libdnsapi.api.meta import JsonObject, ObjectKey, unfit_fields
from libdnsapi.api.names import ROUTE53_ZONEUNIT_FINALIZER
from libdnsapi.api.route53.payloads import RecordSetAdoption
from libdnsapi.dns.names import APEX, fqdn
from route53_controller.aws import wire
from route53_controller.aws.api import ResourceRecordSet
from route53_controller.zoneunit.snapshot import Fact, Item, ItemFacts, LedgerObject, Mark
from route53_controller.zoneunit.state import UnitState

Seen = Mapping[str, tuple[ResourceRecordSet, ...]]
NOTHING_SEEN: Seen = MappingProxyType({})


def read_object(
    model: ZoneUnit | ZoneUnitSlice, domain: str, seen: Seen = NOTHING_SEEN, unit_uid: str = ""
) -> LedgerObject:
    """Return one ledger object as facts. `seen` is what was observed by name; what is equal is shared with it.

    `unit_uid` is of the ZoneUnit that is read: a slice that another one owns is foreign, and empty to the reader.
    """
    if _is_foreign(model, unit_uid):
        return _foreign(model)
    statuses = {status.key: item_facts(status) for status in model.status.record_sets}
    key = model.metadata.key
    places = (key,)
    items = tuple(
        _item(item, domain, places, statuses.pop(item.key, ItemFacts()), seen) for item in model.spec.record_sets
    )
    return LedgerObject(
        key=key,
        generation=model.metadata.generation,
        observed_generation=model.status.observed_generation or 0,
        items=items,
        held=ROUTE53_ZONEUNIT_FINALIZER in model.metadata.finalizers,
        deleting=model.metadata.deleting,
        stale=bool(statuses),
    )


def _is_foreign(model: ZoneUnit | ZoneUnitSlice, unit_uid: str) -> bool:
    """Whether a slice that holds something names another ZoneUnit; one that names none is this unit's by its name."""
    if isinstance(model, ZoneUnit) or not (model.spec.record_sets or model.status.record_sets):
        return False
    return model.owner_uid not in ("", unit_uid)


def _foreign(model: ZoneUnit | ZoneUnitSlice) -> LedgerObject:
    metadata = model.metadata
    return LedgerObject(
        key=metadata.key,
        generation=metadata.generation,
        observed_generation=metadata.generation,
        items=(),
        held=ROUTE53_ZONEUNIT_FINALIZER in metadata.finalizers,
        deleting=metadata.deleting,
        stale=False,
        foreign=True,
    )


def unit_state(unit: ZoneUnit) -> UnitState:
    """Return what is stored for the unit as a whole."""
    return UnitState.parse(unit.status.provider.state if unit.status.provider else None)


def merge(objects: Collection[LedgerObject]) -> tuple[dict[ObjectKey, Item], dict[ObjectKey, Item]]:
    """Return all items of a unit, and those of them that are not calm.

    A key in two objects is one item on the move: the newer generation wins, and it leaves if one of both does; but not
    because the one of a former life, under another name or type, was leaving.
    """
    items: dict[ObjectKey, Item] = {}
    for held in objects:
        items.update(held.by_key)
    if len(items) == sum(len(held.items) for held in objects):
        return items, {key: items[key] for held in objects for key in held.restless}
    items.clear()
    for item in (item for held in objects for item in held.items):
        other = items.get(item.key)
        items[item.key] = item if other is None else _merged(other, item)
    return items, {key: item for key, item in items.items() if not item.calm}


def _merged(one: Item, two: Item) -> Item:
    newer = two if two.generation > one.generation else one
    known = one.facts if one.facts.mark or not two.facts.mark else two.facts
    same = (one.name, one.type) == (two.name, two.type)
    leaving = one.leaving or two.leaving if same else newer.leaving
    return replace(newer, places=(*one.places, *two.places), facts=known, leaving=leaving)


def item_facts(status: RecordSetItemStatus) -> ItemFacts:
    """Return what stands in an item's status."""
    state = (status.provider.state if status.provider else None) or {}
    return ItemFacts(
        observed_generation=status.observed_generation or 0,
        accepted=fact(status.conditions, ConditionType.ACCEPTED),
        programmed=fact(status.conditions, ConditionType.PROGRAMMED),
        mark=_mark(state),
        rejected=str(state.get("rejected") or ""),
        deletion_completed=bool(status.deletion_completed),
    )


def fact(conditions: Sequence[Condition], type_: ConditionType) -> Fact | None:
    """Return a condition of a list as a fact."""
    found = find_condition(conditions, type_)
    if found is None:
        return None
    return _shared_fact(found.status, found.reason, found.message, found.observed_generation or 0)


@lru_cache(maxsize=256)
def _shared_fact(status: str, reason: str, message: str, generation: int) -> Fact:
    return Fact(status, reason, message, generation)


def _mark(state: JsonObject) -> Mark | None:
    zone, name, type_ = (state.get(field) for field in ("hostedZoneID", "recordName", "recordType"))
    if isinstance(zone, str) and isinstance(name, str) and isinstance(type_, str):
        return Mark(sys.intern(zone), sys.intern(wire.name_from_wire(name)), sys.intern(type_))
    return None


def mark_state(mark: Mark) -> JsonObject:
    """Return an ownership mark as it is stored."""
    return {
        "hostedZoneID": mark.hosted_zone_id,
        "recordName": f"{mark.record_name}.",
        "recordType": mark.record_type,
    }


def _item(item: RecordSetItem, domain: str, places: tuple[ObjectKey, ...], facts: ItemFacts, seen: Seen) -> Item:
    problem, digest, desired = "", "", None
    name = sys.intern(fqdn(item.name, domain))
    try:
        desired = _shared(_desired(item, domain), seen.get(name, ()))
        digest = wire.digest(desired)
    except wire.UnwritableError as error:
        problem = str(error)
    adoption, invalid = _adoption(item.adoption)
    return Item(
        key=item.key,
        generation=item.observed_generation or 0,
        name=name,
        type=item.type.value,
        desired=desired,
        digest=digest,
        places=places,
        problem=problem,
        invalid_adoption=invalid,
        adopts=adoption is not None and adoption.enabled,
        creates_missing=adoption is not None and adoption.when_missing == "Create",
        allowed=item.is_allowed,
        leaving=item.is_leaving,
        zones_own=_is_zones_own(item),
        # A mark on what belongs to the hosted zone itself is forged or mistaken.
        facts=replace(facts, mark=None) if _is_zones_own(item) else facts,
    )


def _is_zones_own(item: RecordSetItem) -> bool:
    return item.type is RecordType.NS and item.name == APEX


def _desired(item: RecordSetItem, domain: str) -> ResourceRecordSet:
    if _is_zones_own(item):
        raise wire.UnwritableError("the name servers of the zone itself belong to Route 53")
    return wire.desired_record_set(item, domain)


def _shared(desired: ResourceRecordSet, seen: Iterable[ResourceRecordSet]) -> ResourceRecordSet:
    """Return the equal one of what was observed, if there is one: then it is kept once."""
    return next((observed for observed in seen if observed == desired), desired)


def share(items: Iterable[Item], records: dict[str, tuple[ResourceRecordSet, ...]]) -> None:
    """Put what is desired in the place of what was observed where both are equal to the letter: so it is kept once."""
    for item in items:
        seen = records.get(item.name, ())
        if item.desired is not None and item.desired in seen:
            records[item.name] = tuple(item.desired if found == item.desired else found for found in seen)


def _adoption(payload: JsonObject | None) -> tuple[RecordSetAdoption | None, str]:
    if payload is None:
        return None, ""
    try:
        return RecordSetAdoption.model_validate(payload), ""
    except ValidationError as error:
        return None, f"adoption does not fit the Provider's schema: {', '.join(unfit_fields(error))}"
