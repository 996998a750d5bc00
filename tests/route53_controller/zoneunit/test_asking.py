"""How often Route 53 is asked about changes in flight: more often while they leave little room for others."""

from datetime import datetime, timedelta

import pytest

from route53_controller.aws.api import ChangeInfo
from tests.route53_controller.zoneunit.world import World, a


async def asked_about(world: World, duration: timedelta) -> dict[str, list[float]]:
    """Let changes stay in flight for so long; return when each was asked about, in seconds."""
    begin: datetime = world.clock.now()
    asked: dict[str, list[float]] = {}
    answer = world.route53.get_change

    async def get_change(change_id: str, **options: object) -> ChangeInfo:
        asked.setdefault(change_id, []).append((world.clock.now() - begin).total_seconds())
        return await answer(change_id, **options)  # type: ignore[arg-type]

    world.route53.get_change = get_change  # type: ignore[method-assign]
    while world.clock.now() < begin + duration:
        wait = await world.step()
        world.clock.jump(min(wait or duration, begin + duration - world.clock.now()))
    return asked


async def in_flight(count: int) -> World:
    """Return a world with so many changes in flight, that do not get in sync."""
    world = World()
    await world.run()
    world.route53.auto_insync = False
    for number in range(count):
        await world.set_items(*(a(f"n{n}", claim=f"n{n}") for n in range(number + 1)))
        await world.step()
        world.clock.jump(timedelta(seconds=5))
    assert len(world.state()["pendingRecordSetChanges"]) == count  # type: ignore[arg-type]
    return world


@pytest.mark.spec("R53-WR-015")
async def test_the_oldest_change_is_asked_about_often_while_little_room_is_left() -> None:
    world = await in_flight(7)
    asked = await asked_about(world, timedelta(seconds=30))
    first, *others = sorted(asked)
    assert len(asked[first]) >= 12
    assert max(len(asked[other]) for other in others) <= 4
    assert sum(map(len, asked.values())) <= 35


async def test_changes_that_leave_room_for_others_are_asked_about_seldom() -> None:
    world = await in_flight(3)
    asked = await asked_about(world, timedelta(seconds=30))
    assert sum(map(len, asked.values())) <= 10


async def test_the_next_oldest_is_asked_about_at_once_when_the_oldest_is_over() -> None:
    world = await in_flight(7)
    await asked_about(world, timedelta(seconds=20))
    world.route53.make_insync()
    await asked_about(world, timedelta(seconds=3))
    assert len(world.state().get("pendingRecordSetChanges", ())) <= 5  # type: ignore[arg-type]
