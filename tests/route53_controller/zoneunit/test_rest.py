"""Whatever is wrong, the controller comes to rest: it looks again at sane intervals and never spins."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.meta import ObjectKey
from route53_controller.aws.errors import AwsFailure
from tests.route53_controller.zoneunit.world import CLASS, IDENTITY, UNIT, World, a, leaving, unit_document

Trouble = Callable[[World], Awaitable[None]]
HOUR = timedelta(hours=1)
PER_HOUR = 300
"""Passes that an hour of trouble may take: a change that never is in sync is asked about every 15 seconds."""


async def identity_not_ready(world: World) -> None:
    world.put_identity(ready="False")


async def identity_not_checked(world: World) -> None:
    world.put_identity(accepted="", ready="")


async def no_credentials(world: World) -> None:
    world.accounts.unavailable.add(IDENTITY)


async def zone_vanished(world: World) -> None:
    del world.route53.zones[world.zone_id]


async def zone_vanished_with_a_change_in_flight(world: World) -> None:
    world.route53.auto_insync = False
    await world.set_items(a("www"), a("api"))
    await world.step()
    del world.route53.zones[world.zone_id]


async def adoption_points_elsewhere(world: World) -> None:
    await world.edit(ZONE_UNITS, UNIT, {"spec": {"zone": {"adoption": {"hostedZoneId": "ZOTHER"}}}})


async def older_unit_holds_the_zone(world: World) -> None:
    older = unit_document(key=ObjectKey("dns", "older"))
    older["metadata"]["creationTimestamp"] = "2020-01-01T00:00:00Z"  # type: ignore[call-overload, index]
    older["status"] = {"provider": {"state": {"hostedZoneID": world.zone_id}}}
    world.put(ZONE_UNITS, older)


async def class_no_longer_allows(world: World) -> None:
    world.put_class({}, allowedZones={"namespaces": {"from": "Same"}})


async def class_is_gone(world: World) -> None:
    world.stores.classes.forget(CLASS)


async def reading_is_denied(world: World) -> None:
    world.route53.fail("", AwsFailure.ACCESS_DENIED, times=10_000)


async def throttled(world: World) -> None:
    world.route53.fail("", AwsFailure.THROTTLED, times=10_000)


async def writing_is_denied(world: World) -> None:
    world.route53.fail("ChangeResourceRecordSets", AwsFailure.ACCESS_DENIED, times=10_000)
    await world.set_items(a("www", "192.0.2.9", generation=2), leaving(a("old")))


async def paused_with_work_to_do(world: World) -> None:
    await world.annotate(paused="true")
    await world.set_items(a("www", "192.0.2.9", generation=2))


async def never_in_sync(world: World) -> None:
    world.route53.auto_insync = False
    await world.set_items(a("www", "192.0.2.9", generation=2))


async def deleting_while_the_identity_is_not_ready(world: World) -> None:
    world.put_identity(ready="False")
    await world.set_items(leaving(a("www")))
    await world.delete_unit()


@pytest.mark.parametrize(
    "trouble",
    [
        identity_not_ready,
        identity_not_checked,
        no_credentials,
        zone_vanished,
        zone_vanished_with_a_change_in_flight,
        adoption_points_elsewhere,
        older_unit_holds_the_zone,
        class_no_longer_allows,
        class_is_gone,
        reading_is_denied,
        throttled,
        writing_is_denied,
        paused_with_work_to_do,
        never_in_sync,
        deleting_while_the_identity_is_not_ready,
    ],
)
@pytest.mark.parametrize("restarted", [False, True])
async def test_trouble_that_lasts_is_looked_at_now_and_then(trouble: Trouble, restarted: bool) -> None:
    """Also when a drift check falls due that cannot be made; case 89 is one of these."""
    world = World()
    await world.set_items(a("www"))
    await world.run()
    await trouble(world)
    if restarted:
        world.start()
    ends, passes = world.clock.now() + HOUR, 0
    while (wait := await world.step()) is not None and world.clock.now() + wait < ends:
        world.clock.jump(wait)
        passes += 1
        assert passes < PER_HOUR, "the controller spins"
