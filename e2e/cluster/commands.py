"""The command lines of the cluster's programs, in the order in which they start (pure)."""

from e2e.cluster.layout import ADDRESS, NODE, PORT, SERVICES, Layout
from e2e.cluster.programs import Programs

_ETCD = "https://127.0.0.1:2379"
_PEER = "http://127.0.0.1:2380"


def control_plane(programs: Programs, layout: Layout) -> dict[str, list[str]]:
    """Return etcd and the API server."""
    return {"etcd": etcd(programs, layout), "kube-apiserver": apiserver(programs, layout)}


def node(programs: Programs, layout: Layout) -> dict[str, list[str]]:
    """Return what runs pods, and what tells it to."""
    kubeconfig = {
        name: f"--kubeconfig={layout.kubeconfig(name)}"
        for name in ("kube-controller-manager", "kube-scheduler", "kubelet")
    }
    pki = layout.pki
    return {
        "containerd": [programs["containerd"], f"--config={layout.config('containerd.toml')}"],
        "kube-controller-manager": [
            programs["kube-controller-manager"],
            kubeconfig["kube-controller-manager"],
            "--leader-elect=false",
            "--use-service-account-credentials=true",
            f"--root-ca-file={pki / 'ca.crt'}",
            f"--service-account-private-key-file={pki / 'service-accounts.key'}",
            "--bind-address=127.0.0.1",
        ],
        "kube-scheduler": [
            programs["kube-scheduler"],
            kubeconfig["kube-scheduler"],
            "--leader-elect=false",
            "--bind-address=127.0.0.1",
        ],
        "kubelet": [
            programs["kubelet"],
            kubeconfig["kubelet"],
            f"--config={layout.config('kubelet.json')}",
            f"--root-dir={layout.directory / 'kubelet'}",
            f"--cert-dir={layout.directory / 'kubelet-pki'}",
            f"--hostname-override={NODE}",
            f"--node-ip={ADDRESS}",
        ],
        "dns": [programs["dns"], "-conf", str(layout.config("Corefile"))],
        "kube-proxy": [programs["kube-proxy"], f"--config={layout.config('kube-proxy.json')}"],
    }


def etcd(programs: Programs, layout: Layout) -> list[str]:
    """One member; its data need not survive the machine."""
    pki = layout.pki
    return [
        programs["etcd"],
        "--name=node",
        f"--data-dir={layout.directory / 'etcd'}",
        f"--listen-client-urls={_ETCD}",
        f"--advertise-client-urls={_ETCD}",
        f"--listen-peer-urls={_PEER}",
        f"--initial-advertise-peer-urls={_PEER}",
        f"--initial-cluster=node={_PEER}",
        f"--cert-file={pki / 'etcd.crt'}",
        f"--key-file={pki / 'etcd.key'}",
        f"--trusted-ca-file={pki / 'ca.crt'}",
        "--client-cert-auth",
        "--unsafe-no-fsync",
        "--log-level=warn",
    ]


def apiserver(programs: Programs, layout: Layout) -> list[str]:
    """Nodes are authorised as nodes, everybody else by RBAC; the admission plugins are the defaults."""
    pki = layout.pki
    return [
        programs["kube-apiserver"],
        f"--advertise-address={ADDRESS}",
        "--bind-address=0.0.0.0",
        f"--secure-port={PORT}",
        f"--service-cluster-ip-range={SERVICES}",
        "--authorization-mode=Node,RBAC",
        "--enable-admission-plugins=NodeRestriction",
        f"--client-ca-file={pki / 'ca.crt'}",
        f"--tls-cert-file={pki / 'server.crt'}",
        f"--tls-private-key-file={pki / 'server.key'}",
        f"--etcd-servers={_ETCD}",
        f"--etcd-cafile={pki / 'ca.crt'}",
        f"--etcd-certfile={pki / 'etcd.crt'}",
        f"--etcd-keyfile={pki / 'etcd.key'}",
        f"--kubelet-client-certificate={pki / 'admin.crt'}",
        f"--kubelet-client-key={pki / 'admin.key'}",
        "--kubelet-preferred-address-types=InternalIP",
        "--service-account-issuer=https://kubernetes.default.svc",
        f"--service-account-key-file={pki / 'service-accounts.pub'}",
        f"--service-account-signing-key-file={pki / 'service-accounts.key'}",
    ]
