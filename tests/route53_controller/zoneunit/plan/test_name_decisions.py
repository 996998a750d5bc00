"""What the items of one name are to each other: twins, heirs, what waits, what is in the way."""

from dataclasses import replace
from datetime import timedelta

import pytest

from libdnsapi.api.meta import ObjectKey
from route53_controller.aws.api import RecordKey, ResourceRecordSet
from route53_controller.zoneunit.plan import outcomes
from route53_controller.zoneunit.plan.names import NameContext
from route53_controller.zoneunit.plan.records import RecordPlan, decide_records
from route53_controller.zoneunit.snapshot import Item, ItemFacts, Mark, Rejection
from route53_controller.zoneunit.state import PendingChange
from tests.route53_controller.zoneunit.plan.builders import DOMAIN, NOW, ZONE_ID, context, item, record_set

A, AAAA, TXT = record_set("www"), record_set("www", "AAAA", "2001:db8::1"), record_set("www", "TXT", '"x"')
CNAME = record_set("www", "CNAME", "lb.example.net.")
FOREIGN = record_set("www", "A", "198.51.100.1")
CHECKED = ResourceRecordSet(RecordKey(f"www.{DOMAIN}", "A"), 300, ("192.0.2.1",), routing=(("HealthCheckId", "h"),))


def decided(*items: Item, given: NameContext) -> RecordPlan:
    by_name: dict[str, list[Item]] = {}
    for each in items:
        by_name.setdefault(each.name, []).append(each)
    return decide_records(by_name, given)


def actions(plan: RecordPlan) -> list[str]:
    return [f"{c.action} {c.record_set.key.type}" for group in plan.groups for c in group.changes]


def reason(plan: RecordPlan, each: Item) -> str:
    said = plan.outcomes[each.key].programmed
    return "" if said is None else str(said.reason)


def at_rest(each: Item) -> Item:
    """Return an item whose status says that it is programmed."""
    said = outcomes.outcome(each, outcomes.programmed(each), mark=each.facts.mark)
    return replace(
        each, facts=ItemFacts(each.generation, accepted=said.accepted, programmed=said.programmed, mark=said.mark)
    )


def test_a_name_at_rest_keeps_no_later_one_from_its_decision() -> None:
    calm = at_rest(item("api", ours=True))
    plan = decided(calm, item("www"), given=context(record_set("api")))
    assert actions(plan) == ["CREATE A"]
    assert plan.open_names == {f"www.{DOMAIN}"}


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_the_earliest_of_several_retries_counts(order: tuple[int, int]) -> None:
    items = [item("api"), item("www")]
    refused = {
        each.key: Rejection(each.digest, "ProviderConflict", "no", NOW + timedelta(minutes=minutes))
        for each, minutes in zip(items, order, strict=True)
    }
    assert decided(*items, given=context(rejections=refused)).retry_at == NOW + timedelta(minutes=1)


@pytest.mark.spec("R53-WR-012", "R53-RO-011")
@pytest.mark.parametrize(
    ("allowed", "serving", "expected"), [(True, True, ["DELETE A", "CREATE A"]), (False, True, []), (True, False, [])]
)
def test_of_twins_the_programmed_one_is_changed_only_where_it_may_be(
    allowed: bool, serving: bool, expected: list[str]
) -> None:
    mine = item("www", "A", "192.0.2.9", ours=True, claim="mine", allowed=allowed)
    plan = decided(mine, item("www", claim="other"), given=context(A, serving=serving))
    assert actions(plan) == expected


def test_of_twins_that_both_are_marked_neither_is_acted_on() -> None:
    twins = [item("www", "A", "192.0.2.9", ours=True, claim=claim) for claim in ("one", "two")]
    plan = decided(*twins, given=context(A))
    assert actions(plan) == []
    assert {reason(plan, twin) for twin in twins} == {"ProviderChangeDeferred"}


