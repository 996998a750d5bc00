"""The three services as local processes: the chart's own command line, with only the addresses replaced."""

import sys
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from e2e.stack.layout import DUMMY_CREDENTIALS, ROOT, Layout
from e2e.toolchain import daemons
from e2e.toolchain.ports import free_ports

READY_SECONDS = 180.0


@dataclass(frozen=True)
class Service:
    """A service: its component in the chart, its Python module, and whether it speaks to AWS."""

    component: str
    module: str
    uses_aws: bool = False

    @property
    def name(self) -> str:
        """The name in logs, pid files and on the command line."""
        return self.module


CORE = Service("core", "core_controller")
ROUTE53 = Service("route53", "route53_controller", uses_aws=True)
WEBHOOK = Service("webhook", "webhook")
SERVICES = (CORE, ROUTE53, WEBHOOK)


@dataclass(frozen=True)
class Ports:
    """Loopback ports that stay the same when a service is started again."""

    health: Mapping[str, int]
    webhook: int

    @classmethod
    def pick(cls) -> "Ports":
        """Choose free ones."""
        *health, webhook = free_ports(len(SERVICES) + 1)
        return cls({service.name: port for service, port in zip(SERVICES, health, strict=True)}, webhook)


@dataclass(frozen=True)
class Runner:
    """Starts and ends services of one stack; `chart_arguments` are the containers' by service name."""

    layout: Layout
    ports: Ports
    chart_arguments: Mapping[str, Sequence[str]]
    endpoints: Mapping[str, str]
    extra: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def start(self, service: Service) -> daemons.Daemon:
        """Start a service, or return the one that runs."""
        if running := daemons.running(service.name, self.layout.pids):
            return running
        command = [sys.executable, "-m", service.module, *self.arguments(service)]
        return daemons.start(
            service.name,
            command,
            self.layout.pids,
            log=self.layout.log(service.name),
            env=self.environment(service),
            cwd=ROOT,
        )

    def arguments(self, service: Service) -> list[str]:
        """Return the command line: the chart's, with local addresses and files in place of the pod's."""
        local = {"--health-host": "127.0.0.1", "--health-port": str(self.ports.health[service.name])}
        if service is WEBHOOK:
            local |= {
                "--address": f"127.0.0.1:{self.ports.webhook}",
                "--tls-cert-file": str(self.layout.tls / "webhook" / "tls.crt"),
                "--tls-key-file": str(self.layout.tls / "webhook" / "tls.key"),
            }
        return [*replaced(self.chart_arguments[service.name], local), *self.extra.get(service.name, ())]

    def is_ready(self, service: Service) -> bool:
        """Whether `/readyz` of a service answers 200."""
        return http_ok(f"http://127.0.0.1:{self.ports.health[service.name]}/readyz")

    def metrics_url(self, service: Service) -> str:
        """Return where Prometheus would scrape a service."""
        return f"http://127.0.0.1:{self.ports.health[service.name]}/metrics"

    def environment(self, service: Service) -> dict[str, str]:
        """Return the whole environment of a service: its own token, and where AWS is if it speaks to AWS."""
        environment = {"PATH": "/usr/bin:/bin", "KUBECONFIG": str(self.layout.kubeconfig(service.name))}
        if service.uses_aws:
            environment |= DUMMY_CREDENTIALS | dict(self.endpoints)
        return environment


def replaced(arguments: Sequence[str], local: Mapping[str, str]) -> list[str]:
    """Return `--flag=value` arguments with the flags of `local` set to its values, added where they are missing."""
    kept = [argument for argument in arguments if argument.partition("=")[0] not in local]
    return [*kept, *(f"{flag}={value}" for flag, value in local.items())]


def http_ok(url: str) -> bool:
    """Whether a GET of a loopback URL answers 200 at once."""
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:  # noqa: S310 — a loopback URL of ours
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def log_tail(layout: Layout, name: str, lines: int = 15) -> str:
    """Return the last lines of a log, its path before them."""
    log = layout.log(name)
    content = log.read_text(errors="replace").splitlines()[-lines:] if log.exists() else ["(empty)"]
    return "\n".join([f"{log}:", *content])
