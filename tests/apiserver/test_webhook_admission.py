"""Admission by a real API server: the configuration, its conditions, and the webhook behind it."""

import http.client
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from e2e.controlplane import ControlPlane
from e2e.kube import Kube, KubeError
from e2e.polling import eventually
from libdnsapi.api.names import RECORDSET_FINALIZER
from tests.apiserver.definitions import install
from tests.apiserver.manifests import Document, changed
from tests.apiserver.webhooks import CONFIGURATION, NAMESPACE, WebhookProcess, admission, placed
from tests.webhook import objects

API = "dns.appthrust.io/v1alpha1"
FINALIZER = "example.org/held"


@pytest.fixture(scope="module")
def webhook(
    control_plane: ControlPlane, kube: Kube, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WebhookProcess]:
    """The webhook in force, with the test Provider installed."""
    install(kube)
    with admission(control_plane, kube, tmp_path_factory.mktemp("webhook")) as process:
        kube.apply(objects.provider())
        yield process
        _remove_all(kube)


def _remove_all(kube: Kube) -> None:
    for kind in ("RecordSet", "ZoneUnitSlice", "Zone", "ZoneUnit", "ZoneClass"):
        for found in eventually(partial(kube.list, API, kind, NAMESPACE), lambda _: True):
            name = found["metadata"]["name"]
            kube.merge_patch(API, kind, NAMESPACE, name, {"metadata": {"finalizers": None}})
            eventually(partial(_gone, kube, kind, name), bool, what=f"{kind} {name} gone")
    kube.delete(API, "Provider", "", objects.PROVIDER)


def _gone(kube: Kube, kind: str, name: str) -> bool:
    try:
        kube.delete(API, kind, NAMESPACE, name)
    except KubeError:
        return False
    return kube.find(API, kind, NAMESPACE, name) is None


@pytest.fixture
def core(control_plane: ControlPlane, kube: Kube, tmp_path: Path) -> Iterator[Kube]:
    """A client with the account of the core controller."""
    yield from _client(control_plane, kube, "core", tmp_path)


@pytest.fixture
def operator(control_plane: ControlPlane, kube: Kube, tmp_path: Path) -> Iterator[Kube]:
    """A client of somebody with every right that RBAC has, but outside of system:masters."""
    yield from _client(control_plane, kube, "operator", tmp_path)


