"""Names that several objects of a namespace share, while one of them is mistyped or its Gateway is behind."""

import random

import pytest

from libdnsapi.api.dns.recordset import RECORD_SETS
from tests.core_controller.sources.services import ELB, endpoint, named, service
from tests.core_controller.sources.test_random_worlds import fresh, published
from tests.core_controller.sources.world import (
    DNS_ENDPOINTS,
    GATEWAYS,
    HTTP_ROUTES,
    SERVICES,
    Document,
    World,
    gateway,
    http_route,
)

LONG = 400
"""Seconds: longer than the grace time."""
SHARED = [
    # what the object beside becomes, what stands
    (named(set_identifier="x"), ["192.0.2.7", "192.0.2.8", "192.0.2.9"]),
    (named(target="https://x.example.net/"), ["192.0.2.7", "192.0.2.8", "192.0.2.9"]),
    (named(cluster_provider="mian"), ["192.0.2.7", "192.0.2.8", "192.0.2.9"]),
    ({"hostname": "a..example.com"}, ["192.0.2.7", "192.0.2.8", "192.0.2.9"]),
    (named(), ["192.0.2.7", "192.0.2.9"]),
]


@pytest.mark.parametrize(("mistake", "values"), SHARED)
@pytest.mark.spec("ROUTE-RT-018", "SRC-EP-029")
async def test_one_mistyped_object_of_a_shared_name_does_not_hold_up_what_the_others_ask_for(
    world: World, mistake: dict[str, str], values: list[str]
) -> None:
    """kubernetes-sigs/external-dns#3599, #421: a mistake in one annotation stopped the names of others."""
    beside = service(named(), {"ip": "192.0.2.8"})
    beside["metadata"]["name"] = "good"
    world.put(SERVICES, beside)
    world.put(SERVICES, service(named()))
    await world.start()
    world.put(SERVICES, service(mistake))
    await world.settle()

    world.put(SERVICES, {**beside, "status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.9"}]}}})
    await world.settle(LONG)
    assert world.records() == {"apps/a A": values}

    world.put(SERVICES, service(named()))
    await world.settle()
    assert world.records() == {"apps/a A": ["192.0.2.7", "192.0.2.9"]}
    assert world.record_sets()[0]["metadata"]["annotations"]["sources.dns.appthrust.io/contributors"] == (
        "Service/apps/good,Service/apps/svc"
    )


ONE_VALUE = [
    # which object is the older one, the target that stands
    ("good", ["alias lb-2.eu-west-1.elb.amazonaws.com."]),
    ("bad", [f"alias {ELB}."]),
]


@pytest.mark.parametrize(("older", "values"), ONE_VALUE)
@pytest.mark.spec("ROUTE-RT-018")
async def test_a_shared_alias_follows_the_oldest_object_unless_that_one_is_held(
    world: World, older: str, values: list[str]
) -> None:
    """kubernetes-sigs/external-dns#1995: Ingresses of one group share a load balancer, and so an alias."""
    made = {"good": service(named(), {"hostname": ELB}), "bad": service(named(), {"hostname": ELB})}
    for name, document in made.items():
        created = "2026-01-01T00:00:00Z" if name == older else "2026-02-01T00:00:00Z"
        document["metadata"] |= {"name": name, "creationTimestamp": created}
        world.put(SERVICES, document)
    await world.start()
    assert world.records() == {"apps/a A": [f"alias {ELB}."]}

    mistyped = service(named(set_identifier="x"), {"hostname": ELB})
    world.put(SERVICES, {**mistyped, "metadata": {**mistyped["metadata"], "name": "bad"}})
    await world.settle()
    moved = {"status": {"loadBalancer": {"ingress": [{"hostname": "lb-2.eu-west-1.elb.amazonaws.com"}]}}}
    world.put(SERVICES, {**made["good"], **moved})
    await world.settle(LONG)

    assert world.records() == {"apps/a A": values}
    assert (("Service/good", "WaitsForHeldObject") in world.events()) is (older == "bad")
    assert ("Service/bad", "WaitsForHeldObject") not in world.events()


def entry(name: str, type_: str, *values: str) -> Document:
    made = endpoint(type_, *values)
    made["metadata"] |= {"name": name, "creationTimestamp": "2026-01-01T00:00:00Z" if name == "old" else LATER}
    return made


