"""The Route 53 controller as a process, beside a real API server and the emulator: identities and classes."""

import base64
import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from e2e.conditions import conditions_of
from e2e.kube import Kube, load_documents
from e2e.polling import eventually
from e2e.route53.launch import emulator
from e2e.route53.remote import Remote
from tests.apiserver import definitions
from tests.apiserver.manifests import Document

API, DNS = "route53.dns.appthrust.io/v1alpha1", "dns.appthrust.io/v1alpha1"
NAMESPACE = "route53-process"
ACCOUNT, OTHER_ACCOUNT = "123456789012", "999999999999"
KEY, OTHER_KEY = "AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPL2"
PROVIDER_FILE = Path(__file__).parents[2] / "charts/dnsapi/charts/route53/files/provider.yaml"


@dataclass(frozen=True)
class Running:
    """The process and its surroundings."""

    process: "subprocess.Popen[bytes]"
    directory: Path
    kube: Kube
    remote: Remote

    def conditions(self, kind: str, name: str) -> dict[str, str]:
        found = self.kube.get(API if kind == "Route53Identity" else DNS, kind, NAMESPACE, name)
        return {each["type"]: each["reason"] for each in conditions_of(found)}

    def metrics(self) -> str:
        port = json.loads((self.directory / "ports").read_text())["health"]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as response:
            return str(response.read().decode())

    def log(self) -> str:
        return (self.directory / "log").read_text()


@pytest.fixture
def remote(tmp_path: Path) -> Iterator[Remote]:
    with emulator(tmp_path) as started:
        started.settings(accounts={KEY: ACCOUNT, OTHER_KEY: OTHER_ACCOUNT}, strictCredentials=True)
        yield started


@pytest.fixture
def running(kube: Kube, kubeconfig: Path, remote: Remote, tmp_path: Path) -> Iterator[Running]:
    definitions.install(kube, (NAMESPACE,))
    options = ["--kubeconfig", str(kubeconfig), "--health-host", "127.0.0.1", "--health-port", "0", "--no-leader-elect"]
    options += ["--ports-file", str(tmp_path / "ports"), "--secret-namespaces", NAMESPACE]
    options += ["--credential-retry-interval", "1s"]
    environment = {
        "PATH": os.environ["PATH"],
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_ENDPOINT_URL_ROUTE_53": remote.http,
        "AWS_ENDPOINT_URL_STS": remote.http,
    }
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 — our own program
            [sys.executable, "-m", "route53_controller", *options], stderr=log, env=environment
        )
        try:
            yield Running(process, tmp_path, kube, remote)
        finally:
            process.kill()
            process.wait()


def identity(name: str, **spec: object) -> Document:
    good = {"accountID": ACCOUNT, "region": "eu-central-1", "credentials": {"runtime": {}}}
    metadata = {"name": name, "namespace": NAMESPACE}
    return {"apiVersion": API, "kind": "Route53Identity", "metadata": metadata, "spec": {**good, **spec}}


def zone_class() -> Document:
    return {
        "apiVersion": DNS,
        "kind": "ZoneClass",
        "metadata": {"name": "public", "namespace": NAMESPACE},
        "spec": {
            "provider": {"name": "route53.dns.appthrust.io", "version": "v1alpha1"},
            "controllerName": "route53.dns.appthrust.io/controller",
            "identityRef": {"name": "main"},
            "parameters": {"tags": {"team": "dns"}},
            "allowedZones": {"namespaces": {"from": "Same"}},
        },
    }


def secret(access_key: str) -> Document:
    data = {"aws_access_key_id": access_key, "aws_secret_access_key": "secret"}
    encoded = {name: base64.b64encode(value.encode()).decode() for name, value in data.items()}
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": "aws", "namespace": NAMESPACE},
        "data": encoded,
    }


