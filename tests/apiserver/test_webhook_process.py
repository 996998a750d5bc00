"""The webhook with its self-made certificate: the chart's command line, rights and configuration, a real API server.

Two replicas share one Secret; the API server calls the first. What is replaced are addresses alone: no pod network
leads from this API server to a Service.
"""

import base64
import json
import ssl
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from e2e.controlplane import ControlPlane
from e2e.kube import Kube, KubeError
from e2e.polling import eventually
from e2e.stack import charts, installation
from e2e.stack.layout import SYSTEM_NAMESPACE
from tests.apiserver import definitions
from tests.apiserver.manifests import Document, changed
from tests.webhook import objects
from webhook.tls.authority import LEAF_LIFE, Authority, new_leaf
from webhook.tls.selfmade import RENEW_BEFORE

NAMESPACE = "webhook-process"
EXTERNAL_DNS = "externaldns.k8s.io/v1alpha1"
SECRET = ("v1", "Secret", SYSTEM_NAMESPACE, "dnsapi-webhook-tls")
CONFIGURATION = ("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "", "dnsapi-webhook")
REPLACED = ("--address=", "--self-signed-names=", "--health-")


@dataclass(frozen=True)
class Webhook:
    """Two replicas and what they write to their logs."""

    kube: Kube
    ports: tuple[int, int]
    logs: tuple[Path, Path]

    def served(self, replica: int) -> str:
        """Return the certificate that a replica serves now."""
        return ssl.get_server_certificate(("127.0.0.1", self.ports[replica]))

    def stored(self) -> Document:
        """Return the Secret's data."""
        data: Document = self.kube.get(*SECRET)["data"]
        return data

    def bundles(self) -> set[str]:
        """Return the caBundles of all entries."""
        entries = self.kube.get(*CONFIGURATION)["webhooks"]
        return {entry["clientConfig"].get("caBundle", "") for entry in entries}

    def refusal(self, document: Document) -> str:
        """Return why an object is refused, nothing where it is not."""
        try:
            self.kube.apply(document, dry_run=True)
        except KubeError as error:
            return error.message
        return ""


@pytest.fixture(scope="module")
def webhook(kube: Kube, control_plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Webhook]:
    """The replicas and the chart's configuration, taken away again for the tests that follow."""
    folder = tmp_path_factory.mktemp("webhook-process")
    definitions.install(kube, (SYSTEM_NAMESPACE, NAMESPACE))
    rendered = charts.render({}, folder / "values")
    installation.rights(kube, rendered.rights())
    account = control_plane.kubeconfig_for(SYSTEM_NAMESPACE, rendered.account("webhook"), folder / "kubeconfig")
    processes = [_start(rendered, account, folder / name) for name in ("one", "two")]
    try:
        ports = _port(folder / "one", processes[0]), _port(folder / "two", processes[1])
        found = Webhook(kube, ports, (folder / "one" / "log", folder / "two" / "log"))
        kube.apply_all(rendered.webhooks(f"127.0.0.1:{ports[0]}"))
        eventually(lambda: _in_force(found), bool, what="admission in force")
        yield found
        assert [process.poll() for process in processes] == [None, None]
        assert not any("forbidden" in log.read_text().lower() for log in found.logs)
    finally:
        kube.delete(*CONFIGURATION)
        for process in processes:
            process.terminate()
            assert process.wait(timeout=90) == 0
        kube.delete(*SECRET)


def _start(rendered: charts.Rendered, account: Path, folder: Path) -> "subprocess.Popen[bytes]":
    folder.mkdir()
    kept = [argument for argument in rendered.arguments("webhook") if not argument.startswith(REPLACED)]
    options = ["--kubeconfig", str(account), "--address=127.0.0.1:0", "--self-signed-names=127.0.0.1"]
    options += ["--health-host=127.0.0.1", "--health-port=0", "--tls-interval=PT0.2S"]
    command = [sys.executable, "-m", "webhook", *kept, *options, "--ports-file", str(folder / "ports.json")]
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(command, stderr=log)  # noqa: S603 — our own module


def _port(folder: Path, process: "subprocess.Popen[bytes]") -> int:
    ports = folder / "ports.json"
    eventually(lambda: ports.exists() or process.poll() is not None, bool, what="the webhook is up")
    assert process.poll() is None, (folder / "log").read_text()[-2000:]
    port: int = json.loads(ports.read_text())["webhook"]
    return port


def _in_force(webhook: Webhook) -> bool:
    return "does not exist; install the provider package first" in webhook.refusal(_unknown())


def _unknown() -> Document:
    return objects.zone_class(metadata__namespace=NAMESPACE, spec__provider__name="nobody")


def test_replicas_share_one_certificate_that_the_api_server_trusts(webhook: Webhook) -> None:
    eventually(lambda: webhook.served(0) == webhook.served(1), bool, what="the same certificate in both replicas")
    assert webhook.bundles() == {webhook.stored()["ca.crt"]}
    assert webhook.kube.get(*SECRET)["type"] == "Opaque"


def test_a_bundle_that_an_upgrade_takes_away_comes_back(webhook: Webhook) -> None:
    """A chart that is applied anew names no bundle; the next look puts it back."""
    document = webhook.kube.get(*CONFIGURATION)
    for entry in document["webhooks"]:
        entry["clientConfig"].pop("caBundle")
    webhook.kube.replace(document)
    eventually(webhook.bundles, lambda found: found == {webhook.stored()["ca.crt"]}, what="caBundle is back")
    eventually(lambda: _in_force(webhook), bool, what="admission in force again")


def test_a_leaf_near_its_end_is_renewed_without_a_dropped_request(webhook: Webhook) -> None:
    """The Secret is given a leaf of the same authority that has days left, as if months had passed."""
    data, now = webhook.stored(), datetime.now(UTC)
    authority = Authority(base64.b64decode(data["ca.crt"]), base64.b64decode(data["ca.key"]))
    old = new_leaf(authority, ["127.0.0.1"], now - LEAF_LIFE + RENEW_BEFORE / 2)
    aged = {"tls.crt": base64.b64encode(old.certificate).decode(), "tls.key": base64.b64encode(old.key).decode()}
    webhook.kube.merge_patch(*SECRET, {"data": aged})

    unanswered = []

    def renewed() -> bool:
        if not _in_force(webhook):
            unanswered.append(webhook.refusal(_unknown()))
        stored = base64.b64decode(webhook.stored()["tls.crt"])
        return stored != old.certificate and {webhook.served(0).strip(), webhook.served(1).strip()} == {
            stored.decode().strip()
        }

    eventually(renewed, bool, what="a fresh leaf in both replicas")
    assert unanswered == [], "every request on the way is answered"
    assert webhook.stored()["ca.crt"] == data["ca.crt"]


def test_a_lost_secret_is_made_anew_and_all_replicas_follow(webhook: Webhook) -> None:
    before = webhook.served(0)
    webhook.kube.delete(*SECRET)
    eventually(lambda: webhook.served(0) not in ("", before), bool, what="a new certificate")
    eventually(lambda: webhook.served(0) == webhook.served(1), bool, what="the same in both replicas")
    eventually(webhook.bundles, lambda found: found == {webhook.stored()["ca.crt"]}, what="the new authority's bundle")
    eventually(lambda: _in_force(webhook), bool, what="admission in force again")


def _cluster_provider(name: str, domain: str, **changes: object) -> Document:
    document = objects.cluster_dns_provider(metadata__name=name, spec__domainFilter={"include": [domain]})
    return changed(document, **changes)


def test_owner_ids_are_unique_across_both_kinds(webhook: Webhook) -> None:
    kube = webhook.kube
    kube.apply(_cluster_provider("first", "first.example.com", spec__registry={"txtOwnerId": f"{NAMESPACE}/team"}))
    try:
        rival = objects.dns_provider(metadata__namespace=NAMESPACE)
        told = (
            f'spec.registry.txtOwnerId: "{NAMESPACE}/team" is already the owner id of another pipeline; choose another'
        )
        eventually(lambda: webhook.refusal(rival), lambda found: told in found, what="the rival is refused")
        assert "first" not in webhook.refusal(rival).replace("first.example.com", "")
        own = changed(rival, spec__registry={"txtOwnerId": f"{NAMESPACE}/other"})
        assert webhook.refusal(own) == ""
    finally:
        kube.delete(EXTERNAL_DNS, "ClusterDNSProvider", "", "first")


def test_pipelines_are_checked_by_their_own_entries(webhook: Webhook) -> None:
    unknown = _cluster_provider("bad", "bad.example.com", spec__config={"aws-account-id": "1", "aws-profile": "x"})
    message = webhook.refusal(unknown)
    assert "known settings are" in message, "the definition itself refuses what it does not know"
    wrong = _cluster_provider("bad", "Bad.example.com", spec__config={"aws-account-id": "1"})
    message = webhook.refusal(wrong)
    assert 'admission webhook "clusterdnsprovider.validate.externaldns.k8s.io" denied the request' in message
    assert "- spec.domainFilter.include[0]: must be lower case: write bad.example.com" in message
    assert "- spec.config.aws-account-id: must be an AWS account id: twelve digits" in message
