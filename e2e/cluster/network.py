"""The network namespace of the cluster: no route leads out of it, so nothing in it reaches anybody."""

import json
import subprocess
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from e2e.cluster.layout import ADDRESS, NODE, SERVICES
from e2e.cluster.programs import ClusterError

_FILE = Path("/run/netns") / NODE


def create() -> None:
    """Make the namespace with the node's address, and forwarding for pods. Raises ClusterError."""
    if _FILE.exists():
        return
    _run(["ip", "netns", "add", NODE])
    _run(inside(["ip", "link", "set", "lo", "up"]))
    _run(inside(["ip", "address", "add", f"{ADDRESS}/32", "dev", "lo"]))
    _run(inside(["ip", "route", "add", SERVICES, "dev", "lo"]))  # else ClusterIPs are unreachable from the node itself
    _run(inside(["sysctl", "-qw", "net.ipv4.ip_forward=1"]))


def remove() -> None:
    """Remove the namespace; what is left in it loses its network."""
    if _FILE.exists():
        with suppress(ClusterError):
            _run(["ip", "netns", "delete", NODE])


def of_container(info: str) -> str | None:
    """Return the name of the network namespace that a container is in, from what `ctr containers info` says of it."""
    namespaces = json.loads(info)["Spec"]["linux"]["namespaces"]
    paths = [one["path"] for one in namespaces if one["type"] == "network" and one.get("path")]
    return next((Path(path).name for path in paths if Path(path).parent.name == "netns"), None)


def remove_pods(names: Iterable[str]) -> None:
    """Remove the namespaces of pods that ended with their cluster; nobody else would."""
    for name in names:
        with suppress(ClusterError):  # it went with its pod
            _run(["ip", "netns", "delete", name])


def inside(command: Sequence[str]) -> list[str]:
    """Return the command that runs another one in the namespace (`ip netns exec` would hide the cgroups)."""
    return ["nsenter", f"--net={_FILE}", *command]


def _run(command: Sequence[str]) -> None:
    answer = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 — composed here
    if answer.returncode != 0:
        raise ClusterError(f"{' '.join(command)}: {answer.stderr.strip()}")
