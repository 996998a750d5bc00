"""Managed pipelines: one object becomes an identity, an adopting class and Zones (sources page, DNSProvider)."""

from typing import Any

import pytest

from core_controller.sources.managed import account_id, spec_problem
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES
from libdnsapi.api.externaldns.dnsprovider import CLUSTER_DNS_PROVIDERS, ClusterDNSProvider
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES
from tests.core_controller.sources.world import GATEWAYS, HTTP_ROUTES, World, gateway, http_route
from tests.fakes.faults import Fault, Verb, refused

ROLE = "arn:aws:iam::111122223333:role/external-dns"
SPEC: dict[str, Any] = {
    "type": "aws",
    "config": {"aws-assume-role": ROLE, "aws-assume-role-external-id": "xid", "aws-region": "eu-west-1"},
    "domainFilter": {"include": ["prod.example.com"], "exclude": ["internal.prod.example.com"]},
    "allowedNamespaces": {"selector": {"matchLabels": {"kubernetes.io/metadata.name": "apps"}}},
    "allowedRecords": {},
}
FOUND = [
    {"id": "Z1", "name": "prod.example.com"},
    {"id": "Z2", "name": "internal.prod.example.com"},
    {"id": "Z3", "name": "other.example.com"},
]


@pytest.fixture
async def managed(world: World) -> World:
    await world.delete(CLUSTER_DNS_PROVIDERS, "", "main")
    world.settings = world.settings.model_copy(update={"pipeline_namespace": "infra"})
    world.put(CLUSTER_DNS_PROVIDERS, {"metadata": {"name": "prod"}, "spec": SPEC})
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.prod.example.com",)))
    await world.start()
    return world


async def discovered(world: World) -> None:
    (key,) = world.api.keys(ROUTE53_IDENTITIES)
    identity = world.api.read(ROUTE53_IDENTITIES, key)
    world.put(ROUTE53_IDENTITIES, {**identity, "status": {"hostedZones": FOUND}})
    await world.settle()


@pytest.mark.spec("ROUTE-CO-002", "ROUTE-MG-001")
async def test_one_object_becomes_an_identity_and_an_adopting_class(managed: World) -> None:
    (key,) = managed.api.keys(ROUTE53_IDENTITIES)
    identity = managed.api.read(ROUTE53_IDENTITIES, key)["spec"]
    zone_class = managed.api.read(ZONE_CLASSES, key)["spec"]

    assert key.namespace == "infra"
    assert identity["accountID"] == "111122223333"
    assert identity["credentials"] == {"runtime": {}}
    assert identity["assumeRoleChain"] == [{"roleARN": ROLE, "externalID": "xid"}]
    assert identity["zoneDiscovery"] == {"enabled": True, "domains": ["prod.example.com"]}
    assert zone_class["parameters"] == {"zoneCreationPolicy": "Deny", "zoneDeletionPolicy": "Retain"}
    assert zone_class["identityRef"] == {"name": key.name}


@pytest.mark.spec("ROUTE-MG-002", "ROUTE-MG-003")
async def test_discovered_zones_under_the_filter_become_zones_and_names_are_published(managed: World) -> None:
    await discovered(managed)

    (key,) = managed.api.keys(ZONES)[-1:]
    made = [managed.api.read(ZONES, one)["spec"] for one in managed.api.keys(ZONES) if one.namespace == "infra"]
    assert [one["domainName"] for one in made] == ["prod.example.com"]
    assert made[0]["adoption"] == {"hostedZoneId": "Z1"}
    assert made[0]["allowedRecordSets"][0]["records"][0]["types"] == ["A", "AAAA", "CNAME"]
    assert managed.records() == {"apps/www A": ["192.0.2.1"]}
    assert key.namespace == "infra"


@pytest.mark.spec("ROUTE-MG-004")
async def test_a_zone_that_leaves_the_list_and_a_pipeline_that_goes_delete_nothing(managed: World) -> None:
    await discovered(managed)
    (key,) = managed.api.keys(ROUTE53_IDENTITIES)
    identity = managed.api.read(ROUTE53_IDENTITIES, key)
    managed.put(ROUTE53_IDENTITIES, {**identity, "status": {"hostedZones": []}})
    await managed.settle()
    await managed.delete(CLUSTER_DNS_PROVIDERS, "", "prod")
    await managed.settle(20)

    assert managed.records() == {"apps/www A": ["192.0.2.1"]}
    assert [one for one in managed.api.keys(ZONES) if one.namespace == "infra"]
    assert managed.api.keys(ROUTE53_IDENTITIES) == [key]


