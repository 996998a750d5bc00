"""The run: edits and disturbances until the time is over, then calm, then the verdict."""

import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from e2e.claims import DNS
from e2e.kube import Document, Kube
from e2e.leaks import leaks
from e2e.lines import unfit
from e2e.polling import DeadlineError, eventually
from e2e.soak import vitals
from e2e.soak.claims import NAMESPACES, Claims
from e2e.soak.disturbances import Disturbance, Disturber
from e2e.soak.effects import Effects
from e2e.soak.programs import Programs
from e2e.soak.replicas import REPLICAS, Replicas
from e2e.soak.requests import EXPECTED, hasty
from e2e.soak.verdict import Settled, ledgers, storms
from e2e.stack import CORE, ROUTE53, SERVICES, Stack
from e2e.toolchain.relay import Relay

Say = Callable[[str], None]
T = TypeVar("T")

TICK_SECONDS = 0.05
SETTLE_SECONDS = 120.0
KINDS = ("Zone", "RecordSet", "ZoneUnit", "ZoneUnitSlice")
CALM_SHARE = 10
"""A tenth of the run's time, claims are edited while nothing else happens, and processes must not grow."""
LULL_SECONDS = 30.0
"""After one of each kind nothing new happens for so long: leaders are found, and what waited is done."""
REPETITIONS = 3
EFFECT_SECONDS = 20.0
"""How long after its end a disturbance may take to show its effect."""
SMALL_LEDGERS = ("--inline-record-sets=3", "--record-sets-per-slice=4")
"""A zone of a dozen record sets is spread over several ledger objects."""


class SoakError(AssertionError):
    """Something does not hold; the message says what, and how to run the same again."""


@dataclass(frozen=True)
class Parts:
    """What a run works with."""

    kube: Kube
    replicas: Replicas
    programs: Programs
    claims: Claims

    def keep(self) -> None:
        """Start again what ended and is not to stay down."""
        self.programs.keep()
        self.replicas.keep()