LATER = "2026-02-01T00:00:00Z"
MAIL = [{"preference": 10, "exchange": "m.example.com"}]
MANY = [f"10.0.{number // 250}.{number % 250}" for number in range(399)]
SPOILT: list[tuple[Document, Document, dict[str, object], set[str]]] = [
    # two objects of one name, what is published, whom it is told
    (entry("old", "MX", "ten"), entry("new", "MX", "10 m.example.com"), {"apps/a MX": MAIL}, {"old"}),
    (entry("old", "MX", "10 m.example.com"), entry("new", "MX", "0 ."), {"apps/a MX": MAIL}, {"new"}),
    (entry("old", "TXT", "\xe9"), entry("new", "TXT", "fine"), {"apps/a TXT": ["fine"]}, {"old"}),
    (entry("old", "A", *MANY), entry("new", "A", "192.0.2.1", "192.0.2.2"), {"apps/a A": sorted(MANY)}, {"new"}),
    (entry("old", "MX", "ten"), entry("new", "MX", "eleven"), {}, {"old", "new"}),
]


@pytest.mark.parametrize(("first", "second", "records", "told"), SPOILT)
@pytest.mark.spec("SRC-EP-029", "SRC-EP-028")
async def test_a_value_that_does_not_fit_is_left_out_with_its_object_and_takes_nothing_from_the_other(
    world: World, first: Document, second: Document, records: dict[str, object], told: set[str]
) -> None:
    """kubernetes-sigs/external-dns#421, #5809."""
    world.install(DNS_ENDPOINTS)
    world.put(DNS_ENDPOINTS, first)
    world.put(DNS_ENDPOINTS, second)
    await world.start()

    assert world.records() == records
    assert {who for who, reason in world.events() if reason == "InvalidRecord"} == {
        f"DNSEndpoint/{one}" for one in told
    }


UNABLE: list[tuple[str, dict[str, str], str, dict[str, list[str]], str]] = [
    # the host name, what the older object asks for, where both lead, what is published and told
    ("a.example.com", {"alias-hosted-zone-id": "x/y"}, ELB, {"apps/a A": [f"alias {ELB}."]}, "InvalidRecord"),
    ("example.com", {"target": "x.example.net"}, ELB, {"apps/@ A": [f"alias {ELB}."]}, "ApexNeedsAlias"),
    ("example.com", {"target": "x.example.net"}, "y.example.net", {}, "ApexNeedsAlias"),
]


@pytest.mark.parametrize(("host", "asked", "place", "records", "told"), UNABLE)
@pytest.mark.spec("SRC-EP-029", "SRC-EP-023")
async def test_a_host_name_that_cannot_stand_at_a_name_takes_nothing_from_one_that_can(
    world: World, host: str, asked: dict[str, str], place: str, records: dict[str, list[str]], told: str
) -> None:
    objects: tuple[tuple[str, dict[str, str], str], ...] = (("old", asked, "2026-01-01T00:00:00Z"), ("new", {}, LATER))
    for name, annotations, created in objects:
        made = service({"hostname": host, **annotations}, {"hostname": place})
        made["metadata"] |= {"name": name, "creationTimestamp": created}
        world.put(SERVICES, made)
    await world.start()

    assert world.records() == records
    assert ("Service/old", told) in world.events()
    assert (("Service/new", told) in world.events()) is not bool(records)


@pytest.mark.parametrize("published_before", [False, True])
@pytest.mark.spec("SRC-EP-029", "ROUTE-RT-018")
async def test_addresses_that_cannot_be_published_exclude_no_host_name_unless_others_stand(
    world: World, published_before: bool
) -> None:
    world.install(DNS_ENDPOINTS)
    if published_before:
        world.put(DNS_ENDPOINTS, entry("old", "A", "192.0.2.1"))
    await world.start()
    world.put(DNS_ENDPOINTS, entry("old", "A", *MANY, "192.0.2.1", "192.0.2.2"))
    world.put(DNS_ENDPOINTS, entry("new", "CNAME", "x.example.net"))
    await world.settle(LONG)

    assert world.records() == ({"apps/a A": ["192.0.2.1"]} if published_before else {"apps/a CNAME": ["x.example.net"]})
    assert (("DNSEndpoint/new", "WaitsForHeldObject") in world.events()) is published_before


