"""Istio's Gateways and VirtualServices, read where they are asked for."""

from typing import Any

import pytest

from core_controller.sources.istio import IstioGateway, VirtualService, binds
from core_controller.sources.settings import ALL_SOURCES
from libdnsapi.api.meta import ResourceType
from tests.core_controller.sources.world import INGRESSES, PREFIX, SERVICES, World

ISTIO_GATEWAYS = ResourceType("networking.istio.io", "v1", "Gateway", "gateways")
VIRTUAL_SERVICES = ResourceType("networking.istio.io", "v1", "VirtualService", "virtualservices")
SELECTOR = {"istio": "ingressgateway"}


def istio_gateway(*hosts: str, **annotations: str) -> dict[str, Any]:
    given = {PREFIX + key.replace("_", "-"): value for key, value in annotations.items()}
    return {
        "metadata": {"name": "gw", "namespace": "infra", "annotations": given},
        "spec": {"selector": SELECTOR, "servers": [{"hosts": list(hosts)}]},
    }


def virtual_service(*hosts: str, gateways: tuple[str, ...] = ("infra/gw",), **annotations: str) -> dict[str, Any]:
    given = {PREFIX + key.replace("_", "-"): value for key, value in annotations.items()}
    return {
        "metadata": {"name": "vs", "namespace": "apps", "annotations": given},
        "spec": {"hosts": list(hosts), "gateways": list(gateways)},
    }


def service(ip: str = "192.0.2.1") -> dict[str, Any]:
    return {
        "metadata": {"name": "ingressgateway", "namespace": "infra"},
        "spec": {"type": "LoadBalancer", "selector": {**SELECTOR, "app": "x"}},
        "status": {"loadBalancer": {"ingress": [{"ip": ip}]}},
    }


async def live(*sources: str) -> World:
    world = World(source=sources)
    world.install(ISTIO_GATEWAYS, VIRTUAL_SERVICES)
    world.zone("example.com")
    world.cluster_provider("main", "example-com")
    world.put(SERVICES, service())
    return world


@pytest.mark.spec("SRC-EP-010")
async def test_a_gateway_is_published_with_the_addresses_of_its_services() -> None:
    world = await live("istio-gateway")
    world.put(ISTIO_GATEWAYS, istio_gateway("a.example.com", "infra/b.example.com", "*", "*.c.example.com"))
    await world.start()
    assert world.records() == {key: ["192.0.2.1"] for key in ("infra/a A", "infra/b A", "infra/*.c A")}

    world.put(SERVICES, service("192.0.2.2"))
    await world.settle()
    assert world.records()["infra/a A"] == ["192.0.2.2"]
    await world.stop()


@pytest.mark.spec("SRC-EP-010")
async def test_a_kind_that_is_served_only_after_its_definition_is_there_is_published_once_it_is() -> None:
    """Its objects are told of while the list that completes the cache is still being taken in."""
    world = await live("istio-gateway")
    world.api.missing.add(ISTIO_GATEWAYS)
    await world.start()
    world.api.missing.clear()
    world.put(ISTIO_GATEWAYS, istio_gateway("a.example.com"))
    await world.settle(60)
    assert world.records() == {"infra/a A": ["192.0.2.1"]}
    await world.stop()


@pytest.mark.spec("SRC-EP-011")
async def test_a_virtual_service_is_published_under_the_hosts_that_its_gateways_serve() -> None:
    world = await live("istio-virtualservice")
    world.put(ISTIO_GATEWAYS, istio_gateway("*.example.com"))
    world.put(
        VIRTUAL_SERVICES, virtual_service("a.example.com", "b.example.org", "short", gateways=("infra/gw", "mesh"))
    )
    await world.start()
    assert world.records() == {"apps/a A": ["192.0.2.1"]}

    world.put(ISTIO_GATEWAYS, istio_gateway("*.example.com", target="203.0.113.1"))
    await world.settle()
    assert world.records() == {"apps/a A": ["203.0.113.1"]}
    await world.stop()


@pytest.mark.spec("SRC-EP-011")
async def test_a_gateway_that_vanishes_for_a_moment_withdraws_nothing() -> None:
    world = await live("istio-virtualservice")
    world.put(ISTIO_GATEWAYS, istio_gateway("*.example.com"))
    world.put(VIRTUAL_SERVICES, virtual_service("a.example.com"))
    await world.start()
    await world.delete(ISTIO_GATEWAYS, "infra", "gw")
    await world.settle(20)
    assert world.records() == {"apps/a A": ["192.0.2.1"]}

    await world.settle(400)
    assert world.records() == {}
    await world.stop()


