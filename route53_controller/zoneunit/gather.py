"""The snapshot of one unit, from caches and indexes alone.

Ledger objects are turned into facts once a resource version, and kept so: a change of one slice costs the reading of
that slice, not of the zone.
"""

import asyncio
from datetime import UTC, datetime
from typing import TypeVar

from libdnsapi.api.conditions import ConditionStatus, ConditionType, Verdict
from libdnsapi.api.dns.zoneclass import ZoneClass
from libdnsapi.api.dns.zoneunit import ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZoneUnitSlice
from libdnsapi.api.meta import KubernetesObject, ObjectKey
from libdnsapi.api.reasons import Reason
from libdnsapi.api.route53.identity import Route53Identity
from libdnsapi.runtime.ledgers import require_whole_ledger
from libdnsapi.runtime.store import Store
from route53_controller.parameters import Parameters, ParametersProblem
from route53_controller.zoneunit.ledger import NOTHING_SEEN, item_facts, merge, read_object, unit_state
from route53_controller.zoneunit.memory import ZoneMemory
from route53_controller.zoneunit.plan.acceptance import account_digest, adopted_zone_id
from route53_controller.zoneunit.snapshot import Item, LedgerObject, Mark, Snapshot, ZoneUnitSettings
from route53_controller.zoneunit.state import UnitState
from route53_controller.zoneunit.stores import BY_DOMAIN, BY_HOSTED_ZONE, BY_UNIT, ParametersSource, Stores

L = TypeVar("L", ZoneUnit, ZoneUnitSlice)
EPOCH = datetime.fromtimestamp(0, UTC)