def test_twins_are_never_at_rest_whatever_their_status_says() -> None:
    twins = [at_rest(item("www", ours=True, claim=claim)) for claim in ("one", "two")]
    plan = decided(*twins, given=context(A))
    assert plan.open_names == {f"www.{DOMAIN}"}
    assert {reason(plan, twin) for twin in twins} == {"ProviderChangeDeferred"}


def test_a_mark_of_another_type_owns_nothing() -> None:
    marked = item("www")
    other = at_rest(replace(marked, facts=ItemFacts(mark=Mark(ZONE_ID, marked.name, "AAAA"))))
    plan = decided(other, given=context(A))
    assert actions(plan) == []
    assert reason(plan, other) == "ProviderConflict"


@pytest.mark.spec("R53-RO-004", "R53-WR-011")
def test_who_leaves_with_another_type_hands_over_no_strangers_record_set() -> None:
    old, new = item("www", "AAAA", ours=True, leaving=True, claim="old"), item("www", claim="new")
    plan = decided(old, new, given=context(FOREIGN, AAAA))
    assert actions(plan) == ["DELETE AAAA"]
    assert reason(plan, new) == "ProviderConflict"


@pytest.mark.spec("R53-WR-003")
def test_what_is_kept_back_leaves_no_intent_among_the_changes_of_its_name() -> None:
    edited, kept = item("www", "A", "192.0.2.9", ours=True), item("www", "CNAME", claim="kept")
    plan = decided(edited, kept, given=context(A, TXT))
    assert actions(plan) == ["DELETE A", "CREATE A"]
    assert [affected.name for group in plan.groups for affected in group.affected] == ["www"]
    assert reason(plan, kept) == "ProviderConflict"


@pytest.mark.spec("R53-RO-012")
@pytest.mark.parametrize("leaving", [True, False])
def test_a_record_set_with_a_health_check_of_others_is_never_touched(leaving: bool) -> None:
    mine = item("www", "A", "192.0.2.9", ours=True, leaving=leaving)
    plan = decided(mine, given=context(CHECKED))
    assert actions(plan) == []
    said = plan.outcomes[mine.key].programmed
    assert said is not None
    assert "set identifier" not in said.message


@pytest.mark.spec("CORE-SL-019", "R53-RO-009")
def test_nothing_is_removed_while_a_part_of_the_ledger_is_out_of_sight() -> None:
    gone, new = item("www", ours=True, leaving=True), item("api")
    plan = decided(gone, new, given=context(A, partial=True))
    assert actions(plan) == ["CREATE A"]
    assert reason(plan, gone) == "ProviderChangePending"
    assert not plan.outcomes[gone.key].deletion_completed
    assert plan.outcomes[gone.key].mark == gone.facts.mark


def test_only_what_nothing_takes_the_place_of_is_gone() -> None:
    edited = item("www", "A", "192.0.2.9", ours=True)
    leaves = item("www", "AAAA", ours=True, leaving=True, claim="leaves")
    (group,) = decided(edited, leaves, given=context(A, AAAA)).groups
    assert [change.record_set.key.type for change in group.gone] == ["AAAA"]
    turned = item("www", "CNAME", claim="turned")
    (group,) = decided(leaves, turned, given=context(AAAA)).groups
    assert group.gone == ()


@pytest.mark.parametrize(
    ("comes", "seen", "order"),
    [(True, (A, AAAA), ["A", "AAAA", "CNAME"]), (False, (CNAME,), ["CNAME", "A", "AAAA"])],
)
def test_what_makes_way_for_a_cname_or_is_let_in_by_it_keeps_the_order(
    comes: bool, seen: tuple[ResourceRecordSet, ...], order: list[str]
) -> None:
    plain = [item("www", type_, ours=comes, leaving=comes, claim=type_.lower()) for type_ in ("A", "AAAA")]
    swap = item("www", "CNAME", ours=not comes, leaving=not comes, claim="cname")
    (group,) = decided(*plain, swap, given=context(*seen)).groups
    assert [step.types for step in group.steps] == [(type_,) for type_ in order]
    assert group.parts == (group,)


