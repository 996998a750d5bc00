"""What the webhook's caches hold of clusters of several sizes.

`python -m benchmarks.webhook_memory` prints JSON lines: the machine, then for each number of claims, each in a process
of its own, resident and peak memory in MiB once the caches are full, and KB a claim above a cluster without any. The
API server is a stub that makes the claims up while they are listed, 500 to a namespace, each with a zone of its own.
"""

import argparse
import asyncio
import re
import sys
from pathlib import Path

import orjson

from benchmarks.machine import facts
from benchmarks.rig import emit
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.meta import JsonObject, ResourceType
from libdnsapi.runtime import rest
from libdnsapi.runtime.kubernetes import ListPage
from libdnsapi.runtime.launch import ease_collection
from libdnsapi.runtime.logging import configure
from libdnsapi.runtime.manager import Manager
from libdnsapi.runtime.memory import freeze_caches
from libdnsapi.runtime.rest import RawObject
from tests.fakes.kubernetes import FakeKubernetes
from tests.webhook.objects import condition, record_set
from webhook.lookup.caches import caches
from webhook.settings import WebhookSettings

SIZES = (0, 10_000, 100_000)
A_NAMESPACE = 500
LABELS: JsonObject = {"app.kubernetes.io/managed-by": "Helm", "team": "payments"}


class _Claims(FakeKubernetes):
    """An API server with so many RecordSets, of which it holds none itself."""

    count = 0

    async def list_page(
        self,
        resource: ResourceType,
        *,
        namespace: str = "",
        label_selector: str = "",
        limit: int = 500,
        continue_token: str = "",
        metadata_only: bool = False,
    ) -> ListPage:
        """Return a page of settled claims; of other kinds there are none."""
        if resource != RECORD_SETS:
            return await super().list_page(resource)
        begin = int(continue_token or 0)
        end = min(begin + limit, self.count)
        items = [claim(number) for number in range(begin, end)]
        return ListPage(items, str(self.count + 1), str(end) if end < self.count else "")


def claim(number: int) -> RawObject:
    """Return a settled claim as the API server gives it, without managedFields: 1.4 KB."""
    conditions = [
        condition(name, "True", name) for name in ("Accepted", "ReferencesResolved", "Programmed", "Verified", "Ready")
    ]
    made = record_set(
        metadata__name=f"record-{number:06d}",
        metadata__namespace=f"team-{number // A_NAMESPACE:04d}",
        metadata__uid=f"6f1c7a52-0d3b-4c11-9c5e-{number:012x}",
        metadata__resourceVersion=str(number + 1),
        metadata__labels=LABELS,
        metadata__finalizers=["dns.appthrust.io/record-set"],
        spec__name=f"record-{number:06d}",
        status={"conditions": [*conditions], "observedGeneration": 3},
    )
    return rest.raw_object(rest.fields(rest.snug(made)))


async def fill(claims: int) -> None:
    """Fill the webhook's caches in this process and print its memory."""
    configure("error", "json")
    ease_collection()
    client = _Claims()
    client.count = claims
    settings = WebhookSettings.model_validate({"self_signed": True, "health_port": 0, "health_host": "127.0.0.1"})
    full = asyncio.Event()

    def note() -> None:
        freeze_caches()
        full.set()

    manager = Manager("webhook", client, settings, on_synced=note)
    found = caches(manager)
    running = asyncio.create_task(manager.run())
    await full.wait()
    resident, peak = memory_mib()
    row: JsonObject = {"n": claims, "rss_mib": resident, "peak_mib": peak}
    sys.stdout.buffer.write(orjson.dumps(row) + b"\n")
    manager.stop()
    await running
    del found


def memory_mib() -> tuple[float, float]:
    """Return this process's resident and peak memory in MiB (proc(5), status)."""
    status = Path("/proc/self/status").read_text()
    found = dict(re.findall(r"(VmRSS|VmHWM):\s+(\d+) kB", status))
    return round(int(found["VmRSS"]) / 1024, 1), round(int(found["VmHWM"]) / 1024, 1)


async def measured(claims: int) -> JsonObject:
    """Return the figures of a process of its own."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.webhook_memory", "--fill", str(claims), stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    row: JsonObject = orjson.loads(output.splitlines()[-1])
    return row


async def measure() -> None:
    """Print all figures."""
    emit(facts())
    empty = 0.0
    for size in SIZES:
        row = await measured(size)
        resident = float(str(row["rss_mib"]))
        empty = empty or resident
        each: JsonObject = {"kb_a_claim": round((resident - empty) * 1024 / size, 2)} if size else {}
        series: JsonObject = {"bench": "webhook", "case": "memory"}
        emit(series | row | each)


def main() -> None:
    """Measure, or be what is measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.webhook_memory", description=__doc__)
    parser.add_argument("--fill", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    asyncio.run(measure() if options.fill is None else fill(options.fill))


if __name__ == "__main__":
    main()
