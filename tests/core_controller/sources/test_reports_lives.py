"""What happens over time, as bug reports on public DNS controllers describe it; the row names its report."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.externaldns.dnsprovider import CLUSTER_DNS_PROVIDERS
from libdnsapi.api.meta import NAMESPACES, ObjectKey, ResourceType
from tests.core_controller.sources.services import ELB, named, service
from tests.core_controller.sources.world import (
    CRDS,
    GATEWAY_GROUP,
    GATEWAYS,
    HTTP_ROUTES,
    INGRESSES,
    PREFIX,
    SERVICES,
    Document,
    World,
    gateway,
    http_route,
)

ED = "kubernetes-sigs/external-dns"
SHORT, LONG = 60, 400
"""Seconds: shorter than the grace time, and longer."""
LISTENER_SETS = ResourceType(GATEWAY_GROUP, "v1", "ListenerSet", "listenersets")
TCP_ROUTES = ResourceType(GATEWAY_GROUP, "v1alpha2", "TCPRoute", "tcproutes")
ALL: Document = {"namespaces": {"from": "All"}}
HTTP: Document = {"name": "http", "port": 80, "protocol": "HTTP", "allowedRoutes": ALL}
A = {"apps/a A": ["192.0.2.1"]}


def parents(route: Document, *said: tuple[str, str, int]) -> Document:
    """Return a route at Gateways, each with its status and the generation that it is about."""
    refs = [{"name": name, "namespace": "infra"} for name, _, _ in said]
    conditions = [{"type": "Accepted", "status": status, "observedGeneration": seen} for _, status, seen in said]
    pairs = zip(refs, conditions, strict=True)
    judged = [{"parentRef": ref, "controllerName": "c", "conditions": [one]} for ref, one in pairs]
    return {**route, "spec": {**route["spec"], "parentRefs": refs}, "status": {"parents": judged}}


def web(generation: int = 1, hosts: tuple[str, ...] = ("a.example.com",)) -> Document:
    return http_route(hosts=hosts, generation=generation)


def pending(made: Document) -> Document:
    return {**made, "status": {"loadBalancer": {"ingress": [{}]}}}


def ingress(at: str = "192.0.2.7") -> Document:
    return {
        "metadata": {"name": "web", "namespace": "apps", "annotations": {PREFIX + "ttl": "60"}},
        "spec": {"rules": [{"host": "a.example.com"}]},
        "status": {"loadBalancer": {"ingress": [{"ip": at}]}},
    }


EMPTIED = [
    # report, kind, as it is, as it is for a moment or for ever
    (f"{ED}#1844", INGRESSES, ingress(), pending(ingress())),
    (f"{ED}#2677", INGRESSES, ingress(), {**ingress(), "status": {"loadBalancer": {}}}),
    (f"{ED}#414", SERVICES, service(named()), pending(service(named()))),
    ("kubernetes/ingress-nginx#2085", SERVICES, service(named(), {"hostname": ELB}), pending(service(named()))),
    (f"{ED}#4595", GATEWAYS, gateway(), gateway(addresses=())),
]


@pytest.mark.parametrize(("report", "kind", "full", "empty"), EMPTIED, ids=[row[0] for row in EMPTIED])
@pytest.mark.spec("SRC-EP-006", "SRC-EP-049")
async def test_addresses_that_vanish_are_waited_for_and_what_stays_without_is_told(
    world: World, report: str, kind: ResourceType, full: Document, empty: Document
) -> None:
    if kind is GATEWAYS:
        world.put(HTTP_ROUTES, web())
    world.put(kind, full)
    await world.start()
    live = world.records()
    assert len(live) == 1, report

    world.put(kind, empty)
    await world.settle(SHORT)
    assert world.records() == live
    await world.settle(LONG)

    assert world.records() == {}
    assert {"NoTarget", "GatewayWithoutAddress"} & {reason for _, reason in world.events()}


async def replaced(world: World) -> None:
    await world.delete(HTTP_ROUTES, "apps", "web")
    await world.settle(0.5)
    world.put(HTTP_ROUTES, web())


async def gateway_made_anew(world: World) -> None:
    await world.delete(GATEWAYS, "infra", "gw")
    await world.settle(20)
    world.put(GATEWAYS, gateway())


async def controller_away(world: World) -> None:
    world.put(HTTP_ROUTES, parents(web(), ("gw", "Unknown", 1)))
    await world.settle(SHORT)
    world.put(HTTP_ROUTES, web())


async def namespace_made_anew_with_labels(world: World) -> None:
    world.put(NAMESPACES, {"metadata": {"name": "apps", "labels": {"a": "b"}}})


async def a_gateway_that_is_not_there(world: World) -> None:
    world.put(HTTP_ROUTES, http_route("bad", hosts=("b.example.com",), gateway="none"))


async def a_route_without_parents(world: World) -> None:
    bad = http_route("bad", hosts=("b.example.com",))
    world.put(HTTP_ROUTES, {**bad, "spec": {"parentRefs": None}, "status": {"parents": None}})


async def a_record_set_deleted_by_hand(world: World) -> None:
    for key in world.api.keys(RECORD_SETS):
        await world.api.delete(RECORD_SETS, key)


STEADY: list[tuple[str, Callable[[World], Awaitable[None]]]] = [
    ("helm/charts#18210", replaced),
    (f"{ED}#1404", gateway_made_anew),
    (f"{ED}#4023", controller_away),
    (f"{ED}#3628", a_gateway_that_is_not_there),
    (f"{ED}#3841", a_route_without_parents),
    ("Kuadrant/multicluster-gateway-controller#734", a_record_set_deleted_by_hand),
    ("kubernetes/kubernetes#19317", namespace_made_anew_with_labels),
]


@pytest.mark.parametrize(("report", "happens"), STEADY, ids=[row[0] for row in STEADY])
@pytest.mark.spec("ROUTE-LC-005")
async def test_what_passes_leaves_the_record_as_it_is(
    world: World, report: str, happens: Callable[[World], Awaitable[None]]
) -> None:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, web())
    await world.start()
    assert world.records() == A
    before = {one["metadata"]["uid"] for one in world.record_sets()}

    await happens(world)
    await world.settle(LONG)

    assert world.records() == A, report
    if happens is not a_record_set_deleted_by_hand:
        assert {one["metadata"]["uid"] for one in world.record_sets()} == before


@pytest.mark.parametrize(
    ("report", "said", "values"),
    [
        ("envoyproxy/gateway#5656", [("gw", "True", 2), ("gw2", "True", 2)], ["192.0.2.1", "192.0.2.2"]),
        ("envoyproxy/gateway#8861", [("gw", "True", 2), ("gw2", "False", 2)], ["192.0.2.1"]),
        ("envoyproxy/gateway#8876", [("gw", "True", 2), ("gw2", "True", 1)], ["192.0.2.1", "192.0.2.2"]),
        ("kgateway-dev/kgateway#11747", [("gw", "True", 2)], ["192.0.2.1"]),
    ],
)
@pytest.mark.spec("GW-PL-033", "GW-PL-009")
async def test_a_gateway_that_is_behind_keeps_what_it_gave_and_holds_up_nothing_that_is_new(
    world: World, report: str, said: list[tuple[str, str, int]], values: list[str]
) -> None:
    world.put(GATEWAYS, gateway())
    world.put(GATEWAYS, gateway("gw2", addresses=("192.0.2.2",)))
    world.put(HTTP_ROUTES, parents(web(), ("gw", "True", 1), ("gw2", "True", 1)))
    await world.start()
    assert world.records() == {"apps/a A": ["192.0.2.1", "192.0.2.2"]}

    world.put(HTTP_ROUTES, parents(web(2, ("a.example.com", "b.example.com")), *said))
    await world.settle(LONG)

    both = ["192.0.2.1", "192.0.2.2"] if ("gw2", "True", 2) in said else ["192.0.2.1"]
    assert world.records() == {"apps/a A": values, "apps/b A": both}, report
    assert (("HTTPRoute/web", "RouteStatusOutdated") in world.events()) is (("gw2", "True", 1) in said)


WITHDRAWN: list[tuple[str, Document]] = [
    ("Kuadrant/kuadrant-operator#794", {**HTTP, "hostname": "b.example.com"}),
    ("Kuadrant/multicluster-gateway-controller#601", {**HTTP, "hostname": "*.example.org"}),
    (f"{ED}#2045", {**HTTP, "protocol": "TCP"}),
    ("kubernetes-sigs/gateway-api#5116", {**HTTP, "allowedRoutes": {"namespaces": {"from": "Same"}}}),
]


@pytest.mark.parametrize(("report", "listener"), WITHDRAWN, ids=[row[0] for row in WITHDRAWN])
@pytest.mark.spec("GW-PL-034", "GW-PL-035")
async def test_what_the_owner_of_a_listener_takes_back_goes_at_once(
    world: World, report: str, listener: Document
) -> None:
    """It is his word, not an absence: the Gateway serves the name no more."""
    world.put(GATEWAYS, gateway(listeners=[HTTP]))
    route = http_route(hosts=("a.example.com",), annotations={"ttl": "60"})
    world.put(HTTP_ROUTES, route)
    await world.start()
    assert world.records() == A

    world.put(GATEWAYS, gateway(listeners=[listener]))
    await world.settle()

    assert world.records() == {}, report
    assert ("HTTPRoute/web", "RecordSetDeleted") in world.events()
    assert (("HTTPRoute/web", "NameNotServed") in world.events()) is ("hostname" in listener)


@pytest.mark.spec("GW-PL-023")
async def test_a_tcp_route_alone_is_published_at_its_listener_set() -> None:
    """kubernetes-sigs/external-dns#6557, #5765."""
    world = World(source="gateway-tcproute")
    world.zone("example.com")
    world.cluster_provider("main", "example-com")
    world.install(GATEWAYS, LISTENER_SETS, TCP_ROUTES)
    made = gateway(listeners=[])
    made["spec"]["allowedListeners"] = ALL
    ref = {"kind": "ListenerSet", "name": "added", "namespace": "infra"}
    listener = {"name": "mqtt", "port": 1883, "protocol": "TCP", "allowedRoutes": ALL}
    spec = {"parentRef": {"name": "gw"}, "listeners": [listener]}
    route = http_route(annotations={"hostname": "a.example.com"})
    route["spec"]["parentRefs"] = [ref]
    route["status"]["parents"][0]["parentRef"] = ref
    world.put(GATEWAYS, made)
    world.put(LISTENER_SETS, {"metadata": {"name": "added", "namespace": "infra"}, "spec": spec})
    world.put(TCP_ROUTES, route)
    await world.start()

    assert world.records() == A
    await world.stop()


