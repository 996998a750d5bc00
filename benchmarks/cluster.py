"""A cluster of many zones that are settled when the controllers start: start-up, memory, one change, and how they grow.

`python -m benchmarks.cluster --zones 200 --records 100000` prints JSON lines. One zone is brought up by the controllers
themselves; the others are copies of its stored objects and of its hosted zone, made while the controllers are away. So
the start is what is measured, not the creation: at a quarter, at half and at all of the zones.
"""

import argparse
import asyncio
import time
from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from benchmarks.copies import Template, hosted_zones
from benchmarks.etcd import Etcd, etcd_of
from benchmarks.machine import facts
from benchmarks.objects import platform, record
from benchmarks.rig import (
    NAMESPACE,
    client_of,
    counts,
    create_all,
    deadline,
    emit,
    object_writes,
    percentiles,
    progress,
    stack,
    until,
    usage,
    usages,
)
from benchmarks.runs import growth
from e2e.conditions import has_condition
from e2e.stack.bringup import await_service
from e2e.stack.services import CORE, ROUTE53
from e2e.stack.stack import Stack
from e2e.toolchain import daemons
from e2e.toolchain.endings import make_orderly
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.runtime.client import KubernetesClient

TEMPLATE = "z0"
SETTLED_QUIET_SECONDS = 8.0
SETTLED_LIMIT = 1200.0
DIGESTED_SECONDS = 3.0
DIGESTED_SHARE = 0.1
"""A server that uses less of a processor than this has nothing to digest."""
CHANGES = 12
TEMPLATE_LIMIT = 600.0
REST_SECONDS = 20.0
MINUTES = 15.0
SCHEDULED = frozenset({"PUT route53identities/status"})
"""The write that every start makes: the identity is checked."""
SERVICES = (CORE, ROUTE53)
GROWING = ("synced_seconds", "core_rss_mib", "route53_rss_mib", "core_cpu_seconds", "route53_cpu_seconds")


class Cluster:
    """The parts of one run."""

    def __init__(self, found: Stack, client: KubernetesClient, etcd: Etcd, per_zone: int) -> None:
        """Begin with no zone."""
        self.found = found
        self.kube = found.kube()
        self.client = client
        self.etcd = etcd
        self.per_zone = per_zone
        self.zones = 0

    def row(self, case: str, **figures: JsonValue) -> JsonObject:
        """Print one row and return it."""
        row: JsonObject = {"bench": "cluster", "case": case, "zones": self.zones, "n": self.zones * self.per_zone}
        emit(row | figures)
        return row | figures

    def stop(self) -> None:
        """End both controllers."""
        for service in SERVICES:
            daemons.stop_recorded(service.name, self.found.layout.pids)

    async def first(self) -> Template:
        """Have the controllers bring up one zone, end them, and return the zone as a template."""
        for document in platform(TEMPLATE, f"{TEMPLATE}.example.com"):
            self.kube.create(document)
        await create_all(self.client, RECORD_SETS, [record(i, TEMPLATE) for i in range(self.per_zone)])
        await until(self._all_programmed, TEMPLATE_LIMIT, 1)
        await asyncio.sleep(2)
        self.stop()
        self.zones = 1
        return await Template.read(self.etcd, self.found.emulator, TEMPLATE)

    def _all_programmed(self) -> bool:
        items = self.kube.list("dns.appthrust.io/v1alpha1", "RecordSet", NAMESPACE)
        return len(items) == self.per_zone and all(has_condition(item, "Programmed") for item in items)

    async def grow(self, template: Template, zones: int) -> None:
        """Copy the template until there are so many zones."""
        names = [f"z{i}x" for i in range(self.zones, zones)]
        started = time.monotonic()
        made = await hosted_zones(self.found, template, names)
        for name in names:
            await self.etcd.put(template.copies(name, made[name]))
        self.zones = zones
        await digested(self.found)
        progress(f"{zones} zones are there after {time.monotonic() - started:.0f} s")

    async def start(self) -> JsonObject:
        """Start the controllers on what is settled already, and look."""
        self.found.emulator.settings(rateLimit={"perSecond": 5, "burst": 10})
        writes = object_writes(self.kube)
        self.found.emulator.reset_counters()
        started = time.monotonic()
        for service in SERVICES:
            self.found.runner.start(service)
        for service in SERVICES:
            await asyncio.to_thread(await_service, self.found.runner, service)
        synced = time.monotonic() - started
        settled = await quiet(self.found) - started
        after, written, calls = usages(self.found), object_writes(self.kube) - writes, self.found.emulator.calls()
        row = self.row(
            "start",
            synced_seconds=round(synced, 1),
            settled_seconds=round(settled, 1),
            kubernetes_writes=counts(written),
            route53_calls=counts(calls),
            **{f"{name}_cpu_seconds": round(after[name].cpu_seconds, 1) for name in ("core", "route53")},
            **{f"{name}_rss_mib": round(after[name].rss_mib) for name in after},
            **{f"{name}_peak_mib": round(after[name].peak_mib) for name in after},
        )
        require_settled(written, calls)
        return row

    async def changes(self) -> JsonObject:
        """Measure single changes, one after the other."""
        samples = [await self._change(i) for i in range(CHANGES)]
        await quiet(self.found)  # else the next start ends what the last change left undone
        return self.row("change-idle", samples=len(samples), **percentiles(samples))

    async def _change(self, index: int) -> float:
        """Change one record's TTL, in the first zone and in the last copy by turns.

        Return the seconds until Route 53 has it.
        """
        zone = TEMPLATE if index % 2 else f"z{self.zones - 1}x"
        last = max((batch.sequence for batch in self.found.emulator.log()), default=0)
        started = time.monotonic()
        key = ObjectKey(NAMESPACE, f"{zone}-r{index}")
        await self.client.merge_patch(RECORD_SETS, key, {"spec": {"ttl": 500 + index + self.zones}})
        await until(lambda: bool(self.found.emulator.log(last)), 60, 0.01)
        seconds = time.monotonic() - started
        await asyncio.sleep(1.5)
        return seconds

    async def rest(self) -> None:
        """Measure the settled cluster."""
        writes, before = object_writes(self.kube), usages(self.found)
        await asyncio.sleep(REST_SECONDS)
        after = usages(self.found)
        self.row(
            "rest",
            seconds=REST_SECONDS,
            kubernetes_writes=counts(object_writes(self.kube) - writes),
            **{
                f"{name}_cpu_percent": round(
                    (after[name].cpu_seconds - before[name].cpu_seconds) / REST_SECONDS * 100, 2
                )
                for name in ("core", "route53", "webhook")
            },
            **{f"{name}_rss_mib": round(after[name].rss_mib) for name in ("core", "route53", "webhook")},
        )


