"""Reading that verifies, or looks for drift, holds up a change of its own zone for no more than the call under way."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from libdnsapi.api.meta import JsonObject
from route53_controller.aws.api import Change, ChangeInfo, Priority, RecordKey, RecordPage
from route53_controller.aws.errors import AwsFailure
from route53_controller.zoneunit.memory import ZoneMemory
from tests.route53_controller.zoneunit.world import UNIT, World, a

MANY = 610
"""Record sets of three pages."""


class Journal:
    """The calls in order; at the first call of `action` somebody edits the ledger."""

    def __init__(self, world: World, action: str, edit: Callable[[], Awaitable[None]]) -> None:
        self.calls: list[str] = []
        self.priorities: list[Priority] = []
        self.pause = timedelta()
        self._world = world
        self._action = action
        self._edit: Callable[[], Awaitable[None]] | None = edit
        self._lists, self._changes, self._states = (
            world.route53.list_record_sets,
            world.route53.change_record_sets,
            world.route53.get_change,
        )
        world.route53.list_record_sets = self.list_record_sets  # type: ignore[method-assign]
        world.route53.change_record_sets = self.change_record_sets  # type: ignore[method-assign]
        world.route53.get_change = self.get_change  # type: ignore[method-assign]

    async def list_record_sets(
        self, zone_id: str, *, start: RecordKey | None = None, max_items: int = 300, priority: Priority = Priority.USER
    ) -> RecordPage:
        page = await self._lists(zone_id, start=start, max_items=max_items, priority=priority)
        await self._note("list")
        self.priorities.append(priority)
        return page

    async def change_record_sets(self, zone_id: str, changes: list[Change]) -> ChangeInfo:
        await self._note("change")
        return await self._changes(zone_id, changes)

    async def get_change(self, change_id: str, *, zone_id: str, priority: Priority = Priority.USER) -> ChangeInfo:
        found = await self._states(change_id, zone_id=zone_id, priority=priority)
        await self._note("state")
        return found

    async def _note(self, action: str) -> None:
        self.calls.append(action)
        self._world.clock.jump(self.pause)
        if action == self._action and self._edit is not None:
            edit, self._edit = self._edit, None
            await edit()


def many(ttl: int = 300) -> list[JsonObject]:
    """Return items that spread over three pages."""
    return [a(f"n{number:03d}", ttl=ttl, generation=ttl) for number in range(MANY)]


async def settled() -> World:
    world = World()
    await world.set_items(*many())
    await world.run()
    world.clock.jump(timedelta(minutes=1))
    return world


@pytest.mark.spec("R53-BU-002")
async def test_a_change_does_not_wait_for_the_end_of_a_drift_check() -> None:
    world = await settled()
    journal = Journal(world, "list", lambda: world.set_items(*many(), a("new")))
    await world.pass_time(world.settings.drift_interval)
    assert journal.calls[:2] == ["list", "change"]
    assert set(journal.priorities[:3]) == {Priority.DRIFT}
    assert world.programmed("new") == "True Programmed"
    assert journal.calls.count("change") == 1


async def test_a_change_does_not_wait_for_the_verification_of_others() -> None:
    world = await settled()
    await world.set_items(*many(ttl=600))
    await world.step()
    world.clock.jump(timedelta(seconds=15))
    journal = Journal(world, "list", lambda: world.set_items(*many(ttl=600), a("new")))
    await world.run()
    assert journal.calls.index("change") == journal.calls.index("list") + 1
    assert journal.calls.count("list") > 2
    assert set(world.all_programmed().values()) == {"True Programmed"}


async def test_a_change_does_not_wait_until_all_changes_in_flight_were_asked_about() -> None:
    world = await settled()
    world.route53.auto_insync = False
    for number in range(5):
        await world.set_items(*many(), *(a(f"new{other}") for other in range(number + 1)))
        await world.step()
    world.clock.jump(timedelta(seconds=15))
    world.route53.auto_insync = True
    every = [*many(), *(a(f"new{other}") for other in range(6))]
    journal = Journal(world, "state", lambda: world.set_items(*every))
    await world.run()
    assert journal.calls[:2] == ["state", "change"]
    assert journal.calls.count("state") == 6
    assert set(world.all_programmed().values()) == {"True Programmed"}


@pytest.mark.parametrize("number", [0, MANY - 1])
@pytest.mark.parametrize("settles_meanwhile", [False, True])
async def test_what_we_change_while_a_list_is_read_is_not_taken_for_drift(
    number: int, *, settles_meanwhile: bool
) -> None:
    world = await settled()
    items = many()
    items[number] = a(f"n{number:03d}", "198.51.100.9", generation=301)
    journal = Journal(world, "list", lambda: world.set_items(*items))
    if settles_meanwhile:
        journal.pause = timedelta(seconds=5)
    await world.pass_time(world.settings.drift_interval)
    await world.run()
    assert journal.calls.count("change") == 1
    assert world.values(f"n{number:03d}.example.com") == ("198.51.100.9",)
    assert set(world.all_programmed().values()) == {"True Programmed"}


async def test_a_list_that_changes_cut_short_again_and_again_comes_to_its_end() -> None:
    world = await settled()
    lists = world.route53.list_record_sets
    edits: list[JsonObject] = []

    async def edited(zone_id: str, **options: object) -> RecordPage:
        page = await lists(zone_id, **options)  # type: ignore[arg-type]
        if len(edits) < 8:
            edits.append(a(f"new{len(edits):02d}"))
            await world.set_items(*many(), *edits)
        return page

    world.route53.list_record_sets = edited  # type: ignore[method-assign]
    await world.pass_time(world.settings.drift_interval)
    await world.run()
    assert len(edits) == 8
    assert set(world.all_programmed().values()) == {"True Programmed"}
    assert len(world.all_programmed()) == MANY + 8


async def test_what_is_asked_while_a_change_arrives_is_hurried() -> None:
    world = await settled()

    async def edit() -> None:
        await world.set_items(*many(), a("new"))
        world.reconciler.hurry(UNIT)

    Journal(world, "list", edit)
    world.reconciler.hurry(UNIT)
    assert world.route53.hurried == []
    await world.pass_time(world.settings.drift_interval)
    assert world.route53.hurried == [world.zone_id]
    world.reconciler.hurry(UNIT)
    assert world.route53.hurried == [world.zone_id]


async def test_a_list_that_fails_in_the_middle_begins_anew() -> None:
    world = await settled()
    world.route53.fail("ListResourceRecordSets", AwsFailure.UNAVAILABLE, skip=1)
    world.route53.remove(world.zone_id, RecordKey("n000.example.com", "A"))
    await world.pass_time(world.settings.drift_interval)
    await world.pass_time(timedelta(minutes=2))
    assert world.values("n000.example.com") == ("192.0.2.1",)


def test_a_change_is_over_when_its_own_names_were_read() -> None:
    memory = ZoneMemory("uid")
    memory.settled = {"C1": frozenset({"a.example.com"}), "C2": frozenset({"b.example.com"})}
    memory.doubtful = {"b.example.com"}
    world = World()
    assert memory.observation(world.clock.now()).settled == {"C1"}
