"""Statuses of RecordSets on their way to the API server, written beside the passes that decide them.

A thousand statuses take seconds; the next pass over the same unit must not wait for them.

- One write of a claim at a time, and only the newest: what was not written yet is replaced.
- Planning sees a claim as if its newest status were written, so nothing is decided or told twice.
- Few at once (`--status-workers`), for the ledger goes before them: what is asked at the same time shares the API
  server's processors, and what waits is most often replaced by a better status (decision 13).
- Conditions that changed go before a bare observedGeneration. What only says that the provider is at work waits for a
  moment: most often its result comes meanwhile, and one write tells both. A claim that has no status yet never waits.

Lost with the process: every unit starts with a full pass, which decides again.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Protocol, TypeVar

import structlog

from core_controller.zoneunit.echoes import Echoes
from core_controller.zoneunit.plan.actions import EmitEvent, WriteRecordSetStatus
from libdnsapi.api.conditions import Condition, stands
from libdnsapi.api.dns.recordset import RECORD_SETS, RecordSet, RecordSetStatus
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.meta import JsonObject, ObjectKey, ObjectReference
from libdnsapi.runtime.clock import Clock
from libdnsapi.runtime.errors import InvalidError, NotFoundError, UndecodableError
from libdnsapi.runtime.events import Event, EventRecorder
from libdnsapi.runtime.kubernetes import Kubernetes
from libdnsapi.runtime.reconciler import Result
from libdnsapi.runtime.store import Store

MOMENT = timedelta(seconds=2)
"""How long a status waits that a better one may follow."""

SLOW = timedelta(seconds=3)
"""A namespace whose last write took longer, such as one with a webhook that does not answer, gets one at a time."""

C = TypeVar("C", Zone, RecordSet)

log = structlog.get_logger(__name__)


class StatusQueue(Protocol):
    """Where claims wait for their turn (`runtime.workqueue.WorkQueue`)."""

    def add(self, key: ObjectKey, *, urgent: bool = False) -> None:
        """Have the claim's status written as soon as may be."""
        ...

    def add_after(self, key: ObjectKey, delay: timedelta) -> None:
        """Have the claim's status written when the delay is over."""
        ...