@dataclass
class Soak:
    """One run on a stack that nobody else uses."""

    stack: Stack
    seed: int
    say: Say
    began: float = field(default_factory=time.monotonic)
    running: list[tuple[float, Disturbance]] = field(default_factory=list)
    effects: Effects = field(default_factory=Effects)

    def __post_init__(self) -> None:
        """Have the services show what they hold, and the core controller spread zones over several objects."""
        extra = {service.name: ["--debug-page"] for service in SERVICES}
        extra[CORE.name] += SMALL_LEDGERS
        self.stack = replace(self.stack, runner=replace(self.stack.runner, extra=extra))

    def run(self, seconds: float) -> None:
        """Run for so many seconds, and until all is calm. Raises SoakError."""
        kube = hasty(self.stack)
        claims = Claims(kube, random.Random(self.seed))  # noqa: S311 — replayable on purpose
        parts = Parts(kube, Replicas(self.stack), Programs(self.stack), claims)
        try:
            with self._relay() as relay:
                parts.replicas.reach_api_server_at(relay.port)
                self._install(parts)
                disturber = self._disturber(parts, relay)
                self._disturb(parts, disturber, seconds)
                self._see_all(parts, disturber)
                self.say(f"{claims.done} edits, {claims.failed} refused; waiting for calm")
                self._settle(parts)
                self._stay_small(parts, seconds / CALM_SHARE)
                self._judge(parts)
                self._clean(parts)
        finally:
            parts.replicas.end()
            kube.close()

    def _disturber(self, parts: Parts, relay: Relay) -> Disturber:
        chance = random.Random(self.seed + 1)  # noqa: S311 — replayable on purpose
        return Disturber(self.stack, parts.replicas, parts.programs, relay, chance)

    def _install(self, parts: Parts) -> None:
        """Apply what the claims rest on, as soon as the webhook serves again."""
        account = str(self.stack.environment()["AWS_ACCOUNT_ID"])

        def applied() -> bool:
            parts.keep()
            parts.claims.install(account)
            return True

        self._until(applied, "identity, classes and zones")
        self._lead(parts)

    def _lead(self, parts: Parts) -> None:
        """Wait until both controllers have a leader."""

        def leaders() -> bool:
            parts.keep()
            return all(parts.replicas.leader(service) for service in (CORE, ROUTE53))

        self._until(leaders, "two leaders")

    def _relay(self) -> Relay:
        server = urlsplit(self.stack.control_plane.server)
        return Relay(server.hostname or "", server.port or 443)

    def _disturb(self, parts: Parts, disturber: Disturber, seconds: float) -> None:
        waiting = disturber.all()
        pause = seconds / (len(waiting) + 1)
        until, following = time.monotonic() + seconds, time.monotonic() + pause / 2
        with _editing(parts.claims):
            while (now := time.monotonic()) < until:
                if now >= following:
                    self._begin(waiting.pop())
                    following = now + min(pause, disturber.chance.uniform(3.0, 12.0))
                    if not waiting:
                        waiting, following = disturber.all(), now + LULL_SECONDS
                self._turn(now, parts)
            self._end_all(parts)

    def _see_all(self, parts: Parts, disturber: Disturber) -> None:
        """Have each kind that had no effect yet happen again, alone."""
        for _ in range(REPETITIONS):
            for disturbance in [one for one in disturber.all() if one.is_of not in self.effects.seen]:
                with _editing(parts.claims):
                    self._lead(parts)
                    self._begin(disturbance)
                    until = time.monotonic() + disturbance.seconds + EFFECT_SECONDS
                    while disturbance.is_of not in self.effects.seen and time.monotonic() < until:
                        self._turn(time.monotonic(), parts)
                    self._end_all(parts)
        if unseen := [one.is_of for one in disturber.all() if one.is_of not in self.effects.seen]:
            raise self._error(f"never had an effect: {', '.join(unseen)}")
        self.say(f"had an effect: {', '.join(sorted(self.effects.seen))}")
        self._cover(parts)

    def _cover(self, parts: Parts) -> None:
        """Edit on, undisturbed, until all was met that a run is for."""

        def missing() -> list[str]:
            self._turn(time.monotonic(), parts)
            return parts.claims.coverage.missing()

        with _editing(parts.claims):
            self._reach(missing, lambda found: not found, "all that a run is for")
        self.say(str(parts.claims.coverage))

    def _end_all(self, parts: Parts) -> None:
        self._until(lambda: not self._turn(float("inf"), parts), "the end of what goes on")
        self.stack.emulator.disarm()

    def _begin(self, disturbance: Disturbance) -> None:
        self.say(f"{time.monotonic() - self.began:6.1f} s  {disturbance.name}, {disturbance.seconds:.1f} s")
        disturbance.begin()
        self.running.append((time.monotonic() + disturbance.seconds, disturbance))
        self.effects.begun(disturbance)

    def _turn(self, now: float, parts: Parts) -> int:
        """End what is over, start what should run, look for effects; return how many disturbances go on."""
        for over, disturbance in list(self.running):
            if now >= over:
                with suppress(*EXPECTED):  # what needs an API server that is down ends at a later turn
                    disturbance.end()
                    self.running.remove((over, disturbance))
        parts.keep()
        self.effects.look()
        time.sleep(TICK_SECONDS)
        return len(self.running)

    def _settle(self, parts: Parts) -> None:
        def problems() -> list[str]:
            parts.keep()
            self.effects.look()
            try:
                parts.claims.settle()
                return Settled.read(parts.kube, self.stack.emulator).problems()
            except EXPECTED as error:
                return [str(error)]

        try:
            eventually(problems, lambda found: not found, within=SETTLE_SECONDS, what="desired equal to Route 53")
        except DeadlineError as error:
            evidence = self._keep_evidence(parts)
            raise self._error(f"{error}\nwhat was there is in {evidence}") from None

    def _keep_evidence(self, parts: Parts) -> Path:
        """Write down what explains a difference: every batch that Route 53 took, claims and ledgers as they are."""
        kept: Document = {
            "batches": [batch.model_dump(mode="json", by_alias=True) for batch in self.stack.emulator.log()],
            "hostedZones": self.stack.emulator.zones(),
        }
        try:
            kept["objects"] = {
                kind: [one for name in NAMESPACES for one in parts.kube.list(DNS, kind, name)] for kind in KINDS
            }
        except EXPECTED as error:
            kept["objects"] = str(error)
        path = self.stack.layout.directory / f"soak-{self.seed}.json"
        path.write_text(json.dumps(kept, indent=1, default=str))
        return path

    def _stay_small(self, parts: Parts, seconds: float) -> None:
        """Edit on in calm for some time: no process may hold more afterwards than before."""
        before = self._vitals(parts)
        with _editing(parts.claims):
            time.sleep(seconds)
        self._settle(parts)
        if found := vitals.problems(before, self._vitals(parts)):
            raise self._error("; ".join(found))

    def _vitals(self, parts: Parts) -> dict[str, vitals.Vitals]:
        """Return what every process holds, once all of them answer."""
        seen: dict[str, vitals.Vitals] = {}

        def all_answer() -> bool:
            parts.keep()
            seen.update(vitals.read(parts.replicas))
            return len(seen) == len(REPLICAS)

        self._until(all_answer, "an answer of every process")
        return seen

    def _judge(self, parts: Parts) -> None:
        found = [*storms(parts.kube, parts.claims.edits), *leaks(self.stack.layout.directory)]
        found += unfit(self.stack.layout.directory)
        if found:
            raise self._error("; ".join(found))

    def _clean(self, parts: Parts) -> None:
        """Delete everything: nothing may be left at Route 53, nor in the ledger."""

        def left() -> list[str]:
            parts.keep()
            settled = Settled.read(parts.kube, self.stack.emulator)
            for one in (*settled.records, *settled.zones):
                metadata = one["metadata"]
                if not metadata.get("deletionTimestamp"):
                    parts.kube.delete(DNS, one["kind"], metadata["namespace"], metadata["name"])
            claims = [one["metadata"]["name"] for one in [*settled.zones, *settled.records]]
            return [*settled.hosted, *claims, *ledgers(parts.kube)]

        self._until(lambda: not left(), "nothing left at Route 53")

    def _until(self, holds: Callable[[], bool], what: str) -> None:
        self._reach(holds, bool, what)

    def _reach(self, observe: Callable[[], T], holds: Callable[[T], bool], what: str) -> None:
        try:
            eventually(observe, holds, within=SETTLE_SECONDS, what=what)
        except DeadlineError as error:
            raise self._error(str(error)) from None

    def _error(self, what: str) -> SoakError:
        return SoakError(f"seed {self.seed}: {what}\nrun it again with: python -m e2e.soak --seed {self.seed}")


@contextmanager
def _editing(claims: Claims) -> Iterator[None]:
    """Edit claims in a thread of its own: a request that hangs must not keep a disturbance from ending."""
    over = threading.Event()

    def work() -> None:
        while not over.wait(TICK_SECONDS):
            claims.edit()

    thread = threading.Thread(target=work, name="edits", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
