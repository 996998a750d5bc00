"""Bring a stack up from nothing: the steps in order. Slow outside programs start first and are waited for late."""

import json
import os
import shutil
import sys
import time
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from e2e.controlplane import ControlPlane, find_binaries
from e2e.controlplane.authority import LOCAL_HOSTS, Authority
from e2e.kube import Document, Kube
from e2e.route53.remote import Remote
from e2e.stack import charts, installation
from e2e.stack.layout import ACCOUNT_ID, ROOT, SYSTEM_NAMESPACE, Layout
from e2e.stack.services import READY_SECONDS, SERVICES, Ports, Runner, Service, log_tail
from e2e.stack.stack import EMULATOR, Stack, StackError, endpoints
from e2e.toolchain import daemons

Say = Callable[[str], None]

SOURCES = (
    *(f"gateway-{kind}" for kind in ("httproute", "grpcroute", "tlsroute", "tcproute", "udproute")),
    *("service", "ingress", "crd", "istio-gateway", "istio-virtualservice"),
)
"""What the sources read, which the suite starts with the rights of their account."""
REFERENCES = ({"apiGroups": ["example.net"], "resources": ["frontdoors"]},)
"""What target-from refers to in the examples."""
SECRET_NAMESPACES = ("team-b",)
"""Where identities of the examples have their keys."""

_POLL_SECONDS = 0.05
_ATTEMPTS = 3


def up(directory: Path, say: Say) -> Stack:
    """Return the stack that runs in `directory`, else start a fresh one there.

    Raises StackError, ControlPlaneError, BinariesMissingError, ChartError, HelmMissingError.
    """
    if found := Stack.find(directory):
        say("the local stack runs already")
        return found
    Stack.down(directory)
    for leftover in ("logs", "ports", "pids"):
        shutil.rmtree(directory / leftover, ignore_errors=True)
    try:
        return _Bringup(Layout(directory), say).run()
    except BaseException:
        Stack.down(directory)
        raise


class _Bringup:
    def __init__(self, layout: Layout, say: Say) -> None:
        self._layout = layout
        self._say = say
        self._started = time.monotonic()

    def run(self) -> Stack:
        binaries = find_binaries()
        rendered = charts.render(self._values(), self._layout.directory / "values.json")
        self._start_emulator()
        audit = os.environ.get("DNSAPI_AUDIT") == "1"
        plane = ControlPlane.start(self._layout.control_plane, binaries, audit=audit)
        self._step(f"control plane on {plane.server}")
        kube = Kube(plane.kubeconfig)
        try:
            self._install(kube, rendered)
            stack = self._start_services(plane, rendered, self._emulator())
            installation.admission(kube, rendered.webhooks(f"127.0.0.1:{stack.runner.ports.webhook}"))
        finally:
            kube.close()
        self._step("admission webhook in force")
        stack.save()
        return stack

    def _step(self, text: str) -> None:
        self._say(f"{time.monotonic() - self._started:5.1f} s  {text}")

    def _values(self) -> Document:
        """Chart values: a certificate of our own, and changes looked at as often as the emulator is fast.

        Credentials that work are not checked again while a run lasts: tests count the calls.
        """
        authority = Authority(self._layout.tls, "dnsapi local webhook")
        pair = authority.issue("webhook", "dnsapi-webhook", hosts=LOCAL_HOSTS)
        served = self._layout.tls / "webhook"
        served.mkdir(exist_ok=True)
        shutil.copy(pair.certificate, served / "tls.crt")
        shutil.copy(pair.key, served / "tls.key")
        bundle = b64encode(authority.bundle).decode()
        return {
            "webhook": {"tls": {"mode": "secret", "secretName": "local", "caBundle": bundle}},
            "sources": {
                "enabled": True,
                "managed": {"enabled": True},
                "references": list(REFERENCES),
                "settings": {"source": list(SOURCES)},
            },
            "route53": {
                "settings": {
                    "changePollInitial": "500ms",
                    "credentialCheckInterval": "1h",
                    "secretNamespaces": list(SECRET_NAMESPACES),
                }
            },
        }

    def _start_emulator(self) -> None:
        self._layout.emulator_ports.parent.mkdir(parents=True, exist_ok=True)
        options = ["--port", "0", "--dns-port", "0", "--port-file", str(self._layout.emulator_ports)]
        daemons.start(
            EMULATOR,
            [sys.executable, "-m", "e2e.route53", *options, "--account-id", ACCOUNT_ID],
            self._layout.pids,
            log=self._layout.log(EMULATOR),
            cwd=ROOT,
        )

    def _emulator(self) -> Remote:
        await_daemon(self._layout, EMULATOR, self._layout.emulator_ports.exists)
        addresses = json.loads(self._layout.emulator_ports.read_text())
        self._step(f"Route 53 emulator on {addresses['http']}, DNS on {addresses['dns']}")
        return Remote(addresses["http"], addresses["dns"])

    def _install(self, kube: Kube, rendered: charts.Rendered) -> None:
        definitions = charts.custom_resource_definitions()
        installation.definitions(kube, definitions)
        for namespace in (SYSTEM_NAMESPACE, *SECRET_NAMESPACES):
            kube.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
        installation.rights(kube, rendered.rights())
        kube.apply_all(rendered.providers())
        self._step(f"{len(definitions)} CRDs, access rights, the built-in Provider")

    def _start_services(self, plane: ControlPlane, rendered: charts.Rendered, emulator: Remote) -> Stack:
        arguments = {service.name: rendered.arguments(service.component) for service in SERVICES}
        for service in SERVICES:
            account = rendered.account(service.component)
            plane.kubeconfig_for(SYSTEM_NAMESPACE, account, self._layout.kubeconfig(service.name))
        runner = self._ready_runner(arguments, endpoints(emulator.http))
        self._step(f"{', '.join(service.name for service in SERVICES)} ready")
        return Stack(self._layout, plane, emulator, runner)

    def _ready_runner(self, arguments: Mapping[str, Sequence[str]], found: Mapping[str, str]) -> Runner:
        """Start the services at free ports, at others where somebody took one meanwhile."""
        for attempt in range(1, _ATTEMPTS + 1):
            runner = Runner(self._layout, Ports.pick(), arguments, found)
            try:
                start_all(runner)
            except StackError as error:
                if attempt == _ATTEMPTS or "address already in use" not in str(error):
                    raise
                for service in SERVICES:
                    daemons.stop_recorded(service.name, self._layout.pids)
                    self._layout.log(service.name).unlink(missing_ok=True)
            else:
                return runner
        raise AssertionError("unreachable")


def start_all(runner: Runner) -> None:
    """Start all services and wait until they are ready. Raises StackError."""
    for service in SERVICES:
        runner.start(service)
    for service in SERVICES:
        await_service(runner, service)


def await_service(runner: Runner, service: Service) -> None:
    """Wait until a service is ready. Raises StackError where it ends, or takes too long."""
    await_daemon(runner.layout, service.name, lambda: runner.is_ready(service))


def await_daemon(layout: Layout, name: str, ready: Callable[[], bool]) -> None:
    """Wait until `ready`. Raises StackError where the program ends, or takes too long."""
    deadline = time.monotonic() + READY_SECONDS
    while not ready():
        alive = daemons.running(name, layout.pids)
        if not alive or time.monotonic() > deadline:
            verdict = f"is not ready after {READY_SECONDS:g} s" if alive else "ended"
            raise StackError(f"{name} {verdict}:\n{log_tail(layout, name)}")
        time.sleep(_POLL_SECONDS)
