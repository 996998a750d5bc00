"""One zone from nothing to settled, then one change at a time, under load, a restart, and rest.

`python -m benchmarks.zone --records 10000` prints JSON lines. Everything runs on this machine: etcd, API server,
emulator and the three services. A change's latency is from the PATCH to the moment at which Route 53 has it.
"""

import argparse
import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from pydantic import JsonValue

from benchmarks.growth import exponent
from benchmarks.machine import facts
from benchmarks.objects import platform, record
from benchmarks.rig import (
    NAMESPACE,
    client_of,
    counts,
    create_all,
    deadline,
    emit,
    in_parallel,
    object_writes,
    percentiles,
    progress,
    stack,
    until,
    usages,
)
from benchmarks.runs import summary
from benchmarks.tracks import Sample, Tracks
from e2e.stack.bringup import await_service
from e2e.stack.services import CORE, ROUTE53
from e2e.stack.stack import Stack
from e2e.toolchain.endings import make_orderly
from libdnsapi.api.dns.recordset import RECORD_SETS, RecordSet
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.runtime.client import KubernetesClient
from libdnsapi.runtime.informer import Informer
from libdnsapi.runtime.store import Change

LIMIT = 1800.0
MINUTES = 20.0
PAUSE_SECONDS = 1.5
"""Between two changes on an idle zone: one is verified in the meantime."""
CHANGES = 36
PROBES = 24
ROUNDS = 3
"""How often single changes are measured, on the same zone."""
PARTS = (10, 3, 1)
"""A tenth, a third and all of the record sets: how the bulk load grows is fitted over the time until each."""


@dataclass
class Watcher:
    """Counts the programmed record sets as their watch tells, and when a record set last was."""

    programmed: set[ObjectKey] = field(default_factory=set)
    reached: list[float] = field(default_factory=list)
    """When there were one, two, three ... of them for the first time."""
    generations: dict[ObjectKey, int] = field(default_factory=dict)

    def note(self, change: Change[RecordSet]) -> None:
        """Take in a change."""
        claim = change.new
        good = claim is not None and any(
            c.type == "Programmed" and c.status == "True" and c.observed_generation == claim.metadata.generation
            for c in claim.status.conditions
        )
        if good and claim is not None:
            if change.key not in self.programmed and len(self.programmed) == len(self.reached):
                self.reached.append(time.monotonic())
            self.programmed.add(change.key)
            self.generations[change.key] = claim.metadata.generation
        else:
            self.programmed.discard(change.key)


