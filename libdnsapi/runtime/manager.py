"""One process put together: caches, controllers, leadership, events and health, started and stopped in order.

Start: health, a look at the lease, caches, everything that always runs; when all caches are complete, the election; as
the leader, one more list of everything unless nobody else has led since that look, then the controllers. Stop
(SIGTERM, SIGINT, or the death of any part): take no more keys, let running reconciles finish within the grace time,
write the events, release the lease, close. The death of a part is logged and makes `run` return 1.
"""

import asyncio
import signal
import socket
import uuid
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

import structlog

from libdnsapi.api.meta import KubernetesObject, ObjectKey, ResourceType
from libdnsapi.runtime.backoff import Backoff
from libdnsapi.runtime.clock import Clock, SystemClock, bounded
from libdnsapi.runtime.controller import Controller
from libdnsapi.runtime.events import EventRecorder, Reporter
from libdnsapi.runtime.health import HealthServer, write_ports
from libdnsapi.runtime.informer import CacheView, Informer, RosterInformer
from libdnsapi.runtime.kubernetes import Kubernetes
from libdnsapi.runtime.leader import Candidate, LeaderElector, LeadershipLostError, LeaseView
from libdnsapi.runtime.metrics import Metrics
from libdnsapi.runtime.parts import Part, PartDiedError, Parts, begin, cancel
from libdnsapi.runtime.reconciler import Reconciler
from libdnsapi.runtime.reflector import PAGE
from libdnsapi.runtime.roster import Digest
from libdnsapi.runtime.settings import RuntimeSettings, pod_namespace
from libdnsapi.runtime.shelf import Indexers, Trim
from libdnsapi.runtime.store import PARSED_OBJECTS
from libdnsapi.runtime.workqueue import QueueView, WorkQueue

K = TypeVar("K", bound=Hashable)
T = TypeVar("T", bound=KubernetesObject)
D = TypeVar("D")

FLUSH_LIMIT = timedelta(seconds=5)

log = structlog.get_logger(__name__)


class _Cache(Protocol):
    """An informer of any kind."""

    name: str
    synced: asyncio.Event
    installed: bool

    @property
    def stuck(self) -> bool: ...
    def __len__(self) -> int: ...
    def view(self) -> CacheView: ...
    async def catch_up(self) -> None: ...
    async def run(self) -> None: ...


class _Loop(Protocol):
    """A controller of any keys."""

    name: str

    async def run(self) -> None: ...
    def queue_view(self, limit: int) -> QueueView: ...
    def stop(self) -> None: ...


