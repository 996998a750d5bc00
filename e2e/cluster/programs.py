"""The programs of a node: from the control plane's cache, from Go modules, and from Debian's packages."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from e2e.cluster import PACKAGES
from e2e.controlplane import find_binaries
from e2e.controlplane.binaries import kubernetes_version
from e2e.toolchain.cache import cache_root, digest
from e2e.toolchain.gobuild import GoProgram, build, go_command

_HERE = Path(__file__).parent
BUILT = ("kube-scheduler", "kube-proxy", "kubelet")
DEBIAN = {"containerd": "containerd", "ctr": "containerd", "runc": "runc", "podman": "podman", "nft": "nftables"}
PLUGINS = Path("/usr/lib/cni")
_DNS = GoProgram("dns", _HERE / "dns", ".")


class ClusterError(RuntimeError):
    """The cluster cannot be brought up; the message says what to do."""


@dataclass(frozen=True)
class Programs:
    """Paths by name."""

    paths: dict[str, Path]

    def __getitem__(self, name: str) -> str:
        """Return the path of a program."""
        return str(self.paths[name])


def find() -> Programs:
    """Return all programs, building what is missing. Raises ClusterError, BinariesMissingError, ProgramError."""
    missing = sorted({package for name, package in DEBIAN.items() if shutil.which(name) is None})
    if missing or not (PLUGINS / "bridge").exists():
        raise ClusterError(f"install these packages first: apt-get install --yes {' '.join(PACKAGES)}")
    go = go_command()
    if go is None:
        raise ClusterError("the Go tool is needed to build a kubelet: https://go.dev/doc/install")
    plane = find_binaries()
    found = {"etcd": plane.etcd, "kube-apiserver": plane.apiserver, "kube-controller-manager": plane.controller_manager}
    found |= {name: Path(shutil.which(name) or name) for name in DEBIAN}
    found |= {program.name: build(program, _cache(program) / program.name, go) for program in (*_built(), _DNS)}
    return Programs(found)


def pause_program() -> Path:
    """Return the program of the sandbox image, built. Raises ClusterError, ProgramError."""
    go = go_command()
    if go is None:
        raise ClusterError("the Go tool is needed to build the sandbox image")
    program = GoProgram("pause", _HERE / "pause", ".")
    folder = cache_root() / "cluster" / digest([_HERE / "pause" / "go.mod", _HERE / "pause" / "main.go"])
    return build(program, folder / "pause", go)


def _built() -> tuple[GoProgram, ...]:
    version = kubernetes_version()
    if not re.search(rf"k8s\.io/kubernetes {re.escape(version)}\b", (_HERE / "kubernetes" / "go.mod").read_text()):
        raise ClusterError(f"e2e/cluster/kubernetes/go.mod pins another Kubernetes than {version}")
    flags = f"-s -w -X k8s.io/component-base/version.gitVersion={version}"
    module = _HERE / "kubernetes"
    return tuple(GoProgram(name, module, f"k8s.io/kubernetes/cmd/{name}", flags) for name in BUILT)


def _cache(program: GoProgram) -> Path:
    return cache_root() / "cluster" / digest(program.pins, program.ldflags)
