"""Which Gateways and listeners a route is attached to: parents, kinds, allowedRoutes, filters (seed 003)."""

from typing import Any

import pytest

from core_controller.sources.claimant import Rules
from core_controller.sources.endpoints import Evaluation, SourceKey
from core_controller.sources.gateway.parents import GatewayFilters
from core_controller.sources.label_filters import parse_selector
from core_controller.sources.templates import parse
from libdnsapi.api.meta import ObjectKey
from tests.core_controller.sources.gateway.routes import ADDRESS, ALL, evaluate, gateway, listener, parent
from tests.core_controller.sources.world import published_values

HOSTNAMES = [
    # route hostnames, listener hostname, published
    (("a.example.com",), "", ["a.example.com"]),
    (("a.example.com", "b.example.com"), "", ["a.example.com", "b.example.com"]),
    ((), "", []),
    ((), "l.example.com", ["l.example.com"]),
    ((), "*.example.com", ["*.example.com"]),
    (("a.example.com",), "a.example.com", ["a.example.com"]),
    (("a.example.com",), "b.example.com", []),
    (("a.example.com",), "*.example.com", ["a.example.com"]),
    (("example.com",), "*.example.com", []),
    (("a.b.example.com",), "*.example.com", ["a.b.example.com"]),
    (("*.b.example.com",), "*.example.com", ["*.b.example.com"]),
    (("*.example.com",), "*.b.example.com", ["*.b.example.com"]),
    (("*.example.com",), "*.example.com", ["*.example.com"]),
    (("*.example.com",), "a.example.com", ["a.example.com"]),
    (("*.example.com",), "a.b.example.com", ["a.b.example.com"]),
    (("*.example.com",), "example.com", []),
    (("*.example.com",), "*.example.org", []),
    (("*.example.com",), "", ["*.example.com"]),
    (("a.myexample.com",), "*.example.com", []),
    (("*example.com",), "*.example.com", []),
    (("192.0.2.9",), "*.example.com", []),
    (("192.0.2.9",), "", []),
    (("A.Example.COM",), "", ["a.example.com"]),
    (("a.example.com.",), "", ["a.example.com"]),
    (("app.bücher.example",), "", ["app.xn--bcher-kva.example"]),
    (("a.example.com",), "*.EXAMPLE.com", ["a.example.com"]),
    (("a..example.com",), "", []),
    (("a.example.com", "*example.com"), "", ["a.example.com"]),
    (("a.example.com", "a.example.com"), "", ["a.example.com"]),
    (("-a.example.com",), "", []),
    (("x" * 64 + ".example.com",), "", []),
    (("x" * 63 + ".example.com",), "", ["x" * 63 + ".example.com"]),
]


@pytest.mark.parametrize(("hosts", "hostname", "published"), HOSTNAMES)
@pytest.mark.spec("GW-DN-011", "GW-DN-012", "GW-DN-016", "GW-DN-018")
def test_the_hostnames_are_narrowed_by_the_listener(
    hosts: tuple[str, ...], hostname: str, published: list[str]
) -> None:
    """Cases 5, 7, 51."""
    assert sorted(published_values(evaluate(hosts, gateway(listener(hostname=hostname))))) == published


KINDS = [
    (kind, protocol, protocol in allowed)
    for kind, allowed in {
        "HTTPRoute": ("HTTP", "HTTPS"),
        "GRPCRoute": ("HTTP", "HTTPS"),
        "TLSRoute": ("TLS",),
        "TCPRoute": ("TCP",),
        "UDPRoute": ("UDP",),
    }.items()
    for protocol in ("HTTP", "HTTPS", "TLS", "TCP", "UDP", "example.net/custom", "")
]


@pytest.mark.parametrize(("kind", "protocol", "served"), KINDS)
@pytest.mark.spec("GW-DN-001", "GW-PL-015")
def test_only_listeners_of_the_routes_protocols_count(kind: str, protocol: str, served: bool) -> None:
    found = evaluate((), gateway(listener(protocol=protocol)), kind=kind, annotations={"hostname": "a.example.com"})

    assert published_values(found) == ({"a.example.com": (ADDRESS,)} if served else {})


