"""Keeps a sink equal to what the API server has: lists once, then watches, and lists again when it must.

The states and what follows from each outcome are one table (`step`). Every failure, and every stream that ends
within a second, is followed by a pause that grows with each one in a row; a 429 waits at least as long as it
says. A list changes the sink only when all its pages have arrived. A stream that neither speaks nor ends is cut
half a minute past the time that the server was told; that and the age of the last sign of life make `stuck`.
After an outage the server is asked which version it is at: one whose storage was put back to a backup is silent
about everything until it gets to where the watch begins, and never says so.
"""

import random as system_random
from collections.abc import AsyncGenerator
from contextlib import AbstractContextManager, aclosing
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from typing import Protocol

import structlog

from libdnsapi.api.meta import ResourceType
from libdnsapi.runtime.backoff import Backoff, Random
from libdnsapi.runtime.clock import Clock, in_batches
from libdnsapi.runtime.errors import GoneError, KubernetesError, NotFoundError, ThrottledError, describe
from libdnsapi.runtime.kubernetes import Kubernetes, WatchEvent
from libdnsapi.runtime.metrics import Metrics
from libdnsapi.runtime.rest import RawObject, number

PAGE = 500
SHORT_STREAM = 1.0
STUCK_MARGIN = timedelta(seconds=90)
OUTAGE = 2
"""Failures in a row after which the server may have been away for long enough to have been put back to a backup."""
PAUSES = Backoff(timedelta(seconds=0.8), timedelta(seconds=30), jitter=1.0)

log = structlog.get_logger(__name__)


class State(Enum):
    """What the reflector holds."""

    EMPTY = auto()
    """No resource version to watch from: a list comes next."""
    LISTED = auto()
    """A resource version: a watch comes next."""
    WATCHING = auto()
    """An open stream that has spoken."""


class Outcome(Enum):
    """How an attempt, or a stream, went on or came to its end."""

    LIST_COMPLETE = auto()
    STREAM_SPOKE = auto()
    STREAM_ENDED = auto()
    EXPIRED = auto()
    FAILED = auto()


_NEXT = {
    Outcome.LIST_COMPLETE: State.LISTED,
    Outcome.STREAM_SPOKE: State.WATCHING,
    Outcome.STREAM_ENDED: State.LISTED,
    Outcome.EXPIRED: State.EMPTY,
}


def step(state: State, outcome: Outcome) -> State:
    """Return the state after an outcome: a failure loses a stream, never a resource version."""
    if outcome is Outcome.FAILED:
        return State.EMPTY if state is State.EMPTY else State.LISTED
    return _NEXT[outcome]


class Sink(Protocol):
    """Where objects go; all of it on one event loop."""

    def lean(self, found: RawObject) -> RawObject:
        """Return an object of a list as `replace` takes it, small enough to wait for all others."""
        ...

    def listing(self) -> AbstractContextManager[None]:
        """Take note that a list is on its way while the context lasts."""
        ...

    async def replace(self, objects: list[RawObject], version: int, *, rewound: bool) -> None:
        """Take in a complete list."""
        ...

    def put(self, found: RawObject) -> None:
        """Take in an added or modified object."""
        ...

    def remove(self, found: RawObject) -> None:
        """Take out an object; `found` is its last state."""
        ...

    def missing(self) -> None:
        """Take note that the API server does not know the kind; objects taken in stay."""
        ...


@dataclass(frozen=True, slots=True)
class Selection:
    """What is listed and watched."""

    resource: ResourceType
    namespace: str = ""
    label_selector: str = ""
    metadata_only: bool = False
    page: int = PAGE
    """Objects a page: an answer is parsed as a whole, which takes ten times its size while it lasts."""

    @property
    def name(self) -> str:
        """The kind and, if it is limited to one, the namespace: for metrics and logs."""
        return f"{self.resource.plural}.{self.namespace}" if self.namespace else self.resource.plural


@dataclass(frozen=True, slots=True)
class Pace:
    """How long streams last and how long pauses are; both vary with `random`."""

    watch_timeout: timedelta = timedelta(seconds=290)
    backoff: Backoff = PAUSES
    random: Random = system_random.random


