"""One bad record never holds up the others: not those of its own name, not aliases of another type, not a full zone."""

from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest

from libdnsapi.api.meta import JsonObject
from route53_controller.aws.api import Change, ChangeAction, ChangeInfo
from route53_controller.aws.errors import AwsError, AwsFailure
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
MANY = [a(f"n{number:03d}") for number in range(60)]


def holds_at_most(world: World, limit: int) -> Callable[[Change], str]:
    zone_id = world.zone_id

    def complain(change: Change) -> str:
        there = world.route53.zones[zone_id].records
        grows = change.action is ChangeAction.CREATE and change.record_set.key not in there
        full = f"The hosted zone {zone_id} cannot hold more than {limit} resource record sets"
        return full if grows and len(there) >= limit else ""

    return complain


def denies(world: World, *names: str, code: str = "AccessDenied") -> None:
    """Have the credentials be denied to change these names, whatever else the batch changes; none: all of them."""
    answer = world.route53.change_record_sets

    async def change_record_sets(zone_id: str, changes: Sequence[Change]) -> ChangeInfo:
        if not names or any(change.record_set.key.name in names for change in changes):
            world.route53.calls["denied"] += 1
            raise AwsError(AwsFailure.ACCESS_DENIED, "AWS denied route53:ChangeResourceRecordSets", code)
        return await answer(zone_id, changes)

    world.route53.change_record_sets = change_record_sets  # type: ignore[method-assign]


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


async def test_an_alias_with_a_wrong_hosted_zone_id_does_not_hold_up_those_with_the_right_one() -> None:
    def complain(change: Change) -> str:
        target = change.record_set.alias
        if target is None or target.hosted_zone_id != "ZWRONG":
            return ""
        return (
            f"Tried to create an alias that targets {target.dns_name}., type A in zone ZWRONG, but the alias target "
            "name does not lie within the target zone"
        )

    world = World()
    await world.run()
    world.route53.refuse = complain
    await world.set_items(alias("good", "A", "lb", "ZRIGHT", "good"), alias("bad", "A", "lb", "ZWRONG", "bad"))
    await world.run()
    assert world.all_programmed() == {"good": "True Programmed", "bad": "False ProviderInvalidRequest"}


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


@pytest.mark.spec("R53-IB-003", "R53-IB-005")
async def test_a_full_zone_takes_the_edits_and_deletions_of_what_is_in_it() -> None:
    world = World()
    await world.set_items(a("www"), a("api"), a("old"))
    await world.run()
    world.route53.refuse = holds_at_most(world, 3)
    await world.set_items(*MANY, a("www", "192.0.2.7", generation=2), a("api"), leaving(a("old")))
    world.quiet()
    await world.step()
    assert world.route53.calls["ChangeResourceRecordSets"] <= 40
    assert world.values(WWW) == ("192.0.2.7",)
    assert world.values(f"old.{DOMAIN}") is None
    await world.set_items(*MANY, a("www", "192.0.2.7", generation=2), a("api", "192.0.2.8", generation=2))
    await world.step()
    assert world.values(f"api.{DOMAIN}") == ("192.0.2.8",)
    assert world.message("n059").endswith("resource record sets")
    await world.run()
    said = list(world.all_programmed().values())
    assert (said.count("True Programmed"), said.count("False ProviderInvalidRequest")) == (2, 60)


@pytest.mark.spec("R53-IB-003")
async def test_an_edit_into_an_alias_of_what_is_new_does_not_suffer_from_a_bad_record_beside_it() -> None:
    world = World()
    await world.set_items(a("www"))
    await world.run()
    world.route53.refuse = refuses(f"bad.{DOMAIN}", "A", "nobody knows")
    edited = alias("www", "A", "lb", world.zone_id, "www") | {"observedGeneration": 2}
    await world.set_items(edited, a("lb"), a("bad"))
    await world.step()
    assert world.programmed("www") == "False ProviderChangePending"
    await world.run()
    assert world.all_programmed() == {
        "www": "True Programmed",
        "lb": "True Programmed",
        "bad": "False ProviderInvalidRequest",
    }


