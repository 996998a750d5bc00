"""A local stack: find the running one, take parts of it down and up again, end what was started."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from e2e.controlplane import ControlPlane
from e2e.kube import Kube
from e2e.route53.remote import Remote
from e2e.stack.layout import ACCOUNT_ID, DUMMY_CREDENTIALS, Layout
from e2e.stack.services import SERVICES, Ports, Runner, Service
from e2e.toolchain import daemons

EMULATOR = "route53-emulator"


class StackError(RuntimeError):
    """The stack did not come up, or is not there; the message says which part, with the end of its log."""


@dataclass(frozen=True)
class Stack:
    """A running stack."""

    layout: Layout
    control_plane: ControlPlane
    emulator: Remote
    runner: Runner

    @classmethod
    def find(cls, directory: Path) -> "Stack | None":
        """Return the stack of `directory` if every part of it runs."""
        layout = Layout(directory)
        names = (EMULATOR, *(service.name for service in SERVICES))
        if not all(daemons.running(name, layout.pids) for name in names):
            return None
        plane = ControlPlane.find(layout.control_plane)
        return cls._read(layout, plane) if plane else None

    @classmethod
    def open(cls, directory: Path) -> "Stack":
        """Return the stack of `directory` even if a service is down at the moment.

        Raises StackError where its control plane does not run.
        """
        layout = Layout(directory)
        plane = ControlPlane.find(layout.control_plane)
        if plane is None:
            raise StackError(f"no local stack runs in {directory}: start one with `make up`")
        return cls._read(layout, plane)

    @classmethod
    def down(cls, directory: Path) -> list[str]:
        """End what was started in `directory`, services first; return the names of what ran.

        Whatever has a pid file here goes, so that second replicas of a run that was cut short go too.
        """
        layout = Layout(directory)
        others = [name for name in daemons.names(layout.pids) if name != EMULATOR]
        ended = [name for name in (*others, EMULATOR) if daemons.stop_recorded(name, layout.pids)]
        if ControlPlane.stop_in(layout.control_plane):
            ended.append("control plane")
        layout.env.unlink(missing_ok=True)
        return ended

    @classmethod
    def _read(cls, layout: Layout, plane: ControlPlane) -> "Stack":
        state = json.loads((layout.directory / "stack.json").read_text())
        addresses = json.loads(layout.emulator_ports.read_text())
        runner = Runner(layout, Ports(**state["ports"]), state["arguments"], endpoints(addresses["http"]))
        return cls(layout, plane, Remote(addresses["http"], addresses["dns"]), runner)

    def save(self) -> None:
        """Write what `find` reads, and the shell file that says where everything is."""
        state = {"ports": asdict(self.runner.ports), "arguments": self.runner.chart_arguments}
        (self.layout.directory / "stack.json").write_text(json.dumps(state))
        lines = [f"export {name}='{value}'" for name, value in self.environment().items()]
        self.layout.env.write_text("\n".join(["# Written by the local stack; source it in a shell.", *lines, ""]))

    def kube(self) -> Kube:
        """Return a client with the administrator's rights."""
        return Kube(self.control_plane.kubeconfig)

    def kill(self, service: Service) -> None:
        """SIGKILL a service, as a crash would."""
        if running := daemons.running(service.name, self.layout.pids):
            daemons.kill(running)

    def environment(self) -> dict[str, str]:
        """Return what the file `env` exports."""
        metrics = {f"{one.component.upper()}_METRICS_URL": self.runner.metrics_url(one) for one in SERVICES}
        return {
            "KUBECONFIG": str(self.control_plane.kubeconfig),
            **endpoints(self.emulator.http),
            "AWS_ACCOUNT_ID": ACCOUNT_ID,
            **DUMMY_CREDENTIALS,
            "DNS_ADDRESS": self.emulator.dns,
            "ROUTE53_EMULATOR_URL": self.emulator.http,
            "DNSAPI_STACK": str(self.layout.directory),
            **metrics,
        }


def endpoints(url: str) -> Mapping[str, str]:
    """Return the variables that point an AWS SDK at the emulator."""
    return {"AWS_ENDPOINT_URL_ROUTE_53": url, "AWS_ENDPOINT_URL_STS": url}
