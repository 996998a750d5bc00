"""Where the names of a route point: Gateway addresses, declared targets, networks (seed 003)."""

import ipaddress

import pytest

from core_controller.sources.claimant import Rules
from core_controller.sources.endpoints import Hold, TargetNets, Targets
from core_controller.sources.gateway.model import Gateway
from tests.core_controller.sources.gateway.routes import (
    evaluate,
    gateway,
    listener,
    parent,
)
from tests.core_controller.sources.world import published_values

TARGETS = [
    (("192.0.2.1", "2001:db8::1", "lb.example.net"), ("192.0.2.1", "2001:db8::1", "lb.example.net")),
    (("192.0.2.2", "192.0.2.1", "192.0.2.1"), ("192.0.2.1", "192.0.2.2")),
    (("2001:DB8::0001",), ("2001:db8::1",)),
    (("LB.Example.net.",), ("lb.example.net",)),
    (("not a name", "192.0.2.1"), ("192.0.2.1",)),
]


@pytest.mark.parametrize(("addresses", "values"), TARGETS)
@pytest.mark.spec("GW-TG-003", "GW-TG-004", "GW-TG-007")
def test_addresses_become_values_by_their_type(addresses: tuple[str, ...], values: tuple[str, ...]) -> None:
    assert published_values(evaluate(("a.example.com",), gateway(addresses=addresses))) == {"a.example.com": values}


@pytest.mark.spec("GW-TG-007")
def test_an_address_that_only_its_implementation_understands_is_no_target() -> None:
    made = gateway()
    named = [
        {"type": "example.net/NamedAddress", "value": "my-address"},
        {"type": "Hostname", "value": "lb.example.net"},
    ]
    document = {**made.model_dump(by_alias=True, mode="json"), "status": {"addresses": named}}

    found = evaluate(("a.example.com",), Gateway.model_validate(document))

    assert published_values(found) == {"a.example.com": ("lb.example.net",)}


@pytest.mark.spec("GW-TG-008")
def test_a_gateway_without_address_holds_for_the_grace_time_only() -> None:
    """Case 49."""
    held = evaluate(("a.example.com",), gateway(addresses=()))
    over = evaluate(("a.example.com",), gateway(addresses=()), grace_over=True)

    assert held.hold is not None
    assert held.hold.expires
    assert over.hold is None
    assert over.endpoints == ()


@pytest.mark.spec("GW-TG-005", "GW-TG-006")
def test_the_targets_of_all_gateways_that_serve_a_name_are_united() -> None:
    first = gateway(listener(hostname="*.example.com"), addresses=("192.0.2.1",))
    second = gateway(listener(hostname="a.example.com"), name="gw2", addresses=("192.0.2.2", "192.0.2.1"))
    refs = [parent(), parent("gw2")]

    found = evaluate(("a.example.com", "b.example.com"), first, second, refs=refs)

    assert published_values(found) == {"a.example.com": ("192.0.2.1", "192.0.2.2"), "b.example.com": ("192.0.2.1",)}


@pytest.mark.spec("GW-TG-002")
def test_a_route_that_declares_targets_publishes_them_and_not_the_gateways() -> None:
    """Case 53."""
    found = evaluate(declared=Targets(names=("other-lb.example.net",)))

    assert published_values(found) == {"a.example.com": ("other-lb.example.net",)}


@pytest.mark.spec("TF-BE-012")
def test_an_unresolved_target_is_never_replaced_by_the_gateways_address() -> None:
    """Case 59."""
    assert evaluate(declared=Hold("TargetFromUnresolved", "no")).hold is not None


@pytest.mark.spec("SRC-EP-017", "TF-BE-007")
def test_networks_decide_which_addresses_are_published() -> None:
    nets = TargetNets((ipaddress.ip_network("192.0.2.0/24"),), (ipaddress.ip_network("192.0.2.9/32"),))
    made = gateway(addresses=("192.0.2.1", "192.0.2.9", "198.51.100.1"))

    found = evaluate(("a.example.com",), made, rules=Rules(nets=nets))
    assert published_values(found) == {"a.example.com": ("192.0.2.1",)}


@pytest.mark.spec("GW-PL-007")
def test_a_gateway_that_does_not_exist_holds_for_the_grace_time() -> None:
    found = evaluate(refs=[parent("none")])

    assert found.hold is not None
    assert found.hold.expires
