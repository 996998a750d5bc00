"""Carries a plan out: one write an action, in stages, each answer fed back into the caches.

A stage begins only when the one before it went well: no status speaks of a ledger write that failed. Inside a
stage one object's failure does not hold up the others.
"""

import asyncio
from collections.abc import Sequence
from typing import assert_never

import structlog

from core_controller.zoneunit.absence import unfounded_releases
from core_controller.zoneunit.bodies import edited_body, holds, owner, same_basis, slice_body, unit_body
from core_controller.zoneunit.caches import Caches
from core_controller.zoneunit.plan.actions import (
    Action,
    CreateUnit,
    DeleteLedger,
    EditLedger,
    Plan,
    SetFinalizers,
    Witness,
    WriteRecordSetStatus,
    WriteZoneStatus,
)
from core_controller.zoneunit.refusals import (
    Failure,
    PartlyFailedError,
    concerned,
    divided,
    ledger_failed,
    naming_items,
)
from core_controller.zoneunit.snapshot import LedgerRef
from core_controller.zoneunit.statuses import Statuses, tell
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from libdnsapi.runtime.errors import AlreadyExistsError, ConflictError, DnsapiError, InvalidError, NotFoundError
from libdnsapi.runtime.events import EventRecorder
from libdnsapi.runtime.kubernetes import Kubernetes

CONCURRENT_WRITES = 16
EDIT_ATTEMPTS = 4
"""The provider writes into the same objects, so that a conflict is common and most often tells nothing new."""
STAGES: tuple[tuple[type, ...], ...] = (
    (SetFinalizers,),
    (CreateUnit,),
    (EditLedger,),
    (DeleteLedger,),
    (WriteZoneStatus, WriteRecordSetStatus),
)
LEDGER_STAGES = STAGES[1:-1]
"""What statuses rest on."""

log = structlog.get_logger(__name__)


