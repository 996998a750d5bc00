"""Services, Ingresses and DNSEndpoints as ExternalDNS users know them."""

from typing import Any

import pytest

from core_controller.sources.annotations import Annotations
from core_controller.sources.claimant import Claimant, Rules
from core_controller.sources.dnsendpoint import DNSEndpointView, evaluate_dns_endpoint
from core_controller.sources.endpoints import Evaluation, SourceKey
from core_controller.sources.ingress import Ingress, IngressView, evaluate_ingress
from core_controller.sources.service import EndpointSlice, Node, Service, ServiceView, evaluate_service
from libdnsapi.api.externaldns.dnsendpoint import DNSEndpoint
from tests.core_controller.sources.world import lapsed, published_values

PREFIX = "external-dns.alpha.kubernetes.io/"


def claimant(kind: str, annotations: dict[str, str] | None = None, *, grace_over: bool = False) -> Claimant:
    given = {PREFIX + key: value for key, value in (annotations or {}).items()}
    return Claimant(SourceKey(kind, "apps", "x"), Annotations(given), lapsed=lapsed(grace_over=grace_over))


def slice_of(*endpoints: dict[str, Any], address_type: str = "IPv4") -> EndpointSlice:
    return EndpointSlice.model_validate({"addressType": address_type, "endpoints": list(endpoints)})


def node(name: str, **addresses: str) -> Node:
    listed = [{"type": type_, "address": address} for type_, address in addresses.items()]
    return Node.model_validate({"metadata": {"name": name}, "status": {"addresses": listed}})


def lb(*ingress: dict[str, str]) -> dict[str, Any]:
    return {"loadBalancer": {"ingress": list(ingress)}}


NODES = (
    node("n1", ExternalIP="198.51.100.1", InternalIP="10.0.0.1"),
    node("n2", ExternalIP="198.51.100.2", InternalIP="10.0.0.2"),
)
READY = {"addresses": ["10.1.0.1"], "hostname": "pod-0", "nodeName": "n1", "conditions": {"ready": True}}
UNREADY = {"addresses": ["10.1.0.2"], "hostname": "pod-1", "nodeName": "n2", "conditions": {"ready": False}}
UNKNOWN = {"addresses": ["10.1.0.3"], "conditions": {}}

SERVICES = [
    # spec, status, published under h.example.com
    ({"type": "LoadBalancer"}, lb({"ip": "192.0.2.1"}), ("192.0.2.1",)),
    ({"type": "LoadBalancer"}, lb({"hostname": "lb.example.net"}), ("lb.example.net",)),
    ({"type": "LoadBalancer"}, lb({"ip": "192.0.2.1"}, {"ip": "2001:db8::1"}), ("192.0.2.1", "2001:db8::1")),
    ({"type": "LoadBalancer", "externalIPs": ["203.0.113.1"]}, lb({"ip": "192.0.2.1"}), ("203.0.113.1",)),
    ({"type": "ClusterIP", "clusterIP": "10.0.0.1"}, {}, ()),
    ({"type": "ClusterIP", "clusterIP": "10.0.0.1", "externalIPs": ["203.0.113.1"]}, {}, ("203.0.113.1",)),
    ({"type": "ExternalName", "externalName": "Other.example.net."}, {}, ("other.example.net",)),
    ({"type": "NodePort", "clusterIP": "10.0.0.1"}, {}, ("198.51.100.1", "198.51.100.2")),
    ({"type": "NodePort", "clusterIP": "10.0.0.1", "externalTrafficPolicy": "Local"}, {}, ("198.51.100.1",)),
    ({"type": "ClusterIP", "clusterIP": "None"}, {}, ("10.1.0.1", "10.1.0.3")),
    (
        {"type": "ClusterIP", "clusterIP": "None", "publishNotReadyAddresses": True},
        {},
        ("10.1.0.1", "10.1.0.2", "10.1.0.3"),
    ),
]


