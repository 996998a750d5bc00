"""Packing and isolating groups of changes."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdnsapi.api.names import ROUTE53_CONTROLLER, ROUTE53_PROVIDER
from route53_controller.aws.codes import split_messages
from route53_controller.aws.errors import AwsError, AwsFailure
from route53_controller.zoneunit.plan.batches import Room, Traffic, collecting_until, is_plain, pack, spaced_until
from route53_controller.zoneunit.plan.isolation import Cause, all_wait, denied, give_up, is_denied, isolate
from route53_controller.zoneunit.plan.names import ChangeGroup
from route53_controller.zoneunit.snapshot import ZoneUnitSettings
from route53_controller.zoneunit.state import Affected
from tests.route53_controller.zoneunit.plan.builders import NOW, group
from tests.yardstick import least_seconds

PLENTY = Room(1000, 100_000)
SIZES = st.lists(st.tuples(st.integers(1, 400), st.integers(1, 37)), min_size=1, max_size=40)


def sized(number: int, values: int, width: int) -> ChangeGroup:
    return group(f"n{number:04d}", *(f"{value:0{width}d}" for value in range(values)))


@pytest.mark.spec("R53-WR-005")
@given(SIZES)
def test_batches_keep_to_the_limits_and_lose_nothing(sizes: list[tuple[int, int]]) -> None:
    groups = [sized(number, values, width) for number, (values, width) in enumerate(sizes)]
    packing = pack(groups, PLENTY)
    assert [each for batch in packing.batches for each in batch] == groups
    assert packing.deferred == ()
    for batch in packing.batches:
        assert sum(each.elements for each in batch) <= 1000
        assert sum(each.characters for each in batch) <= 32_000


@pytest.mark.spec("R53-WR-005")
def test_a_thousand_elements_make_exactly_one_batch() -> None:
    """Case 26."""
    groups = [sized(number, 1, 7) for number in range(1001)]
    assert [len(batch) for batch in pack(groups, PLENTY).batches] == [1000, 1]


@pytest.mark.spec("R53-WR-005")
def test_characters_split_batches_too() -> None:
    """Case 27."""
    groups = [group(f"n{number:03d}", "x" * 257) for number in range(200)]
    assert [len(batch) for batch in pack(groups, PLENTY).batches] == [124, 76]


@pytest.mark.spec("R53-WR-007")
@pytest.mark.parametrize(("room", "sent"), [(Room(1, 100_000), 1000), (Room(10, 7), 7), (Room(0, 10), 0)])
def test_what_finds_no_room_is_deferred(room: Room, sent: int) -> None:
    groups = [sized(number, 1, 7) for number in range(1500)]
    packing = pack(groups, room)
    assert sum(map(len, packing.batches)) == sent
    assert len(packing.deferred) == 1500 - sent


@pytest.mark.spec("R53-WR-006")
def test_targets_go_before_the_aliases_that_point_at_them() -> None:
    groups = [group("a", alias="b"), group("b", alias="c"), group("c")]
    (batch,) = pack(groups, PLENTY).batches
    assert [each.name.split(".", maxsplit=1)[0] for each in batch] == ["c", "b", "a"]


def test_aliases_in_a_circle_do_not_stop_the_rest() -> None:
    groups = [group("x", alias="a"), group("a", alias="b"), group("b", alias="a"), group("d", alias="c"), group("c")]
    (batch,) = pack(groups, PLENTY).batches
    names = [each.name.split(".", maxsplit=1)[0] for each in batch]
    assert names.index("c") < names.index("d")
    assert sorted(names) == ["a", "b", "c", "d", "x"]


BATCH = (group("www", "192.0.2.1"), group("bad", "300.1.1.1"), group("mail", '"unquoted'), group("alias", alias="lost"))
ILLEGAL = "FATAL problem: ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address) encountered with '300.1.1.1'"


@pytest.mark.spec("R53-IB-002")
@pytest.mark.parametrize(
    ("message", "offender", "cause", "reason"),
    [
        (
            "Tried to create resource record set [name='www.example.com.', type='A'] but it already exists",
            "www",
            Cause.STALE,
            "ProviderConflict",
        ),
        (
            "Tried to delete resource record set [name='www.example.com.', type='A'] but the values provided do not "
            "match the current values",
            "www",
            Cause.STALE,
            "ProviderConflict",
        ),
        (
            "RRSet of type CNAME with DNS name www.example.com. is not permitted as it conflicts with other records "
            "with the same DNS name in zone example.com.",
            "www",
            Cause.OTHER,
            "ProviderConflict",
        ),
        (
            "RRSet of type CNAME with DNS name www.example.com. is not permitted at apex in zone example.com.",
            "www",
            Cause.MALFORMED,
            "ProviderConflict",
        ),
        (f"Invalid Resource Record: '{ILLEGAL}'", "bad", Cause.MALFORMED, "ProviderInvalidRequest"),
        (
            "The request contains an invalid set of changes for a resource record set 'A www.example.com.'",
            "www",
            Cause.OTHER,
            "ProviderInvalidRequest",
        ),
        (
            "Tried to create an alias that targets lost.example.com., type A in zone ZOURS, but the alias target name "
            "does not lie within the target zone",
            "alias",
            Cause.OTHER,
            "ProviderInvalidRequest",
        ),
    ],
)
def test_an_offender_is_found_in_route_53s_own_words(message: str, offender: str, cause: Cause, reason: str) -> None:
    """Case 25."""
    isolation = isolate(BATCH, [message])
    assert [(o.group.name, o.cause, o.reason) for o in isolation.offences] == [
        (f"{offender}.example.com", cause, reason)
    ]
    assert [len(batch) for batch in isolation.batches] == [3]


@pytest.mark.spec("R53-IB-002")
@pytest.mark.parametrize(
    "value",
    [
        "0 foo \"name='www.example.com.', type='A'\"",
        "0 foo \"x'', Tried to create resource record set [name='www.example.com.', type='A'] has more than ''\"",
        '0 foo "DNS name www.example.com."',
        "0 foo \"'', RRSet of type A with DNS name www.example.com. has more than ''\"",
        '0 foo "an alias that targets lost.example.com."',
    ],
)
def test_a_value_that_speaks_like_route_53_accuses_nobody(value: str) -> None:
    """Its owner may be another tenant of the zone, and what is refused is quoted to the letter."""
    said = f"[Invalid Resource Record: 'FATAL problem: CAARRDATAIllegalTag (bad) encountered with '{value}'']"
    waiting = [(*BATCH, group("evil", value))]
    found = []
    while waiting:
        batch = waiting.pop()
        if any(each.name == "evil.example.com" for each in batch):
            isolation = isolate(batch, split_messages(said))
            found += [each.group.name for each in isolation.offences]
            waiting += isolation.batches
    assert found == ["evil.example.com"]


MASKED = "FATAL problem: InvalidCharacterString (bad) encountered with '\"account=[account]\"'"


@pytest.mark.spec("R53-IB-002")
@pytest.mark.parametrize(("others", "found"), [((), 1), (('"account=210987654321"',), 0)])
def test_a_value_with_an_id_in_it_is_found_where_only_one_can_be_meant(others: tuple[str, ...], found: int) -> None:
    batch = (*BATCH, group("id", '"account=123456789012"'), *(group("other", value) for value in others))
    isolation = isolate(batch, [MASKED])
    assert [each.group.name for each in isolation.offences] == ["id.example.com"] * found


@pytest.mark.parametrize(("message", "told"), [("cannot hold more", True), (MASKED, False), (f"'{ILLEGAL}'", False)])
def test_what_is_said_of_one_record_set_is_not_told_to_those_that_wait_with_it(message: str, told: bool) -> None:
    isolation = all_wait(BATCH, message)
    assert {(each.cause, message in each.message) for each in isolation.offences} == {(Cause.UNPROVEN, told)}
    assert len(isolation.offences) == len(BATCH)


def test_too_many_values_wait_for_an_edit() -> None:
    """Route 53's words where an account allows fewer values than others; they name nothing."""
    (offence,) = isolate(BATCH[:1], ["Cannot have more than 100 records in a RRSet."]).offences
    assert offence.cause is Cause.MALFORMED


