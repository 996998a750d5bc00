"""target-from through the whole controller: lazily read, change-driven, fail-closed (seed 001, case 59)."""

import asyncio
from typing import Any

import pytest

from libdnsapi.api.meta import NAMESPACES, SECRETS, ResourceType
from tests.core_controller.sources.world import GATEWAYS, HTTP_ROUTES, PREFIX, SERVICES, World, gateway, http_route
from tests.fakes.faults import Fault, refused

ACCELERATORS = ResourceType("aga.k8s.aws", "v1beta1", "GlobalAccelerator", "globalaccelerators")
CONFIG_MAPS = ResourceType("", "v1", "ConfigMap", "configmaps")
REFERENCE = "globalaccelerators.aga.k8s.aws/infra/acc#{{ .status.dnsName }}"
TARGET = "a1.example.net"


def service(reference: str, name: str = "svc", namespace: str = "apps") -> dict[str, Any]:
    annotations = {PREFIX + "hostname": f"{name}.example.com", PREFIX + "target-from": reference}
    return {
        "metadata": {"name": name, "namespace": namespace, "annotations": annotations},
        "spec": {"type": "LoadBalancer", "clusterIP": "10.0.0.1"},
        "status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.66"}]}},
    }


def accelerator(name: str = TARGET) -> dict[str, Any]:
    status = {"dnsName": name} if name else {}
    return {"metadata": {"name": "acc", "namespace": "infra"}, "status": status}


@pytest.mark.spec("TF-BE-002", "TF-BE-009", "TF-GR-002", "TF-GR-003", "TF-GR-007")
async def test_a_reference_is_followed_and_its_changes_are(world: World) -> None:
    world.install(ACCELERATORS)
    world.put(ACCELERATORS, accelerator())
    world.put(SERVICES, service(REFERENCE))
    await world.start()
    assert world.records() == {"apps/svc CNAME": [TARGET]}

    world.put(ACCELERATORS, accelerator("a2.example.net"))
    await world.settle()
    assert world.records() == {"apps/svc CNAME": ["a2.example.net"]}


@pytest.mark.spec("TF-BE-015")
async def test_a_field_that_vanishes_is_held_and_then_follows(world: World) -> None:
    world.install(ACCELERATORS)
    world.put(ACCELERATORS, accelerator())
    world.put(SERVICES, service(REFERENCE))
    await world.start()

    world.put(ACCELERATORS, accelerator(""))
    await world.settle(30)
    assert world.records() == {"apps/svc CNAME": [TARGET]}
    assert ("Service/svc", "TargetFromUnresolved") in world.events()

    await world.settle(300)
    assert world.records() == {}


@pytest.mark.parametrize("policy", ["upsert-only", "create-only"])
@pytest.mark.spec("TF-BE-016")
async def test_a_policy_that_keeps_records_keeps_those_of_a_reference(world: World, policy: str) -> None:
    world.cluster_provider("main", "example-com", policy=policy)
    world.install(ACCELERATORS)
    world.put(ACCELERATORS, accelerator())
    world.put(SERVICES, service(REFERENCE))
    await world.start()

    world.put(ACCELERATORS, accelerator(""))
    await world.settle(700)
    assert world.records() == {"apps/svc CNAME": [TARGET]}


@pytest.mark.parametrize(
    "reference",
    [
        "services/infra/lb",
        "globalaccelerators.aga.k8s.aws/infra/acc#{{ .status.nothing }}",
        "globalaccelerators.aga.k8s.aws/infra/acc#{{ .status }}",
        "globalaccelerators.aga.k8s.aws/infra/acc#{{ .status.dnsName",
        "globalaccelerators.aga.k8s.aws/infra/none#{{ .status.dnsName }}",
        "unknowns.example.net/infra/acc#{{ .status.dnsName }}",
        "nodes/infra/one#{{ .metadata.name }}",
        "secrets/infra/s#{{ .data.x }}",
        "globalaccelerators.aga.k8s.aws/infra/acc#   ",
    ],
)
@pytest.mark.spec("TF-BE-012", "TF-BE-013")
async def test_an_unresolved_reference_publishes_nothing_and_is_told(world: World, reference: str) -> None:
    """Case 59: never a fall-through to the load balancer's own address, never a garbage target."""
    world.install(ACCELERATORS)
    world.put(ACCELERATORS, accelerator())
    world.put(SERVICES, service(reference))
    await world.start()

    assert world.records() == {}
    assert ("Service/svc", "TargetFromUnresolved") in world.events()


@pytest.mark.spec("TF-SE-002")
async def test_a_secret_is_never_read(world: World) -> None:
    world.put(SECRETS, {"metadata": {"name": "s", "namespace": "infra"}, "data": {"x": "aG9zdC5leGFtcGxlLmNvbQ=="}})
    world.put(SERVICES, service("secrets/infra/s#{{ .data.x }}.example.net"))
    world.put(SERVICES, service("secrets./infra/s#{{ .data.x }}.example.net", "dotted"))
    await world.start()

    assert not [one for one in world.api.requests if one.resource.plural == "secrets"]
    assert world.records() == {}


