"""One bad record never holds up the others: not those of its own name, not aliases of another type, not a full zone."""

from collections.abc import Callable

import pytest

from libdnsapi.api.meta import JsonObject
from route53_controller.aws.api import Change, ChangeAction
from tests.route53_controller.zoneunit.test_field_cases import txt
from tests.route53_controller.zoneunit.world import DOMAIN, World, a, item, leaving


def refuses(name: str, type_: str, message: str) -> Callable[[Change], str]:
    def complain(change: Change) -> str:
        created = change.action is ChangeAction.CREATE
        return message if created and (change.record_set.key.name, change.record_set.key.type) == (name, type_) else ""

    return complain


def alias(name: str, type_: str, target: str, zone_id: str, claim: str) -> JsonObject:
    options = {"alias": {"dnsName": f"{target}.{DOMAIN}.", "hostedZoneID": zone_id, "evaluateTargetHealth": False}}
    return item(name, type_, claim=claim, options=options)


WWW = f"www.{DOMAIN}"


@pytest.mark.spec("R53-IB-003")
@pytest.mark.parametrize(
    "message",
    [
        f"RRSet of type TXT with DNS name {WWW}. is not permitted",
        f"Tried to create resource record set [name='{WWW}.', type='TXT'] but it has more than one flaw",
        "Invalid Resource Record: 'FATAL problem: InvalidCharacterString (bad) encountered with '\"bad\"''",
        "nobody knows",
    ],
)
async def test_a_bad_record_does_not_hold_up_another_type_of_its_name(message: str) -> None:
    world = World()
    await world.run()
    world.route53.refuse = refuses(WWW, "TXT", message)
    await world.set_items(a("www"), txt("www", "bad"))
    await world.run()
    assert world.programmed("www") == "True Programmed"
    assert world.programmed("txt").startswith("False Provider")
    assert world.values(WWW) == ("192.0.2.1",)


async def test_a_missing_alias_target_of_one_type_does_not_hold_up_the_other_type() -> None:
    world = World()
    await world.set_items(a("lb"))
    await world.run()
    await world.set_items(
        a("lb"),
        alias("www", "A", "lb", world.zone_id, "four"),
        alias("www", "AAAA", "lb", world.zone_id, "six"),
        alias("api", "A", "lb", world.zone_id, "api"),
    )
    await world.run()
    said = world.all_programmed()
    assert said.pop("six") == "False ProviderInvalidRequest"
    assert set(said.values()) == {"True Programmed"}


async def test_an_alias_that_leaves_does_not_wait_for_the_target_of_another() -> None:
    world = World()
    await world.set_items(a("lb"))
    await world.run()
    old = alias("old", "A", "lb", world.zone_id, "old")
    await world.set_items(a("lb"), old)
    await world.run()
    new = alias("new", "A", "lb", world.zone_id, "new")
    await world.set_items(leaving(a("lb")), leaving(old), new)
    await world.run()
    assert world.programmed("new") == "False ProviderInvalidRequest"
    assert not world.route53.records(world.zone_id)