class Bench:
    """The parts of one run."""

    def __init__(self, found: Stack, client: KubernetesClient, records: int, round_count: int) -> None:
        """Tie a stack to a number of records."""
        self.round_count = round_count
        self.found = found
        self.kube = found.kube()
        self.client = client
        self.records = records
        self.watcher = Watcher()
        self.sequence = 0

    def of(self, case: str, **figures: JsonValue) -> JsonObject:
        """Return one row."""
        row: JsonObject = {"bench": "zone", "case": case, "n": self.records}
        return row | figures

    def row(self, case: str, **figures: JsonValue) -> None:
        """Print one row."""
        emit(self.of(case, **figures))

    async def cold(self) -> None:
        """Create everything and wait until all is programmed."""
        for document in platform():
            self.kube.create(document)
        writes, calls = object_writes(self.kube), Counter(self.found.emulator.calls())
        before = usages(self.found)
        started = time.monotonic()
        await create_all(self.client, RECORD_SETS, [record(i) for i in range(self.records)])
        applied = time.monotonic() - started
        progress(f"{self.records} claims applied in {applied:.1f} s")
        await until(lambda: len(self.watcher.programmed) >= self.records, LIMIT)
        seconds = time.monotonic() - started
        sizes = [self.records // part for part in PARTS]
        reached = [self.watcher.reached[size - 1] - started for size in sizes]
        spent = object_writes(self.kube) - writes
        after = usages(self.found)
        events = sum(count for name, count in spent.items() if "events" in name)
        total = sum(spent.values()) - self.records
        self.row(
            "cold",
            applied_seconds=round(applied, 1),
            cold_seconds=round(seconds, 1),
            object_writes_per_claim=round((total - events) / self.records, 2),
            writes_with_events_per_claim=round(total / self.records, 2),
            kubernetes_writes=counts(dict(spent.most_common())),
            route53_calls=counts(Counter(self.found.emulator.calls()) - calls),
            **{f"{name}_cpu_seconds": round(after[name].cpu_seconds - before[name].cpu_seconds, 1) for name in after},
            **{f"{name}_rss_mib": round(after[name].rss_mib) for name in after},
            **{f"{name}_peak_mib": round(after[name].peak_mib) for name in after},
        )

        figures: JsonObject = {f"programmed_{n}_seconds": round(at, 1) for n, at in zip(sizes, reached, strict=True)}
        fitted = round(exponent(zip(sizes, reached, strict=True)), 3)
        self.row("cold-growth", **figures, cold_seconds_exponent=fitted)

    async def rounds(self, one: Callable[[int], Awaitable[tuple[JsonObject, Sequence[float]]]]) -> None:
        """Measure several rounds, print a row for each, and then the medians, with all samples taken together."""
        rows: list[JsonObject] = []
        samples: list[float] = []
        for number in range(1, self.round_count + 1):
            row, found = await one(number)
            rows.append(row)
            samples += found
            emit(row | {"round": number})
            await until(lambda: len(self.watcher.programmed) >= self.records, 300)
        if len(rows) > 1:
            emit(summary(rows) | {"round": "all"} | percentiles(samples, "all_changes"))

    async def change(self, index: int, ttl: int) -> float:
        """Change one record's TTL; return the seconds until Route 53 has it."""
        self.sequence = max((batch.sequence for batch in self.found.emulator.log(self.sequence)), default=self.sequence)
        started = time.monotonic()
        key = ObjectKey(NAMESPACE, f"zone-r{index}")
        await self.client.merge_patch(RECORD_SETS, key, {"spec": {"ttl": ttl}})
        name = f"r{index}.bench.example.com"

        def arrived() -> bool:
            return any(
                one.action == "CREATE" and one.record_set.name.rstrip(".") == name and one.record_set.ttl == ttl
                for batch in self.found.emulator.log(self.sequence)
                for one in batch.changes
            )

        await until(arrived, 60, 0.01)
        return time.monotonic() - started

    async def idle(self, number: int) -> tuple[JsonObject, Sequence[float]]:
        """Measure changes one after the other."""
        samples = []
        for i in range(CHANGES):
            samples.append(await self.change((i * 37 + 11) % self.records, 10_000 * number + i))
            await asyncio.sleep(PAUSE_SECONDS)
        return self.of("change-idle", samples=CHANGES, **percentiles(samples)), samples

    async def one_change_calls(self) -> None:
        """Count the calls of one change through to INSYNC and verified."""
        await until(lambda: len(self.watcher.programmed) >= self.records, 120)
        self.found.emulator.reset_counters()
        await self.change(5, 4321)
        await until(lambda: len(self.watcher.programmed) >= self.records, 120)
        await asyncio.sleep(3)
        self.row("one-change", route53_calls=counts(self.found.emulator.calls()))

    async def under_load(self, number: int) -> tuple[JsonObject, Sequence[float]]:
        """Measure changes while 1,000 others change: one every half second, whether or not the one before is there."""
        self.found.emulator.reset_counters()
        others = range(self.records - min(1000, self.records // 2), self.records)
        burst = asyncio.create_task(in_parallel([partial(self._edit, i, 76 + number) for i in others], 8))
        samples: list[Sample] = []
        probes = []
        async with Tracks(self.found, self.client).following() as tracks:
            for i in range(PROBES):
                await asyncio.sleep(0.5)
                probes.append(
                    asyncio.create_task(self._probe(tracks, (i * 37 + 11) % others.start, 100_000 * number + i))
                )
            samples = await asyncio.gather(*probes)
            await burst
        seconds = await until(lambda: len(self.watcher.programmed) >= self.records, 300)
        times = [sample.route53 for sample in samples]
        row = self.of(
            "change-under-load",
            samples=len(samples),
            others=len(others),
            **percentiles(times),
            **percentiles([sample.ledger for sample in samples], "ledger"),
            settled_seconds=round(seconds, 1),
            route53_calls=counts(self.found.emulator.calls()),
        )
        return row, times

    async def _edit(self, index: int, ttl: int) -> None:
        await self.client.merge_patch(RECORD_SETS, ObjectKey(NAMESPACE, f"zone-r{index}"), {"spec": {"ttl": ttl}})

    async def _probe(self, tracks: Tracks, index: int, ttl: int) -> Sample:
        started = time.monotonic()
        await self._edit(index, ttl)
        return await tracks.of(f"r{index}.bench.example.com", ttl, started)

    async def restart(self) -> None:
        """Kill core and provider and measure what a restart costs."""
        writes = object_writes(self.kube)
        self.found.emulator.reset_counters()
        for service in (CORE, ROUTE53):
            self.found.kill(service)
        started = time.monotonic()
        for service in (CORE, ROUTE53):
            self.found.runner.start(service)
            await asyncio.to_thread(await_service, self.found.runner, service)
        synced = time.monotonic() - started
        await asyncio.sleep(20)
        after = usages(self.found)
        self.row(
            "restart",
            synced_seconds=round(synced, 1),
            kubernetes_writes=counts(object_writes(self.kube) - writes),
            route53_calls=counts(self.found.emulator.calls()),
            **{f"{name}_cpu_seconds": round(after[name].cpu_seconds, 1) for name in ("core", "route53")},
            **{f"{name}_rss_mib": round(after[name].rss_mib) for name in ("core", "route53")},
        )

    async def rest(self, seconds: float = 30) -> None:
        """Measure a settled stack."""
        writes, before = object_writes(self.kube), usages(self.found)
        self.found.emulator.reset_counters()
        await asyncio.sleep(seconds)
        after = usages(self.found)
        self.row(
            "rest",
            seconds=seconds,
            kubernetes_writes=counts(object_writes(self.kube) - writes),
            route53_calls=counts(self.found.emulator.calls()),
            **{
                f"{name}_cpu_percent": round((after[name].cpu_seconds - before[name].cpu_seconds) / seconds * 100, 2)
                for name in after
            },
            **{f"{name}_rss_mib": round(after[name].rss_mib) for name in after},
        )


CASES: dict[str, Callable[[Bench], Awaitable[None]]] = {
    "rest-after-bulk": Bench.rest,
    "one-change": Bench.one_change_calls,
    "change-idle": lambda bench: bench.rounds(bench.idle),
    "change-under-load": lambda bench: bench.rounds(bench.under_load),
    "restart": Bench.restart,
    "rest": Bench.rest,
}
"""What is measured of a zone, in this order, once all its record sets are programmed."""


async def run(records: int, round_count: int, cases: Sequence[str]) -> None:
    """Run cases on one stack."""
    emit(facts())
    with stack() as found:
        client = await client_of(found)
        bench = Bench(found, client, records, round_count)
        informer = Informer(client, RECORD_SETS, RecordSet, namespace=NAMESPACE)
        informer.add_listener(bench.watcher.note)
        following = asyncio.create_task(informer.run())
        try:
            await bench.cold()
            for case in cases:
                await CASES[case](bench)
        finally:
            following.cancel()
            await client.close()


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=10000)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of single changes")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="after so many, all is ended")
    parser.add_argument("--cases", nargs="*", choices=list(CASES), default=list(CASES))
    options = parser.parse_args()
    make_orderly()
    with deadline(60 * options.minutes):
        asyncio.run(run(options.records, options.rounds, options.cases))


if __name__ == "__main__":
    main()
