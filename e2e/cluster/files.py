"""The configuration files of a node (pure: paths in, text out)."""

import json

from e2e.cluster.layout import ADDRESS, DOMAIN, NODE, PAUSE, PODS, Layout
from e2e.cluster.programs import PLUGINS


def containerd(layout: Layout) -> str:
    """No systemd, overlayfs, everything below our own directory."""
    cri = 'plugins."io.containerd.grpc.v1.cri"'
    return "\n".join(
        [
            "version = 2",
            f'root = "{layout.directory}/containerd"',
            f'state = "{layout.directory}/containerd-state"',
            "[grpc]",
            f'  address = "{layout.socket}"',
            f"[{cri}]",
            f'  sandbox_image = "{PAUSE}"',
            "  restrict_oom_score_adj = true",
            f"[{cri}.containerd]",
            '  snapshotter = "overlayfs"',
            '  default_runtime_name = "runc"',
            f"[{cri}.containerd.runtimes.runc]",
            '  runtime_type = "io.containerd.runc.v2"',
            f"[{cri}.containerd.runtimes.runc.options]",
            "  SystemdCgroup = false",
            f"[{cri}.cni]",
            f'  bin_dir = "{PLUGINS}"',
            f'  conf_dir = "{layout.config("cni")}"',
            "",
        ]
    )


def cni(layout: Layout) -> str:
    """One bridge, addresses from one range, hairpins for a pod that calls its own Service."""
    bridge = {
        "type": "bridge",
        "bridge": "cni0",
        "isGateway": True,
        "hairpinMode": True,
        "ipam": {
            "type": "host-local",
            "ranges": [[{"subnet": PODS}]],
            "routes": [{"dst": "0.0.0.0/0"}],
            "dataDir": str(layout.directory / "addresses"),
        },
    }
    plugins = [bridge, {"type": "portmap", "capabilities": {"portMappings": True}}]
    return json.dumps({"cniVersion": "0.4.0", "name": "pods", "plugins": plugins}, indent=2)


def kubelet(layout: Layout) -> str:
    """No systemd, no eviction, no limits of the node: what runs here is small."""
    none = {"memory.available": "20Mi", "nodefs.available": "1%", "imagefs.available": "1%", "nodefs.inodesFree": "1%"}
    config = {
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        "authentication": {
            "anonymous": {"enabled": False},
            "webhook": {"enabled": True},
            "x509": {"clientCAFile": str(layout.pki / "ca.crt")},
        },
        "authorization": {"mode": "Webhook"},
        "cgroupDriver": "cgroupfs",
        "clusterDNS": [ADDRESS],
        "clusterDomain": DOMAIN,
        "containerRuntimeEndpoint": f"unix://{layout.socket}",
        "enforceNodeAllocatable": [],
        "evictionHard": none,
        "failCgroupV1": False,
        "failSwapOn": False,
        "localStorageCapacityIsolation": False,
        "logging": {"verbosity": 1},
        "resolvConf": str(layout.config("resolv.conf")),
    }
    return json.dumps(config, indent=2)


def corefile(layout: Layout) -> str:
    """Names of Services and pods, for pods; every other name does not exist here."""
    source = f"kubernetes {DOMAIN} {{\n    kubeconfig {layout.kubeconfig('admin')}\n  }}"
    return f".:53 {{\n  bind {ADDRESS}\n  errors\n  cache 5\n  {source}\n}}\n"


def resolv_conf() -> str:
    """Return what the node itself asks: the cluster's DNS, never the machine's."""
    return f"nameserver {ADDRESS}\n"


def kube_proxy(layout: Layout) -> str:
    """Services by nftables."""
    config = {
        "apiVersion": "kubeproxy.config.k8s.io/v1alpha1",
        "kind": "KubeProxyConfiguration",
        "clientConnection": {"kubeconfig": str(layout.kubeconfig("kube-proxy"))},
        "clusterCIDR": PODS,
        "conntrack": {"maxPerCore": 0},
        "hostnameOverride": NODE,
        "mode": "nftables",
    }
    return json.dumps(config, indent=2)
