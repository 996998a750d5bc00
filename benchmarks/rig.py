"""A local stack to measure on: bring-up, bulk writes, process figures, counters of the API server."""

import asyncio
import os
import re
import signal
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import orjson

from e2e.kube import Kube
from e2e.stack.bringup import up
from e2e.stack.services import SERVICES, Service
from e2e.stack.stack import EMULATOR, Stack
from e2e.toolchain import daemons
from libdnsapi.api.meta import JsonObject, ResourceType
from libdnsapi.runtime.client import KubernetesClient
from libdnsapi.runtime.connection import connect

ACCOUNT = "123456789012"
NAMESPACE = "bench"
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
MIB = 1024 * 1024
TICK_SECONDS = 10.0
REALISTIC: JsonObject = {
    "insyncDelaySeconds": 1.0,
    "latencySeconds": 0.06,
    "rateLimit": {"perSecond": 5, "burst": 10},
}
"""The emulator as a real account behaves: 5 requests/s with a burst of 10, 60 ms, INSYNC after a second."""
WRITE_VERBS = frozenset({"POST", "PUT", "PATCH", "DELETE", "APPLY"})
_REQUESTS = re.compile(r"^apiserver_request_total\{(?P<labels>[^}]*)\} (?P<value>\S+)$")
_LABEL = re.compile(r'(\w+)="([^"]*)"')


def emit(document: JsonObject) -> None:
    """Print one figure as a JSON line."""
    sys.stdout.write(orjson.dumps(document).decode() + "\n")
    sys.stdout.flush()


def progress(text: str) -> None:
    """Tell a person what goes on, apart from the figures."""
    sys.stderr.write(f"  {text}\n")
    sys.stderr.flush()


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Leave with exit status 1 after so many seconds, and tell every ten how many have gone.

    To be used in the main thread, around all of a benchmark: what it started is ended as SystemExit unwinds it, which
    no task keeps to itself.
    """
    started = time.monotonic()

    def tick(_number: int, _frame: FrameType | None) -> None:
        gone = time.monotonic() - started
        if gone >= seconds:
            signal.setitimer(signal.ITIMER_REAL, 0)
            sys.exit(f"error: not done within {seconds:.0f} s")
        progress(f"{gone:.0f} s")

    before = signal.signal(signal.SIGALRM, tick)
    pause = min(TICK_SECONDS, seconds)
    signal.setitimer(signal.ITIMER_REAL, pause, pause)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def stack(settings: JsonObject | None = None) -> Iterator[Stack]:
    """Run a stack of its own and end it afterwards."""
    with tempfile.TemporaryDirectory(prefix="dnsapi-bench-") as folder:
        directory = Path(folder)
        found = up(directory, progress)
        try:
            found.emulator.settings(**(settings if settings is not None else REALISTIC))
            yield found
        finally:
            Stack.down(directory)


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process has used so far: CPU seconds, resident and peak memory in MiB."""

    cpu_seconds: float
    rss_mib: float
    peak_mib: float


def usage(name: str, pids: Path) -> Usage:
    """Return a process's figures from /proc."""
    running = daemons.running(name, pids)
    assert running is not None, f"{name} does not run"
    stat = Path(f"/proc/{running.pid}/stat").read_text().rpartition(")")[2].split()
    status = Path(f"/proc/{running.pid}/status").read_text()
    peak = re.search(r"VmHWM:\s+(\d+) kB", status)
    rss = int(Path(f"/proc/{running.pid}/statm").read_text().split()[1]) * PAGE
    return Usage((int(stat[11]) + int(stat[12])) / TICKS, rss / MIB, int(peak.group(1)) / 1024 if peak else 0.0)


def usages(found: Stack, among: Sequence[Service] = SERVICES) -> dict[str, Usage]:
    """Return the figures of services by component, and of what they talk to."""
    services = {service.component: usage(service.name, found.layout.pids) for service in among}
    around = {name: usage(name, found.layout.control_plane) for name in ("kube-apiserver", "etcd")}
    return services | around | {"emulator": usage(EMULATOR, found.layout.pids)}


def object_writes(kube: Kube) -> Counter[str]:
    """Return the API server's successful writes so far, by verb and resource; leases and reviews left out."""
    counted: Counter[str] = Counter()
    for line in kube.text("/metrics").splitlines():
        match = _REQUESTS.match(line)
        if match is None:
            continue
        labels = dict(_LABEL.findall(match["labels"]))
        if labels["verb"] in WRITE_VERBS and labels["code"].startswith("2") and labels["resource"] != "leases":
            name = "/".join(filter(None, (labels["resource"], labels.get("subresource", ""))))
            counted[f"{labels['verb']} {name}"] += int(float(match["value"]))
    return counted


async def client_of(found: Stack) -> KubernetesClient:
    """Return a client with the administrator's rights."""
    return KubernetesClient(await connect(str(found.control_plane.kubeconfig)), field_manager="bench")


async def in_parallel(jobs: Iterable[Callable[[], Awaitable[object]]], workers: int = 16) -> None:
    """Run jobs, so many at a time."""
    waiting = iter(jobs)

    async def work() -> None:
        for job in waiting:
            await job()

    await asyncio.gather(*(work() for _ in range(workers)))


async def create_all(client: KubernetesClient, resource: ResourceType, bodies: Sequence[JsonObject]) -> None:
    """Create objects as fast as the server takes them."""

    def job(body: JsonObject) -> Callable[[], Awaitable[object]]:
        return lambda: client.create(resource, NAMESPACE, body)

    await in_parallel(job(body) for body in bodies)


async def until(condition: Callable[[], bool], limit: float, pause: float = 0.05) -> float:
    """Poll until a condition holds and return the seconds that took; raises TimeoutError after `limit` seconds."""
    started = time.monotonic()
    while not condition():
        if time.monotonic() - started > limit:
            raise TimeoutError(f"not reached within {limit} s")
        await asyncio.sleep(pause)
    return time.monotonic() - started


def counts(found: Mapping[str, int]) -> JsonObject:
    """Return counters as a JSON object."""
    return dict(found)


def percentiles(samples: Sequence[float], what: str = "change") -> JsonObject:
    """Return p50, p95 and p99 of samples in seconds, as milliseconds."""
    ordered = sorted(samples)
    if len(ordered) < 2:
        return {f"{what}_p50_ms": round(ordered[0] * 1000)} if ordered else {}
    cuts = statistics.quantiles(ordered, n=100, method="inclusive")
    return {f"{what}_p{n}_ms": round(cuts[n - 1] * 1000) for n in (50, 95, 99)}