MOMENT_SECONDS = 0.5
QUOTES = "encountered with '" * 100 + "'" * 2100 + "x"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("{}", "Tried to create resource record set [name='n{:04d}.example.com.', type='TXT'] but it already exists"),
        ("bad{}", "Invalid Resource Record: 'FATAL problem: Odd encountered with 'other{}'"),
        (QUOTES, "something is wrong with {}"),
    ],
)
def test_a_batch_with_a_thousand_reasons_is_read_in_a_moment(value: str, reason: str) -> None:
    """All zones share the event loop, and the texts are made of what anybody may have sent."""
    batch = [group(f"n{number:04d}", value.format(number)) for number in range(1000 if value is not QUOTES else 10)]
    names = [f"n{number:04d}.example.com." for number in range(1000)]
    answer = f"[{', '.join(reason.format(number) for number in range(1000))}]"
    assert least_seconds(lambda: isolate(batch, split_messages(answer, names)), MOMENT_SECONDS) < MOMENT_SECONDS


@pytest.mark.spec("R53-IB-002")
@pytest.mark.parametrize("told", ['"hello"', "hello"])
def test_a_value_is_found_with_its_quotes_and_without(told: str) -> None:
    words = f"Invalid Resource Record: 'FATAL problem: X (Y) encountered with '{told}''"
    isolation = isolate((group("text", '"hello"'), group("www")), [words])
    assert [offence.group for offence in isolation.offences] == [group("text", '"hello"')]