@pytest.mark.spec("R53-IB-003")
async def test_a_quota_that_is_told_by_its_code_holds_up_new_record_sets_alone() -> None:
    world = World()
    await world.set_items(a("www"))
    await world.run()
    answer = world.route53.change_record_sets

    async def change_record_sets(zone_id: str, changes: Sequence[Change]) -> ChangeInfo:
        if changes[0].action is ChangeAction.CREATE:
            raise AwsError(AwsFailure.LIMIT_EXCEEDED, "a Route 53 quota is used up", "LimitsExceeded")
        return await answer(zone_id, changes)

    world.route53.change_record_sets = change_record_sets  # type: ignore[method-assign]
    await world.set_items(a("www"), a("new"))
    await world.step()
    await world.set_items(a("www", "192.0.2.7", generation=2), a("new"))
    await world.run()
    assert world.values(WWW) == ("192.0.2.7",)
    assert world.programmed("new") == "False ProviderInvalidRequest"
    assert "quota" in world.message("new")


@pytest.mark.spec("R53-IB-005")
async def test_what_waits_since_others_were_refused_is_sent_without_them() -> None:
    world = World()
    await world.run()
    bad = {f"n{number:03d}.{DOMAIN}" for number in range(40)}
    world.route53.refuse = lambda change: "something is wrong" if change.record_set.key.name in bad else ""
    await world.set_items(*MANY)
    await world.pass_time(timedelta(minutes=15))
    said = list(world.all_programmed().values())
    assert (said.count("True Programmed"), said.count("False ProviderInvalidRequest")) == (20, 40)


@pytest.mark.spec("R53-IB-003", "R53-BU-008")
async def test_a_name_that_the_credentials_may_not_change_does_not_hold_up_the_others() -> None:
    """As a policy on route53:ChangeResourceRecordSetsNormalizedRecordNames has it: it denies the whole batch."""
    world = World()
    await world.run()
    denies(world, WWW)
    await world.set_items(a("www"), *MANY)
    await world.run()
    assert world.programmed("www") == "False ProviderAccessDenied"
    assert "grant it" in world.message("www")
    assert list(world.all_programmed().values()).count("True Programmed") == len(MANY)
    await world.set_items(a("www"), *MANY, a("late"))
    await world.run()
    assert world.programmed("late") == "True Programmed"


@pytest.mark.spec("R53-IB-003", "R53-BU-008")
@pytest.mark.parametrize(("total", "bad"), [(600, range(1)), (100, range(30)), (100, range(70, 100))])
async def test_names_that_are_denied_do_not_hold_up_the_others_however_many_stand_side_by_side(
    total: int, bad: range
) -> None:
    world = World()
    await world.run()
    denies(world, *(f"n{number:03d}.{DOMAIN}" for number in bad))
    await world.set_items(*(a(f"n{number:03d}") for number in range(total)))
    await world.pass_time(timedelta(minutes=30))
    said = list(world.all_programmed().values())
    assert said.count("True Programmed") == total - len(bad)
    assert said.count("False ProviderAccessDenied") == len(bad)


async def test_credentials_that_may_change_nothing_are_not_tried_record_by_record() -> None:
    world = World()
    await world.run()
    denies(world)
    await world.set_items(*MANY)
    await world.step()
    assert world.route53.calls["denied"] <= 10
    await world.pass_time(timedelta(minutes=30))
    assert world.route53.calls["denied"] <= 120
    assert set(world.all_programmed().values()) == {"False ProviderAccessDenied"}


async def test_credentials_that_are_not_known_are_tried_once() -> None:
    world = World()
    await world.run()
    denies(world, code="ExpiredToken")
    await world.set_items(*MANY)
    await world.step()
    assert world.route53.calls["denied"] == 1
    assert set(world.all_programmed().values()) == {"False ProviderAccessDenied"}


async def test_what_time_may_mend_is_tried_again_at_once_when_the_owner_asks() -> None:
    world = World()
    await world.run()
    world.route53.refuse = refuses(WWW, "A", "that target was not found")
    await world.set_items(a("www"))
    await world.run()
    assert world.programmed("www") == "False ProviderInvalidRequest"
    world.route53.refuse = lambda _: ""
    await world.annotate(reconcile_request="now")
    await world.run()
    assert world.programmed("www") == "True Programmed"


