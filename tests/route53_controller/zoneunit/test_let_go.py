"""An item leaves the ledger without its deletion being asked for: its record set stays, for nobody (decision 16)."""

from datetime import timedelta

import pytest

from libdnsapi.api.conditions import find_condition
from libdnsapi.api.dns.zoneunit import ZONE_UNITS, ZoneUnit
from libdnsapi.api.meta import JsonObject, ObjectKey
from tests.route53_controller.zoneunit.world import UNIT, World, a, cname, unit_document

OTHER = ObjectKey("web", UNIT.name)
WWW = "www.example.com"
ADOPTION: JsonObject = {"enabled": True}
TAKEN = "True Programmed"
CONFLICT = "False ProviderConflict"


async def with_www() -> World:
    """Return a world whose record set www is programmed for a claim of that name."""
    world = World()
    await world.set_items(a("www"))
    await world.run()
    assert world.programmed("www") == TAKEN
    return world


@pytest.mark.parametrize("restarted", [False, True], ids=["at once", "after a restart"])
async def test_the_record_set_stays_and_the_ledger_forgets_it(restarted: bool) -> None:
    world = await with_www()
    await world.set_items()
    if restarted:
        world.start()
    await world.run()
    await world.pass_time(world.settings.drift_interval)

    assert world.values(WWW) == ("192.0.2.1",)
    assert world.unit.status.record_sets == ()
    assert "pendingRecordSetChanges" not in world.state()


async def test_no_mark_is_left_that_makes_it_anybodys_or_keeps_anybody_from_it() -> None:
    world = await with_www()
    await world.set_items(a("www", claim="heir"))
    await world.run()
    assert world.programmed("heir") == CONFLICT
    await world.set_items(a("www", claim="heir", generation=2, adoption=ADOPTION))
    await world.run()

    assert world.programmed("heir") == TAKEN
    assert world.values(WWW) == ("192.0.2.1",)


async def test_a_claim_of_the_same_key_does_not_inherit_it() -> None:
    world = await with_www()
    await world.set_items()
    await world.run()
    await world.set_items(a("www"))
    await world.run()
    assert world.programmed("www") == CONFLICT


async def test_a_change_in_flight_is_finished_and_what_it_made_can_be_adopted() -> None:
    world = World()
    await world.run()
    world.route53.auto_insync = False
    await world.set_items(a("www"))
    for _ in range(4):
        world.clock.jump(await world.step() or world.settings.retry_first)
    assert world.values(WWW) == ("192.0.2.1",)
    await world.set_items(a("www", claim="heir", adoption=ADOPTION))
    world.route53.auto_insync = True
    await world.pass_time(2 * world.settings.drift_interval)

    assert world.programmed("heir") == TAKEN
    assert "pendingRecordSetChanges" not in world.state()


async def test_another_zone_takes_the_hosted_zone_and_its_record_sets_once_the_first_zone_is_gone() -> None:
    """As where a Zone is to have another class: the new one stands beside it until it lets go."""
    world = await with_www()
    kept: JsonObject = unit_document({"hostedZoneId": world.zone_id}, OTHER)
    spec = kept["spec"]
    assert isinstance(spec, dict)
    spec["recordSets"] = [a("www", claim="heir", adoption=ADOPTION)]
    world.put(ZONE_UNITS, kept)
    await settle_other(world)
    assert reasons(world) == ("ProviderConflict", [])
    world.quiet()
    await world.set_items()
    await world.run()
    await world.delete_unit()
    await world.run()
    await world.edit(ZONE_UNITS, UNIT, {"metadata": {"finalizers": None}})  # core's, the last one
    await settle_other(world)

    assert reasons(world) == ("Programmed", ["Programmed"])
    assert world.route53.calls["ChangeResourceRecordSets"] == 0


async def settle_other(world: World) -> None:
    for _ in range(10):
        world.clock.jump(timedelta(minutes=1))
        await world.reconciler.reconcile(OTHER)
        world.sync()


def reasons(world: World) -> tuple[str, list[str]]:
    """Return why the other unit's zone is, or is not, programmed, and the same of its record sets that are."""
    status = ZoneUnit.model_validate(world.kubernetes.read(ZONE_UNITS, OTHER)).status
    zone = find_condition(status.zone.conditions if status.zone else (), "Programmed")
    items = (find_condition(entry.conditions, "Programmed") for entry in status.record_sets)
    return zone.reason if zone else "", [found.reason for found in items if found and found.status == "True"]


async def test_an_edit_that_was_not_sent_is_not_sent_any_more() -> None:
    world = await with_www()
    await world.annotate(paused="true")
    await world.set_items(a("www", "192.0.2.2", generation=2))
    await world.run()
    await world.set_items()
    await world.annotate(paused=None)
    await world.run()
    assert world.values(WWW) == ("192.0.2.1",)


async def test_a_claim_of_another_type_waits_for_it_as_for_any_stranger() -> None:
    world = await with_www()
    await world.set_items(cname("www", claim="heir"))
    await world.run()
    assert world.programmed("heir") == CONFLICT
    assert world.values(WWW) == ("192.0.2.1",)
