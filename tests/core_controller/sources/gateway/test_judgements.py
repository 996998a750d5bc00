"""What Gateways said of a route: still true, outdated, of parents that left, of a controller that went (seed 003)."""

from typing import Any

import pytest

from tests.core_controller.sources.gateway.routes import (
    ADDRESS,
    evaluate,
    gateway,
    judged,
    listener,
    parent,
)
from tests.core_controller.sources.world import published_values

STALE = [
    # spec.parentRefs, status.parents, published
    ([parent()], [judged(parent())], True),
    ([parent()], [judged(parent(), "False")], False),
    ([parent()], [judged(parent(), "Unknown")], False),
    ([parent()], [{"parentRef": parent(), "conditions": []}], False),
    ([parent()], [{"parentRef": parent(), "conditions": None}], False),
    ([parent()], [{"parentRef": parent()}], False),
    ([parent(sectionName="l")], [judged(parent())], False),
    ([parent()], [judged(parent(sectionName="l"))], False),
    ([parent(sectionName="l")], [judged(parent(sectionName="l"))], True),
    ([parent(port=80)], [judged(parent())], False),
    ([parent(port=80)], [judged(parent(port=80))], True),
    ([parent(port=80)], [judged(parent(port=81))], False),
    ([parent("other")], [judged(parent())], False),
    ([], [judged(parent())], False),
    ([parent(sectionName="bar")], [judged(parent(sectionName="l"))], False),
    ([parent()], [judged(parent(namespace=None))], False),
    ([parent()], [judged(parent(group="gateway.networking.k8s.io", kind="Gateway"))], True),
    ([parent()], [judged(parent(), "False"), judged(parent())], True),
    ([parent()], [judged(parent("other")), judged(parent())], True),
]


@pytest.mark.parametrize(("refs", "status", "published"), STALE)
@pytest.mark.spec("GW-PL-006", "GW-PL-009")
def test_only_parents_that_are_still_in_spec_and_accepted_count(
    refs: list[dict[str, Any]], status: list[dict[str, Any]], published: bool
) -> None:
    """Case 47."""
    assert bool(published_values(evaluate(refs=refs, status=status))) is published


@pytest.mark.spec("GW-PL-012")
def test_a_parent_ref_without_a_judgement_is_waited_for() -> None:
    found = evaluate(refs=[parent()], status=[])

    assert found.hold is not None
    assert found.hold.expires
    assert evaluate(refs=[parent()], status=[], grace_over=True).hold is None


REJECTED = [
    # what status says of the parents of spec, held
    ([judged(parent(), "False")], True),
    ([judged(parent(), "Unknown")], True),
    ([{"parentRef": parent(), "conditions": []}], True),
    ([judged(parent(), "False"), judged(parent())], False),
]


@pytest.mark.parametrize(("status", "held"), REJECTED)
@pytest.mark.spec("GW-PL-006", "GW-PL-012")
def test_a_route_that_no_gateway_accepts_any_more_keeps_its_records_for_the_grace_time(
    status: list[dict[str, Any]], held: bool
) -> None:
    """Case 49: a Gateway that is not accepted for a moment withdraws nothing."""
    found = evaluate(refs=[parent()], status=status)
    over = evaluate(refs=[parent()], status=status, grace_over=True)

    assert (found.hold is not None and found.hold.expires) is held
    assert over.hold is None


GENERATIONS = [
    # the route's generation, the condition's, its status, held
    (5, 5, "True", False),
    (5, 4, "True", True),
    (5, 4, "False", True),
    (5, 0, "True", False),
    (5, 6, "True", False),
    (1, 1, "True", False),
    (2, 1, "Unknown", True),
]


@pytest.mark.parametrize(("generation", "observed", "status", "held"), GENERATIONS)
@pytest.mark.spec("GW-PL-010")
def test_a_judgement_older_than_the_route_holds(generation: int, observed: int, status: str, held: bool) -> None:
    """Case 48."""
    found = evaluate(generation=generation, status=[judged(parent(), status, observed)])

    assert (found.hold is not None and not found.hold.expires) is held


