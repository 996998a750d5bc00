"""`python -m benchmarks.sources --server`: HTTPRoutes on 50 Gateways at a real API server, at three sizes.

The stack's webhook admits what is written; core and the Route 53 controller are stopped, so that the figures are those
of the sources. For each size: the first start, until every RecordSet stands; single changes, from the write of a route
to its new RecordSet, with CPU and writes of each; and the start of a process that finds all as it shall be, until it
has withdrawn the RecordSet of a route that was deleted meanwhile, which takes a complete view. JSON lines.
"""

import asyncio
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import orjson

from benchmarks.etcd import Pair, etcd_of, key
from benchmarks.growth import exponent
from benchmarks.machine import facts
from benchmarks.rig import (
    NAMESPACE,
    client_of,
    emit,
    object_writes,
    percentiles,
    progress,
    stack,
    usage,
)
from e2e.gateway import definition_files
from e2e.kube import Document, load_documents
from e2e.stack import CORE, ROUTE53, Stack, StackError, installation
from e2e.stack.sources import NAME, Sources, sources
from e2e.toolchain import daemons
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from libdnsapi.runtime.client import KubernetesClient

SIZES = (500, 1500, 5000)
GATEWAY_COUNT = 50
CHANGES = 60
DOMAIN = "bench.example.com"
LIMIT_SECONDS = 600.0
QUIET_SECONDS = 4.0
WATCH = timedelta(minutes=2)
GROUP = "gateway.networking.k8s.io"
HTTP_ROUTES = ResourceType(GROUP, "v1", "HTTPRoute", "httproutes")
GATEWAYS = ResourceType(GROUP, "v1", "Gateway", "gateways")
SINCE = "2026-01-01T00:00:00Z"


@dataclass(frozen=True)
class Bench:
    """A stack with the Gateway API, a Zone and a pipeline for it."""

    found: Stack
    client: KubernetesClient

    def prepare(self) -> None:
        """Install the kinds, make the Zone, the pipeline and the Gateways, and stop who would work on RecordSets."""
        kube = self.found.kube()
        files = definition_files()
        installation.definitions(kube, [one for file in files for one in load_documents(file.read_text())])
        for service in (CORE, ROUTE53):
            daemons.stop_recorded(service.name, self.found.layout.pids)
        kube.apply_all(_platform())
        for number in range(GATEWAY_COUNT):
            made = kube.apply(_gateway(number))
            path = kube.path(f"{GROUP}/v1", "Gateway", NAMESPACE, f"gw{number}")
            addresses = [{"type": "IPAddress", "value": f"192.0.2.{number + 1}"}]
            kube.request("PUT", f"{path}/status", {**made, "status": {"addresses": addresses}})
        kube.close()

    async def add_route(self, number: int) -> None:
        """Make a route that its Gateway has accepted."""
        await self.client.create(HTTP_ROUTES, NAMESPACE, _route(number))
        status: JsonObject = {"parents": [_accepted(number)]}
        await self.client.merge_patch(HTTP_ROUTES, _key(number), {"status": status}, subresource="status")

    async def copy_routes(self, numbers: Iterable[int]) -> None:
        """Store copies of the last route, each with a name and Gateway of its own, without the server's help."""
        async with etcd_of(self.found.layout.control_plane) as etcd:
            stored = [one async for one in etcd.objects(HTTP_ROUTES, NAMESPACE)]
            await etcd.put(_copy(stored[-1], number) for number in numbers)

    async def record_sets(self) -> int:
        """Return how many RecordSets there are: of one page, and how many follow."""
        page = orjson.loads(
            await self._get(f"/apis/dns.appthrust.io/v1alpha1/namespaces/{NAMESPACE}/recordsets?limit=1")
        )
        return len(page["items"]) + int(page["metadata"].get("remainingItemCount") or 0)

    async def _get(self, path: str) -> bytes:
        kube = self.found.kube()
        try:
            return (await asyncio.to_thread(kube.text, path)).encode()
        finally:
            kube.close()

    async def until_there(self, count: int, running: Sources) -> None:
        """Wait until there are so many RecordSets. Raises StackError where the controller ended, TimeoutError."""
        deadline = time.monotonic() + LIMIT_SECONDS
        while await self.record_sets() != count:
            if not running.daemon.alive:
                raise StackError(f"the sources controller ended:\n{running.tail()}")
            if time.monotonic() > deadline:
                raise TimeoutError(f"there are not {count} RecordSets after {LIMIT_SECONDS:g} s")
            await asyncio.sleep(0.1)

    async def quiet(self) -> None:
        """Wait until nothing was written for a while."""
        deadline, since, last = time.monotonic() + LIMIT_SECONDS, time.monotonic(), -1
        while time.monotonic() - since < QUIET_SECONDS:
            now = sum((await asyncio.to_thread(self.writes)).values())
            if now != last:
                last, since = now, time.monotonic()
            if time.monotonic() > deadline:
                raise TimeoutError("writes do not end")
            await asyncio.sleep(0.5)

    def writes(self) -> Counter[str]:
        """Return the API server's writes so far."""
        kube = self.found.kube()
        try:
            return object_writes(kube)
        finally:
            kube.close()