class Reflector:
    """One list-and-watch."""

    def __init__(
        self,
        client: Kubernetes,
        selection: Selection,
        sink: Sink,
        clock: Clock,
        *,
        pace: Pace | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        """Start empty; nothing is asked before `run`."""
        self._client = client
        self._selection = selection
        self._sink = sink
        self._clock = clock
        self._pace = pace or Pace()
        self._random = self._pace.random
        self._failures = 0
        self._version = ""
        self._alive_at = clock.monotonic()
        self.state = State.EMPTY
        self._measure(metrics or Metrics())

    @property
    def version(self) -> str:
        """The resource version from which the next watch begins, "" before the first list."""
        return self._version

    @property
    def age(self) -> timedelta:
        """How long ago the API server last sent anything, or this reflector was made."""
        return timedelta(seconds=self._clock.monotonic() - self._alive_at)

    @property
    def stuck(self) -> bool:
        """Whether the silence has outlasted every time-out that should have ended it."""
        return self.age > self._pace.watch_timeout + STUCK_MARGIN

    async def run(self) -> None:
        """Follow the API server until cancelled."""
        while True:
            pause = await self._turn()
            await self._clock.sleep(pause)

    async def catch_up(self, *, missing_ok: bool) -> None:
        """Return once the sink shows nothing older than this call: takes in a list beside the watch, which goes on.

        What fails is tried again, unless the kind is missing where it may be.
        """
        failures = 0
        while True:
            try:
                await self._take_list()
            except KubernetesError as error:
                if missing_ok and isinstance(error, NotFoundError):
                    return
                await self._clock.sleep(self._report(error, failures))
                failures += 1
            else:
                return

    async def _turn(self) -> timedelta:
        """List or watch once and return how long to pause after it."""
        started = self._clock.monotonic()
        try:
            if self._failures >= OUTAGE and self.state is State.LISTED and await self._has_gone_back():
                self.state = step(self.state, Outcome.EXPIRED)
            if self.state is State.EMPTY:
                await self._list()
                return timedelta()
            await self._watch()
        except (GoneError, NotFoundError) as error:
            return self._fail(error, Outcome.EXPIRED)
        except KubernetesError as error:
            return self._fail(error, Outcome.FAILED)
        if self._clock.monotonic() - started < SHORT_STREAM:
            self.state = step(self.state, Outcome.STREAM_ENDED)
            return self._pause()
        self._sign_of_life(Outcome.STREAM_ENDED)
        return timedelta()

    async def _has_gone_back(self) -> bool:
        """Whether the server is at an older version than the last one that it told."""
        selection = self._selection
        version = await self._client.newest_version(selection.resource, namespace=selection.namespace)
        gone_back = number(version) < number(self._version)
        if gone_back:
            log.warning("the API server's history went back", resource=selection.name)
        return gone_back

    async def _list(self) -> None:
        self._version = await self._take_list()
        self._sign_of_life(Outcome.LIST_COMPLETE)

    async def _take_list(self) -> str:
        """Put a complete list into the sink and return its version; one older than ours is of a rewound history."""
        before = number(self._version)  # a watch may go on meanwhile
        with self._sink.listing():
            objects, version = await self._complete_list()
            await self._sink.replace(objects, number(version), rewound=number(version) < before)
        self._lists.inc()
        return version

    async def _complete_list(self) -> tuple[list[RawObject], str]:
        """Return all pages; a list that expires between two pages is taken again as one page."""
        try:
            return await self._pages(self._selection.page)
        except GoneError:
            return await self._pages(0)

    async def _pages(self, limit: int) -> tuple[list[RawObject], str]:
        objects: list[RawObject] = []
        token = ""
        while True:
            page = await self._client.list_page(
                self._selection.resource,
                namespace=self._selection.namespace,
                label_selector=self._selection.label_selector,
                limit=limit,
                continue_token=token,
                metadata_only=self._selection.metadata_only,
            )
            async for batch in in_batches(page.items):
                objects.extend(map(self._sink.lean, batch))
            token = page.continue_token
            if not token:
                return objects, page.resource_version

    async def _watch(self) -> None:
        async with aclosing(self._stream()) as events:
            async for event in events:
                self._take(event)
                self._sign_of_life(Outcome.STREAM_SPOKE)

    def _stream(self) -> AsyncGenerator[WatchEvent, None]:
        # Not all at once: streams that were opened together end spread over a fifth of their time.
        share = 0.8 + 0.2 * self._random()
        return self._client.watch(
            self._selection.resource,
            namespace=self._selection.namespace,
            label_selector=self._selection.label_selector,
            resource_version=self._version,
            lifetime=self._pace.watch_timeout * share,
            metadata_only=self._selection.metadata_only,
        )

    def _take(self, event: WatchEvent) -> None:
        match event.type:
            case "ADDED" | "MODIFIED":
                self._sink.put(event.object)
            case "DELETED":
                self._sink.remove(event.object)
            case "BOOKMARK":
                pass
        self._version = event.object.resource_version or self._version

    def _sign_of_life(self, outcome: Outcome) -> None:
        self.state = step(self.state, outcome)
        self._alive_at = self._clock.monotonic()
        self._failures = 0

    def _fail(self, error: KubernetesError, outcome: Outcome) -> timedelta:
        self.state = step(self.state, outcome)
        if isinstance(error, NotFoundError):
            self._sink.missing()
        if outcome is Outcome.EXPIRED:
            self._failed.labels(self._selection.name, error.reason).inc()
            log.debug("list or watch has to begin anew", resource=self._selection.name, error=describe(error))
            return self._pause()
        self._failures += 1
        return self._report(error, self._failures - 1)

    def _report(self, error: KubernetesError, failures: int) -> timedelta:
        """Tell of a failure and return how long to pause after it."""
        self._failed.labels(self._selection.name, error.reason).inc()
        log.warning("list or watch failed", resource=self._selection.name, error=describe(error))
        pause = self._delay(failures)
        return max(pause, error.retry_after) if isinstance(error, ThrottledError) else pause

    def _pause(self) -> timedelta:
        self._failures += 1
        return self._delay(self._failures - 1)

    def _delay(self, failures: int) -> timedelta:
        return min(self._pace.backoff.delay(failures, self._random), self._pace.backoff.limit)

    def _measure(self, metrics: Metrics) -> None:
        name = self._selection.name
        self._failed = metrics.watch_failures
        self._lists = metrics.lists.labels(name)
        metrics.watch_age_seconds.labels(name).set_function(self._silent_seconds)

    def _silent_seconds(self) -> float:
        return self.age.total_seconds()
