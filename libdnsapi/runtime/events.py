"""Events (events.k8s.io/v1) about objects, without ever holding up who emits them.

- `emit` neither blocks nor raises; what does not fit the queue is dropped and counted.
- Repetition: an event equal to one of the last six minutes becomes a series on it; the first repetition is written at
  once, later ones at most once a minute.
- Patience: what may only be new is told after some seconds, if it still stands then.
- Rate: each object may have 25 new events at once and one more every five minutes (client-go's spam filter), and
  all together a bounded number a second.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Literal

import structlog

from libdnsapi.api.meta import JsonObject, ObjectKey, ObjectReference, ResourceType
from libdnsapi.api.printable import printable
from libdnsapi.runtime.backoff import Backoff, TokenBucket
from libdnsapi.runtime.clock import Clock, bounded, micro_time
from libdnsapi.runtime.errors import KubernetesError, NotFoundError, ThrottledError, UnavailableError, describe
from libdnsapi.runtime.kubernetes import Kubernetes
from libdnsapi.runtime.metrics import Metrics

EVENTS = ResourceType("events.k8s.io", "v1", "Event", "events")
NOTE_BYTES = 1024
NAME_LENGTH = 253
INSTANCE_LENGTH = 128
SERIES_END = timedelta(minutes=6)
PATIENCE = timedelta(seconds=10)
"""Until what is missing counts as missing: objects that are applied together come one after the other."""
ATTEMPTS = 4
PAUSES = Backoff(timedelta(seconds=0.5), timedelta(seconds=10), jitter=0)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Event:
    """Something to tell about an object.

    `reason` is a machine-readable word, `action` what was being done, `note` a sentence for people (its first
    1,024 bytes); both words take 128 characters at most.
    """

    regarding: ObjectReference
    type: Literal["Normal", "Warning"]
    reason: str
    note: str
    action: str
    related: ObjectReference | None = None


@dataclass(frozen=True, slots=True)
class EventLimits:
    """How many events there may be."""

    queued: int = 1000
    object_burst: int = 25
    object_rate: float = 1 / 300
    burst: int = 100
    rate: float = 20.0
    known: int = 4096
    series_period: timedelta = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Reporter:
    """Who reports: a controller's name (`dns.appthrust.io/core`) and this process."""

    controller: str
    instance: str


@dataclass(frozen=True, slots=True)
class _Patient:
    """An event that waits until it is due, on the monotonic clock."""

    due: float
    event: Event
    stands: Callable[[], bool]


@dataclass(slots=True)
class _Series:
    """An event that was created, and how often it was repeated since."""

    key: ObjectKey
    seen_at: float
    written_at: float
    last: datetime
    count: int = 1
    written: int = 1


