"""Claims that were taken away by force and come again under the same name: nothing is inherited."""

from datetime import timedelta

import pytest

from core_controller.zoneunit.snapshot import Limits
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from tests.core_controller.zoneunit.objects import ZONE, platform, provider, record_set, renamed, zone
from tests.core_controller.zoneunit.reading import PROGRAMMED, WWW, words, zone_words
from tests.core_controller.zoneunit.world import World

OTHER: JsonObject = {"addresses": ["192.0.2.99"]}
WAITING = {"Accepted": ("Unknown", "Reconciling"), "Programmed": ("Unknown", "Reconciling")}


async def forced(world: World, resource: ResourceType, key: ObjectKey) -> None:
    """Take a claim away past its finalizer, as people do who are in a hurry; time passes."""
    await world.settle()
    await world.edit(resource, key, {"metadata": {"finalizers": []}})
    await world.delete(resource, key)
    await world.settle()


async def look(world: World, times: int = 6) -> None:
    """Let core alone look at it."""
    for _ in range(times):
        await world.sync()
        await world.reconcile()


@pytest.mark.spec("CORE-SL-015")
async def test_a_claim_recreated_past_its_finalizer_with_other_content_is_not_programmed(served: World) -> None:
    """Its generation is the one that the status entry of the claim before it speaks of."""
    served.put(record_set("www"))
    await forced(served, RECORD_SETS, WWW)
    served.put(record_set("www", a=OTHER))
    for _ in range(6):
        await look(served, 1)
        assert words(served) in ({}, WAITING)
    assert words(served) == WAITING
    await served.settle()
    assert words(served) == PROGRAMMED


@pytest.mark.spec("CORE-SL-015")
async def test_what_was_said_in_the_second_of_a_claims_creation_may_be_about_the_one_before_it(served: World) -> None:
    served.put(record_set("www"))
    await forced(served, RECORD_SETS, WWW)
    said = max(c.last_transition_time for c in served.unit(ZONE).status.record_sets[0].conditions)
    served.put(record_set("www", created=f"{said:%Y-%m-%dT%H:%M:%SZ}", a=OTHER))
    for _ in range(6):
        await look(served, 1)
        assert words(served) in ({}, WAITING)
    assert words(served) == WAITING
    await served.settle()
    assert words(served) == PROGRAMMED


@pytest.mark.spec("CORE-RT-025")
async def test_a_provider_that_never_says_what_it_observed_keeps_nobody_awake(served: World) -> None:
    """Whose result it is stays open; the ledger's next change by the provider tells, no clock does."""
    served.put(record_set("www"))
    await forced(served, RECORD_SETS, WWW)
    served.provider.observes = False
    served.put(record_set("www", a=OTHER))
    await served.settle()
    assert words(served) == WAITING
    before = served.api.writes()
    assert served.later == {}
    await served.wait(timedelta(minutes=5))
    assert served.api.writes() == before
    served.provider.observes = True
    await served.settle()
    assert words(served) == PROGRAMMED


async def test_a_claim_recreated_past_its_finalizer_as_it_was_is_programmed_as_it_is(served: World) -> None:
    served.put(record_set("www"))
    await forced(served, RECORD_SETS, WWW)
    served.put(record_set("www"))
    await look(served)
    assert words(served) == PROGRAMMED


async def test_what_was_confirmed_once_stays_while_the_provider_has_other_work(served: World) -> None:
    served.put(record_set("www"))
    await forced(served, RECORD_SETS, WWW)
    served.put(record_set("www"))
    await look(served)
    served.put(record_set("other"))
    await look(served)
    served.restart()
    await look(served)
    assert words(served) == PROGRAMMED


async def test_a_recreated_claim_that_is_refused_does_not_show_the_result_of_the_one_before_it(served: World) -> None:
    served.put(record_set("www"))
    await forced(served, RECORD_SETS, WWW)
    served.put(record_set("www", a={"addresses": ["no address"]}))
    await look(served)
    assert words(served) == {"Accepted": ("False", "DeniedByPolicy"), "Programmed": ("Unknown", "Reconciling")}


async def test_a_zone_recreated_past_its_finalizer_with_another_adoption_is_not_programmed() -> None:
    opened: JsonObject = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    world = World()
    world.put(*platform(), provider({"zone": {"schemas": {"adoption": {"openAPIV3Schema": opened}}}}), zone())
    await forced(world, ZONES, ZONE)
    world.put(zone(adoption={"id": "another"}))
    for _ in range(6):
        await look(world, 1)
        assert zone_words(world).get("Programmed") in (None, ("Unknown", "Reconciling"))
    await world.settle()
    assert zone_words(world) == PROGRAMMED
    assert world.zone(ZONE).status.name_servers == ("ns-1.example.net", "ns-2.example.net")


@pytest.mark.spec("CORE-DL-011")
@pytest.mark.parametrize("inline", [0, 100])
async def test_a_claim_recreated_past_its_finalizer_under_another_name_follows_the_cleanup_of_the_old_one(
    inline: int,
) -> None:
    """Nothing else may ever happen at the old name: the claim itself must bring it up."""
    world = World(Limits(inline=inline))
    world.put(*platform(), zone(), record_set("www"))
    await forced(world, RECORD_SETS, WWW)
    world.put(renamed(record_set("api"), "www"))
    await world.settle()
    assert words(world) == PROGRAMMED
    assert set(world.provider.external) == {(ZONE, "api", "A")}


@pytest.mark.spec("CORE-DL-011")
@pytest.mark.parametrize("inline", [0, 100])
@pytest.mark.parametrize("restarted", [False, True])
async def test_a_claim_recreated_past_its_finalizer_in_another_zone_leaves_nothing_in_the_old_one(
    inline: int, restarted: bool
) -> None:
    other = ObjectKey("platform", "other")
    world = World(Limits(inline=inline))
    world.put(*platform(), zone(), zone(other, domainName="example.org"), record_set("www"), record_set("api"))
    await forced(world, RECORD_SETS, WWW)
    if restarted:
        world.restart()
    world.put(record_set("www", zoneRef={"name": "other"}))
    await world.settle()
    assert words(world) == PROGRAMMED
    assert set(world.provider.external) == {(ZONE, "api", "A"), (other, "www", "A")}
