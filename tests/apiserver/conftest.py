"""A real API server for the whole session: started once, in a temporary directory, ended at the session's end."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.controlplane import ControlPlane, find_binaries
from e2e.kube import Kube


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder needs the API server: `-m "not apiserver"` leaves it out."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.apiserver)


@pytest.fixture(scope="session")
def control_plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    """A fresh control plane (etcd, kube-apiserver, kube-controller-manager) of this session's own."""
    plane = ControlPlane.start(tmp_path_factory.mktemp("controlplane") / "plane", find_binaries())
    try:
        yield plane
    finally:
        plane.stop()


@pytest.fixture(scope="session")
def kubeconfig(control_plane: ControlPlane) -> Path:
    """The administrator's kubeconfig."""
    return control_plane.kubeconfig


@pytest.fixture(scope="session")
def kube(kubeconfig: Path) -> Iterator[Kube]:
    """A plain client on JSON documents with the administrator's rights."""
    client = Kube(kubeconfig)
    try:
        yield client
    finally:
        client.close()
