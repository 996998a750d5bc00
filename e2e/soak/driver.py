"""The run: edits and disturbances until the time is over, then calm, then the verdict."""

import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from e2e.claims import DNS
from e2e.kube import Kube
from e2e.leaks import leaks
from e2e.polling import DeadlineError, eventually
from e2e.soak.claims import EXPECTED, NAMESPACE, Claims
from e2e.soak.disturbances import Disturbance, Disturber
from e2e.soak.replicas import Replicas
from e2e.soak.verdict import Settled, storms
from e2e.stack import Stack

Say = Callable[[str], None]

TICK_SECONDS = 0.05
SETTLE_SECONDS = 120.0
MEMORY_KIB = 400 * 1024
"""No process of a few dozen claims needs as much."""


class SoakError(AssertionError):
    """Something does not hold; the message says what, and how to run the same again."""


@dataclass
class Soak:
    """One run on a stack that nobody else uses."""

    stack: Stack
    seed: int
    say: Say
    began: float = field(default_factory=time.monotonic)
    running: list[tuple[float, Disturbance]] = field(default_factory=list)

    def run(self, seconds: float) -> None:
        """Run for so many seconds, and until all is calm. Raises SoakError."""
        kube = self.stack.kube()
        replicas = Replicas(self.stack)
        claims = Claims(kube, random.Random(self.seed))  # noqa: S311 — replayable on purpose
        try:
            replicas.keep()
            claims.install(str(self.stack.environment()["AWS_ACCOUNT_ID"]))
            self._disturb(claims, replicas, seconds)
            self.say(f"{claims.done} edits, {claims.failed} refused; waiting for calm")
            self._settle(kube, claims, replicas)
            self._judge(kube, claims, replicas)
            self._clean(kube, replicas)
        finally:
            replicas.end()
            kube.close()

    def _disturb(self, claims: Claims, replicas: Replicas, seconds: float) -> None:
        chance = random.Random(self.seed + 1)  # noqa: S311 — replayable on purpose
        disturber = Disturber(self.stack, replicas, chance)
        waiting = disturber.all()
        pause = seconds / (len(waiting) + 1)
        until, following = time.monotonic() + seconds, time.monotonic() + pause / 2
        with _editing(claims):
            while (now := time.monotonic()) < until:
                if now >= following:
                    self._begin(waiting.pop())
                    waiting = waiting or disturber.all()
                    following = now + min(pause, chance.uniform(3.0, 12.0))
                self._end(now)
                replicas.keep()
                time.sleep(TICK_SECONDS)
            self._end(float("inf"))
        self.stack.emulator.disarm()

    def _begin(self, disturbance: Disturbance) -> None:
        self.say(f"{time.monotonic() - self.began:6.1f} s  {disturbance.name}, {disturbance.seconds:.1f} s")
        disturbance.begin()
        self.running.append((time.monotonic() + disturbance.seconds, disturbance))

    def _end(self, now: float) -> None:
        for over, disturbance in list(self.running):
            if now >= over:
                disturbance.end()
                self.running.remove((over, disturbance))

    def _settle(self, kube: Kube, claims: Claims, replicas: Replicas) -> None:
        def problems() -> list[str]:
            replicas.keep()
            try:
                claims.settle()
                return Settled.read(kube, self.stack.emulator).problems()
            except EXPECTED as error:
                return [str(error)]

        try:
            eventually(problems, lambda found: not found, within=SETTLE_SECONDS, what="desired equal to Route 53")
        except DeadlineError as error:
            evidence = self._keep_evidence(kube)
            raise self._error(f"{error}\nwhat was there is in {evidence}") from None

    def _keep_evidence(self, kube: Kube) -> Path:
        """Write down what explains a difference: every batch that Route 53 took, claims and ledgers as they are."""
        kinds = ("Zone", "RecordSet", "ZoneUnit", "ZoneUnitSlice")
        kept = {
            "batches": [batch.model_dump(mode="json", by_alias=True) for batch in self.stack.emulator.log()],
            "hostedZones": self.stack.emulator.zones(),
            "objects": {kind: kube.list(DNS, kind, NAMESPACE) for kind in kinds},
        }
        path = self.stack.layout.directory / f"soak-{self.seed}.json"
        path.write_text(json.dumps(kept, indent=1, default=str))
        return path

    def _judge(self, kube: Kube, claims: Claims, replicas: Replicas) -> None:
        found = [*storms(kube, claims.edits), *leaks(self.stack.layout.directory)]
        found += [f"{name} holds {kib} KiB" for name, kib in replicas.memory_kib().items() if kib > MEMORY_KIB]
        if found:
            raise self._error("; ".join(found))

    def _clean(self, kube: Kube, replicas: Replicas) -> None:
        """Delete everything: nothing may be left at Route 53."""

        def left() -> list[str]:
            replicas.keep()
            for kind in ("RecordSet", "Zone"):
                for one in kube.list(DNS, kind, NAMESPACE):
                    if not one["metadata"].get("deletionTimestamp"):
                        kube.delete(DNS, kind, NAMESPACE, one["metadata"]["name"])
            settled = Settled.read(kube, self.stack.emulator)
            return [*settled.hosted, *(one["metadata"]["name"] for one in [*settled.zones, *settled.records])]

        try:
            eventually(left, lambda found: not found, within=SETTLE_SECONDS, what="nothing left at Route 53")
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
