"""A bulk where Route 53 takes its time: it keeps to few batches, and whoever comes with little goes before it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from libdnsapi.api.meta import ObjectKey
from route53_controller.zoneunit.plan import outcomes
from route53_controller.zoneunit.plan.names import ChangeGroup
from route53_controller.zoneunit.plan.outcomes import DEFERRED_MESSAGE
from route53_controller.zoneunit.plan.turns import SMALL, Flight, Turn, size, take_turns
from route53_controller.zoneunit.snapshot import Item, ItemFacts, Snapshot
from tests.route53_controller.zoneunit.plan.builders import NOW, group, item
from tests.route53_controller.zoneunit.plan.rush import Arrival, Rush, snapshot_of

SLOW = 45.0
PRIME = 617
FULL = Flight(7, 900, 900)
"""In flight is all that a bulk may have."""


def bulk(a_second: int, count: int = 1000, *, step: float = 0.1, edit: bool = True) -> list[Arrival]:
    """Return changes that arrive evenly and in no order, in writes of the ledger every so many seconds."""
    each = max(1, round(a_second * step))
    return [Arrival(index // each * step, f"n{index * PRIME % count:05d}", edit=edit) for index in range(count)]


def lone(at: float, namespace: str = "other") -> Arrival:
    return Arrival(at, f"lone-{at}", namespace)


@pytest.mark.spec("R53-WR-015")
@pytest.mark.parametrize(("a_second", "step"), [(200, 0.05), (300, 0.02)])
def test_a_bulk_does_not_use_up_what_may_be_in_flight_with_small_batches(a_second: int, step: float) -> None:
    rush = Rush(SLOW, sending=step)
    total = rush.run(bulk(a_second, step=step))
    first = [count for at, count in rush.batches if at < SLOW]
    assert len(first) <= 7
    assert sum(first) >= 700
    assert total < 115


@pytest.mark.spec("R53-WR-015")
@pytest.mark.parametrize("namespace", ["app", "other"])
@pytest.mark.parametrize("at", [0.03, 1.5, 4.5, 8.0, 25.0, 52.0, 70.0])
def test_a_change_alone_does_not_wait_for_a_bulk_that_waits(at: float, namespace: str) -> None:
    probe = lone(at, namespace)
    rush = Rush(SLOW)
    rush.run([*bulk(250), probe])
    assert rush.waits([probe])[0] <= 5


@pytest.mark.spec("R53-WR-015")
@pytest.mark.parametrize("count", [100, 1000])
def test_a_change_alone_does_not_wait_for_a_bulk_that_trickles_in(count: int) -> None:
    probe = lone(3.0)
    rush = Rush(SLOW)
    rush.run([*bulk(20, count), probe])
    assert rush.waits([probe])[0] <= 5


@pytest.mark.spec("R53-WR-015")
def test_a_change_alone_in_a_quiet_zone_leaves_at_once() -> None:
    probes = [lone(0.0), lone(20.0), lone(21.0)]
    rush = Rush(SLOW)
    rush.run(probes)
    assert rush.waits(probes)[0] == 0


def waiting(name: str, namespace: str = "app", *, put_off: bool = False, alias: str = "") -> tuple[Item, ChangeGroup]:
    """Return an item whose change waits, and the change."""
    key = ObjectKey(namespace, name)
    made = group(name, alias=alias)
    affected = made.affected[0].model_copy(update={"namespace": namespace})
    fact = outcomes.unprogrammed(item(name), "ProviderChangeDeferred", DEFERRED_MESSAGE) if put_off else None
    wanted = replace(item(name, facts=ItemFacts(1, programmed=fact)), key=key)
    return wanted, replace(made, affected=(affected,))


def turn(*changes: tuple[Item, ChangeGroup], flight: Flight = FULL, quiet: float = 60) -> Turn:
    """Return whose turn it is where nothing new has come for so many seconds."""
    items: dict[ObjectKey, Item] = {wanted.key: wanted for wanted, _ in changes}
    snapshot: Snapshot = snapshot_of(items, NOW, NOW - timedelta(seconds=quiet))
    return take_turns([made for _, made in changes], snapshot, flight)


def sent(result: Turn) -> list[str]:
    return sorted(each.name.split(".", maxsplit=1)[0] for batch in result.batches for each in batch)


PUT_OFF = [waiting(f"n{number:03d}", put_off=True) for number in range(100)]


@pytest.mark.spec("R53-WR-015")
def test_what_is_new_goes_before_a_bulk_that_was_put_off() -> None:
    result = turn(*PUT_OFF, waiting("www"))
    assert sent(result) == ["www"]
    assert size(result.put_off) == 100


def test_what_was_put_off_stays_put_off_while_there_is_no_room() -> None:
    assert sent(turn(*PUT_OFF)) == []


def test_what_is_new_and_finds_nothing_free_is_next_and_no_part_of_the_bulk() -> None:
    result = turn(*PUT_OFF, waiting("www"), flight=Flight(10, 900, 900))
    assert sent(result) == []
    assert [made.name for made in result.next_up] == ["www.example.com"]
    assert size(result.put_off) == 100


def test_what_is_left_of_a_bulk_and_finds_nothing_free_says_what_it_said_before() -> None:
    """Or else all of it would be written anew whenever one more comes or goes."""
    result = turn(*PUT_OFF[: SMALL - 1], waiting("www"), flight=Flight(10, 300, 300))
    assert size(result.put_off) == SMALL - 1
    assert [made.name for made in result.next_up] == ["www.example.com"]


def test_a_bulk_fills_the_batches_of_those_who_go_before_it() -> None:
    """Or else a zone in which little changes all the time would have no end of a bulk."""
    result = turn(*PUT_OFF, waiting("www"), flight=Flight(9, 850, 850))
    assert sent(result) == [*(f"n{number:03d}" for number in range(49)), "www"]
    assert len(result.batches) == 1


def test_a_bulk_comes_to_its_end_among_many_small_changes() -> None:
    probes = [lone(2.0 * number) for number in range(100)]
    rush = Rush(SLOW)
    rush.run([*bulk(250, 1200), *probes])
    assert max(at for name, at in rush.sent_at.items() if name.startswith("n")) < 125


def test_who_has_little_goes_before_who_has_much() -> None:
    flood = [waiting(f"m{number:03d}", "flood") for number in range(SMALL + 1)]
    result = turn(*PUT_OFF, *flood, waiting("www", "other"))
    assert sent(result) == ["www"]


def test_of_many_with_little_no_more_than_little_goes() -> None:
    many = [waiting(f"m{number:03d}", f"team-{number:03d}") for number in range(3 * SMALL)]
    assert sent(turn(*PUT_OFF, *many)) == [f"m{number:03d}" for number in range(SMALL)]


@pytest.mark.parametrize(("quiet", "goes"), [(0.0, []), (1.4, []), (1.5, ["www"])])
def test_what_comes_from_the_namespace_of_a_bulk_goes_once_nothing_more_comes(quiet: float, goes: list[str]) -> None:
    result = turn(*PUT_OFF, waiting("www"), quiet=quiet)
    assert sent(result) == goes
    assert size(result.put_off) == 100
    assert result.undecided_until == (None if goes else NOW + timedelta(seconds=1.5 - quiet))


def test_a_bulk_of_little_from_each_of_many_does_not_use_up_what_it_leaves() -> None:
    arrivals = [replace(each, namespace=f"team-{index % 50}") for index, each in enumerate(bulk(250))]
    rush = Rush(SLOW)
    rush.run([*arrivals, lone(25.0)])
    assert len([at for at, _ in rush.batches if at < 20]) <= 7
    assert rush.waits([lone(25.0)])[0] <= 2


def test_one_beside_as_many_as_are_little_of_another_is_no_part_of_a_bulk_of_many() -> None:
    rising = [waiting(f"n{number:03d}") for number in range(SMALL)]
    result = turn(*rising, waiting("www", "other"), flight=Flight(10, 46, 46), quiet=0)
    assert "www.example.com" in {made.name for made in result.next_up}
    assert size(result.put_off) == 1


def test_more_of_a_bulk_is_put_off_with_it() -> None:
    more = [waiting(f"m{number:03d}") for number in range(SMALL + 1)]
    result = turn(*PUT_OFF, *more, quiet=0)
    assert sent(result) == []
    assert size(result.put_off) == 100 + len(more)


def test_an_alias_goes_with_the_target_that_waits() -> None:
    result = turn(*PUT_OFF, waiting("www", "other", alias="n000"), waiting("api", "other"))
    assert sent(result) == ["api"]


def test_an_alias_of_an_alias_goes_with_the_target_that_waits() -> None:
    chain = [waiting("www", "other", alias="mid"), waiting("mid", "other", alias="n000")]
    assert sent(turn(*PUT_OFF, *chain, waiting("api", "other"))) == ["api"]


def test_an_alias_of_the_bulk_does_not_fill_a_batch_that_its_target_is_not_in() -> None:
    """The target came after the alias: until a lull it is not known whether it is the bulk's."""
    alias = waiting("alias", put_off=True, alias="target")
    result = turn(alias, *PUT_OFF, waiting("target"), waiting("www", "other"), flight=Flight(9, 850, 850), quiet=0)
    assert sent(result) == [*(f"n{number:03d}" for number in range(49)), "www"]
    assert "alias.example.com" in {made.name for made in result.put_off}


