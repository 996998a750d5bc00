"""A pass that decides about the names where something may have changed decides what one about all names does."""

from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdnsapi.api.conditions import ConditionStatus
from libdnsapi.api.meta import ObjectKey
from route53_controller.aws.api import ResourceRecordSet
from route53_controller.zoneunit.attention import Attention, at_names
from route53_controller.zoneunit.ledger import merge
from route53_controller.zoneunit.plan.names import NameContext
from route53_controller.zoneunit.plan.outcomes import outcome, programmed
from route53_controller.zoneunit.plan.records import RecordPlan, decide_records
from route53_controller.zoneunit.snapshot import Item, ItemFacts, LedgerObject, Mark
from route53_controller.zoneunit.state import PendingChange
from tests.route53_controller.zoneunit.plan.builders import NOW, ZONE_ID, item

NAMES = [f"n{number}" for number in range(12)]
PLACES = [ObjectKey("dns", f"example-com-{number}") for number in range(4)]
CHANGE = PendingChange(id="C1", submitted_at=NOW)
Step = tuple[str, int, int]


def told(each: Item) -> Item:
    """Return the item as it stands once it is programmed."""
    said = outcome(each, programmed(each), mark=Mark(ZONE_ID, each.name, each.type))
    return replace(each, facts=ItemFacts(each.generation, said.accepted, said.programmed, said.mark))


@dataclass
class SmallZone:
    """A ledger in four objects, what Route 53 shows, and what is under way."""

    items: dict[ObjectKey, dict[ObjectKey, Item]] = field(default_factory=lambda: {place: {} for place in PLACES})
    objects: dict[ObjectKey, LedgerObject] = field(default_factory=dict)
    records: dict[str, tuple[ResourceRecordSet, ...]] = field(default_factory=dict)
    busy: set[ObjectKey] = field(default_factory=set)
    doubtful: set[str] = field(default_factory=set)
    attention: Attention = field(default_factory=Attention)

    def fill(self) -> None:
        for number, name in enumerate(NAMES):
            for each in (told(item(name)), told(item(name, "AAAA", claim=f"{name}-six"))):
                if each.type == "A" or number % 3 == 0:
                    self.put(PLACES[number % len(PLACES)], each)
                    assert each.desired is not None
                    self.records[each.name] = (*self.records.get(each.name, ()), each.desired)

    def put(self, place: ObjectKey, each: Item) -> None:
        self.items[place][each.key] = replace(each, places=(place,))
        self.objects[place] = LedgerObject(place, 1, 1, tuple(self.items[place].values()), True, False, False)

    def take_out(self, place: ObjectKey, key: ObjectKey) -> None:
        if self.items[place].pop(key, None) is not None:
            self.objects[place] = LedgerObject(place, 1, 1, tuple(self.items[place].values()), True, False, False)

    def step(self, step: Step) -> None:
        what, which, other = step
        name, place = NAMES[which], PLACES[other % len(PLACES)]
        full, key = f"{name}.example.com", ObjectKey("app", name)
        match what:
            case "edit":
                self.put(place, replace(item(name, "A", f"192.0.2.{other + 2}", ours=True), generation=other + 2))
            case "tell":
                held = self.items[place].get(key)
                self.put(place, told(held if held is not None else item(name)))
            case "remove":
                self.take_out(place, key)
            case "drift":
                changed = item(name, "A", f"192.0.2.{other + 2}").desired
                self.records[full] = () if changed is None or other == 0 else (changed,)
                self.attention.note_read([full])
            case "send":
                self.busy.symmetric_difference_update({key})
            case "doubt":
                self.doubtful.symmetric_difference_update({full})
            case "list":
                self.records = dict(self.records)
                self.attention.forget()

    def context(self) -> NameContext:
        return NameContext(
            now=NOW + timedelta(minutes=1),
            zone_id=ZONE_ID,
            records=self.records,
            doubtful=frozenset(self.doubtful),
            in_flight=dict.fromkeys(self.busy, (CHANGE, "")),
        )

    def decide(self) -> tuple[RecordPlan, RecordPlan]:
        """Return what is decided with little attention, and with all."""
        items, _ = merge(self.objects.values())
        names, fresh, context = self.attention.open_names(self.objects), self.attention.fresh, self.context()
        if names is not None and fresh is not None:
            names = names.union(fresh, self.doubtful, (items[key].name for key in self.busy if key in items))
        else:
            names = None
        little = decide_records(at_names(names, self.objects, items), context)
        self.attention.note_decided(dict(self.objects), frozenset(little.open_names))
        return little, decide_records(at_names(None, self.objects, items), context)


STEPS = st.tuples(
    st.sampled_from(["edit", "tell", "remove", "drift", "send", "doubt", "list"]),
    st.integers(0, len(NAMES) - 1),
    st.integers(0, 3),
)


@given(st.lists(st.lists(STEPS, max_size=3), max_size=8))
def test_names_at_rest_need_no_decision_until_something_of_theirs_changes(rounds: list[list[Step]]) -> None:
    zone = SmallZone()
    zone.fill()
    for steps in [[], *rounds]:
        for step in steps:
            zone.step(step)
        little, whole = zone.decide()
        assert little == whole


def test_a_settled_zone_is_not_looked_at_again_but_for_the_name_that_changed() -> None:
    zone = SmallZone()
    zone.fill()
    zone.decide()
    assert zone.attention.open_names(zone.objects) == frozenset()
    zone.step(("edit", 1, 1))
    assert zone.attention.open_names(zone.objects) == {"n1.example.com"}


@pytest.mark.parametrize("names", [[], ["n1.example.com"], [f"{name}.example.com" for name in NAMES], None])
def test_items_are_found_by_name_in_whatever_ledger_objects_hold_them(names: list[str] | None) -> None:
    zone = SmallZone()
    zone.fill()
    zone.put(PLACES[3], told(item("n1")))
    items, _ = merge(zone.objects.values())
    expected = {
        name: {key for key, each in items.items() if each.name == name}
        for name in {each.name for each in items.values()}
        if names is None or name in names
    }
    found = at_names(names, zone.objects, items)
    assert {name: {each.key for each in held} for name, held in found.items()} == expected
    assert list(found) == sorted(found)
    assert all(items[each.key] is each for held in found.values() for each in held)


def test_an_item_in_two_ledger_objects_is_one_and_is_never_calm() -> None:
    zone = SmallZone()
    zone.fill()
    zone.put(PLACES[3], told(item("n1")))
    items, restless = merge(zone.objects.values())
    assert list(restless) == [ObjectKey("app", "n1")]
    assert set(items[ObjectKey("app", "n1")].places) == {PLACES[1], PLACES[3]}


def test_an_item_is_calm_only_while_its_status_says_that_it_is_ours_and_programmed() -> None:
    calm = told(item("www"))
    facts = calm.facts
    assert calm.calm
    for other in (
        replace(calm, leaving=True),
        replace(calm, allowed=False),
        replace(calm, facts=replace(facts, mark=None)),
        replace(calm, facts=replace(facts, rejected="x")),
        replace(calm, facts=replace(facts, deletion_completed=True)),
        replace(calm, facts=replace(facts, programmed=None)),
        replace(calm, facts=replace(facts, accepted=None)),
        replace(calm, facts=replace(facts, programmed=programmed(calm)._replace(status=ConditionStatus.UNKNOWN.value))),
    ):
        assert not other.calm
