"""What one change costs by the size of its zone, through to verified: bytes at the API server, calls, CPU, time.

`python -m benchmarks.change` prints JSON lines: a row for each size, and the fitted exponents of growth. A small zone
(20 record sets) has no slice and pays for none. Sizes below 100 are left out of the fit.
"""

import argparse
import asyncio
import re
import time
from collections import Counter
from collections.abc import Sequence

from benchmarks.growth import PER_CHANGE_LIMIT, exponent
from benchmarks.machine import facts
from benchmarks.objects import platform, record, zone_of
from benchmarks.rig import (
    NAMESPACE,
    client_of,
    create_all,
    emit,
    object_writes,
    percentiles,
    progress,
    stack,
    until,
    usages,
)
from benchmarks.runs import summary
from e2e.conditions import has_condition
from e2e.kube import Kube
from e2e.stack.stack import Stack
from e2e.toolchain.endings import make_orderly
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.runtime.client import KubernetesClient

SIZES = (20, 100, 1000, 10000)
SMALLEST_FITTED = 100
CHANGES = 10
"""Changes of a run, spread evenly over the zone."""
QUIET_SECONDS = 0.7
"""Nothing called and nothing written for so long after it was verified: a change is over."""
VERIFIED = "ListResourceRecordSets"
"""The call that comes last of a change."""
LIMIT = 1800.0
API = "dns.appthrust.io/v1alpha1"
_BYTES = re.compile(
    r"^apiserver_(?P<what>request_body_size_bytes|response_sizes|watch_events_sizes)_sum"
    r"\{[^}]*group=\"[^\"]*dns\.appthrust\.io\",resource=\"(?P<resource>[^\"]*)\"[^}]*\} (?P<value>\S+)$"
)
_WRITTEN = "request_body_size_bytes"
PER_CHANGE = (
    "kubernetes_read_kib",
    "kubernetes_written_kib",
    "object_writes",
    "route53_calls",
    "change_p50_ms",
    "core_cpu_ms",
    "route53_cpu_ms",
)


def traffic(kube: Kube) -> Counter[str]:
    """Return the bytes that the API server has taken and given for objects of ours so far, watches included.

    Counted as "written" and "read", and as "written/<resource>" and "read/<resource>".
    """
    found: Counter[str] = Counter()
    for line in kube.text("/metrics").splitlines():
        match = _BYTES.match(line)
        if match is not None:
            direction, size = "written" if match["what"] == _WRITTEN else "read", int(float(match["value"]))
            found[direction] += size
            found[f"{direction}/{match['resource']}"] += size
    return found