@pytest.mark.parametrize(("spec", "status", "values"), SERVICES)
@pytest.mark.spec("SRC-EP-001")
def test_a_service_is_published_by_its_type(
    spec: dict[str, Any], status: dict[str, Any], values: tuple[str, ...]
) -> None:
    service = Service.model_validate({"metadata": {"name": "x", "namespace": "apps"}, "spec": spec, "status": status})
    view = ServiceView(
        claimant("Service", {"hostname": "h.example.com"}), service, (slice_of(READY, UNREADY, UNKNOWN),), NODES
    )

    assert published_values(evaluate_service(view, Rules())).get("h.example.com", ()) == values


@pytest.mark.spec("SRC-EP-002")
def test_pods_of_a_headless_service_have_names_of_their_own() -> None:
    service = Service.model_validate({"spec": {"clusterIP": "None"}})
    view = ServiceView(claimant("Service", {"hostname": "h.example.com"}), service, (slice_of(READY),))

    assert published_values(evaluate_service(view, Rules())) == {
        "h.example.com": ("10.1.0.1",),
        "pod-0.h.example.com": ("10.1.0.1",),
    }


@pytest.mark.spec("SRC-EP-004")
def test_an_internal_hostname_is_published_with_the_cluster_addresses() -> None:
    service = Service.model_validate(
        {"spec": {"type": "LoadBalancer", "clusterIP": "10.0.0.1"}, "status": lb({"ip": "192.0.2.1"})}
    )
    annotations = {"hostname": "h.example.com", "internal-hostname": "i.example.com"}

    assert published_values(evaluate_service(ServiceView(claimant("Service", annotations), service), Rules())) == {
        "h.example.com": ("192.0.2.1",),
        "i.example.com": ("10.0.0.1",),
    }


@pytest.mark.spec("SRC-EP-005")
def test_a_service_without_a_name_is_nobodys_business() -> None:
    service = Service.model_validate({"spec": {"type": "LoadBalancer"}})

    assert evaluate_service(ServiceView(claimant("Service"), service), Rules()) == Evaluation(
        SourceKey("Service", "apps", "x")
    )


@pytest.mark.spec("SRC-EP-006")
def test_a_load_balancer_without_address_holds_for_the_grace_time() -> None:
    service = Service.model_validate({"spec": {"type": "LoadBalancer"}})
    annotations = {"hostname": "h.example.com"}

    held = evaluate_service(ServiceView(claimant("Service", annotations), service), Rules())
    over = evaluate_service(ServiceView(claimant("Service", annotations, grace_over=True), service), Rules())

    assert held.hold is not None
    assert (over.hold, over.endpoints) == (None, ())


@pytest.mark.spec("SRC-EP-003")
def test_nodes_without_external_addresses_give_their_internal_ones() -> None:
    service = Service.model_validate({"spec": {"type": "NodePort"}})
    view = ServiceView(
        claimant("Service", {"hostname": "h.example.com"}), service, (), (node("n1", InternalIP="10.0.0.1"),)
    )

    assert published_values(evaluate_service(view, Rules())) == {"h.example.com": ("10.0.0.1",)}


ACCESS = [
    ("", ("198.51.100.1",)),
    ("public", ("198.51.100.1",)),
    ("private", ("10.0.0.1", "10.0.0.3")),
    (" Private", ("10.0.0.1", "10.0.0.3")),
    ("else", ("198.51.100.1",)),
]


@pytest.mark.parametrize(("access", "values"), ACCESS)
@pytest.mark.spec("SRC-EP-033")
def test_which_addresses_of_nodes_are_published_can_be_said(access: str, values: tuple[str, ...]) -> None:
    service = Service.model_validate({"spec": {"type": "NodePort"}})
    nodes = (node("n1", ExternalIP="198.51.100.1", InternalIP="10.0.0.1"), node("n3", InternalIP="10.0.0.3"))
    view = ServiceView(claimant("Service", {"hostname": "h.example.com", "access": access}), service, (), nodes)

    assert published_values(evaluate_service(view, Rules())) == {"h.example.com": values}