@pytest.mark.parametrize("prefix", [PREFIX, "external-dns.alpha.kubernetes.io/"])
@pytest.mark.spec("GW-TG-001")
async def test_a_target_of_a_gateway_counts_under_both_prefixes(world: World, prefix: str) -> None:
    """kubernetes-sigs/external-dns#6748; axeII/home-ops#3951."""
    world.put(GATEWAYS, gateway(addresses=("172.16.0.1",), annotations={prefix + "target": "x.example.net"}))
    world.put(HTTP_ROUTES, web())
    await world.start()

    assert world.records() == {"apps/a CNAME": ["x.example.net"]}


@pytest.mark.spec("GW-TG-004")
async def test_an_address_is_what_it_says_and_not_what_its_type_says(world: World) -> None:
    """istio/istio#46815: host names were told as addresses."""
    made = gateway()
    made["status"]["addresses"] = [{"type": "IPAddress", "value": "x.example.net"}]
    world.put(GATEWAYS, made)
    world.put(HTTP_ROUTES, web())
    await world.start()

    assert world.records() == {"apps/a CNAME": ["x.example.net"]}


@pytest.mark.spec("ROUTE-RT-014")
async def test_a_name_moves_from_an_ingress_to_a_route_without_a_gap(world: World) -> None:
    """kubernetes-sigs/external-dns#6472."""
    world.put(INGRESSES, ingress())
    await world.start()
    uid = world.record_sets()[0]["metadata"]["uid"]

    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, web())
    await world.settle()
    assert world.records() == {"apps/a A": ["192.0.2.1", "192.0.2.7"]}
    await world.delete(INGRESSES, "apps", "web")
    await world.settle()

    assert world.records() == A
    assert world.record_sets()[0]["metadata"]["uid"] == uid