@pytest.mark.spec("SRC-EP-011")
async def test_an_istio_gateway_without_address_does_not_hold_up_what_another_gives() -> None:
    world = await live("istio-virtualservice")
    second = istio_gateway("*.example.com")
    second["spec"]["selector"] = {"istio": "none"}
    world.put(ISTIO_GATEWAYS, istio_gateway("*.example.com"))
    world.put(ISTIO_GATEWAYS, {**second, "metadata": {**second["metadata"], "name": "gw2"}})
    world.put(VIRTUAL_SERVICES, virtual_service("a.example.com", gateways=("infra/gw", "infra/gw2")))
    await world.start()

    assert world.records() == {"apps/a A": ["192.0.2.1"]}
    await world.stop()


@pytest.mark.spec("SRC-EP-011")
async def test_one_of_two_gateways_that_vanishes_keeps_its_targets_for_the_grace_time() -> None:
    world = await live("istio-virtualservice")
    world.put(ISTIO_GATEWAYS, istio_gateway("*.example.com"))
    second = istio_gateway("*.example.com", target="203.0.113.1")
    world.put(ISTIO_GATEWAYS, {**second, "metadata": {**second["metadata"], "name": "gw2"}})
    world.put(VIRTUAL_SERVICES, virtual_service("a.example.com", gateways=("infra/gw", "infra/gw2")))
    await world.start()
    assert world.records() == {"apps/a A": ["192.0.2.1", "203.0.113.1"]}

    await world.delete(ISTIO_GATEWAYS, "infra", "gw2")
    await world.settle(20)
    assert world.records() == {"apps/a A": ["192.0.2.1", "203.0.113.1"]}

    await world.settle(400)
    assert world.records() == {"apps/a A": ["192.0.2.1"]}
    await world.stop()


@pytest.mark.spec("TF-BE-003", "TF-GR-004")
async def test_the_legacy_ingress_annotation_is_a_reference() -> None:
    """Seed 001, Precedence."""
    world = await live("istio-gateway")
    status = {"loadBalancer": {"ingress": [{"hostname": "alb.example.net"}]}}
    world.put(INGRESSES, {"metadata": {"name": "alb", "namespace": "infra"}, "spec": {}, "status": status})
    world.put(ISTIO_GATEWAYS, istio_gateway("a.example.com", ingress="alb"))
    await world.start()
    assert world.records() == {"infra/a CNAME": ["alb.example.net"]}

    world.put(ISTIO_GATEWAYS, istio_gateway("a.example.com", ingress="alb", target_from="services/none#x"))
    await world.settle()
    assert world.records() == {"infra/a CNAME": ["alb.example.net"]}
    assert ("Gateway/gw", "TargetFromUnresolved") in world.events()
    await world.stop()


@pytest.mark.spec("SRC-EP-009")
def test_they_are_read_only_where_they_are_asked_for() -> None:
    assert not [source for source in ALL_SOURCES if source.startswith("istio")]


@pytest.mark.parametrize(
    ("hosts", "export_to", "host", "bound"),
    [
        (["a.example.com"], [], "a.example.com", True),
        (["*.example.com"], [], "a.example.com", True),
        (["*"], [], "a.example.com", True),
        (["b.example.com"], [], "a.example.com", False),
        (["*.example.com"], [], "example.com", False),
        (["apps/*.example.com"], [], "a.example.com", True),
        (["other/*.example.com"], [], "a.example.com", False),
        (["./*.example.com"], [], "a.example.com", False),
        (["*/*.example.com"], [], "a.example.com", True),
        (["*"], ["*"], "a.example.com", True),
        (["*"], ["infra"], "a.example.com", True),
        (["*"], ["."], "a.example.com", False),
        (["*"], ["other"], "a.example.com", False),
    ],
)
@pytest.mark.spec("SRC-EP-011")
def test_a_gateway_serves_a_host_or_not(hosts: list[str], export_to: list[str], host: str, bound: bool) -> None:
    made = virtual_service(host)
    made["spec"]["exportTo"] = export_to

    assert binds(VirtualService.model_validate(made), IstioGateway.model_validate(istio_gateway(*hosts)), host) is bound
