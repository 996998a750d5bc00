"""The cluster's programs: started in order, ended in reverse, by pid and start time; containers are ended before."""

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from e2e.cluster import commands, credentials, files, network
from e2e.cluster.layout import ADDRESS, EMULATOR_PORT, NODE, Layout
from e2e.cluster.programs import ClusterError, Programs
from e2e.controlplane.binaries import kubernetes_version
from e2e.polling import eventually
from e2e.stack.layout import ACCOUNT_ID, ROOT
from e2e.toolchain import daemons

READY_SECONDS = 120.0
EMULATOR, FORWARDER = "route53-emulator", "route53-forwarder"
_CONTROL_PLANE = ("etcd", "kube-apiserver")
_NODE = ("containerd", "kube-controller-manager", "kube-scheduler", "kubelet", "dns", "kube-proxy")
_ENDS = ("kubelet", "dns", "kube-proxy", "kube-scheduler", "kube-controller-manager", FORWARDER, EMULATOR)

Say = Callable[[str], None]


def up(layout: Layout, programs: Programs, say: Say) -> None:
    """Start what does not run, and wait until the node is Ready. Raises ClusterError, DeadlineError."""
    began = time.monotonic()
    network.create()
    if not daemons.running("kube-apiserver", layout.pids):
        _prepare(layout)
    for name, command in commands.control_plane(programs, layout).items():
        _start(layout, name, command)
    eventually(lambda: api_is_ready(layout), within=READY_SECONDS, what="the API server")
    say(f"{time.monotonic() - began:5.1f} s  Kubernetes {kubernetes_version()} on {credentials.SERVER}")
    for name, command in commands.node(programs, layout).items():
        _start(layout, name, command)
    _emulator(layout)
    eventually(lambda: node_is_ready(layout), within=READY_SECONDS, what="the node Ready")
    say(f"{time.monotonic() - began:5.1f} s  node {NODE} Ready")


def down(layout: Layout) -> list[str]:
    """End containers and programs, and remove the network namespace; return the names of what ran."""
    ended = [name for name in _ENDS if daemons.stop_recorded(name, layout.pids)]
    if daemons.running("containerd", layout.pids):
        _end_containers(layout)
    rest = ("containerd", *reversed(_CONTROL_PLANE))
    ended += [name for name in rest if daemons.stop_recorded(name, layout.pids)]
    _unmount(layout.directory)
    network.remove()
    return ended


def status(layout: Layout) -> dict[str, bool]:
    """Return which programs run."""
    names = (*_CONTROL_PLANE, *_NODE, EMULATOR, FORWARDER)
    return {name: daemons.running(name, layout.pids) is not None for name in names}


def api_is_ready(layout: Layout) -> bool:
    """Whether the API server is ready, asked from inside its namespace."""
    return _inside_python(layout, "ready") == "True"


def node_is_ready(layout: Layout) -> bool:
    """Whether the node is Ready."""
    return _inside_python(layout, "node") == "True"


def ctr(layout: Layout, *arguments: str) -> str:
    """Run containerd's own client and return its output. Raises ClusterError."""
    command = ["ctr", "--address", str(layout.socket), "--namespace", "k8s.io", *arguments]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 — composed here
    if answer.returncode != 0:
        raise ClusterError(f"ctr {' '.join(arguments)}: {answer.stderr.strip()}")
    return answer.stdout


def _prepare(layout: Layout) -> None:
    down(layout)
    network.create()
    shutil.rmtree(layout.directory, ignore_errors=True)
    (layout.config("cni")).mkdir(parents=True)
    credentials.write(layout)
    texts = {
        "containerd.toml": files.containerd(layout),
        "cni/10-pods.conflist": files.cni(layout),
        "kubelet.json": files.kubelet(layout),
        "kube-proxy.json": files.kube_proxy(layout),
        "Corefile": files.corefile(layout),
        "resolv.conf": files.resolv_conf(),
    }
    for name, text in texts.items():
        layout.config(name).write_text(text)


def _start(layout: Layout, name: str, command: list[str]) -> None:
    if not daemons.running(name, layout.pids):
        daemons.start(name, network.inside(command), layout.pids, log=layout.log(name), cwd=ROOT)


def _emulator(layout: Layout) -> None:
    """Start Route 53 on the loopback address of the namespace, and what lets pods reach it by the node's address."""
    options = ["--port", str(EMULATOR_PORT), "--dns-port", "0", "--account-id", ACCOUNT_ID]
    options += ["--port-file", str(layout.emulator_ports)]
    _start(layout, EMULATOR, [sys.executable, "-m", "e2e.route53", *options])
    _start(layout, FORWARDER, [sys.executable, "-m", "e2e.cluster.forward", ADDRESS, str(EMULATOR_PORT)])


def _inside_python(layout: Layout, question: str) -> str:
    command = [sys.executable, "-m", "e2e.cluster.ask", str(layout.kubeconfig("admin")), question]
    answer = subprocess.run(  # noqa: S603 — composed here
        network.inside(command), capture_output=True, text=True, check=False, cwd=ROOT
    )
    return answer.stdout.strip()


def _end_containers(layout: Layout) -> None:
    for task in ctr(layout, "tasks", "list", "--quiet").split():
        for arguments in (
            ("tasks", "kill", "--signal", "SIGKILL", "--all", task),
            ("tasks", "delete", "--force", task),
        ):
            try:
                ctr(layout, *arguments)
            except ClusterError:  # it has ended meanwhile
                continue
    namespaces = set()
    for container in ctr(layout, "containers", "list", "--quiet").split():
        namespaces.add(network.of_container(ctr(layout, "containers", "info", container)))
        ctr(layout, "containers", "delete", container)
    network.remove_pods(one for one in namespaces if one is not None)


def _unmount(directory: Path) -> None:
    """Unmount what pods and containers have mounted below our directory, the innermost first."""
    lines = Path("/proc/self/mounts").read_text().splitlines()
    points = [line.split()[1] for line in lines]
    for point in sorted((one for one in points if one.startswith(f"{directory}/")), reverse=True):
        subprocess.run(["umount", "--lazy", point], check=False, capture_output=True)  # noqa: S603, S607 — our own mounts
