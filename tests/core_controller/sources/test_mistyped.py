"""What somebody mistypes is told, and withdraws nothing until it is put right: names, record types, targets, ids."""

import pytest

from libdnsapi.api.meta import ResourceType
from tests.core_controller.sources.services import ELB, endpoint, named, service
from tests.core_controller.sources.world import (
    DNS_ENDPOINTS,
    GATEWAYS,
    HTTP_ROUTES,
    INGRESSES,
    SERVICES,
    Document,
    World,
    gateway,
    http_route,
)

ALIASES = {"hostname": ELB}


def external(name: str) -> Document:
    return {"type": "ExternalName", "externalName": name}


def ingress(*hosts: str) -> Document:
    return {
        "metadata": {"name": "i", "namespace": "apps"},
        "spec": {"rules": [{"host": host} for host in hosts]},
        "status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.7"}]}},
    }


NAMES: list[tuple[ResourceType, Document, Document]] = [
    # kind, how it is published, the mistake
    (SERVICES, service(named()), service({"hostname": "a..example.com"})),
    (SERVICES, service(named()), service({"hostname": "https://a.example.com/"})),
    (SERVICES, service(named()), service({"hostname": "a.example.com:443"})),
    (SERVICES, service(named()), service({"hostname": "a.example.com;b.example.com"})),
    (SERVICES, service(named()), service({"hostname": "a.example.com b.example.com"})),
    (SERVICES, service(named()), service({"hostname": "192.0.2.9"})),
    (SERVICES, service({"internal-hostname": "a.example.com"}), service({"internal-hostname": "a_b.example.com"})),
    (INGRESSES, ingress("a.example.com"), ingress("a" * 64 + ".example.com")),
    (HTTP_ROUTES, http_route(hosts=("a.example.com",)), http_route(hosts=("*a.example.com",))),
    (HTTP_ROUTES, http_route(hosts=("a.example.com",)), http_route(hosts=("_a.example.com",))),
    (DNS_ENDPOINTS, endpoint("A", "192.0.2.1"), endpoint("A", "192.0.2.1", dnsName="x._y.example.com")),
    (DNS_ENDPOINTS, endpoint("TXT", "x"), endpoint("TXT", "x", dnsName="a-.example.com")),
    (DNS_ENDPOINTS, endpoint("A", "192.0.2.1"), endpoint("A", "192.0.2.1", dnsName="")),
    (DNS_ENDPOINTS, endpoint("A", "192.0.2.1"), endpoint("A", "192.0.2.1", dnsName="a b", setIdentifier="x")),
]


@pytest.mark.parametrize(("kind", "right", "wrong"), NAMES)
@pytest.mark.spec("SRC-EP-046")
async def test_a_mistyped_name_withdraws_nothing(
    world: World, kind: ResourceType, right: Document, wrong: Document
) -> None:
    world.install(DNS_ENDPOINTS)
    world.put(GATEWAYS, gateway())
    world.put(kind, right)
    await world.start()
    live = world.records()
    assert len(live) == 1

    world.put(kind, wrong)
    await world.settle(330)

    assert world.records() == live
    assert {"InvalidHostname", "InvalidRecord"} & {reason for _, reason in world.events()}


@pytest.mark.spec("SRC-EP-046")
async def test_names_beside_a_mistyped_one_follow_and_what_is_not_asked_for_goes_once_it_is_put_right(
    world: World,
) -> None:
    world.put(SERVICES, service({"hostname": "a.example.com,b.example.com"}))
    await world.start()

    world.put(SERVICES, service({"hostname": "a.example.com,b..example.com,c.example.com"}, {"ip": "192.0.2.8"}))
    await world.settle()
    assert world.records() == {"apps/a A": ["192.0.2.8"], "apps/b A": ["192.0.2.7"], "apps/c A": ["192.0.2.8"]}

    world.put(SERVICES, service({"hostname": "a.example.com,d.example.com"}, {"ip": "192.0.2.8"}))
    await world.settle()
    assert world.records() == {"apps/a A": ["192.0.2.8"], "apps/d A": ["192.0.2.8"]}


@pytest.mark.spec("SRC-EP-046")
async def test_an_object_with_a_mistyped_name_that_is_deleted_withdraws_all(world: World) -> None:
    world.put(SERVICES, service({"hostname": "a.example.com"}))
    await world.start()
    world.put(SERVICES, service({"hostname": "a..example.com"}))
    await world.settle()
    assert world.records() == {"apps/a A": ["192.0.2.7"]}

    await world.delete(SERVICES, "apps", "svc")
    await world.settle()

    assert world.records() == {}


