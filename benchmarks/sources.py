"""`python -m benchmarks.sources [--routes N] [--server [--sizes N,N,N]]`: HTTPRoutes on 50 Gateways to RecordSets.

The API server is the one in memory, so the figures are the controller's own: start-up until every RecordSet
stands, and the time from a change of one route to its RecordSet's. Prints one JSON line. With `--server` it is a real
one: see `benchmarks.sources_server`.
"""

import argparse
import asyncio
import resource
import statistics
import sys
import time
from collections.abc import Callable

import orjson

from benchmarks import sources_server
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime.clock import SystemClock
from tests.core_controller.sources.world import GATEWAYS, HTTP_ROUTES, World, gateway, http_route

GATEWAY_COUNT = 50
CHANGES = 100
ENOUGH = 600.0


async def measure(routes: int) -> dict[str, float]:
    """Return the figures."""
    world = World()
    world.use(SystemClock())
    world.install(HTTP_ROUTES, GATEWAYS)
    world.zone("example.com")
    world.cluster_provider("main", "example-com")
    for number in range(GATEWAY_COUNT):
        world.put(GATEWAYS, gateway(f"gw{number}", addresses=(f"192.0.2.{number}",)))
    for number in range(routes):
        world.put(HTTP_ROUTES, _route(number, f"h{number}.example.com"))
    first = await _start(world, routes)
    latencies = [await _change(world, number) for number in range(CHANGES)]
    return {
        "routes": routes,
        "start_seconds": round(first, 2),
        "change_p50_ms": round(statistics.median(latencies) * 1000, 1),
        "change_p95_ms": round(sorted(latencies)[int(CHANGES * 0.95)] * 1000, 1),
        "peak_rss_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }


def _route(number: int, host: str, generation: int = 1) -> dict[str, object]:
    return http_route(f"r{number}", hosts=(host,), gateway=f"gw{number % GATEWAY_COUNT}", generation=generation)


async def _start(world: World, routes: int) -> float:
    began = time.perf_counter()
    await world.start(settled=False)
    await _until(lambda: len(world.api.keys(RECORD_SETS)) >= routes)
    return time.perf_counter() - began


async def _change(world: World, number: int) -> float:
    """Give one route another name and wait until the new RecordSet stands and the old one is gone."""
    host = f"changed{number}.example.com"
    began = time.perf_counter()
    world.put(HTTP_ROUTES, _route(number, host, generation=2))
    wanted = f"changed{number}.example.com-a-"
    await _until(lambda: any(_names(world, wanted)))
    return time.perf_counter() - began


def _names(world: World, prefix: str) -> list[ObjectKey]:
    return [key for key in world.api.keys(RECORD_SETS)[:500] if key.name.startswith(prefix)]


async def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + ENOUGH
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError
        await asyncio.sleep(0.002)


def main() -> int:
    """Read the options, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--routes", type=int, default=5000)
    parser.add_argument("--server", action="store_true")
    parser.add_argument("--sizes", default=",".join(map(str, sources_server.SIZES)))
    options = parser.parse_args()
    if options.server:
        asyncio.run(sources_server.run(tuple(map(int, options.sizes.split(",")))))
    else:
        sys.stdout.write(orjson.dumps(asyncio.run(measure(options.routes))).decode() + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