@pytest.mark.spec("ROUTE-MG-005")
async def test_a_managed_object_that_others_made_is_left_alone(managed: World) -> None:
    (key,) = managed.api.keys(ROUTE53_IDENTITIES)
    await managed.stop()
    spec = {"accountID": "999988887777", "region": "eu-west-1", "credentials": {"runtime": {}}}
    foreign = {"metadata": {"name": key.name, "namespace": key.namespace, "labels": {}}, "spec": spec}
    await managed.api.delete(ROUTE53_IDENTITIES, key)
    managed.put(ROUTE53_IDENTITIES, foreign)
    await managed.start()

    assert managed.api.read(ROUTE53_IDENTITIES, key)["spec"] == spec
    condition = managed.api.read(CLUSTER_DNS_PROVIDERS, ObjectKey("", "prod"))["status"]["conditions"][0]
    assert (condition["status"], condition["reason"]) == ("False", "InvalidSpec")
    assert "exists and was not made for this pipeline" in condition["message"]


@pytest.mark.spec("ROUTE-ST-008")
async def test_what_is_wrong_with_the_identity_is_the_pipelines_reason(managed: World) -> None:
    (key,) = managed.api.keys(ROUTE53_IDENTITIES)
    identity = managed.api.read(ROUTE53_IDENTITIES, key)
    condition = {
        "type": "Ready",
        "status": "False",
        "reason": "AssumeRoleFailed",
        "message": "the role cannot be assumed",
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }
    managed.put(ROUTE53_IDENTITIES, {**identity, "status": {"conditions": [condition]}})
    await managed.settle()

    status = managed.api.read(CLUSTER_DNS_PROVIDERS, ObjectKey("", "prod"))["status"]
    assert status["conditions"][0]["reason"] == "AuthFailed"


@pytest.mark.parametrize(
    ("config", "account"),
    [
        ({"aws-account-id": "999988887777"}, "999988887777"),
        ({"aws-assume-role": ROLE}, "111122223333"),
        ({"aws-assume-role": ROLE, "aws-account-id": "999988887777"}, "999988887777"),
        ({"aws-assume-role": "role"}, None),
        ({}, None),
    ],
)
@pytest.mark.spec("ROUTE-CO-006")
def test_the_account_is_given_or_the_roles(config: dict[str, str], account: str | None) -> None:
    assert account_id(config) == account
    source = ClusterDNSProvider.model_validate({"metadata": {"name": "x"}, "spec": {**SPEC, "config": config}})
    assert (spec_problem(source) is None) is (account is not None)


@pytest.mark.spec("ROUTE-MG-009")
async def test_a_hosted_zone_that_was_made_anew_takes_the_place_of_the_one_that_is_gone(managed: World) -> None:
    """The Zone of the old one stays, and makes no name ambiguous."""
    await discovered(managed)
    (key,) = managed.api.keys(ROUTE53_IDENTITIES)
    identity = managed.api.read(ROUTE53_IDENTITIES, key)
    anew = [{"id": "Z9", "name": "prod.example.com"}]
    managed.put(ROUTE53_IDENTITIES, {**identity, "status": {"hostedZones": anew}})
    await managed.settle()

    zones = {one: managed.api.read(ZONES, one)["spec"] for one in managed.api.keys(ZONES) if one.namespace == "infra"}
    used = {ObjectKey(**one["spec"]["zoneRef"]) for one in managed.record_sets()}
    assert sorted(one["adoption"]["hostedZoneId"] for one in zones.values()) == ["Z1", "Z9"]
    assert {zones[one]["adoption"]["hostedZoneId"] for one in used} == {"Z1", "Z9"}
    assert ("HTTPRoute/web", "AmbiguousZone") not in managed.events()


@pytest.mark.spec("ROUTE-MG-009")
async def test_two_hosted_zones_of_one_domain_that_both_are_there_stay_ambiguous(managed: World) -> None:
    (key,) = managed.api.keys(ROUTE53_IDENTITIES)
    identity = managed.api.read(ROUTE53_IDENTITIES, key)
    twins = [{"id": one, "name": "prod.example.com"} for one in ("Z1", "Z9")]
    managed.put(ROUTE53_IDENTITIES, {**identity, "status": {"hostedZones": twins}})
    await managed.settle()

    assert managed.records() == {}
    assert ("HTTPRoute/web", "AmbiguousZone") in managed.events()