UNSERVED = [
    # what the second Gateway listens to, the route's generation that it has judged, what is told
    ("*.example.org", 1, []),
    ("*.example.org", 2, []),
    ("*.example.net", 1, []),
    ("*.example.net", 2, ["NameNotServed"]),
]


@pytest.mark.parametrize(("second", "observed", "told"), UNSERVED)
@pytest.mark.spec("GW-PL-010")
def test_a_name_is_not_called_unserved_before_all_gateways_have_judged_the_route(
    second: str, observed: int, told: list[str]
) -> None:
    """Each edit is judged by one Gateway after the other, and the last one may be that which serves the name."""
    gateways = [gateway(listener(hostname="*.example.com"), name="a"), gateway(listener(hostname=second), name="b")]
    refs = [parent("a"), parent("b")]
    status = [judged(refs[0], observed=2), judged(refs[1], observed=observed)]
    hosts = ("a.example.com", "b.example.org")
    found = evaluate(hosts, *gateways, refs=refs, status=status, annotations={"ttl": "60"}, generation=2)

    assert [finding.reason for finding in found.findings if not finding.quiet] == told


@pytest.mark.spec("GW-PL-011")
def test_an_old_judgement_about_a_parent_that_left_spec_holds_nothing() -> None:
    status = [judged(parent("gone"), observed=1), judged(parent(), observed=2)]

    assert published_values(evaluate(generation=2, status=status)) == {"a.example.com": (ADDRESS,)}


HANDED_OVER = [
    # what two controllers say of the route's generation 2 at one parent, published
    ([judged(parent(), observed=1), judged(parent(), observed=2)], True),
    ([judged(parent(), observed=2), judged(parent(), observed=1)], True),
    ([judged(parent(), observed=1), judged(parent(), "False", 2)], False),
    ([judged(parent(), "False", 1), judged(parent(), observed=2)], True),
]


@pytest.mark.parametrize(("status", "published"), HANDED_OVER)
@pytest.mark.spec("GW-PL-028")
def test_a_gateway_that_another_controller_took_over_is_not_held_by_what_the_first_one_said(
    status: list[dict[str, Any]], published: bool
) -> None:
    """Cases 47, 48: the entry of a controller that is gone stands in status for ever."""
    found = evaluate(generation=2, status=status)

    assert bool(published_values(found)) is published
    assert found.hold is None or found.hold.expires


@pytest.mark.spec("GW-PL-028")
def test_an_old_judgement_of_a_gateway_that_is_gone_holds_for_the_grace_time_only() -> None:
    refs = [parent("gone"), parent()]
    status = [judged(parent("gone"), observed=1), judged(parent(), observed=2)]
    found = evaluate(generation=2, refs=refs, status=status)
    over = evaluate(generation=2, refs=refs, status=status, grace_over=True)

    assert published_values(found) == published_values(over) == {"a.example.com": (ADDRESS,)}
    assert found.hold is not None
    assert found.hold.expires
    assert over.hold is None


ONE_OF_TWO = [
    # what is said of the second Gateway, whether it is there
    ([judged(parent("gw2"), "False")], True),
    ([judged(parent("gw2"), "Unknown")], True),
    ([], True),
    ([judged(parent("gw2"))], False),
]


@pytest.mark.parametrize(("status", "there"), ONE_OF_TWO)
@pytest.mark.spec("GW-PL-029")
def test_a_gateway_that_fails_beside_another_keeps_its_targets_for_the_grace_time(
    status: list[dict[str, Any]], there: bool
) -> None:
    """Case 49: what the other one gives is published, and nothing is withdrawn yet."""
    gateways = (gateway(), gateway(name="gw2", addresses=("192.0.2.2",))) if there else (gateway(),)
    refs, said = [parent(), parent("gw2")], [judged(parent()), *status]
    found = evaluate(("a.example.com",), *gateways, refs=refs, status=said)
    over = evaluate(("a.example.com",), *gateways, refs=refs, status=said, grace_over=True)

    assert published_values(found) == published_values(over) == {"a.example.com": (ADDRESS,)}
    assert found.hold is not None
    assert found.hold.expires
    assert over.hold is None
