"""What a route publishes: listeners, parents, hostnames, allowedRoutes, status (seed 003)."""

import ipaddress
from typing import Any

import pytest

from core_controller.sources.annotations import Annotations
from core_controller.sources.claimant import Claimant, Rules
from core_controller.sources.endpoints import Evaluation, Hold, SourceKey, TargetNets, Targets
from core_controller.sources.gateway.evaluation import RouteView, evaluate_route
from core_controller.sources.gateway.model import Gateway, Route
from core_controller.sources.gateway.parents import GatewayFilters, Surroundings
from core_controller.sources.label_filters import parse_selector
from core_controller.sources.templates import parse
from libdnsapi.api.meta import ObjectKey

ALL = {"namespaces": {"from": "All"}}
ADDRESS = "192.0.2.1"
ALPHA = "external-dns.alpha.kubernetes.io/"


def listener(name: str = "l", hostname: str = "", **extra: object) -> dict[str, Any]:
    made: dict[str, Any] = {"name": name, "port": 80, "protocol": "HTTP", "allowedRoutes": ALL, **extra}
    return {**made, "hostname": hostname} if hostname else made


def parent(name: str = "gw", namespace: str | None = "infra", **extra: object) -> dict[str, Any]:
    made: dict[str, Any] = {"name": name, **extra}
    return made if namespace is None else {**made, "namespace": namespace}


def judged(ref: dict[str, Any], status: str = "True", observed: int = 1) -> dict[str, Any]:
    condition = {"type": "Accepted", "status": status, "observedGeneration": observed}
    return {"parentRef": ref, "controllerName": "c", "conditions": [condition]}


def gateway(
    *listeners: dict[str, Any], name: str = "gw", addresses: tuple[str, ...] = (ADDRESS,), **meta: object
) -> Gateway:
    return Gateway.model_validate(
        {
            "metadata": {"name": name, "namespace": "infra", **meta},
            "spec": {"listeners": list(listeners) or [listener()]},
            "status": {"addresses": [{"type": "IPAddress", "value": value} for value in addresses]},
        }
    )


def evaluate(  # noqa: PLR0913 — each row names only what it is about
    hosts: tuple[str, ...] = ("a.example.com",),
    *gateways: Gateway,
    kind: str = "HTTPRoute",
    refs: list[dict[str, Any]] | None = None,
    status: list[dict[str, Any]] | None = None,
    annotations: dict[str, str] | None = None,
    namespace: str = "apps",
    labels: dict[str, str] | None = None,
    generation: int = 1,
    rules: Rules | None = None,
    filters: GatewayFilters | None = None,
    declared: Targets | Hold | None = None,
    grace_over: bool = False,
) -> Evaluation:
    """Evaluate one route; by default it is attached to `gw`, which has accepted it."""
    wanted = [parent()] if refs is None else refs
    seen = [judged(ref) for ref in wanted] if status is None else status
    route = Route.model_validate(
        {
            "metadata": {"name": "r", "namespace": namespace, "generation": generation},
            "spec": {"parentRefs": wanted, "hostnames": list(hosts)},
            "status": {"parents": seen},
        }
    )
    claimant = Claimant(
        SourceKey(kind, namespace, "r"),
        Annotations({ALPHA + key: value for key, value in (annotations or {}).items()}),
        declared=declared,
        document={"Name": "r", "Namespace": namespace},
        grace_over=grace_over,
    )
    found = {one.key: one for one in (gateways or (gateway(),))}
    around = Surroundings(found, labels or {}, filters or GatewayFilters())
    return evaluate_route(RouteView(claimant, route, around), rules or Rules())


def names(evaluation: Evaluation) -> dict[str, tuple[str, ...]]:
    """Return the published values by name, types put together."""
    found: dict[str, tuple[str, ...]] = {}
    for endpoint in evaluation.endpoints:
        found[endpoint.name] = found.get(endpoint.name, ()) + endpoint.values
    return found


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
    assert sorted(names(evaluate(hosts, gateway(listener(hostname=hostname))))) == published


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

    assert names(found) == ({"a.example.com": (ADDRESS,)} if served else {})