class Bench:
    """One run."""

    def __init__(self, found: Stack, client: KubernetesClient) -> None:
        """Begin with no zone."""
        self.found = found
        self.kube = found.kube()
        self.client = client

    async def zone(self, size: int, runs: int) -> JsonObject:
        """Bring up a zone of a size, change it in so many runs, and return the row of their medians."""
        name = f"s{size}"
        self.kube.create(zone_of(name, f"{name}.example.com"))
        await create_all(self.client, RECORD_SETS, [record(i, name) for i in range(size)])
        await until(lambda: self._is_programmed(name), LIMIT, 2)
        progress(f"a zone of {size} is there")
        await self._quiet()
        slices = [found["spec"]["zoneUnitRef"]["name"] for found in self.kube.list(API, "ZoneUnitSlice", NAMESPACE)]
        rows = []
        for run in range(runs):
            before = self._counters()
            samples = [await self._change(name, (2 * i + 1) * size // (2 * CHANGES), run) for i in range(CHANGES)]
            rows.append(self._row(size, slices.count(name), before, samples))
        return summary(rows)

    def _row(self, size: int, slices: int, before: Counter[str], samples: Sequence[float]) -> JsonObject:
        spent = self._counters() - before
        figures: JsonObject = {
            "kubernetes_read_kib": round(spent["read"] / 1024 / CHANGES, 1),
            "kubernetes_written_kib": round(spent["written"] / 1024 / CHANGES, 1),
            "kubernetes_written_kib_by_kind": {
                what.removeprefix("written/"): round(count / 1024 / CHANGES, 1)
                for what, count in sorted(spent.items())
                if what.startswith("written/")
            },
            "object_writes": round(spent["writes"] / CHANGES, 2),
            "route53_calls": round(spent["calls"] / CHANGES, 2),
            "core_cpu_ms": round(spent["core"] / CHANGES, 1),
            "route53_cpu_ms": round(spent["route53"] / CHANGES, 1),
        }
        row: JsonObject = {"bench": "change", "case": "zone", "n": size, "slices": slices, "samples": len(samples)}
        return row | figures | percentiles(samples)

    def _counters(self) -> Counter[str]:
        found = traffic(self.kube)
        found["writes"] = sum(n for what, n in object_writes(self.kube).items() if "events" not in what)
        found["calls"] = sum(self.found.emulator.calls().values())
        for component, used in usages(self.found).items():
            found[component] = round(used.cpu_seconds * 1000)
        return found

    def _is_programmed(self, name: str) -> bool:
        claims = self.kube.list(API, "RecordSet", NAMESPACE)
        return all(has_condition(claim, "Programmed") for claim in claims if claim["spec"]["zoneRef"]["name"] == name)

    async def _change(self, zone: str, index: int, run: int) -> float:
        """Change one record's TTL; return the seconds until Route 53 has it, after it is verified."""
        last = max((batch.sequence for batch in self.found.emulator.log()), default=0)
        verified = self._verified()
        started = time.monotonic()
        key = ObjectKey(NAMESPACE, f"{zone}-r{index}")
        await self.client.merge_patch(RECORD_SETS, key, {"spec": {"ttl": 1000 + run}})
        await until(lambda: bool(self.found.emulator.log(last)), 60, 0.01)
        seconds = time.monotonic() - started
        await until(lambda: self._verified() > verified, 60, 0.1)
        await self._quiet()
        return seconds

    def _verified(self) -> int:
        return self.found.emulator.calls().get(VERIFIED, 0)

    async def _quiet(self) -> None:
        """Wait until nothing was called and nothing was written for a while."""

        def done() -> tuple[int, int]:
            return sum(self.found.emulator.calls().values()), sum(object_writes(self.kube).values())

        before = done()
        while True:
            await asyncio.sleep(QUIET_SECONDS)
            if (now := done()) == before:
                return
            before = now


async def run(sizes: Sequence[int], runs: int) -> None:
    """Measure all sizes."""
    emit(facts())
    with stack() as found:
        client = await client_of(found)
        try:
            bench = Bench(found, client)
            for document in platform()[:-1]:
                bench.kube.create(document)
            rows = []
            for size in sizes:
                rows.append(await bench.zone(size, runs))
                emit(rows[-1])
        finally:
            await client.close()
    fit(rows)


def fit(rows: Sequence[JsonObject]) -> None:
    """Print how the cost of a change grows with its zone."""
    fitted = [row for row in rows if int(str(row["n"])) >= SMALLEST_FITTED]
    if len(fitted) < 2:
        return
    grown: JsonObject = {}
    for name in PER_CHANGE:
        points = [(float(str(row["n"])), max(0.1, float(str(row[name])))) for row in fitted]
        grown[f"{name}_exponent"] = round(exponent(points), 3)
    good = all(float(str(grown[f"{name}_exponent"])) < PER_CHANGE_LIMIT for name in PER_CHANGE)
    row: JsonObject = {
        "bench": "change",
        "case": "growth",
        "n": fitted[-1]["n"],
        "limit": PER_CHANGE_LIMIT,
        "within_limit": good,
    }
    emit(row | grown)


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--runs", type=int, default=1, help="of ten changes each, at every size")
    options = parser.parse_args()
    make_orderly()
    asyncio.run(run(options.sizes, options.runs))


if __name__ == "__main__":
    main()
