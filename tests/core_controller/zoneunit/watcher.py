"""Looks at every state of the ledgers that the server stored, and at what a settled world has come to."""

from collections import Counter
from collections.abc import Container

import orjson

from libdnsapi.api.dns.provider import PROVIDERS
from libdnsapi.api.dns.recordset import RECORD_SETS, RecordSet
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS, RecordSetItem, ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES, ZoneUnitSlice
from libdnsapi.api.meta import NAMESPACES, JsonObject, ObjectKey, ResourceType
from libdnsapi.api.names import DELETION_POLICY_ANNOTATION
from tests.core_controller.zoneunit.world import World

KINDS = (NAMESPACES, PROVIDERS, ZONE_CLASSES, ZONES, RECORD_SETS, ZONE_UNITS, ZONE_UNIT_SLICES)
LEDGERS = (ZONE_UNITS, ZONE_UNIT_SLICES)
Ledger = ZoneUnit | ZoneUnitSlice


class Watcher:
    """Reads the server's history and checks each stored state of the ledgers."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.position = 0
        self.ledgers: dict[tuple[ResourceType, ObjectKey], Ledger] = {}
        self.claims: dict[ObjectKey, RecordSet] = {}
        self.retained: set[ObjectKey] = set()
        """Claims that were deleted with the wish that their record sets stay."""

    def check(self) -> None:
        """Look at everything that was stored since the last look."""
        for event in self.world.api._history:
            if event.version <= self.position:
                continue
            self.position = event.version
            if event.resource is RECORD_SETS:
                self._see_claim(event.type, event.object)
            elif event.resource in LEDGERS:
                self._see(event.resource, event.type, event.object)
        assert self.world.provider.deleted_under_a_claim == []

    def _see_claim(self, kind: str, document: JsonObject) -> None:
        claim = RecordSet.model_validate_json(orjson.dumps(document))
        if kind == "DELETED":
            self.claims.pop(claim.key, None)
        else:
            self.claims[claim.key] = claim
            if claim.metadata.deleting and claim.metadata.annotations.get(DELETION_POLICY_ANNOTATION) == "Retain":
                self.retained.add(claim.key)

    def _see(self, resource: ResourceType, kind: str, document: JsonObject) -> None:
        model = ZoneUnit if resource is ZONE_UNITS else ZoneUnitSlice
        new: Ledger = model.model_validate_json(orjson.dumps(document))
        before = self.ledgers.pop((resource, new.key), None)
        if kind != "DELETED":
            self.ledgers[resource, new.key] = new
        if before is not None:
            after = {} if kind == "DELETED" else {item.key: item for item in new.spec.record_sets}
            for item in before.spec.record_sets:
                if item.key not in after:
                    self._check_gone(before, item)
        self._check_owners(unit_of(new))

    def _check_gone(self, before: Ledger, item: RecordSetItem) -> None:
        """An item disappears after the provider's report, because it stands elsewhere, or as its claim asked for."""
        done = any(s.key == item.key and s.deletion_completed for s in before.status.record_sets)
        elsewhere = any(
            other.key == item.key
            for ledger in self.ledgers.values()
            if unit_of(ledger) == unit_of(before)
            for other in ledger.spec.record_sets
        )
        assert done or elsewhere or item.key in self.retained, f"{item.key} disappeared from {before.key}"

    def _check_owners(self, unit: ObjectKey) -> None:
        found: dict[ObjectKey, RecordSetItem] = {}
        for ledger in self.ledgers.values():
            if unit_of(ledger) == unit:
                found.update({i.key: i for i in ledger.spec.record_sets if not i.is_leaving and self._stays(unit, i)})
        owners = Counter((item.name, item.type) for item in found.values())
        assert max(owners.values(), default=0) <= 1, f"two owners in {unit}: {owners}"
        names = Counter(item.name for item in found.values())
        for item in found.values():
            assert item.type != "CNAME" or names[item.name] == 1, f"a CNAME is not alone in {unit}: {owners}"

    def _stays(self, unit: ObjectKey, item: RecordSetItem) -> bool:
        """Whether nobody has asked for the item's end: a claim that is going hands its name over."""
        claim = self.claims.get(item.key)
        if claim is None:
            return True
        same = (claim.zone_key, claim.spec.name, claim.spec.type) == (unit, item.name, item.type)
        return same and not claim.metadata.deleting


def unit_of(ledger: Ledger) -> ObjectKey:
    """Return the key of the ZoneUnit that a ledger object belongs to."""
    return ledger.key if isinstance(ledger, ZoneUnit) else ledger.unit_key


def outcome(world: World) -> JsonObject:
    """Return what a settled world has come to, without times."""
    verdicts: JsonObject = {}
    for key in world.api.keys(RECORD_SETS):
        verdicts[str(key)] = sorted(f"{c.type}={c.status} {c.reason}" for c in world.record_set(key).status.conditions)
    external = sorted(
        f"{unit} {name} {type_} {owner}" for (unit, name, type_), owner in world.provider.external.items()
    )
    return {"verdicts": verdicts, "external": list(external)}


async def check_settled(world: World, torn: Container[ObjectKey] = (), retained: Container[ObjectKey] = ()) -> None:
    """Settle, and check that nothing is left to do, also for a process that begins anew.

    What was torn out of our hands and did not come back stays, item and record: absence alone removes nothing. Of those
    that were to leave their record sets behind no item stays, which would keep their names.
    """
    world.provided = world.provider.cleans = world.provider.programs = world.provider.observes = True
    world.api.faults.clear()
    await world.settle()
    before = world.api.writes()
    for unit in (*world.api.keys(ZONES), *world.api.keys(ZONE_UNITS)):
        world.dirty.mark_all(unit)
        world.queue.add(unit)
    await world.settle()
    world.restart()
    await world.settle()
    assert world.api.writes() == before, "a second reconcile writes"
    for (unit, name, type_), owner in world.provider.external.items():
        document = world.api.read(RECORD_SETS, owner)
        assert document is not None or owner in torn or owner in retained, (
            f"{name} {type_} in {unit} stays at the provider without its claim"
        )
    for item in (item for ledger in ledgers(world) for item in ledger.spec.record_sets):
        assert item.key in torn or world.api.read(RECORD_SETS, item.key) is not None, f"{item.key} keeps {item.name}"


def ledgers(world: World) -> list[Ledger]:
    """Return all ledger objects."""
    return [*map(world.unit, world.api.keys(ZONE_UNITS)), *world.slices()]
