"""Pipelines while the controller runs: changed without a restart, counted and reported one by one (seed 000)."""

from datetime import datetime
from typing import Any

import pytest

from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.externaldns.dnsprovider import CLUSTER_DNS_PROVIDERS
from libdnsapi.api.meta import ObjectKey, ResourceType
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES
from tests.core_controller.sources.world import GATEWAYS, HTTP_ROUTES, World, gateway, http_route


def status(world: World, name: str) -> dict[str, Any]:
    found = world.api.read(CLUSTER_DNS_PROVIDERS, ObjectKey("", name))
    assert found is not None
    return found["status"]


async def started(world: World) -> World:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()
    return world


@pytest.mark.spec("ROUTE-GO-002", "ROUTE-GO-024")
async def test_a_pipeline_that_comes_later_publishes_without_a_restart(world: World) -> None:
    await world.delete(CLUSTER_DNS_PROVIDERS, "", "main")
    await started(world)
    assert world.records() == {}

    world.cluster_provider("late", "example-com")
    await world.settle()
    assert world.records() == {"apps/www A": ["192.0.2.1"]}


@pytest.mark.parametrize(
    ("changed", "published", "ttl"),
    [
        ({"defaults": {"ttl": 60}}, {"apps/www A"}, 60),
        ({"domainFilter": {"include": ["www.example.com"]}}, {"apps/www A"}, 300),
        ({"domainFilter": {"include": ["example.com"], "exclude": ["other.example.com"]}}, {"apps/www A"}, 300),
    ],
)
@pytest.mark.spec("ROUTE-GO-003")
async def test_a_changed_pipeline_counts_without_a_restart(
    world: World, changed: dict[str, Any], published: set[str], ttl: int
) -> None:
    world.cluster_provider("main", "example-com", domainFilter={"include": ["none.example.com"]})
    await started(world)
    assert world.records() == {}

    world.cluster_provider("main", "example-com", **changed)
    await world.settle()

    assert set(world.records()) == published
    assert world.record_sets()[0]["spec"]["ttl"] == ttl


@pytest.mark.spec("ROUTE-ST-009")
async def test_a_status_says_of_which_generation_and_when(world: World) -> None:
    await started(world)
    await world.settle()

    found = status(world, "main")
    assert found["observedGeneration"] == 1
    assert found["conditions"][0]["observedGeneration"] == 1
    assert datetime.fromisoformat(found["lastSyncTime"]).tzinfo is not None


@pytest.mark.spec("ROUTE-ST-016")
async def test_a_pipeline_without_its_zone_stops_no_other(world: World) -> None:
    world.cluster_provider("broken", "no-such-zone")
    await started(world)
    await world.settle()

    assert world.records() == {"apps/www A": ["192.0.2.1"]}
    assert {name: status(world, name)["conditions"][0]["reason"] for name in ("main", "broken")} == {
        "main": "ProviderInitialized",
        "broken": "ZoneNotFound",
    }


@pytest.mark.spec("ROUTE-CO-015")
@pytest.mark.parametrize("resource", [CLUSTER_DNS_PROVIDERS, ZONES, ROUTE53_IDENTITIES], ids=lambda one: one.kind)
async def test_an_object_that_does_not_fit_its_model_stops_no_pipeline(world: World, resource: ResourceType) -> None:
    metadata = {"name": "odd", "namespace": "dns" if resource.namespaced else ""}
    world.put(resource, {"metadata": metadata, "spec": {"type": 5}})
    await started(world)

    assert set(world.records()) == {"apps/www A"}
    assert status(world, "main")["conditions"][0]["reason"] == "ProviderInitialized"


@pytest.mark.spec("ROUTE-ST-012")
async def test_metrics_are_told_apart_by_pipeline(world: World) -> None:
    world.zone("example.org")
    world.cluster_provider("other", "example-org")
    await started(world)
    await world.settle()

    registry = world.manager.metrics.registry
    counted = {
        name: registry.get_sample_value("dnsapi_sources_records", {"provider_resource": f"ClusterDNSProvider/{name}"})
        for name in ("main", "other")
    }
    assert counted == {"main": 1, "other": 0}


@pytest.mark.parametrize(
    ("host", "reason", "contenders"),
    [
        ("a.nobody.example.net", "NoPipeline", ""),
        ("a.example.com", "AmbiguousPipeline", "ClusterDNSProvider/main,ClusterDNSProvider/other"),
    ],
)
@pytest.mark.spec("ROUTE-ST-006", "ROUTE-ST-015")
async def test_names_that_go_nowhere_are_counted_with_their_contenders(
    world: World, host: str, reason: str, contenders: str
) -> None:
    world.zone("example.com", name="second")
    world.cluster_provider("other", "second")
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=(host,)))
    await world.start()

    registry = world.manager.metrics.registry
    found = {
        sample.labels["pipelines"]: sample.value
        for metric in registry.collect()
        for sample in metric.samples
        if sample.name == "dnsapi_sources_findings" and sample.labels["reason"] == reason
    }
    assert found == {contenders: 1}


@pytest.mark.spec("ROUTE-RT-004", "ROUTE-RT-012")
async def test_an_ambiguous_zone_of_one_named_pipeline_holds_up_no_other(world: World) -> None:
    named = {"cluster-provider": "main,twins"}
    world.zone("example.com", "twin")
    refs = [{"namespace": "dns", "name": name} for name in ("example-com", "twin")]
    world.put(
        CLUSTER_DNS_PROVIDERS, {"metadata": {"name": "twins"}, "spec": {"type": "dns-api", "zones": {"refs": refs}}}
    )
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",), annotations=named))
    await world.start()
    assert world.records() == {"apps/www A": ["192.0.2.1"]}
    assert ("HTTPRoute/web", "AmbiguousZone") in world.events()

    world.put(GATEWAYS, gateway(addresses=("192.0.2.2",)))
    await world.settle()
    assert world.records() == {"apps/www A": ["192.0.2.2"]}


@pytest.mark.spec("ROUTE-RT-006")
async def test_a_mistyped_pipeline_keeps_its_own_records_and_not_those_of_others_from_changing(world: World) -> None:
    def zones() -> set[tuple[str, str]]:
        return {(one["spec"]["zoneRef"]["name"], one["spec"]["type"]) for one in world.record_sets()}

    world.zone("example.com", "two")
    world.cluster_provider("second", "two")
    world.put(GATEWAYS, gateway())
    hosts = ("www.example.com",)
    world.put(HTTP_ROUTES, http_route(hosts=hosts, annotations={"cluster-provider": "main,second"}))
    await world.start()
    assert zones() == {("example-com", "A"), ("two", "A")}

    mistyped = {"cluster-provider": "main,secnd", "target": "lb.example.net"}
    world.put(HTTP_ROUTES, http_route(hosts=hosts, annotations=mistyped))
    await world.settle()

    assert zones() == {("example-com", "CNAME"), ("two", "A")}
    assert ("HTTPRoute/web", "PipelineNotFound") in world.events()
