"""An edit that cannot be published leaves what is live, and takes nothing from others."""

import pytest

from libdnsapi.api.meta import ResourceType
from tests.core_controller.sources.services import ELB, endpoint, named, service
from tests.core_controller.sources.world import (
    DNS_ENDPOINTS,
    PREFIX,
    SERVICES,
    Document,
    World,
)

MISTAKES: list[tuple[ResourceType, Document, Document, str]] = [
    # kind, how it is published, the mistake, what is told of it
    (DNS_ENDPOINTS, endpoint("MX", "10 m.example.com"), endpoint("MX", "ten m.example.com"), "InvalidRecord"),
    (DNS_ENDPOINTS, endpoint("TXT", "fine"), endpoint("TXT", "caf\xe9"), "InvalidRecord"),
    (DNS_ENDPOINTS, endpoint("A", "192.0.2.1"), endpoint("A", "192.0.2.300"), "InvalidTarget"),
    (DNS_ENDPOINTS, endpoint("A", "192.0.2.1"), endpoint("A", "lb.example.net"), "InvalidTarget"),
    (DNS_ENDPOINTS, endpoint("A", "192.0.2.1"), endpoint("A"), "InvalidTarget"),
    (DNS_ENDPOINTS, endpoint("CNAME", "x.example.net"), endpoint("CNAME", "a.example.com"), "TargetIsItself"),
    (
        DNS_ENDPOINTS,
        endpoint("A", "192.0.2.1"),
        endpoint("A", *(f"10.0.{number // 256}.{number % 256}" for number in range(999))),
        "InvalidRecord",
    ),
    (
        DNS_ENDPOINTS,
        endpoint("A", "192.0.2.1"),
        endpoint("A", "192.0.2.2", setIdentifier="one"),
        "RoutingPolicyNotSupported",
    ),
    (SERVICES, service(named()), service(named(set_identifier="one")), "RoutingPolicyNotSupported"),
    (SERVICES, service(named()), service(named(target="https://x.example.net/")), "InvalidTarget"),
    (SERVICES, service(named()), service(named(cluster_provider="mian")), "PipelineNotFound"),
    (SERVICES, service(named()), service(named(cluster_provider="elsewhere")), "OutsideDomainFilter"),
    (SERVICES, service(named()), service(named(cluster_provider="empty")), "ZoneNotFound"),
    (
        SERVICES,
        service({"hostname": "example.com"}, {"hostname": ELB}),
        service({"hostname": "example.com"}, {"hostname": "lb.example.net"}),
        "ApexNeedsAlias",
    ),
]


@pytest.mark.parametrize(("kind", "right", "wrong", "told"), MISTAKES)
@pytest.mark.spec("SRC-EP-042")
async def test_an_edit_that_cannot_be_published_leaves_what_is_live(
    world: World, kind: ResourceType, right: Document, wrong: Document, told: str
) -> None:
    world.install(DNS_ENDPOINTS)
    world.zone("example.org")
    world.cluster_provider("elsewhere", "example-org")
    world.cluster_provider("empty", "none", domainFilter={"include": ["a.example.com"], "exclude": ["x.example.com"]})
    world.cluster_provider("main", "example-com", domainFilter={"include": ["example.com"]})
    choice = {"metadata": {**right["metadata"], "annotations": {PREFIX + "cluster-provider": "main"}}}
    world.put(kind, {**right, **choice} if kind is DNS_ENDPOINTS else _choosing(right))
    await world.start()
    live = world.records()
    assert len(live) == 1

    changed = _choosing(wrong) if kind is SERVICES else {**wrong, **choice}
    world.put(kind, changed)
    await world.settle(600)

    assert world.records() == live
    assert told in {reason for _, reason in world.events()}


def _choosing(made: Document) -> Document:
    """Return a Service that names the pipeline, unless it does so already."""
    annotations = {PREFIX + "cluster-provider": "main", **made["metadata"]["annotations"]}
    return {**made, "metadata": {**made["metadata"], "annotations": annotations}}


