"""Addresses and paths of the cluster."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

NODE = "dnsapi-node"
"""Name of the node and of its network namespace."""
ADDRESS = "10.240.0.1"
"""The node's address, an extra one on its loopback interface."""
PORT = 6443
SERVICES = "10.96.0.0/16"
KUBERNETES = "10.96.0.1"
"""The address of the Service `kubernetes`."""
PODS = "10.244.0.0/24"
DOMAIN = "cluster.local"
PAUSE = "dnsapi.local/pause:1"
"""The image that holds a pod's network namespace."""
EMULATOR_PORT = 8053
SYSTEM = "dns-system"


@dataclass(frozen=True)
class Layout:
    """Paths below `directory` (absolute)."""

    directory: Path

    @property
    def pki(self) -> Path:
        """Keys and certificates."""
        return self.directory / "pki"

    @property
    def pids(self) -> Path:
        """The pid files."""
        return self.directory / "pids"

    @property
    def runtime(self) -> Path:
        """What lasts no longer than the machine runs, at a short path.

        However deep the directory lies: the path of a socket has 107 characters at most, that of podman's runroot 50.
        """
        return Path("/run") / f"dnsapi-{sha256(str(self.directory).encode()).hexdigest()[:8]}"

    @property
    def socket(self) -> Path:
        """Where containerd listens."""
        return self.runtime / "containerd.sock"

    @property
    def emulator_ports(self) -> Path:
        """The emulator's port file."""
        return self.directory / "route53.json"

    @property
    def storage(self) -> Path:
        """What podman keeps; it stays when the cluster ends."""
        return self.directory.parent / "cluster-images"

    def kubeconfig(self, name: str) -> Path:
        """Return the kubeconfig of a component, or of `admin`."""
        return self.directory / "kubeconfigs" / f"{name}.kubeconfig"

    def config(self, name: str) -> Path:
        """Return a configuration file."""
        return self.directory / "config" / name

    def log(self, name: str) -> Path:
        """Return the log of a program."""
        return self.directory / "logs" / f"{name}.log"
