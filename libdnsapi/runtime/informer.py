"""Caches of one kind that keep themselves up to date and tell others what changed."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import structlog

from libdnsapi.api.meta import KubernetesObject, ObjectKey, ResourceType
from libdnsapi.runtime.clock import Clock, SystemClock
from libdnsapi.runtime.kubernetes import Kubernetes
from libdnsapi.runtime.metrics import Metrics
from libdnsapi.runtime.reflector import PAGE, Pace, Reflector, Selection
from libdnsapi.runtime.rest import RawObject
from libdnsapi.runtime.roster import Digest, News, Roster
from libdnsapi.runtime.shelf import Indexers, Trim
from libdnsapi.runtime.store import PARSED_OBJECTS, Listener, Store

log = structlog.get_logger(__name__)

T = TypeVar("T", bound=KubernetesObject)
D = TypeVar("D")

UNFIT_SHOWN = 20


@dataclass(frozen=True, slots=True)
class CacheView:
    """A cache at one moment."""

    name: str
    objects: int
    size_bytes: int
    """Of the kept JSON; none where digests alone are kept."""
    state: str
    """What its reflector holds: empty, listed or watching."""
    resource_version: str
    last_event_seconds: float
    """Since the API server last sent anything."""
    synced: bool
    installed: bool
    stuck: bool
    unfit: int
    """Objects that fit no model and are therefore left out."""
    unfit_keys: tuple[str, ...]
    """The first of them, as namespace/name."""


class Fed(Protocol):
    """What a reflector fills: a Store or a Roster."""

    def __len__(self) -> int:
        """Return the number of objects."""
        ...

    def size_bytes(self) -> int:
        """Return the size of all kept bytes of objects."""
        ...

    def unfit(self) -> list[ObjectKey]:
        """Return the keys of objects that fit no model."""
        ...

    def lean(self, found: RawObject) -> RawObject:
        """Return an object of a list as `replace` takes it."""
        ...

    def listing(self) -> AbstractContextManager[None]:
        """Take note that a list is on its way while the context lasts."""
        ...

    async def replace(self, objects: Sequence[RawObject], version: int, *, rewound: bool = False) -> None:
        """Take in a complete list."""
        ...

    def update(self, found: RawObject) -> bool:
        """Take in an object that a watch shows."""
        ...

    def remove(self, key: ObjectKey, version: int) -> bool:
        """Drop an object that was deleted at this version."""
        ...


S = TypeVar("S", bound=Fed)


class Follower(Generic[S]):
    """A store (S) fed by a reflector.

    `synced` is set when the first complete list is in the store. With `optional`, a kind that the API server does
    not know counts as synced, with `installed` False, and is asked for again quietly: installed later, its
    objects arrive like any others.
    """

    def __init__(  # noqa: PLR0913 — independent options by keyword
        self,
        client: Kubernetes,
        selection: Selection,
        store: S,
        *,
        optional: bool,
        clock: Clock | None,
        pace: Pace | None,
        metrics: Metrics,
    ) -> None:
        """Start empty; nothing is asked before `run`."""
        self.resource = selection.resource
        self.name = selection.name
        self.optional = optional
        self.synced = asyncio.Event()
        self.installed = True
        self.store = store
        self._seen = False
        self._seen_listeners: list[Callable[[], None]] = []
        metrics.cached_objects.labels(self.name).set_function(lambda: float(len(self.store)))
        metrics.unfit_objects.labels(self.name).set_function(lambda: float(len(self.store.unfit())))
        self._reflector = Reflector(client, selection, _Feed(self), clock or SystemClock(), pace=pace, metrics=metrics)

    def __len__(self) -> int:
        """Return the number of objects in the cache."""
        return len(self.store)

    @property
    def stuck(self) -> bool:
        """Whether nothing has come from the API server for longer than any time-out allows."""
        return self.installed and self._reflector.stuck

    def view(self) -> CacheView:
        """Return the state of the cache."""
        unfit = sorted(map(str, self.store.unfit()))
        return CacheView(
            name=self.name,
            objects=len(self.store),
            size_bytes=self.store.size_bytes(),
            state=self._reflector.state.name.lower(),
            resource_version=self._reflector.version,
            last_event_seconds=self._reflector.age.total_seconds(),
            synced=self.synced.is_set(),
            installed=self.installed,
            stuck=self.stuck,
            unfit=len(unfit),
            unfit_keys=tuple(unfit[:UNFIT_SHOWN]),
        )

    def on_seen(self, tell: Callable[[], None]) -> None:
        """Tell when a complete list is in the store for the first time, and again after the kind was missing.

        `synced` alone does not say so: an optional kind that is not installed counts as synced.
        """
        self._seen_listeners.append(tell)

    async def run(self) -> None:
        """Follow the API server until cancelled."""
        await self._reflector.run()

    async def catch_up(self) -> None:
        """Return once the cache shows nothing older than this call, however far behind its watch is."""
        await self._reflector.catch_up(missing_ok=self.optional)

    def note_listed(self) -> None:
        """Take note that a complete list is in the store."""
        news, self._seen, self.installed = not self._seen, True, True
        self.synced.set()
        for tell in self._seen_listeners if news else ():
            tell()

    def note_missing(self) -> None:
        """Take note that the API server does not know the kind."""
        if self.installed and not self.optional:
            log.warning("the API server does not know a kind: install its CRD", resource=self.name)
        self.installed = self._seen = False
        if self.optional:
            self.synced.set()


class Informer(Follower[Store[T]], Generic[T]):
    """A cache whose objects are read."""

    def __init__(  # noqa: PLR0913 — independent options by keyword, each with a default
        self,
        client: Kubernetes,
        resource: ResourceType,
        model: type[T],
        *,
        namespace: str = "",
        label_selector: str = "",
        metadata_only: bool = False,
        indexers: Indexers[T] | None = None,
        trim: Trim | None = None,
        optional: bool = False,
        parsed: int = PARSED_OBJECTS,
        page: int = PAGE,
        clock: Clock | None = None,
        pace: Pace | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        """Start empty; nothing is asked before `run`."""
        metrics = metrics or Metrics()
        selection = Selection(resource, namespace, label_selector, metadata_only, page)
        unfit = metrics.undecodable.labels(selection.name)
        store = Store(model, indexers=indexers, trim=trim, parsed=parsed, undecodable=unfit)
        super().__init__(client, selection, store, optional=optional, clock=clock, pace=pace, metrics=metrics)

    def add_listener(self, listener: Listener[T]) -> None:
        """Tell this function of every change from now on; for all objects, add it before `run`."""
        self.store.add_listener(listener)


class RosterInformer(Follower[Roster[T, D]], Generic[T, D]):
    """A cache that keeps of each object what `digest` makes of it, and no more."""

    def __init__(  # noqa: PLR0913 — independent options by keyword, each with a default
        self,
        client: Kubernetes,
        resource: ResourceType,
        model: type[T],
        digest: Digest[T, D],
        *,
        metadata_only: bool = False,
        indexers: Indexers[T] | None = None,
        trim: Trim | None = None,
        optional: bool = False,
        clock: Clock | None = None,
        pace: Pace | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        """Start empty; nothing is asked before `run`."""
        metrics = metrics or Metrics()
        selection = Selection(resource, metadata_only=metadata_only)
        unfit = metrics.undecodable.labels(selection.name)
        roster = Roster(model, digest, indexers=indexers, trim=trim, undecodable=unfit)
        super().__init__(client, selection, roster, optional=optional, clock=clock, pace=pace, metrics=metrics)

    def add_listener(self, listener: Callable[[News[D]], None]) -> None:
        """Tell this function of every change from now on; for all objects, add it before `run`."""
        self.store.add_listener(listener)


class _Feed(Generic[S]):
    """The store as a reflector's sink."""

    def __init__(self, informer: Follower[S]) -> None:
        self._informer = informer

    def lean(self, found: RawObject) -> RawObject:
        return self._informer.store.lean(found)

    def listing(self) -> AbstractContextManager[None]:
        return self._informer.store.listing()

    async def replace(self, objects: list[RawObject], version: int, *, rewound: bool) -> None:
        await self._informer.store.replace(objects, version, rewound=rewound)
        self._informer.note_listed()

    def put(self, found: RawObject) -> None:
        self._informer.store.update(found)

    def remove(self, found: RawObject) -> None:
        self._informer.store.remove(found.key, found.version)

    def missing(self) -> None:
        self._informer.note_missing()