@pytest.mark.parametrize(
    ("kind", "uses"),
    [("HTTPRoute", True), ("GRPCRoute", True), ("TLSRoute", True), ("TCPRoute", False), ("UDPRoute", False)],
)
@pytest.mark.spec("GW-DN-004")
def test_only_three_kinds_have_hostnames_of_their_own(kind: str, uses: bool) -> None:
    listeners = [listener(str(n), protocol=p) for n, p in enumerate(("HTTP", "TLS", "TCP", "UDP"))]

    assert bool(published_values(evaluate(("a.example.com",), gateway(*listeners), kind=kind))) is uses


SELECTOR = {"from": "Selector", "selector": {"matchLabels": {"team": "a"}}}
ALLOWED = [
    # allowedRoutes, namespace of the route, its labels, attached
    (None, "infra", {}, True),
    (None, "apps", {}, False),
    ({}, "infra", {}, True),
    ({}, "apps", {}, False),
    ({"namespaces": {"from": "Same"}}, "infra", {}, True),
    ({"namespaces": {"from": "Same"}}, "apps", {}, False),
    ({"namespaces": {"from": "All"}}, "apps", {}, True),
    ({"namespaces": {"from": "None"}}, "infra", {}, False),
    ({"namespaces": SELECTOR}, "apps", {"team": "a"}, True),
    ({"namespaces": SELECTOR}, "apps", {"team": "b"}, False),
    ({"namespaces": SELECTOR}, "infra", {}, False),
    ({"namespaces": {"from": "Selector", "selector": {}}}, "apps", {}, True),
    ({"namespaces": {"from": "Selector"}}, "apps", {}, False),
    ({**ALL, "kinds": []}, "apps", {}, True),
    ({**ALL, "kinds": None}, "apps", {}, True),
    ({**ALL, "kinds": [{"kind": "HTTPRoute"}]}, "apps", {}, True),
    ({**ALL, "kinds": [{"kind": "GRPCRoute"}]}, "apps", {}, False),
    ({**ALL, "kinds": [{"kind": "GRPCRoute"}, {"kind": "HTTPRoute"}]}, "apps", {}, True),
    ({**ALL, "kinds": [{"group": "example.net", "kind": "HTTPRoute"}]}, "apps", {}, False),
    ({**ALL, "kinds": [{"group": "gateway.networking.k8s.io", "kind": "HTTPRoute"}]}, "apps", {}, True),
]


@pytest.mark.parametrize(("allowed", "namespace", "labels", "attached"), ALLOWED)
@pytest.mark.spec("GW-PL-016", "GW-PL-017", "GW-PL-018")
def test_a_listener_says_which_routes_may_attach(
    allowed: dict[str, Any] | None, namespace: str, labels: dict[str, str], attached: bool
) -> None:
    made = listener()
    if allowed is None:
        del made["allowedRoutes"]
    else:
        made["allowedRoutes"] = allowed

    found = evaluate(("a.example.com",), gateway(made), namespace=namespace, labels=labels)
    assert bool(published_values(found)) is attached


TWO = (listener("one", "*.one.example.com", port=80), listener("two", "*.two.example.com", port=8080))
BOTH_HOSTS = ("a.one.example.com", "a.two.example.com")
SECTIONS = [
    (parent(), ["a.one.example.com", "a.two.example.com"]),
    (parent(sectionName="one"), ["a.one.example.com"]),
    (parent(sectionName="two"), ["a.two.example.com"]),
    (parent(sectionName="three"), []),
    (parent(port=80), ["a.one.example.com"]),
    (parent(port=8080), ["a.two.example.com"]),
    (parent(port=443), []),
    (parent(sectionName="one", port=80), ["a.one.example.com"]),
    (parent(sectionName="one", port=8080), []),
    (parent(group="gateway.networking.k8s.io", kind="Gateway"), ["a.one.example.com", "a.two.example.com"]),
    (parent(group="", kind="Service"), []),
    (parent(kind="Service"), []),
    (parent(group="example.net"), []),
    (parent(kind="ListenerSet"), []),
    (parent("other"), []),
    (parent(namespace="elsewhere"), []),
]


@pytest.mark.parametrize(("ref", "published"), SECTIONS)
@pytest.mark.spec("GW-PL-001", "GW-PL-002", "GW-PL-013", "GW-PL-014")
def test_a_parent_reference_picks_its_listeners(ref: dict[str, Any], published: list[str]) -> None:
    assert sorted(published_values(evaluate(BOTH_HOSTS, gateway(*TWO), refs=[ref]))) == published