@pytest.mark.spec("R53-IB-003")
def test_what_a_full_zone_takes_goes_apart_from_what_grows_it() -> None:
    grows, shrinks = group("grows"), group("shrinks", removal=True)
    apart = ((shrinks,), (grows,))
    assert isolate((grows, shrinks), ["no idea"]).batches == apart
    assert give_up((grows, shrinks), "no idea").batches == apart
    alone = give_up((grows, group("too")), "no idea")
    assert alone.batches == ()
    assert len(alone.offences) == 2


@pytest.mark.spec("R53-IB-002")
def test_a_value_that_goes_accuses_nobody() -> None:
    bad, good = group("old", "300.1.1.1", removal=True).changes, group("old", "192.0.2.1")
    edit = replace(good, changes=(*bad, *good.changes))
    isolation = isolate((edit, group("www")), [f"Invalid Resource Record: '{ILLEGAL}'"])
    assert isolation.offences == ()
    assert isolation.batches == ((edit,), (group("www"),))


@pytest.mark.spec("R53-BU-008")
def test_who_is_denied_is_told_so_and_what_is_not_proven_stays_so() -> None:
    error = AwsError(AwsFailure.ACCESS_DENIED, "denied", "AccessDenied")
    assert is_denied(error)
    assert not is_denied(replace(error, code="ExpiredToken"))
    assert not is_denied(replace(error, failure=AwsFailure.THROTTLED))
    (proven,) = denied(isolate(BATCH[:1], ["no idea"]), error).offences
    assert (proven.cause, proven.reason) == (Cause.DENIED, "ProviderAccessDenied")
    assert {each.cause for each in denied(all_wait(BATCH, "no idea"), error).offences} == {Cause.UNPROVEN}


@pytest.mark.spec("R53-IB-002")
def test_words_that_name_nothing_halve_the_batch() -> None:
    isolation = isolate(BATCH, ["no idea"])
    assert isolation.offences == ()
    assert [len(batch) for batch in isolation.batches] == [2, 2]
    last = isolate(BATCH[:1], ["no idea"])
    assert len(last.offences) == 1
    assert last.batches == ()


SETTINGS = ZoneUnitSettings(ROUTE53_CONTROLLER, ROUTE53_PROVIDER)


def traffic(waiting: int, sent: list[tuple[float, int]], quiet: float = 0, *, plain: bool = False) -> Traffic:
    """So many wait, batches were sent so many seconds ago, and for so long nothing new has come."""
    lately = [(NOW - timedelta(seconds=ago), count) for ago, count in sent]
    return Traffic(waiting, lately, NOW - timedelta(seconds=quiet), plain)


@pytest.mark.parametrize(
    ("waiting", "sent", "wait"),
    [
        (1000, [], None),
        (1, [(1, 1), (2, 1), (3, 1)], None),
        (1, [(0, 100)], 1.0),
        (60, [(0, 60)], 1.0),
        (60, [(0.5, 30), (0.2, 60)], 0.8),
        (40, [(12, 40), (8, 160), (4, 160), (3, 160)], 1.0),
        (1, [(30, 100)], None),
        (1, [(5, 100)], None),
    ],
)
def test_a_bulk_is_collected_and_a_few_changes_never_wait(
    waiting: int, sent: list[tuple[float, int]], wait: float | None
) -> None:
    until = collecting_until(replace(traffic(waiting, sent), in_flight=6), NOW, SETTINGS)
    assert until == (None if wait is None else NOW + timedelta(seconds=wait))