@pytest.mark.parametrize(
    ("kind", "uses"),
    [("HTTPRoute", True), ("GRPCRoute", True), ("TLSRoute", True), ("TCPRoute", False), ("UDPRoute", False)],
)
@pytest.mark.spec("GW-DN-004")
def test_only_three_kinds_have_hostnames_of_their_own(kind: str, uses: bool) -> None:
    listeners = [listener(str(n), protocol=p) for n, p in enumerate(("HTTP", "TLS", "TCP", "UDP"))]

    assert bool(names(evaluate(("a.example.com",), gateway(*listeners), kind=kind))) is uses


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

    assert bool(names(evaluate(("a.example.com",), gateway(made), namespace=namespace, labels=labels))) is attached


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
    assert sorted(names(evaluate(BOTH_HOSTS, gateway(*TWO), refs=[ref]))) == published


@pytest.mark.spec("GW-PL-008")
def test_a_reference_without_namespace_is_to_the_routes_own() -> None:
    found = evaluate(("a.example.com",), gateway(), refs=[parent(namespace=None)], namespace="infra")

    assert names(found) == {"a.example.com": (ADDRESS,)}


STALE = [
    # spec.parentRefs, status.parents, published
    ([parent()], [judged(parent())], True),
    ([parent()], [judged(parent(), "False")], False),
    ([parent()], [judged(parent(), "Unknown")], False),
    ([parent()], [{"parentRef": parent(), "conditions": []}], False),
    ([parent()], [{"parentRef": parent(), "conditions": None}], False),
    ([parent()], [{"parentRef": parent()}], False),
    ([parent(sectionName="l")], [judged(parent())], False),
    ([parent()], [judged(parent(sectionName="l"))], False),
    ([parent(sectionName="l")], [judged(parent(sectionName="l"))], True),
    ([parent(port=80)], [judged(parent())], False),
    ([parent(port=80)], [judged(parent(port=80))], True),
    ([parent(port=80)], [judged(parent(port=81))], False),
    ([parent("other")], [judged(parent())], False),
    ([], [judged(parent())], False),
    ([parent(sectionName="bar")], [judged(parent(sectionName="l"))], False),
    ([parent()], [judged(parent(namespace=None))], False),
    ([parent()], [judged(parent(group="gateway.networking.k8s.io", kind="Gateway"))], True),
    ([parent()], [judged(parent(), "False"), judged(parent())], True),
    ([parent()], [judged(parent("other")), judged(parent())], True),
]


@pytest.mark.parametrize(("refs", "status", "published"), STALE)
@pytest.mark.spec("GW-PL-006", "GW-PL-009")
def test_only_parents_that_are_still_in_spec_and_accepted_count(
    refs: list[dict[str, Any]], status: list[dict[str, Any]], published: bool
) -> None:
    """Case 47."""
    assert bool(names(evaluate(refs=refs, status=status))) is published


@pytest.mark.spec("GW-PL-012")
def test_a_parent_ref_without_a_judgement_is_waited_for() -> None:
    found = evaluate(refs=[parent()], status=[])

    assert found.hold is not None
    assert found.hold.expires
    assert evaluate(refs=[parent()], status=[], grace_over=True).hold is None


REJECTED = [
    # what status says of the parents of spec, held
    ([judged(parent(), "False")], True),
    ([judged(parent(), "Unknown")], True),
    ([{"parentRef": parent(), "conditions": []}], True),
    ([judged(parent(), "False"), judged(parent())], False),
]


@pytest.mark.parametrize(("status", "held"), REJECTED)
@pytest.mark.spec("GW-PL-006", "GW-PL-012")
def test_a_route_that_no_gateway_accepts_any_more_keeps_its_records_for_the_grace_time(
    status: list[dict[str, Any]], held: bool
) -> None:
    """Case 49: a Gateway that is not accepted for a moment withdraws nothing."""
    found = evaluate(refs=[parent()], status=status)
    over = evaluate(refs=[parent()], status=status, grace_over=True)

    assert (found.hold is not None and found.hold.expires) is held
    assert over.hold is None


GENERATIONS = [
    # the route's generation, the condition's, its status, held
    (5, 5, "True", False),
    (5, 4, "True", True),
    (5, 4, "False", True),
    (5, 0, "True", False),
    (5, 6, "True", False),
    (1, 1, "True", False),
    (2, 1, "Unknown", True),
]