def _client(control_plane: ControlPlane, kube: Kube, account: str, folder: Path) -> Iterator[Kube]:
    kube.apply({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": account, "namespace": NAMESPACE}})
    kube.apply(
        {
            "apiVersion": "rbac.authorization.k8s.io/v1",
            "kind": "ClusterRoleBinding",
            "metadata": {"name": f"{NAMESPACE}-{account}"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
            "subjects": [{"kind": "ServiceAccount", "name": account, "namespace": NAMESPACE}],
        }
    )
    client = Kube(control_plane.kubeconfig_for(NAMESPACE, account, folder / account))
    try:
        eventually(lambda: client.list(API, "ZoneUnit", NAMESPACE) is not None, what=f"{account} has its rights")
        yield client
    finally:
        client.close()


def _named(document: Document, name: str) -> Document:
    return changed(placed(document), metadata__name=name)


def _unit(name: str) -> Document:
    return changed(_named(objects.zone_unit(), name), spec__zone__ref={"namespace": NAMESPACE, "name": name})


def test_the_webhook_published_its_own_authority(webhook: WebhookProcess, kube: Kube) -> None:
    bundles = {hook["clientConfig"]["caBundle"] for hook in kube.get(*CONFIGURATION)["webhooks"]}
    assert len(bundles) == 1
    assert kube.get("v1", "Secret", NAMESPACE, "webhook-tls")["data"]["ca.crt"] in bundles


def test_valid_objects_pass(webhook: WebhookProcess, kube: Kube) -> None:
    for document in (objects.zone_class(), objects.zone(), objects.record_set()):
        kube.apply(placed(document))


def test_a_bad_object_is_refused_with_path_and_rule(webhook: WebhookProcess, kube: Kube) -> None:
    bad = placed(objects.record_set(metadata__name="bad", spec__name="WWW", spec__ttl=None))
    with pytest.raises(KubeError) as caught:
        kube.apply(bad)
    assert caught.value.status == 422
    assert 'admission webhook "recordset.validate.dns.appthrust.io" denied the request' in caught.value.message
    assert "- spec.name: must be lower case: write www" in caught.value.message
    assert "- spec.ttl: is required" in caught.value.message
    assert {cause["field"] for cause in caught.value.details["causes"]} == {"spec.name", "spec.ttl"}


def test_a_bad_status_is_refused(webhook: WebhookProcess, kube: Kube) -> None:
    kube.apply(_named(objects.zone(), "status-zone"))
    path = f"{kube.path(API, 'Zone', NAMESPACE, 'status-zone')}/status"
    patch = {"status": {"observedGeneration": 99, "nameServers": ["ns.example.net"]}}
    with pytest.raises(KubeError, match=r"must be at most metadata\.generation"):
        kube.request("PATCH", path, patch, content_type="application/merge-patch+json")
    patch["status"]["observedGeneration"] = 1
    kube.request("PATCH", path, patch, content_type="application/merge-patch+json")


def test_ledgers_are_closed_to_everybody_but_their_writers(
    webhook: WebhookProcess, kube: Kube, core: Kube, operator: Kube
) -> None:
    with pytest.raises(KubeError, match="zoneunits are written by the controllers alone"):
        operator.apply(_unit("ledger"))
    core.apply(_unit("ledger"))
    with pytest.raises(KubeError, match="written by the controllers alone"):
        operator.merge_patch(API, "ZoneUnit", NAMESPACE, "ledger", {"metadata": {"annotations": {"a": "b"}}})
    kube.merge_patch(API, "ZoneUnit", NAMESPACE, "ledger", {"metadata": {"annotations": {"a": "b"}}})


@pytest.mark.spec("CORE-ZU-027")
def test_a_ledger_cannot_be_deleted_while_its_zone_lives(webhook: WebhookProcess, kube: Kube) -> None:
    kube.apply(_named(objects.zone(), "owner"))
    kube.apply(_unit("owner"))
    with pytest.raises(KubeError, match="which is not being deleted; delete the Zone instead"):
        kube.delete(API, "ZoneUnit", NAMESPACE, "owner")
    kube.delete(API, "Zone", NAMESPACE, "owner")
    kube.delete(API, "ZoneUnit", NAMESPACE, "owner")
    assert kube.find(API, "ZoneUnit", NAMESPACE, "owner") is None


@pytest.mark.spec("PC-AD-009")
def test_a_namespace_goes_with_its_ledgers_in_any_order(webhook: WebhookProcess, kube: Kube) -> None:
    """Whether units, slices or Zones are deleted first: none is refused, so nothing waits for another round."""
    name = "webhook-leaving"
    kube.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    unit = changed(objects.zone_unit(), metadata__namespace=name, spec__zone__ref__namespace=name)
    for document in (objects.zone(metadata__finalizers=[FINALIZER]), objects.zone_unit_slice()):
        kube.apply(changed(document, metadata__namespace=name))
    kube.apply(unit)
    kube.delete("v1", "Namespace", "", name)
    for kind in ("ZoneUnitSlice", "ZoneUnit"):
        eventually(lambda kind=kind: kube.list(API, kind, name), lambda found: not found, what=f"no {kind}")
    kube.merge_patch(API, "Zone", name, "example-com", {"metadata": {"finalizers": None}})
    eventually(lambda: kube.find("v1", "Namespace", "", name), lambda found: found is None, what="no namespace")


def test_a_used_provider_cannot_go(webhook: WebhookProcess, kube: Kube) -> None:
    kube.apply(_named(objects.zone(), "user"))

    def refused() -> bool:
        try:
            kube.request("DELETE", f"{kube.path(API, 'Provider', '', objects.PROVIDER)}?dryRun=All")
        except KubeError as error:
            return "is still used by" in error.message
        return False

    eventually(refused, bool, what="the webhook has seen the user")


def _warnings(kube: Kube, method: str, path: str, body: Document | None = None) -> list[str]:
    """Send a request and return its Warning headers."""
    host, _, port = kube.server.rpartition(":")
    connection = http.client.HTTPSConnection(host, int(port), context=kube._ssl, timeout=90)
    kind = {"Content-Type": "application/merge-patch+json"}
    connection.request(method, path, body=json.dumps(body) if body else None, headers=kind)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    assert answer.status == http.HTTPStatus.OK
    return answer.headers.get_all("Warning") or []


def test_previews_reach_the_user_as_warnings(webhook: WebhookProcess, kube: Kube) -> None:
    kube.apply(_named(objects.zone(), "previewed"))
    held = changed(_named(objects.record_set(), "previewed"), metadata__finalizers=[RECORDSET_FINALIZER])
    kube.apply(changed(held, spec__zoneRef__name="previewed"))
    path = kube.path(API, "Zone", NAMESPACE, "previewed")

    def deletion_warns() -> bool:
        return any(
            "The Zone stays until 1 RecordSet" in text for text in _warnings(kube, "DELETE", f"{path}?dryRun=All")
        )

    eventually(deletion_warns, bool, what="the webhook has seen the RecordSet")
    patch = {"spec": {"allowedRecordSets": None}}
    assert not _warnings(kube, "PATCH", path, patch), "the own namespace is no matter of policy"
    deprecated = changed(_named(objects.zone(), "deprecated"), spec__provider__version="v1beta1")
    kube.apply(deprecated)
    changing = _warnings(kube, "PATCH", kube.path(API, "Zone", NAMESPACE, "deprecated"), patch)
    assert any('version \\"v1beta1\\" of Provider' in text for text in changing)


@pytest.mark.spec("PC-AM-010")
def test_leaving_never_waits_for_the_webhook(webhook: WebhookProcess, kube: Kube, core: Kube) -> None:
    """Case 72, with the webhook gone: labels, finalizers, deletion and our controllers' writes pass."""
    kube.apply(changed(_named(objects.record_set(), "held"), metadata__finalizers=[FINALIZER]))
    kube.apply(_unit("offline"))
    assert webhook.stop() == 0
    try:
        with pytest.raises(KubeError, match="failed calling webhook"):
            kube.merge_patch(API, "RecordSet", NAMESPACE, "held", {"spec": {"ttl": 60}})
        kube.merge_patch(API, "RecordSet", NAMESPACE, "held", {"metadata": {"labels": {"a": "b"}}})
        kube.delete(API, "RecordSet", NAMESPACE, "held")
        kube.merge_patch(API, "RecordSet", NAMESPACE, "held", {"metadata": {"finalizers": None}})
        assert kube.find(API, "RecordSet", NAMESPACE, "held") is None
        kube.merge_patch(API, "ZoneUnit", NAMESPACE, "offline", {"metadata": {"finalizers": [FINALIZER]}})
        kube.merge_patch(API, "ZoneUnit", NAMESPACE, "offline", {"metadata": {"finalizers": None}})
        with pytest.raises(KubeError, match="failed calling webhook"):
            kube.merge_patch(API, "ZoneUnit", NAMESPACE, "offline", {"metadata": {"annotations": {"a": "b"}}})
        core.merge_patch(API, "ZoneUnit", NAMESPACE, "offline", {"spec": {"recordSets": []}})
        core.delete(API, "ZoneUnit", NAMESPACE, "offline")
    finally:
        webhook.start()


def test_conditions_are_cheap_enough_for_a_full_ledger(webhook: WebhookProcess, kube: Kube, core: Kube) -> None:
    items = [objects.item(f"r{number}") for number in range(500)]
    core.apply(changed(_unit("full"), spec__recordSets=items))
    kube.merge_patch(API, "ZoneUnit", NAMESPACE, "full", {"metadata": {"finalizers": [FINALIZER]}})
    kube.merge_patch(API, "ZoneUnit", NAMESPACE, "full", {"metadata": {"finalizers": None, "annotations": {"a": "b"}}})


@pytest.mark.spec("PC-AM-005")
def test_what_the_webhook_lets_through_the_definitions_still_refuse(webhook: WebhookProcess, core: Kube) -> None:
    with pytest.raises(KubeError, match=r"metadata\.name must equal spec\.zone\.ref\.name"):
        core.apply(changed(_unit("misnamed"), spec__zone__ref__name="other"))