@pytest.mark.spec("ROUTE-RT-018", "SRC-EP-042")
async def test_a_mistyped_value_keeps_what_its_object_had_and_the_other_object_goes_on(world: World) -> None:
    world.install(DNS_ENDPOINTS)
    world.put(DNS_ENDPOINTS, entry("old", "MX", "10 m.example.com"))
    world.put(DNS_ENDPOINTS, entry("new", "MX", "20 n.example.com"))
    await world.start()
    world.put(DNS_ENDPOINTS, entry("old", "MX", "ten"))
    await world.settle()

    world.put(DNS_ENDPOINTS, entry("new", "MX", "30 o.example.com"))
    await world.settle(LONG)
    assert [one["preference"] for one in world.record_sets()[0]["spec"]["mx"]["records"]] == [10, 20, 30]

    world.put(DNS_ENDPOINTS, entry("old", "MX", "10 m.example.com"))
    await world.settle()
    assert [one["preference"] for one in world.record_sets()[0]["spec"]["mx"]["records"]] == [10, 30]


NAMES = ("a.example.com", "b.example.com")
PLACES: list[tuple[dict[str, str], ...]] = [
    ({"ip": "192.0.2.5"},),
    ({"ip": "192.0.2.6"}, {"ip": "2001:db8::1"}),
    ({"hostname": "lb.example.net"},),
    ({"hostname": ELB},),
]
MISTAKES = [{"set-identifier": "x"}, {"target": "https://x/"}, {"cluster-provider": "mian"}]


class Histories:
    """What happens by chance to three Services and two routes, which are all put right in the end."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.chance = random.Random(seed)  # noqa: S311 — a repeatable history, no secret
        self.services: dict[str, tuple[str, tuple[dict[str, str], ...]]] = {}
        self.routes: dict[str, tuple[int, str, str]] = {}

    def put_service(self, name: str, mistake: dict[str, str]) -> None:
        host, places = self.services[name]
        made: Document = service({"hostname": host, **mistake}, *places)
        made["metadata"] |= {"name": name, "creationTimestamp": f"2026-01-0{int(name[1]) + 1}T00:00:00Z"}
        self.world.put(SERVICES, made)

    def put_route(self, name: str, observed: int) -> None:
        generation, host, where = self.routes[name]
        made = http_route(name, hosts=(host,), gateway=where, generation=generation, observed=observed)
        self.world.put(HTTP_ROUTES, made)

    async def step(self) -> None:
        """Do one thing that users or controllers do."""
        chance, name, route = self.chance, f"s{self.chance.randrange(3)}", f"r{self.chance.randrange(2)}"
        match chance.randrange(7):
            case 0 | 1 | 2:
                self.services[name] = (chance.choice(NAMES), chance.choice(PLACES))
                self.put_service(name, {})
            case 3 if name in self.services:
                self.put_service(name, chance.choice(MISTAKES))
            case 4 if name in self.services:
                del self.services[name]
                await self.world.delete(SERVICES, "apps", name)
            case 5:
                generation = self.routes.get(route, (0, "", ""))[0] + 1
                self.routes[route] = (generation, chance.choice(NAMES), f"g{chance.randrange(2)}")
                self.put_route(route, chance.choice((generation, max(1, generation - 1))))
            case _:
                await self.world.settle(chance.choice((0, 1, 5)))

    async def live(self) -> None:
        """Live through a history, and put right what is mistyped and behind."""
        for number in range(2):
            self.world.put(GATEWAYS, gateway(f"g{number}", addresses=(f"192.0.2.{number + 1}",)))
        await self.world.start()
        for _ in range(40):
            await self.step()
        for name in self.services:
            self.put_service(name, {})
        for name, (generation, _, _) in self.routes.items():
            self.put_route(name, generation)
        await self.world.settle(LONG)
        await self.world.stop()


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.spec("ROUTE-RT-018", "ROUTE-LC-007")
async def test_what_was_held_for_a_while_leaves_no_trace(seed: int) -> None:
    world = fresh()
    await Histories(world, seed).live()
    lived = published(world)
    for key in world.api.keys(RECORD_SETS):
        await world.api.delete(RECORD_SETS, key)

    await world.start()
    await world.settle(30)
    await world.stop()

    assert published(world) == lived
