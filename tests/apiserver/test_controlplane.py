"""The local control plane is a real one: RBAC, namespace deletion, garbage collection, several side by side."""

from pathlib import Path

import pytest

from e2e.controlplane import ControlPlane, find_binaries
from e2e.kube import Document, Kube, KubeError
from e2e.polling import eventually


def _namespace(kube: Kube, name: str) -> None:
    kube.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})


def _config_map(namespace: str, name: str, **metadata: object) -> Document:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"namespace": namespace, "name": name, **metadata},
    }


def test_a_service_account_has_only_the_rights_that_it_was_given(
    control_plane: ControlPlane, kube: Kube, tmp_path: Path
) -> None:
    _namespace(kube, "rights")
    kube.apply({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"namespace": "rights", "name": "one"}})
    other = Kube(control_plane.kubeconfig_for("rights", "one", tmp_path / "one.kubeconfig"))
    with pytest.raises(KubeError, match="forbidden") as refusal:
        other.list("v1", "Secret", "rights")
    other.close()
    assert refusal.value.status == 403


def test_a_deleted_namespace_goes_with_everything_in_it(kube: Kube) -> None:
    _namespace(kube, "going")
    kube.apply(_config_map("going", "content"))
    kube.delete("v1", "Namespace", "", "going")
    eventually(lambda: kube.find("v1", "Namespace", "", "going"), lambda found: found is None, what="namespace gone")


def test_an_owned_object_is_collected_after_its_owner(kube: Kube) -> None:
    _namespace(kube, "owners")
    owner = kube.apply(_config_map("owners", "owner"))
    reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": owner["metadata"]["uid"]}
    kube.apply(_config_map("owners", "owned", ownerReferences=[reference]))
    kube.delete("v1", "ConfigMap", "owners", "owner")
    eventually(lambda: kube.find("v1", "ConfigMap", "owners", "owned"), lambda found: found is None)


def test_a_second_control_plane_runs_beside_the_first_and_ends_alone(
    control_plane: ControlPlane, kube: Kube, tmp_path: Path
) -> None:
    directory = tmp_path / "second"
    second = ControlPlane.start(directory, find_binaries())
    try:
        assert second.server != control_plane.server
        assert ControlPlane.find(directory) == second
    finally:
        second.stop()
    assert ControlPlane.find(directory) is None
    assert ControlPlane.stop_in(directory) is False
    assert kube.ready()
