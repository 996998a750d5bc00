"""The sources controller as a process with the chart's own rights, the real Gateway API and a real API server."""

import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from e2e.controlplane import ControlPlane
from e2e.gateway import definition_files
from e2e.kube import Kube, load_documents
from e2e.polling import eventually
from e2e.stack import charts, installation
from tests.apiserver import definitions
from tests.apiserver.manifests import API, Document

SYSTEM = "dns-system"
PROVIDER = {"name": "route53.dns.appthrust.io", "version": "v1alpha1"}
GATEWAY = "gateway.networking.k8s.io/v1"
EXTERNAL_DNS = "externaldns.k8s.io/v1alpha1"
ANNOTATION = "external-dns.kubernetes.io/"
ALL = ["gateway-httproute", "gateway-grpcroute", "gateway-tlsroute", "gateway-tcproute", "gateway-udproute"]
SINCE = "2026-01-01T00:00:00Z"
SOON_SECONDS = 15.0
"""Usually half a second; no pass over everything and no retry with a pause would be as quick on a slow machine."""


@dataclass(frozen=True)
class Running:
    """The process and a namespace of its own for each test."""

    kube: Kube
    namespace: str
    log: Path

    @property
    def domain(self) -> str:
        """The domain of the test's Zone."""
        return f"{self.namespace}.example.com"

    def put(self, api_version: str, kind: str, name: str, **parts: Any) -> Document:  # noqa: ANN401 — parts of JSON
        """Apply an object; a status among its parts is written as its own controller would."""
        status, annotations = parts.pop("status", None), parts.pop("annotations", {})
        metadata = {"name": name, "namespace": self.namespace, "annotations": annotations}
        self.kube.apply({"apiVersion": api_version, "kind": kind, "metadata": metadata, **parts})
        if status is not None:
            live = self.kube.get(api_version, kind, self.namespace, name)
            path = self.kube.path(api_version, kind, self.namespace, name)
            self.kube.request("PUT", f"{path}/status", {**live, "status": status})
        return self.kube.get(api_version, kind, self.namespace, name)

    def gateway(self, *addresses: str, **spec: Any) -> None:  # noqa: ANN401 — parts of JSON
        """Put the Gateway, with these addresses and perhaps more of a spec."""
        listener = {"name": "http", "port": 80, "protocol": "HTTP", "allowedRoutes": {"namespaces": {"from": "Same"}}}
        listed = [{"type": "IPAddress" if one[0].isdigit() else "Hostname", "value": one} for one in addresses]
        wanted = {"gatewayClassName": "example", "listeners": [listener], **spec}
        self.put(GATEWAY, "Gateway", "gw", spec=wanted, status={"addresses": listed})

    def route(
        self, name: str, *hosts: str, annotations: dict[str, str] | None = None, parent: Document | None = None
    ) -> None:
        """Put an HTTPRoute that the Gateway, or another parent, has accepted in its newest generation."""
        ref = parent or {"name": "gw"}
        spec = {"parentRefs": [ref], "hostnames": [f"{host}.{self.domain}" for host in hosts]}
        live = self.put(GATEWAY, "HTTPRoute", name, spec=spec, annotations=annotations or {})
        accepted = {
            "type": "Accepted",
            "status": "True",
            "reason": "Accepted",
            "message": "",
            "observedGeneration": live["metadata"]["generation"],
            "lastTransitionTime": SINCE,
        }
        judged = {"parentRef": ref, "controllerName": "example.net/gw", "conditions": [accepted]}
        self.put(GATEWAY, "HTTPRoute", name, spec=spec, annotations=annotations or {}, status={"parents": [judged]})

    def records(self) -> dict[str, Any]:
        """Return the content of each RecordSet by its name and type."""
        found = {}
        for one in self.kube.list(API, "RecordSet", self.namespace):
            spec = one["spec"]
            found[f"{spec['name']} {spec['type']}"] = spec.get(spec["type"].lower()) or spec.get("options")
        return found

    def await_records(self, wanted: dict[str, Any]) -> None:
        """Wait until the RecordSets are these."""
        eventually(self.records, lambda found: found == wanted, what=f"RecordSets {wanted}")