@contextmanager
def controller(found: Stack) -> Iterator[tuple[Path, Sources]]:
    """Run the sources controller in a folder of its own; yields that folder and the process."""
    with (
        tempfile.TemporaryDirectory(prefix="dnsapi-bench-") as folder,
        sources(found, Path(folder), "--source", "gateway-httproute", "--no-leader-elect") as running,
    ):
        yield Path(folder), running


async def first_start(bench: Bench, routes: int, made_before: int) -> JsonObject:
    """Start with routes that have no RecordSet yet, change single ones, and return the figures."""
    began = time.monotonic()
    with controller(bench.found) as (folder, running):
        await bench.until_there(routes, running)
        first = time.monotonic() - began
        await bench.quiet()  # the Events of the start are written after it
        before, writes = usage(NAME, folder), bench.writes()
        latencies = [await change(bench, number) for number in range(CHANGES)]
        await bench.quiet()
        after, written = usage(NAME, folder), bench.writes() - writes
        own = {name: count for name, count in written.items() if "httproutes" not in name}
        return {
            "made": routes - made_before,
            "first_start_seconds": round(first, 1),
            **percentiles(latencies),
            "cpu_ms_a_change": round((after.cpu_seconds - before.cpu_seconds) * 1000 / CHANGES, 1),
            "writes_a_change": round(sum(own.values()) / CHANGES, 2),
            "peak_mib": round(after.peak_mib),
        }


async def restart(bench: Bench, routes: int) -> JsonObject:
    """Start with all as it shall be but for one deleted route; return the figures until that is withdrawn."""
    await bench.client.delete(HTTP_ROUTES, _key(routes - 1))
    began = time.monotonic()
    with controller(bench.found) as (folder, running):
        await bench.until_there(routes - 1, running)
        seconds = time.monotonic() - began
        peak = usage(NAME, folder).peak_mib
    await bench.add_route(routes - 1)
    return {"restart_seconds": round(seconds, 1), "restart_peak_mib": round(peak)}


async def change(bench: Bench, number: int) -> float:
    """Give a route another name; return the seconds until the new RecordSet is there."""
    host = f"c{number}-{time.monotonic_ns()}.{DOMAIN}"
    async with appearing(bench, host) as appears:
        began = time.monotonic()
        await bench.client.merge_patch(HTTP_ROUTES, _key(number), {"spec": {"hostnames": [host]}})
        await asyncio.wait_for(appears, 60)
        return time.monotonic() - began


