"""What is said while nobody may ask Route 53 about the changes in flight, as with a policy that lacks GetChange."""

from datetime import timedelta

import pytest

from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.runtime.errors import KubernetesError, UnavailableError
from route53_controller.aws.errors import AwsFailure
from tests.fakes.kubernetes import Fault
from tests.route53_controller.zoneunit.world import DOMAIN, UNIT, World, a, leaving

DENIED = "AWS denied route53:GetChange"
TOLD = (
    f"Whether Route 53 has propagated the change cannot be seen: {DENIED}; grant it to the credentials of the"
    " Route53Identity"
)


async def steps(world: World, count: int) -> None:
    for _ in range(count):
        wait = await world.step()
        world.clock.jump(wait or timedelta(minutes=1))


@pytest.mark.spec("R53-OB-005")
async def test_where_nobody_may_ask_about_a_change_its_record_set_says_what_to_grant() -> None:
    """ansible-collections/community.aws#1904: it is sent all the same, and said to stand once that is seen."""
    world = World()
    await world.run()
    world.route53.fail("GetChange", AwsFailure.ACCESS_DENIED, DENIED, times=5)
    await world.set_items(a("www"))
    await steps(world, 3)
    assert world.programmed("www") == world.zone_condition() == "False ProviderAccessDenied"
    assert world.message("www") == TOLD

    await world.set_items(a("www"), a("api"))
    await steps(world, 2)
    assert (world.message("www"), world.message("api")) == (TOLD, TOLD)
    assert world.values(f"www.{DOMAIN}") == world.values(f"api.{DOMAIN}") == ("192.0.2.1",)

    await steps(world, 6)
    assert set(world.all_programmed().values()) == {"True Programmed"}


async def test_a_deletion_that_waits_for_such_a_change_says_so_too() -> None:
    world = World()
    await world.run()
    world.route53.fail("GetChange", AwsFailure.ACCESS_DENIED, DENIED, times=4)
    await world.set_items(a("www"))
    await steps(world, 2)
    await world.set_items(leaving(a("www")))
    await steps(world, 2)
    assert (world.message("www"), world.values(f"www.{DOMAIN}")) == (TOLD, ("192.0.2.1",))

    await steps(world, 8)
    assert world.values(f"www.{DOMAIN}") is None


async def test_a_passing_trouble_leaves_a_change_under_way() -> None:
    world = World()
    await world.run()
    world.route53.fail("GetChange", AwsFailure.UNAVAILABLE, "no answer", times=3)
    await world.set_items(a("www"))
    await steps(world, 2)
    assert world.programmed("www") == "False ProviderChangePending"


async def test_a_change_whose_answer_is_seen_late_in_the_ledger_is_asked_about_as_seldom_as_any_other() -> None:
    """The write that stores its id is carried out and its own answer lost; the next pass is ahead of the watch."""
    world = World()
    await world.run()
    world.quiet()
    world.route53.auto_insync = False
    await world.set_items(a("www"))
    lost = UnavailableError(0, "Timeout", "x")
    world.kubernetes.fail(Fault(lost, "replace", ZONE_UNITS, skip=1, applied=True))
    for _ in range(2):
        with pytest.raises(KubernetesError):
            await world.reconciler.reconcile(UNIT)
    world.sync()
    began = world.clock.now()
    await steps(world, 8)
    assert world.route53.calls["GetChange"] == 8
    assert world.clock.now() - began > timedelta(minutes=1)