@pytest.mark.parametrize(("generation", "observed", "status", "held"), GENERATIONS)
@pytest.mark.spec("GW-PL-010")
def test_a_judgement_older_than_the_route_holds(generation: int, observed: int, status: str, held: bool) -> None:
    """Case 48."""
    found = evaluate(generation=generation, status=[judged(parent(), status, observed)])

    assert (found.hold is not None and not found.hold.expires) is held


@pytest.mark.spec("GW-PL-011")
def test_an_old_judgement_about_a_parent_that_left_spec_holds_nothing() -> None:
    status = [judged(parent("gone"), observed=1), judged(parent(), observed=2)]

    assert names(evaluate(generation=2, status=status)) == {"a.example.com": (ADDRESS,)}


HANDED_OVER = [
    # what two controllers say of the route's generation 2 at one parent, published
    ([judged(parent(), observed=1), judged(parent(), observed=2)], True),
    ([judged(parent(), observed=2), judged(parent(), observed=1)], True),
    ([judged(parent(), observed=1), judged(parent(), "False", 2)], False),
    ([judged(parent(), "False", 1), judged(parent(), observed=2)], True),
]


@pytest.mark.parametrize(("status", "published"), HANDED_OVER)
@pytest.mark.spec("GW-PL-028")
def test_a_gateway_that_another_controller_took_over_is_not_held_by_what_the_first_one_said(
    status: list[dict[str, Any]], published: bool
) -> None:
    """Cases 47, 48: the entry of a controller that is gone stands in status for ever."""
    found = evaluate(generation=2, status=status)

    assert bool(names(found)) is published
    assert found.hold is None or found.hold.expires


@pytest.mark.spec("GW-PL-028")
def test_an_old_judgement_of_a_gateway_that_is_gone_holds_for_the_grace_time_only() -> None:
    refs = [parent("gone"), parent()]
    status = [judged(parent("gone"), observed=1), judged(parent(), observed=2)]
    found = evaluate(generation=2, refs=refs, status=status)
    over = evaluate(generation=2, refs=refs, status=status, grace_over=True)

    assert names(found) == names(over) == {"a.example.com": (ADDRESS,)}
    assert found.hold is not None
    assert found.hold.expires
    assert over.hold is None


ONE_OF_TWO = [
    # what is said of the second Gateway, whether it is there
    ([judged(parent("gw2"), "False")], True),
    ([judged(parent("gw2"), "Unknown")], True),
    ([], True),
    ([judged(parent("gw2"))], False),
]


@pytest.mark.parametrize(("status", "there"), ONE_OF_TWO)
@pytest.mark.spec("GW-PL-029")
def test_a_gateway_that_fails_beside_another_keeps_its_targets_for_the_grace_time(
    status: list[dict[str, Any]], there: bool
) -> None:
    """Case 49: what the other one gives is published, and nothing is withdrawn yet."""
    gateways = (gateway(), gateway(name="gw2", addresses=("192.0.2.2",))) if there else (gateway(),)
    refs, said = [parent(), parent("gw2")], [judged(parent()), *status]
    found = evaluate(("a.example.com",), *gateways, refs=refs, status=said)
    over = evaluate(("a.example.com",), *gateways, refs=refs, status=said, grace_over=True)

    assert names(found) == names(over) == {"a.example.com": (ADDRESS,)}
    assert found.hold is not None
    assert found.hold.expires
    assert over.hold is None


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

    assert sorted(names(found)) == published


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

    assert bool(names(evaluate(("a.example.com",), made, filters=filters))) is published


TARGETS = [
    (("192.0.2.1", "2001:db8::1", "lb.example.net"), ("192.0.2.1", "2001:db8::1", "lb.example.net")),
    (("192.0.2.2", "192.0.2.1", "192.0.2.1"), ("192.0.2.1", "192.0.2.2")),
    (("2001:DB8::0001",), ("2001:db8::1",)),
    (("LB.Example.net.",), ("lb.example.net",)),
    (("not a name", "192.0.2.1"), ("192.0.2.1",)),
]


