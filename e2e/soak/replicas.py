"""Two replicas of each controller, kept running as a kubelet would: what ends is started again."""

import os
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from e2e.stack import CORE, ROUTE53, WEBHOOK, Service, Stack
from e2e.stack.layout import ROOT
from e2e.stack.services import replaced
from e2e.toolchain import daemons

SECOND = "-second"


@dataclass(frozen=True)
class Replica:
    """One process of a service, by the name of its pid file."""

    service: Service
    name: str


REPLICAS = (
    Replica(CORE, CORE.name),
    Replica(CORE, CORE.name + SECOND),
    Replica(ROUTE53, ROUTE53.name),
    Replica(ROUTE53, ROUTE53.name + SECOND),
    Replica(WEBHOOK, WEBHOOK.name),
)


@dataclass
class Replicas:
    """The processes of one stack; `down` holds those that a disturbance keeps from being started again."""

    stack: Stack
    down: set[str] = field(default_factory=set)
    paused: set[str] = field(default_factory=set)

    def keep(self) -> None:
        """Start what does not run and should."""
        for replica in REPLICAS:
            if replica.name not in self.down and not daemons.running(replica.name, self.stack.layout.pids):
                self._start(replica)

    def kill(self, replica: Replica) -> None:
        """End a process without a word."""
        if running := daemons.running(replica.name, self.stack.layout.pids):
            daemons.kill(running)
        self.paused.discard(replica.name)

    def pause(self, replica: Replica) -> None:
        """Stop a process where it is, as a frozen node does."""
        if running := daemons.running(replica.name, self.stack.layout.pids):
            with suppress(ProcessLookupError):
                os.kill(running.pid, signal.SIGSTOP)
                self.paused.add(replica.name)

    def resume(self, replica: Replica) -> None:
        """Let a paused process go on, late as it is."""
        running = daemons.running(replica.name, self.stack.layout.pids)
        if running and replica.name in self.paused:
            with suppress(ProcessLookupError):
                os.kill(running.pid, signal.SIGCONT)
        self.paused.discard(replica.name)

    def end(self) -> None:
        """End the second replicas; the stack ends the first ones."""
        for replica in REPLICAS:
            self.resume(replica)
            if replica.name.endswith(SECOND):
                daemons.stop_recorded(replica.name, self.stack.layout.pids)

    def memory_kib(self) -> dict[str, int]:
        """Return the resident memory of every process, in KiB."""
        found = {}
        for replica in REPLICAS:
            if running := daemons.running(replica.name, self.stack.layout.pids):
                found[replica.name] = _resident_kib(running.pid)
        return found

    def _start(self, replica: Replica) -> None:
        runner = self.stack.runner
        if not replica.name.endswith(SECOND):
            runner.start(replica.service)
            return
        arguments = replaced(runner.arguments(replica.service), {"--health-port": "0"})
        daemons.start(
            replica.name,
            [sys.executable, "-m", replica.service.module, *arguments],
            self.stack.layout.pids,
            log=self.stack.layout.log(replica.name),
            env=runner.environment(replica.service),
            cwd=ROOT,
        )


def _resident_kib(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS:")), 0)
