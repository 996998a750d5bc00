"""`python -m e2e.cluster starts`: how long an image takes from the command to run it until its service answers.

By the cluster's containerd and against its API server, with a read-only root, as in a pod. Controllers wait for the
lease that the cluster's own pods hold, so nothing is done twice. Runs inside of the cluster's network namespace.
"""

import http.client
import os
import subprocess
import sys
import time
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import median

from e2e.cluster import images
from e2e.cluster.layout import SYSTEM, Layout
from e2e.cluster.node import ctr
from e2e.cluster.programs import ClusterError
from e2e.stack.layout import DUMMY_CREDENTIALS

PORT = 18080
TIMES = 5
WITHIN_SECONDS = 60.0
_POLL_SECONDS = 0.01
USER = 65532
_MODULES = {"core": "core_controller", "route53": "route53_controller", "webhook": "webhook"}
_ARGUMENTS = {
    "core": [f"--lease-namespace={SYSTEM}"],
    "route53": [f"--lease-namespace={SYSTEM}"],
    "webhook": [
        "--no-leader-elect",
        "--address=127.0.0.1:19443",
        "--self-signed",
        f"--self-signed-secret={SYSTEM}/dnsapi-webhook-tls",
        f"--self-signed-names=dnsapi-webhook.{SYSTEM}.svc",
    ],
}


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds from the command until /healthz and /readyz answer with 200; its processor time until then."""

    healthy: float
    ready: float
    processor: float


def measured(layout: Layout, component: str, times: int = TIMES) -> Start:
    """Return the medians of that many starts. Raises ClusterError where a service does not get ready."""
    found = [_once(layout, component) for _ in range(times)]
    return Start(*(median(getattr(one, field.name) for one in found) for field in fields(Start)))


def _once(layout: Layout, component: str) -> Start:
    name = f"start-{component}"
    began = time.monotonic()
    running = subprocess.Popen(_command(layout, component, name), stdout=subprocess.DEVNULL)  # noqa: S603 — composed here
    try:
        return Start(_answered("/healthz") - began, _answered("/readyz") - began, _processor_time(layout, name))
    finally:
        ctr(layout, "tasks", "kill", "--signal", "SIGTERM", name)
        running.wait()


def _command(layout: Layout, component: str, name: str) -> list[str]:
    mount = f"type=bind,src={_kubeconfig(layout)},dst=/kubeconfig,options=rbind:ro"
    options = ["--rm", "--net-host", "--read-only", f"--mount={mount}", "--mount=type=tmpfs,dst=/tmp,options=rw"]
    options += [f"--env={key}={value}" for key, value in DUMMY_CREDENTIALS.items()]
    service = ["python", "-m", _MODULES[component], f"--health-port={PORT}", "--kubeconfig=/kubeconfig"]
    container = [images.name(component), name, *service, *_ARGUMENTS[component]]
    return ["ctr", f"--address={layout.socket}", "--namespace=k8s.io", "run", *options, *container]


def _kubeconfig(layout: Layout) -> Path:
    """Return a copy of the administrator's kubeconfig that the image's user alone can read."""
    copy = layout.config("starts.kubeconfig")
    copy.touch(mode=0o600)
    copy.write_text(layout.kubeconfig("admin").read_text())
    os.chown(copy, USER, USER)
    return copy


def _processor_time(layout: Layout, name: str) -> float:
    """Return the seconds of user and system time that the container's first process has taken."""
    lines = [line.split() for line in ctr(layout, "tasks", "list").splitlines()]
    pid = next(line[1] for line in lines if line[0] == name)
    times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


def _answered(path: str) -> float:
    """Ask until the answer is 200, and return when that was."""
    deadline = time.monotonic() + WITHIN_SECONDS
    while time.monotonic() < deadline:
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=5)
        try:
            connection.request("GET", path)
            if connection.getresponse().status == http.client.OK:
                return time.monotonic()
        except OSError:
            time.sleep(_POLL_SECONDS)
        finally:
            connection.close()
    raise ClusterError(f"{path} did not answer within {WITHIN_SECONDS:.0f} s")


def main(directory: str) -> int:
    """Print a line for each image."""
    for component in images.COMPONENTS:
        start = measured(Layout(Path(directory)), component)
        times = f"healthy {start.healthy:.2f} s, ready {start.ready:.2f} s, processor {start.processor:.2f} s"
        sys.stdout.write(f"{component:8} {times} (median of {TIMES})\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
