"""Certificates and kubeconfigs of the cluster's programs, signed by an authority of its own."""

from e2e.cluster.layout import ADDRESS, KUBERNETES, NODE, PORT, Layout
from e2e.controlplane.authority import LOCAL_HOSTS, Authority, write_signing_key
from e2e.controlplane.kubeconfig import write_certificate_kubeconfig

SERVER = f"https://{ADDRESS}:{PORT}"
_USERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "admin": ("admin", ("system:masters",)),
    "kube-controller-manager": ("system:kube-controller-manager", ()),
    "kube-scheduler": ("system:kube-scheduler", ()),
    "kube-proxy": ("system:kube-proxy", ()),
    "kubelet": (f"system:node:{NODE}", ("system:nodes",)),
}
"""Common name and groups of each client, by the name of its kubeconfig."""


def write(layout: Layout) -> None:
    """Write everything anew."""
    authority = Authority(layout.pki, "dnsapi cluster")
    write_signing_key(layout.pki)
    names = ("kubernetes", "kubernetes.default", "kubernetes.default.svc")
    authority.issue("server", "kube-apiserver", hosts=(*LOCAL_HOSTS, ADDRESS, KUBERNETES, *names))
    authority.issue("etcd", "etcd", hosts=LOCAL_HOSTS)
    for name, (common_name, groups) in _USERS.items():
        pair = authority.issue(name, common_name, groups=groups)
        path = layout.kubeconfig(name)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_certificate_kubeconfig(path, SERVER, authority.pair.certificate, pair)
