"""A batch goes as soon as the ZoneUnit holds its intents: what the slices say is written meanwhile."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.runtime.errors import KubernetesError, UnavailableError
from route53_controller.aws.api import Change, ChangeInfo
from route53_controller.zoneunit.snapshot import ZoneUnitSettings
from tests.fakes.kubernetes import Fault
from tests.route53_controller.zoneunit.world import SETTINGS, UNIT, World, a, leaving, slice_document

SLICE = ObjectKey(UNIT.namespace, "example-com-000")


async def with_slice(*items: JsonObject, settings: ZoneUnitSettings = SETTINGS) -> World:
    world = World(settings=settings)
    await world.run()
    document = slice_document(SLICE.name)
    document["spec"]["recordSets"] = list(items)  # type: ignore[index,call-overload]
    world.put(ZONE_UNIT_SLICES, document)
    return world


def watch_calls(world: World) -> list[list[str]]:
    """Return, filled as calls are made, what had been written when each batch was sent."""
    seen: list[list[str]] = []
    original = world.route53.change_record_sets

    async def sent(zone_id: str, changes: list[Change]) -> ChangeInfo:
        seen.append([f"{verb} {kind}" for verb, kind in world.kubernetes.writes()])
        return await original(zone_id, changes)

    world.route53.change_record_sets = sent  # type: ignore[method-assign]
    return seen


async def test_the_intents_are_all_that_is_written_before_a_call() -> None:
    world = await with_slice(a("www"))
    await world.run()
    calls = watch_calls(world)
    world.quiet()
    await world.set_items(a("www", "192.0.2.2", generation=2), resource=ZONE_UNIT_SLICES, key=SLICE)
    world.quiet()
    await world.run()
    assert calls == [["replace zoneunits/status"]]
    assert world.kubernetes.writes()[("replace", "zoneunitslices/status")] == 1
    assert world.programmed("www") == "True Programmed"


async def test_a_slice_says_that_a_change_is_under_way_once_that_has_lasted() -> None:
    world = await with_slice(a("www"))
    world.route53.auto_insync = False
    await world.step()
    assert world.values("www.example.com") == ("192.0.2.1",)
    assert world.programmed("www") == ""
    waited = timedelta()
    while world.programmed("www") == "":
        wait = await world.step()
        assert wait is not None
        world.clock.jump(wait)
        waited += wait
    assert world.programmed("www") == "False ProviderChangePending"
    assert waited <= world.settings.pending_quiet + world.settings.change_poll_limit
    world.quiet()
    await world.step()
    assert world.kubernetes.writes()[("replace", "zoneunitslices/status")] == 0
    world.route53.auto_insync = True
    await world.run()
    assert world.programmed("www") == "True Programmed"


async def test_what_is_over_is_written_down_by_its_items_before_the_state_forgets_it() -> None:
    world = await with_slice(a("one"))
    await world.step()
    assert world.item_status("one") is None
    await world.set_items(a("one"), a("two"), resource=ZONE_UNIT_SLICES, key=SLICE)
    states: list[tuple[bool, set[str]]] = []
    original = world.kubernetes.replace

    async def replaced(resource: object, key: ObjectKey, body: JsonObject, **options: str) -> bytes:
        answer = await original(resource, key, body, **options)  # type: ignore[arg-type]
        said = world.item_status("one")
        pending = world.state().get("pendingRecordSetChanges", [])
        named = {one["name"] for change in pending for one in change["affectedRecordSets"]}  # type: ignore[union-attr,index,call-overload]
        states.append((said is not None and said.provider is not None, named))
        return answer

    world.kubernetes.replace = replaced  # type: ignore[method-assign,assignment]
    world.clock.jump(world.settings.change_poll_first)
    await world.run()
    assert any({"one", "two"} == named for _, named in states)
    assert all(marked or "one" in named for marked, named in states)
    assert set(world.all_programmed().values()) == {"True Programmed"}


async def test_slices_are_written_while_a_batch_is_under_way() -> None:
    """Both take their time under load, and what comes meanwhile waits for both."""
    world = await with_slice(a("one"))
    await world.step()
    await world.set_items(a("one"), a("two"), resource=ZONE_UNIT_SLICES, key=SLICE)
    world.clock.jump(world.settings.change_poll_first)
    world.quiet()
    original, said = world.route53.change_record_sets, []

    async def slow(zone_id: str, changes: list[Change]) -> ChangeInfo:
        for _ in range(20):
            await asyncio.sleep(0)
        said.append(world.programmed("one"))
        return await original(zone_id, changes)

    world.route53.change_record_sets = slow  # type: ignore[method-assign]
    await world.step()
    assert said == ["True Programmed"]
    await world.run()
    assert set(world.all_programmed().values()) == {"True Programmed"}


@pytest.mark.spec("R53-WR-003")
async def test_a_crash_between_the_call_and_the_slices_orphans_nothing() -> None:
    world = await with_slice(a("one"))
    await world.step()
    await world.set_items(a("one"), a("two"), resource=ZONE_UNIT_SLICES, key=SLICE)
    world.clock.jump(world.settings.change_poll_first)
    world.kubernetes.fail(Fault(UnavailableError(0, "Timeout", "x"), "replace", ZONE_UNIT_SLICES))
    with pytest.raises(KubernetesError):
        await world.step()
    assert world.item_status("one") is None
    assert world.values("two.example.com") == ("192.0.2.1",)
    world.start()
    await world.run()
    assert set(world.all_programmed().values()) == {"True Programmed"}
    assert len(world.route53.batches) == 2


async def test_a_slice_that_cannot_be_written_does_not_hold_up_the_others() -> None:
    world = await with_slice(a("www"))
    other = slice_document("example-com-001")
    other["spec"]["recordSets"] = [a("api")]  # type: ignore[index,call-overload]
    world.put(ZONE_UNIT_SLICES, other)
    await world.step()
    world.clock.jump(world.settings.change_poll_first)
    world.kubernetes.fail(Fault(UnavailableError(0, "Timeout", "x"), "replace", ZONE_UNIT_SLICES, SLICE))
    with pytest.raises(KubernetesError):
        await world.step()
    assert world.programmed("www") == ""
    assert world.programmed("api") == "True Programmed"
    await world.run()
    assert set(world.all_programmed().values()) == {"True Programmed"}
    assert len(world.route53.batches) == 1


async def test_what_is_over_is_not_asked_about_again_while_a_slice_cannot_be_written() -> None:
    """Else each try would cost the account's budget a GetChange and a list for each change that is over."""
    world = await with_slice(a("one"))
    await world.step()
    await world.set_items(a("one"), a("two"), resource=ZONE_UNIT_SLICES, key=SLICE)
    world.clock.jump(world.settings.change_poll_first)
    world.kubernetes.fail(Fault(UnavailableError(0, "Timeout", "x"), "replace", ZONE_UNIT_SLICES, times=4))
    for tries in range(4):
        if tries == 1:
            world.quiet()
        with pytest.raises(KubernetesError):
            await world.step()
    assert not world.route53.calls
    await world.run()
    assert set(world.all_programmed().values()) == {"True Programmed"}


