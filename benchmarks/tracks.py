"""Where single changes are: when the ledger shows each, and when Route 53 has it."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from benchmarks.rig import NAMESPACE, until
from e2e.stack.stack import Stack
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import PartialObject
from libdnsapi.runtime.client import KubernetesClient
from libdnsapi.runtime.informer import Informer
from libdnsapi.runtime.store import Change

LIMIT = 60.0
PAUSE = 0.02


@dataclass(frozen=True, slots=True)
class Sample:
    """Seconds from the change until the ledger shows it, and until Route 53 has it."""

    ledger: float
    route53: float


class Tracks:
    """Follows the ledger and the emulator; a change is told by its name and a TTL that no other has."""

    def __init__(self, found: Stack, client: KubernetesClient) -> None:
        """Follow nothing yet."""
        self._found = found
        self._client = client
        self._wanted: set[int] = set()
        self._ledger: dict[int, float] = {}
        self._route53: dict[tuple[str, int], float] = {}
        self._sequence = max((batch.sequence for batch in found.emulator.log()), default=0)

    @asynccontextmanager
    async def following(self) -> AsyncGenerator["Tracks", None]:
        """Follow both while the context lasts."""
        informers = [
            Informer(self._client, kind, PartialObject, namespace=NAMESPACE, page=20)
            for kind in (ZONE_UNITS, ZONE_UNIT_SLICES)
        ]
        for informer in informers:
            informer.add_listener(self._note)
        tasks = [asyncio.create_task(informer.run()) for informer in informers]
        for informer in informers:
            await informer.synced.wait()
        tasks.append(asyncio.create_task(self._follow()))
        try:
            yield self
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def of(self, name: str, ttl: int, started: float) -> Sample:
        """Wait for a change; raises TimeoutError after a minute."""
        self._wanted.add(ttl)
        await until(lambda: (name, ttl) in self._route53, LIMIT, PAUSE)
        reached = self._route53[name, ttl]
        return Sample(self._ledger.get(ttl, reached) - started, reached - started)

    def _note(self, change: Change[PartialObject]) -> None:
        for ttl in [ttl for ttl in self._wanted if change.after and f'"ttl":{ttl},'.encode() in change.after]:
            self._wanted.discard(ttl)
            self._ledger[ttl] = time.monotonic()

    async def _follow(self) -> None:
        while True:
            for batch in await asyncio.to_thread(self._found.emulator.log, self._sequence):
                self._sequence = max(self._sequence, batch.sequence)
                for one in batch.changes:
                    if one.action == "CREATE" and one.record_set.ttl is not None:
                        key = (one.record_set.name.rstrip("."), one.record_set.ttl)
                        self._route53.setdefault(key, time.monotonic())
            await asyncio.sleep(PAUSE)
