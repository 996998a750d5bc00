"""Routes that are attached to ListenerSets: listeners that a namespace adds to somebody's Gateway."""

from typing import Any

import pytest

from core_controller.sources.annotations import Annotations
from core_controller.sources.claimant import Claimant, Rules
from core_controller.sources.endpoints import Evaluation, SourceKey
from core_controller.sources.gateway.evaluation import RouteView, evaluate_route
from core_controller.sources.gateway.model import Gateway, ListenerSet, Route
from core_controller.sources.gateway.parents import GatewayFilters, ListenerSets, Surroundings
from core_controller.sources.label_filters import parse_selector
from libdnsapi.api.meta import NAMESPACES, ResourceType
from tests.core_controller.sources.world import (
    GATEWAY_GROUP,
    GATEWAYS,
    HTTP_ROUTES,
    PREFIX,
    World,
    gateway,
    http_route,
)

LISTENER_SETS = ResourceType(GATEWAY_GROUP, "v1", "ListenerSet", "listenersets")
REF = {"kind": "ListenerSet", "name": "added", "namespace": "teams"}
ALL = {"namespaces": {"from": "All"}}


def listener_set(name: str = "added", gateway_ref: dict[str, Any] | None = None, **listener: object) -> dict[str, Any]:
    made = {"name": "web", "port": 443, "protocol": "HTTPS", "allowedRoutes": ALL, **listener}
    ref = {"name": "gw", "namespace": "infra"} if gateway_ref is None else gateway_ref
    return {"metadata": {"name": name, "namespace": "teams"}, "spec": {"parentRef": ref, "listeners": [made]}}


def allowing(rule: dict[str, Any] | None) -> dict[str, Any]:
    made = gateway(listeners=[])
    if rule is not None:
        made["spec"]["allowedListeners"] = {"namespaces": rule}
    return made


def evaluate(
    made: dict[str, Any] | None = None,
    ref: dict[str, Any] | None = None,
    *,
    gateways: tuple[dict[str, Any], ...] = (allowing({"from": "All"}),),
    filters: GatewayFilters | None = None,
    seen: bool = True,
    accepted: str = "True",
) -> Evaluation:
    wanted = REF if ref is None else ref
    condition = {"type": "Accepted", "status": accepted, "observedGeneration": 1}
    route = Route.model_validate(
        {
            "metadata": {"name": "r", "namespace": "apps", "generation": 1},
            "spec": {"parentRefs": [wanted], "hostnames": ["a.example.com"]},
            "status": {"parents": [{"parentRef": wanted, "conditions": [condition]}]},
        }
    )
    read = ListenerSet.model_validate(listener_set() if made is None else made)
    sets = ListenerSets({read.key: read}, {"teams": {"team": "a"}}, seen)
    found = {one.key: one for one in map(Gateway.model_validate, gateways)}
    around = Surroundings(found, {"team": "b"}, filters or GatewayFilters(), sets)
    claimant = Claimant(SourceKey("HTTPRoute", "apps", "r"), Annotations({}))
    return evaluate_route(RouteView(claimant, route, around), Rules())


def is_published(evaluation: Evaluation) -> bool:
    return [one.values for one in evaluation.endpoints] == [("192.0.2.1",)]


@pytest.mark.parametrize(
    ("rule", "published"),
    [
        (None, False),
        ({}, False),
        ({"from": "None"}, False),
        ({"from": "Same"}, False),
        ({"from": "All"}, True),
        ({"from": "Selector", "selector": {"matchLabels": {"team": "a"}}}, True),
        ({"from": "Selector", "selector": {"matchLabels": {"team": "b"}}}, False),
        ({"from": "Selector"}, False),
    ],
)
@pytest.mark.spec("GW-PL-024")
def test_a_gateway_says_whose_listeners_are_added(rule: dict[str, Any] | None, published: bool) -> None:
    assert is_published(evaluate(gateways=(allowing(rule),))) is published


@pytest.mark.parametrize(
    ("listener", "ref", "published"),
    [
        ({}, REF, True),
        ({"hostname": "*.example.com"}, REF, True),
        ({"hostname": "*.example.org"}, REF, False),
        ({"protocol": "TLS"}, REF, False),
        ({}, {**REF, "sectionName": "web"}, True),
        ({}, {**REF, "sectionName": "other"}, False),
        ({}, {**REF, "port": 443}, True),
        ({}, {**REF, "port": 80}, False),
        ({"allowedRoutes": {"namespaces": {"from": "Same"}}}, REF, False),
        ({"allowedRoutes": {"kinds": [{"kind": "GRPCRoute"}], **ALL}}, REF, False),
        (
            {"allowedRoutes": {"namespaces": {"from": "Selector", "selector": {"matchLabels": {"team": "b"}}}}},
            REF,
            True,
        ),
        ({}, {**REF, "group": "gateway.networking.x-k8s.io"}, False),
        ({}, {**REF, "kind": "Gateway"}, False),
    ],
)
@pytest.mark.spec("GW-PL-023")
def test_listeners_of_a_set_count_as_those_of_a_gateway(
    listener: dict[str, Any], ref: dict[str, Any], published: bool
) -> None:
    assert is_published(evaluate(listener_set(**listener), ref)) is published


