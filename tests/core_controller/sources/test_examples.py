"""The examples are what they say: they fit the models, and publish what their comments promise."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from e2e.suite.sources_examples import names, promised
from libdnsapi.api.dns.zone import ZONES, Zone
from libdnsapi.api.externaldns.dnsprovider import (
    CLUSTER_DNS_PROVIDERS,
    DNS_PROVIDERS,
    ClusterDNSProvider,
    DNSProvider,
)
from libdnsapi.api.meta import NAMESPACES, SECRETS, ObjectKey, ResourceType
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES
from tests.core_controller.sources.world import (
    CRDS,
    GATEWAYS,
    HTTP_ROUTES,
    INGRESSES,
    SERVICES,
    World,
    gateway,
    http_route,
)

EXAMPLES = Path(__file__).parents[3] / "examples" / "sources"
MODELS = {"Zone": Zone, "DNSProvider": DNSProvider, "ClusterDNSProvider": ClusterDNSProvider}
FRONT_DOORS = ResourceType("example.net", "v1", "FrontDoor", "frontdoors")
RESOURCES = {
    one.kind: one
    for one in (
        CRDS,
        GATEWAYS,
        HTTP_ROUTES,
        SERVICES,
        INGRESSES,
        FRONT_DOORS,
        ZONES,
        CLUSTER_DNS_PROVIDERS,
        DNS_PROVIDERS,
        SECRETS,
    )
}
FILES = sorted(EXAMPLES.rglob("*.yaml"))


def documents(*folders: str) -> list[dict[str, Any]]:
    files = [file for file in FILES if not folders or file.parent.name in folders]
    return [one for file in files for one in yaml.safe_load_all(file.read_text())]


@pytest.mark.parametrize("document", documents(), ids=lambda one: f"{one['kind']}-{one['metadata']['name']}")
@pytest.mark.spec("ROUTE-GO-012")
def test_an_example_fits_its_model(document: dict[str, Any]) -> None:
    model = MODELS.get(document["kind"])
    if model is not None:
        assert model.model_validate(document).metadata.name == document["metadata"]["name"]


def test_the_table_beside_the_examples_speaks_of_each_of_them() -> None:
    assert {name for name in names() if promised(name)} == {file.parent.name for file in FILES}


async def live(*folders: str, **settings: object) -> World:
    """Return a running world with the examples of these folders, every route accepted by its Gateway."""
    world = World(**settings)
    world.install(GATEWAYS, HTTP_ROUTES)
    for name in ("team-a", "team-b", "ingress", "dns-platform"):
        world.put(NAMESPACES, {"metadata": {"name": name, "labels": {"dns.example.com/publishes": "true"}}})
    for document in documents(*folders):
        world.put(RESOURCES[document["kind"]], with_status(document))
    await world.start()
    return world


def with_status(document: dict[str, Any]) -> dict[str, Any]:
    match document["kind"]:
        case "Gateway":
            return {**document, "status": {"addresses": [{"value": "192.0.2.1"}]}}
        case "HTTPRoute":
            accepted = [{"type": "Accepted", "status": "True"}]
            parents = [{"parentRef": ref, "conditions": accepted} for ref in document["spec"]["parentRefs"]]
            return {**document, "status": {"parents": parents}}
        case "Service" | "Ingress":
            return {**document, "status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.2"}]}}}
        case _:
            return document


@pytest.mark.spec("GW-TG-014")
async def test_a_gateway_with_two_listeners_and_three_routes() -> None:
    world = await live("gateway")

    assert world.records() == {
        "team-a/www A": ["192.0.2.1"],
        "team-a/status A": ["192.0.2.1"],
        "team-a/cdn A": ["alias d111111abcdef8.cloudfront.net."],
        "team-a/cdn AAAA": ["alias d111111abcdef8.cloudfront.net."],
    }
    await world.stop()


@pytest.mark.spec("ROUTE-GO-008")
async def test_split_horizon_publishes_to_both_zones() -> None:
    world = await live("split-horizon")
    world.zone("corp.example.com", "corp-outside", "dns-platform")
    world.zone("corp.example.com", "corp-inside", "dns-platform", provider="other.example.net")
    await world.settle()

    assert [one["spec"]["zoneRef"]["name"] for one in world.record_sets()] in (
        ["corp-inside", "corp-outside"],
        ["corp-outside", "corp-inside"],
    )
    await world.stop()


@pytest.mark.spec("TF-GR-002", "TF-GR-004")
async def test_target_from_follows_a_crd_a_gateway_and_a_service() -> None:
    world = await live("gateway", "target-from")
    shared = {"metadata": {"name": "shared", "namespace": "ingress"}, "spec": {}}
    ingress = [{"hostname": "lb.example.net"}, {"ip": "2001:db8::1"}]
    world.put(SERVICES, {**shared, "status": {"loadBalancer": {"ingress": ingress}}})
    await world.settle()

    found = {key: values for key, values in world.records().items() if "by-" in key}
    assert found == {
        "team-a/by-crd CNAME": ["main.frontdoor.example.net"],
        "team-a/by-gateway A": ["192.0.2.1"],
        "team-a/by-service CNAME": ["lb.example.net"],
    }
    await world.stop()


@pytest.mark.spec("ROUTE-GO-009")
async def test_a_team_publishes_through_a_pipeline_of_its_own() -> None:
    world = await live("tenant")
    world.put(
        ZONES,
        {
            "metadata": {"name": "team-a", "namespace": "dns-platform"},
            "spec": {
                "domainName": "team-a.example.com",
                "zoneClassRef": {"name": "public"},
                "provider": {"name": "route53.dns.appthrust.io", "version": "v1alpha1"},
                "allowedRecordSets": [
                    {
                        "namespaces": {"selector": {"matchLabels": {"dns.example.com/publishes": "true"}}},
                        "records": [{"name": {"pattern": ".+"}, "types": ["A"]}],
                    }
                ],
            },
        },
    )
    await world.settle()

    assert world.records() == {"team-a/app A": ["192.0.2.2"]}
    await world.stop()


async def found_by(world: World, identity_name: str, namespace: str, zone_id: str, domain: str) -> None:
    """Let the zone discovery of an identity find one hosted zone."""
    key = ObjectKey(namespace, identity_name)
    identity = world.api.read(ROUTE53_IDENTITIES, key)
    assert identity is not None
    world.put(ROUTE53_IDENTITIES, {**identity, "status": {"hostedZones": [{"id": zone_id, "name": domain}]}})
    await world.settle()


def identities(world: World) -> dict[str, ObjectKey]:
    """Return the managed identities by their accounts."""
    return {
        world.api.read(ROUTE53_IDENTITIES, key)["spec"]["accountID"]: key for key in world.api.keys(ROUTE53_IDENTITIES)
    }


ACCOUNTS = {
    "111122223333": ("Z1", "prod.example.com"),
    "444455556666": ("Z2", "internal.prod.example.com"),
    "777788889999": ("Z3", "staging.example.com"),
}


@pytest.mark.spec("ROUTE-GO-001", "ROUTE-GO-007")
async def test_three_accounts_publish_each_into_its_own_zones() -> None:
    world = await live("accounts", pipeline_namespace="dns-platform")
    world.put(GATEWAYS, gateway())
    for _, domain in ACCOUNTS.values():
        name = domain.partition(".")[0]
        world.put(HTTP_ROUTES, http_route(name, namespace="team-a", hosts=(f"www.{domain}",)))
    made = identities(world)
    for account, (zone_id, domain) in ACCOUNTS.items():
        await found_by(world, made[account].name, "dns-platform", zone_id, domain)

    zones = {key: world.api.read(ZONES, key)["spec"] for key in world.api.keys(ZONES)}
    published = {
        zones[ObjectKey(one["spec"]["zoneRef"]["namespace"], one["spec"]["zoneRef"]["name"])]["domainName"]: one
        for one in world.record_sets()
    }
    assert made.keys() == ACCOUNTS.keys()
    assert {(zone["domainName"], zone["adoption"]["hostedZoneId"]) for zone in zones.values()} == {
        (domain, zone_id) for zone_id, domain in ACCOUNTS.values()
    }
    assert {domain: one["spec"]["ttl"] for domain, one in published.items()} == {
        "prod.example.com": 300,
        "internal.prod.example.com": 300,
        "staging.example.com": 60,
    }
    await world.stop()


@pytest.mark.spec("ROUTE-CO-005", "ROUTE-GO-010")
async def test_rotating_the_secret_of_one_pipeline_touches_nothing_else() -> None:
    world = await live("rotation", pipeline_namespace="dns-platform")
    (key,) = world.api.keys(ROUTE53_IDENTITIES)
    assert key.namespace == "team-b"
    assert world.api.read(ROUTE53_IDENTITIES, key)["spec"]["credentials"] == {"secretRef": {"name": "team-b-dns"}}
    before = world.api.writes()

    secret = next(one for one in documents("rotation") if one["kind"] == "Secret")
    world.put(SECRETS, {**secret, "stringData": {"aws_access_key_id": "NEW", "aws_secret_access_key": "other"}})
    await world.settle(30)

    assert world.api.writes() == before
    assert not [one for one in world.api.requests if one.resource == SECRETS]
    await world.stop()