CORDONED = Node.model_validate({**NODES[0].model_dump(by_alias=True), "spec": {"unschedulable": True}})
CORDONS = [
    ((CORDONED, NODES[1]), {}, ("198.51.100.2",)),
    ((CORDONED,), {}, ("198.51.100.1",)),
    ((CORDONED, NODES[1]), {"externalTrafficPolicy": "Local"}, ("198.51.100.1",)),
]


@pytest.mark.parametrize(("nodes", "spec", "values"), CORDONS)
@pytest.mark.spec("SRC-EP-045")
def test_a_node_that_is_taken_out_of_service_is_published_only_where_there_is_no_other(
    nodes: tuple[Node, ...], spec: dict[str, Any], values: tuple[str, ...]
) -> None:
    service = Service.model_validate({"spec": {"type": "NodePort", "clusterIP": "10.0.0.1", **spec}})
    view = ServiceView(claimant("Service", {"hostname": "h.example.com"}), service, (slice_of(READY),), nodes)

    assert published_values(evaluate_service(view, Rules())) == {"h.example.com": values}


@pytest.mark.spec("SRC-EP-033")
def test_nodes_without_external_address_publish_no_internal_one_where_public_ones_are_asked_for() -> None:
    service = Service.model_validate({"spec": {"type": "NodePort"}})
    annotations = {"hostname": "h.example.com", "access": "public"}
    view = ServiceView(claimant("Service", annotations), service, (), (node("n1", InternalIP="10.0.0.1"),))

    assert evaluate_service(view, Rules()).endpoints == ()


@pytest.mark.spec("SRC-EP-006")
def test_a_headless_service_without_a_ready_pod_holds_for_the_grace_time() -> None:
    """Case 49, for pods: a single one that restarts."""
    service = Service.model_validate({"spec": {"clusterIP": "None"}})
    annotations, slices = {"hostname": "h.example.com"}, (slice_of(UNREADY),)

    held = evaluate_service(ServiceView(claimant("Service", annotations), service, slices), Rules())
    over = evaluate_service(ServiceView(claimant("Service", annotations, grace_over=True), service, slices), Rules())

    assert held.endpoints == ()
    assert held.hold is not None
    assert held.hold.expires
    assert (over.hold, over.endpoints) == (None, ())


@pytest.mark.spec("SRC-EP-006")
@pytest.mark.parametrize("policy", ["", "Local"])
def test_node_ports_without_any_node_that_answers_hold_for_the_grace_time(policy: str) -> None:
    service = Service.model_validate({"spec": {"type": "NodePort", "externalTrafficPolicy": policy}})
    annotations = {"hostname": "h.example.com"}

    held = evaluate_service(ServiceView(claimant("Service", annotations), service), Rules())
    over = evaluate_service(ServiceView(claimant("Service", annotations, grace_over=True), service), Rules())

    assert held.hold is not None
    assert held.hold.expires
    assert (over.hold, over.endpoints) == (None, ())


def ingress(**spec: object) -> Ingress:
    return Ingress.model_validate({"spec": spec, "status": lb({"ip": "192.0.2.1"})})


BOTH = {"rules": [{"host": "a.example.com"}], "tls": [{"hosts": ["t.example.com"]}]}
SOURCE = "ingress-hostname-source"
INGRESSES = [
    ({"rules": [{"host": "a.example.com"}, {}]}, {}, ["a.example.com"]),
    ({"rules": [{"host": "*.example.com"}]}, {}, ["*.example.com"]),
    ({"tls": [{"hosts": ["t.example.com"]}, {}]}, {}, ["t.example.com"]),
    ({"rules": [{"host": "a.example.com"}], "tls": [{"hosts": ["a.example.com"]}]}, {}, ["a.example.com"]),
    ({"rules": [{"host": "a.example.com"}]}, {"hostname": "b.example.com"}, ["a.example.com", "b.example.com"]),
    ({}, {}, []),
    ({"rules": [{"host": "a..b"}, {"host": "ok.example.com"}]}, {}, ["ok.example.com"]),
    (BOTH, {"hostname": "b.example.com", SOURCE: "annotation-only"}, ["b.example.com"]),
    (BOTH, {"hostname": "b.example.com", SOURCE: "Annotation-Only "}, ["b.example.com"]),
    (BOTH, {"hostname": "b.example.com", SOURCE: "defined-hosts-only"}, ["a.example.com", "t.example.com"]),
    (BOTH, {"hostname": "b.example.com", SOURCE: "else"}, ["a.example.com", "t.example.com", "b.example.com"]),
    (BOTH, {SOURCE: "annotation-only"}, []),
]