@pytest.mark.spec("R53-WR-003")
def test_an_intent_tells_what_is_to_stand_there_and_of_a_removal_nothing() -> None:
    new, gone = item("api"), item("www", ours=True, leaving=True)
    plan = decided(new, gone, given=context(A))
    intents = {a.name: (a.namespace, a.digest, a.type) for group in plan.groups for a in group.affected}
    assert intents == {"api": ("app", new.digest, "A"), "www": ("app", "", "A")}


@pytest.mark.spec("R53-RO-004", "R53-RO-009")
def test_who_leaves_hands_over_nothing_that_was_never_its_own() -> None:
    old, new = item("www", leaving=True, claim="old"), item("www", claim="new")
    plan = decided(old, new, given=context(FOREIGN))
    assert actions(plan) == []
    assert plan.outcomes[old.key].deletion_completed
    assert (reason(plan, new), plan.outcomes[new.key].mark) == ("ProviderConflict", None)


@pytest.mark.spec("R53-RO-011")
@pytest.mark.parametrize(
    ("ours", "seen", "expected"),
    [
        (True, (A,), ("Programmed", True)),
        (True, (FOREIGN,), ("ProviderChangeDeferred", True)),
        (True, (), ("ProviderChangeDeferred", True)),
        (False, (A,), ("ProviderChangeDeferred", False)),
        (False, (FOREIGN,), ("ProviderChangeDeferred", False)),
        (False, (), ("ProviderChangeDeferred", False)),
    ],
)
def test_what_is_withheld_takes_nothing_over_and_is_programmed_only_where_it_stands(
    ours: bool, seen: tuple[ResourceRecordSet, ...], expected: tuple[str, bool]
) -> None:
    mine = item("www", ours=ours, allowed=False)
    plan = decided(mine, given=context(*seen))
    assert actions(plan) == []
    assert (reason(plan, mine), plan.outcomes[mine.key].mark is not None) == expected


@pytest.mark.spec("R53-RO-006")
@pytest.mark.parametrize(
    ("adopts", "seen", "expected"),
    [
        (True, A, ("Programmed", True)),
        (True, FOREIGN, ("ExternalResourceMismatch", False)),
        (False, A, ("ProviderConflict", False)),
    ],
)
def test_what_is_there_is_taken_over_only_where_that_is_asked_for_and_equal(
    adopts: bool, seen: ResourceRecordSet, expected: tuple[str, bool]
) -> None:
    mine = item("www", adopts=adopts)
    plan = decided(mine, given=context(seen))
    assert (reason(plan, mine), plan.outcomes[mine.key].mark is not None) == expected


def test_what_excludes_nobody_stands_beside_strangers() -> None:
    assert actions(decided(item("www", "AAAA"), given=context(A, TXT))) == ["CREATE AAAA"]


def test_beside_a_cname_all_wait_for_what_is_in_flight() -> None:
    sent, other = item("www", claim="sent"), item("www", "AAAA", claim="other")
    flight = {ObjectKey("app", "sent"): (PendingChange(id="C1", submitted_at=NOW), sent.digest)}
    plan = decided(sent, other, given=context(CNAME, in_flight=flight))
    assert actions(plan) == []
    assert (reason(plan, sent), reason(plan, other)) == ("ProviderChangePending", "ProviderChangeDeferred")
    beside = decided(sent, other, given=context(in_flight=flight))
    assert actions(beside) == ["CREATE AAAA"]


@pytest.mark.parametrize(
    ("leaving", "same", "change_id", "expected"),
    [
        (False, True, "C1", "ProviderChangePending"),
        (False, False, "C1", "ProviderChangeDeferred"),
        (True, False, "C1", "ProviderChangePending"),
        (False, True, "", "ProviderUnavailable"),
    ],
)
def test_what_is_in_flight_is_told_by_what_it_brings(leaving: bool, same: bool, change_id: str, expected: str) -> None:
    mine = item("www", ours=True, leaving=leaving)
    change = PendingChange(id=change_id, submitted_at=NOW)
    flight = {mine.key: (change, mine.digest if same else "earlier")}
    assert reason(decided(mine, given=context(A, in_flight=flight)), mine) == expected
