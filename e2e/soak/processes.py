"""Disturbances of processes: killed, stopped, robbed of their lease, started again."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from e2e.kube import KubeError
from e2e.soak.programs import Programs
from e2e.soak.replicas import Replica, Replicas, replicas_of
from e2e.soak.requests import EXPECTED, hasty
from e2e.stack import Service, Stack
from e2e.stack.layout import SYSTEM_NAMESPACE
from e2e.suite import manifests

LEASES = "coordination.k8s.io/v1"
THIEF = "a-thief"


@dataclass
class Crash:
    """All replicas of a service killed at once, and kept from being started again until the end."""

    replicas: Replicas
    service: Service
    _killed: dict[str, int] = field(default_factory=dict)

    def begin(self) -> None:
        """Kill them."""
        for victim in self._victims:
            self.replicas.down.add(victim.name)
            if killed := self.replicas.kill(victim):
                self._killed[victim.name] = killed

    def end(self) -> None:
        """Let them be started again."""
        self.replicas.down.difference_update(one.name for one in self._victims)

    def seen(self) -> bool:
        """Whether another process runs in place of each that was killed."""
        running = {name: self.replicas.pid(name) for name in self._killed}
        return bool(running) and all(pid not in (None, self._killed[name]) for name, pid in running.items())

    @property
    def _victims(self) -> Sequence[Replica]:
        return replicas_of(self.service)


@dataclass
class Freeze:
    """The leader, or another replica while nobody leads, stopped where it is and let go on later."""

    replicas: Replicas
    service: Service
    otherwise: Replica
    _victim: Replica | None = None
    _before: str = ""

    def begin(self) -> None:
        """Stop it."""
        leader = self.replicas.leader(self.service)
        self._victim = leader or self.otherwise
        self._before = holder(self.replicas.stack, self.service) if leader else ""
        self.replicas.pause(self._victim)

    def end(self) -> None:
        """Let it go on, late as it is."""
        if self._victim is not None:
            self.replicas.resume(self._victim)

    def seen(self) -> bool:
        """Whether another process holds the lease that the stopped one held."""
        now = holder(self.replicas.stack, self.service)
        return bool(self._before) and now not in ("", THIEF, self._before)


@dataclass
class Loss:
    """The leader gone and kept from being started again: killed, or asked to end as in a rolling update."""

    replicas: Replicas
    service: Service
    is_orderly: bool
    _victim: Replica | None = None
    _before: str = ""

    def begin(self) -> None:
        """End it; nothing while nobody leads."""
        self._victim = self.replicas.leader(self.service)
        if self._victim is None:
            return
        self._before = holder(self.replicas.stack, self.service)
        self.replicas.down.add(self._victim.name)
        if self.is_orderly:
            self.replicas.dismiss(self._victim)
        else:
            self.replicas.kill(self._victim)

    def end(self) -> None:
        """Let it be started again."""
        if self._victim is not None:
            self.replicas.down.discard(self._victim.name)

    def seen(self) -> bool:
        """Whether another process holds the lease that it held."""
        now = holder(self.replicas.stack, self.service)
        return bool(self._before) and now not in ("", THIEF, self._before)


@dataclass
class Hang:
    """A webhook that takes connections and answers nobody."""

    replicas: Replicas
    webhook: Replica
    _hung: bool = False

    def begin(self) -> None:
        """Stop it where it is, and see a review get no answer."""
        self.replicas.pause(self.webhook)
        kube = hasty(self.replicas.stack)
        try:
            kube.apply(manifests.a_record("default", "probe", "nowhere"), dry_run=True)
        except TimeoutError:
            self._hung = True
        except KubeError as error:
            self._hung = self._hung or "failed calling webhook" in error.message
        except EXPECTED:
            pass
        finally:
            kube.close()

    def end(self) -> None:
        """Let it go on."""
        self.replicas.resume(self.webhook)

    def seen(self) -> bool:
        """Whether a review got no answer."""
        return self._hung


@dataclass
class Theft:
    """A lease given to somebody who does nothing with it."""

    stack: Stack
    service: Service
    _stolen: bool = False

    def begin(self) -> None:
        """Steal it; while the API server is down, nothing is stolen."""
        kube = hasty(self.stack)
        now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        taken = {"spec": {"holderIdentity": THIEF, "acquireTime": now, "renewTime": now}}
        try:
            kube.merge_patch(LEASES, "Lease", SYSTEM_NAMESPACE, lease_name(self.service), taken)
            self._stolen = True
        except EXPECTED:
            pass
        finally:
            kube.close()

    def seen(self) -> bool:
        """Whether it was stolen, and has an honest holder again."""
        return self._stolen and holder(self.stack, self.service) not in ("", THIEF)


@dataclass
class Outage:
    """A program of the control plane killed, and kept from being started again until the end."""

    programs: Programs
    name: str
    _killed: int | None = None

    def begin(self) -> None:
        """Kill it."""
        self.programs.down.add(self.name)
        self._killed = self.programs.kill(self.name)

    def end(self) -> None:
        """Let it be started again."""
        self.programs.down.discard(self.name)

    def seen(self) -> bool:
        """Whether another process runs in its place."""
        return self._killed is not None and self.programs.pid(self.name) not in (None, self._killed)


def lease_name(service: Service) -> str:
    """Return the name of a service's lease."""
    return f"dnsapi-{service.component}"


def holder(stack: Stack, service: Service) -> str:
    """Return who holds the lease of a service; "" where nobody does, or nobody can say."""
    kube = hasty(stack)
    try:
        lease = kube.get(LEASES, "Lease", SYSTEM_NAMESPACE, lease_name(service))
    except EXPECTED:
        return ""
    finally:
        kube.close()
    return str(lease["spec"].get("holderIdentity") or "")
