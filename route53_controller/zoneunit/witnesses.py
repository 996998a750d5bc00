"""What is looked up in the live ledger, for the caches of slices may be of another age than that of ZoneUnits.

A slice may be shown that went with a former life of its zone, or as it was before an item left it and came back. So a
slice that names another ZoneUnit is looked up before anything waits for it, and nothing is deleted at Route 53 before
the ledger that asks for it was seen; nor is anything sent by a process that has just taken over, for its caches may be
of a time before what its predecessor did. These are rare, and each costs two writes of the same objects anyway.
"""

import asyncio
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping

from libdnsapi.api.dns.zoneunit import ZONE_UNITS, RecordSetItem, ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES, ZoneUnitSlice
from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime.errors import NotFoundError
from libdnsapi.runtime.kubernetes import Kubernetes
from route53_controller.zoneunit.memory import ZoneMemory
from route53_controller.zoneunit.plan.actions import DeleteHostedZone, Plan, SubmitChanges
from route53_controller.zoneunit.snapshot import Snapshot
from route53_controller.zoneunit.stores import Stores

CONCURRENT_LOOKS = 4


class Witnesses:
    """Looks up ledger objects; what it sees goes into the caches."""

    def __init__(self, kubernetes: Kubernetes, stores: Stores) -> None:
        """Look at nothing yet."""
        self._kubernetes = kubernetes
        self._stores = stores

    async def renew(self, slices: Iterable[ObjectKey]) -> bool:
        """Look slices up; return whether one is not, or no longer, what the cache shows."""
        news = False
        for key in slices:
            before = self._stores.slices.version(key)
            await self._slice(key)
            news = news or self._stores.slices.version(key) != before
        return news

    async def stand(self, snapshot: Snapshot, plan: Plan, memory: ZoneMemory) -> bool:
        """Return whether the live ledger asks for what a plan rests on; else the caches have been mended.

        That is every deletion, and whatever is first sent for items of a ledger object since this process began.
        """
        rests_on = _rests_on(snapshot, plan, memory.witnessed)
        slots = asyncio.Semaphore(CONCURRENT_LOOKS)

        async def look(place: ObjectKey, keys: set[ObjectKey]) -> bool:
            async with slots:
                return await self._stands(snapshot, place, keys)

        results = await asyncio.gather(*(look(place, keys) for place, keys in rests_on.items()))
        memory.witnessed.update(place for place, stands in zip(rests_on, results, strict=True) if stands)
        return all(results)

    async def _stands(self, snapshot: Snapshot, place: ObjectKey, keys: set[ObjectKey]) -> bool:
        """Whether these items stand in a ledger object as they did when the deletion was decided."""
        is_unit = place == snapshot.unit.key
        live = await (self._unit(place) if is_unit else self._slice(place))
        if live is None or _owner(live) not in ("", snapshot.unit.metadata.uid):
            return False
        held = snapshot.objects[place]
        known = {item.key: (item.generation, item.leaving) for item in held.items if item.key in keys}
        return known == {item.key: _facts(item) for item in live.spec.record_sets if item.key in keys}

    async def _unit(self, key: ObjectKey) -> ZoneUnit | None:
        try:
            raw = await self._kubernetes.get(ZONE_UNITS, key)
        except NotFoundError:
            self._stores.units.forget(key)
            return None
        self._stores.units.observe(raw)
        return ZoneUnit.model_validate_json(raw)

    async def _slice(self, key: ObjectKey) -> ZoneUnitSlice | None:
        try:
            raw = await self._kubernetes.get(ZONE_UNIT_SLICES, key)
        except NotFoundError:
            self._stores.slices.forget(key)
            return None
        self._stores.slices.observe(raw)
        return ZoneUnitSlice.model_validate_json(raw)


def _owner(live: ZoneUnit | ZoneUnitSlice) -> str:
    return live.metadata.uid if isinstance(live, ZoneUnit) else live.owner_uid


def _facts(item: RecordSetItem) -> tuple[int, bool]:
    return item.observed_generation or 0, item.is_leaving


def _rests_on(snapshot: Snapshot, plan: Plan, witnessed: Container[ObjectKey]) -> Mapping[ObjectKey, set[ObjectKey]]:
    """Return the ledger objects, and the items in them, for whose sake something is deleted or first sent."""
    places = defaultdict[ObjectKey, set[ObjectKey]](set)
    for action in plan.actions:
        match action:
            case SubmitChanges(batches=batches):
                for affected in (a for batch in batches for group in batch for a in group.affected):
                    for place in snapshot.items[affected.key].places:
                        if not affected.digest or place not in witnessed:
                            places[place].add(affected.key)
            case DeleteHostedZone():
                places[snapshot.unit.key].update()
            case _:
                pass
    return places