@pytest.mark.parametrize(("addresses", "values"), TARGETS)
@pytest.mark.spec("GW-TG-003", "GW-TG-004", "GW-TG-007")
def test_addresses_become_values_by_their_type(addresses: tuple[str, ...], values: tuple[str, ...]) -> None:
    assert names(evaluate(("a.example.com",), gateway(addresses=addresses))) == {"a.example.com": values}


@pytest.mark.spec("GW-TG-007")
def test_an_address_that_only_its_implementation_understands_is_no_target() -> None:
    made = gateway()
    named = [
        {"type": "example.net/NamedAddress", "value": "my-address"},
        {"type": "Hostname", "value": "lb.example.net"},
    ]
    document = {**made.model_dump(by_alias=True, mode="json"), "status": {"addresses": named}}

    found = evaluate(("a.example.com",), Gateway.model_validate(document))

    assert names(found) == {"a.example.com": ("lb.example.net",)}


@pytest.mark.spec("GW-TG-008")
def test_a_gateway_without_address_holds_for_the_grace_time_only() -> None:
    """Case 49."""
    held = evaluate(("a.example.com",), gateway(addresses=()))
    over = evaluate(("a.example.com",), gateway(addresses=()), grace_over=True)

    assert held.hold is not None
    assert held.hold.expires
    assert over.hold is None
    assert over.endpoints == ()


@pytest.mark.spec("GW-TG-005", "GW-TG-006")
def test_the_targets_of_all_gateways_that_serve_a_name_are_united() -> None:
    first = gateway(listener(hostname="*.example.com"), addresses=("192.0.2.1",))
    second = gateway(listener(hostname="a.example.com"), name="gw2", addresses=("192.0.2.2", "192.0.2.1"))
    refs = [parent(), parent("gw2")]

    found = evaluate(("a.example.com", "b.example.com"), first, second, refs=refs)

    assert names(found) == {"a.example.com": ("192.0.2.1", "192.0.2.2"), "b.example.com": ("192.0.2.1",)}


@pytest.mark.spec("GW-TG-002")
def test_a_route_that_declares_targets_publishes_them_and_not_the_gateways() -> None:
    """Case 53."""
    found = evaluate(declared=Targets(names=("other-lb.example.net",)))

    assert names(found) == {"a.example.com": ("other-lb.example.net",)}


@pytest.mark.spec("TF-BE-012")
def test_an_unresolved_target_is_never_replaced_by_the_gateways_address() -> None:
    """Case 59."""
    assert evaluate(declared=Hold("TargetFromUnresolved", "no")).hold is not None


@pytest.mark.spec("SRC-EP-014")
def test_an_object_of_another_controller_is_left_alone() -> None:
    assert evaluate(annotations={"controller": "other"}) == Evaluation(SourceKey("HTTPRoute", "apps", "r"))
    assert names(evaluate(annotations={"controller": "dns-controller"})) == {"a.example.com": (ADDRESS,)}


@pytest.mark.spec("SRC-EP-015")
def test_a_set_identifier_is_refused() -> None:
    found = evaluate(annotations={"set-identifier": "x"})

    assert found.endpoints == ()
    assert found.hold is not None
    assert (found.hold.reason, found.hold.quiet, found.hold.expires) == ("RoutingPolicyNotSupported", False, False)


@pytest.mark.spec("SRC-EP-017", "TF-BE-007")
def test_networks_decide_which_addresses_are_published() -> None:
    nets = TargetNets((ipaddress.ip_network("192.0.2.0/24"),), (ipaddress.ip_network("192.0.2.9/32"),))
    made = gateway(addresses=("192.0.2.1", "192.0.2.9", "198.51.100.1"))

    assert names(evaluate(("a.example.com",), made, rules=Rules(nets=nets))) == {"a.example.com": ("192.0.2.1",)}


@pytest.mark.spec("GW-PL-007")
def test_a_gateway_that_does_not_exist_holds_for_the_grace_time() -> None:
    found = evaluate(refs=[parent("none")])

    assert found.hold is not None
    assert found.hold.expires


def test_the_key_of_a_gateway_is_its_namespace_and_name() -> None:
    assert gateway().key == ObjectKey("infra", "gw")
