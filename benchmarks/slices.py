"""What the size of ledger objects and the collecting of changes cost on a real API server.

`python -m benchmarks.slices` prints JSON lines. Objects are written as the controllers write them, by their accounts;
the controllers themselves are away. `write`: one changed item in an object of so many. `burst`: changes that come at
an even rate, spread over a zone's slices, each collected for so long before the objects it touches are written.
"""

import argparse
import asyncio
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import orjson

from benchmarks.machine import facts
from benchmarks.objects import platform
from benchmarks.rig import NAMESPACE, Usage, client_of, emit, percentiles, progress, stack, usages
from benchmarks.runs import growth, summary
from e2e.stack.services import CORE, ROUTE53
from e2e.stack.stack import Stack
from e2e.toolchain import daemons
from e2e.toolchain.endings import make_orderly
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.runtime.client import KubernetesClient
from libdnsapi.runtime.connection import connect

SIZES = (25, 50, 100, 200, 400)
CHANGES = 30
ZONE = 2000
"""Items of the zone that a burst changes."""
RATE = 20.0
SECONDS = 8.0
WINDOWS = (0.0, 0.05, 0.1, 0.2)
GROWING = ("object_kib", "spec_put_ms", "status_put_ms", "apiserver_cpu_ms_per_change")
STATUS_TIME = "2026-01-01T00:00:00Z"


def item(index: int, ttl: int = 300) -> JsonObject:
    """Return an item of the ledger."""
    return {
        "recordSetNamespace": NAMESPACE,
        "recordSetName": f"zone-r{index}",
        "observedGeneration": 1,
        "name": f"r{index}",
        "type": "A",
        "ttl": ttl,
        "a": {"addresses": [f"10.{index >> 16 & 255}.{index >> 8 & 255}.{index & 255}"]},
    }


def item_status(index: int, generation: int = 1) -> JsonObject:
    """Return what the provider says of an item."""
    conditions: list[JsonObject] = [
        {
            "type": type_,
            "status": "True",
            "reason": type_,
            "message": message,
            "observedGeneration": generation,
            "lastTransitionTime": STATUS_TIME,
        }
        for type_, message in (
            ("Accepted", "Accepted by the Route 53 controller."),
            ("Programmed", "The record set stands in Route 53 as desired."),
        )
    ]
    state: JsonObject = {
        "hostedZoneID": "Z0123456789ABCDEFGHIJ",
        "recordName": f"r{index}.bench.example.com.",
        "recordType": "A",
    }
    return {
        "recordSetNamespace": NAMESPACE,
        "recordSetName": f"zone-r{index}",
        "observedGeneration": generation,
        "provider": {"state": state},
        "conditions": [*conditions],
    }


@dataclass
class Piece:
    """One slice and who writes it."""

    core: KubernetesClient
    provider: KubernetesClient
    key: ObjectKey
    body: JsonObject = field(default_factory=dict)

    async def create(self, first: int, count: int) -> None:
        """Write it with items and statuses, as it stands after a while."""
        items: list[JsonObject] = [item(first + i) for i in range(count)]
        body: JsonObject = {
            "metadata": {"name": self.key.name, "namespace": NAMESPACE},
            "spec": {"zoneUnitRef": {"name": "zone"}, "recordSets": [*items]},
        }
        self._take(await self.core.create(ZONE_UNIT_SLICES, NAMESPACE, body))
        await self.put_spec(0, 301)
        await self.put_status(first, count, 1)

    async def put_spec(self, position: int, ttl: int) -> None:
        """Change one item, as core does."""
        body: JsonObject = orjson.loads(orjson.dumps(self.body))
        body.pop("status", None)
        body["metadata"]["managedFields"] = [{}]  # type: ignore[index, call-overload]
        body["spec"]["recordSets"][position]["ttl"] = ttl  # type: ignore[index, call-overload]
        self._take(await self.core.replace(ZONE_UNIT_SLICES, self.key, body))

    async def put_status(self, first: int, count: int, generation: int) -> None:
        """Write the statuses, the first one of a new generation, as the provider does."""
        statuses = [item_status(first, generation), *(item_status(first + i) for i in range(1, count))]
        status: JsonObject = {"observedGeneration": 1, "recordSets": [*statuses]}
        body = self.body | {"status": status}
        self._take(await self.provider.replace(ZONE_UNIT_SLICES, self.key, body, subresource="status"))

    def _take(self, raw: bytes) -> None:
        self.body = orjson.loads(raw)

    @property
    def bytes(self) -> int:
        """The size of the object as JSON, without managedFields."""
        return len(orjson.dumps(self.body))


