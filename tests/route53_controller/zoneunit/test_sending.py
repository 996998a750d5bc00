"""A batch goes as soon as the ZoneUnit holds its intents: what the slices say of it comes afterwards."""

import pytest

from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.runtime.errors import KubernetesError, UnavailableError
from route53_controller.aws.api import Change, ChangeInfo
from tests.fakes.kubernetes import Fault
from tests.route53_controller.zoneunit.world import UNIT, World, a, slice_document

SLICE = ObjectKey(UNIT.namespace, "example-com-000")


async def with_slice(*items: JsonObject) -> World:
    world = World()
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
    assert world.kubernetes.writes()[("replace", "zoneunitslices/status")] == 2
    assert world.programmed("www") == "True Programmed"


async def test_what_is_over_is_written_down_by_its_items_before_the_state_forgets_it() -> None:
    world = await with_slice(a("one"))
    await world.step()
    assert world.item_status("one").provider is None  # type: ignore[union-attr]
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


@pytest.mark.spec("R53-WR-003")
async def test_a_crash_between_the_call_and_the_slices_orphans_nothing() -> None:
    world = await with_slice(a("www"))
    world.kubernetes.fail(Fault(UnavailableError(0, "Timeout", "x"), "replace", ZONE_UNIT_SLICES))
    with pytest.raises(KubernetesError):
        await world.step()
    assert world.values("www.example.com") == ("192.0.2.1",)
    world.start()
    await world.run()
    assert world.programmed("www") == "True Programmed"
    assert len(world.route53.batches) == 1


async def test_a_slice_that_cannot_be_written_does_not_hold_up_the_others() -> None:
    world = await with_slice(a("www"))
    other = slice_document("example-com-001")
    other["spec"]["recordSets"] = [a("api")]  # type: ignore[index,call-overload]
    world.put(ZONE_UNIT_SLICES, other)
    world.kubernetes.fail(Fault(UnavailableError(0, "Timeout", "x"), "replace", ZONE_UNIT_SLICES, SLICE))
    with pytest.raises(KubernetesError):
        await world.step()
    assert world.programmed("www") == ""
    assert world.programmed("api") == "False ProviderChangePending"
    await world.run()
    assert set(world.all_programmed().values()) == {"True Programmed"}
    assert len(world.route53.batches) == 1
