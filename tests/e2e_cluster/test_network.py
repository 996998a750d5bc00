import json

import pytest

from e2e.cluster.network import of_container


@pytest.mark.parametrize(
    ("namespace", "name"),
    [
        ({"type": "network", "path": "/var/run/netns/cni-1"}, "cni-1"),
        ({"type": "network", "path": "/proc/1234/ns/net"}, None),
        ({"type": "network"}, None),
        ({"type": "pid", "path": "/var/run/netns/cni-1"}, None),
    ],
)
def test_the_network_namespace_of_a_pod_is_known_by_its_name(namespace: dict[str, str], name: str | None) -> None:
    info = json.dumps({"Spec": {"linux": {"namespaces": [{"type": "ipc"}, namespace]}}})

    assert of_container(info) == name