async def test_what_is_over_is_written_with_the_batch_that_goes_soon() -> None:
    """Else the batch would wait until it is written, and most slices would be written twice."""
    names = [f"n{number:02}" for number in range(60)]
    quick = replace(SETTINGS, change_poll_first=timedelta(seconds=0.5))
    world = await with_slice(*(a(name) for name in names), settings=quick)
    for name in names:
        world.claim(name)
    await world.run()
    world.clock.jump(timedelta(seconds=30))
    second = [a(name, "192.0.2.2", generation=2) for name in names]
    await world.set_items(*second, resource=ZONE_UNIT_SLICES, key=SLICE)
    await world.step()
    assert len(world.route53.batches) == 2
    world.clock.jump(timedelta(seconds=0.6))
    third = [a(name, "192.0.2.3", generation=3) for name in names[:30]]
    await world.set_items(*third, *second[30:], resource=ZONE_UNIT_SLICES, key=SLICE)
    world.quiet()

    wait = await world.step()
    assert world.route53.calls["GetChange"] == 1
    assert not world.kubernetes.writes()
    assert world.reasons() == []
    assert wait is not None
    assert wait <= world.settings.bulk_soon
    world.clock.jump(wait)
    await world.step()
    assert len(world.route53.batches) == 3
    assert world.kubernetes.writes()[("replace", "zoneunitslices/status")] == 1
    assert world.programmed("n59") == "True Programmed"
    assert world.programmed("n00") == "False ProviderChangePending"
    await world.run()
    assert set(world.all_programmed().values()) == {"True Programmed"}
    assert world.reasons().count("Route53RecordSetChangeInSync") == 90


