"""What is decided about record sets, as tables, and what must hold whatever is there."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdnsapi.api.meta import ObjectKey
from route53_controller.aws import wire
from route53_controller.aws.api import ChangeAction, ResourceRecordSet
from route53_controller.zoneunit.plan import outcomes
from route53_controller.zoneunit.plan.names import NameContext
from route53_controller.zoneunit.plan.outcomes import short_hash
from route53_controller.zoneunit.plan.records import RecordPlan, decide_records
from route53_controller.zoneunit.snapshot import Fact, Item, ItemFacts, Mark, Rejection
from route53_controller.zoneunit.state import PendingChange
from tests.route53_controller.zoneunit.plan.builders import DOMAIN, NOW, context, item, record_set

EQUAL = record_set("www")
OTHER = record_set("www", "A", "198.51.100.1")
CNAME = record_set("www", "CNAME", "x.example.net.")
WEIGHTED = record_set("www", set_id="blue")
CHANGE = PendingChange(id="C1", submitted_at=NOW)


def decided(*items: Item, given: NameContext) -> RecordPlan:
    by_name: dict[str, list[Item]] = {}
    for each in items:
        by_name.setdefault(each.name, []).append(each)
    return decide_records(by_name, given)


def actions(plan: RecordPlan) -> list[str]:
    return [f"{c.action} {c.record_set.key.type}" for group in plan.groups for c in group.changes]


@pytest.mark.spec("R53-RO-001")
@pytest.mark.parametrize(
    ("wanted", "given", "expected"),
    [
        (item("www"), context(), ["CREATE A"]),
        (item("www"), context(EQUAL), []),
        (item("www", ours=True), context(EQUAL), []),
        (item("www", ours=True), context(OTHER), ["DELETE A", "CREATE A"]),
        (item("www", ours=True), context(), ["CREATE A"]),
        (item("www", adopts=True), context(), []),
        (item("www", adopts=True, creates_missing=True), context(), ["CREATE A"]),
        (item("www", adopts=True, ours=True), context(), ["CREATE A"]),
        (item("www"), context(CNAME), []),
        (item("www", "CNAME"), context(EQUAL), []),
        (item("www"), context(WEIGHTED), []),
        (item("www", ours=True), context(WEIGHTED), []),
        (item("www", ours=True, allowed=False), context(OTHER), []),
        (item("www", allowed=False), context(), []),
        (item("www", ours=True, leaving=True), context(OTHER), ["DELETE A"]),
        (item("www", leaving=True), context(EQUAL), []),
        (item("www", ours=True, leaving=True), context(), []),
        (item("www", ours=True, leaving=True), context(WEIGHTED), []),
        (item("www", ours=True, leaving=True, allowed=False), context(EQUAL), ["DELETE A"]),
        (item("www"), context(serving=False), []),
        (item("www"), context(doubtful=frozenset({"www.example.com"})), []),
        (item("www"), context(in_flight={ObjectKey("app", "www"): (CHANGE, "x")}), []),
        (item("www", ours=True), context(OTHER, leaving=frozenset({ObjectKey("app", "www")})), ["DELETE A"]),
    ],
)
def test_only_what_is_ours_is_written(wanted: Item, given: NameContext, expected: list[str]) -> None:
    assert actions(decided(wanted, given=given)) == expected


@pytest.mark.spec("R53-WR-003")
def test_what_equals_a_stored_intent_is_ours() -> None:
    wanted = item("www", "A", "192.0.2.9")
    intents = {wanted.key: frozenset({wire.digest(OTHER)})}
    assert actions(decided(wanted, given=context(OTHER, intents=intents))) == ["DELETE A", "CREATE A"]


def test_what_was_confirmed_is_ours_whatever_it_has_become() -> None:
    wanted = item("www")
    plan = decided(wanted, given=context(OTHER, confirmed=frozenset({wanted.key})))
    assert actions(plan) == ["DELETE A", "CREATE A"]


@pytest.mark.spec("R53-GU-007")
def test_a_restore_covers_what_equals() -> None:
    wanted = item("www")
    covered = frozenset({short_hash(wanted.key)})
    assert decided(wanted, given=context(EQUAL, covered=covered)).outcomes[wanted.key].mark is not None
    assert decided(wanted, given=context(OTHER, covered=covered)).outcomes[wanted.key].mark is None


def test_a_mark_of_another_hosted_zone_owns_nothing() -> None:
    wanted = item("www", ours=True, leaving=True)
    given = replace(context(EQUAL), zone_id="ZNEW")
    plan = decided(wanted, given=given)
    assert actions(plan) == []
    assert plan.outcomes[wanted.key].deletion_completed


@pytest.mark.spec("R53-WR-010")
def test_a_type_change_is_one_group() -> None:
    """Case 22."""
    old, new = item("www", ours=True, leaving=True, claim="old"), item("www", "CNAME", claim="new")
    plan = decided(old, new, given=context(EQUAL))
    assert actions(plan) == ["DELETE A", "CREATE CNAME"]
    assert len(plan.groups) == 1
    assert not plan.groups[0].removal


@pytest.mark.spec("R53-WR-011")
def test_an_heir_of_another_namespace_inherits_nothing() -> None:
    old = item("www", ours=True, leaving=True, claim="old")
    new = replace(item("www", claim="new"), key=ObjectKey("other", "new"))
    assert actions(decided(old, new, given=context(EQUAL))) == ["DELETE A"]


@pytest.mark.spec("R53-IB-005")
def test_a_refused_content_is_not_sent_again_before_its_time() -> None:
    wanted = item("www")
    refused = Rejection(wanted.digest, "ProviderInvalidRequest", "no", None)
    assert actions(decided(wanted, given=context(rejections={wanted.key: refused}))) == []
    due = replace(refused, retry_at=NOW)
    assert actions(decided(wanted, given=context(rejections={wanted.key: due}))) == ["CREATE A"]
    edited = replace(refused, digest="another")
    assert actions(decided(wanted, given=context(rejections={wanted.key: edited}))) == ["CREATE A"]


@pytest.mark.spec("R53-IB-004")
def test_a_refusal_for_good_survives_the_process() -> None:
    wanted = item("www")
    said = Fact("False", "ProviderInvalidRequest", "Route 53 refused this record set: no", 1)
    known = replace(wanted, generation=2, facts=ItemFacts(rejected=wanted.digest, programmed=said))
    plan = decided(known, given=context())
    assert actions(plan) == []
    assert plan.outcomes[wanted.key].programmed == said._replace(generation=2)


@pytest.mark.spec("R53-IB-004")
@pytest.mark.parametrize("reason", ["ProviderIdentityNotReady", "ProviderChangeDeferred"])
def test_a_refusal_for_good_is_said_again_after_other_trouble(reason: str) -> None:
    wanted = item("www")
    said = Fact("False", reason, "waiting for something that is over", 1)
    plan = decided(replace(wanted, facts=ItemFacts(rejected=wanted.digest, programmed=said)), given=context())
    assert actions(plan) == []
    told = plan.outcomes[wanted.key].programmed
    assert told is not None
    assert (told.status, told.reason) == ("False", "ProviderInvalidRequest")
    assert "refused" in told.message


NAMES = st.sampled_from(["www", "api"])
TYPES = st.sampled_from(["A", "AAAA", "CNAME"])
VALUES = {"A": "192.0.2.{}", "AAAA": "2001:db8::{}", "CNAME": "{}."}
SEEN = st.builds(
    lambda name, type_, value, set_id: record_set(name, type_, VALUES[type_].format(value), set_id=set_id),
    NAMES,
    TYPES,
    st.integers(1, 2),
    st.sampled_from(["", "", "", "blue"]),
)
ITEMS = st.builds(
    lambda name, type_, claim, ours, leaving, allowed, adopts: item(
        name, type_, claim=claim, ours=ours, leaving=leaving, allowed=allowed, adopts=adopts
    ),
    NAMES,
    TYPES,
    st.sampled_from(["one", "two", "three"]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)


def unique(seen: list[ResourceRecordSet]) -> list[ResourceRecordSet]:
    return list({found.key: found for found in seen}.values())


@pytest.mark.spec("R53-RO-009")
@given(st.lists(ITEMS, max_size=3), st.lists(SEEN, max_size=4))
def test_nothing_is_deleted_that_is_not_ours_and_deletes_are_exact(
    items: list[Item], seen: list[ResourceRecordSet]
) -> None:
    there = unique(seen)
    plan = decided(*items, given=context(*there))
    ours = {(each.facts.mark.record_name, each.type) for each in items if each.facts.mark}
    for group in plan.groups:
        for change in group.changes:
            if change.action is ChangeAction.DELETE:
                assert change.record_set in there
                assert not change.record_set.routing
                assert (change.record_set.key.name, change.record_set.key.type) in ours


@given(st.lists(ITEMS, max_size=3), st.lists(SEEN, max_size=4))
def test_once_everything_is_applied_nothing_more_is_wanted(items: list[Item], seen: list[ResourceRecordSet]) -> None:
    held = {each.key: each for each in items}
    there = {found.key: found for found in unique(seen)}
    for _ in range(4):
        plan = decided(*held.values(), given=context(*there.values()))
        for change in (change for group in plan.groups for change in group.changes):
            if change.action is ChangeAction.DELETE:
                del there[change.record_set.key]
            else:
                there[change.record_set.key] = change.record_set
        confirmed = {affected.key for group in plan.groups for affected in group.affected if affected.digest}
        held = {key: _told(each, plan, key in confirmed) for key, each in held.items()}
    assert decided(*held.values(), given=context(*there.values())).groups == []


@pytest.mark.spec("R53-IB-003")
@given(st.lists(ITEMS, max_size=6), st.lists(SEEN, max_size=6))
def test_the_parts_of_a_name_are_all_of_it_and_none_breaks_a_cname_off(
    items: list[Item], seen: list[ResourceRecordSet]
) -> None:
    for group in decided(*items, given=context(*unique(seen))).groups:
        parts = group.parts
        assert sorted(map(repr, group.changes)) == sorted(repr(change) for part in parts for change in part.changes)
        assert sorted(a.name for a in group.affected) == sorted(a.name for part in parts for a in part.affected)
        assert len(parts) == 1 or all(part.types != ("CNAME",) for part in parts)
        assert all(part.removal == all(c.action is ChangeAction.DELETE for c in part.changes) for part in parts)


def _told(each: Item, plan: RecordPlan, confirmed: bool) -> Item:
    said = plan.outcomes.get(each.key)
    mark = said.mark if said is not None else each.facts.mark
    built = item(each.name.split(".", maxsplit=1)[0], each.type, ours=True)
    return replace(each, facts=replace(each.facts, mark=built.facts.mark if confirmed else mark))


def test_what_was_adopted_in_a_hosted_zone_that_is_gone_is_made_in_the_next_one() -> None:
    moved = item("www", adopts=True, facts=ItemFacts(mark=Mark("ZGONE", f"www.{DOMAIN}", "A")))
    plan = decided(moved, given=context())
    assert [change.action for group in plan.groups for change in group.changes] == [ChangeAction.CREATE]


def test_a_name_in_doubt_is_not_said_to_hold_what_it_was_not_seen_to_hold() -> None:
    """A payload may be converted anew at the same generation."""
    facts = ItemFacts(1, programmed=outcomes.programmed(item("www")))
    doubtful = frozenset({"www.example.com"})
    old, new = item("www", facts=facts), item("www", "A", "192.0.2.9", facts=facts)
    seen = record_set("www")
    assert not decided(old, given=context(seen, doubtful=doubtful)).outcomes
    said = decided(new, given=context(seen, doubtful=doubtful)).outcomes[new.key].programmed
    assert said is not None
    assert (said.status, said.reason) == ("False", "ProviderChangeDeferred")