async def run(sizes: Sequence[int], per_zone: int) -> None:
    """Run all sizes on one stack."""
    emit(facts())
    with stack({"insyncDelaySeconds": 1.0, "latencySeconds": 0.06}) as found:
        client = await client_of(found)
        try:
            async with etcd_of(found.layout.control_plane) as etcd:
                await measure(Cluster(found, client, etcd, per_zone), sizes)
        finally:
            await client.close()


async def measure(cluster: Cluster, sizes: Sequence[int]) -> None:
    """Measure the start at each size, and print how it grows."""
    template = await cluster.first()
    starts: list[JsonObject] = []
    changes: list[JsonObject] = []
    for size in sizes:
        cluster.stop()
        await cluster.grow(template, size)
        starts.append(await cluster.start())
        changes.append(await cluster.changes())
    await cluster.rest()
    if len(sizes) > 1:
        fitted: JsonObject = {f"{name}_exponent": growth(starts, name) for name in GROWING}
        cluster.row("growth", **fitted, change_p50_exponent=growth(changes, "change_p50_ms"))


def require_settled(writes: Mapping[str, int], calls: Mapping[str, int]) -> None:
    """Raise AssertionError where a start wrote or changed something: what it found was not settled."""
    changed = {name: count for name, count in calls.items() if name.startswith(("Change", "Create", "Delete"))}
    wrote = {name: count for name, count in writes.items() if name not in SCHEDULED}
    assert not changed, f"the start changed Route 53: {changed}"
    assert not wrote, f"the start wrote: {wrote}"


async def quiet(found: Stack) -> float:
    """Wait until Route 53 was not called for a while; return the time of the last call.

    Raises TimeoutError where that never happens.
    """
    calls, started = -1, time.monotonic()
    since = started
    while time.monotonic() - since < SETTLED_QUIET_SECONDS:
        if time.monotonic() - started > SETTLED_LIMIT:
            raise TimeoutError(f"Route 53 is called on and on, for {SETTLED_LIMIT:.0f} s now")
        now = sum(found.emulator.calls().values())
        if now != calls:
            calls, since = now, time.monotonic()
        await asyncio.sleep(0.5)
    return since


async def digested(found: Stack) -> None:
    """Wait until the API server has taken in what was written into its storage behind its back.

    Its watches decode every object once, which takes it half a minute of CPU for 50,000 claims: no start of ours.
    Raises TimeoutError where it never comes to rest.
    """
    started = time.monotonic()
    while time.monotonic() - started < SETTLED_LIMIT:
        before = usage("kube-apiserver", found.layout.control_plane).cpu_seconds
        await asyncio.sleep(DIGESTED_SECONDS)
        spent = usage("kube-apiserver", found.layout.control_plane).cpu_seconds - before
        if spent < DIGESTED_SHARE * DIGESTED_SECONDS:
            return
    raise TimeoutError(f"the API server is busy after {SETTLED_LIMIT:.0f} s")


def sizes_of(zones: int, steps: int) -> list[int]:
    """Return so many sizes, each double the one before, the last one being all zones."""
    return [max(2, zones // 2**left) for left in reversed(range(steps))]


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--zones", type=int, default=200)
    parser.add_argument("--records", type=int, default=100000, help="of all zones together")
    parser.add_argument("--steps", type=int, default=3, help="sizes that are measured, each double the one before")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="after so many, all is ended")
    options = parser.parse_args()
    make_orderly()
    with deadline(60 * options.minutes):
        asyncio.run(run(sizes_of(options.zones, options.steps), options.records // options.zones))


if __name__ == "__main__":
    main()