@asynccontextmanager
async def appearing(bench: Bench, host: str) -> AsyncIterator["asyncio.Task[None]"]:
    """Watch for a RecordSet whose name begins with a host name."""
    page = await bench.client.list_page(RECORD_SETS, namespace=NAMESPACE, limit=1)

    async def watch() -> None:
        version = page.resource_version
        watched = bench.client.watch(RECORD_SETS, namespace=NAMESPACE, resource_version=version, lifetime=WATCH)
        async for event in watched:
            if host.encode() in event.object.raw:
                return

    task = asyncio.create_task(watch())
    try:
        yield task
    finally:
        task.cancel()


async def run(sizes: tuple[int, ...]) -> None:
    """Run all sizes on one stack."""
    emit(facts())
    cpu: list[tuple[float, float]] = []
    latency: list[tuple[float, float]] = []
    with stack({}) as found:
        client = await client_of(found)
        bench = Bench(found, client)
        try:
            bench.prepare()
            made = 0
            for routes in sizes:
                progress(f"{routes} routes")
                await bench.add_route(made)
                await bench.copy_routes(range(made + 1, routes))
                row = await first_start(bench, routes, made) | await restart(bench, routes)
                head: JsonObject = {"bench": "sources", "case": "server", "routes": routes}
                emit(head | row)
                cpu.append((routes, float(str(row["cpu_ms_a_change"]))))
                latency.append((routes, float(str(row["change_p50_ms"]))))
                made = routes
        finally:
            await client.close()
    if len(sizes) > 1:
        growth = {"cpu_exponent": round(exponent(cpu), 2), "p50_exponent": round(exponent(latency), 2)}
        emit({"bench": "sources", "case": "growth of one change", **growth})


def _platform() -> list[Document]:
    provider = {"name": "route53.dns.appthrust.io", "version": "v1alpha1"}
    zone_spec = {"domainName": DOMAIN, "zoneClassRef": {"name": "none"}, "provider": provider}
    pipeline = {"type": "aws", "zones": {"refs": [{"namespace": NAMESPACE, "name": "zone"}]}}
    return [
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}},
        _document("dns.appthrust.io/v1alpha1", "Zone", "zone", zone_spec),
        {
            "apiVersion": "externaldns.k8s.io/v1alpha1",
            "kind": "ClusterDNSProvider",
            "metadata": {"name": "bench"},
            "spec": pipeline,
        },
    ]


def _gateway(number: int) -> Document:
    listener = {"name": "http", "port": 80, "protocol": "HTTP"}
    return _document(f"{GROUP}/v1", "Gateway", f"gw{number}", {"gatewayClassName": "x", "listeners": [listener]})


def _route(number: int) -> Document:
    name = f"r{number}"
    spec: Document = {"parentRefs": [{"name": f"gw{number % GATEWAY_COUNT}"}], "hostnames": [f"{name}.{DOMAIN}"]}
    return _document(f"{GROUP}/v1", "HTTPRoute", name, spec)


def _copy(stored: bytes, number: int) -> Pair:
    document = orjson.loads(stored)
    document["metadata"] |= {"name": f"r{number}", "uid": str(uuid.uuid4())}
    document["spec"] |= _route(number)["spec"]
    document["status"]["parents"] = [_accepted(number)]
    return key(HTTP_ROUTES, NAMESPACE, f"r{number}"), orjson.dumps(document)


def _accepted(number: int) -> JsonObject:
    condition: JsonObject = {"type": "Accepted", "status": "True", "reason": "Accepted", "message": ""}
    parent: JsonObject = {"name": f"gw{number % GATEWAY_COUNT}", "group": GROUP, "kind": "Gateway"}
    conditions: list[JsonObject] = [condition | {"lastTransitionTime": SINCE}]
    return {"parentRef": parent, "controllerName": "example.net/gateways", "conditions": [*conditions]}


def _document(api_version: str, kind: str, name: str, spec: Document) -> Document:
    return {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"namespace": NAMESPACE, "name": name},
        "spec": spec,
    }


def _key(number: int) -> ObjectKey:
    return ObjectKey(NAMESPACE, f"r{number}")
