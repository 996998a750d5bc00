"""The grace time: each cause for which an object is held has its own, and none holds what others give to new names."""

from typing import Any

import pytest

from tests.core_controller.sources.world import (
    GATEWAYS,
    HTTP_ROUTES,
    PREFIX,
    SERVICES,
    World,
    gateway,
    http_route,
    load_balancer,
)

LONG, SHORT = 400, 60
"""Seconds: longer than the grace time, and shorter."""


def at(*refs: tuple[str, str], hosts: tuple[str, ...] = ("a.example.com",)) -> dict[str, Any]:
    """Return a route at Gateways, each with what it says of the route; a name may have a listener behind a slash."""
    made = http_route(hosts=hosts)
    parents = []
    for text, accepted in refs:
        name, _, section = text.partition("/")
        ref = {"name": name, "namespace": "infra", **({"sectionName": section} if section else {})}
        condition = {"type": "Accepted", "status": accepted, "observedGeneration": 1}
        parents.append({"parentRef": ref, "controllerName": "example.net/c", "conditions": [condition]})
    made["spec"]["parentRefs"] = [one["parentRef"] for one in parents]
    made["status"]["parents"] = parents
    return made


MISSING = [
    # the second Gateway, what it says of the route
    (gateway("gw2", addresses=()), "True"),
    (gateway("gw2", addresses=("192.0.2.2",)), "False"),
    (None, "True"),
    (None, "False"),
]


@pytest.mark.parametrize(("second", "accepted"), MISSING)
@pytest.mark.spec("GW-PL-031", "GW-TG-008")
async def test_what_has_been_missing_for_long_does_not_shorten_the_grace_time_of_what_goes_now(
    world: World, second: dict[str, Any] | None, accepted: str
) -> None:
    """Case 49, beside a Gateway that never had an address, or never accepted the route."""
    world.put(GATEWAYS, gateway())
    if second is not None:
        world.put(GATEWAYS, second)
    world.put(HTTP_ROUTES, at(("gw", "True"), ("gw2", accepted)))
    await world.start()
    await world.settle(LONG)
    assert world.records() == {"apps/a A": ["192.0.2.1"]}

    world.put(GATEWAYS, gateway(addresses=()))
    await world.settle(SHORT)
    assert world.records() == {"apps/a A": ["192.0.2.1"]}

    await world.settle(LONG)
    assert world.records() == {}


@pytest.mark.spec("GW-PL-031")
async def test_causes_that_come_together_end_together(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, at(("gw/http", "True"), ("gw", "True")))
    await world.start()

    world.put(HTTP_ROUTES, at(("gw/http", "False"), ("gw", "False")))
    await world.settle(SHORT)
    assert world.records() == {"apps/a A": ["192.0.2.1"]}

    await world.settle(300)
    assert world.records() == {}


@pytest.mark.spec("GW-PL-031")
async def test_a_cause_that_went_away_and_comes_back_has_a_new_grace_time(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, at(("gw", "True")))
    await world.start()
    for _ in range(3):
        world.put(GATEWAYS, gateway(addresses=()))
        await world.settle(200)
        assert world.records() == {"apps/a A": ["192.0.2.1"]}
        world.put(GATEWAYS, gateway())
        await world.settle()


@pytest.mark.parametrize("change", [{"name": "new"}, {"port": 8080}])
@pytest.mark.spec("GW-PL-032")
async def test_a_listener_that_a_route_names_and_that_goes_keeps_the_records_for_the_grace_time(
    world: World, change: dict[str, Any]
) -> None:
    """Case 49: the Gateway is made anew from its template, and the route follows later."""
    allowed = {"namespaces": {"from": "All"}}
    listener = {"name": "old", "port": 80, "protocol": "HTTP", "allowedRoutes": allowed}
    world.put(GATEWAYS, gateway(listeners=[listener]))
    route = at(("gw/old", "True"))
    for parents in (route["spec"]["parentRefs"], [route["status"]["parents"][0]["parentRef"]]):
        parents[0]["port"] = 80
    world.put(HTTP_ROUTES, route)
    await world.start()
    assert world.records() == {"apps/a A": ["192.0.2.1"]}

    world.put(GATEWAYS, gateway(listeners=[{**listener, **change}]))
    await world.settle(SHORT)
    assert world.records() == {"apps/a A": ["192.0.2.1"]}

    await world.settle(LONG)
    assert world.records() == {}