@pytest.fixture(scope="module")
def account(kube: Kube, control_plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kubeconfig with the token of the sources' service account, and nothing but the chart's rights."""
    folder = tmp_path_factory.mktemp("sources")
    definitions.install(kube, (SYSTEM,))
    files = definition_files()
    installation.definitions(kube, [one for file in files for one in load_documents(file.read_text())])
    values = {
        "webhook": {"tls": {"mode": "secret", "secretName": "x", "caBundle": "Y2E="}},
        "sources": {
            "enabled": True,
            "settings": {"source": [*ALL, "service", "ingress", "crd"]},
            "references": [{"apiGroups": [""], "resources": ["configmaps"]}],
        },
    }
    rendered = charts.render(values, folder / "values")
    installation.rights(kube, rendered.rights())
    return control_plane.kubeconfig_for(SYSTEM, rendered.account("sources"), folder / "kubeconfig")


@pytest.fixture(scope="module")
def process(account: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The process; its log is what the fixture gives."""
    log = tmp_path_factory.mktemp("process") / "log"
    options = ["--controllers", "sources", "--kubeconfig", str(account), "--no-leader-elect"]
    options += ["--health-host", "127.0.0.1", "--health-port", "0", "--gateway-address-grace", "60s"]
    with log.open("wb") as file:
        running = subprocess.Popen([sys.executable, "-m", "core_controller", *options], stderr=file)  # noqa: S603 - ours
        try:
            yield log
            assert running.poll() is None, log.read_text()[-2000:]
            assert "Forbidden" not in log.read_text()
        finally:
            running.kill()
            running.wait()


@pytest.fixture
def running(request: pytest.FixtureRequest, kube: Kube, process: Path) -> Running:
    """A namespace with a Zone and a pipeline for it."""
    namespace = "src-" + request.node.name.removeprefix("test_").replace("_", "-")[:40].strip("-")
    made = Running(kube, namespace, process)
    kube.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
    spec = {"domainName": made.domain, "zoneClassRef": {"name": "public"}, "provider": PROVIDER}
    made.put(API, "Zone", "zone", spec=spec)
    made.put(EXTERNAL_DNS, "DNSProvider", "main", spec={"type": "aws", "zones": {"refs": [{"name": "zone"}]}})
    return made


@pytest.mark.spec("GW-TG-011")
def test_a_route_is_published_changed_and_withdrawn(running: Running) -> None:
    running.gateway("192.0.2.1")
    running.route("web", "www")
    running.await_records({"www A": {"addresses": ["192.0.2.1"]}})

    running.gateway("192.0.2.2", "2001:db8::1")
    running.await_records({"www A": {"addresses": ["192.0.2.2"]}, "www AAAA": {"addresses": ["2001:db8::1"]}})

    running.gateway("lb.example.net")
    running.await_records({"www CNAME": {"target": "lb.example.net"}})

    running.kube.delete(GATEWAY, "HTTPRoute", running.namespace, "web")
    running.await_records({})


def test_one_changed_route_is_published_soon(running: Running) -> None:
    running.gateway("192.0.2.1")
    running.route("web", "one")
    running.await_records({"one A": {"addresses": ["192.0.2.1"]}})
    running.route("web", "two")
    began = time.monotonic()

    running.await_records({"two A": {"addresses": ["192.0.2.1"]}})

    assert time.monotonic() - began < SOON_SECONDS


@pytest.mark.spec("TF-BE-010", "TF-GR-006")
def test_a_reference_is_followed(running: Running) -> None:
    running.put("v1", "ConfigMap", "target", data={"host": "a.example.net"})
    annotations = {
        f"{ANNOTATION}hostname": f"svc.{running.domain}",
        f"{ANNOTATION}target-from": "configmaps/target#{{ .data.host }}",
    }
    running.put("v1", "Service", "svc", spec={"ports": [{"port": 80}]}, annotations=annotations)
    running.await_records({"svc CNAME": {"target": "a.example.net"}})

    running.put("v1", "ConfigMap", "target", data={"host": "b.example.net"})
    running.await_records({"svc CNAME": {"target": "b.example.net"}})


@pytest.mark.spec("TF-SE-001")
def test_a_reference_to_a_kind_without_rights_is_told(running: Running) -> None:
    annotations = {
        f"{ANNOTATION}hostname": f"svc.{running.domain}",
        f"{ANNOTATION}target-from": "deployments.apps/x#{{ .metadata.name }}",
    }
    running.put("v1", "Service", "svc", spec={"ports": [{"port": 80}]}, annotations=annotations)

    eventually(
        lambda: running.kube.list("events.k8s.io/v1", "Event", running.namespace),
        lambda events: any("may not be read" in event["note"] for event in events),
        what="the event",
    )
    assert running.records() == {}


@pytest.mark.spec("GW-PL-027")
def test_a_route_at_a_listener_set_is_published(running: Running) -> None:
    running.gateway("192.0.2.1", allowedListeners={"namespaces": {"from": "Same"}})
    listener = {"name": "web", "port": 8080, "protocol": "HTTP"}
    running.put(GATEWAY, "ListenerSet", "added", spec={"parentRef": {"name": "gw"}, "listeners": [listener]})
    running.route("web", "www", parent={"kind": "ListenerSet", "name": "added"})

    running.await_records({"www A": {"addresses": ["192.0.2.1"]}})


@pytest.mark.spec("SRC-EP-025")
def test_an_ingress_is_published_as_an_alias(running: Running) -> None:
    target = "lb-1.eu-west-1.elb.amazonaws.com"
    backend = {"service": {"name": "x", "port": {"number": 80}}}
    rule = {
        "host": f"app.{running.domain}",
        "http": {"paths": [{"path": "/", "pathType": "Prefix", "backend": backend}]},
    }
    status = {"loadBalancer": {"ingress": [{"hostname": target}]}}
    running.put("networking.k8s.io/v1", "Ingress", "app", spec={"rules": [rule]}, status=status)

    alias = {"dnsName": f"{target}.", "hostedZoneID": "Z32O12XQLNTSW2", "evaluateTargetHealth": True}
    running.await_records({"app A": {"alias": alias}})


@pytest.mark.spec("ROUTE-ST-011")
def test_the_pipeline_says_how_it_stands(running: Running) -> None:
    running.gateway("192.0.2.1")
    running.route("web", "www")

    found = eventually(
        lambda: running.kube.get(EXTERNAL_DNS, "DNSProvider", running.namespace, "main").get("status", {}),
        lambda status: status.get("records") == 1,
        what="the record is counted",
    )
    assert found["conditions"][0]["reason"] == "ProviderInitialized"
