"""Watches of kinds that may be installed or not: started when the cluster serves a kind, kept while it does.

A kind is *seen* when a complete list of it is in its store and it is still served; only what is seen may withdraw
anything.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextvars import Context
from typing import Any, Generic, TypeVar

from core_controller.sources.installed import KindTable
from core_controller.sources.kinds import WatchedKind
from libdnsapi.api.meta import KubernetesObject, ObjectKey, ResourceType
from libdnsapi.runtime.informer import Informer
from libdnsapi.runtime.manager import Manager
from libdnsapi.runtime.store import Change, Store

T = TypeVar("T", bound=KubernetesObject)
Listener = Callable[[Change[T]], None]


class Tasks:
    """Background tasks of one part; all end with its `run`."""

    def __init__(self) -> None:
        """Start with none."""
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, name: str, work: Awaitable[None]) -> asyncio.Task[None]:
        """Run something until it ends or is cancelled; its log lines are not those of a reconcile that starts it."""
        task = asyncio.create_task(_awaited(work), name=name, context=Context())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def run(self) -> None:
        """Wait to be cancelled, then end all tasks."""
        try:
            await asyncio.Event().wait()
        finally:
            for task in list(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)


class Watch(Generic[T]):
    """The watch of one kind; without an informer while the kind is not served."""

    def __init__(self, kind: WatchedKind[T], manager: Manager, tasks: Tasks) -> None:
        """Prepare; nothing is watched before `follow`."""
        self.kind = kind
        self.resource: ResourceType | None = None
        self._manager = manager
        self._tasks = tasks
        self._informer: Informer[T] | None = None
        self._task: asyncio.Task[None] | None = None
        self._listeners: list[Listener[T]] = []
        self._seen_listeners: list[Callable[[], None]] = []

    @property
    def store(self) -> Store[T] | None:
        """The cache; None while the kind was never served."""
        return self._informer.store if self._informer is not None else None

    @property
    def seen(self) -> bool:
        """Whether what the store shows is all there is."""
        if self._informer is None or self.resource is None:
            return False
        return self._informer.synced.is_set() and self._informer.installed

    @property
    def settled(self) -> bool:
        """Whether nothing more is to be waited for: the kind is seen, or not served at all."""
        return self.resource is None or self.seen

    def get(self, key: ObjectKey) -> T | None:
        """Return an object from the cache."""
        return self.store.get(key) if self.store is not None else None

    def keys(self) -> list[ObjectKey]:
        """Return the keys of all objects in the cache."""
        return self.store.keys() if self.store is not None else []

    def by_index(self, name: str, value: str) -> list[ObjectKey]:
        """Return the keys of the objects that have a value in an index."""
        return self.store.by_index(name, value) if self.store is not None else []

    def add_listener(self, listener: Listener[T]) -> None:
        """Tell of every change, whichever informer it comes from; add it before `follow`."""
        self._listeners.append(listener)

    def on_seen(self, tell: Callable[[], None]) -> None:
        """Tell whenever the kind becomes seen, also when it is installed late or again."""
        self._seen_listeners.append(tell)

    def follow(self, table: KindTable) -> None:
        """Watch the kind in the version that the cluster prefers; stop looking while it serves none."""
        resource = table.resolve(self.kind.group, self.kind.plural)
        if resource == self.resource:
            return
        self.resource = resource
        if self._task is not None:
            self._task.cancel()
        if resource is not None:
            self._start(resource)

    def _start(self, resource: ResourceType) -> None:
        informer = Informer(
            self._manager.client,
            resource,
            self.kind.model,
            indexers=self.kind.indexers,
            trim=self.kind.trim,
            optional=True,
            clock=self._manager.clock,
            metrics=self._manager.metrics,
        )
        for listener in self._listeners:
            informer.add_listener(listener)
        self._informer = informer
        self._task = self._tasks.start(f"watch-{resource.plural}", self._run(informer))

    async def _run(self, informer: Informer[T]) -> None:
        informer.on_seen(self._tell_seen)
        self._manager.show(informer)
        try:
            await informer.run()
        finally:
            self._manager.hide(informer)

    def _tell_seen(self) -> None:
        for tell in self._seen_listeners:
            tell()


def all_settled(watches: Iterable[Watch[Any]]) -> bool:
    """Whether every watch is seen or not served."""
    return all(watch.settled for watch in watches)


async def _awaited(work: Awaitable[None]) -> None:
    await work