@pytest.mark.spec("GW-PL-032")
async def test_a_gateway_that_loses_all_its_listeners_keeps_the_records_for_the_grace_time(world: World) -> None:
    """Case 49: a template that was rendered with nothing in it."""
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, at(("gw", "True")))
    await world.start()

    world.put(GATEWAYS, gateway(listeners=[]))
    await world.settle(SHORT)
    assert world.records() == {"apps/a A": ["192.0.2.1"]}

    await world.settle(LONG)
    assert world.records() == {}


WITHOUT_TARGETS = [gateway("gw2", addresses=()), gateway("gw2", annotations={PREFIX + "target": "https://x/"})]


@pytest.mark.parametrize("second", WITHOUT_TARGETS)
@pytest.mark.spec("GW-PL-029")
async def test_a_gateway_whose_targets_cannot_be_told_does_not_hold_up_what_another_gives(
    world: World, second: dict[str, Any]
) -> None:
    world.put(GATEWAYS, gateway())
    world.put(GATEWAYS, second)
    world.put(HTTP_ROUTES, at(("gw", "True"), ("gw2", "True")))
    await world.start()

    assert world.records() == {"apps/a A": ["192.0.2.1"]}


@pytest.mark.spec("GW-PL-029")
async def test_a_gateway_that_loses_its_address_beside_another_keeps_it_for_the_grace_time(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.put(GATEWAYS, gateway("gw2", addresses=("192.0.2.2",)))
    world.put(HTTP_ROUTES, at(("gw", "True"), ("gw2", "True")))
    await world.start()

    world.put(GATEWAYS, gateway("gw2", addresses=()))
    world.put(HTTP_ROUTES, at(("gw", "True"), ("gw2", "True"), hosts=("a.example.com", "b.example.com")))
    await world.settle(SHORT)
    assert world.records() == {"apps/a A": ["192.0.2.1", "192.0.2.2"], "apps/b A": ["192.0.2.1"]}

    await world.settle(LONG)
    assert world.records() == {"apps/a A": ["192.0.2.1"], "apps/b A": ["192.0.2.1"]}


@pytest.mark.spec("SRC-EP-004")
async def test_a_load_balancer_that_is_pending_does_not_hold_up_the_internal_name(world: World) -> None:
    made = load_balancer("a.example.com")
    made["metadata"]["annotations"][PREFIX + "internal-hostname"] = "i.example.com"
    made["status"] = {"loadBalancer": {}}
    world.put(SERVICES, made)
    await world.start()

    assert world.records() == {"apps/i A": ["10.0.0.1"]}


@pytest.mark.spec("GW-PL-029")
async def test_the_host_name_of_another_gateway_waits_for_the_addresses_that_are_held(world: World) -> None:
    """A CNAME beside them would be refused, and told, for as long as they stand."""
    named = gateway("gw2")
    named["status"]["addresses"] = [{"type": "Hostname", "value": "lb.example.net"}]
    world.put(GATEWAYS, gateway())
    world.put(GATEWAYS, named)
    world.put(HTTP_ROUTES, at(("gw", "True"), ("gw2", "True")))
    await world.start()

    world.put(GATEWAYS, gateway(addresses=()))
    await world.settle(SHORT)
    assert world.records() == {"apps/a A": ["192.0.2.1"]}

    await world.settle(LONG)
    assert world.records() == {"apps/a CNAME": ["lb.example.net"]}
