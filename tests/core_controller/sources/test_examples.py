"""The examples are what they say: they fit the models, and publish what their comments promise."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from libdnsapi.api.dns.zone import ZONES, Zone
from libdnsapi.api.externaldns.dnsprovider import (
    CLUSTER_DNS_PROVIDERS,
    DNS_PROVIDERS,
    ClusterDNSProvider,
    DNSProvider,
)
from libdnsapi.api.meta import NAMESPACES, ResourceType
from tests.core_controller.sources.world import CRDS, GATEWAYS, HTTP_ROUTES, INGRESSES, SERVICES, World

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
    )
}
FILES = sorted(EXAMPLES.rglob("*.yaml"))


def documents(*folders: str) -> list[dict[str, Any]]:
    files = [file for file in FILES if not folders or file.parent.name in folders]
    return [one for file in files for one in yaml.safe_load_all(file.read_text())]


@pytest.mark.parametrize("document", documents(), ids=lambda one: f"{one['kind']}-{one['metadata']['name']}")
def test_an_example_fits_its_model(document: dict[str, Any]) -> None:
    model = MODELS.get(document["kind"])
    if model is not None:
        assert model.model_validate(document).metadata.name == document["metadata"]["name"]


async def live(*folders: str) -> World:
    """Return a running world with the examples of these folders, every route accepted by its Gateway."""
    world = World()
    world.install(GATEWAYS, HTTP_ROUTES)
    for name in ("team-a", "ingress", "dns-platform"):
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


async def test_a_gateway_with_two_listeners_and_three_routes() -> None:
    world = await live("gateway")

    assert world.records() == {
        "team-a/www A": ["192.0.2.1"],
        "team-a/status A": ["192.0.2.1"],
        "team-a/cdn A": ["alias d111111abcdef8.cloudfront.net."],
        "team-a/cdn AAAA": ["alias d111111abcdef8.cloudfront.net."],
    }
    await world.stop()


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
