"""Writing the ledger: status by PUT with a resourceVersion, finalizers by a small patch.

Core writes the other half of these objects; on a conflict the live object is taken and our half put again at once.
Every answer goes back into the cache, so the next round reads what was written.
"""

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypeVar

from libdnsapi.api.dns.zoneunit import ZONE_UNITS, ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES, ZoneUnitSlice
from libdnsapi.api.meta import JsonObject, KubernetesObject, ObjectKey, ResourceType
from libdnsapi.api.names import ROUTE53_ZONEUNIT_FINALIZER
from libdnsapi.runtime.errors import ConflictError, NotFoundError
from libdnsapi.runtime.kubernetes import Kubernetes
from libdnsapi.runtime.store import Store
from route53_controller.zoneunit.plan.actions import StatusPlan
from route53_controller.zoneunit.plan.render import slice_status, unit_status
from route53_controller.zoneunit.snapshot import LedgerObject, Snapshot
from route53_controller.zoneunit.stores import Stores

ATTEMPTS = 5
CONCURRENT_WRITES = 4
"""Slices that are written at once: each takes the API server tens of milliseconds, and a bulk touches many."""
T = TypeVar("T", bound=KubernetesObject)


class ReplacedError(ConflictError):
    """The live object is another one of the same name than the one that was planned for; the cache has it now."""