@pytest.mark.parametrize(
    ("filters", "published"),
    [
        (GatewayFilters(name="gw", namespace="infra"), True),
        (GatewayFilters(name="added"), False),
        (GatewayFilters(namespace="teams"), False),
        (GatewayFilters(labels=parse_selector("tier=public")), False),
    ],
)
@pytest.mark.spec("GW-PL-023")
def test_filters_are_about_the_gateway_behind_a_set(filters: GatewayFilters, published: bool) -> None:
    assert is_published(evaluate(filters=filters)) is published


@pytest.mark.spec("GW-PL-023")
def test_a_route_that_is_not_accepted_at_a_set_is_not_published() -> None:
    assert not evaluate(accepted="False").endpoints


@pytest.mark.parametrize(
    ("made", "gateways"),
    [
        (listener_set("other"), (allowing({"from": "All"}),)),
        (listener_set(), ()),
        (listener_set(gateway_ref={"kind": "Service", "group": "", "name": "gw"}), (allowing({"from": "All"}),)),
    ],
)
@pytest.mark.spec("GW-PL-025")
def test_a_set_or_gateway_that_does_not_exist_holds_for_the_grace_time(
    made: dict[str, Any], gateways: tuple[dict[str, Any], ...]
) -> None:
    hold = evaluate(made, gateways=gateways).hold

    assert hold is not None
    assert hold.expires


@pytest.mark.spec("GW-PL-025")
def test_sets_that_cannot_be_seen_hold_what_is_published() -> None:
    hold = evaluate(seen=False).hold

    assert hold is not None
    assert not hold.expires


@pytest.mark.spec("GW-PL-026")
async def test_a_route_follows_its_set_its_gateway_and_the_labels_of_the_sets_namespace(world: World) -> None:
    world.install(LISTENER_SETS)
    made = allowing({"from": "Selector", "selector": {"matchLabels": {"kubernetes.io/metadata.name": "infra"}}})
    added = listener_set(hostname="*.example.com")
    added["metadata"]["namespace"] = "infra"
    route = http_route(hosts=("www.example.com", "www.example.org"))
    ref = {"kind": "ListenerSet", "name": "added", "namespace": "infra"}
    route["spec"]["parentRefs"] = [ref]
    route["status"]["parents"][0]["parentRef"] = ref
    world.put(GATEWAYS, made)
    world.put(LISTENER_SETS, added)
    world.put(HTTP_ROUTES, route)
    await world.start()
    assert world.records() == {"apps/www A": ["192.0.2.1"]}

    world.put(GATEWAYS, {**made, "status": {"addresses": [{"type": "IPAddress", "value": "192.0.2.2"}]}})
    await world.settle()
    assert world.records() == {"apps/www A": ["192.0.2.2"]}

    world.put(NAMESPACES, {"metadata": {"name": "infra", "labels": {}}})
    await world.settle()
    assert world.records() == {}

    world.put(NAMESPACES, {"metadata": {"name": "infra", "labels": {"kubernetes.io/metadata.name": "infra"}}})
    await world.settle()
    assert world.records() == {"apps/www A": ["192.0.2.2"]}

    added["spec"]["listeners"][0]["hostname"] = "*.example.org"
    world.put(LISTENER_SETS, added)
    await world.settle()
    assert world.records() == {}


@pytest.mark.spec("GW-PL-026")
async def test_sets_that_are_installed_later_are_watched_from_then_on(world: World) -> None:
    route = http_route(hosts=("www.example.com",))
    route["spec"]["parentRefs"] = [REF]
    route["status"]["parents"][0]["parentRef"] = REF
    world.put(GATEWAYS, allowing({"from": "All"}))
    world.put(HTTP_ROUTES, route)
    await world.start()
    assert world.records() == {}

    world.install(LISTENER_SETS)
    world.put(LISTENER_SETS, listener_set())
    await world.settle(20)
    assert world.records() == {"apps/www A": ["192.0.2.1"]}


@pytest.mark.spec("GW-PL-030")
async def test_a_target_of_the_set_wins_over_those_of_its_gateway_for_the_routes_of_the_set(world: World) -> None:
    world.install(LISTENER_SETS)
    made = allowing({"from": "All"})
    made["spec"]["listeners"] = [{"name": "http", "port": 80, "protocol": "HTTP", "allowedRoutes": ALL}]
    made["metadata"]["annotations"] = {PREFIX + "target": "gateway.example.net"}
    route = http_route(hosts=("www.example.com",))
    route["spec"]["parentRefs"] = [REF]
    route["status"]["parents"][0]["parentRef"] = REF
    world.put(GATEWAYS, made)
    world.put(LISTENER_SETS, listener_set())
    world.put(HTTP_ROUTES, route)
    world.put(HTTP_ROUTES, http_route("plain", hosts=("plain.example.com",)))
    await world.start()
    plain = {"apps/plain CNAME": ["gateway.example.net"]}
    assert world.records() == plain | {"apps/www CNAME": ["gateway.example.net"]}

    added = listener_set()
    added["metadata"]["annotations"] = {PREFIX + "target": "set.example.net"}
    world.put(LISTENER_SETS, added)
    await world.settle()

    assert world.records() == plain | {"apps/www CNAME": ["set.example.net"]}