@pytest.mark.spec("ROUTE-CO-012", "ROUTE-LC-001")
async def test_a_pipeline_under_another_name_with_its_owner_id_takes_over_what_it_has_published(world: World) -> None:
    """kubernetes-sigs/external-dns#2178, #1357."""
    world.put(SERVICES, service(named()))
    await world.start()
    uid = world.record_sets()[0]["metadata"]["uid"]

    await world.delete(CLUSTER_DNS_PROVIDERS, "", "main")
    await world.settle()
    world.cluster_provider("renamed", "example-com", registry={"txtOwnerId": "main"})
    await world.settle()

    (found,) = world.record_sets()
    assert found["metadata"]["uid"] == uid
    assert "sources.dns.appthrust.io/orphaned" not in found["metadata"]["labels"]
    world.put(SERVICES, service(named(), {"ip": "192.0.2.8"}))
    await world.settle()
    assert world.records() == {"apps/a A": ["192.0.2.8"]}


KEPT = [
    # report, policy, what becomes of the Service, what stands then
    (f"{ED}#392", "upsert-only", service({"hostname": "b.example.com"}), {"apps/a A", "apps/b A"}),
    (f"{ED}#1155", "create-only", service(named(), {"ip": "192.0.2.8"}), {"apps/a A"}),
    (f"{ED}#6683", "upsert-only", service(named(), {"hostname": "x.example.net"}), {"apps/a A", "apps/a CNAME"}),
]


