import json
import tomllib
from pathlib import Path

from e2e.cluster import commands, files
from e2e.cluster.layout import ADDRESS, PODS, SERVICES, Layout
from e2e.cluster.programs import DEBIAN, Programs

LAYOUT = Layout(Path("/somewhere/cluster"))
NAMES = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubelet", "kube-proxy", "dns", *DEBIAN)
PROGRAMS = Programs({name: Path("/bin") / name for name in NAMES})


def test_containerd_keeps_everything_below_our_directory() -> None:
    config = tomllib.loads(files.containerd(LAYOUT))
    cri = config["plugins"]["io.containerd.grpc.v1.cri"]

    assert config["root"].startswith("/somewhere/cluster/")
    assert config["state"].startswith("/somewhere/cluster/")
    assert config["grpc"]["address"] == str(LAYOUT.socket)
    assert cri["containerd"]["runtimes"]["runc"]["options"] == {"SystemdCgroup": False}


def test_pods_get_addresses_of_their_range_and_names_from_the_node() -> None:
    bridge = json.loads(files.cni(LAYOUT))["plugins"][0]
    kubelet = json.loads(files.kubelet(LAYOUT))

    assert bridge["ipam"]["ranges"] == [[{"subnet": PODS}]]
    assert bridge["hairpinMode"] is True
    assert kubelet["clusterDNS"] == [ADDRESS]
    assert kubelet["authentication"]["anonymous"] == {"enabled": False}


def test_the_api_server_authorises_nodes_as_nodes() -> None:
    arguments = commands.apiserver(PROGRAMS, LAYOUT)

    assert "--authorization-mode=Node,RBAC" in arguments
    assert f"--service-cluster-ip-range={SERVICES}" in arguments


def test_programs_start_after_what_they_need() -> None:
    order = list(commands.control_plane(PROGRAMS, LAYOUT)) + list(commands.node(PROGRAMS, LAYOUT))

    assert order.index("etcd") < order.index("kube-apiserver") < order.index("kubelet")
    assert order.index("containerd") < order.index("kubelet")


def test_no_file_holds_a_key() -> None:
    texts = [files.containerd(LAYOUT), files.cni(LAYOUT), files.kubelet(LAYOUT), files.kube_proxy(LAYOUT)]

    assert not any("PRIVATE KEY" in text or "token" in text for text in texts)
