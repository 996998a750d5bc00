"""What goes wrong. Each disturbance begins, lasts some seconds, and ends; several may be at work at once."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from e2e.route53.faults import Fault, FaultKind
from e2e.soak import processes
from e2e.soak.etcd import Etcd
from e2e.soak.programs import Programs
from e2e.soak.replicas import Replicas, replicas_of
from e2e.soak.storage import Storage
from e2e.stack import CORE, ROUTE53, WEBHOOK, Service, Stack
from e2e.toolchain.relay import Passage, Relay

PAUSE_SECONDS = 20.0
"""Longer than a lease, so that another replica leads when the paused one wakes."""
HANDOVER_SECONDS = 6.0
"""Longer than it takes a replica to see that a lease was given back."""
HANG_SECONDS = 8.0
"""Longer than the patience of those who ask for a review."""
SILENCE_SECONDS = 12.0
"""Longer than a leader may go on without renewing."""
OUTCOMES = {"throttle": "Throttling", "http-500": "InternalFailure"}
"""What the emulator's journal calls a fault, where it is not the fault's own name."""


@dataclass(frozen=True)
class Disturbance:
    """Something that goes wrong: how it begins, how long it lasts in seconds, how it ends.

    `seen` is asked again and again once it has begun, until it says that it had its effect: one that never has any
    proves nothing.
    """

    name: str
    seconds: float
    begin: Callable[[], None]
    end: Callable[[], None]
    seen: Callable[[], bool]
    kind: str = ""

    @property
    def is_of(self) -> str:
        """The kind that must have been seen."""
        return self.kind or self.name


@dataclass(frozen=True)
class Disturber:
    """Makes disturbances of one stack with one generator; the services reach the API server through the relay."""

    stack: Stack
    replicas: Replicas
    programs: Programs
    relay: Relay
    chance: random.Random
    storage: Storage = field(init=False)

    def __post_init__(self) -> None:
        """Connect to etcd and API server."""
        object.__setattr__(self, "storage", Storage(self.stack, self.programs, Etcd(self.stack.layout.control_plane)))

    def all(self) -> list[Disturbance]:
        """Return one of each kind, in an order of chance, so that a short run has met them all."""
        made = [
            self.crash(CORE),
            self.crash(ROUTE53),
            self.crash(WEBHOOK),
            self.freeze(self.chance.choice((CORE, ROUTE53))),
            self.loss(self.chance.choice((CORE, ROUTE53)), is_orderly=False),
            self.loss(self.chance.choice((CORE, ROUTE53)), is_orderly=True),
            self.hang(),
            self.theft(self.chance.choice((CORE, ROUTE53))),
            self.outage("kube-apiserver"),
            self.outage("etcd"),
            self.cut(),
            self.silence(),
            self.expiry(),
            self.full_disk(),
            self.quota(),
            self.fault("throttle"),
            self.fault("http-500"),
            self.fault("close-connection"),
            self.fault("timeout-after-apply", count=2, hold_seconds=1.0),
        ]
        self.chance.shuffle(made)
        return made

    def crash(self, service: Service) -> Disturbance:
        """Kill all replicas of a service at once; they are started again after a while."""
        crash = processes.Crash(self.replicas, service)
        return Disturbance(
            f"crash of {service.name}", self.chance.uniform(0.2, 3.0), crash.begin, crash.end, crash.seen
        )

    def freeze(self, service: Service) -> Disturbance:
        """Stop the leader for longer than its lease, in the middle of what it does; then let it go on."""
        freeze = processes.Freeze(self.replicas, service, self.chance.choice(replicas_of(service)))
        name = f"freeze of {service.name}"
        return Disturbance(name, PAUSE_SECONDS, freeze.begin, freeze.end, freeze.seen, "freeze")

    def loss(self, service: Service, *, is_orderly: bool) -> Disturbance:
        """Have the leader go, and another follow: once its lease ran out, or at once where it gave the lease back."""
        loss = processes.Loss(self.replicas, service, is_orderly)
        kind, seconds = ("dismissal", HANDOVER_SECONDS) if is_orderly else ("loss", PAUSE_SECONDS)
        return Disturbance(f"{kind} of the leader of {service.name}", seconds, loss.begin, loss.end, loss.seen, kind)

    def hang(self) -> Disturbance:
        """Have the webhook take connections and answer nobody: reviews time out."""
        hang = processes.Hang(self.replicas, replicas_of(WEBHOOK)[0])
        return Disturbance("hang of webhook", HANG_SECONDS, hang.begin, hang.end, hang.seen)

    def theft(self, service: Service) -> Disturbance:
        """Give the lease to somebody who does nothing with it: the leader stops, another follows when it ran out."""
        theft = processes.Theft(self.stack, service)
        name = f"theft of the lease of {service.name}"
        return Disturbance(name, 1.0, theft.begin, lambda: None, theft.seen, "theft")

    def outage(self, program: str) -> Disturbance:
        """Kill a program of the control plane; it is started again after a while."""
        outage = processes.Outage(self.programs, program)
        seconds = self.chance.uniform(0.2, 2.0)
        return Disturbance(f"crash of {program}", seconds, outage.begin, outage.end, outage.seen)

    def cut(self) -> Disturbance:
        """Drop every watch and every connection of the services to the API server; new ones are let through."""
        cuts: list[int] = []
        return Disturbance(
            "cut of all watches", 0.5, lambda: cuts.append(self.relay.cut()), lambda: None, lambda: sum(cuts) > 0
        )

    def silence(self) -> Disturbance:
        """Let nothing through between services and API server while connections stand, as a lost route does."""
        held: list[int] = []

        def begin() -> None:
            held.append(self.relay.held)
            self.relay.turn(Passage.HELD)

        return Disturbance(
            "silence of all watches",
            SILENCE_SECONDS,
            begin,
            lambda: self.relay.turn(Passage.OPEN),
            lambda: self.relay.held > held[-1],
        )

    def expiry(self) -> Disturbance:
        """Have etcd and API server forget what happened while the services were cut off: they must list anew."""
        before: list[float] = []

        def begin() -> None:
            before.append(self.replicas.expired_watches())
            self.relay.turn(Passage.REFUSED)

        def end() -> None:
            self.storage.forget_history()
            self.relay.turn(Passage.OPEN)

        def seen() -> bool:
            return self.replicas.expired_watches() > before[-1]

        return Disturbance("expiry of resource versions", 3.0, begin, end, seen)

    def full_disk(self) -> Disturbance:
        """Have etcd refuse every write, as it does when its quota is used up."""
        seconds = self.chance.uniform(2.0, 5.0)
        return Disturbance("full disk of etcd", seconds, self.storage.fill, self.storage.free, self.storage.was_full)

    def quota(self) -> Disturbance:
        """Have a ResourceQuota refuse every new ledger object."""
        seconds = self.chance.uniform(3.0, 6.0)
        begin, end, seen = self.storage.forbid_ledgers, self.storage.allow_ledgers, self.storage.was_forbidden
        return Disturbance("quota of ledger objects", seconds, begin, end, seen)

    def fault(self, kind: FaultKind, *, count: int | None = None, hold_seconds: float = 60.0) -> Disturbance:
        """Have AWS misbehave, for all calls for some seconds or for a number of writes."""
        seconds = self.chance.uniform(2.0, 6.0)
        lasting = {"count": count} if count else {"forSeconds": seconds}
        action = "ChangeResourceRecordSets" if count else "*"
        fault = Fault.model_validate({"action": action, "kind": kind, "holdSeconds": hold_seconds, **lasting})
        emulator, since = self.stack.emulator, [0]

        def begin() -> None:
            since.extend(call.sequence for call in emulator.journal()[-1:])
            emulator.arm(fault)

        def seen() -> bool:
            return any(call.outcome == OUTCOMES.get(kind, kind) for call in emulator.journal(since[-1]))

        return Disturbance(f"{kind} at AWS", seconds, begin, lambda: None, seen)
