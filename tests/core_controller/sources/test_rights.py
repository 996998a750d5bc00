"""A right is taken away while the sources run, or missing from the start: nothing is withdrawn, and it is told."""

from collections.abc import Callable

import pytest

from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.externaldns.dnsprovider import CLUSTER_DNS_PROVIDERS
from libdnsapi.api.meta import NAMESPACES, ResourceType
from tests.core_controller.sources.world import (
    CRDS,
    GATEWAYS,
    HTTP_ROUTES,
    INGRESSES,
    SERVICES,
    Document,
    World,
    gateway,
    http_route,
    load_balancer,
)
from tests.fakes.faults import Fault, Verb, refused

ALWAYS = 10**9
READS: tuple[Verb, ...] = ("get", "list", "watch")
LIVE = {"apps/www A", "apps/svc A", "apps/ing A"}
KINDS = [SERVICES, INGRESSES, GATEWAYS, HTTP_ROUTES, NAMESPACES, ZONES, CLUSTER_DNS_PROVIDERS, CRDS, RECORD_SETS]


def forbid(world: World, kind: ResourceType, *verbs: Verb) -> Callable[[], None]:
    """Take rights away, also from watches that are open, and return what gives them back."""
    error = refused(403, "Forbidden", "may not")
    faults = [world.api.fail(Fault(error, verb=verb, resource=kind, times=ALWAYS)) for verb in verbs]
    world.api.cut_watches()

    def give_back() -> None:
        for fault in faults:
            fault.times = 0

    return give_back


def ingress(address: str = "192.0.2.5") -> Document:
    return {
        "metadata": {"name": "ing", "namespace": "apps"},
        "spec": {"rules": [{"host": "ing.example.com"}]},
        "status": {"loadBalancer": {"ingress": [{"ip": address}]}},
    }


def populate(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    world.put(SERVICES, load_balancer("svc.example.com"))
    world.put(INGRESSES, ingress())


def refusals(world: World, kind: ResourceType) -> float:
    labels = {"resource": kind.plural, "reason": "Forbidden"}
    return world.manager.metrics.registry.get_sample_value("dnsapi_informer_failures_total", labels) or 0


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.plural)
@pytest.mark.spec("ROUTE-LC-014")
async def test_a_right_that_is_taken_away_withdraws_nothing_and_what_happened_meanwhile_is_seen_when_it_is_back(
    world: World, kind: ResourceType
) -> None:
    populate(world)
    await world.start()
    give_back = forbid(world, kind, *READS)

    await world.settle(420)
    await world.delete(SERVICES, "apps", "svc")
    world.put(INGRESSES, ingress("192.0.2.6"))
    await world.settle(60)

    assert set(world.records()) >= LIVE - {"apps/svc A"}
    assert refusals(world, kind) > 10
    give_back()
    await world.settle(60)
    assert set(world.records()) == LIVE - {"apps/svc A"}
    assert world.records()["apps/ing A"] == ["192.0.2.6"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.plural)
@pytest.mark.spec("ROUTE-LC-014")
async def test_a_right_that_is_missing_at_the_start_withdraws_nothing_of_any_kind(
    world: World, kind: ResourceType
) -> None:
    populate(world)
    await world.start()
    await world.stop()
    give_back = forbid(world, kind, *READS)
    await world.delete(SERVICES, "apps", "svc")
    await world.start()

    await world.settle(600)

    assert set(world.records()) == LIVE
    assert refusals(world, kind) > 10
    give_back()
    await world.settle(60)
    assert set(world.records()) == LIVE - {"apps/svc A"}


@pytest.mark.spec("ROUTE-LC-014", "ROUTE-ST-017")
async def test_a_right_to_write_that_is_taken_away_is_told_on_the_objects_and_tried_again(world: World) -> None:
    populate(world)
    await world.start()
    give_back = forbid(world, RECORD_SETS, "create", "merge_patch", "delete")
    world.put(SERVICES, load_balancer("other.example.com"))
    world.put(INGRESSES, ingress("192.0.2.6"))
    await world.settle(60)

    assert set(world.records()) == LIVE
    assert {("Service/svc", "RecordSetRefused"), ("Ingress/ing", "RecordSetRefused")} <= set(world.events())
    give_back()
    await world.settle(600)
    assert set(world.records()) == LIVE - {"apps/svc A"} | {"apps/other A"}
    assert world.records()["apps/ing A"] == ["192.0.2.6"]
