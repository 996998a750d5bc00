"""The unit's own Programmed, from its zone and its record sets."""

from dataclasses import replace

import pytest

from route53_controller.zoneunit.plan import outcomes
from route53_controller.zoneunit.plan.actions import ZoneOutcome
from route53_controller.zoneunit.plan.aggregate import aggregate
from route53_controller.zoneunit.snapshot import Fact, Item, ItemFacts
from tests.route53_controller.zoneunit.plan.builders import item

YES, NO = Fact("True", "Accepted", "", 1), Fact("False", "DeniedByPolicy", "no", 1)
OPEN = Fact("Unknown", "Reconciling", "open", 1)
DONE = Fact("True", "Programmed", "", 1)
CONFLICT, FROZEN = Fact("False", "ProviderConflict", "taken", 1), Fact("False", "Frozen", "cold", 1)


def told(name: str, programmed: Fact | None, accepted: Fact | None = YES, **more: object) -> Item:
    return replace(item(name, **more), facts=ItemFacts(1, accepted=accepted, programmed=programmed))


@pytest.mark.spec("CORE-ZU-025")
@pytest.mark.parametrize(
    ("accepted", "zone", "items", "expected"),
    [
        (YES, DONE, [], ("True", "Programmed", "")),
        (YES, DONE, [told("www", DONE)], ("True", "Programmed", "")),
        (YES, None, [told("www", DONE)], ("Unknown", "Reconciling", "the zone: ")),
        (OPEN, DONE, [told("www", DONE)], ("Unknown", "Reconciling", "the zone: ")),
        (NO, DONE, [told("www", DONE)], ("False", "ProviderInvalidRequest", "the zone: not accepted: no")),
        (YES, DONE, [told("www", OPEN)], ("Unknown", "Reconciling", "RecordSet app/www: open")),
        (YES, DONE, [told("www", None)], ("Unknown", "Reconciling", "RecordSet app/www: ")),
        (
            YES,
            DONE,
            [told("api", OPEN), told("www", CONFLICT)],
            ("False", "ProviderConflict", "RecordSet app/www: taken"),
        ),
        (YES, OPEN, [told("www", CONFLICT)], ("False", "ProviderConflict", "RecordSet app/www: taken")),
        (YES, DONE, [told("www", FROZEN)], ("False", "ProviderInvalidRequest", "RecordSet app/www: cold")),
        (YES, CONFLICT, [told("api", FROZEN)], ("False", "ProviderConflict", "the zone: taken (1 more")),
        (
            YES,
            DONE,
            [told("www", CONFLICT), told("api", FROZEN)],
            ("False", "ProviderInvalidRequest", "RecordSet app/api"),
        ),
        (YES, DONE, [told("www", CONFLICT, leaving=True)], ("True", "Programmed", "")),
        (YES, DONE, [told("api", DONE), told("www", CONFLICT)], ("False", "ProviderConflict", "RecordSet app/www")),
        (
            YES,
            DONE,
            [told("api", CONFLICT, leaving=True), told("www", CONFLICT)],
            ("False", "ProviderConflict", "RecordSet app/www: taken"),
        ),
        (YES, DONE, [told("www", CONFLICT, allowed=False)], ("True", "Programmed", "")),
        (YES, DONE, [told("www", CONFLICT, accepted=NO)], ("True", "Programmed", "")),
        (YES, DONE, [told("www", CONFLICT, accepted=None)], ("True", "Programmed", "")),
    ],
)
def test_false_goes_before_unknown_and_the_zone_before_its_record_sets(
    accepted: Fact, zone: Fact | None, items: list[Item], expected: tuple[str, str, str]
) -> None:
    found = aggregate(ZoneOutcome(accepted), zone, {each.key: each for each in items}, {}, 7)
    status, reason, message = expected
    assert (found.status, found.reason, found.generation) == (status, reason, 7)
    assert found.message.startswith(message)


def test_what_this_pass_says_of_an_item_counts_before_what_stood_there() -> None:
    was, now = told("www", CONFLICT), told("api", DONE)
    said = {
        was.key: outcomes.outcome(was, outcomes.programmed(was)),
        now.key: outcomes.outcome(now, outcomes.pending(now)),
    }
    found = aggregate(ZoneOutcome(YES), DONE, {was.key: was, now.key: now}, said, 1)
    assert (found.status, found.reason) == ("False", "ProviderChangePending")
    assert found.message.startswith("RecordSet app/api: ")