class Bench:
    """One run."""

    def __init__(self, found: Stack, core: KubernetesClient, provider: KubernetesClient) -> None:
        """Write as both controllers."""
        self.found = found
        self.core = core
        self.provider = provider

    def server(self) -> Usage:
        """Return what the API server has used."""
        return usages(self.found, ())["kube-apiserver"]

    async def write(self, size: int, runs: int) -> JsonObject:
        """Measure single changes in an object of so many items; return the row of the runs' medians."""
        row = summary([await self._write(size) for _ in range(runs)])
        emit(row)
        return row

    async def _write(self, size: int) -> JsonObject:
        piece = Piece(self.core, self.provider, ObjectKey(NAMESPACE, f"write-{size}"))
        await piece.create(0, size)
        cpu, specs, statuses = self.server().cpu_seconds, [], []
        for change in range(CHANGES):
            started = time.monotonic()
            await piece.put_spec(change % size, 1000 + change)
            specs.append(time.monotonic() - started)
            started = time.monotonic()
            await piece.put_status(0, size, change + 2)
            statuses.append(time.monotonic() - started)
        spent = (self.server().cpu_seconds - cpu) / CHANGES
        row: JsonObject = {
            "bench": "slices",
            "case": "write",
            "n": size,
            "object_kib": round(piece.bytes / 1024, 1),
            "spec_put_ms": round(statistics.median(specs) * 1000, 1),
            "status_put_ms": round(statistics.median(statuses) * 1000, 1),
            "apiserver_cpu_ms_per_change": round(spent * 1000, 1),
            "objects_for_10000": -(-10000 // size),
        }
        await self.core.delete(ZONE_UNIT_SLICES, piece.key)
        return row

    async def burst(self, size: int, windows: Sequence[float]) -> None:
        """Measure changes that come at an even rate, by how long each is collected."""
        pieces = [Piece(self.core, self.provider, ObjectKey(NAMESPACE, f"b{size}-{i}")) for i in range(ZONE // size)]
        for number, piece in enumerate(pieces):
            await piece.create(number * size, size)
        for window in windows:
            await self._burst(pieces, size, window)
        for piece in pieces:
            await self.core.delete(ZONE_UNIT_SLICES, piece.key)

    async def _burst(self, pieces: Sequence[Piece], size: int, window: float) -> None:
        order, started, cpu = random.Random(1), time.monotonic(), self.server().cpu_seconds  # noqa: S311 - no secret
        arrivals = [(n / RATE, order.randrange(ZONE)) for n in range(int(RATE * SECONDS))]
        samples: list[float] = []
        puts = 0
        while arrivals:
            await asyncio.sleep(max(0.0, arrivals[0][0] + window - (time.monotonic() - started)))
            now = time.monotonic() - started
            taken = [arrival for arrival in arrivals if arrival[0] <= now]
            arrivals = arrivals[len(taken) :]
            touched = {index // size: index % size for _, index in taken}
            await asyncio.gather(*(pieces[n].put_spec(position, 500 + puts) for n, position in touched.items()))
            puts += len(touched)
            done = time.monotonic() - started
            samples += [done - at for at, _ in taken]
        row: JsonObject = {
            "bench": "slices",
            "case": "burst",
            "n": size,
            "window_ms": round(window * 1000),
            "changes_per_second": RATE,
            "object_puts": puts,
            "apiserver_cpu_seconds": round(self.server().cpu_seconds - cpu, 2),
        }
        emit(row | percentiles(samples))


async def run(sizes: Sequence[int], runs: int) -> None:
    """Measure all sizes."""
    emit(facts())
    with stack() as found:
        admin = await client_of(found)
        clients = [
            KubernetesClient(await connect(str(found.layout.kubeconfig(service.name))), field_manager=service.name)
            for service in (CORE, ROUTE53)
        ]
        try:
            found.kube().create(platform()[0])
            for service in (CORE, ROUTE53):
                daemons.stop_recorded(service.name, found.layout.pids)
            bench = Bench(found, *clients)
            rows = [await bench.write(size, runs) for size in sizes]
            if len(sizes) > 1:
                fitted: JsonObject = {f"{name}_exponent": growth(rows, name) for name in GROWING}
                row: JsonObject = {"bench": "slices", "case": "write-growth", "n": sizes[-1]}
                emit(row | fitted)
            for size in sizes:
                progress(f"bursts on slices of {size}")
                await bench.burst(size, WINDOWS if size == 100 else (0.0,))
        finally:
            for client in (admin, *clients):
                await client.close()


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--runs", type=int, default=3, help="of the single changes")
    options = parser.parse_args()
    make_orderly()
    asyncio.run(run(options.sizes, options.runs))


if __name__ == "__main__":
    main()
