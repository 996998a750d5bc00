"""One leader at a time, by a Lease (coordination.k8s.io/v1).

Whoever cannot renew stops its work before anyone else may start: the work is cancelled when the last successful
renewal *began* `renew_deadline` ago, and a rival waits `lease_duration` after the last renewal it *saw*; both are
measured on monotonic clocks, so wall clocks may differ. Every request ends within a third of `renew_deadline`, so
that a hanging API server cannot hide the time. Work that dies ends the leadership; at the end the lease is released.
"""

import asyncio
import random as system_random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

import structlog

from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from libdnsapi.runtime import rest
from libdnsapi.runtime.backoff import Random
from libdnsapi.runtime.clock import Clock, bounded, micro_time
from libdnsapi.runtime.errors import (
    AlreadyExistsError,
    ConflictError,
    DnsapiError,
    KubernetesError,
    NotFoundError,
    describe,
)
from libdnsapi.runtime.kubernetes import Kubernetes
from libdnsapi.runtime.metrics import Metrics

LEASES = ResourceType("coordination.k8s.io", "v1", "Lease", "leases")
JITTER = 1.2
RELEASED_SECONDS = 1

log = structlog.get_logger(__name__)


class LeadershipLostError(DnsapiError):
    """The lease could not be renewed in time, or another holds it; the work has been cancelled."""


@dataclass(frozen=True, slots=True)
class LeaseTimes:
    """client-go's times; `lease_duration` > `renew_deadline` > 1.2 times `retry_period` must hold."""

    lease_duration: timedelta = timedelta(seconds=15)
    renew_deadline: timedelta = timedelta(seconds=10)
    retry_period: timedelta = timedelta(seconds=2)

    def __post_init__(self) -> None:
        """Refuse times under which two could lead at once."""
        if not self.lease_duration > self.renew_deadline > JITTER * self.retry_period:
            raise ValueError("lease duration > renew deadline > 1.2 times retry period must hold")


@dataclass(frozen=True, slots=True)
class Candidate:
    """Who stands for which lease; the identity must be unlike that of every other process, also of its own past."""

    lease: ObjectKey
    identity: str


@dataclass(frozen=True, slots=True)
class LeaseView:
    """A lease at one moment, as this process knows it."""

    lease: str
    holder: str
    leading: bool
    renewed_seconds: float | None
    """Since the last renewal of our own began, None without one."""
    overdue: bool


