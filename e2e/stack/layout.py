"""Where the files of one local stack lie; everything is under one directory."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The checkout."""

SYSTEM_NAMESPACE = "dns-system"
"""The namespace of the services' accounts and leases."""

ACCOUNT_ID = "123456789012"
"""The AWS account that the emulator's STS answers for keys that it does not know."""

DUMMY_CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "AKIALOCALSTACKDUMMY0",
    "AWS_SECRET_ACCESS_KEY": "local-stack-dummy-of-a-secret-access-key",
    "AWS_REGION": "us-east-1",
    "AWS_DEFAULT_REGION": "us-east-1",  # version 1 of the AWS CLI knows this one alone
    "AWS_EC2_METADATA_DISABLED": "true",
}
"""What the emulator accepts; no real key is ever read or needed. They are like no other word, so that logs can be
searched for them."""


@dataclass(frozen=True)
class Layout:
    """Paths of a stack in `directory` (absolute)."""

    directory: Path

    @property
    def control_plane(self) -> Path:
        """Everything of etcd, kube-apiserver and kube-controller-manager."""
        return self.directory / "controlplane"

    @property
    def pids(self) -> Path:
        """The pid files of the emulator and the services."""
        return self.directory / "pids"

    @property
    def env(self) -> Path:
        """The shell file that says where everything is."""
        return self.directory / "env"

    @property
    def tls(self) -> Path:
        """The webhook's authority and certificate."""
        return self.directory / "tls"

    @property
    def emulator_ports(self) -> Path:
        """The emulator's port file."""
        return self.directory / "ports" / "route53.json"

    def log(self, name: str) -> Path:
        """Return the log of a service or of the emulator."""
        return self.directory / "logs" / f"{name}.log"

    def ports(self, service: str) -> Path:
        """Return the ports file that a service writes."""
        return self.directory / "ports" / f"{service}.json"

    def kubeconfig(self, service: str) -> Path:
        """Return the kubeconfig with a service's own token."""
        return self.directory / "kubeconfigs" / f"{service}.kubeconfig"
