"""What one changed claim costs core in a settled zone, by the size of the zone: gathering and planning, no server.

`python -m benchmarks.plan [--runs K]` prints JSON lines, medians of so many runs: milliseconds of CPU a pass at three
sizes, and the fitted exponent of growth (0 means that the zone's size does not matter). The caches are fed through an
API server in memory.
"""

import argparse
import asyncio
import statistics
import time

from benchmarks.growth import PER_CHANGE_LIMIT
from benchmarks.machine import facts
from benchmarks.rig import emit
from benchmarks.runs import growth, summary
from core_controller.zoneunit.plan import plan
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.meta import JsonObject, ObjectKey
from tests.core_controller.zoneunit.objects import ZONE, platform, record_set, zone
from tests.core_controller.zoneunit.world import World

SIZES = (100, 1000, 10000)
PASSES = 50
FULL_PASSES = 3


async def settled(size: int) -> World:
    """Return a world with one programmed zone of that many record sets."""
    world = World()
    world.put(*platform(), zone(), *(record_set(f"r{i}") for i in range(size)))
    await world.settle()
    return world


async def one_change(world: World, size: int) -> list[float]:
    """Return the CPU seconds of passes that each see one edited claim."""
    spent = []
    for i in range(PASSES):
        name = f"r{(i * 37) % size}"
        await world.edit(RECORD_SETS, ObjectKey(ZONE.namespace, name), {"spec": {"ttl": 1000 + i}})
        raw = await world.api.get(RECORD_SETS, ObjectKey(ZONE.namespace, name))
        world.caches.record_sets.observe(raw)
        started = time.process_time()
        snapshot = await world.gatherer.snapshot(ZONE, frozenset({name}), world.clock.now())
        decided = plan(snapshot)
        spent.append(time.process_time() - started)
        assert decided.actions
    return spent


async def full(world: World) -> list[float]:
    """Return the CPU seconds of passes over all names, as after a start or a change of policy."""
    spent = []
    for _ in range(FULL_PASSES):
        started = time.process_time()
        names = world.gatherer.all_names(ZONE)
        plan(await world.gatherer.snapshot(ZONE, names, world.clock.now()))
        spent.append(time.process_time() - started)
    return spent


async def measured(world: World, size: int) -> JsonObject:
    """Return the row of one run."""
    single, whole = statistics.median(await one_change(world, size)), statistics.median(await full(world))
    return {
        "bench": "plan",
        "case": "core",
        "n": size,
        "change_ms": round(single * 1000, 3),
        "full_pass_ms": round(whole * 1000, 1),
        "full_pass_us_per_claim": round(whole / size * 1e6, 1),
    }


async def run(runs: int) -> None:
    """Measure all sizes."""
    emit(facts())
    rows: list[JsonObject] = []
    for size in SIZES:
        world = await settled(size)
        rows.append(summary([await measured(world, size) for _ in range(runs)]))
        emit(rows[-1])
    fitted = growth(rows, "change_ms")
    row: JsonObject = {
        "bench": "plan",
        "case": "core-growth",
        "n": SIZES[-1],
        "limit": PER_CHANGE_LIMIT,
        "change_exponent": fitted,
    }
    emit(row | {"within_limit": fitted < PER_CHANGE_LIMIT})


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    asyncio.run(run(parser.parse_args().runs))


if __name__ == "__main__":
    main()
