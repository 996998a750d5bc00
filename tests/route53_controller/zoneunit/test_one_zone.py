"""One hosted zone for each Zone, however slow the list of hosted zones is and whoever wants the name at once."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta

import pytest

from libdnsapi.api.dns.zoneunit import ZONE_UNITS, ZoneUnit
from libdnsapi.api.meta import ObjectKey
from route53_controller.aws.api import CreatedHostedZone, HostedZone, Priority
from route53_controller.aws.errors import AwsFailure
from tests.fakes.clock import FakeClock
from tests.fakes.route53 import FakeRoute53
from tests.route53_controller.zoneunit.world import DOMAIN, UNIT, World, a, unit_document

OTHER = ObjectKey("web", UNIT.name)
OURS = "route53.dns.appthrust.io/zoneunit-finalizer"
DELETE = {"zoneDeletionPolicy": "Delete"}


class Unhurried(FakeRoute53):
    """Route 53 whose calls take their time, so that others run meanwhile."""

    async def list_hosted_zones_by_name(
        self, name: str, *, priority: Priority = Priority.USER
    ) -> tuple[HostedZone, ...]:
        """Return what was there when the call was made."""
        found = await super().list_hosted_zones_by_name(name, priority=priority)
        await asyncio.sleep(0.01)
        return found

    async def create_hosted_zone(self, name: str, caller_reference: str) -> CreatedHostedZone:
        """Create a hosted zone after a while."""
        await asyncio.sleep(0.01)
        return await super().create_hosted_zone(name, caller_reference)


@dataclass
class Lagging(FakeRoute53):
    """Route 53 that lists a hosted zone only some seconds after it was created."""

    clock: FakeClock | None = None
    lag: timedelta = timedelta(seconds=20)

    def __post_init__(self) -> None:
        """Start with nothing created."""
        super().__post_init__()
        self._born: dict[str, float] = {}

    async def list_hosted_zones_by_name(
        self, name: str, *, priority: Priority = Priority.USER
    ) -> tuple[HostedZone, ...]:
        """Return the hosted zones that are old enough."""
        found = await super().list_hosted_zones_by_name(name, priority=priority)
        assert self.clock is not None
        now = self.clock.monotonic()
        born = {zone.id: self._born.setdefault(zone.id, now) for zone in found}
        return tuple(zone for zone in found if now - born[zone.id] >= self.lag.total_seconds())


def lagging_world(**options: object) -> World:
    world = World(**options)  # type: ignore[arg-type]
    world.route53 = world.accounts.default = Lagging(clock=world.clock)
    return world


def programmed(world: World, key: ObjectKey) -> str:
    zone = ZoneUnit.model_validate(world.kubernetes.read(ZONE_UNITS, key)).status.zone
    return next((c.reason for c in zone.conditions if c.type == "Programmed"), "") if zone else ""


@pytest.mark.spec("R53-HZ-003", "R53-HZ-023")
async def test_of_two_zones_of_one_name_that_come_at_once_one_makes_a_hosted_zone() -> None:
    """Case 41; with sameNameZonePolicy Deny, though neither sees the other's hosted zone in its list."""
    world = World()
    world.route53 = world.accounts.default = Unhurried()
    world.put(ZONE_UNITS, unit_document(key=OTHER))
    await asyncio.gather(world.reconciler.reconcile(UNIT), world.reconciler.reconcile(OTHER))
    for _ in range(5):
        world.sync()
        world.clock.jump(timedelta(minutes=2))
        await asyncio.gather(world.reconciler.reconcile(UNIT), world.reconciler.reconcile(OTHER))
    assert len(world.route53.zones) == 1
    assert sorted((programmed(world, UNIT), programmed(world, OTHER))) == ["Programmed", "ProviderConflict"]


async def test_with_allow_each_makes_its_own() -> None:
    world = World(parameters={"sameNameZonePolicy": "Allow"})
    world.route53 = world.accounts.default = Unhurried()
    world.put(ZONE_UNITS, unit_document(key=OTHER))
    await asyncio.gather(world.reconciler.reconcile(UNIT), world.reconciler.reconcile(OTHER))
    assert len(world.route53.zones) == 2


