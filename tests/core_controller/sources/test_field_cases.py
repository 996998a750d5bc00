"""What users of such controllers report: odd spellings, values that poison their neighbours, edits that go wrong."""

import pytest

from core_controller.sources.endpoints import sort_targets
from core_controller.sources.record_texts import text_value
from tests.core_controller.sources.services import ELB, endpoint, named, service
from tests.core_controller.sources.world import (
    DNS_ENDPOINTS,
    GATEWAYS,
    HTTP_ROUTES,
    NODES,
    SERVICES,
    Document,
    World,
    gateway,
    http_route,
)

OLDER_PREFIX = "external-dns.alpha.kubernetes.io/"
ALIAS = f"alias {ELB}."


BLANKS: list[tuple[dict[str, str], str, dict[str, list[str]]]] = [
    # annotations, the load balancer's host name, what is published
    (named(set_identifier=""), ELB, {"apps/a A": [ALIAS]}),
    (named(alias=" "), ELB, {"apps/a A": [ALIAS]}),
    (named(alias_hosted_zone_id=""), ELB, {"apps/a A": [ALIAS]}),
    (named(alias_hosted_zone_id="Z123ABC\n"), "x.example.net", {"apps/a A": ["alias x.example.net."]}),
    (named(aws_evaluate_target_health=""), ELB, {"apps/a A": [ALIAS]}),
    (named(ttl="", target=""), ELB, {"apps/a A": [ALIAS]}),
    (named(provider=" ", cluster_provider=""), ELB, {"apps/a A": [ALIAS]}),
    (named(controller="dns-controller\n"), ELB, {"apps/a A": [ALIAS]}),
    (named(controller=""), ELB, {}),
    ({"hostname": "", OLDER_PREFIX + "hostname": "a.example.com"}, ELB, {"apps/a A": [ALIAS]}),
    ({"hostname": ""}, ELB, {}),
    ({"hostname": " , ,\n"}, ELB, {}),
    ({"hostname": "A.example.com.,\n a.example.com\n"}, ELB, {"apps/a A": [ALIAS]}),
]


@pytest.mark.parametrize(("annotations", "hostname", "records"), BLANKS)
@pytest.mark.spec("SRC-EP-038")
async def test_a_blank_annotation_says_nothing_and_white_space_around_a_value_nothing_either(
    world: World, annotations: dict[str, str], hostname: str, records: dict[str, list[str]]
) -> None:
    world.put(SERVICES, service(annotations, {"hostname": hostname}))
    await world.start()

    assert world.records() == records
    assert {reason for _, reason in world.events()} <= {"RecordSetCreated"}


ALIASES = [("A", {"apps/a A"}), ("aaaa", {"apps/a AAAA"}), ("true", {"apps/a A"}), ("false", {"apps/a CNAME"})]


@pytest.mark.parametrize(("asked", "records"), ALIASES)
@pytest.mark.spec("SRC-EP-021")
async def test_an_annotation_may_ask_for_the_alias_of_one_type(world: World, asked: str, records: set[str]) -> None:
    world.put(SERVICES, service(named(alias=asked), {"hostname": ELB}))
    await world.start()

    assert set(world.records()) == records


