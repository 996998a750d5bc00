"""What is looked up in the live ledger, for the caches of slices may be of another age than that of ZoneUnits.

A slice may be shown that went with a former life of its zone, or as it was before an item left it and came back. So a
slice that names another ZoneUnit is looked up before anything waits for it, and nothing is deleted at Route 53 before
the ledger that asks for it was seen. Both are rare, and a deletion costs two writes of the same objects anyway.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping

from libdnsapi.api.dns.zoneunit import ZONE_UNITS, RecordSetItem, ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES, ZoneUnitSlice
from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime.errors import NotFoundError
from libdnsapi.runtime.kubernetes import Kubernetes
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

    async def stand(self, snapshot: Snapshot, plan: Plan) -> bool:
        """Return whether the live ledger asks for every deletion of a plan; else the caches have been mended."""
        slots = asyncio.Semaphore(CONCURRENT_LOOKS)

        async def look(place: ObjectKey, keys: set[ObjectKey]) -> bool:
            async with slots:
                return await self._stands(snapshot, place, keys)

        results = await asyncio.gather(*(look(place, keys) for place, keys in _rests_on(snapshot, plan).items()))
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


def _rests_on(snapshot: Snapshot, plan: Plan) -> Mapping[ObjectKey, set[ObjectKey]]:
    """Return the ledger objects, and the items in them, for whose sake something is deleted."""
    places = defaultdict[ObjectKey, set[ObjectKey]](set)
    for action in plan.actions:
        match action:
            case SubmitChanges(batches=batches):
                gone = (a.key for batch in batches for group in batch for a in group.affected if not a.digest)
                for key in gone:
                    for place in snapshot.items[key].places:
                        places[place].add(key)
            case DeleteHostedZone():
                places[snapshot.unit.key].update()
            case _:
                pass
    return places
