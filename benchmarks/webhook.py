"""How fast the webhook answers reviews of RecordSets with the Route 53 Provider's schema and rules.

`python -m benchmarks.webhook` prints JSON lines, medians of several runs: the machine, the CPU of one review without
HTTP, and HTTPS with one and with sixteen connections, and with one in clusters of three sizes (the webhook in a process
of its own; its CPU is read from /proc). Targets: p99 below 10 ms and at least 400 reviews/s on one core.
"""

import argparse
import asyncio
import os
import ssl
import statistics
import sys
import tempfile
import time
from pathlib import Path

import aiohttp
import orjson
import yaml

from benchmarks.machine import facts
from benchmarks.rig import emit
from benchmarks.runs import growth, summary
from libdnsapi.api.dns.provider import PROVIDERS, Provider
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.meta import JsonObject
from libdnsapi.contract.cel.interpreter import InterpretingEngine
from libdnsapi.contract.versions import compile_contract
from libdnsapi.runtime.metrics import Metrics
from tests.fakes.kubernetes import FakeKubernetes
from tests.webhook.objects import creation, envelope, record_set
from tests.webhook.running import running, until
from webhook.dispatch import Dispatcher
from webhook.entries import Entry
from webhook.measures import Measures
from webhook.review import Review
from webhook.validators.snapshot import Snapshot

PROVIDER_FILE = Path(__file__).parents[1] / "charts" / "dnsapi" / "charts" / "route53" / "files" / "provider.yaml"
SIZES = (100, 1000, 10000)
"""Record sets of the cluster: what a review costs must not grow with them."""
PATH = "/validate-dns-appthrust-io-v1alpha1-recordset"
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def body() -> bytes:
    """Return a review as kubectl apply causes it: with the annotation and managedFields, about 3 kB."""
    claim = record_set(spec__provider={"name": "route53.dns.appthrust.io", "version": "v1alpha1"})
    metadata = claim["metadata"]
    assert isinstance(metadata, dict)
    metadata["annotations"] = {LAST_APPLIED: orjson.dumps(claim).decode()}
    metadata["managedFields"] = [
        {"manager": "kubectl", "operation": "Apply", "fieldsV1": {"f:spec": {f"f:field{n}": {} for n in range(40)}}}
    ]
    return orjson.dumps(envelope(creation(claim)))


def provider() -> JsonObject:
    """Return the built-in Route 53 Provider."""
    found: JsonObject = yaml.safe_load(PROVIDER_FILE.read_text())
    return found


async def decide(seconds: float) -> JsonObject:
    """Measure the decision alone: bytes in, bytes out."""
    dispatcher = Dispatcher(_Fixed(), Measures(Metrics().registry))
    review = body()
    assert b'"allowed":true' in (await dispatcher.reply(PATH, review)).body
    count, started = 0, time.process_time()
    while time.process_time() - started < seconds:
        await dispatcher.reply(PATH, review)
        count += 1
    spent = time.process_time() - started
    figures: JsonObject = {"bytes": len(review), "cpu_us": round(spent / count * 1e6, 1)}
    row: JsonObject = {"bench": "webhook", "case": "decision", "n": 0}
    return row | figures


class _Fixed:
    """A lookup whose snapshot holds the Route 53 contract."""

    def __init__(self) -> None:
        contract = compile_contract(Provider.model_validate(provider()), InterpretingEngine())
        self._snapshot = Snapshot(contracts={"route53.dns.appthrust.io": contract})

    async def gather(self, entry: Entry, review: Review) -> Snapshot:
        """Return the one snapshot there is."""
        del entry, review
        return self._snapshot


async def https(connections: int, seconds: float, claims: int) -> JsonObject:
    """Measure requests over so many kept connections, in a cluster of so many record sets."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "benchmarks.webhook",
            "--serve",
            name,
            "--claims",
            str(claims),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
        )
        try:
            await until(lambda: asyncio.to_thread((folder / "ready").exists))
            row: JsonObject = {"bench": "webhook", "case": "https", "n": claims, "connections": connections}
            return row | await _load(folder, process.pid, connections, seconds)
        finally:
            await process.communicate(b"")


async def _load(folder: Path, pid: int, connections: int, seconds: float) -> JsonObject:
    ready = orjson.loads(await asyncio.to_thread((folder / "ready").read_bytes))
    url, trust = f"https://127.0.0.1:{ready['port']}{PATH}", ssl.create_default_context(cadata=ready["authority"])
    times: list[float] = []
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(ssl=trust, limit=connections)) as session:
        await _ask(session, url, time.monotonic() + 0.3, [])
        cpu, started = _cpu_seconds(pid), time.monotonic()
        asking = [_ask(session, url, started + seconds, times) for _ in range(connections)]
        await asyncio.gather(*asking)
        spent, wall = _cpu_seconds(pid) - cpu, time.monotonic() - started
    return {
        "reviews_per_second": round(len(times) / wall),
        "reviews_per_cpu_second": round(len(times) / spent),
        "cpu_us": round(spent / len(times) * 1e6, 1),
        "p50_ms": round(statistics.median(times) * 1000, 2),
        "p99_ms": round(statistics.quantiles(times, n=100)[98] * 1000, 2),
    }


async def _ask(session: aiohttp.ClientSession, url: str, end: float, times: list[float]) -> None:
    review = body()
    while (started := time.monotonic()) < end:
        async with session.post(url, data=review, headers={"Content-Type": "application/json"}) as answer:
            assert b'"allowed":true' in await answer.read()
        times.append(time.monotonic() - started)


def _cpu_seconds(pid: int) -> float:
    """Return the CPU time that a process has taken (proc(5), stat)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def serve(folder: Path, claims: int) -> None:
    """Be the webhook of a measurement until standard input ends, in a cluster of so many record sets."""
    server = FakeKubernetes()
    server.seed(PROVIDERS, provider())
    for i in range(claims):
        server.seed(RECORD_SETS, record_set(metadata__name=f"r{i}", spec__name=f"r{i}"))
    async with running(server, folder, log_level="error") as webhook:
        ready = {"port": webhook.port, "authority": webhook.authority.certificate.decode()}
        draft = folder / "ready.new"
        await asyncio.to_thread(draft.write_bytes, orjson.dumps(ready))
        await asyncio.to_thread(draft.replace, folder / "ready")
        await asyncio.to_thread(sys.stdin.read)


async def measure(seconds: float, runs: int) -> None:
    """Print all figures, medians of so many runs."""
    emit(facts())
    emit(summary([await decide(seconds) for _ in range(runs)]))
    for connections in (1, 16):
        emit(summary([await https(connections, seconds, SIZES[0]) for _ in range(runs)]))
    rows = [summary([await https(1, seconds, size) for _ in range(runs)]) for size in SIZES]
    for measured in rows:
        emit(measured)
    fitted: JsonObject = {f"{name}_exponent": growth(rows, name) for name in ("cpu_us", "p50_ms")}
    row: JsonObject = {"bench": "webhook", "case": "growth", "n": SIZES[-1]}
    emit(row | fitted)


def main() -> None:
    """Measure, or serve for a measurement."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.webhook", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="length of each measurement")
    parser.add_argument("--runs", type=int, default=3, help="of each measurement")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--claims", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    served = serve(options.serve, options.claims) if options.serve else None
    asyncio.run(served or measure(options.seconds, options.runs))


if __name__ == "__main__":
    main()