def caa(word: str, **more: object) -> JsonObject:
    records: list[JsonObject] = [
        {"flags": 0, "tag": "issue", "value": f"{word * 70}{number}.example.net"} for number in range(40)
    ]
    return item("www", "CAA", ttl=300, claim="caa", caa={"records": records}, **more)


@pytest.mark.spec("R53-RS-018", "R53-WR-005")
async def test_two_types_of_a_name_that_fit_into_no_batch_together_are_changed_one_after_the_other() -> None:
    """Each of them is small enough that its own change fits."""
    texts = [[f"{letter * 250}{number}" for number in range(55)] for letter in "xy"]
    world = World()
    await world.set_items(txt("www", *texts[0]), caa("abc"))
    await world.run()
    await world.set_items(txt("www", *texts[1], generation=2), caa("def", generation=2))
    before = len(world.route53.batches)
    await world.step()
    assert [len(changes) for _, changes in world.route53.batches[before:]] == [2, 2]
    assert set(world.all_programmed().values()) == {"False ProviderChangePending"}
    await world.run()
    assert set(world.all_programmed().values()) == {"True Programmed"}
    assert (world.values(WWW, "TXT") or ("",))[0].startswith('"y')
    await world.set_items(leaving(txt("www", *texts[1], generation=2)), leaving(caa("def", generation=2)))
    await world.run()
    assert not world.route53.records(world.zone_id)


@pytest.mark.spec("R53-WR-011")
@pytest.mark.parametrize("restart", [False, True])
async def test_an_owner_that_goes_does_not_wait_for_an_heir_that_is_bad_for_good(restart: bool) -> None:
    """As it does not where the controller itself finds the heir's content bad."""
    world = World()
    await world.set_items(a("www", claim="old"))
    await world.run()
    world.route53.refuse = refuses(WWW, "A", f"FATAL problem [name='{WWW}.', type='A']")
    heir = a("www", "192.0.2.2", claim="new")
    await world.set_items(leaving(a("www", claim="old")), heir)
    await world.step()
    if restart:
        world.start()
    await world.run()
    old = world.item_status("old")
    assert old is not None
    assert old.deletion_completed
    assert world.programmed("new") == "False ProviderInvalidRequest"


QUOTED = (
    "but it already exists",
    "the values provided do not match the current values",
    "conflicts with other records",
)


@pytest.mark.spec("R53-IB-003")
@pytest.mark.parametrize("text", QUOTED)
@pytest.mark.parametrize(
    "message",
    [
        "Invalid Resource Record: 'FATAL problem: InvalidCharacterString (bad) encountered with '\"{}\"''",
        "Invalid Resource Record: 'FATAL problem: InvalidCharacterString (bad): \"{}\"'",
    ],
)
async def test_what_a_refusal_quotes_of_a_value_is_no_word_of_route_53(message: str, text: str) -> None:
    """Bad content is sent once: it is not taken for a record set that somebody else changed."""
    world = World()
    await world.run()
    world.route53.refuse = refuses(WWW, "TXT", message.format(text))
    await world.set_items(txt("www", text))
    await world.run()
    assert world.programmed("txt") == "False ProviderInvalidRequest"
    assert world.route53.calls["ChangeResourceRecordSets"] == 1
    await world.pass_time(world.settings.drift_interval)
    assert world.route53.calls["ChangeResourceRecordSets"] == 1


@pytest.mark.spec("R53-IB-003")
async def test_a_text_that_reads_like_bad_content_does_not_make_a_passing_refusal_last() -> None:
    world = World()
    await world.run()
    world.route53.refuse = refuses(WWW, "TXT", "something passing, at '\"FATAL problem\"'")
    await world.set_items(txt("www", "FATAL problem"))
    await world.run()
    assert world.programmed("txt") == "False ProviderInvalidRequest"
    world.route53.refuse = lambda _: ""
    await world.pass_time(world.settings.later_first)
    assert world.programmed("txt") == "True Programmed"