CONTENTS: list[tuple[ResourceType, Document, Document, str]] = [
    # kind, how it is published, the mistake, what is told of it
    (DNS_ENDPOINTS, endpoint("A", "192.0.2.1"), endpoint("AA", "192.0.2.1"), "RecordTypeNotSupported"),
    (DNS_ENDPOINTS, endpoint("TXT", "x"), endpoint("txt", "x"), "RecordTypeNotSupported"),
    (SERVICES, service(named(), spec=external("x.example.net")), service(named(), spec=external("")), "InvalidTarget"),
    (
        SERVICES,
        service(named(), spec=external("192.0.2.1")),
        service(named(), spec=external("192.0.2.300")),
        "InvalidTarget",
    ),
    (
        SERVICES,
        service(named(), spec=external("x.example.net")),
        service(named(), spec=external("x" * 64 + ".example.net")),
        "InvalidTarget",
    ),
    (SERVICES, service(named(), ALIASES), service(named(alias_hosted_zone_id="Z1-2"), ALIASES), "InvalidRecord"),
    (DNS_ENDPOINTS, endpoint("A", "192.0.2.1", "192.0.2.2"), endpoint("A", "192.0.2.1", "192.0.2.2x"), "InvalidTarget"),
    (DNS_ENDPOINTS, endpoint("A", "192.0.2.1", "192.0.2.2"), endpoint("A", "192.0.2.1", "::2"), "InvalidTarget"),
    (
        DNS_ENDPOINTS,
        endpoint("CNAME", ELB),
        endpoint("CNAME", ELB, providerSpecific=[{"name": "aws/target-hosted-zone", "value": "mine"}]),
        "InvalidRecord",
    ),
]


@pytest.mark.parametrize(("kind", "right", "wrong", "told"), CONTENTS)
@pytest.mark.spec("SRC-EP-042")
async def test_mistyped_content_withdraws_nothing(
    world: World, kind: ResourceType, right: Document, wrong: Document, told: str
) -> None:
    world.install(DNS_ENDPOINTS)
    world.put(kind, right)
    await world.start()
    live = world.records()
    assert len(live) == 1

    world.put(kind, wrong)
    await world.settle(330)

    assert world.records() == live
    assert told in {reason for _, reason in world.events()}


def entries(*listed: tuple[str, str, str]) -> Document:
    made = endpoint("A")
    made["spec"]["endpoints"] = [
        {"dnsName": f"{name}.example.com", "recordType": type_, "targets": [value]} for name, type_, value in listed
    ]
    return made


@pytest.mark.spec("SRC-EP-046")
async def test_a_mistyped_name_of_one_entry_keeps_its_type_under_names_that_have_others(world: World) -> None:
    world.install(DNS_ENDPOINTS)
    world.put(DNS_ENDPOINTS, entries(("a", "A", "192.0.2.1"), ("a", "MX", "1 m.example.net"), ("a", "TXT", "x")))
    await world.start()

    world.put(DNS_ENDPOINTS, entries(("a..", "A", "192.0.2.1"), ("a", "TXT", "y")))
    await world.settle()

    assert world.records() == {"apps/a A": ["192.0.2.1"], "apps/a TXT": ["y"]}


@pytest.mark.spec("SRC-EP-008")
async def test_a_record_type_of_external_dns_that_is_not_ours_keeps_no_other(world: World) -> None:
    world.install(DNS_ENDPOINTS)
    world.put(DNS_ENDPOINTS, endpoint("A", "192.0.2.1"))
    await world.start()

    world.put(DNS_ENDPOINTS, endpoint("SRV", "0 0 5060 sip.example.net"))
    await world.settle()

    assert world.records() == {}


@pytest.mark.parametrize("name", ["alias", "aws/target-hosted-zone", "aws/evaluate-target-health"])
@pytest.mark.spec("SRC-EP-038")
async def test_a_blank_property_of_an_entry_counts_as_not_written(world: World, name: str) -> None:
    world.install(DNS_ENDPOINTS)
    world.put(DNS_ENDPOINTS, endpoint("CNAME", ELB, providerSpecific=[{"name": name, "value": " "}]))
    await world.start()

    assert world.records() == {"apps/a A": [f"alias {ELB}."]}
    assert {reason for _, reason in world.events()} == {"RecordSetCreated"}


OPTIONS: list[tuple[ResourceType, Document]] = [
    (SERVICES, service(named(alias="yes"), ALIASES)),
    (SERVICES, service(named(dualstack="yes"), ALIASES)),
    (SERVICES, service(named(aws_evaluate_target_health="0"), ALIASES)),
    (SERVICES, service(named(access="publik"), ALIASES)),
    (DNS_ENDPOINTS, endpoint("CNAME", ELB, providerSpecific=[{"name": "alias", "value": "1"}])),
    (DNS_ENDPOINTS, endpoint("CNAME", ELB, providerSpecific=[{"name": "aws/evaluate-target-health", "value": "no"}])),
]


@pytest.mark.parametrize(("kind", "made"), OPTIONS)
@pytest.mark.spec("SRC-EP-047")
async def test_an_option_that_says_neither_this_nor_that_is_told_and_has_no_effect(
    world: World, kind: ResourceType, made: Document
) -> None:
    world.install(DNS_ENDPOINTS)
    world.put(kind, made)
    await world.start()

    (record,) = world.record_sets()
    assert record["spec"]["type"] == "A"
    assert record["spec"]["options"]["alias"]["evaluateTargetHealth"] is True
    assert "InvalidOption" in {reason for _, reason in world.events()}
