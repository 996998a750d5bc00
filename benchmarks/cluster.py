"""A cluster of many zones that are settled when the controllers start: start-up, memory, silence, one change.

`python -m benchmarks.cluster --zones 200 --records 100000` prints JSON lines. One zone is brought up by the controllers
themselves; the others are copies of its objects, status included, and of its hosted zone, written while the
controllers are away. So the start is what is measured, not the creation.
"""

import argparse
import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence

import orjson
from aiobotocore.session import get_session

from benchmarks.machine import facts
from benchmarks.objects import platform, record
from benchmarks.rig import (
    NAMESPACE,
    client_of,
    counts,
    create_all,
    emit,
    in_parallel,
    object_writes,
    percentiles,
    progress,
    stack,
    until,
    usages,
)
from e2e.conditions import has_condition
from e2e.route53.edits import RecordDocument, RecordEdits
from e2e.stack.bringup import await_service
from e2e.stack.layout import DUMMY_CREDENTIALS
from e2e.stack.services import CORE, ROUTE53
from e2e.stack.stack import Stack
from e2e.toolchain import daemons
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from libdnsapi.runtime.client import KubernetesClient

TEMPLATE = "z0"
SETTLED_QUIET_SECONDS = 8.0
CHANGES = 20


async def listed(client: KubernetesClient, resource: ResourceType) -> list[bytes]:
    """Return all objects of a kind."""
    found: list[bytes] = []
    token = ""
    while True:
        page = await client.list_page(resource, namespace=NAMESPACE, continue_token=token)
        found += page.items
        token = page.continue_token
        if not token:
            return found


def programmed(raw: bytes) -> bool:
    """Whether an object's Programmed condition is True."""
    return has_condition(orjson.loads(raw), "Programmed")


class Copies:
    """Writes copies of the template zone."""

    def __init__(self, client: KubernetesClient, hosted_zone: str, originals: dict[ResourceType, list[bytes]]) -> None:
        """Keep the template's objects."""
        self.client = client
        self.hosted_zone = hosted_zone
        self.originals = originals

    async def write(self, zone: str, hosted_zone: str) -> None:
        """Write all objects of one copy: the Zone, its ledger, its claims."""
        await self._copy(ZONES, zone, hosted_zone, {})
        units = await self._copy(ZONE_UNITS, zone, hosted_zone, {})
        owner: JsonObject = {}
        if units:
            owner = {"uid": orjson.loads(units[0])["metadata"]["uid"]}
        await self._copy(ZONE_UNIT_SLICES, zone, hosted_zone, owner)
        await self._copy(RECORD_SETS, zone, hosted_zone, {})

    async def _copy(self, resource: ResourceType, zone: str, hosted_zone: str, owner: JsonObject) -> list[bytes]:
        written: list[bytes] = []

        def job(raw: bytes) -> Callable[[], Awaitable[object]]:
            async def one() -> None:
                written.append(await self._one(resource, raw, zone, hosted_zone, owner))

            return one

        await in_parallel((job(raw) for raw in self.originals[resource]), 24)
        return written

    async def _one(self, resource: ResourceType, raw: bytes, zone: str, hosted_zone: str, owner: JsonObject) -> bytes:
        text = raw.replace(TEMPLATE.encode(), zone.encode()).replace(self.hosted_zone.encode(), hosted_zone.encode())
        body: JsonObject = orjson.loads(text)
        metadata = body["metadata"]
        assert isinstance(metadata, dict)
        for name in ("uid", "resourceVersion", "creationTimestamp", "generation"):
            metadata.pop(name, None)
        if owner:
            references = metadata["ownerReferences"]
            assert isinstance(references, list)
            metadata["ownerReferences"] = [dict(one) | owner for one in references if isinstance(one, dict)]
        status = body.pop("status")
        assert isinstance(status, dict)
        _as_of_first_generation(status)
        created: JsonObject = orjson.loads(await self.client.create(resource, NAMESPACE, body))
        name = str(metadata["name"])
        patch: list[JsonObject] = [{"op": "add", "path": "/status", "value": status}]
        await self.client.json_patch(resource, ObjectKey(NAMESPACE, name), patch, subresource="status")
        return orjson.dumps(created)


def _as_of_first_generation(status: JsonObject) -> None:
    """Make a status speak of the first generation, which is what a copy has."""
    status["observedGeneration"] = 1
    conditions = status.get("conditions")
    for one in conditions if isinstance(conditions, list) else ():
        if isinstance(one, dict):
            one["observedGeneration"] = 1


