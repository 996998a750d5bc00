"""How many calls things may cost. The numbers are promises."""

from datetime import timedelta

import pytest

from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ObjectKey
from tests.route53_controller.zoneunit.world import UNIT, World, a, slice_document

PER_SLICE = 100


async def fill(world: World, count: int) -> None:
    """Place so many items in slices."""
    for start in range(0, count, PER_SLICE):
        document = slice_document(f"example-com-{start // PER_SLICE:03d}")
        document["spec"]["recordSets"] = slice_items(start, min(count, start + PER_SLICE))  # type: ignore[index,call-overload]
        world.kubernetes.seed(ZONE_UNIT_SLICES, document)
    world.sync()


def slice_items(start: int, end: int) -> list[JsonObject]:
    return [a(f"n{number:05d}", f"192.0.2.{number % 250}") for number in range(start, end)]


def total(world: World) -> int:
    return sum(world.route53.calls.values())


@pytest.mark.spec("R53-WR-013")
async def test_a_thousand_new_records_in_a_new_zone_cost_at_most_12_calls() -> None:
    """Case 84."""
    world = World()
    await fill(world, 1000)
    await world.run()
    assert set(world.all_programmed().values()) == {"True Programmed"}
    assert len(world.all_programmed()) == 1000
    assert total(world) <= 12
    writes = world.kubernetes.writes()
    assert writes[("replace", "zoneunitslices/status")] <= 30
    assert writes[("replace", "zoneunits/status")] <= 8


@pytest.mark.spec("R53-OB-009", "R53-OB-010")
async def test_a_zone_of_10_000_record_sets_keeps_its_promises() -> None:
    """Case 62."""
    world = World()
    await fill(world, 10_000)
    await world.run(rounds=100)
    assert set(world.all_programmed().values()) == {"True Programmed"}

    world.quiet()
    key = ObjectKey(UNIT.namespace, "example-com-050")
    items = [a("n05000", "198.51.100.1", generation=2), *slice_items(5001, 5100)]
    await world.set_items(*items, resource=ZONE_UNIT_SLICES, key=key)
    await world.run()
    assert world.values("n05000.example.com") == ("198.51.100.1",)
    assert total(world) <= 4
    assert world.kubernetes.writes()[("replace", "zoneunitslices/status")] <= 2

    world.quiet()
    world.start()
    await world.run()
    assert total(world) <= 37
    assert world.route53.calls["ChangeResourceRecordSets"] == 0
    assert not world.kubernetes.writes()

    world.quiet()
    await world.pass_time(timedelta(minutes=12))
    assert 0 < total(world) <= 37
    assert not world.kubernetes.writes()


@pytest.mark.spec("R53-WR-014")
@pytest.mark.parametrize(("seconds", "calls"), [(0, 30), (10, 30), (25, 30), (60, 40)])
async def test_a_thousand_records_that_arrive_one_by_one_cost_at_most_30_calls(seconds: int, calls: int) -> None:
    """But for those that take a minute: to collect them for longer would have them wait."""
    world = World()
    await world.run()
    world.quiet()
    for start in range(0, 1000, 20):
        key = ObjectKey(UNIT.namespace, f"example-com-{start // PER_SLICE:03d}")
        if start % PER_SLICE == 0:
            world.put(ZONE_UNIT_SLICES, slice_document(key.name))
        await world.set_items(*slice_items(start - start % PER_SLICE, start + 20), resource=ZONE_UNIT_SLICES, key=key)
        await world.step()
        world.clock.jump(timedelta(seconds=seconds / 50))
    await world.run()
    assert set(world.all_programmed().values()) == {"True Programmed"}
    assert total(world) <= calls


@pytest.mark.spec("R53-WR-007")
async def test_the_ledger_stays_within_the_limits_of_what_is_in_flight() -> None:
    world = World()
    await world.run()
    world.route53.auto_insync = False
    await fill(world, 2500)
    await world.step()
    changes = world.state()["pendingRecordSetChanges"]
    assert isinstance(changes, list)
    assert sum(len(change["affectedRecordSets"]) for change in changes) <= 1000  # type: ignore[index,call-overload,arg-type]
    counts = list(world.all_programmed().values())
    assert counts.count("False ProviderChangeDeferred") == 1500
    world.route53.auto_insync = True
    await world.run()
    assert set(world.all_programmed().values()) == {"True Programmed"}
    assert len(str(world.kubernetes.read(ZONE_UNITS, UNIT))) < 512 * 1024
