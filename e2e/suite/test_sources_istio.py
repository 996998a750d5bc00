# ruff: noqa: D103 — the name of a test is the sentence that it proves
"""Istio's own kinds end to end, with its real definitions, installed while the controller runs."""

import pytest

from e2e.istio import definitions
from e2e.kube import Document
from e2e.stack import installation
from e2e.suite.cluster import Cluster
from e2e.suite.sources import Implementer, balanced, document
from e2e.suite.sources_examples import Applied, Records, await_records
from e2e.toolchain.gomodule import ModuleMissingError

pytest_plugins = ("e2e.suite.sources_process",)
pytestmark = pytest.mark.usefixtures("sources")

ISTIO = "networking.istio.io/v1"
SELECTOR = {"istio": "ingressgateway"}


@pytest.fixture(scope="module", autouse=True)
def istio(cluster: Cluster) -> None:
    """Install Istio's kinds."""
    try:
        installation.definitions(cluster.kube, definitions())
    except ModuleMissingError as missing:
        pytest.skip(str(missing))


def ingress_gateway(team: str) -> Document:
    spec = {"type": "LoadBalancer", "selector": {**SELECTOR, "app": "x"}, "ports": [{"port": 80}]}
    return document("v1", "Service", team, "ingressgateway", spec)


def gateway(team: str, *hosts: str) -> Document:
    server = {"port": {"number": 80, "name": "http", "protocol": "HTTP"}, "hosts": list(hosts)}
    return document(ISTIO, "Gateway", team, "front", {"selector": SELECTOR, "servers": [server]})


def virtual_service(team: str, *hosts: str) -> Document:
    route = [{"route": [{"destination": {"host": "app"}}]}]
    return document(ISTIO, "VirtualService", team, "app", {"hosts": list(hosts), "gateways": ["front"], "http": route})


@pytest.mark.spec("SRC-EP-010", "SRC-EP-011")
def test_istios_gateways_and_virtual_services_are_published_and_follow_their_load_balancer(
    cluster: Cluster, applied: Applied, zone: Document, team: str, domain: str
) -> None:
    named, routed = f"front.{domain}", f"app.apps.{domain}"
    service = ingress_gateway(team)
    applied.apply(
        service, gateway(team, named, f"*.apps.{domain}"), virtual_service(team, routed, "elsewhere.example.net")
    )
    answers: Records = {(name, "A"): (60, ("192.0.2.1",)) for name in (named, routed, f"*.apps.{domain}")}
    await_records(cluster, {domain: answers})

    Implementer(cluster.kube).put_status(service, balanced("lb.example.net"))
    await_records(cluster, {domain: {(name, "CNAME"): (60, ("lb.example.net",)) for name, _ in answers}})

    cluster.delete(virtual_service(team, routed))
    await_records(
        cluster, {domain: {(name, "CNAME"): (60, ("lb.example.net",)) for name, _ in answers if name != routed}}
    )


@pytest.mark.spec("TF-BE-003")
def test_the_legacy_annotation_ingress_leads_to_the_ingress_that_it_names(
    cluster: Cluster, applied: Applied, zone: Document, team: str, domain: str
) -> None:
    backend = {"service": {"name": "app", "port": {"number": 80}}}
    ingress = document("networking.k8s.io/v1", "Ingress", team, "edge", {"defaultBackend": backend})
    front = gateway(team, f"front.{domain}")
    front["metadata"]["annotations"] = {"external-dns.alpha.kubernetes.io/ingress": "edge"}
    applied.apply(ingress, front, implementer=Implementer(cluster.kube, ("192.0.2.8",)))

    await_records(cluster, {domain: {(f"front.{domain}", "A"): (60, ("192.0.2.8",))}})