@pytest.mark.parametrize(("spec", "annotations", "names"), INGRESSES)
@pytest.mark.spec("SRC-EP-007")
def test_an_ingress_is_published_under_its_hosts(
    spec: dict[str, Any], annotations: dict[str, str], names: list[str]
) -> None:
    found = evaluate_ingress(IngressView(claimant("Ingress", annotations), ingress(**spec)), Rules())

    assert published_values(found) == dict.fromkeys(names, ("192.0.2.1",))


ELB = "lb-1.eu-west-1.elb.amazonaws.com"
ALIAS = {"providerSpecific": [{"name": "alias", "value": "true"}]}
ENTRIES = [
    # entry, published as (type, values)
    ({"recordType": "A", "targets": ["192.0.2.1"]}, [("A", ("192.0.2.1",))]),
    ({"targets": ["192.0.2.1", "2001:db8::1"]}, [("A", ("192.0.2.1",)), ("AAAA", ("2001:db8::1",))]),
    ({"recordType": "CNAME", "targets": ["X.example.net."]}, [("CNAME", ("x.example.net",))]),
    ({"recordType": "TXT", "targets": ["hello world"]}, [("TXT", ("hello world",))]),
    ({"recordType": "MX", "targets": ["10 mail.example.com."]}, [("MX", ("10 mail.example.com.",))]),
    ({"recordType": "NS", "targets": ["NS1.example.net."]}, [("NS", ("ns1.example.net",))]),
    ({"recordType": "CAA", "targets": ["0 issue ca.example"]}, [("CAA", ("0 issue ca.example",))]),
    ({"recordType": "SRV", "targets": ["1 100 5061 sip1.example.com"]}, []),
    ({"recordType": "A", "targets": ["lb.example.net"]}, []),
    ({"recordType": "A", "targets": []}, []),
    ({"recordType": "A", "targets": [ELB], **ALIAS}, [("CNAME", (ELB,))]),
    ({"recordType": "AAAA", "targets": [f"{ELB}."], **ALIAS}, [("CNAME", (ELB,))]),
    ({"recordType": "CNAME", "targets": [ELB], **ALIAS}, [("CNAME", (ELB,))]),
    ({"recordType": "A", "targets": [ELB], "providerSpecific": [{"name": "alias", "value": "false"}]}, []),
    ({"recordType": "AAAA", "targets": ["192.0.2.1"], **ALIAS}, []),
    ({"recordType": "A", "targets": ["192.0.2.1"], "setIdentifier": "a"}, []),
]


@pytest.mark.parametrize(("entry", "made"), ENTRIES)
@pytest.mark.spec("SRC-EP-008")
def test_an_entry_is_published_or_told(entry: dict[str, Any], made: list[tuple[str, tuple[str, ...]]]) -> None:
    listed = [{"dnsName": "e.example.com", **entry}, {"dnsName": "ok.example.com", "targets": ["192.0.2.9"]}]
    endpoint = DNSEndpoint.model_validate({"spec": {"endpoints": listed}})

    found = evaluate_dns_endpoint(DNSEndpointView(claimant("DNSEndpoint"), endpoint), Rules())

    published_ones = [one for one in found.endpoints if one.name == "e.example.com" and one.values]
    assert [(one.type.value, one.values) for one in published_ones] == made
    assert bool(found.findings) is not bool(made)
    assert published_values(found)["ok.example.com"] == ("192.0.2.9",)