@pytest.mark.parametrize(
    ("a_second", "in_flight", "pause"),
    [
        (1000, 6, 1.0),
        (200, 6, 1.0),
        (100, 6, 2.0),
        (80, 6, 2.5),
        (50, 6, 4.0),
        (10, 6, 4.0),
        (1000, 0, 1.0),
        (100, 0, 2.0),
        (80, 0, 2.0),
        (10, 5, 2.0),
    ],
)
def test_a_bulk_is_collected_as_long_as_a_good_batch_takes_to_come(a_second: int, in_flight: int, pause: float) -> None:
    """And for two seconds only while most of what may be in flight is free."""
    sent = [(float(ago), a_second) for ago in range(10, -1, -1)]
    lately = replace(traffic(0, sent), arrived_at=None, in_flight=in_flight)
    assert collecting_until(lately, NOW, SETTINGS) == NOW + timedelta(seconds=pause)


@pytest.mark.parametrize(
    ("gap", "plain", "pause"), [(3, False, 2), (6, False, 2), (3, True, 4), (6, True, 7), (9, True, 8)]
)
def test_a_bulk_of_new_record_sets_alone_is_collected_for_longer(gap: int, plain: bool, pause: float) -> None:
    """Nobody else waits behind it; what arrives slowly costs fewer calls so."""
    slow = replace(traffic(0, [(2.0 * gap, 40), (gap, 40), (0, 40)], plain=plain), arrived_at=None)
    assert collecting_until(slow, NOW, SETTINGS) == NOW + timedelta(seconds=pause)


@pytest.mark.parametrize(
    ("changes", "plain"),
    [
        ([group("a"), group("b")], True),
        ([group("a"), group("b", removal=True)], False),
        ([group("a"), replace(group("b"), affected=(Affected(namespace="other", name="b"),))], False),
        ([], False),
    ],
)
def test_plain_is_what_is_new_and_of_one_namespace(changes: list[ChangeGroup], plain: bool) -> None:
    assert is_plain(changes) is plain


@pytest.mark.parametrize(("quiet", "wait"), [(0, 1.5), (1.0, 0.5), (1.5, None), (60, None)])
def test_a_change_alone_behind_a_bulk_waits_for_the_lull_only(quiet: float, wait: float | None) -> None:
    sent = [(10.0 - ago, 40) for ago in range(11)]
    assert collecting_until(traffic(1, sent), NOW, SETTINGS) is not None
    until = collecting_until(traffic(1, sent, quiet), NOW, SETTINGS)
    assert until == (None if wait is None else NOW + timedelta(seconds=wait))


@pytest.mark.parametrize(
    ("in_flight", "oldest", "wait"),
    [(3, 30, None), (4, 3, None), (4, 30, 0.5), (5, 30, 1.5), (6, 30, 2.5), (7, 30, 3.5), (10, 30, 3.5)],
)
def test_batches_are_spaced_where_few_more_may_be_in_flight_for_long(
    in_flight: int, oldest: float, wait: float | None
) -> None:
    lately = replace(traffic(1, [(30, 1), (0.5, 1)]), in_flight=in_flight, oldest_at=NOW - timedelta(seconds=oldest))
    until = spaced_until(lately, NOW, SETTINGS)
    assert until == (None if wait is None else NOW + timedelta(seconds=wait))


@pytest.mark.parametrize(
    ("sent", "wait"),
    [([(0.3, 3), (0.2, 3)], None), ([(0.3, 1), (0.2, 1), (0.1, 1)], None), ([(0.3, 3), (0.2, 3), (0.1, 3)], 0.9)],
)
def test_batches_right_after_each_other_are_the_beginning_of_a_bulk(
    sent: list[tuple[float, int]], wait: float | None
) -> None:
    until = collecting_until(traffic(1, sent), NOW, SETTINGS)
    assert until == (None if wait is None else NOW + timedelta(seconds=wait))


def test_a_bulk_is_collected_to_the_limit_where_route_53_takes_its_time() -> None:
    sent = [(float(ago), 1000) for ago in range(5, -1, -1)]
    lately = replace(traffic(0, sent), arrived_at=None, in_flight=5, oldest_at=NOW - timedelta(seconds=5))
    assert collecting_until(lately, NOW, SETTINGS) == NOW + timedelta(seconds=4)