class Statuses:
    """The statuses that are still to be written; a reconciler, keyed by claim."""

    def __init__(
        self,
        client: Kubernetes,
        claims: Store[RecordSet],
        echoes: Echoes,
        queue: StatusQueue,
        recorder: EventRecorder,
        clock: Clock,
    ) -> None:
        """Start with none."""
        self._client = client
        self._claims = claims
        self._echoes = echoes
        self._queue = queue
        self._recorder = recorder
        self._clock = clock
        self._slow: set[str] = set()
        self._parked: dict[str, dict[ObjectKey, None]] = {}
        """By namespace, in their order: claims that wait until a write of it ends."""
        self._waiting: dict[ObjectKey, WriteRecordSetStatus] = {}
        self._writing: dict[ObjectKey, WriteRecordSetStatus] = {}

    def put(self, write: WriteRecordSetStatus) -> None:
        """Have a status written soon, in the place of an older one that still waits; its events are told with it."""
        newest = self._waiting[write.key] = _after(self._waiting.get(write.key), write)
        if newest.passing:
            self._queue.add_after(write.key, MOMENT)
        else:
            self._queue.add(write.key, urgent=newest.urgent)

    def newest(self, claim: RecordSet) -> RecordSet:
        """Return a claim with the status that was decided last."""
        write = self._waiting.get(claim.key) or self._writing.get(claim.key)
        if write is None or write.uid != claim.metadata.uid:
            return claim
        return claim.model_copy(update={"status": write.status})

    async def reconcile(self, key: ObjectKey) -> Result:
        """Write what waits for a claim; raises what the write raised, and then it waits again."""
        if key.namespace in self._slow and any(other.namespace == key.namespace for other in self._writing):
            self._parked.setdefault(key.namespace, {})[key] = None
            return Result()
        write = self._waiting.pop(key, None)
        if write is None:
            self._wake(key.namespace)
            return Result()
        self._writing[key] = write
        started = self._clock.monotonic()
        try:
            await self._write(write)
        except NotFoundError as error:
            log.debug("claim is gone", key=str(key), error=str(error))
        except BaseException as error:
            if isinstance(error, InvalidError) and self._is_another(write):
                log.debug("claim is another one", key=str(key), error=str(error))
                return Result()
            newer = self._waiting.get(key)
            self._waiting[key] = write if newer is None else _after(write, newer)
            raise
        finally:
            del self._writing[key]
            self._note_time(key.namespace, self._clock.monotonic() - started)
            self._wake(key.namespace)
        return Result()

    def _note_time(self, namespace: str, seconds: float) -> None:
        """Remember whose writes hang, so that those of all others do not wait behind them."""
        if seconds > SLOW.total_seconds():
            self._slow.add(namespace)
        else:
            self._slow.discard(namespace)

    def _wake(self, namespace: str) -> None:
        """Have the next claim of a slow namespace written; all that wait, where it is slow no more."""
        parked = self._parked.pop(namespace, {})
        while parked:
            key = next(iter(parked))
            del parked[key]
            waits = self._waiting.get(key)
            self._queue.add(key, urgent=waits is not None and waits.urgent)
            if namespace in self._slow and parked:
                self._parked[namespace] = parked
                return

    def _is_another(self, write: WriteRecordSetStatus) -> bool:
        """Whether the claim that a status was decided for is gone, perhaps with another in its place."""
        with suppress(UndecodableError):
            claim = self._claims.get(write.key)
            return claim is None or claim.metadata.uid != write.uid
        return False

    async def _write(self, write: WriteRecordSetStatus) -> None:
        """Replace the whole status of that very object: a recreated claim of the same name has another UID."""
        status = self._seen_to_change(write)
        self._echoes.expect(write.key, status)
        patch: list[JsonObject] = [
            {"op": "test", "path": "/metadata/uid", "value": write.uid},
            {
                "op": "add",
                "path": "/status",
                "value": status.model_dump(mode="json", by_alias=True, exclude_none=True),
            },
        ]
        self._claims.observe(await self._client.json_patch(RECORD_SETS, write.key, patch, subresource="status"))
        tell(self._recorder, write.events, self._claims)

    def _seen_to_change(self, write: WriteRecordSetStatus) -> RecordSetStatus:
        """Return a status whose times of transition move only where readers see another status than before.

        What came and went between two writes, such as a change that was soon in force, nobody has seen.
        """
        with suppress(UndecodableError):
            claim = self._claims.get(write.key)
            if claim is not None and claim.metadata.uid == write.uid:
                before = {condition.type: condition for condition in claim.status.conditions}
                kept = tuple(_as_long_as(before.get(each.type), each) for each in write.status.conditions)
                return write.status.model_copy(update={"conditions": kept})
        return write.status


def _as_long_as(before: Condition | None, condition: Condition) -> Condition:
    """Return a condition that has had its status since it was first seen with it."""
    if before is None or before.status != condition.status:
        return condition
    return condition.model_copy(update={"last_transition_time": before.last_transition_time})


def tell(recorder: EventRecorder, events: Sequence[EmitEvent], claims: Store[C]) -> None:
    """Have events written; `claims` shows whether one that is put off still tells of what is so."""
    for event in events:
        written = Event(
            regarding=event.regarding,
            type="Warning" if event.warning else "Normal",
            reason=event.reason,
            note=event.message,
            action="Reconcile",
            related=event.related,
        )
        if event.waits_for is None:
            recorder.emit(written)
        else:
            recorder.emit_if_it_stays(written, partial(_stands, claims, event.regarding, event.waits_for))


def _stands(claims: Store[C], regarding: ObjectReference, told: Condition) -> bool:
    """Whether a claim is still that very one and says what was told of it."""
    with suppress(UndecodableError):
        claim = claims.get(ObjectKey(regarding.namespace, regarding.name))
        return claim is not None and claim.metadata.uid == regarding.uid and stands(claim.status.conditions, told)
    return False


def _after(older: WriteRecordSetStatus | None, newer: WriteRecordSetStatus) -> WriteRecordSetStatus:
    """Return the newer write with what the older one had to tell."""
    if older is None or older.uid != newer.uid:
        return newer
    return replace(
        newer,
        urgent=older.urgent or newer.urgent,
        passing=older.passing and newer.passing,
        events=(*older.events, *newer.events),
    )