@pytest.mark.spec("SRC-EP-042")
async def test_a_mistake_in_one_entry_keeps_no_other_from_being_changed_or_withdrawn(world: World) -> None:
    def entries(*listed: tuple[str, str, str]) -> Document:
        made = endpoint("A")
        made["spec"]["endpoints"] = [
            {"dnsName": f"{n}.example.com", "recordType": t, "targets": [v]} for n, t, v in listed
        ]
        return made

    world.install(DNS_ENDPOINTS)
    world.put(DNS_ENDPOINTS, entries(("a", "A", "192.0.2.1"), ("b", "A", "192.0.2.1"), ("a", "TXT", "x")))
    await world.start()

    world.put(DNS_ENDPOINTS, entries(("a", "A", "192.0.2.2"), ("a", "TXT", "\xe9")))
    await world.settle()

    assert world.records() == {"apps/a A": ["192.0.2.2"], "apps/a TXT": ["x"]}


@pytest.mark.spec("SRC-EP-042")
@pytest.mark.parametrize("wrong", [named(cluster_provider="mian"), named(target="https://x.example.net/")])
async def test_an_edit_that_cannot_be_published_leaves_the_objects_share_in_what_it_has_with_others(
    world: World, wrong: dict[str, str]
) -> None:
    other = service(named(), {"ip": "192.0.2.8"})
    world.put(SERVICES, {**other, "metadata": {**other["metadata"], "name": "other"}})
    world.put(SERVICES, service(named()))
    await world.start()
    assert world.records() == {"apps/a A": ["192.0.2.7", "192.0.2.8"]}

    world.put(SERVICES, service(wrong))
    await world.settle(600)
    assert world.records() == {"apps/a A": ["192.0.2.7", "192.0.2.8"]}

    await world.delete(SERVICES, "apps", "svc")
    await world.settle()
    assert world.records() == {"apps/a A": ["192.0.2.8"]}


@pytest.mark.spec("SRC-EP-042")
async def test_what_a_template_named_stays_while_the_template_does_not_fit() -> None:
    world = World(fqdn_template='{{ index .Labels "app" | toLower }}.example.com')
    world.zone("example.com")
    world.cluster_provider("main", "example-com")
    made = service({})
    world.put(SERVICES, {**made, "metadata": {**made["metadata"], "labels": {"app": "a"}}})
    await world.start()

    world.put(SERVICES, {**made, "metadata": {**made["metadata"], "labels": {}}})
    await world.settle(600)

    assert world.records() == {"apps/a A": ["192.0.2.7"]}
    assert ("Service/svc", "FQDNTemplateFailed") in world.events()
    await world.stop()


@pytest.mark.spec("SRC-EP-042")
async def test_only_objects_with_published_records_count_as_held(world: World) -> None:
    world.put(SERVICES, service(named(set_identifier="one")))
    await world.start()
    held = world.manager.metrics.registry.get_sample_value

    assert held("dnsapi_sources_held") == 0
    world.put(SERVICES, service(named()))
    await world.settle()
    world.put(SERVICES, service(named(set_identifier="one")))
    await world.settle()
    assert held("dnsapi_sources_held") == 1


@pytest.mark.spec("SRC-EP-042")
async def test_names_that_need_no_template_follow_their_object_while_the_template_does_not_fit() -> None:
    """A load balancer's new address is published, though the template fits the object never."""
    world = World(fqdn_template='{{ index .Labels "app" | toLower }}.example.com', combine_fqdn_annotation=True)
    world.zone("example.com")
    world.cluster_provider("main", "example-com")
    made = service(named())
    world.put(SERVICES, {**made, "metadata": {**made["metadata"], "labels": {"app": "t"}}})
    await world.start()
    assert world.records() == {"apps/a A": ["192.0.2.7"], "apps/t A": ["192.0.2.7"]}

    moved = service(named(), {"ip": "192.0.2.9"})
    world.put(SERVICES, {**moved, "metadata": {**moved["metadata"], "labels": {}}})
    await world.settle(600)

    assert world.records() == {"apps/a A": ["192.0.2.9"], "apps/t A": ["192.0.2.7"]}
    await world.stop()
