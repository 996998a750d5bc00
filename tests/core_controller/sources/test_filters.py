"""What leaves source objects and targets out, and what does not (seed 003, Filtering; seed 001, target filters)."""

from typing import Any

import pytest

from tests.core_controller.sources.world import GATEWAYS, HTTP_ROUTES, PREFIX, SERVICES, World, gateway, http_route


def labelled(name: str, team: str) -> dict[str, Any]:
    made = http_route(name, hosts=(f"{name}.example.com",), annotations={"ttl": "60"} if team == "a" else {})
    made["metadata"]["labels"] = {"team": team}
    return made


@pytest.mark.parametrize(
    ("settings", "published"),
    [
        ({}, {"apps/one A", "apps/two A"}),
        ({"label_filter": "team=a"}, {"apps/one A"}),
        ({"label_filter": "team!=a"}, {"apps/two A"}),
        ({"label_filter": "team in (a, b)"}, {"apps/one A", "apps/two A"}),
        ({"label_filter": "other"}, set()),
        ({"annotation_filter": f"{PREFIX}ttl=60"}, {"apps/one A"}),
        ({"annotation_filter": f"!{PREFIX}ttl"}, {"apps/two A"}),
    ],
)
@pytest.mark.spec("GW-DN-002", "SRC-EP-016")
async def test_only_objects_that_the_filters_let_through_are_published(
    world: World, settings: dict[str, str], published: set[str]
) -> None:
    world.settings = world.settings.model_copy(update=settings)
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, labelled("one", "a"))
    world.put(HTTP_ROUTES, labelled("two", "b"))
    await world.start()

    assert set(world.records()) == published


@pytest.mark.spec("TF-BE-007")
async def test_declared_targets_pass_through_the_networks_too(world: World) -> None:
    world.settings = world.settings.model_copy(update={"exclude_target_net": ("10.0.0.0/8",)})
    balancer = {"loadBalancer": {"ingress": [{"ip": "10.0.0.7"}, {"ip": "192.0.2.7"}]}}
    template = "{{ range .status.loadBalancer.ingress }}{{ .ip }},{{ end }}"
    asking = {PREFIX + "hostname": "svc.example.com", PREFIX + "target-from": f"services/infra/lb#{template}"}
    world.put(SERVICES, {"metadata": {"name": "lb", "namespace": "infra"}, "spec": {}, "status": balancer})
    world.put(SERVICES, {"metadata": {"name": "svc", "namespace": "apps", "annotations": asking}, "spec": {}})
    await world.start()

    assert world.records() == {"apps/svc A": ["192.0.2.7"]}


@pytest.mark.spec("SRC-EP-012")
async def test_a_change_of_the_prefix_withdraws_nothing_and_writes_nothing(world: World) -> None:
    """Case 55."""
    balancer = {"loadBalancer": {"ingress": [{"ip": "192.0.2.7"}]}}
    service = {
        "metadata": {"name": "svc", "namespace": "apps", "annotations": {PREFIX + "hostname": "svc.example.com"}},
        "spec": {"type": "LoadBalancer"},
        "status": balancer,
    }
    world.put(SERVICES, service)
    await world.start()
    assert world.records() == {"apps/svc A": ["192.0.2.7"]}
    before = world.recordset_writes()

    old_prefix = {"external-dns.alpha.kubernetes.io/hostname": "svc.example.com"}
    world.put(SERVICES, {**service, "metadata": {**service["metadata"], "annotations": old_prefix}})
    await world.settle(10)

    assert world.records() == {"apps/svc A": ["192.0.2.7"]}
    assert world.recordset_writes() == before
