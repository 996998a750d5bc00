"""The command lines of etcd, kube-apiserver and kube-controller-manager (pure: paths and ports in, arguments out)."""

from pathlib import Path
from typing import NamedTuple

from e2e.controlplane.binaries import Binaries

AUDIT_POLICY = """\
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{level: Metadata}]
"""

# What dnsapi's promises need: namespaces end, owned objects are collected, service accounts exist.
CONTROLLERS = ",".join(
    (
        "namespace-controller",
        "garbage-collector-controller",
        "serviceaccount-controller",
        "clusterrole-aggregation-controller",  # who has the role `edit` of a namespace may publish records there
    )
)


class Ports(NamedTuple):
    """The three loopback ports of one control plane."""

    etcd_client: int
    etcd_peer: int
    apiserver: int


def etcd(binaries: Binaries, directory: Path, ports: Ports) -> list[str]:
    """One member with TLS on the client port. No fsync: its data need not survive the machine."""
    client, peer = f"https://127.0.0.1:{ports.etcd_client}", f"http://127.0.0.1:{ports.etcd_peer}"
    return [
        str(binaries.etcd),
        "--name=local",
        f"--data-dir={directory / 'etcd'}",
        f"--listen-client-urls={client}",
        f"--advertise-client-urls={client}",
        f"--listen-peer-urls={peer}",
        f"--initial-advertise-peer-urls={peer}",
        f"--initial-cluster=local={peer}",
        f"--cert-file={_pki(directory, 'etcd.crt')}",
        f"--key-file={_pki(directory, 'etcd.key')}",
        f"--trusted-ca-file={_pki(directory, 'ca.crt')}",
        "--client-cert-auth",
        "--unsafe-no-fsync",
        f"--quota-backend-bytes={4 * 1024**3}",
        "--auto-compaction-mode=periodic",
        "--auto-compaction-retention=10m",
        "--snapshot-count=10000",
        "--log-level=warn",
    ]


def apiserver(binaries: Binaries, directory: Path, ports: Ports, *, audit: bool, watch_cache: bool = True) -> list[str]:
    """RBAC, TLS and client certificates of our own authority; the admission plugins are the defaults."""
    arguments = [
        str(binaries.apiserver),
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        f"--secure-port={ports.apiserver}",
        "--endpoint-reconciler-type=none",
        "--service-cluster-ip-range=10.255.255.0/24",
        "--authorization-mode=RBAC",
        f"--client-ca-file={_pki(directory, 'ca.crt')}",
        f"--tls-cert-file={_pki(directory, 'server.crt')}",
        f"--tls-private-key-file={_pki(directory, 'server.key')}",
        f"--etcd-servers=https://127.0.0.1:{ports.etcd_client}",
        f"--etcd-cafile={_pki(directory, 'ca.crt')}",
        f"--etcd-certfile={_pki(directory, 'etcd.crt')}",
        f"--etcd-keyfile={_pki(directory, 'etcd.key')}",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={_pki(directory, 'service-accounts.pub')}",
        f"--service-account-signing-key-file={_pki(directory, 'service-accounts.key')}",
        "--event-ttl=1h",
        "--shutdown-delay-duration=0s",
        f"--watch-cache={str(watch_cache).lower()}",
    ]
    if audit:
        arguments += [
            f"--audit-policy-file={directory / 'audit-policy.yaml'}",
            f"--audit-log-path={directory / 'logs' / 'audit.log'}",
            "--audit-log-maxsize=4000",  # MB; the default of 100 would put the first half aside
        ]
    return arguments


def controller_manager(binaries: Binaries, directory: Path) -> list[str]:
    """Only the controllers that the promises need; no port is served."""
    return [
        str(binaries.controller_manager),
        f"--kubeconfig={directory / 'controller-manager.kubeconfig'}",
        f"--controllers={CONTROLLERS}",
        "--leader-elect=false",
        "--use-service-account-credentials=true",
        "--secure-port=0",
        "--kube-api-qps=200",
        "--kube-api-burst=400",
        "--concurrent-gc-syncs=4",
        "--concurrent-namespace-syncs=4",
    ]


def _pki(directory: Path, name: str) -> Path:
    return directory / "pki" / name
