"""What one changed claim costs core in a settled zone, by the size of the zone: gathering and planning, no server.

`python -m benchmarks.plan` prints JSON lines: milliseconds of CPU a pass at three sizes, and the fitted exponent of
growth (0 means that the zone's size does not matter). The caches are fed through an API server in memory.
"""

import asyncio
import statistics
import time

from benchmarks.growth import exponent
from benchmarks.machine import facts
from benchmarks.rig import emit
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


async def run() -> None:
    """Measure all sizes."""
    emit(facts())
    singles: list[float] = []
    for size in SIZES:
        world = await settled(size)
        single, whole = statistics.median(await one_change(world, size)), statistics.median(await full(world))
        singles.append(single)
        row: JsonObject = {
            "bench": "plan",
            "case": "core",
            "n": size,
            "change_ms": round(single * 1000, 3),
            "full_pass_ms": round(whole * 1000, 1),
            "full_pass_us_per_claim": round(whole / size * 1e6, 1),
        }
        emit(row)
    emit(
        {
            "bench": "plan",
            "case": "core-growth",
            "change_exponent": round(exponent(zip(SIZES, singles, strict=True)), 3),
        }
    )


if __name__ == "__main__":
    asyncio.run(run())