@pytest.mark.parametrize(("report", "policy", "edited", "names"), KEPT, ids=[row[0] for row in KEPT])
@pytest.mark.spec("ROUTE-LC-003")
async def test_a_policy_that_keeps_records_keeps_them(
    world: World, report: str, policy: str, edited: Document, names: set[str]
) -> None:
    world.cluster_provider("main", "example-com", policy=policy)
    world.put(SERVICES, service(named()))
    await world.start()

    world.put(SERVICES, edited)
    await world.settle(LONG)

    assert set(world.records()) == names, report
    assert world.records()["apps/a A"] == ["192.0.2.7"]


@pytest.mark.parametrize("alike", [True, False])
@pytest.mark.spec("ROUTE-CO-017")
async def test_a_copy_of_a_generated_record_set_is_its_writers(world: World, alike: bool) -> None:
    """Whoever writes a claim begins with one that is there: `kubectl get -o yaml`, another name, `kubectl apply`."""
    world.put(SERVICES, service(named()))
    await world.start()
    (made,) = world.record_sets()
    kept: dict[str, Any] = {key: made["metadata"][key] for key in ("labels", "annotations", "namespace")}
    spec = made["spec"] if alike else {**made["spec"], "name": "mine"}
    world.api.seed(RECORD_SETS, {"metadata": {**kept, "name": "mine"}, "spec": spec})
    await world.settle(SHORT)
    await world.delete(SERVICES, "apps", "svc")
    await world.settle(SHORT)

    assert world.api.keys(RECORD_SETS) == [ObjectKey("apps", "mine")]
    await world.delete(CLUSTER_DNS_PROVIDERS, "", "main")
    await world.settle(SHORT)
    left = world.record_sets()[0]["metadata"]["labels"]
    assert "sources.dns.appthrust.io/orphaned" not in left


@pytest.mark.spec("ROUTE-CO-017")
async def test_a_copy_of_a_generated_record_set_in_another_namespace_is_its_writers(world: World) -> None:
    """As whoever moves a record does, or restores a namespace under another name: it is what people are served then."""
    world.put(SERVICES, service(named()))
    await world.start()
    (made,) = world.record_sets()
    kept: dict[str, Any] = {key: made["metadata"][key] for key in ("labels", "annotations", "name")}
    world.api.seed(RECORD_SETS, {"metadata": {**kept, "namespace": "infra"}, "spec": made["spec"]})
    await world.settle(LONG)

    assert [key.namespace for key in world.api.keys(RECORD_SETS)] == ["apps", "infra"]


@pytest.mark.spec("GW-PL-019", "ROUTE-LC-005")
async def test_definitions_that_move_to_another_version_write_nothing() -> None:
    """kgateway-dev/kgateway#14293, tyriis/home-ops#10472: objects that are not seen for a moment are not gone."""
    older = [ResourceType(GATEWAY_GROUP, "v1beta1", kind.kind, kind.plural) for kind in (GATEWAYS, HTTP_ROUTES)]
    world = World()
    world.zone("example.com")
    world.cluster_provider("main", "example-com")
    world.install(*older)
    for kinds in (older, (GATEWAYS, HTTP_ROUTES)):
        world.put(kinds[0], gateway())
        world.put(kinds[1], web())
    await world.start()
    assert world.records() == A
    writes = world.recordset_writes()

    for kind in (HTTP_ROUTES, GATEWAYS):
        definition = world.api.read(CRDS, ObjectKey("", f"{kind.plural}.{kind.group}"))
        assert definition is not None
        versions = [{"name": "v1", "served": True}, {"name": "v1beta1", "served": True}]
        world.put(CRDS, {**definition, "spec": {**definition["spec"], "versions": versions}})
        await world.settle(1)
    await world.settle(LONG)
    world.put(HTTP_ROUTES, web(2, ("b.example.com",)))
    await world.settle()

    assert world.records() == {"apps/b A": ["192.0.2.1"]}
    assert world.recordset_writes() == writes + 2
    await world.stop()