async def test_a_leader_whose_clock_is_behind_says_that_a_change_is_under_way() -> None:
    world = await with_slice(a("www"))
    world.route53.auto_insync = False
    await world.step()
    world.clock.jump(-timedelta(minutes=5))
    world.start()
    await world.step()
    assert world.programmed("www") == "False ProviderChangePending"
    held = world.slice(SLICE.name)
    assert held.status.observed_generation == held.metadata.generation


async def test_what_a_slice_says_is_told_though_what_was_sent_could_not_be_stored() -> None:
    """The next round finds it written down, and has no news."""
    world = await with_slice(a("old"))
    for name in ("old", "two"):
        world.claim(name)
    await world.run()
    await world.set_items(leaving(a("old")), resource=ZONE_UNIT_SLICES, key=SLICE)
    await world.step()
    await world.set_items(leaving(a("old")), a("two"), resource=ZONE_UNIT_SLICES, key=SLICE)
    world.clock.jump(world.settings.change_poll_first)
    world.quiet()
    world.kubernetes.fail(Fault(UnavailableError(0, "Timeout", "x"), "replace", ZONE_UNITS, skip=1))
    with pytest.raises(KubernetesError):
        await world.step()
    await world.run()
    assert world.reasons().count("ExternalResourceDeleted") == 1
    assert world.reasons().count("Route53RecordSetChangeSubmitted") == 1


async def test_what_slices_say_is_told_though_the_unit_could_not_be_written() -> None:
    world = await with_slice(a("old"))
    world.claim("old")
    await world.run()
    await world.set_items(leaving(a("old")), resource=ZONE_UNIT_SLICES, key=SLICE)
    await world.step()
    world.clock.jump(world.settings.change_poll_first)
    world.quiet()
    world.kubernetes.fail(Fault(UnavailableError(0, "Timeout", "x"), "replace", ZONE_UNITS))
    with pytest.raises(KubernetesError):
        await world.step()
    await world.run()
    assert world.reasons().count("ExternalResourceDeleted") == 1


async def test_a_created_hosted_zone_is_told_of_though_its_id_could_not_be_written() -> None:
    world = World()
    world.kubernetes.fail(Fault(UnavailableError(0, "Timeout", "x"), "replace", ZONE_UNITS, skip=1))
    with pytest.raises(KubernetesError):
        await world.step()
    await world.run()
    assert world.reasons().count("Route53HostedZoneChangeSubmitted") == 1


async def test_what_was_sent_is_told_though_a_slice_could_not_be_written() -> None:
    world = await with_slice(a("one"))
    for name in ("one", "two"):
        world.claim(name)
    await world.step()
    await world.set_items(a("one"), a("two"), resource=ZONE_UNIT_SLICES, key=SLICE)
    world.clock.jump(world.settings.change_poll_first)
    world.quiet()
    world.kubernetes.fail(Fault(UnavailableError(0, "Timeout", "x"), "replace", ZONE_UNIT_SLICES))
    with pytest.raises(KubernetesError):
        await world.step()
    await world.run()
    assert world.reasons().count("Route53RecordSetChangeSubmitted") == 1