@pytest.mark.parametrize("count", [1000, 1500])
def test_a_change_alone_goes_before_a_bulk_that_comes_with_it(count: int) -> None:
    probe = lone(0.0)
    rush = Rush(SLOW)
    rush.run([*(Arrival(0.0, f"n{number:05d}") for number in range(count)), probe])
    assert rush.waits([probe])[0] == 0


def test_a_change_alone_that_finds_all_in_use_goes_before_a_bulk_that_does_too() -> None:
    """Ten changes of one record set each are in flight until 53 s."""
    singles = [Arrival(0.3 * number, f"s{number}", f"team-{number}") for number in range(10)]
    probes = [lone(12.0), lone(14.0, "another")]
    rush = Rush(SLOW)
    rush.run([*singles, *(Arrival(12.0, f"n{number:05d}") for number in range(1500)), *probes])
    assert rush.waits(probes)[0] <= 41


@pytest.mark.parametrize(
    ("flight", "goes"),
    [
        (Flight(6, 800, 800), 100),
        (Flight(6, 850, 850), 0),
        (Flight(6, 850, 40), 50),
        (Flight(7, 300, 300), 0),
        (Flight(1, 20, 20), 100),
    ],
)
def test_a_bulk_waits_for_a_good_batch_as_long_as_more_comes_free(flight: Flight, goes: int) -> None:
    assert len(sent(turn(*PUT_OFF, flight=flight))) == goes