CHANGED = [
    # what changes in the pipeline, the identity's field, what it is then
    ({"credentialsRef": {"name": "key"}}, "credentials", {"secretRef": {"name": "key"}}),
    ({"domainFilter": {"exclude": ["internal.prod.example.com"]}}, "zoneDiscovery", {"enabled": True}),
    ({"config": {"aws-account-id": "111122223333"}}, "assumeRoleChain", None),
    ({"config": {"aws-assume-role": ROLE}}, "assumeRoleChain", [{"roleARN": ROLE}]),
]


@pytest.mark.parametrize(("change", "field", "value"), CHANGED)
@pytest.mark.spec("ROUTE-MG-007")
async def test_a_changed_pipeline_changes_its_identity_and_nothing_of_before_stays(
    managed: World, change: dict[str, Any], field: str, value: object
) -> None:
    (key,) = managed.api.keys(ROUTE53_IDENTITIES)

    managed.put(CLUSTER_DNS_PROVIDERS, {"metadata": {"name": "prod"}, "spec": {**SPEC, **change}})
    await managed.settle()

    assert managed.api.read(ROUTE53_IDENTITIES, key)["spec"].get(field) == value
    before = managed.api.writes()
    await managed.settle(700)
    assert managed.api.writes() == before


@pytest.mark.spec("ROUTE-MG-008")
async def test_a_right_that_is_taken_back_is_taken_back_in_zones_that_are_no_longer_found(managed: World) -> None:
    await discovered(managed)
    (key,) = managed.api.keys(ROUTE53_IDENTITIES)
    identity = managed.api.read(ROUTE53_IDENTITIES, key)
    managed.put(ROUTE53_IDENTITIES, {**identity, "status": {"hostedZones": []}})
    await managed.settle()
    narrower = {"selector": {"matchLabels": {"kubernetes.io/metadata.name": "default"}}}
    managed.put(CLUSTER_DNS_PROVIDERS, {"metadata": {"name": "prod"}, "spec": {**SPEC, "allowedNamespaces": narrower}})
    await managed.settle()

    (zone,) = [managed.api.read(ZONES, one) for one in managed.api.keys(ZONES) if one.namespace == "infra"]
    assert zone["spec"]["allowedRecordSets"][0]["namespaces"] == narrower
    assert zone["spec"]["adoption"] == {"hostedZoneId": "Z1"}


@pytest.mark.parametrize(
    ("verb", "status", "reason"),
    [
        ("get", 403, "Forbidden"),
        ("create", 404, "NotFound"),
        ("create", 403, "Forbidden"),
        ("create", 422, "Invalid"),
    ],
)
@pytest.mark.spec("ROUTE-MG-006")
async def test_what_cannot_be_made_is_said_whichever_request_fails(
    world: World, verb: Verb, status: int, reason: str
) -> None:
    error = refused(status, reason, "not so")
    world.api.fail(Fault(verb=verb, resource=ROUTE53_IDENTITIES, error=error, times=100))
    world.put(CLUSTER_DNS_PROVIDERS, {"metadata": {"name": "prod"}, "spec": SPEC})
    await world.start()

    condition = world.api.read(CLUSTER_DNS_PROVIDERS, ObjectKey("", "prod"))["status"]["conditions"][0]
    assert condition["reason"] == "InvalidSpec"
    assert "Route53Identity default/prod-" in condition["message"]
    assert "not so" in condition["message"]


@pytest.mark.spec("ROUTE-MG-006")
async def test_a_controller_that_may_not_make_objects_says_so(world: World) -> None:
    world.api.fail(
        Fault(verb="create", resource=ROUTE53_IDENTITIES, error=refused(403, "Forbidden", "may not"), times=100)
    )
    world.put(CLUSTER_DNS_PROVIDERS, {"metadata": {"name": "prod"}, "spec": SPEC})
    await world.start()

    condition = world.api.read(CLUSTER_DNS_PROVIDERS, ObjectKey("", "prod"))["status"]["conditions"][0]
    assert condition["reason"] == "InvalidSpec"
    assert "may not" in condition["message"]
