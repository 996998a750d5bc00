"""Two replicas of each controller, kept running as a kubelet would: what ends is started again."""

import http.client
import json
import os
import signal
import sys
import urllib.request
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import yaml
from prometheus_client.parser import text_string_to_metric_families

from e2e.kube import Document
from e2e.stack import CORE, ROUTE53, WEBHOOK, Service, Stack
from e2e.stack.layout import ROOT
from e2e.stack.services import replaced
from e2e.toolchain import daemons

SECOND = "-second"
EXPIRED = ("Expired", "Gone")
"""The reasons with which an API server says that it has forgotten a resource version."""
ASK_SECONDS = 2.0


@dataclass(frozen=True)
class Replica:
    """One process of a service, by the name of its pid file."""

    service: Service
    name: str

    @property
    def is_second(self) -> bool:
        """Whether it is the one that the stack does not know of."""
        return self.name.endswith(SECOND)


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
    _expired: dict[tuple[str, int | None], float] = field(default_factory=dict)

    def keep(self) -> None:
        """Start what does not run and should."""
        for replica in REPLICAS:
            if replica.name not in self.down and self.pid(replica.name) is None:
                self.start(replica)

    def reach_api_server_at(self, port: int) -> None:
        """Have every process, from its next start on, reach the API server at this loopback port; end all that run."""
        for service in {replica.service for replica in REPLICAS}:
            file = self.stack.layout.kubeconfig(service.name)
            document = yaml.safe_load(file.read_text())
            for entry in document["clusters"]:
                entry["cluster"]["server"] = f"https://127.0.0.1:{port}"
            file.write_text(yaml.safe_dump(document))
        for replica in REPLICAS:
            daemons.stop_recorded(replica.name, self.stack.layout.pids)

    def pid(self, name: str) -> int | None:
        """Return the pid of a replica by its name, None while it does not run."""
        running = daemons.running(name, self.stack.layout.pids)
        return running.pid if running else None

    def start(self, replica: Replica) -> None:
        """Start a replica that does not run."""
        runner = self.stack.runner
        if not replica.is_second:
            runner.start(replica.service)
            return
        ports = self.stack.layout.ports(replica.name)
        ports.unlink(missing_ok=True)
        own = {"--health-port": "0", "--ports-file": str(ports)}
        daemons.start(
            replica.name,
            [sys.executable, "-m", replica.service.module, *replaced(runner.arguments(replica.service), own)],
            self.stack.layout.pids,
            log=self.stack.layout.log(replica.name),
            env=runner.environment(replica.service),
            cwd=ROOT,
        )

    def kill(self, replica: Replica) -> int | None:
        """End a process without a word; return which, None where none ran."""
        running = daemons.running(replica.name, self.stack.layout.pids)
        if running:
            daemons.kill(running)
        self.paused.discard(replica.name)
        return running.pid if running else None

    def dismiss(self, replica: Replica) -> None:
        """Ask a process to end, as a rolling update does, and wait until it has."""
        if running := daemons.running(replica.name, self.stack.layout.pids):
            daemons.stop(running)
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
            if replica.is_second:
                daemons.stop_recorded(replica.name, self.stack.layout.pids)

    def leader(self, service: Service) -> Replica | None:
        """Return the replica that says that it leads, None where none does or can be asked."""
        leads = (one for one in replicas_of(service) if self.sample(one, "leader_election_master_status"))
        return next(leads, None)

    def expired_watches(self) -> float:
        """Return how often a replica's list or watch has expired so far, those that run no more included."""
        for replica in REPLICAS:
            found = sum(self.sample(replica, "dnsapi_informer_failures_total", reason=reason) for reason in EXPIRED)
            process = (replica.name, self.pid(replica.name))
            self._expired[process] = max(found, self._expired.get(process, 0.0))
        return sum(self._expired.values())

    def sample(self, replica: Replica, name: str, **labels: str) -> float:
        """Return the sum of a metric's samples that have these labels."""
        samples = (
            sample
            for family in text_string_to_metric_families(self._ask(replica, "/metrics"))
            for sample in family.samples
        )
        return sum(one.value for one in samples if one.name == name and labels.items() <= one.labels.items())

    def debug_page(self, replica: Replica) -> Document | None:
        """Return what a process says of itself, None where it does not answer."""
        text = self._ask(replica, "/debug")
        page: Document | None = json.loads(text) if text else None
        return page

    def _ask(self, replica: Replica, path: str) -> str:
        """GET a path of a replica's health port; "" where it does not answer, as a paused one does not."""
        if replica.name in self.paused:
            return ""
        try:
            address = f"http://127.0.0.1:{self._health_port(replica)}{path}"
            with urllib.request.urlopen(address, timeout=ASK_SECONDS) as answer:
                return str(answer.read().decode())
        except (OSError, http.client.HTTPException, ValueError, KeyError):
            return ""

    def _health_port(self, replica: Replica) -> int:
        if not replica.is_second:
            return self.stack.runner.ports.health[replica.service.name]
        return int(json.loads(self.stack.layout.ports(replica.name).read_text())["health"])


def replicas_of(service: Service) -> Sequence[Replica]:
    """Return the replicas of a service."""
    return [one for one in REPLICAS if one.service is service]