async def hosted_zones(found: Stack, names: Sequence[str], records: Sequence[RecordDocument]) -> dict[str, str]:
    """Create hosted zones with the template's records; return their ids by name."""
    made: dict[str, str] = {}
    async with get_session().create_client(
        "route53",
        region_name="us-east-1",
        endpoint_url=found.emulator.http,
        aws_access_key_id=DUMMY_CREDENTIALS["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=DUMMY_CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
    ) as aws:
        for name in names:
            answer = await aws.create_hosted_zone(Name=f"{name}.example.com", CallerReference=name)
            made[name] = answer["HostedZone"]["Id"].removeprefix("/hostedzone/")
            puts = [one.model_copy(update={"name": one.name.replace(TEMPLATE, name)}) for one in records]
            for chunk in chunks(puts, 500):
                found.emulator.edit(RecordEdits(hosted_zone_id=made[name], put=tuple(chunk)))
    return made


def chunks(items: Sequence[RecordDocument], size: int) -> Iterator[Sequence[RecordDocument]]:
    """Split a sequence."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


async def template(found: Stack, client: KubernetesClient, per_zone: int) -> Copies:
    """Have the controllers bring up one zone and return its objects."""
    for document in platform(TEMPLATE, f"{TEMPLATE}.example.com"):
        found.kube().create(document)
    await create_all(client, RECORD_SETS, [record(i, TEMPLATE) for i in range(per_zone)])
    while not all(programmed(raw) for raw in await listed(client, RECORD_SETS)):  # noqa: ASYNC110 - another process
        await asyncio.sleep(1)
    for service in (CORE, ROUTE53):
        daemons.stop_recorded(service.name, found.layout.pids)
    zone: JsonObject = orjson.loads((await listed(client, ZONES))[0])
    hosted_zone = str(zone["status"]["provider"]["data"]["hostedZoneID"])  # type: ignore[index, call-overload]
    kinds = (ZONES, ZONE_UNITS, ZONE_UNIT_SLICES, RECORD_SETS)
    return Copies(client, hosted_zone, {kind: await listed(client, kind) for kind in kinds})


async def run(zones: int, records: int) -> None:
    """Run all cases on one stack."""
    emit(facts())
    per_zone = records // zones
    with stack({"insyncDelaySeconds": 1.0, "latencySeconds": 0.06}) as found:
        client = await client_of(found)
        try:
            copies = await template(found, client, per_zone)
            names = [f"z{i}x" for i in range(1, zones)]
            made = await hosted_zones(found, names, _plain(found, copies.hosted_zone))
            for done, name in enumerate(names, 1):
                await copies.write(name, made[name])
                if done % 20 == 0:
                    progress(f"{done} zones copied")
            await measure(found, client, zones, records)
        finally:
            await client.close()


def _plain(found: Stack, zone_id: str) -> list[RecordDocument]:
    return [one for one in found.emulator.records(zone_id) if one.type not in {"NS", "SOA"}]


async def measure(found: Stack, client: KubernetesClient, zones: int, records: int) -> None:
    """Start the controllers on what is settled already, and look."""
    found.emulator.settings(rateLimit={"perSecond": 5, "burst": 10})
    kube = found.kube()
    writes = object_writes(kube)
    found.emulator.reset_counters()
    started = time.monotonic()
    for service in (CORE, ROUTE53):
        found.runner.start(service)
    for service in (CORE, ROUTE53):
        await asyncio.to_thread(await_service, found.runner, service)
    synced = time.monotonic() - started
    settled = await quiet(found) - started
    after = usages(found)
    row: JsonObject = {
        "bench": "cluster",
        "case": "start",
        "zones": zones,
        "n": records,
        "synced_seconds": round(synced, 1),
        "settled_seconds": round(settled, 1),
        "kubernetes_writes": counts(object_writes(kube) - writes),
        "route53_calls": counts(found.emulator.calls()),
        **{f"{name}_cpu_seconds": round(after[name].cpu_seconds, 1) for name in ("core", "route53")},
        **{f"{name}_rss_mib": round(after[name].rss_mib) for name in after},
        **{f"{name}_peak_mib": round(after[name].peak_mib) for name in after},
    }
    emit(row)
    samples = [await one_change(found, client, i) for i in range(CHANGES)]
    change: JsonObject = {"bench": "cluster", "case": "change-idle", "zones": zones, "n": records}
    emit(change | percentiles(samples))


async def quiet(found: Stack) -> float:
    """Wait until Route 53 was not called for a while; return the time of the last call."""
    calls, since = -1, time.monotonic()
    while time.monotonic() - since < SETTLED_QUIET_SECONDS:
        now = sum(found.emulator.calls().values())
        if now != calls:
            calls, since = now, time.monotonic()
        await asyncio.sleep(0.5)
    return since


async def one_change(found: Stack, client: KubernetesClient, index: int) -> float:
    """Change one record's TTL; return the seconds until Route 53 has it."""
    last = max((batch.sequence for batch in found.emulator.log()), default=0)
    started = time.monotonic()
    await client.merge_patch(RECORD_SETS, ObjectKey(NAMESPACE, f"{TEMPLATE}-r{index}"), {"spec": {"ttl": 500 + index}})
    await until(lambda: bool(found.emulator.log(last)), 60, 0.01)
    seconds = time.monotonic() - started
    await asyncio.sleep(1.5)
    return seconds


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--zones", type=int, default=200)
    parser.add_argument("--records", type=int, default=100000)
    options = parser.parse_args()
    asyncio.run(run(options.zones, options.records))


if __name__ == "__main__":
    main()