MAPPED = "::ffff:192.0.2.7"
ADDRESSES = [
    # what a load balancer shows, what is published
    (("192.0.2.7", MAPPED), {"apps/a A": ["192.0.2.7"]}),
    (("2001:db8::1", MAPPED), {"apps/a A": ["192.0.2.7"], "apps/a AAAA": ["2001:db8::1"]}),
    (("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), {"apps/a AAAA": ["2001:db8::1"]}),
]


@pytest.mark.parametrize(("addresses", "records"), ADDRESSES)
@pytest.mark.spec("SRC-EP-039")
async def test_an_address_in_another_spelling_is_that_address(
    world: World, addresses: tuple[str, ...], records: dict[str, list[str]]
) -> None:
    world.put(SERVICES, service(named(), *({"ip": address} for address in addresses)))
    await world.start()

    assert world.records() == records


@pytest.mark.parametrize("text", ["fe80::1%eth0", "[2001:db8::1]", "192.0.2.07", "https://lb.example.net", "*.a.b", ""])
def test_what_is_no_target_is_none(text: str) -> None:
    targets, findings = sort_targets((text,))

    assert not targets
    assert [one.reason for one in findings] == ["InvalidTarget"]


TEXTS = [
    ('"a;b"', "a;b"),
    (r'"a\073b\042c"', 'a;b"c'),
    (r'"caf\303\251"', "caf\xc3\xa9"),
    (r'"caf\195\169"', "caf\xc3\xa9"),
    (r'"C:\\x \"y\""', r'C:\x "y"'),
    ('"one" "two""three"', "onetwothree"),
    ('" lead"', " lead"),
    (r"C:\073", r"C:\073"),
    ('say "hi"', 'say "hi"'),
    ('"open', '"open'),
    ('""', ""),
]


@pytest.mark.parametrize(("text", "value"), TEXTS)
@pytest.mark.spec("SRC-EP-040")
def test_the_escapes_of_a_quoted_text_are_read_as_route_53_reads_them(text: str, value: str) -> None:
    """Digits that are left behind, as `303`, would be published as text."""
    assert text_value(text) == value


ITSELF = [
    (named(target="a.example.com"), {}),
    (named(target="A.example.com."), {}),
    ({"hostname": "a.example.com,b.example.com", "target": "a.example.com"}, {"apps/b CNAME": ["a.example.com"]}),
    (named(target="a.example.com,x.example.net"), {"apps/a CNAME": ["x.example.net"]}),
    (named(target="a.example.com,192.0.2.9"), {"apps/a A": ["192.0.2.9"]}),
]


@pytest.mark.parametrize(("annotations", "records"), ITSELF)
@pytest.mark.spec("SRC-EP-041")
async def test_a_name_is_never_published_with_itself_as_its_target(
    world: World, annotations: dict[str, str], records: dict[str, list[str]]
) -> None:
    """Gateways whose target annotation is one of their routes' names are common."""
    world.put(SERVICES, service(annotations))
    await world.start()

    assert world.records() == records
    assert ("Service/svc", "TargetIsItself") in world.events()


HEADLESS = {"type": "ClusterIP", "clusterIP": "None", "externalIPs": ["198.51.100.4"]}
OTHER = {"type": "ExternalName", "externalName": "x.example.net"}
INTERNAL = [
    # annotations, spec, what is published
    ({"internal-hostname": "a.example.com", "target": "198.51.100.9"}, None, {"apps/a A": ["198.51.100.9"]}),
    ({"internal-hostname": "a.example.com"}, None, {"apps/a A": ["10.0.0.1"]}),
    ({"internal-hostname": "a.example.com"}, OTHER, {"apps/a CNAME": ["x.example.net"]}),
    ({"internal-hostname": "a.example.com"}, HEADLESS, {"apps/a A": ["198.51.100.4"]}),
]


@pytest.mark.parametrize(("annotations", "spec", "records"), INTERNAL)
@pytest.mark.spec("SRC-EP-004")
async def test_an_internal_name_has_the_targets_of_the_others_where_it_has_none_of_its_own(
    world: World, annotations: dict[str, str], spec: Document | None, records: dict[str, list[str]]
) -> None:
    world.put(SERVICES, service(annotations, spec=spec))
    await world.start()

    assert world.records() == records


async def test_names_that_are_not_to_be_read_from_annotations_are_not_the_internal_ones_either() -> None:
    world = World(ignore_hostname_annotation=True)
    world.zone("example.com")
    world.cluster_provider("main", "example-com")
    world.put(SERVICES, service({"internal-hostname": "a.example.com"}))
    await world.start()

    assert world.records() == {}
    await world.stop()


PICKED = [
    ("annotation-only", {"apps/b A"}, []),
    ("Defined-Hosts-Only", {"apps/a A"}, []),
    ("", {"apps/a A", "apps/b A"}, []),
    ("both", {"apps/a A", "apps/b A"}, ["InvalidHostnameSource"]),
]


@pytest.mark.parametrize(("source", "records", "told"), PICKED)
@pytest.mark.spec("SRC-EP-043")
async def test_an_annotation_picks_where_the_names_of_a_route_come_from(
    world: World, source: str, records: set[str], told: list[str]
) -> None:
    world.put(GATEWAYS, gateway())
    annotations = {"gateway-hostname-source": source, "hostname": "b.example.com"}
    world.put(HTTP_ROUTES, http_route(hosts=("a.example.com",), annotations=annotations))
    await world.start()

    assert set(world.records()) == records
    assert [reason for _, reason in world.events() if reason != "RecordSetCreated"] == told


@pytest.mark.parametrize("source", ["annotation-only", "defined-hosts-only"])
@pytest.mark.spec("SRC-EP-043")
async def test_a_route_that_picks_where_its_names_come_from_gets_none_of_its_listeners(
    world: World, source: str
) -> None:
    open_to_all = {"namespaces": {"from": "All"}}
    listener = {"name": "h", "port": 80, "protocol": "HTTP", "hostname": "*.example.com", "allowedRoutes": open_to_all}
    world.put(GATEWAYS, gateway(listeners=[listener]))
    world.put(HTTP_ROUTES, http_route(annotations={"gateway-hostname-source": source}))
    await world.start()

    assert world.records() == {}


@pytest.mark.spec("SRC-EP-035")
async def test_what_has_no_effect_in_an_entry_is_told(world: World) -> None:
    world.install(DNS_ENDPOINTS)
    weight = [{"name": "aws/weight", "value": "10"}, {"name": "alias", "value": "false"}]
    world.put(DNS_ENDPOINTS, endpoint("A", "192.0.2.1", recordTTL=-5, providerSpecific=weight))
    await world.start()

    assert world.records() == {"apps/a A": ["192.0.2.1"]}
    assert {("DNSEndpoint/e", "InvalidTTL"), ("DNSEndpoint/e", "PropertyNotSupported")} <= set(world.events())


@pytest.mark.spec("SRC-EP-045")
async def test_a_node_that_is_cordoned_leaves_the_name_and_comes_back() -> None:
    world = World()
    world.zone("example.com")
    world.cluster_provider("main", "example-com")

    def node(name: str, address: str, *, cordoned: bool = False) -> Document:
        addresses = [{"type": "ExternalIP", "address": address}]
        spec = {"podCIDR": "10.1.0.0/24", **({"unschedulable": True} if cordoned else {})}
        return {"metadata": {"name": name}, "spec": spec, "status": {"addresses": addresses}}

    world.put(NODES, node("one", "198.51.100.1"))
    world.put(NODES, node("two", "198.51.100.2"))
    world.put(SERVICES, service(named(), spec={"type": "NodePort", "clusterIP": "10.0.0.1"}))
    await world.start()
    assert world.records() == {"apps/a A": ["198.51.100.1", "198.51.100.2"]}

    world.put(NODES, node("one", "198.51.100.1", cordoned=True))
    await world.settle()
    assert world.records() == {"apps/a A": ["198.51.100.2"]}

    world.put(NODES, node("one", "198.51.100.1"))
    await world.settle()
    assert world.records() == {"apps/a A": ["198.51.100.1", "198.51.100.2"]}
    await world.stop()
