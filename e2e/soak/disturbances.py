"""What goes wrong. Each disturbance begins, lasts some seconds, and ends; several may be at work at once."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from e2e.route53.faults import Fault, FaultKind
from e2e.soak.claims import EXPECTED
from e2e.soak.replicas import REPLICAS, Replica, Replicas
from e2e.stack import CORE, ROUTE53, WEBHOOK, Service, Stack
from e2e.stack.layout import SYSTEM_NAMESPACE
from e2e.toolchain import daemons

PAUSE_SECONDS = 20.0
"""Longer than a lease, so that another replica leads when the paused one wakes."""


@dataclass(frozen=True)
class Disturbance:
    """Something that goes wrong: how it begins, how long it lasts in seconds, how it ends."""

    name: str
    seconds: float
    begin: Callable[[], None]
    end: Callable[[], None]


@dataclass(frozen=True)
class Disturber:
    """Makes disturbances of one stack with one generator."""

    stack: Stack
    replicas: Replicas
    chance: random.Random

    def all(self) -> list[Disturbance]:
        """Return one of each kind, in an order of chance, so that a short run has met them all."""
        made = [
            self.crash(CORE),
            self.crash(ROUTE53),
            self.crash(WEBHOOK),
            self.freeze(self.chance.choice((CORE, ROUTE53))),
            self.theft(self.chance.choice((CORE, ROUTE53))),
            self.restart("kube-apiserver"),
            self.restart("etcd"),
            self.fault("throttle"),
            self.fault("http-500"),
            self.fault("close-connection"),
            self.fault("timeout-after-apply", count=2, hold_seconds=1.0),
        ]
        self.chance.shuffle(made)
        return made

    def crash(self, service: Service) -> Disturbance:
        """Kill all replicas of a service at once; they are started again after a while."""
        victims = _replicas_of(service)

        def begin() -> None:
            self.replicas.down.update(one.name for one in victims)
            for one in victims:
                self.replicas.kill(one)

        def end() -> None:
            self.replicas.down.difference_update(one.name for one in victims)

        return Disturbance(f"crash of {service.name}", self.chance.uniform(0.2, 3.0), begin, end)

    def freeze(self, service: Service) -> Disturbance:
        """Stop a replica for longer than its lease, in the middle of what it does; then let it go on."""
        victim = self.chance.choice(_replicas_of(service))
        return Disturbance(
            f"freeze of {victim.name}",
            PAUSE_SECONDS,
            lambda: self.replicas.pause(victim),
            lambda: self.replicas.resume(victim),
        )

    def theft(self, service: Service) -> Disturbance:
        """Give the lease to somebody who does nothing with it: the leader stops, another follows when it ran out."""
        name = f"dnsapi-{service.component}"

        def begin() -> None:
            kube = self.stack.kube()
            now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
            taken = {"spec": {"holderIdentity": "a-thief", "acquireTime": now, "renewTime": now}}
            try:
                kube.merge_patch("coordination.k8s.io/v1", "Lease", SYSTEM_NAMESPACE, name, taken)
            except EXPECTED:  # the API server may be down: then nothing is stolen
                pass
            finally:
                kube.close()

        return Disturbance(f"theft of the lease of {service.name}", 1.0, begin, lambda: None)

    def restart(self, program: str) -> Disturbance:
        """Kill a program of the control plane and start it again with its own command line."""
        directory = self.stack.layout.control_plane
        kept: list[str] = []

        def begin() -> None:
            if running := daemons.running(program, directory):
                kept[:] = _command_line(running.pid)
                daemons.kill(running)

        def end() -> None:
            if kept:
                daemons.start(program, kept, directory, log=directory / "logs" / f"{program}.log")

        return Disturbance(f"crash of {program}", self.chance.uniform(0.2, 2.0), begin, end)

    def fault(self, kind: FaultKind, *, count: int | None = None, hold_seconds: float = 60.0) -> Disturbance:
        """Have AWS misbehave, for all calls for some seconds or for a number of writes."""
        seconds = self.chance.uniform(2.0, 6.0)
        lasting = {"count": count} if count else {"forSeconds": seconds}
        action = "ChangeResourceRecordSets" if count else "*"
        fault = Fault.model_validate({"action": action, "kind": kind, "holdSeconds": hold_seconds, **lasting})
        return Disturbance(f"{kind} at AWS", seconds, lambda: self.stack.emulator.arm(fault), lambda: None)


def _replicas_of(service: Service) -> Sequence[Replica]:
    return [one for one in REPLICAS if one.service is service]


def _command_line(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/cmdline").read_bytes().decode().rstrip("\0").split("\0")
