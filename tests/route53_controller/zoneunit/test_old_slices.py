"""Random lives of a zone while its slices are seen late: nothing that lives is deleted, no deletion is called done."""

import random
from datetime import timedelta

import orjson
import pytest

from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES, ZoneUnitSlice
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.runtime.errors import KubernetesError
from tests.route53_controller.zoneunit.world import DOMAIN, UNIT, World, a, leaving, slice_document, stores

NAMES = ("one", "two", "three")
SLICES = ("example-com-0", "example-com-1")
STEPS = 60
ROUNDS = 40


class Lives:
    """Core's part by hand, by the protocol; the controller's cache of slices is as old as chance has it."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 — no secret
        self.world = World()
        self.silent = False
        self.seen: list[bytes] = []
        self.births = 0

    async def run(self) -> None:
        """Live, then come to rest with all that is seen."""
        await self.world.run()
        steps = (self.place, self.place, self.leave, self.leave, self.drop, self.drop, self.be_born)
        steps = (*steps, self.work, self.work, self.work, self.remember, self.take_over, self.fall_silent, self.see)
        for _ in range(STEPS):
            await self.chance.choice(steps)()
            self.check()
        await self.see()
        for _ in range(ROUNDS):
            await self.work()
            await self.drop()
            self.check()

    def slices(self) -> list[ZoneUnitSlice]:
        return [self.world.slice(key.name) for key in self.world.kubernetes.keys(ZONE_UNIT_SLICES)]

    def held(self, name: str) -> bool:
        return any(entry.key.name == name for held in self.slices() for entry in (*held.spec.record_sets,))

    async def place(self) -> None:
        """A claim comes, or comes back once nothing is left of the one before it."""
        name, where = self.chance.choice(NAMES), self.chance.choice(SLICES)
        if self.held(name) or any(s.key.name == name for held in self.slices() for s in held.status.record_sets):
            return
        document = self.world.kubernetes.read(ZONE_UNIT_SLICES, ObjectKey(UNIT.namespace, where))
        document = document if document is not None else self._owned(where)
        items = document["spec"]["recordSets"]  # type: ignore[index,call-overload]
        await self._write(where, [*items, a(name)])  # type: ignore[misc]

    async def leave(self) -> None:
        name = self.chance.choice(NAMES)
        for held in self.slices():
            kept = [item.to_json() for item in held.spec.record_sets]
            if any(item["recordSetName"] == name for item in kept):
                await self._write(
                    held.key.name, [leaving(item) if item["recordSetName"] == name else item for item in kept]
                )

    async def drop(self) -> None:
        for held in self.slices():
            done = {status.key for status in held.status.record_sets if status.deletion_completed}
            kept = [i for i in held.spec.record_sets if not (i.is_leaving and i.key in done)]
            if len(kept) != len(held.spec.record_sets):
                await self._write(held.key.name, [item.to_json() for item in kept])

    async def be_born(self) -> None:
        """Once nothing is left in it, the ledger goes, and one of the same name takes over the hosted zone."""
        if any(held.spec.record_sets for held in self.slices()):
            return
        for held in self.slices():
            await self.world.kubernetes.merge_patch(ZONE_UNIT_SLICES, held.key, {"metadata": {"finalizers": None}})
            await self.world.kubernetes.delete(ZONE_UNIT_SLICES, held.key)
        document = self.world.kubernetes.read(ZONE_UNITS, UNIT)
        assert document is not None
        self.births += 1
        document["metadata"]["uid"] = f"00000000-0000-4000-9000-{self.births:012}"  # type: ignore[index,call-overload]
        state = document["status"]["provider"]["state"]  # type: ignore[index,call-overload]
        state.pop("pendingRecordSetChanges", None)  # type: ignore[union-attr]
        self.world.kubernetes.seed(ZONE_UNITS, document)
        self._sync()

    async def work(self) -> None:
        self._sync()
        try:
            result = await self.world.reconciler.reconcile(UNIT)
        except KubernetesError:
            return
        wait = result.requeue_after or timedelta(seconds=1)
        self.world.clock.jump(min(wait, timedelta(minutes=1)))

    async def remember(self) -> None:
        self.seen = [self.world.stores.slices.raw(key) or b"" for key in self.world.stores.slices.keys()]  # noqa: SIM118 — a store is no mapping

    async def take_over(self) -> None:
        """Another process begins with slices as they were when they were remembered."""
        self.silent = True
        self.world.stores = stores()
        for raw in self.seen:
            self.world.stores.slices.observe(raw)
        self.world.start()
        self._sync()

    async def fall_silent(self) -> None:
        self.silent = True

    async def see(self) -> None:
        self.silent = False
        self._sync()

    def check(self) -> None:
        for held in self.slices():
            statuses = {status.key: status for status in held.status.record_sets}
            for item in held.spec.record_sets:
                status = statuses.get(item.key)
                stands = self.world.values(f"{item.name}.{DOMAIN}") is not None
                marked = status is not None and status.provider is not None and bool(status.provider.state)
                done = status is not None and bool(status.deletion_completed)
                assert item.is_leaving or not marked or stands, f"{item.name} lives and is gone"
                assert not (done and stands), f"{item.name} is called deleted and stands"

    def _sync(self) -> None:
        for resource, store in self.world._caches():
            if self.silent and resource is ZONE_UNIT_SLICES:
                continue
            known = set(self.world.kubernetes.keys(resource))
            for key in known:
                store.observe(orjson.dumps(self.world.kubernetes.read(resource, key)))
            for key in set(store.keys()) - known:
                store.forget(key)

    def _owned(self, name: str) -> JsonObject:
        document = slice_document(name)
        reference = {
            "apiVersion": ZONE_UNITS.api_version,
            "kind": ZONE_UNITS.kind,
            "name": UNIT.name,
            "uid": self.world.unit.metadata.uid,
            "controller": True,
        }
        document["metadata"]["ownerReferences"] = [reference]  # type: ignore[index,call-overload]
        self.world.kubernetes.seed(ZONE_UNIT_SLICES, document)
        return document

    async def _write(self, name: str, items: list[JsonObject]) -> None:
        patch: JsonObject = {"spec": {"recordSets": list(items)}}
        await self.world.kubernetes.merge_patch(ZONE_UNIT_SLICES, ObjectKey(UNIT.namespace, name), patch)
        self._sync()


@pytest.mark.parametrize("seed", range(12))
async def test_no_age_of_slices_costs_a_record_set_that_lives(seed: int) -> None:
    lives = Lives(seed)
    await lives.run()
    for held in lives.slices():
        for item in held.spec.record_sets:
            assert not item.is_leaving
            assert lives.world.programmed(item.key.name) == "True Programmed"
            assert lives.world.values(f"{item.name}.{DOMAIN}") is not None