class LedgerWriter:
    """Writes statuses and finalizers of one service's kinds."""

    def __init__(self, kubernetes: Kubernetes, stores: Stores) -> None:
        """Write nothing yet."""
        self._kubernetes = kubernetes
        self._stores = stores

    async def write_slices(self, snapshot: Snapshot, plan: StatusPlan) -> bool:
        """Write the statuses of slices that differ, a few at once; raises the first error after all were tried.

        A slice of which there is nothing to say but what is early waits; one that is written says all.
        """
        touched = {place for key in plan.items if key not in plan.early for place in snapshot.items[key].places}
        waits = {place for key in plan.early for place in snapshot.items[key].places} - touched
        slots = asyncio.Semaphore(CONCURRENT_WRITES)

        async def write(held: LedgerObject) -> bool:
            async with slots:
                return await self._write_slice(held, plan, snapshot.now)

        differing = [
            held
            for held in snapshot.objects.values()
            if _differs(held, touched) and (held.stale or held.key not in waits)
        ]
        slices = [write(held) for held in differing if held.key != snapshot.unit.key]
        results = await asyncio.gather(*slices, return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result
        return any(results)

    async def write_unit(self, snapshot: Snapshot, plan: StatusPlan) -> bool:
        """Write the ZoneUnit's status if it differs."""
        generation = snapshot.objects[snapshot.unit.key].generation

        def render(unit: ZoneUnit) -> JsonObject:
            return unit_status(unit, plan, generation, snapshot.now)

        uid = snapshot.unit.metadata.uid
        return await self._put(ZONE_UNITS, self._stores.units, ZoneUnit, snapshot.unit.key, render, uid)

    async def _write_slice(self, held: LedgerObject, plan: StatusPlan, now: datetime) -> bool:
        def render(live: ZoneUnitSlice) -> JsonObject:
            return slice_status(live, plan.items, held.generation, now)

        try:
            return await self._put(ZONE_UNIT_SLICES, self._stores.slices, ZoneUnitSlice, held.key, render)
        except NotFoundError:
            return False

    async def _put(
        self,
        resource: ResourceType,
        store: Store[T],
        model: type[T],
        key: ObjectKey,
        render: Callable[[T], JsonObject],
        uid: str = "",
    ) -> bool:
        known = target = store.get(key)
        uid = uid or (target.metadata.uid if target is not None else "")
        for attempt in range(ATTEMPTS):
            if target is None or attempt:
                target = await self._live(resource, store, model, key)
                _check_ours(resource, target, known)
            _check_same(resource, target, uid)
            status = render(target)
            if status == _stored_status(target):
                return False
            try:
                store.observe(
                    await self._kubernetes.replace(resource, key, _body(resource, target, status), subresource="status")
                )
            except ConflictError:
                continue
            return True
        raise ConflictError(409, "Conflict", f"{resource.kind} {key} keeps changing")

    async def _live(self, resource: ResourceType, store: Store[T], model: type[T], key: ObjectKey) -> T:
        raw = await self._kubernetes.get(resource, key)
        store.observe(raw)
        return model.model_validate_json(raw)

    async def hold(self, snapshot: Snapshot, places: Iterable[ObjectKey]) -> None:
        """Put our finalizer on ledger objects that lack it; one that is being deleted can take none any more."""
        for key in places:
            held = snapshot.objects.get(key)
            if held is None or held.held or held.deleting:
                continue
            if key == snapshot.unit.key:
                await self._edit(ZONE_UNITS, self._stores.units, ZoneUnit, key, with_finalizer)
            else:
                await self._edit(ZONE_UNIT_SLICES, self._stores.slices, ZoneUnitSlice, key, with_finalizer)

    async def release(self, snapshot: Snapshot) -> None:
        """Take our finalizer off the slices and, last, off the ZoneUnit."""
        for held in snapshot.objects.values():
            if held.held and held.key != snapshot.unit.key:
                await self.release_slice(held.key)
        if snapshot.objects[snapshot.unit.key].held:
            await self._edit(ZONE_UNITS, self._stores.units, ZoneUnit, snapshot.unit.key, without_finalizer)

    async def release_slice(self, key: ObjectKey) -> None:
        """Take our finalizer off a slice."""
        await self._edit(ZONE_UNIT_SLICES, self._stores.slices, ZoneUnitSlice, key, without_finalizer)

    async def _edit(
        self,
        resource: ResourceType,
        store: Store[T],
        model: type[T],
        key: ObjectKey,
        edit: Callable[[tuple[str, ...]], tuple[str, ...]],
    ) -> None:
        await edit_finalizers(self._kubernetes, resource, store, model, key, edit)


async def edit_finalizers(
    kubernetes: Kubernetes,
    resource: ResourceType,
    store: Store[T],
    model: type[T],
    key: ObjectKey,
    edit: Callable[[tuple[str, ...]], tuple[str, ...]],
) -> None:
    """Change an object's finalizers; an object that is gone needs none.

    Raises ConflictError where it turns out to be another one of the same name: that was not looked at.
    """
    target = store.get(key)
    uid = target.metadata.uid if target is not None else ""
    for attempt in range(ATTEMPTS):
        try:
            if target is None or attempt:
                raw = await kubernetes.get(resource, key)
                store.observe(raw)
                target = model.model_validate_json(raw)
                _check_same(resource, target, uid)
            wanted = edit(target.metadata.finalizers)
            if wanted == target.metadata.finalizers:
                return
            patch: JsonObject = {
                "metadata": {"resourceVersion": target.metadata.resource_version, "finalizers": list(wanted)}
            }
            store.observe(await kubernetes.merge_patch(resource, key, patch))
        except ReplacedError:
            raise
        except ConflictError:
            continue
        except NotFoundError:
            return
        return
    raise ConflictError(409, "Conflict", f"{resource.kind} {key} keeps changing")


def _check_same(resource: ResourceType, target: KubernetesObject, uid: str) -> None:
    if uid and target.metadata.uid != uid:
        raise ReplacedError(409, "Conflict", f"{resource.kind} {target.metadata.key} is another one than before")


def _check_ours(resource: ResourceType, live: KubernetesObject, known: KubernetesObject | None) -> None:
    """Refuse to write over a status that was not known: nobody else writes it, so what was planned on is old.

    A mark that another process of ours has written would be lost, or a deletion be called complete that is not.
    """
    if known is not None and _stored_status(live) != _stored_status(known):
        raise ConflictError(409, "Conflict", f"the status of {resource.kind} {live.metadata.key} was not known yet")


def with_finalizer(finalizers: tuple[str, ...]) -> tuple[str, ...]:
    """Return the finalizers with ours."""
    return finalizers if ROUTE53_ZONEUNIT_FINALIZER in finalizers else (*finalizers, ROUTE53_ZONEUNIT_FINALIZER)


def without_finalizer(finalizers: tuple[str, ...]) -> tuple[str, ...]:
    """Return the finalizers without ours."""
    return tuple(finalizer for finalizer in finalizers if finalizer != ROUTE53_ZONEUNIT_FINALIZER)


def _differs(held: LedgerObject, touched: set[ObjectKey]) -> bool:
    return held.stale or held.key in touched or held.generation != held.observed_generation


def _stored_status(target: KubernetesObject) -> object:
    return target.to_json().get("status")


def _body(resource: ResourceType, target: KubernetesObject, status: JsonObject) -> JsonObject:
    return {
        "apiVersion": resource.api_version,
        "kind": resource.kind,
        "metadata": {
            "namespace": target.metadata.namespace,
            "name": target.metadata.name,
            "uid": target.metadata.uid,
            "resourceVersion": target.metadata.resource_version,
        },
        "status": status,
    }