@pytest.mark.spec("TF-BE-025")
async def test_what_may_not_be_read_holds_what_is_published(world: World) -> None:
    world.install(ACCELERATORS)
    world.put(ACCELERATORS, accelerator())
    world.put(SERVICES, service(REFERENCE))
    await world.start()
    await world.stop()
    forbidden = refused(403, "Forbidden")
    world.api.fail(Fault(verb="list", resource=ACCELERATORS, error=forbidden, times=10_000))
    world.api.fail(Fault(verb="get", resource=ACCELERATORS, error=forbidden, times=10_000))

    await world.start()
    await world.settle(700)

    assert world.records() == {"apps/svc CNAME": [TARGET]}
    assert "may not be read" in world.notes()


@pytest.mark.spec("TF-BE-011")
async def test_with_get_alone_the_object_is_read_and_read_again(world: World) -> None:
    world.install(ACCELERATORS)
    world.put(ACCELERATORS, accelerator())
    world.put(SERVICES, service(REFERENCE))
    world.api.fail(Fault(verb="list", resource=ACCELERATORS, error=refused(403, "Forbidden"), times=10_000))
    await world.start()
    assert world.records() == {"apps/svc CNAME": [TARGET]}

    world.put(ACCELERATORS, accelerator("a2.example.net"))
    await world.settle(120)
    assert world.records() == {"apps/svc CNAME": ["a2.example.net"]}


@pytest.mark.spec("TF-BE-022")
async def test_a_kind_installed_later_resolves_what_waits_for_it(world: World) -> None:
    world.put(ACCELERATORS, accelerator())
    world.put(SERVICES, service(REFERENCE))
    await world.start()
    assert world.records() == {}

    world.install(ACCELERATORS)
    await world.settle(20)
    assert world.records() == {"apps/svc CNAME": [TARGET]}


@pytest.mark.spec("TF-BE-008")
async def test_one_informer_serves_a_kind_and_namespace_and_stops_when_idle(world: World) -> None:
    for number in range(5):
        world.put(SERVICES, service(f"configmaps/infra/c{number}#{{{{ .data.host }}}}", f"s{number}"))
        config = {"metadata": {"name": f"c{number}", "namespace": "infra"}, "data": {"host": f"h{number}.example.net"}}
        world.put(CONFIG_MAPS, config)
    await world.start()
    assert len(world.records()) == 5
    watches = [one for one in world.api.requests if one.resource == CONFIG_MAPS and one.verb == "watch"]
    assert len(watches) == 1

    for number in range(5):
        await world.delete(SERVICES, "apps", f"s{number}")
    await world.settle(900)
    asked = len(world.api.requests)
    await world.settle(900)
    later = [one for one in world.api.requests[asked:] if one.resource == CONFIG_MAPS]
    assert later == []


@pytest.mark.spec("TF-SE-009")
async def test_references_into_namespaces_that_are_not_there_cost_no_watch(world: World) -> None:
    for number in range(5):
        world.put(SERVICES, service(f"configmaps/new-{number}/c#{{{{ .data.host }}}}", f"s{number}"))
    await world.start()
    assert not [one for one in world.api.requests if one.resource == CONFIG_MAPS]

    world.put(CONFIG_MAPS, {"metadata": {"name": "c", "namespace": "new-1"}, "data": {"host": "h.example.net"}})
    world.put(NAMESPACES, {"metadata": {"name": "new-1"}})
    await world.settle(20)

    assert list(world.records().values()) == [["h.example.net"]]
    assert {one.key.namespace for one in world.api.requests if one.resource == CONFIG_MAPS} == {"new-1"}


@pytest.mark.spec("TF-BE-008")
async def test_evaluations_without_end_leave_one_timer_for_each_place(world: World) -> None:
    world.put(CONFIG_MAPS, {"metadata": {"name": "c", "namespace": "infra"}, "data": {"host": "h.example.net"}})
    world.put(SERVICES, service("configmaps/infra/c#{{ .data.host }}"))
    await world.start()
    for number in range(20):
        found = service("configmaps/infra/c#{{ .data.host }}")
        found["metadata"]["labels"] = {"round": str(number)}
        world.put(SERVICES, found)
        await world.settle(1)

    assert len([task for task in asyncio.all_tasks() if task.get_name() == "references-idle"]) == 1


@pytest.mark.spec("GW-TG-001", "GW-TG-002", "TF-GR-004")
async def test_target_and_target_from_of_gateway_and_route_in_their_order(world: World) -> None:
    """Case 53."""
    world.install(ACCELERATORS)
    world.put(ACCELERATORS, accelerator())
    world.put(GATEWAYS, gateway(annotations={PREFIX + "target-from": REFERENCE}))
    world.put(HTTP_ROUTES, http_route("plain", hosts=("plain.example.com",)))
    own = http_route("own", hosts=("own.example.com",), annotations={"target": "203.0.113.5"})
    world.put(HTTP_ROUTES, own)
    await world.start()

    assert world.records() == {"apps/plain CNAME": [TARGET], "apps/own A": ["203.0.113.5"]}