class EventRecorder:
    """Writes events in the background: `emit` from anywhere on the event loop, `run` as a task."""

    def __init__(
        self,
        client: Kubernetes,
        reporter: Reporter,
        clock: Clock,
        *,
        limits: EventLimits | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        """Start empty; events wait until `run`."""
        self._client = client
        self._reporter = reporter
        self._clock = clock
        self._limits = limits or EventLimits()
        self._outcomes = (metrics or Metrics()).events
        self._queue: asyncio.Queue[tuple[Event, datetime]] = asyncio.Queue(self._limits.queued)
        self._bucket = TokenBucket(self._limits.rate, self._limits.burst)
        self._spam: OrderedDict[bytes, TokenBucket] = OrderedDict()
        self._series: OrderedDict[bytes, _Series] = OrderedDict()
        """By the fingerprint of their event: an event takes two kilobytes, and thousands are remembered."""
        self._serial = 0
        self._patient: deque[_Patient] = deque(maxlen=self._limits.queued)
        self._put_off = asyncio.Event()

    def emit(self, event: Event) -> None:
        """Have the event written soon, or dropped where there are too many; returns at once, raises nothing."""
        # Equal but for the version at which the object was seen is equal.
        plain = replace(event, regarding=event.regarding.model_copy(update={"resource_version": ""}))
        try:
            self._queue.put_nowait((plain, self._clock.now()))
        except asyncio.QueueFull:
            self._count("dropped-full")

    def emit_if_it_stays(self, event: Event, stands: Callable[[], bool]) -> None:
        """Have the event written after PATIENCE if `stands` says then that what it tells of is still so.

        Where too many wait the oldest are dropped, and all of them at the end of the process.
        """
        if len(self._patient) == self._limits.queued:
            self._count("dropped-full")
        self._patient.append(_Patient(self._clock.monotonic() + PATIENCE.total_seconds(), event, stands))
        self._put_off.set()

    async def run(self) -> None:
        """Write events until cancelled."""
        beside = [asyncio.create_task(work) for work in (self._sweep_for_ever(), self._tell_the_patient())]
        try:
            while True:
                event, moment = await self._queue.get()
                try:
                    await self._record(event, moment)
                finally:
                    self._queue.task_done()
        finally:
            for task in beside:
                task.cancel()

    async def flush(self, limit: timedelta) -> bool:
        """Wait until all that was emitted is written, at most `limit`, and say whether it is; `run` must run."""
        try:
            await bounded(self._clock, limit, self._queue.join())
            await bounded(self._clock, limit, self._sweep(everything=True))
        except TimeoutError:
            return False
        return True

    async def _record(self, event: Event, moment: datetime) -> None:
        known = self._series.get(fingerprint(event))
        now = self._clock.monotonic()
        if known is not None and now - known.seen_at < SERIES_END.total_seconds():
            known.count, known.last, known.seen_at = known.count + 1, moment, now
            if known.count == 2 or self._is_due(known):  # noqa: PLR2004 — the first repetition
                await self._repeat(event, known)
        elif self._spam_filter(event.regarding).try_take(now):
            await self._write_new(event, moment)
        else:
            self._count("dropped-rate")

    async def _write_new(self, event: Event, moment: datetime) -> None:
        key = ObjectKey(event.regarding.namespace or "default", self._name(event.regarding.name, moment))
        body = self._body(event, key, moment)
        try:
            written = await self._attempt(lambda: self._client.create(EVENTS, key.namespace, body))
        except NotFoundError:
            self._count("failed")  # the namespace is gone, and with it everybody who could read this
            return
        if not written:
            return
        self._count("created")
        now = self._clock.monotonic()
        mark = fingerprint(event)
        self._series.pop(mark, None)
        self._series[mark] = _Series(key, seen_at=now, written_at=now, last=moment)
        if len(self._series) > self._limits.known:
            self._series.popitem(last=False)

    async def _repeat(self, event: Event, series: _Series) -> None:
        """Write a repetition. Events live for an hour or so: where the first is gone, this begins a new series."""
        if not await self._write_series(series):
            self._series.pop(fingerprint(event), None)
            await self._write_new(event, series.last)

    async def _write_series(self, series: _Series) -> bool:
        """Write how often an event was repeated; return whether it is still there."""
        series.written, series.written_at = series.count, self._clock.monotonic()
        patch: JsonObject = {"series": {"count": series.count, "lastObservedTime": micro_time(series.last)}}
        try:
            if await self._attempt(lambda: self._client.merge_patch(EVENTS, series.key, patch)):
                self._count("updated")
        except NotFoundError:
            return False
        return True

    async def _attempt(self, request: Callable[[], Awaitable[bytes]]) -> bool:
        """Send a write, a few times where that may help; raises NotFoundError, counts all other failures."""
        await self._clock.sleep(self._bucket.reserve(self._clock.monotonic()))
        for attempt in range(ATTEMPTS):
            try:
                await request()
            except NotFoundError:
                raise
            except (ThrottledError, UnavailableError) as error:
                asked = error.retry_after if isinstance(error, ThrottledError) else timedelta()
                await self._clock.sleep(max(asked, PAUSES.delay(attempt, lambda: 0.0)))
            except KubernetesError as error:
                log.debug("event refused", error=describe(error))
                break
            else:
                return True
        self._count("failed")
        return False

    async def _tell_the_patient(self) -> None:
        while True:
            while self._patient:
                left = self._patient[0].due - self._clock.monotonic()
                if left > 0:
                    await self._clock.sleep(timedelta(seconds=left))
                elif _still_stands(first := self._patient.popleft()):
                    self.emit(first.event)
            self._put_off.clear()
            await self._put_off.wait()

    async def _sweep_for_ever(self) -> None:
        while True:
            await self._clock.sleep(self._limits.series_period)
            await self._sweep(everything=False)

    async def _sweep(self, *, everything: bool) -> None:
        """Write the repetitions that were not written yet, and forget series that have ended."""
        now = self._clock.monotonic()
        for mark, series in list(self._series.items()):
            if series.count > series.written and (everything or self._is_due(series)):
                if not await self._write_series(series):
                    self._series.pop(mark, None)
            elif now - series.seen_at >= SERIES_END.total_seconds():
                self._series.pop(mark, None)

    def _is_due(self, series: _Series) -> bool:
        return self._clock.monotonic() - series.written_at >= self._limits.series_period.total_seconds()

    def _spam_filter(self, regarding: ObjectReference) -> TokenBucket:
        mark = fingerprint(regarding)
        bucket = self._spam.get(mark)
        if bucket is None:
            bucket = self._spam[mark] = TokenBucket(self._limits.object_rate, self._limits.object_burst)
        self._spam.move_to_end(mark)
        if len(self._spam) > self._limits.known:
            self._spam.popitem(last=False)
        return bucket

    def _body(self, event: Event, key: ObjectKey, moment: datetime) -> JsonObject:
        body: JsonObject = {
            "metadata": {"name": key.name, "namespace": key.namespace},
            "eventTime": micro_time(moment),
            "type": event.type,
            "reason": event.reason,
            "action": event.action,
            "note": _cut(printable(event.note)),
            "regarding": _reference(event.regarding),
            "reportingController": self._reporter.controller,
            "reportingInstance": self._reporter.instance[:INSTANCE_LENGTH],
        }
        if event.related is not None:
            body["related"] = _reference(event.related)
        return body

    def _name(self, regarding: str, moment: datetime) -> str:
        """Return a name that no other event has: the object's and, in hexadecimal, time and a serial number."""
        self._serial = (self._serial + 1) % 1000
        suffix = f".{int(moment.timestamp() * 1_000_000) * 1000 + self._serial:x}"
        return regarding[: NAME_LENGTH - len(suffix)].rstrip(".-") + suffix

    def _count(self, outcome: str) -> None:
        self._outcomes.labels(outcome).inc()


def _still_stands(patient: _Patient) -> bool:
    """Ask whether an event is still true; what cannot be told, of an object that fits no model now, is not."""
    try:
        return patient.stands()
    except Exception as error:  # one question that fails must not silence all others
        log.debug("event not asked for", reason=patient.event.reason, error=type(error).__name__)
        return False


def fingerprint(told: Event | ObjectReference) -> bytes:
    """Return sixteen bytes that tell an event, or an object, from others; equal ones give equal bytes."""
    return blake2b(repr(told).encode(), digest_size=16).digest()


def _reference(reference: ObjectReference) -> JsonObject:
    written = reference.model_dump(by_alias=True)
    return {name: value for name, value in written.items() if value}


def _cut(note: str) -> str:
    """Return the note's first 1,024 bytes of UTF-8, whole characters only."""
    encoded = note.encode()
    if len(encoded) <= NOTE_BYTES:
        return note
    return encoded[: NOTE_BYTES - 3].decode(errors="ignore") + "…"
