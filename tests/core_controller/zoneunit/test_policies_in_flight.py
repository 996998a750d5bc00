"""Policies that change while something else is in the way: what an owner withdraws is withdrawn at once."""

from collections.abc import Awaitable, Callable

import pytest

from libdnsapi.api.dns.provider import PROVIDERS
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES
from libdnsapi.api.meta import NAMESPACES, JsonObject, ObjectKey
from tests.core_controller.zoneunit.objects import (
    PROVIDER,
    ZONE,
    allow,
    namespace,
    provider,
    record_set,
    zone,
    zone_class,
)
from tests.core_controller.zoneunit.reading import PROGRAMMED, items, words
from tests.core_controller.zoneunit.world import World

TEAM_WWW = ObjectKey("team", "www")
CLASS = ObjectKey("platform", "public")
Change = Callable[[World], Awaitable[None]]


async def class_away(world: World) -> None:
    await world.delete(ZONE_CLASSES, CLASS)


async def class_refused(world: World) -> None:
    await world.edit(ZONE_CLASSES, CLASS, {"spec": {"allowedZones": {"namespaces": {"from": "Selector"}}}})


async def provider_away(world: World) -> None:
    await world.delete(PROVIDERS, ObjectKey("", PROVIDER))


async def version_not_served(world: World) -> None:
    await world.edit(PROVIDERS, ObjectKey("", PROVIDER), {"spec": provider({"served": False})[1]["spec"]})


async def relabelled(world: World) -> None:
    await world.edit(NAMESPACES, ObjectKey("", "team"), {"metadata": {"labels": {"dns": "no"}}})


async def rule_gone(world: World) -> None:
    await world.edit(ZONES, ZONE, {"spec": {"allowedRecordSets": []}})


async def type_gone(world: World) -> None:
    rules: list[JsonObject] = [allow(".*", "TXT")]
    await world.edit(ZONES, ZONE, {"spec": {"allowedRecordSets": [*rules]}})


@pytest.fixture
async def shared(world: World) -> World:
    """Return a world whose Zone holds a record set of another namespace."""
    world.put(namespace("team", dns="yes"), zone(allowedRecordSets=[allow()]), record_set("www", "team"))
    await world.settle()
    assert words(world, TEAM_WWW) == PROGRAMMED
    return world


@pytest.mark.spec("CORE-AR-022", "CORE-AR-025")
@pytest.mark.parametrize("trouble", [class_away, class_refused, provider_away, version_not_served])
@pytest.mark.parametrize("withdrawal", [relabelled, rule_gone, type_gone])
async def test_what_is_withdrawn_while_the_zone_is_in_trouble_is_withdrawn_in_the_ledger(
    shared: World, trouble: Change, withdrawal: Change
) -> None:
    await trouble(shared)
    await shared.settle()
    await withdrawal(shared)
    await shared.settle()
    assert items(shared) == {"www": "not allowed"}
    assert shared.provider.deleted == []


@pytest.mark.spec("CORE-AR-022")
@pytest.mark.parametrize("withdrawal", [relabelled, rule_gone, type_gone])
async def test_what_was_withdrawn_and_granted_again_follows_the_edits_of_the_meantime(
    shared: World, withdrawal: Change
) -> None:
    await class_away(shared)
    await withdrawal(shared)
    await shared.settle()
    await shared.edit(RECORD_SETS, TEAM_WWW, {"spec": {"ttl": 77}})
    await shared.edit(ZONES, ZONE, {"spec": {"allowedRecordSets": [allow()]}})
    await shared.edit(NAMESPACES, ObjectKey("", "team"), {"metadata": {"labels": {"dns": "yes"}}})
    await shared.settle()
    assert items(shared) == {"www": "not allowed"}, "what is granted waits for acceptance as a whole"
    shared.put(zone_class())
    await shared.settle()
    assert words(shared, TEAM_WWW) == PROGRAMMED
    assert items(shared) == {"www": "live"}
    assert shared.unit(ZONE).spec.record_sets[0].ttl == 77