class Applier:
    """The writer of claims' finalizers, Zones' statuses and the ledger's specs."""

    def __init__(self, client: Kubernetes, caches: Caches, recorder: EventRecorder, statuses: Statuses) -> None:
        """Tie the API server to the caches that its answers go to; RecordSets' statuses are handed on."""
        self._client = client
        self._caches = caches
        self._recorder = recorder
        self._statuses = statuses
        self._slots = asyncio.Semaphore(CONCURRENT_WRITES)

    async def apply(self, unit: ObjectKey, plan: Plan) -> None:
        """Carry a plan out; raises the first error of the stage that failed, after the whole stage was tried.

        Statuses of RecordSets are only put down to be written. An object that is gone meanwhile needs nothing any more.
        A ConflictError has put the live object into the cache, so that the next pass plans with it. A
        finalizer, ledger object or status that cannot be written raises PartlyFailedError, LedgerRefusedError where it
        can be told.
        """
        unfounded = await unfounded_releases(self._client, self._caches, unit, plan)
        late: list[Failure] = [(release, _unseen(release)) for release in unfounded]
        actions = [a for a in plan.actions if not isinstance(a, SetFinalizers) or a not in unfounded]
        for stage in STAGES:
            failures = await self._stage(unit, [action for action in actions if isinstance(action, stage)])
            failures = await self._apart(unit, failures)
            if failures and stage in LEDGER_STAGES:
                raise ledger_failed(unit, [*failures, *late])
            late.extend(failures)
        if late:
            raise PartlyFailedError(late[0][1], concerned(late), told=True)

    async def _apart(self, unit: ObjectKey, failures: Sequence[Failure]) -> list[Failure]:
        """Write what refused edits hold apart from the items that the server will not store; return what is left."""
        left: list[Failure] = []
        for action, error in failures:
            division = divided(action, error)
            for part in division.again:
                left += await self._apart(unit, await self._stage(unit, [part]))
            if division.refused is not None:
                left.append((division.refused, error))
        return left

    async def tell(self, unit: ObjectKey, plan: Plan) -> None:
        """Write the statuses of a plan and nothing else of it; raises the first error."""
        for _, error in await self._stage(unit, [action for action in plan.actions if isinstance(action, STAGES[-1])]):
            raise error

    async def _stage(self, unit: ObjectKey, actions: Sequence[Action]) -> list[Failure]:
        results = await asyncio.gather(*(self._guarded(unit, action) for action in actions), return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, DnsapiError):
                raise result
        paired = zip(actions, results, strict=True)
        return [(action, result) for action, result in paired if isinstance(result, DnsapiError)]

    async def _guarded(self, unit: ObjectKey, action: Action) -> None:
        async with self._slots:
            try:
                await self._do(unit, action)
            except NotFoundError as error:
                if isinstance(action, CreateUnit | EditLedger):
                    raise  # what a status says rests on these
                log.debug("object is gone", action=type(action).__name__, error=str(error))

    async def _do(self, unit: ObjectKey, action: Action) -> None:
        match action:
            case SetFinalizers():
                await self._set_finalizers(action)
            case CreateUnit():
                await self._create(ZONE_UNITS, unit, unit_body(action))
            case EditLedger():
                await self._confirm(action.witnesses)
                await self._edit_noting(unit, action)
            case DeleteLedger():
                await self._delete(action)
            case WriteZoneStatus():
                self._caches.zones.observe(await self._write_status(action))
                tell(self._recorder, action.events, self._caches.zones)
            case WriteRecordSetStatus():
                self._statuses.put(action)
            case _:
                assert_never(action)

    async def _set_finalizers(self, action: SetFinalizers) -> None:
        patch: JsonObject = {
            "metadata": {
                "uid": action.uid,
                "resourceVersion": action.resource_version,
                "finalizers": list(action.finalizers),
            }
        }
        store = self._caches.zones if action.resource is ZONES else self._caches.record_sets
        try:
            store.observe(await self._client.merge_patch(action.resource, action.key, patch))
        except ConflictError:
            store.observe(await self._client.get(action.resource, action.key))
            raise
        except DnsapiError as error:
            self._caches.stuck.note(action.resource, action.key, error, action.uid)
            raise
        self._caches.stuck.clear(action.resource, (action.key,))
        tell(self._recorder, action.events, self._caches.record_sets)

    async def _edit_noting(self, unit: ObjectKey, action: EditLedger) -> None:
        """Edit, and remember for which claims that failed, so that others do not wait for them for ever."""
        placed = [item.key for item in action.upserts if not item.is_leaving]
        try:
            await self._edit(unit, action)
        except DnsapiError as error:
            for key in placed:
                self._caches.stuck.note(RECORD_SETS, key, error)
            raise
        self._caches.stuck.clear(RECORD_SETS, placed)

    async def _edit(self, unit: ObjectKey, action: EditLedger) -> None:
        """PUT the edited object; a conflict with a mere status or finalizer write is put again at once."""
        resource, raw = self._cached(action.ref)
        if raw is None:
            if action.ref.is_slice and action.upserts:
                await self._create_slice(unit, action)
            return
        try:
            for left in reversed(range(EDIT_ATTEMPTS)):
                try:
                    await self._replace(action, edited_body(raw, action, self._owner(unit)))
                except ConflictError:
                    live = await self._client.get(resource, action.ref.key)
                    self._observe(action.ref, live)
                    if not left or not same_basis(raw, live):
                        raise
                    raw = live
                else:
                    return
        except NotFoundError:
            self._forget(action.ref)
            raise

    async def _replace(self, action: EditLedger, body: JsonObject) -> None:
        resource = ZONE_UNIT_SLICES if action.ref.is_slice else ZONE_UNITS
        try:
            self._observe(action.ref, await self._client.replace(resource, action.ref.key, body))
        except InvalidError as error:
            raise naming_items(error, body) from None

    async def _confirm(self, witnesses: Sequence[Witness]) -> None:
        """Look whether items are where the cache shows them; raises ConflictError, the cache mended, if one is not.

        Moves are rare, so that a call each costs nothing that counts.
        """
        for witness in witnesses:
            resource, _ = self._cached(witness.ref)
            try:
                live = await self._client.get(resource, witness.ref.key)
            except NotFoundError as error:
                self._forget(witness.ref)
                raise ConflictError(409, "Conflict", f"{resource.kind} {witness.ref.key} is gone") from error
            if not holds(live, witness):
                self._observe(witness.ref, live)
                raise ConflictError(409, "Conflict", f"{resource.kind} {witness.ref.key} no longer holds {witness.key}")

    def _owner(self, unit: ObjectKey) -> JsonObject | None:
        ledger = self._caches.units.get(unit)
        return owner(unit, ledger.metadata.uid) if ledger is not None else None

    def _forget(self, ref: LedgerRef) -> None:
        if ref.is_slice:
            self._caches.slices.forget(ref.key)
        else:
            self._caches.units.forget(ref.key)

    async def _create_slice(self, unit: ObjectKey, action: EditLedger) -> None:
        ledger = self._caches.units.get(unit)
        if ledger is None:
            return
        body = slice_body(action, unit, ledger.metadata.uid)
        try:
            await self._create(ZONE_UNIT_SLICES, action.ref.key, body)
        except InvalidError as error:
            raise naming_items(error, body) from None

    async def _create(self, resource: ResourceType, key: ObjectKey, body: JsonObject) -> None:
        ref = LedgerRef(key, is_slice=resource is ZONE_UNIT_SLICES)
        try:
            self._observe(ref, await self._client.create(resource, key.namespace, body))
        except AlreadyExistsError as error:
            self._observe(ref, await self._client.get(resource, key))
            raise ConflictError(error.status, error.reason, error.message) from error

    async def _delete(self, action: DeleteLedger) -> None:
        resource, _ = self._cached(action.ref)
        await self._client.delete(
            resource, action.ref.key, uid=action.uid, resource_version=action.resource_version, propagation="Background"
        )

    async def _write_status(self, action: WriteZoneStatus) -> bytes:
        """Replace the whole status of that very Zone: a recreated one of the same name has another UID."""
        document = action.status.model_dump(mode="json", by_alias=True, exclude_none=True)
        patch: list[JsonObject] = [
            {"op": "test", "path": "/metadata/uid", "value": action.uid},
            {"op": "add", "path": "/status", "value": document},
        ]
        try:
            return await self._client.json_patch(ZONES, action.key, patch, subresource="status")
        except InvalidError as error:
            live = await self._client.get(ZONES, action.key)
            self._caches.zones.observe(live)
            zone = self._caches.zones.get(action.key)
            if zone is not None and zone.metadata.uid == action.uid:
                raise
            raise ConflictError(409, "Conflict", f"Zone {action.key} is another one now") from error

    def _cached(self, ref: LedgerRef) -> tuple[ResourceType, bytes | None]:
        if ref.is_slice:
            return ZONE_UNIT_SLICES, self._caches.slices.raw(ref.key)
        return ZONE_UNITS, self._caches.units.raw(ref.key)

    def _observe(self, ref: LedgerRef, raw: bytes) -> None:
        if ref.is_slice:
            self._caches.slices.observe(raw)
        else:
            self._caches.units.observe(raw)


def _unseen(release: SetFinalizers) -> ConflictError:
    what = "an item" if release.resource is RECORD_SETS else "a ledger"
    return ConflictError(409, "Conflict", f"{release.resource.kind} {release.key} has {what} that was not seen")
