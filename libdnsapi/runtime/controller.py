"""The loop around a reconciler, and the only place that decides about trying again.

- `Result()`: forget the key
- `Result(requeue_after=d)`: forget it, add it after d
- `TerminalError`: forget, count, log; the next event tries again
- `ConflictError`: try again with back-off, debug log
- `NamespaceTerminatingError`: try again with back-off, info log: it is over when the namespace is
- `LeadershipLostError`: try again with back-off, which another process does; warning
- `ThrottledError`: try again with back-off, not before the server's time, warning
- anything else: try again with back-off, error log, metric
- `CancelledError` propagates
"""

import asyncio
import itertools
from collections.abc import Hashable
from datetime import timedelta
from typing import Generic, TypeVar

import structlog

from libdnsapi.runtime.clock import Clock
from libdnsapi.runtime.errors import (
    ConflictError,
    DnsapiError,
    NamespaceTerminatingError,
    TerminalError,
    ThrottledError,
    describe,
    frames,
)
from libdnsapi.runtime.leader import LeadershipLostError
from libdnsapi.runtime.metrics import Metrics
from libdnsapi.runtime.reconciler import Reconciler, Result
from libdnsapi.runtime.workqueue import QueueShutDownError, QueueView, WorkQueue

K = TypeVar("K", bound=Hashable)

log = structlog.get_logger(__name__)


class Controller(Generic[K]):
    """Workers that take keys from one queue and reconcile them."""

    def __init__(
        self,
        name: str,
        reconciler: Reconciler[K],
        queue: WorkQueue[K],
        clock: Clock,
        *,
        workers: int = 1,
        metrics: Metrics | None = None,
    ) -> None:
        """Tie a reconciler to its queue; nothing runs before `run`."""
        self.name = name
        self.queue = queue
        self._reconciler = reconciler
        self._clock = clock
        self._workers = workers
        self._metrics = metrics or Metrics()
        self._serials = itertools.count(1)
        self._metrics.max_workers.labels(name).set(workers)
        for counter in (self._metrics.reconcile_errors, self._metrics.terminal_errors):
            counter.labels(name)  # a counter that is born with its first error has not increased, for Prometheus
        queue.rest()

    async def run(self) -> None:
        """Work until `stop`, then return when the last running reconcile is done; cancelling cuts them short."""
        self.queue.start()
        async with asyncio.TaskGroup() as workers:
            for number in range(self._workers):
                workers.create_task(self._work(), name=f"{self.name}-{number}")

    def stop(self) -> None:
        """Take no more keys; reconciles that run go on."""
        self.queue.shutdown()

    def queue_view(self, limit: int) -> QueueView:
        """Return the state of the queue, with at most `limit` keys of each kind."""
        return self.queue.view(limit)

    async def _work(self) -> None:
        while True:
            try:
                key = await self.queue.get()
            except QueueShutDownError:
                return
            try:
                await self.reconcile(key)
            finally:
                self.queue.done(key)

    async def reconcile(self, key: K) -> None:
        """Run the reconciler once for a key and do what the retry policy says with what comes of it."""
        bound = {"controller": self.name, "key": str(key), "reconcile_id": next(self._serials)}
        with structlog.contextvars.bound_contextvars(**bound):
            started = self._clock.monotonic()
            result = self._settle(key, await self._attempt(key))
            self._metrics.reconciles.labels(self.name, result).inc()
            log.debug("reconciled", result=result, seconds=round(self._clock.monotonic() - started, 6))

    async def _attempt(self, key: K) -> Result | Exception:
        active = self._metrics.active_workers.labels(self.name)
        started = self._clock.monotonic()
        active.inc()
        try:
            return await self._reconciler.reconcile(key)
        except Exception as error:
            return error
        finally:
            active.dec()
            self._metrics.reconcile_seconds.labels(self.name).observe(self._clock.monotonic() - started)

    def _settle(self, key: K, outcome: Result | Exception) -> str:
        """Do what the retry policy says, and return the result as the metrics call it."""
        match outcome:
            case Result(requeue_after=delay):
                self.queue.forget(key)
                if delay is not None:
                    self.queue.add_after(key, delay)
                return "success" if delay is None else "requeue_after"
            case TerminalError():
                self.queue.forget(key)
                self._metrics.terminal_errors.labels(self.name).inc()
                log.error("reconcile failed for good", error=describe(outcome))
                return "error"
            case ConflictError() | NamespaceTerminatingError() | LeadershipLostError() | ThrottledError():
                self.queue.add_rate_limited(key, at_least=_least_wait(outcome))
                _tell_of_wait(outcome)
                return "requeue"
            case Exception():
                self.queue.add_rate_limited(key)
                self._metrics.reconcile_errors.labels(self.name).inc()
                log.error("reconcile failed", error=describe(outcome), frames=frames(outcome))
                return "error"


def _least_wait(error: DnsapiError) -> timedelta:
    return error.retry_after if isinstance(error, ThrottledError) else timedelta()


def _tell_of_wait(error: DnsapiError) -> None:
    """Log why a key waits, at the level at which somebody has to know."""
    match error:
        case ConflictError():
            log.debug("reconcile met a newer object", error=describe(error))
        case NamespaceTerminatingError():
            log.info("reconcile waits for the end of a namespace", error=describe(error))
        case LeadershipLostError():
            log.warning("reconcile is given up: the lease is lost", error=describe(error))
        case _:
            log.warning("reconcile was throttled", error=describe(error))
