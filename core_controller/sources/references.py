"""The objects that target-from refers to: read lazily, one informer per kind and namespace.

An informer starts at the first reference and stops some time after the last. Where listing is forbidden the objects
are read one by one, on an interval. What cannot be read is said so, and holds what is published.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

import structlog

from core_controller.sources.endpoints import SourceKey
from core_controller.sources.installed import KindTable
from core_controller.sources.target_from import Gone, Reference, Unseen, View, scope_problem
from core_controller.sources.watches import Tasks
from libdnsapi.api.meta import ObjectKey, PartialObject, ResourceType
from libdnsapi.runtime import rest
from libdnsapi.runtime.errors import ForbiddenError, KubernetesError, NotFoundError, describe
from libdnsapi.runtime.informer import Informer
from libdnsapi.runtime.manager import Manager
from libdnsapi.runtime.store import Change

IDLE = timedelta(minutes=10)
RETRY = timedelta(seconds=15)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Place:
    """A kind in one namespace: what one informer covers. The namespace is empty for cluster-scoped kinds."""

    resource: ResourceType
    namespace: str


@dataclass(slots=True)
class _Reader:
    """How the objects of one place are read."""

    informer: Informer[PartialObject] | None = None
    views: dict[ObjectKey, View] = field(default_factory=dict)
    problem: Unseen = Unseen.NOT_SYNCED
    task: asyncio.Task[None] | None = None


class References:
    """All references of all source objects; used from one event loop."""

    def __init__(
        self,
        manager: Manager,
        tasks: Tasks,
        poll: timedelta,
        changed: Callable[[SourceKey], None],
        has_namespace: Callable[[str], bool],
    ) -> None:
        """Start without any; `changed` is told the objects whose references have something new to show."""
        self._manager = manager
        self._tasks = tasks
        self._poll = poll
        self._changed = changed
        self._has_namespace = has_namespace
        self._ending: set[Place] = set()
        self._table = KindTable()
        self._readers: dict[Place, _Reader] = {}
        self._targets: dict[SourceKey, set[tuple[Place | None, ObjectKey]]] = {}
        self._sources: dict[tuple[Place | None, ObjectKey], set[SourceKey]] = {}

    def use(self, table: KindTable) -> None:
        """Take note of what is installed; objects that wait for a kind look again."""
        self._table = table
        for (place, _), sources in list(self._sources.items()):
            if place is None or table.resolve(place.resource.group, place.resource.plural) != place.resource:
                for source in list(sources):
                    self._changed(source)

    def namespace_appeared(self, name: str) -> None:
        """Have objects look again that refer into a namespace that was not there."""
        for (place, key), sources in list(self._sources.items()):
            if place is None and key.namespace == name:
                for source in list(sources):
                    self._changed(source)

    def begin(self, source: SourceKey) -> None:
        """Forget what an object referred to; its evaluation then looks at what it refers to now."""
        for target in self._targets.pop(source, set()):
            sources = self._sources.get(target, set())
            sources.discard(source)
            if not sources:
                self._sources.pop(target, None)
                self._expire(target[0])

    def look(self, source: SourceKey, namespace: str, reference: Reference) -> View:
        """Return what is known of the object that a reference in this namespace names."""
        resource = self._table.resolve(reference.group, reference.resource)
        key = ObjectKey(reference.namespace or namespace, reference.name)
        if resource is None:
            self._note(source, None, key)
            return Unseen.UNKNOWN_KIND
        if (misused := scope_problem(reference, resource)) is not None:
            return misused
        if not resource.namespaced:
            key = ObjectKey("", reference.name)
        elif not self._has_namespace(key.namespace):
            self._note(source, None, key)  # nothing to watch: whoever invents namespaces costs no watches
            return Gone()
        place = Place(resource, key.namespace)
        self._note(source, place, key)
        return self._view(place, key)

    def _note(self, source: SourceKey, place: Place | None, key: ObjectKey) -> None:
        self._targets.setdefault(source, set()).add((place, key))
        self._sources.setdefault((place, key), set()).add(source)

    def _view(self, place: Place, key: ObjectKey) -> View:
        reader = self._readers.get(place)
        if reader is None:
            reader = self._readers[place] = _Reader()
            name = f"references-{place.resource.plural}-{place.namespace}"
            reader.task = self._tasks.start(name, self._follow(place, reader))
        if reader.informer is not None:
            if not (reader.informer.synced.is_set() and reader.informer.installed):
                return Unseen.NOT_SYNCED
            raw = reader.informer.store.raw(key)
            return Gone() if raw is None else rest.read_object(raw)
        return reader.views.get(key, reader.problem)

    # In the background.

    async def _follow(self, place: Place, reader: _Reader) -> None:
        """Find out how the place can be read, then watch it or read it again and again."""
        while True:
            try:
                await self._manager.client.list_page(place.resource, namespace=place.namespace, limit=1)
            except ForbiddenError:
                await self._read_each(place, reader)
            except KubernetesError as error:
                reader.problem = Unseen.UNKNOWN_KIND if isinstance(error, NotFoundError) else Unseen.FAILED
                log.warning("references cannot be listed", kind=place.resource.kind, error=describe(error))
            else:
                await self._watch(place, reader)
            self._tell_all(place)
            await self._manager.clock.sleep(RETRY)

    async def _watch(self, place: Place, reader: _Reader) -> None:
        informer = Informer(
            self._manager.client,
            place.resource,
            PartialObject,
            namespace=place.namespace,
            optional=True,
            clock=self._manager.clock,
            metrics=self._manager.metrics,
        )
        informer.add_listener(lambda change: self._tell(place, change))
        informer.on_seen(lambda: self._tell_all(place))
        reader.informer = informer
        telling = asyncio.ensure_future(self._tell_when_synced(place, informer))
        self._manager.show(informer)
        try:
            await informer.run()
        finally:
            self._manager.hide(informer)
            telling.cancel()
            reader.informer = None

    async def _read_each(self, place: Place, reader: _Reader) -> None:
        """Read the objects that are referred to, once each, and wait for the next time."""
        for known, key in list(self._sources):
            if known != place:
                continue
            view = await self._read(place, key)
            if reader.views.get(key) != view:
                reader.views[key] = view
                self._tell_key(place, key)
        await self._manager.clock.sleep(self._poll)

    async def _read(self, place: Place, key: ObjectKey) -> View:
        try:
            return rest.read_object(await self._manager.client.get(place.resource, key))
        except NotFoundError:
            return Gone()
        except ForbiddenError:
            return Unseen.FORBIDDEN
        except KubernetesError:
            return Unseen.FAILED

    def _expire(self, place: Place | None) -> None:
        """Stop reading a place some time after its last reference."""
        if place is None or place in self._ending or any(known == place for known, _ in self._sources):
            return
        self._ending.add(place)
        self._tasks.start("references-idle", self._stop_idle(place))

    async def _stop_idle(self, place: Place) -> None:
        await self._manager.clock.sleep(IDLE)
        self._ending.discard(place)
        if not any(known == place for known, _ in self._sources):
            reader = self._readers.pop(place, None)
            if reader is not None and reader.task is not None:
                reader.task.cancel()

    async def _tell_when_synced(self, place: Place, informer: Informer[PartialObject]) -> None:
        await informer.synced.wait()
        self._tell_all(place)

    def _tell(self, place: Place, change: Change[PartialObject]) -> None:
        self._tell_key(place, change.key)

    def _tell_all(self, place: Place) -> None:
        for known, key in list(self._sources):
            if known == place:
                self._tell_key(place, key)

    def _tell_key(self, place: Place, key: ObjectKey) -> None:
        for source in list(self._sources.get((place, key), ())):
            self._changed(source)