@pytest.mark.spec("GW-PL-008")
def test_a_reference_without_namespace_is_to_the_routes_own() -> None:
    found = evaluate(("a.example.com",), gateway(), refs=[parent(namespace=None)], namespace="infra")

    assert published_values(found) == {"a.example.com": (ADDRESS,)}


NAMING = [
    # spec hostnames, annotation, rules, listener hostname, published
    (("a.example.com",), "b.example.com", Rules(), "", ["a.example.com", "b.example.com"]),
    ((), "svc.example.com", Rules(), "*.example.com", ["svc.example.com"]),
    ((), "svc.example.com", Rules(ignore_hostname_annotation=True), "*.example.com", ["*.example.com"]),
    ((), "", Rules(fqdn_template=parse("{{.Name}}.example.com")), "*.example.com", ["r.example.com"]),
    (("a.example.com",), "", Rules(fqdn_template=parse("{{.Name}}.example.com")), "", ["a.example.com"]),
    (
        ("a.example.com",),
        "",
        Rules(combine_fqdn_annotation=True, fqdn_template=parse("{{.Name}}.example.com")),
        "",
        ["a.example.com", "r.example.com"],
    ),
    ((), "", Rules(fqdn_template=parse("{{.Name}}.example.com,x.example.com")), "", ["r.example.com", "x.example.com"]),
    ((), "svc.example.org", Rules(), "*.example.com", []),
    ((), "a.example.com, b.example.com,", Rules(), "", ["a.example.com", "b.example.com"]),
    ((), "*bad", Rules(), "*.example.com", []),
    ((), "", Rules(fqdn_template=parse("{{.Name.None}}.example.com")), "*.example.com", []),
    ((), "", Rules(fqdn_template=parse("{{.None}}.example.com")), "*.example.com", []),
]


@pytest.mark.parametrize(("hosts", "annotation", "rules", "hostname", "published"), NAMING)
@pytest.mark.spec("GW-DN-005", "GW-DN-006", "GW-DN-007", "GW-DN-008", "GW-DN-009", "GW-DN-010")
def test_names_come_from_spec_annotation_template_and_only_then_from_the_listener(
    hosts: tuple[str, ...], annotation: str, rules: Rules, hostname: str, published: list[str]
) -> None:
    """Case 50."""
    annotations = {"hostname": annotation} if annotation else {}
    found = evaluate(hosts, gateway(listener(hostname=hostname)), annotations=annotations, rules=rules)

    assert sorted(published_values(found)) == published


FILTERS = [
    (GatewayFilters(), True),
    (GatewayFilters(name="gw"), True),
    (GatewayFilters(name="other"), False),
    (GatewayFilters(namespace="infra"), True),
    (GatewayFilters(namespace="apps"), False),
    (GatewayFilters(labels=parse_selector("tier=public")), True),
    (GatewayFilters(labels=parse_selector("tier=private")), False),
    (GatewayFilters(labels=parse_selector("!tier")), False),
]


@pytest.mark.parametrize(("filters", "published"), FILTERS)
@pytest.mark.spec("GW-PL-003", "GW-PL-004", "GW-PL-005")
def test_only_gateways_that_the_filters_let_through_count(filters: GatewayFilters, published: bool) -> None:
    made = gateway(labels={"tier": "public"})

    assert bool(published_values(evaluate(("a.example.com",), made, filters=filters))) is published


@pytest.mark.spec("SRC-EP-014")
def test_an_object_of_another_controller_is_left_alone() -> None:
    assert evaluate(annotations={"controller": "other"}) == Evaluation(SourceKey("HTTPRoute", "apps", "r"))
    assert published_values(evaluate(annotations={"controller": "dns-controller"})) == {"a.example.com": (ADDRESS,)}


@pytest.mark.spec("SRC-EP-015")
def test_a_set_identifier_is_refused() -> None:
    found = evaluate(annotations={"set-identifier": "x"})

    assert found.endpoints == ()
    assert found.hold is not None
    assert (found.hold.reason, found.hold.quiet, found.hold.expires) == ("RoutingPolicyNotSupported", False, False)


def test_the_key_of_a_gateway_is_its_namespace_and_name() -> None:
    assert gateway().key == ObjectKey("infra", "gw")
