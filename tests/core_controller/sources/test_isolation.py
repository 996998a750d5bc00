"""Tenants: what a namespace can and cannot do to others (issue Sources, isolation; cases 57, 58)."""

import pytest

from core_controller.sources.managed import managed_objects, spec_problem
from core_controller.sources.pipelines import pipeline_of
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.externaldns.dnsprovider import CLUSTER_DNS_PROVIDERS, DNS_PROVIDERS, DNSProvider
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES
from tests.core_controller.sources.world import GATEWAYS, HTTP_ROUTES, World, gateway, http_route


@pytest.mark.spec("ROUTE-CO-013")
async def test_a_tenants_pipeline_cannot_use_a_zone_that_does_not_admit_its_namespace(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.zone("tenant.example.org")
    world.provider("apps", "mine", "tenant-example-org")
    world.put(HTTP_ROUTES, http_route(hosts=("x.tenant.example.org",), annotations={"provider": "mine"}))
    await world.start()

    status = world.api.read(DNS_PROVIDERS, ObjectKey("apps", "mine"))["status"]
    assert world.records() == {}
    assert status["conditions"][0]["reason"] == "ZoneNotFound"


@pytest.mark.spec("ROUTE-CO-013")
async def test_a_tenants_pipeline_uses_a_zone_that_admits_its_namespace(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.zone("tenant.example.org")
    zone = world.api.read(ZONES, ObjectKey("dns", "tenant-example-org"))
    zone["spec"]["allowedRecordSets"] = [
        {
            "namespaces": {"selector": {"matchLabels": {"kubernetes.io/metadata.name": "apps"}}},
            "records": [{"name": {"pattern": ".*"}, "types": ["A"]}],
        }
    ]
    world.put(ZONES, zone)
    world.provider("apps", "mine", "tenant-example-org")
    world.put(HTTP_ROUTES, http_route(hosts=("x.tenant.example.org",)))
    await world.start()

    assert world.records() == {"apps/x A": ["192.0.2.1"]}


@pytest.mark.spec("ROUTE-RT-010")
async def test_a_tenants_pipeline_makes_nobody_elses_names_ambiguous(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.zone("example.com", name="theirs", namespace="default")
    selector = {"refs": [{"namespace": "default", "name": "theirs"}]}
    world.provider("default", "rogue", "theirs", zones=selector)
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    await world.start()

    assert world.records() == {"apps/www A": ["192.0.2.1"]}
    assert "rogue" not in world.notes()


@pytest.mark.spec("ROUTE-GO-004", "ROUTE-RT-003")
async def test_a_reference_to_another_namespaces_pipeline_finds_nothing(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.provider("dns", "theirs", "example-com")
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",), annotations={"provider": "theirs"}))
    await world.start()

    assert world.records() == {}
    assert ("HTTPRoute/web", "PipelineNotFound") in world.events()


@pytest.mark.spec("ROUTE-CO-010")
async def test_an_owner_id_that_is_taken_or_not_the_namespaces_own_publishes_nothing(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.zone("example.org", namespace="apps")
    refs = {"refs": [{"name": "example-org"}]}
    world.provider("apps", "mine", "", zones=refs, registry={"txtOwnerId": "main"})
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.org",)))
    await world.start()

    status = world.api.read(DNS_PROVIDERS, ObjectKey("apps", "mine"))["status"]
    assert world.records() == {}
    assert status["conditions"][0]["reason"] == "InvalidSpec"


@pytest.mark.spec("ROUTE-CO-009")
async def test_the_younger_of_two_pipelines_with_one_owner_id_does_not_act(world: World) -> None:
    world.zone("example.org")
    registry = {"txtOwnerId": "main"}
    body = {"type": "dns-api", "zones": {"refs": [{"namespace": "dns", "name": "example-org"}]}, "registry": registry}
    world.put(
        CLUSTER_DNS_PROVIDERS,
        {"metadata": {"name": "thief", "creationTimestamp": "2030-01-01T00:00:00Z"}, "spec": body},
    )
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.org",)))
    await world.start()

    status = world.api.read(CLUSTER_DNS_PROVIDERS, ObjectKey("", "thief"))["status"]
    assert world.records() == {}
    assert status["conditions"][0]["reason"] == "InvalidSpec"


@pytest.mark.spec("ROUTE-CO-001", "ROUTE-CO-003")
def test_a_tenants_managed_pipeline_never_acts_with_the_controllers_own_role() -> None:
    spec = {"type": "aws", "config": {"aws-account-id": "111122223333"}}
    bare = DNSProvider.model_validate({"metadata": {"name": "mine", "namespace": "apps"}, "spec": spec})
    keyed = bare.model_copy(update={"spec": bare.spec.model_validate({**spec, "credentialsRef": {"name": "key"}})})
    pipeline = pipeline_of(keyed, (), {}, "dns-system")

    identity = next(one for one in managed_objects(keyed, pipeline, "apps", ()) if one.resource == ROUTE53_IDENTITIES)

    assert spec_problem(bare) is not None
    assert identity.spec["credentials"] == {"secretRef": {"name": "key"}}
    assert identity.key.namespace == "apps"


@pytest.mark.spec("ROUTE-CO-001")
def test_two_pipelines_with_secrets_of_their_own_never_share_one() -> None:
    found = {}
    for namespace, secret in (("apps", "one"), ("other", "two")):
        spec = {"type": "aws", "config": {"aws-account-id": "111122223333"}, "credentialsRef": {"name": secret}}
        source = DNSProvider.model_validate({"metadata": {"name": "mine", "namespace": namespace}, "spec": spec})
        pipeline = pipeline_of(source, (), {}, "dns-system")
        made = managed_objects(source, pipeline, namespace, ())
        identity = next(one for one in made if one.resource == ROUTE53_IDENTITIES)
        assert {one.key.namespace for one in made} == {namespace}
        assert all(one.spec.get("identityRef", {}).get("name", identity.key.name) == identity.key.name for one in made)
        found[identity.key] = identity.spec["credentials"]

    assert {key.namespace: credentials for key, credentials in found.items()} == {
        "apps": {"secretRef": {"name": "one"}},
        "other": {"secretRef": {"name": "two"}},
    }