@pytest.mark.spec("R53-WR-015")
def test_a_namespace_that_changes_much_one_by_one_leaves_the_last_changes_to_others() -> None:
    probes = [lone(6.0), lone(12.5, "another"), lone(30.0, "third")]
    rush = Rush(SLOW)
    rush.run([*bulk(5, 60, step=0.2), *probes])
    assert rush.waits(probes)[0] <= 5


@pytest.mark.parametrize(
    ("used", "counts", "goes"),
    [(7, {"app": 7}, False), (7, {"app": 3}, True), (9, {"app": 3}, True), (8, {"app": 5}, False), (7, {}, True)],
)
def test_the_last_changes_are_kept_for_namespaces_with_little_in_flight(
    used: int, counts: dict[str, int], goes: bool
) -> None:
    result = turn(waiting("www"), flight=Flight(used, 100, 100, counts))
    assert (sent(result) == ["www"]) is goes
    assert len(result.next_up) == (not goes)


@pytest.mark.spec("R53-WR-015")
@pytest.mark.parametrize("namespaces", [["other"], ["one", "two", "three"]])
@pytest.mark.parametrize("a_second", [20, 250])
def test_single_changes_beside_a_bulk_that_come_for_minutes_do_not_wait(namespaces: list[str], a_second: int) -> None:
    probes = [lone(10.0 * number + 5, namespaces[number % len(namespaces)]) for number in range(10)]
    rush = Rush(SLOW)
    rush.run([*bulk(a_second), *probes])
    assert rush.waits(probes)[0] <= 2
    assert rush.most[0] <= 10
    assert rush.asked <= 160


def test_a_change_that_is_over_makes_room_within_two_seconds() -> None:
    singles = [Arrival(0.3 * number, f"s{number}", f"team-{number}") for number in range(10)]
    probe = lone(20.0)
    rush = Rush(SLOW)
    rush.run([*singles, probe])
    assert rush.sent_at[probe.name] <= SLOW + 2.5
