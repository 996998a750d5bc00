"""What is not known for certain withdraws nothing: lost Gateways, kinds, lists and watches."""

from datetime import timedelta

import pytest

from tests.core_controller.sources.world import (
    CRDS,
    DNS_ENDPOINTS,
    GATEWAYS,
    HTTP_ROUTES,
    SERVICES,
    World,
    gateway,
    http_route,
    load_balancer,
)
from tests.fakes.faults import Fault, refused


@pytest.mark.spec("GW-TG-008")
async def test_gateway_addresses_that_vanish_are_held_for_the_grace_time(world: World) -> None:
    """Case 49."""
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()

    world.put(GATEWAYS, gateway(addresses=()))
    await world.settle(60)
    assert world.records() == {"apps/www A": ["192.0.2.1"]}

    await world.clock.advance(timedelta(minutes=5))
    await world.settle()
    assert world.records() == {}


@pytest.mark.spec("GW-PL-029")
async def test_one_of_two_gateways_that_accepts_no_more_keeps_its_targets_for_the_grace_time(world: World) -> None:
    """Case 49, beside a Gateway that is well."""
    both = http_route(hosts=("www.example.com",))
    second = http_route(hosts=("www.example.com",), gateway="gw2")
    both["spec"]["parentRefs"] += second["spec"]["parentRefs"]
    both["status"]["parents"] += second["status"]["parents"]
    world.put(GATEWAYS, gateway())
    world.put(GATEWAYS, gateway("gw2", addresses=("192.0.2.2",)))
    world.put(HTTP_ROUTES, both)
    await world.start()
    assert world.records() == {"apps/www A": ["192.0.2.1", "192.0.2.2"]}

    refused = http_route(hosts=("www.example.com",), gateway="gw2", accepted="False")["status"]["parents"]
    world.put(HTTP_ROUTES, {**both, "status": {"parents": [both["status"]["parents"][0], *refused]}})
    await world.settle(60)
    assert world.records() == {"apps/www A": ["192.0.2.1", "192.0.2.2"]}

    await world.clock.advance(timedelta(minutes=5))
    await world.settle()
    assert world.records() == {"apps/www A": ["192.0.2.1"]}


@pytest.mark.spec("GW-PL-010")
async def test_an_acceptance_older_than_the_route_holds_then_switches(world: World) -> None:
    """Case 48."""
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("old.example.com",), generation=4))
    await world.start()

    world.put(HTTP_ROUTES, http_route(hosts=("new.example.com",), generation=5, observed=4))
    await world.settle(600)
    assert set(world.records()) == {"apps/old A"}

    world.put(HTTP_ROUTES, http_route(hosts=("new.example.com",), generation=5))
    await world.settle()
    assert set(world.records()) == {"apps/new A"}


@pytest.mark.spec("ROUTE-LC-006")
async def test_a_restart_withdraws_nothing_while_the_gateway_has_no_address(world: World) -> None:
    """Case 49, across a restart: what was published is known from the RecordSets alone."""
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()
    await world.stop()
    world.put(GATEWAYS, gateway(addresses=()))
    before = world.recordset_writes()

    await world.start()
    await world.settle(60)

    assert world.records() == {"apps/www A": ["192.0.2.1"]}
    assert world.recordset_writes() == before


@pytest.mark.spec("ROUTE-LC-010")
async def test_a_route_deleted_while_nobody_watched_is_withdrawn_at_the_next_start(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()
    await world.stop()
    await world.delete(HTTP_ROUTES, "apps", "web")

    await world.start()

    assert world.records() == {}


@pytest.mark.spec("GW-PL-020")
async def test_a_kind_that_is_not_installed_withdraws_nothing_and_stops_nothing_else(world: World) -> None:
    """Case 88."""
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    world.put(SERVICES, load_balancer("svc.example.com"))
    await world.start()
    await world.stop()
    await world.delete(CRDS, "", "httproutes.gateway.networking.k8s.io")
    await world.delete(HTTP_ROUTES, "apps", "web")
    world.put(SERVICES, load_balancer("other.example.com"))

    await world.start()
    await world.settle(10)

    assert set(world.records()) == {"apps/www A", "apps/other A"}


@pytest.mark.spec("GW-PL-021")
async def test_a_kind_installed_later_is_watched_from_then_on(world: World) -> None:
    await world.start()
    world.install(DNS_ENDPOINTS)
    entry = {"dnsName": "txt.example.com", "recordType": "TXT", "targets": ["hello world"], "recordTTL": 60}
    world.put(DNS_ENDPOINTS, {"metadata": {"name": "e", "namespace": "apps"}, "spec": {"endpoints": [entry]}})
    await world.settle(20)

    assert world.records() == {"apps/txt TXT": ["hello world"]}
    assert world.record_sets()[0]["spec"]["ttl"] == 60


@pytest.mark.spec("ROUTE-LC-008")
async def test_a_list_that_fails_withdraws_nothing(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()
    await world.stop()
    await world.delete(HTTP_ROUTES, "apps", "web")
    fault = world.api.fail(Fault(verb="list", resource=GATEWAYS, error=refused(500, "InternalError"), times=1000))

    await world.start()
    await world.settle(30)
    assert set(world.records()) == {"apps/www A"}

    world.api.faults.remove(fault)
    await world.settle(120)
    assert world.records() == {}


@pytest.mark.spec("GW-PL-022")
async def test_the_deletion_of_a_whole_kind_withdraws_nothing(world: World) -> None:
    """The API server deletes all objects of a kind whose definition is deleted."""
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()

    await world.delete(HTTP_ROUTES, "apps", "web")
    await world.delete(CRDS, "", "httproutes.gateway.networking.k8s.io")
    await world.settle(10)

    assert set(world.records()) == {"apps/www A"}


@pytest.mark.spec("ROUTE-LC-009")
async def test_a_lost_watch_withdraws_nothing_and_catches_up(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()
    fault = world.api.fail(Fault(verb="watch", error=refused(500, "InternalError"), times=100_000))
    lists = world.api.fail(Fault(verb="list", resource=HTTP_ROUTES, error=refused(500, "InternalError"), times=100_000))
    world.api.cut_watches()
    world.api.compact()
    await world.settle(60)
    assert set(world.records()) == {"apps/www A"}

    world.api.faults.remove(fault)
    world.api.faults.remove(lists)
    world.put(HTTP_ROUTES, http_route(hosts=("new.example.com",)))
    await world.settle(90)
    assert set(world.records()) == {"apps/new A"}