class LeaderElector:
    """Stands for one lease and leads while it holds it."""

    def __init__(
        self,
        client: Kubernetes,
        candidate: Candidate,
        clock: Clock,
        *,
        times: LeaseTimes | None = None,
        metrics: Metrics | None = None,
        random: Random = system_random.random,
    ) -> None:
        """Prepare; nothing is asked before `run`."""
        self._client = client
        self._candidate = candidate
        self._clock = clock
        self._times = times or LeaseTimes()
        self._random = random
        self._lease: JsonObject | None = None
        self._seen: tuple[str, str] | None = None
        self._seen_at = 0.0
        self._renewed_at = 0.0
        self._vacant = ""
        self._taken = ""
        self._work: asyncio.Future[None] | None = None
        self._leading = (metrics or Metrics()).leading.labels(candidate.lease.name)
        self._leading.set(0)

    @property
    def overdue(self) -> bool:
        """Whether work goes on although the lease has not been renewed in time; it is then being stopped."""
        return self.working and self._renewal_age > self._times.renew_deadline.total_seconds()

    @property
    def may_work(self) -> bool:
        """Whether the lease is ours for certain: work runs, and the lease was renewed in time."""
        return self.working and not self.overdue

    @property
    def working(self) -> bool:
        """Whether the leader's work runs."""
        return self._work is not None and not self._work.done()

    def view(self) -> LeaseView:
        """Return the state of the lease."""
        age = None if self._work is None else self._renewal_age
        return LeaseView(str(self._candidate.lease), self._holder(), self.working, age, self.overdue)

    @property
    def unheld_since_look(self) -> bool:
        """Whether nobody else has held the lease since `look`: it was free then, and the same when we took it."""
        return self._vacant != "" and self._taken == self._vacant

    async def look(self) -> None:
        """Take note of the lease if nobody holds it: asked before the first list, it makes a second one needless.

        A lease that has run out, or is not there, does not count: its last holder may not know that yet.
        """
        try:
            lease = await bounded(self._clock, self._request_limit, self._read())
        except (TimeoutError, KubernetesError) as error:
            log.debug("the lease cannot be seen", lease=str(self._candidate.lease), error=describe(error))
            return
        if lease is not None and not _spec(lease).get("holderIdentity"):
            self._vacant = rest.resource_version(lease)

    @property
    def _renewal_age(self) -> float:
        return self._clock.monotonic() - self._renewed_at

    async def run(self, lead: Callable[[], Awaitable[None]]) -> None:
        """Wait for the lease, run `lead` once while renewing, release the lease when it returns, and return.

        Raises LeadershipLostError, with the work cancelled, when the lease cannot be kept; what `lead` raises
        comes through, the lease being released. Cancelled, it cancels the work and releases the lease.
        """
        self._renewed_at = await self._acquire()
        work = self._work = asyncio.ensure_future(lead())
        self._leading.set(1)
        log.info("leading", lease=str(self._candidate.lease))
        lost = True
        try:
            await self._keep(work)
            lost = False
            work.result()
        except asyncio.CancelledError:
            lost = False
            raise
        finally:
            self._leading.set(0)
            await self._stop(work)
            if not lost and work.done():  # else the lease runs out: nobody is to begin beside work that goes on
                await self._release()

    async def _acquire(self) -> float:
        """Try until the lease is ours; return the monotonic second at which the successful try began."""
        while True:
            began = self._clock.monotonic()
            if await self._try(self._request_limit):
                return began
            await self._clock.sleep(self._times.retry_period * (1 + JITTER * self._random()))

    async def _keep(self, work: "asyncio.Future[None]") -> None:
        """Renew until the work is done; raise LeadershipLostError when the renewal has been failing too long."""
        deadline = self._times.renew_deadline.total_seconds()
        while not work.done():
            left = timedelta(seconds=self._renewed_at + deadline - self._clock.monotonic())
            if left <= timedelta():
                raise LeadershipLostError(f"the lease {self._candidate.lease} could not be renewed in time")
            began = self._clock.monotonic()
            if began > self._renewed_at and await self._try(min(left, self._request_limit)):
                self._renewed_at = began
            elif self._holder() not in ("", self._candidate.identity):
                raise LeadershipLostError(f"another process holds the lease {self._candidate.lease}")
            await self._pause(work, min(left, self._times.retry_period))

    async def _pause(self, work: "asyncio.Future[None]", duration: timedelta) -> None:
        alarm = asyncio.ensure_future(self._clock.sleep(duration))
        try:
            await asyncio.wait({work, alarm}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            alarm.cancel()

    async def _stop(self, work: "asyncio.Future[None]") -> None:
        """Cancel the work and wait for its end, but not past the moment at which a rival may begin."""
        if work.done():
            return
        work.cancel()
        work.add_done_callback(_look_at)
        rest_of_lease = self._times.lease_duration - self._times.renew_deadline
        await self._pause(work, rest_of_lease)
        if not work.done():
            log.error("the work of a former leader does not end", lease=str(self._candidate.lease))

    @property
    def _request_limit(self) -> timedelta:
        return self._times.renew_deadline / 3

    async def _try(self, limit: timedelta) -> bool:
        """Take or renew the lease if we may, and say whether it is ours; failures are logged and mean no."""
        try:
            return await bounded(self._clock, limit, self._take_or_renew())
        except TimeoutError:
            log.warning("no answer about the lease in time", lease=str(self._candidate.lease))
        except (ConflictError, AlreadyExistsError):
            log.debug("the lease has changed", lease=str(self._candidate.lease))
        except KubernetesError as error:
            log.warning("the lease cannot be had", lease=str(self._candidate.lease), error=describe(error))
        self._lease = None
        return False

    async def _take_or_renew(self) -> bool:
        if self._lease is None or self._holder() != self._candidate.identity:
            self._lease = await self._read()
        if self._lease is None:
            self._lease = rest.read_object(await self._client.create(*self._fresh()))
            return True
        if not self._free(self._lease):
            return False
        found, others = self._lease, self._holder() != self._candidate.identity
        written = await self._client.replace(LEASES, self._candidate.lease, self._claimed(found))
        self._lease = rest.read_object(written)
        if others:
            self._taken = rest.resource_version(found)
        return True

    async def _read(self) -> JsonObject | None:
        try:
            return rest.read_object(await self._client.get(LEASES, self._candidate.lease))
        except NotFoundError:
            return None

    def _free(self, lease: JsonObject) -> bool:
        """Say whether the lease is ours, or nobody's, or unrenewed for as long as its holder asked for."""
        spec = _spec(lease)
        holder = str(spec.get("holderIdentity") or "")
        seen = (holder, str(spec.get("renewTime") or ""))
        if seen != self._seen:
            self._seen, self._seen_at = seen, self._clock.monotonic()
        duration = spec.get("leaseDurationSeconds")
        seconds = duration if isinstance(duration, int) else self._times.lease_duration.total_seconds()
        expired = self._clock.monotonic() >= self._seen_at + seconds
        return holder in ("", self._candidate.identity) or expired

    def _holder(self) -> str:
        return str(_spec(self._lease).get("holderIdentity") or "") if self._lease else ""

    def _fresh(self) -> tuple[ResourceType, str, JsonObject]:
        now = micro_time(self._clock.now())
        lease = self._candidate.lease
        spec: JsonObject = {**self._held(now), "acquireTime": now, "leaseTransitions": 0}
        return LEASES, lease.namespace, {"metadata": {"name": lease.name, "namespace": lease.namespace}, "spec": spec}

    def _claimed(self, lease: JsonObject) -> JsonObject:
        now = micro_time(self._clock.now())
        spec: JsonObject = {**_spec(lease), **self._held(now)}
        if self._holder() != self._candidate.identity:
            transitions = spec.get("leaseTransitions")
            spec["acquireTime"] = now
            spec["leaseTransitions"] = (transitions if isinstance(transitions, int) else 0) + 1
        return {**lease, "spec": spec}

    def _held(self, now: str) -> JsonObject:
        return {
            "holderIdentity": self._candidate.identity,
            "leaseDurationSeconds": int(self._times.lease_duration.total_seconds()),
            "renewTime": now,
        }

    async def _release(self) -> None:
        """Let another take over at once; when this fails, the lease simply runs out."""
        if self._lease is None or self._holder() != self._candidate.identity:
            return
        spec: JsonObject = {
            **_spec(self._lease),
            "holderIdentity": "",
            "leaseDurationSeconds": RELEASED_SECONDS,
            "renewTime": micro_time(self._clock.now()),
        }
        body: JsonObject = {**self._lease, "spec": spec}
        try:
            await bounded(self._clock, self._request_limit, self._client.replace(LEASES, self._candidate.lease, body))
            log.info("lease released", lease=str(self._candidate.lease))
        except (TimeoutError, KubernetesError) as error:
            log.warning("lease not released", lease=str(self._candidate.lease), error=describe(error))


def _look_at(work: "asyncio.Future[None]") -> None:
    """Log what the work raised while it was being stopped; nobody else will ask."""
    error = None if work.cancelled() else work.exception()
    if error is not None:
        log.error("the work of a former leader failed while stopping", error=describe(error))


def _spec(lease: JsonObject | None) -> JsonObject:
    spec = lease.get("spec") if lease else None
    return spec if isinstance(spec, dict) else {}
