"""From source objects to RecordSets, through the whole controller."""

from datetime import timedelta
from typing import Any

import pytest

from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.externaldns.dnsprovider import CLUSTER_DNS_PROVIDERS
from libdnsapi.api.externaldns.names import (
    CONTRIBUTORS_ANNOTATION,
    HOSTNAME_ANNOTATION,
    ORPHANED_LABEL,
    OWNER_ANNOTATION,
    PIPELINE_ANNOTATION,
    PIPELINE_LABEL,
)
from libdnsapi.api.meta import ObjectKey, ResourceType
from tests.core_controller.sources.world import (
    CRDS,
    DNS_ENDPOINTS,
    GATEWAYS,
    HTTP_ROUTES,
    INGRESSES,
    PREFIX,
    SERVICES,
    World,
    gateway,
    http_route,
)
from tests.fakes.faults import Fault, refused


async def test_a_route_is_published_and_withdrawn(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()

    assert world.records() == {"apps/www A": ["192.0.2.1"]}

    await world.delete(HTTP_ROUTES, "apps", "web")
    await world.settle()

    assert world.records() == {}


@pytest.mark.spec("ROUTE-ST-010")
async def test_a_pipeline_reports_how_it_stands(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()
    await world.settle()

    status = world.api.read(CLUSTER_DNS_PROVIDERS, ObjectKey("", "main"))["status"]

    assert status["records"] == 1
    assert status["conditions"][0]["reason"] == "ProviderInitialized"
    assert status["zones"] == [{"ref": {"namespace": "dns", "name": "example-com"}, "domainName": "example.com"}]


@pytest.mark.spec("ROUTE-LC-005")
async def test_a_settled_world_costs_no_write(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()
    await world.settle()
    before = world.api.writes()

    await world.settle(30)

    assert world.api.writes() == before


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


async def test_a_record_set_that_somebody_deletes_is_made_anew(world: World) -> None:
    """Which is why an uninstall begins with the sources."""
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()
    (made,) = world.api.keys(RECORD_SETS)

    await world.delete(RECORD_SETS, made.namespace, made.name)
    await world.settle()

    assert world.records() == {"apps/www A": ["192.0.2.1"]}


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


@pytest.mark.spec("ROUTE-CO-011")
async def test_a_record_set_that_a_person_wrote_is_never_touched(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()
    made = world.record_sets()[0]
    await world.stop()
    key = ObjectKey("apps", made["metadata"]["name"])
    await world.api.delete(RECORD_SETS, key)
    mine = {**made, "metadata": {"name": key.name, "namespace": "apps", "labels": {"by": "hand"}}}
    mine["spec"] = {**made["spec"], "a": {"addresses": ["203.0.113.9"]}}
    world.put(RECORD_SETS, mine)

    await world.start()
    await world.delete(HTTP_ROUTES, "apps", "web")
    await world.settle()

    assert world.records() == {"apps/www A": ["203.0.113.9"]}
    assert ("HTTPRoute/web", "RecordSetExists") in world.events()


EDITS = [
    {"spec": {"a": {"addresses": ["203.0.113.9"]}}},
    {"spec": {"ttl": 1}},
    {"metadata": {"annotations": {HOSTNAME_ANNOTATION: None}}},
    {"metadata": {"annotations": {HOSTNAME_ANNOTATION: "other.example.com"}}},
    {"metadata": {"annotations": {HOSTNAME_ANNOTATION: ""}}, "spec": {"ttl": 1}},
    {"metadata": {"annotations": {CONTRIBUTORS_ANNOTATION: None}}},
    {"metadata": {"annotations": {CONTRIBUTORS_ANNOTATION: "HTTPRoute/apps/other"}}},
    {"metadata": {"annotations": {PIPELINE_ANNOTATION: None}}},
    {"metadata": {"annotations": {OWNER_ANNOTATION: "x"}}},
    {"metadata": {"labels": {PIPELINE_LABEL: None}}},
    {"metadata": {"labels": {ORPHANED_LABEL: "true"}}},
]


@pytest.mark.parametrize("edited", EDITS)
@pytest.mark.spec("ROUTE-CO-016")
async def test_an_edited_record_set_of_ours_is_put_right_whatever_was_edited(
    world: World, edited: dict[str, Any]
) -> None:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()
    (made,) = world.record_sets()
    key = ObjectKey("apps", made["metadata"]["name"])

    await world.api.merge_patch(RECORD_SETS, key, edited)
    await world.settle(30)

    (found,) = world.record_sets()
    assert found["spec"] == made["spec"]
    assert found["metadata"]["annotations"] == made["metadata"]["annotations"]
    assert found["metadata"]["labels"] == made["metadata"]["labels"]
    before = world.api.writes()
    await world.settle(60)
    assert world.api.writes() == before


@pytest.mark.spec("ROUTE-LC-011")
async def test_a_change_of_type_creates_the_new_claim_before_it_deletes_the_old(world: World) -> None:
    """Case 22, seen from the source: core hands the name over because both claims stand."""
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()
    world.put(GATEWAYS, gateway(addresses=("lb.example.net",)))
    await world.settle()

    writes = [
        one.verb for one in world.api.requests if one.resource == RECORD_SETS and one.verb in ("create", "delete")
    ]
    assert world.records() == {"apps/www CNAME": ["lb.example.net"]}
    assert writes == ["create", "create", "delete"]


@pytest.mark.spec("ROUTE-LC-003")
async def test_policies_that_keep_records_do(world: World) -> None:
    world.cluster_provider("main", "example-com", policy="create-only")
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()
    world.put(GATEWAYS, gateway(addresses=("192.0.2.2",)))
    await world.settle()
    assert world.records() == {"apps/www A": ["192.0.2.1"]}

    world.cluster_provider("main", "example-com", policy="upsert-only")
    await world.settle()
    assert world.records() == {"apps/www A": ["192.0.2.2"]}

    await world.delete(HTTP_ROUTES, "apps", "web")
    await world.settle()
    assert world.records() == {"apps/www A": ["192.0.2.2"]}


@pytest.mark.spec("ROUTE-RT-013", "ROUTE-RT-014")
async def test_two_routes_of_one_name_are_united_and_parted(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.put(GATEWAYS, gateway("gw2", addresses=("192.0.2.2",)))
    world.put(HTTP_ROUTES, http_route("one", hosts=("www.example.com",)))
    world.put(HTTP_ROUTES, http_route("two", hosts=("www.example.com",), gateway="gw2"))
    await world.start()
    assert world.records() == {"apps/www A": ["192.0.2.1", "192.0.2.2"]}

    await world.delete(HTTP_ROUTES, "apps", "one")
    await world.settle()
    assert world.records() == {"apps/www A": ["192.0.2.2"]}


@pytest.mark.spec("ROUTE-RT-013", "ROUTE-RT-015")
async def test_routes_of_two_namespaces_stay_two_claims(world: World) -> None:
    """Case 57: the ledger's conflict rule decides between them."""
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route("one", hosts=("www.example.com",)))
    world.put(HTTP_ROUTES, http_route("two", "default", hosts=("www.example.com",)))
    await world.start()

    assert set(world.records()) == {"apps/www A", "default/www A"}


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


@pytest.mark.spec("ROUTE-LC-013")
async def test_a_name_that_moves_to_a_nearer_zone_goes_from_the_old_one_once_it_is_live(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("a.sub.example.com",)))
    await world.start()
    assert world.records() == {"apps/a.sub A": ["192.0.2.1"]}
    world.zone("sub.example.com")
    refs = {"refs": [{"namespace": "dns", "name": "example-com"}, {"namespace": "dns", "name": "sub-example-com"}]}
    world.cluster_provider("main", "", zones=refs)
    await world.settle(20)
    assert set(world.records()) == {"apps/a.sub A", "apps/a A"}

    (made,) = [one for one in world.record_sets() if one["spec"]["name"] == "a"]
    condition = {"type": "Programmed", "status": "True", "reason": "Programmed", "message": "live"}
    status = {"conditions": [{**condition, "lastTransitionTime": "2026-01-01T00:00:00Z"}]}
    key = ObjectKey("apps", made["metadata"]["name"])
    await world.api.merge_patch(RECORD_SETS, key, {"status": status}, subresource="status")
    await world.settle()

    assert set(world.records()) == {"apps/a A"}


@pytest.mark.spec("ROUTE-ST-019")
async def test_no_source_object_is_ever_written(world: World) -> None:
    """Case 88: no finalizer on other people's objects."""
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    world.put(SERVICES, load_balancer("svc.example.com"))
    await world.start()

    assert {plural for _, plural in world.api.writes()} == {"recordsets", "events", "clusterdnsproviders/status"}


@pytest.mark.spec("GW-TG-012", "GW-TG-013")
async def test_an_alias_is_made_for_a_load_balancer_of_aws(world: World) -> None:
    """Case 46: AAAA only where IPv6 is known or asked for."""
    world.put(SERVICES, load_balancer("svc.example.com", hostname="lb-1.eu-west-1.elb.amazonaws.com"))
    await world.start()
    assert world.records() == {"apps/svc A": ["alias lb-1.eu-west-1.elb.amazonaws.com."]}

    asked = load_balancer("svc.example.com", hostname="lb-1.eu-west-1.elb.amazonaws.com")
    asked["metadata"]["annotations"]["external-dns.alpha.kubernetes.io/dualstack"] = "true"
    world.put(SERVICES, asked)
    await world.settle()
    assert set(world.records()) == {"apps/svc A", "apps/svc AAAA"}

    world.put(SERVICES, load_balancer("svc.example.com", hostname="lb-1.eu-west-1.elb.amazonaws.com"))
    await world.settle()
    assert set(world.records()) == {"apps/svc A"}


def load_balancer(name: str, *, hostname: str = "", ip: str = "192.0.2.7") -> dict[str, Any]:
    ingress = {"hostname": hostname} if hostname else {"ip": ip}
    return {
        "metadata": {"name": "svc", "namespace": "apps", "annotations": {PREFIX + "hostname": name}},
        "spec": {"type": "LoadBalancer", "clusterIP": "10.0.0.1"},
        "status": {"loadBalancer": {"ingress": [ingress]}},
    }


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


@pytest.mark.spec("SRC-EP-029", "TF-BE-026")
async def test_one_bad_object_stops_no_other(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route("good", hosts=("good.example.com",)))
    world.put(HTTP_ROUTES, http_route("illegal", hosts=("a..example.com",)))
    bad = http_route("broken")
    bad["spec"]["hostnames"] = 5
    world.put(HTTP_ROUTES, bad)
    world.put(HTTP_ROUTES, http_route("wrong", hosts=("w.example.com",), annotations={"target-from": "nonsense"}))
    await world.start()

    assert set(world.records()) == {"apps/good A"}
    assert ("HTTPRoute/illegal", "InvalidHostname") in world.events()
    assert ("HTTPRoute/wrong", "TargetFromUnresolved") in world.events()


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