@pytest.mark.spec("R53-IS-023", "R53-ZC-009")
def test_identities_and_classes_settle_and_the_process_ends_as_told(running: Running) -> None:
    """Cases 78 and 87."""
    kube = running.kube
    kube.apply_all(load_documents(PROVIDER_FILE.read_text()))
    kube.apply_all([identity("main"), zone_class()])
    kube.apply(identity("denied", assumeRoleChain=[{"roleARN": f"arn:aws:iam::{OTHER_ACCOUNT}:role/x"}]))
    running.remote.settings(strictRoles=True)
    kube.apply(identity("rotated", credentials={"secretRef": {"name": "aws"}}))
    ready = {"Accepted": "Accepted", "Ready": "Ready"}
    eventually(lambda: running.conditions("Route53Identity", "main"), lambda found: found == ready, what=running.log())
    eventually(lambda: running.conditions("ZoneClass", "public"), lambda found: found == {"Accepted": "Accepted"})
    eventually(
        lambda: running.conditions("Route53Identity", "denied"), lambda found: found.get("Ready") == "AssumeRoleFailed"
    )
    eventually(
        lambda: running.conditions("Route53Identity", "rotated"),
        lambda found: found.get("Ready") == "CredentialUnavailable",
    )

    kube.apply(secret(OTHER_KEY))
    eventually(
        lambda: running.conditions("Route53Identity", "rotated"), lambda found: found.get("Ready") == "AccountMismatch"
    )
    kube.apply(secret(KEY))
    eventually(lambda: running.conditions("Route53Identity", "rotated"), lambda found: found == ready)

    version = kube.get(API, "Route53Identity", NAMESPACE, "main")["metadata"]["resourceVersion"]
    kube.merge_patch(API, "Route53Identity", NAMESPACE, "denied", {"spec": {"accountID": OTHER_ACCOUNT}})
    running.remote.settings(strictRoles=False)
    eventually(lambda: running.conditions("Route53Identity", "denied"), lambda found: found == ready)
    assert kube.get(API, "Route53Identity", NAMESPACE, "main")["metadata"]["resourceVersion"] == version

    events = eventually(
        lambda: kube.list("events.k8s.io/v1", "Event", NAMESPACE),
        lambda found: {"Ready", "AssumeRoleFailed", "AccountMismatch"} <= {event["reason"] for event in found},
        what="an Event of each finding",
    )
    told = json.dumps([events, [each["status"]["conditions"] for each in kube.list(API, "Route53Identity", NAMESPACE)]])
    for secret_text in ("arn:aws", OTHER_ACCOUNT, KEY):
        assert secret_text not in told
        assert secret_text not in running.log()
    assert 'route53_api_calls_total{action="sts:GetCallerIdentity"' in running.metrics()
    assert "route53_change_batch_elements_count" in running.metrics()
    resident = next(
        line for line in Path(f"/proc/{running.process.pid}/status").read_text().splitlines() if "VmRSS" in line
    )
    assert int(resident.split()[1]) < 130 * 1024

    os.kill(running.process.pid, signal.SIGTERM)
    assert running.process.wait(timeout=60) == 0


def zone_unit(*items: Document) -> Document:
    return {
        "apiVersion": DNS,
        "kind": "ZoneUnit",
        "metadata": {"name": "example-com", "namespace": NAMESPACE},
        "spec": {
            "provider": {"name": "route53.dns.appthrust.io", "version": "v1alpha1"},
            "zone": {
                "ref": {"namespace": NAMESPACE, "name": "example-com"},
                "observedGeneration": 1,
                "domainName": "example.com",
                "zoneClassRef": {"namespace": NAMESPACE, "name": "public"},
            },
            "recordSets": list(items),
        },
    }


def item(name: str, address: str) -> Document:
    return {
        "recordSetNamespace": NAMESPACE,
        "recordSetName": name,
        "observedGeneration": 1,
        "name": name,
        "type": "A",
        "ttl": 60,
        "a": {"addresses": [address]},
    }


def programmed(running: Running) -> dict[str, str]:
    """Return the reason of each record set's Programmed condition."""
    unit = running.kube.get(DNS, "ZoneUnit", NAMESPACE, "example-com")
    return {
        each["recordSetName"]: condition["reason"]
        for each in unit.get("status", {}).get("recordSets", [])
        for condition in each.get("conditions") or []
        if condition["type"] == "Programmed"
    }


@pytest.mark.spec("R53-HZ-021", "R53-RO-015")
def test_a_ledger_is_programmed_and_what_it_needs_is_held_until_it_is_gone(running: Running) -> None:
    kube = running.kube
    kube.apply_all(load_documents(PROVIDER_FILE.read_text()))
    policies = {"parameters": {"zoneDeletionPolicy": "Delete", "tags": {"team": "dns"}}}
    document = zone_class()
    kube.apply_all([identity("main"), {**document, "spec": {**document["spec"], **policies}}])
    kube.apply(zone_unit(item("a", "192.0.2.1"), item("b", "192.0.2.2")))
    done = {"a": "Programmed", "b": "Programmed"}
    eventually(lambda: programmed(running), lambda found: found == done)
    (zone,) = running.remote.zones()
    records = {record.name: record.values for record in running.remote.records(str(zone["id"])) if record.type == "A"}
    assert records == {"a.example.com.": ("192.0.2.1",), "b.example.com.": ("192.0.2.2",)}
    for kind, name, api in (("ZoneClass", "public", DNS), ("Route53Identity", "main", API)):
        assert "route53.dns.appthrust.io/in-use" in kube.get(api, kind, NAMESPACE, name)["metadata"]["finalizers"]

    kube.delete(DNS, "ZoneUnit", NAMESPACE, "example-com")
    kube.delete(DNS, "ZoneClass", NAMESPACE, "public")
    kube.delete(API, "Route53Identity", NAMESPACE, "main")
    eventually(running.remote.zones, lambda found: found == [])
    for kind, name, api in (("ZoneUnit", "example-com", DNS), ("ZoneClass", "public", DNS)):
        eventually(lambda kind=kind, name=name, api=api: kube.find(api, kind, NAMESPACE, name) is None)
    eventually(lambda: kube.find(API, "Route53Identity", NAMESPACE, "main") is None)
    assert '"level":"error"' not in running.log()
