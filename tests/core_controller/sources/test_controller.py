"""From source objects to RecordSets, through the whole controller."""

from typing import Any

import pytest

from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.externaldns.dnsprovider import CLUSTER_DNS_PROVIDERS
from libdnsapi.api.externaldns.names import (
    CONTRIBUTORS_ANNOTATION,
    HOSTNAME_ANNOTATION,
    ORPHANED_LABEL,
    OWNER_ANNOTATION,
    PIPELINE_ANNOTATION,
    PIPELINE_LABEL,
)
from libdnsapi.api.meta import ObjectKey
from tests.core_controller.sources.world import (
    GATEWAYS,
    HTTP_ROUTES,
    SERVICES,
    World,
    gateway,
    http_route,
    load_balancer,
)


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


async def test_a_record_set_that_somebody_deletes_is_made_anew(world: World) -> None:
    """Which is why an uninstall begins with the sources."""
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()
    (made,) = world.api.keys(RECORD_SETS)

    await world.delete(RECORD_SETS, made.namespace, made.name)
    await world.settle()

    assert world.records() == {"apps/www A": ["192.0.2.1"]}


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