class Manager:
    """The parts of one process. Make the parts with its methods, then `run` once."""

    def __init__(
        self,
        name: str,
        client: Kubernetes,
        settings: RuntimeSettings,
        *,
        clock: Clock | None = None,
        metrics: Metrics | None = None,
        on_synced: Callable[[], None] = lambda: None,
    ) -> None:
        """Prepare; `name` names the lease and the reporter of events, `on_synced` is called once caches are full."""
        self.name = name
        self.client = client
        self.settings = settings
        self.clock = clock or SystemClock()
        self.metrics = metrics or Metrics()
        self.metrics.started.set(self.clock.now().timestamp())
        self.identity = f"{socket.gethostname()}_{uuid.uuid4()}"
        self.recorder = EventRecorder(client, Reporter(name, self.identity), self.clock, metrics=self.metrics)
        self.health = HealthServer(self.metrics.registry, settings.health_host, settings.health_port)
        self.health.add_readiness("shutdown", self._shutdown_problem)
        self.health.add_readiness("lease", self._lease_problem)
        self.health.add_readiness("other-caches", self._others_problem)
        self._on_synced = on_synced
        self._informers: list[_Cache] = []
        self._others: list[_Cache] = []
        self._elector: LeaderElector | None = None
        self._controllers: list[_Loop] = []
        self._runnables: list[tuple[str, Callable[[], Awaitable[None]], bool]] = []
        self._closers: list[Callable[[], Awaitable[None]]] = [self.health.stop]
        self._parts = Parts()
        self._leads = False

    def informer(  # noqa: PLR0913 — independent options by keyword, each with a default
        self,
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
    ) -> Informer[T]:
        """Add a cache of a kind; see Informer for the options."""
        informer = Informer(
            self.client,
            resource,
            model,
            namespace=namespace,
            label_selector=label_selector,
            metadata_only=metadata_only,
            indexers=indexers,
            trim=trim,
            optional=optional,
            parsed=parsed,
            page=page,
            clock=self.clock,
            metrics=self.metrics,
        )
        self._wait_for(informer)
        return informer

    def roster(
        self,
        resource: ResourceType,
        model: type[T],
        digest: Digest[T, D],
        *,
        metadata_only: bool = False,
        trim: Trim | None = None,
        optional: bool = False,
    ) -> RosterInformer[T, D]:
        """Add a cache of a kind that keeps digests alone; see RosterInformer for the options."""
        informer = RosterInformer(
            self.client,
            resource,
            model,
            digest,
            metadata_only=metadata_only,
            trim=trim,
            optional=optional,
            clock=self.clock,
            metrics=self.metrics,
        )
        self._wait_for(informer)
        return informer

    def show(self, cache: _Cache) -> None:
        """Show a cache that somebody else runs on the debug page; once complete, its silence makes us unready.

        Unlike those of `informer` it is not waited for, since its kind or the right to read it may be missing.
        """
        self._others.append(cache)

    def hide(self, cache: _Cache) -> None:
        """Forget a shown cache that runs no more."""
        if cache in self._others:
            self._others.remove(cache)

    def confirm_leadership(self) -> None:
        """Raise LeadershipLostError where the work of a leader goes on although its lease was not renewed in time.

        Cancelling takes until the event loop turns, and a frozen process first goes on with what it was about to do:
        ask just before what no resource version protects.
        """
        if self._elector is not None and not self._elector.may_work:
            raise LeadershipLostError("the lease was not renewed in time: what was about to be sent is not")

    def now(self) -> datetime:
        """Return the wall-clock time."""
        return self.clock.now()

    def lease_view(self) -> LeaseView | None:
        """Return the state of the lease, None while this process does not stand for one."""
        return None if self._elector is None else self._elector.view()

    def queue_views(self, limit: int) -> Mapping[str, QueueView]:
        """Return the queues by controller, their lists cut at `limit`."""
        return {each.name: each.queue_view(limit) for each in self._controllers}

    def cache_views(self) -> Iterable[CacheView]:
        """Return the caches, those that others run among them."""
        return [each.view() for each in (*self._informers, *self._others)]

    def queue(self, name: str, *, backoff: Backoff | None = None) -> WorkQueue[ObjectKey]:
        """Make the queue of a controller of this name; mappers add keys to it."""
        return WorkQueue(name, self.clock, backoff=backoff, metrics=self.metrics)

    def controller(
        self, name: str, reconciler: Reconciler[K], queue: WorkQueue[K], *, workers: int = 1
    ) -> Controller[K]:
        """Add a controller, which runs only while this process leads."""
        controller = Controller(name, reconciler, queue, self.clock, workers=workers, metrics=self.metrics)
        self._controllers.append(controller)
        return controller

    def runnable(self, name: str, run: Callable[[], Awaitable[None]], *, leading: bool = False) -> None:
        """Add something that runs for ever, always or only while leading; it is cancelled at the end."""
        self._runnables.append((name, run, leading))

    def at_end(self, close: Callable[[], Awaitable[None]]) -> None:
        """Have this awaited as the last thing, when no part runs any more; the latest added comes first."""
        self._closers.append(close)

    def stop(self) -> None:
        """Begin the ordered end; may be called more than once."""
        self._parts.stop()

    async def run(self) -> int:
        """Run until a signal, `stop` or the death of a part; return the process's exit status."""
        self._catch_signals()
        await self.health.start()
        if self.settings.ports_file is not None:
            write_ports(self.settings.ports_file, {"health": self.health.port})
        await self._stand()
        always = self._start_always()
        leadership = asyncio.create_task(self._contend(), name="leadership")
        try:
            failed = await self._parts.watch_over({*always, leadership})
            self.stop()
            failed |= await self._end_leadership(leadership)
        finally:
            await cancel({*always, leadership})
            for close in reversed(self._closers):
                await close()
        log.info("stopped", failed=failed)
        return 1 if failed else 0

    def _wait_for(self, informer: _Cache) -> None:
        self._informers.append(informer)
        self.health.add_readiness(f"informer-{informer.name}", lambda: _cache_problem(informer))

    def _start_always(self) -> set[Part]:
        always = {begin(f"informer-{each.name}", each.run()) for each in self._informers}
        always.add(begin("events", self.recorder.run()))
        return always | {begin(name, run()) for name, run, leading in self._runnables if not leading}

    async def _stand(self) -> None:
        """Become a candidate, if there is a lease to stand for, and look at it before anything is listed."""
        if not self.settings.leader_elect:
            return
        lease = ObjectKey(self.settings.lease_namespace or pod_namespace(), self.settings.lease_name or self.name)
        candidate, times = Candidate(lease, self.identity), self.settings.lease_times
        self._elector = LeaderElector(self.client, candidate, self.clock, times=times, metrics=self.metrics)
        await self._elector.look()

    async def _contend(self) -> None:
        """Wait for full caches, then for the lease if there is one, and lead."""
        for informer in self._informers:
            await informer.synced.wait()
        log.info("caches are full", objects={each.name: len(each) for each in self._informers})
        self._on_synced()
        if self._elector is None:
            await self._lead()
        else:
            await self._elector.run(self._lead)

    async def _lead(self) -> None:
        """Run the controllers until the wish to stop; raise what kills any of them."""
        self._leads = True
        if not await self._catch_up():
            return
        parts = {begin(each.name, each.run()) for each in self._controllers}
        parts |= {begin(name, run()) for name, run, leading in self._runnables if leading}
        try:
            if await self._parts.watch_over(parts):
                raise PartDiedError
            await self._finish(parts)
        finally:
            await cancel(parts)
        await self.recorder.flush(FLUSH_LIMIT)

    async def _catch_up(self) -> bool:
        """Bring every cache up to what the leader before us has left; say whether to go on, for nobody wished to stop.

        Watches break and rest apart from each other, so that a cache may show objects that are long gone beside
        others that are new: what a controller concludes from both would be wrong. Where nobody else has led since
        before the first list, that list is enough.
        """
        if self._elector is None or self._elector.unheld_since_look:
            return True
        catching = begin("catch-up", self._list_anew())
        try:
            await self._parts.first_end({catching})
        finally:
            await cancel({catching})
        if not catching.cancelled():
            catching.result()
        return not self._parts.stopping

    async def _list_anew(self) -> None:
        await asyncio.gather(*(each.catch_up() for each in self._informers))

    async def _finish(self, parts: set[Part]) -> None:
        """Take no more keys and let what runs finish within the grace time."""
        for controller in self._controllers:
            controller.stop()
        finishing = [part for part in parts if part.get_name() in {each.name for each in self._controllers}]
        if not finishing:
            return
        try:
            await bounded(self.clock, self.settings.shutdown_grace, asyncio.wait(finishing))
        except TimeoutError:
            log.warning("reconciles are cut short", grace=self.settings.shutdown_grace.total_seconds())

    async def _end_leadership(self, leadership: Part) -> bool:
        """Wait for the leader's ordered end, or give up standing; say whether it failed."""
        if not self._leads:
            leadership.cancel()
        await asyncio.wait({leadership})
        return not leadership.cancelled() and self._parts.report(leadership)

    def _catch_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            with suppress(ValueError, RuntimeError, NotImplementedError):  # not on the main thread
                loop.add_signal_handler(number, self.stop)

    def _shutdown_problem(self) -> str:
        return "stopping" if self._parts.stopping else ""

    def _others_problem(self) -> str:
        stuck = sorted({cache.name for cache in self._others if cache.synced.is_set() and cache.stuck})
        return f"no sign of life from the API server: {', '.join(stuck)}" if stuck else ""

    def _lease_problem(self) -> str:
        overdue = self._elector is not None and self._elector.overdue
        return "not renewed in time: the work is being stopped" if overdue else ""


def _cache_problem(informer: _Cache) -> str:
    if not informer.synced.is_set():
        return "not complete yet" if informer.installed else "the API server does not know the kind: install its CRD"
    return "no sign of life from the API server" if informer.stuck else ""