class Gatherer:
    """Makes snapshots."""

    def __init__(self, stores: Stores, parameters: ParametersSource, settings: ZoneUnitSettings) -> None:
        """Read nothing yet."""
        self._stores = stores
        self._parameters = parameters
        self._settings = settings

    async def gather(self, unit: ZoneUnit, memory: ZoneMemory, now: datetime) -> Snapshot:
        """Return the unit as the caches show it; raises UndecodableError for a ledger object that fits no model."""
        require_whole_ledger(self._stores.slices, unit.key)
        objects = await self._objects(unit, memory, now)
        items, restless = merge(objects.values())
        state = unit_state(unit)
        zone_class = self._stores.classes.get(unit.spec.zone.zone_class_ref.key)
        parameters = await self._read_parameters(zone_class)
        zone = self._stores.zones.digest(unit.spec.zone.ref.key)
        holder = self._holder(unit, state)
        identity = self._stores.identities.get(zone_class.identity_key) if zone_class is not None else None
        return Snapshot(
            now=now,
            settings=self._settings,
            unit=unit,
            state=state,
            objects=objects,
            items=items,
            restless=restless,
            zone_class=zone_class,
            parameters=_verdict(parameters) if isinstance(parameters, ParametersProblem) else parameters,
            parameters_retry=isinstance(parameters, ParametersProblem) and parameters.retry,
            namespace_labels=self._stores.namespace_labels(unit.metadata.namespace),
            identity=identity,
            holder=holder,
            rival=self._rival(unit, state, identity),
            namesakes=self._namesakes(unit, state),
            holder_marks=self._marks(holder) if holder else frozenset(),
            zone_deleting=zone is not None and zone.leaving,
            live_claims=self._live_claims(items) if unit.metadata.deleting else frozenset(),
            arrived_at=memory.arrived_at,
            open_names=memory.attention.open_names(objects),
        )

    def is_outdated(self, snapshot: Snapshot, memory: ZoneMemory) -> bool:
        """Whether the ledger has changed since a snapshot of it was taken."""
        unit, slices = snapshot.unit.key, self._stores.slices
        present = self._stores.slices.by_index(BY_UNIT, str(unit))
        versions = {unit: self._stores.units.version(unit), **{key: slices.version(key) for key in present}}
        return versions != {key: version for key, (version, _) in memory.ledger.items()}

    async def _objects(self, unit: ZoneUnit, memory: ZoneMemory, now: datetime) -> dict[ObjectKey, LedgerObject]:
        domain = unit.spec.zone.domain_name
        found: dict[ObjectKey, LedgerObject] = {}
        unit_facts = _facts(self._stores.units, unit.key, domain, memory, now)
        if unit_facts is not None:
            found[unit.key] = unit_facts
        for key in self._stores.slices.by_index(BY_UNIT, str(unit.key)):
            known = key in memory.ledger
            facts = _facts(self._stores.slices, key, domain, memory, now)
            if facts is not None:
                found[key] = facts
            if not known:
                await asyncio.sleep(0)
        for key in [key for key in memory.ledger if key not in found]:
            del memory.ledger[key]
        return found

    async def _read_parameters(self, zone_class: ZoneClass | None) -> Parameters:
        if zone_class is None:
            message = "the ZoneClass does not exist"
            return ParametersProblem(ConditionStatus.UNKNOWN, Reason.ZONE_CLASS_NOT_RESOLVED, message)
        provider = self._stores.providers.get(ObjectKey("", zone_class.spec.provider.name))
        return await self._parameters.read(zone_class, provider)

    def _holder(self, unit: ZoneUnit, state: UnitState) -> ObjectKey | None:
        """Return the other unit that holds the hosted zone that this one holds or adopts; of two the older one."""
        wanted = state.hosted_zone_id or adopted_zone_id(unit.spec.zone.adoption)
        if not wanted:
            return None
        others = [key for key in self._stores.units.by_index(BY_HOSTED_ZONE, wanted) if key != unit.key]
        holders = [other for other in map(self._stores.units.get, others) if other is not None]
        if state.hosted_zone_id:
            holders = [other for other in holders if _age(other) < _age(unit)]
        return min(holders, key=_age).key if holders else None

    def _namesakes(self, unit: ZoneUnit, state: UnitState) -> frozenset[ObjectKey]:
        if state.hosted_zone_id:
            return frozenset()
        return frozenset(self._stores.units.by_index(BY_DOMAIN, unit.spec.zone.domain_name)) - {unit.key}

    def _rival(self, unit: ZoneUnit, state: UnitState, identity: Route53Identity | None) -> ObjectKey | None:
        """Return the unit to which this one leaves the name: any that has got further, else the older of the two.

        Reservations (caller references) are stored before anything is created, so of two that come at once, neither
        of whom the other's list shows, both see the same one go first.
        """
        if state.hosted_zone_id or identity is None:
            return None
        others = map(self._stores.units.get, self._stores.units.by_index(BY_DOMAIN, unit.spec.zone.domain_name))
        rivals = [
            other
            for other in others
            if other is not None
            and other.key != unit.key
            and _has_zone_in(other, identity.spec.account_id)
            and (not state.caller_reference or _age(other) < _age(unit))
        ]
        return min(rivals, key=_age).key if rivals else None

    def _marks(self, unit: ObjectKey) -> frozenset[Mark]:
        """Return the ownership marks of another unit; read afresh, for it is seldom asked for."""
        slices = map(self._stores.slices.get, self._stores.slices.by_index(BY_UNIT, str(unit)))
        held = (found for found in (self._stores.units.get(unit), *slices) if found is not None)
        marks = (item_facts(status).mark for found in held for status in found.status.record_sets)
        return frozenset(mark for mark in marks if mark is not None)

    def _live_claims(self, items: dict[ObjectKey, Item]) -> frozenset[ObjectKey]:
        claims = ((key, self._stores.record_sets.digest(key)) for key in items)
        return frozenset(key for key, claim in claims if claim is not None and not claim.leaving)


def _verdict(problem: ParametersProblem) -> Verdict:
    """Return what a class without usable parameters means for its zones."""
    invalid = problem.reason is Reason.INVALID_PARAMETERS
    return Verdict(
        type=ConditionType.ACCEPTED,
        status=problem.status,
        reason=Reason.ZONE_CLASS_NOT_ACCEPTED if invalid else problem.reason,
        message=f"The ZoneClass cannot be used: {problem.message}.",
    )


def _has_zone_in(unit: ZoneUnit, account_id: str) -> bool:
    state = unit_state(unit)
    return state.has_external and state.account == account_digest(unit.key, account_id)


def _age(unit: KubernetesObject) -> tuple[datetime, ObjectKey]:
    return unit.metadata.creation_timestamp or EPOCH, unit.key


def _facts(store: Store[L], key: ObjectKey, domain: str, memory: ZoneMemory, now: datetime) -> LedgerObject | None:
    version = store.version(key)
    known = memory.ledger.get(key)
    if known is not None and known[0] == version:
        return known[1]
    model = store.get(key)
    if model is None:
        return None
    facts = read_object(model, domain, memory.records or NOTHING_SEEN, memory.uid)
    if known is None or (known[1].generation, known[1].foreign) != (facts.generation, facts.foreign):
        memory.arrived_at = now
    memory.ledger[key] = (version, facts)
    return facts
