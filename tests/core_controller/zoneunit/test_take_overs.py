"""Short lives of a Zone under one name, and processes that take over with slices as they were a while ago."""

import random

import pytest

from core_controller.zoneunit.snapshot import Limits
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import ObjectKey
from tests.core_controller.zoneunit.objects import ZONE, platform, record_set, zone
from tests.core_controller.zoneunit.watcher import KINDS, Watcher
from tests.core_controller.zoneunit.world import World

CLAIMS = tuple(ObjectKey("platform", f"n{number}") for number in range(4))
STEPS = 150
LONG = 60


class Lives:
    """One random history; what is left of it is looked at by a Watcher after each step."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 — no secret
        self.world = World(Limits(inline=1, per_slice=2))
        self.world.put(*platform(), zone(), *(record_set(key.name) for key in CLAIMS))
        self.watcher = Watcher(self.world)
        self.seen: tuple[list[bytes], int] = ([], 0)

    async def run(self) -> None:
        """Live, then come to rest with a Zone."""
        await self.world.settle()
        steps = (self.edit, self.edit, self.drop, self.make, self.see, self.see, self.work, self.work, self.work)
        steps = (*steps, self.world.provide, self.world.provide, self.remember, self.take_over, self.begin_anew)
        for _ in range(STEPS):
            await self.chance.choice(steps)()
            self.watcher.check()
        if self.world.api.read(ZONES, ZONE) is None:
            self.world.put(zone())
        await self.world.settle()
        self.watcher.check()

    async def edit(self) -> None:
        key = self.chance.choice(CLAIMS)
        if self.world.api.read(RECORD_SETS, key) is not None:
            await self.world.edit(RECORD_SETS, key, {"spec": {"ttl": self.chance.randint(60, 999)}})

    async def drop(self, key: ObjectKey | None = None) -> None:
        key = key or self.chance.choice(CLAIMS)
        if self.world.api.read(RECORD_SETS, key) is not None:
            await self.world.delete(RECORD_SETS, key)

    async def make(self, key: ObjectKey | None = None) -> None:
        key = key or self.chance.choice(CLAIMS)
        if self.world.api.read(RECORD_SETS, key) is None:
            self.world.put(record_set(key.name))

    async def see(self) -> None:
        await self.world.sync(*self.chance.sample(KINDS, self.chance.randint(1, len(KINDS))))

    async def work(self) -> None:
        await self.world.reconcile()

    async def go_on(self, most: int) -> None:
        for _ in range(self.chance.randint(0, most)):
            await self.world.sync()
            await self.world.reconcile()
            await self.world.provide()

    async def remember(self) -> None:
        """Keep the slices as a process that stands by sees them before its watch breaks."""
        page = await self.world.api.list_page(ZONE_UNIT_SLICES, limit=0)
        self.seen = (page.items, int(page.resource_version))

    async def take_over(self) -> None:
        self.world.restart()
        await self.world.sync(*(kind for kind in KINDS if kind is not ZONE_UNIT_SLICES))
        await self.world.caches.slices.replace(*self.seen)

    async def begin_anew(self) -> None:
        """Delete everything and, perhaps before it is gone, make it again."""
        for key in CLAIMS:
            await self.drop(key)
        if self.world.api.read(ZONES, ZONE) is not None:
            await self.world.delete(ZONES, ZONE)
        await self.go_on(LONG)
        if self.world.api.read(ZONES, ZONE) is None:
            self.world.put(zone())
        for key in CLAIMS:
            if self.chance.random() < 0.7:
                await self.make(key)
        await self.go_on(8)


@pytest.mark.parametrize("seed", [*range(6), 79])
async def test_no_item_is_lost_in_short_lives_with_slices_of_a_while_ago(seed: int) -> None:
    lives = Lives(seed)
    await lives.run()
    claims = {key.name for key in CLAIMS if lives.world.api.read(RECORD_SETS, key) is not None}
    document = lives.world.api.read(ZONES, ZONE)
    if document is not None and "deletionTimestamp" not in document["metadata"]:
        assert {name for _, name, _ in lives.world.provider.external} == claims
