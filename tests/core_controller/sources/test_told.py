"""What people are told: of pipelines that meet or go, of names that go nowhere, of what became of a record."""

from typing import Any

import pytest

from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.externaldns.dnsprovider import CLUSTER_DNS_PROVIDERS
from libdnsapi.api.meta import ObjectKey, ResourceType
from tests.core_controller.sources.world import (
    DNS_ENDPOINTS,
    GATEWAYS,
    HTTP_ROUTES,
    INGRESSES,
    World,
    gateway,
    http_route,
)
from tests.fakes.faults import Fault, refused


@pytest.mark.spec("ROUTE-GO-006", "ROUTE-ST-004", "ROUTE-ST-005", "ROUTE-ST-007", "ROUTE-ST-018")
async def test_several_matching_pipelines_publish_nothing_new_and_withdraw_nothing(world: World) -> None:
    """Case 58."""
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()
    world.zone("example.com", name="second")
    world.cluster_provider("other", "second")
    world.put(HTTP_ROUTES, http_route("late", hosts=("late.example.com",)))
    await world.settle()

    assert set(world.records()) == {"apps/www A"}
    assert ("HTTPRoute/late", "AmbiguousPipeline") in world.events()
    assert "ClusterDNSProvider main, ClusterDNSProvider other" in world.notes()

    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",), annotations={"cluster-provider": "main,other"}))
    await world.settle()

    assert {one["spec"]["zoneRef"]["name"] for one in world.record_sets()} == {"example-com", "second"}
    assert (
        len({one["metadata"]["annotations"]["sources.dns.appthrust.io/owner-id"] for one in world.record_sets()}) == 2
    )


@pytest.mark.spec("ROUTE-LC-001")
async def test_a_deleted_pipeline_withdraws_nothing_and_its_records_are_marked(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()

    await world.delete(CLUSTER_DNS_PROVIDERS, "", "main")
    await world.settle()

    assert set(world.records()) == {"apps/www A"}
    assert world.record_sets()[0]["metadata"]["labels"]["sources.dns.appthrust.io/orphaned"] == "true"

    world.cluster_provider("main", "example-com")
    await world.settle()
    assert "sources.dns.appthrust.io/orphaned" not in world.record_sets()[0]["metadata"]["labels"]


@pytest.mark.spec("ROUTE-ST-015")
async def test_names_outside_every_zone_are_told(world: World) -> None:
    """Case 60."""
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.org",), annotations={"ttl": "60"}))
    await world.start()

    assert world.records() == {}
    assert ("HTTPRoute/web", "NoPipeline") in world.events()


def _annotated(resource: ResourceType, annotations: dict[str, str]) -> dict[str, Any]:
    spec: dict[str, Any] = {"rules": [{"host": "www.example.org"}]}
    if resource == DNS_ENDPOINTS:
        spec = {"endpoints": [{"dnsName": "www.example.org", "recordType": "A", "targets": ["192.0.2.1"]}]}
    status = {"loadBalancer": {"ingress": [{"ip": "192.0.2.1"}]}}
    metadata = {"name": "web", "namespace": "apps", "annotations": annotations}
    return {"metadata": metadata, "spec": spec, "status": status}


@pytest.mark.parametrize(
    ("resource", "annotations", "told"),
    [
        (INGRESSES, {}, False),
        (INGRESSES, {"other.example.net/ttl": "60"}, False),
        (INGRESSES, {"external-dns.kubernetes.io/controller": "dns-controller"}, False),
        (INGRESSES, {"external-dns.kubernetes.io/ttl": "60"}, True),
        (INGRESSES, {"external-dns.alpha.kubernetes.io/hostname": "www.example.org"}, True),
        (DNS_ENDPOINTS, {}, True),
    ],
)
@pytest.mark.spec("ROUTE-ST-015")
async def test_a_name_that_goes_nowhere_is_told_where_dns_was_asked_for_and_always_counted(
    world: World, resource: ResourceType, annotations: dict[str, str], told: bool
) -> None:
    world.install(DNS_ENDPOINTS)
    world.put(resource, _annotated(resource, annotations))
    await world.start()

    counted = world.manager.metrics.registry.get_sample_value(
        "dnsapi_sources_findings", {"reason": "NoPipeline", "pipelines": ""}
    )
    assert counted == 1
    assert ("NoPipeline" in {reason for _, reason in world.events()}) is told


@pytest.mark.spec("ROUTE-ST-013", "ROUTE-ST-014")
async def test_what_became_of_a_record_is_told_on_its_source(world: World) -> None:
    """Case 60."""
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()
    made = world.record_sets()[0]
    condition = {
        "type": "Programmed",
        "status": "False",
        "reason": "ProviderInvalidRequest",
        "message": "not so",
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }
    key = ObjectKey("apps", made["metadata"]["name"])
    await world.api.merge_patch(RECORD_SETS, key, {"status": {"conditions": [condition]}}, subresource="status")
    await world.settle()

    assert ("HTTPRoute/web", "ProviderInvalidRequest") in world.events()
    assert "ClusterDNSProvider main publishes A www in Zone dns/example-com" in world.notes()


@pytest.mark.spec("ROUTE-ST-017")
async def test_a_refused_record_set_is_told_and_replaces_nothing(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()
    world.api.fail(Fault(verb="create", resource=RECORD_SETS, error=refused(422, "Invalid", "not so"), times=1000))
    world.put(GATEWAYS, gateway(addresses=("lb.example.net",)))
    await world.settle()

    assert world.records() == {"apps/www A": ["192.0.2.1"]}
    assert ("HTTPRoute/web", "RecordSetRefused") in world.events()


@pytest.mark.spec("ROUTE-LC-002")
async def test_a_deleted_pipeline_says_how_its_records_are_removed(world: World) -> None:
    await world.start()
    await world.delete(CLUSTER_DNS_PROVIDERS, "", "main")
    await world.settle()

    assert ("ClusterDNSProvider/main", "PipelineDeleted") in world.events()
    assert "kubectl delete recordsets" in world.notes()


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ("ProviderIdentityNotReady", "AuthFailed"),
        ("ProviderConflict", "ZoneNotFound"),
        ("ProviderChangePending", "ProviderInitialized"),
    ],
)
@pytest.mark.spec("ROUTE-ST-008", "ROUTE-ST-016")
async def test_a_broken_zone_is_its_pipelines_trouble_and_no_others(world: World, reason: str, expected: str) -> None:
    world.zone("example.org")
    world.cluster_provider("other", "example-org")
    await world.start()
    condition = {
        "type": "Programmed",
        "status": "False",
        "reason": reason,
        "message": "not now",
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }
    key = ObjectKey("dns", "example-com")
    await world.api.merge_patch(ZONES, key, {"status": {"conditions": [condition]}}, subresource="status")
    await world.settle()

    found = {
        name: world.api.read(CLUSTER_DNS_PROVIDERS, ObjectKey("", name))["status"]["conditions"][0]["reason"]
        for name in ("main", "other")
    }
    assert found == {"main": expected, "other": "ProviderInitialized"}
