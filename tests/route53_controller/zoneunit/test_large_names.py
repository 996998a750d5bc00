"""Names whose record sets fit into no batch together: they change one after the other, and are deleted at one word."""

import pytest

from libdnsapi.api.meta import JsonObject
from route53_controller.aws.errors import AwsFailure
from tests.route53_controller.zoneunit.world import World, a, cname, item, leaving, with_settings

GUARDED = with_settings(max_delete_count=3, max_delete_percent=50)


def large(name: str = "www") -> list[JsonObject]:
    """Return three record sets of one name with 400 values each: 1,200 elements, where a batch has 1,000."""
    bodies: dict[str, JsonObject] = {
        "A": {"a": {"addresses": [f"192.0.{n // 200}.{n % 200}" for n in range(400)]}},
        "AAAA": {"aaaa": {"addresses": [f"2001:db8::{n:x}" for n in range(1, 401)]}},
        "TXT": {"txt": {"values": [f"{n}" for n in range(400)]}},
    }
    return [item(name, type_, claim=f"{name}-{type_}", ttl=300, **body) for type_, body in bodies.items()]


async def programmed(world: World, *items: JsonObject) -> None:
    await world.set_items(*items)
    await world.run()
    assert set(world.all_programmed().values()) == {"True Programmed"}


def token(world: World) -> str:
    return world.zone_message().partition("confirm-deletions=")[2].rstrip(".")


@pytest.mark.spec("R53-GU-001")
async def test_one_token_confirms_all_that_goes_at_a_name_that_fits_into_no_batch() -> None:
    world = World(settings=GUARDED)
    small = [a(f"n{number}") for number in range(3)]
    items = [*large(), *small]
    await programmed(world, *items)
    await world.set_items(*map(leaving, items))
    await world.run()
    assert len(world.route53.records(world.zone_id)) == 6
    assert "6 deletions" in world.zone_message()
    assert all("held" in world.message(claim) for claim in world.all_programmed())
    await world.annotate(confirm_deletions=token(world))
    await world.run()
    assert not world.route53.records(world.zone_id)
    assert world.reasons().count("Route53DeletionsHeld") <= 1


async def test_a_change_that_waits_for_its_size_says_so_and_is_no_part_of_a_bulk() -> None:
    world = World()
    await programmed(world, *large())
    world.route53.auto_insync = False
    await world.set_items(*map(leaving, large()), cname("www", claim="new"))
    await world.step()
    assert world.programmed("new") == "False ProviderChangeDeferred"
    assert "too large for one batch together" in world.message("new")


async def test_record_sets_too_large_for_one_batch_make_way_for_a_cname() -> None:
    world = World()
    await programmed(world, *large())
    await world.set_items(*map(leaving, large()), cname("www", claim="new"))
    await world.run()
    assert world.programmed("new") == "True Programmed"
    assert [key.type for key in world.route53.records(world.zone_id)] == ["CNAME"]
    assert all((status := world.item_status(f"www-{t}")) and status.deletion_completed for t in ("A", "AAAA", "TXT"))


async def test_a_cname_makes_way_for_record_sets_too_large_for_one_batch() -> None:
    world = World()
    await programmed(world, cname("www", claim="old"))
    await world.set_items(leaving(cname("www", claim="old")), *large())
    await world.run()
    old = world.item_status("old")
    assert old is not None
    assert old.deletion_completed
    assert sorted(key.type for key in world.route53.records(world.zone_id)) == ["A", "AAAA", "TXT"]
    assert {world.programmed(f"www-{type_}") for type_ in ("A", "AAAA", "TXT")} == {"True Programmed"}


@pytest.mark.spec("R53-GU-001")
async def test_a_confirmed_deletion_whose_answer_is_lost_needs_no_second_token() -> None:
    world = World(settings=GUARDED)
    items = [a(f"n{number}") for number in range(6)]
    await programmed(world, *items)
    await world.set_items(*map(leaving, items))
    await world.run()
    world.route53.fail("ChangeResourceRecordSets", AwsFailure.UNKNOWN_OUTCOME)
    await world.annotate(confirm_deletions=token(world))
    await world.run()
    assert not world.route53.records(world.zone_id)