@pytest.mark.spec("R53-HZ-009")
@pytest.mark.parametrize("restarted", [False, True])
async def test_a_created_zone_that_is_listed_late_is_not_created_again(restarted: bool) -> None:
    """Case 63; its reference is used up, and it is not in the list yet."""
    world = lagging_world()
    world.route53.fail("CreateHostedZone", AwsFailure.UNKNOWN_OUTCOME, applied=True)
    await world.step()
    if restarted:
        world.start()
    await world.run()
    assert len(world.route53.zones) == 1
    assert world.zone_condition() == "True Programmed"


@pytest.mark.spec("R53-HD-003")
@pytest.mark.parametrize("restarted", [False, True])
async def test_a_zone_whose_creation_got_no_answer_is_not_left_behind(restarted: bool) -> None:
    """It may appear in the list only after the unit was asked to go."""
    world = lagging_world(parameters=DELETE)
    world.route53.fail("CreateHostedZone", AwsFailure.UNKNOWN_OUTCOME, applied=True)
    await world.step()
    await world.delete_unit()
    if restarted:
        world.start()
    await world.run()
    assert not world.route53.zones
    assert OURS not in world.unit.metadata.finalizers


@pytest.mark.spec("R53-HZ-014", "R53-HZ-008")
async def test_a_zone_that_is_found_again_is_programmed_when_its_creation_is_sure_to_be_over() -> None:
    """Its change id is lost: Route 53 propagates within a minute."""
    world = World()
    world.route53.fail("CreateHostedZone", AwsFailure.UNKNOWN_OUTCOME, applied=True)
    waits = [await world.step()]
    while world.zone_condition() != "True Programmed":
        assert world.zone_condition() in ("False ProviderUnavailable", "False ProviderChangePending")
        assert waits[-1] is not None
        world.clock.jump(waits[-1])
        waits.append(await world.step())
    assert sum((wait for wait in waits[1:-1] if wait), timedelta()) >= timedelta(seconds=60)
    assert world.reasons().count("Route53HostedZoneChangeInSync") == 1
    assert world.route53.calls["GetChange"] == 0


@pytest.mark.spec("R53-HZ-014", "R53-HZ-008")
async def test_a_change_in_sync_within_a_zone_that_is_found_again_proves_that_it_is_there() -> None:
    world = World()
    await world.set_items(a("www"))
    world.route53.fail("CreateHostedZone", AwsFailure.UNKNOWN_OUTCOME, applied=True)
    started = world.clock.now()
    for _ in range(20):
        wait = await world.step()
        if world.zone_condition() == "True Programmed":
            break
        assert wait is not None
        world.clock.jump(wait)
    assert world.programmed("www") == "True Programmed"
    assert world.clock.now() - started < timedelta(seconds=30)


@pytest.mark.spec("R53-HZ-003")
async def test_a_name_that_is_taken_is_looked_at_again_ever_more_seldom() -> None:
    world = World()
    world.route53.add_zone(DOMAIN)
    ends = world.clock.now() + timedelta(hours=1)
    while (wait := await world.step()) is not None and world.clock.now() + wait < ends:
        world.clock.jump(wait)
    assert world.zone_condition() == "False ProviderConflict"
    assert world.route53.calls["ListHostedZonesByName"] <= 10


async def test_a_name_that_was_freed_is_taken_at_once_when_the_owner_asks() -> None:
    world = World()
    taken = world.route53.add_zone(DOMAIN)
    await world.pass_time(timedelta(hours=1))
    assert world.zone_condition() == "False ProviderConflict"
    del world.route53.zones[taken.id]
    await world.annotate(reconcile_request="now")
    await world.run()
    assert world.zone_condition() == "True Programmed"


async def test_a_name_is_taken_at_once_when_the_zone_that_had_it_is_gone() -> None:
    world = World(parameters=DELETE)
    await world.run()
    world.put(ZONE_UNITS, unit_document(key=OTHER))
    for _ in range(20):
        world.clock.jump(timedelta(minutes=2))
        await world.reconciler.reconcile(OTHER)
    assert programmed(world, OTHER) == "ProviderConflict"
    await world.delete_unit()
    await world.run()
    await world.edit(ZONE_UNITS, UNIT, {"metadata": {"finalizers": None}})  # core's, the last one
    await world.reconciler.reconcile(OTHER)
    assert len(world.route53.zones) == 1
    assert programmed(world, OTHER) == "ProviderChangePending"
