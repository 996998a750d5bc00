"""Random histories of up to 40 claims in 3 zones: whatever happens in whatever order, the invariants hold.

Every write of the ledger is looked at as the server stored it, not only the end of each step. The short profile
belongs to `make check`; DNSAPI_DEEP=1 makes it thorough.
"""

import asyncio
import os
import random

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from core_controller.zoneunit.snapshot import Limits
from libdnsapi.api.dns.provider import PROVIDERS
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import NAMESPACES, JsonObject, ObjectKey
from libdnsapi.api.names import ALLOW_RETAIN_ANNOTATION, DELETION_POLICY_ANNOTATION
from tests.core_controller.zoneunit.objects import (
    PROVIDER,
    Body,
    allow,
    namespace,
    platform,
    provider,
    zone,
    zone_class,
)
from tests.core_controller.zoneunit.watcher import KINDS, Watcher, check_settled, outcome
from tests.core_controller.zoneunit.world import World
from tests.fakes.kubernetes import Fault, refused

DEEP = bool(os.environ.get("DNSAPI_DEEP"))
PROFILE = settings(
    max_examples=400 if DEEP else 25,
    stateful_step_count=80 if DEEP else 30,
    deadline=None,
    derandomize=not DEEP,
    database=None,
    phases=(Phase.explicit, Phase.generate, Phase.shrink) if DEEP else (Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
SLOTS = 40
NAMESPACES_USED = ("platform", "team-a", "team-b")
NAMES = ("www", "api", "@", "*")
BODIES: dict[str, JsonObject] = {
    "A": {"a": {"addresses": ["192.0.2.1"]}},
    "TXT": {"txt": {"values": ["text"]}},
    "CNAME": {"cname": {"target": "target.example.net"}},
}
ZONE_KEYS = tuple(ObjectKey("platform", f"zone-{i}") for i in range(3))

slots = st.integers(0, SLOTS - 1)


def claim_key(slot: int) -> ObjectKey:
    """Return the one key that a slot's claim ever has."""
    return ObjectKey(NAMESPACES_USED[slot % 3], f"c{slot}")


def claim_body(slot: int, name: str, type_: str, zone_number: int) -> Body:
    """Return a slot's claim; its age is its slot, so that every order of creation has the same tie-breaks."""
    key = claim_key(slot)
    spec: JsonObject = {
        "zoneRef": {**ZONE_KEYS[zone_number]._asdict()},
        "provider": {"name": PROVIDER, "version": "v1"},
        "type": type_,
        "name": name,
        "ttl": 300,
    }
    created = f"2026-01-01T00:00:{(slot * 7) % SLOTS:02}Z"
    meta: JsonObject = {**key._asdict(), "generation": 1, "creationTimestamp": created}
    return RECORD_SETS, {"metadata": meta, "spec": spec | BODIES[type_]}


def zone_body(number: int) -> Body:
    """Return one of the three Zones."""
    return zone(ZONE_KEYS[number], domainName=f"zone-{number}.example", allowedRecordSets=[allow()])


class CoreMachine(RuleBasedStateMachine):
    """One world and everything that may happen to it."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.torn: set[ObjectKey] = set()

    def run(self, work) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001 - any coroutine
        """Run a coroutine to its end."""
        self.loop.run_until_complete(work)

    def by_hand(self, work) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001 - any coroutine
        """Run what people do, whom no failure hits."""
        faults, self.world.api.faults = self.world.api.faults, []
        self.run(work)
        self.world.api.faults = faults

    @initialize(inline=st.integers(0, 3), per_slice=st.integers(1, 3), object_bytes=st.sampled_from([5000, 256 * 1024]))
    def begin(self, inline: int, per_slice: int, object_bytes: int) -> None:
        """Begin with everything that Zones need, and two of the Zones."""

        async def make() -> None:
            self.world = World(Limits(inline=inline, per_slice=per_slice, object_bytes=object_bytes))
            self.watcher = Watcher(self.world)
            self.world.put(*platform(), *(namespace(name, dns="yes") for name in NAMESPACES_USED))
            self.world.put(zone_body(0), zone_body(1))
            await self.world.sync()

        self.run(make())

    @rule(
        claims=st.lists(
            st.tuples(slots, st.sampled_from(NAMES), st.sampled_from(sorted(BODIES)), st.integers(0, 2)),
            min_size=1,
            max_size=8,
        )
    )
    def create(self, claims: list[tuple[int, str, str, int]]) -> None:
        """Create claims whose keys are free."""
        for slot, name, type_, number in claims:
            if self.world.api.read(RECORD_SETS, claim_key(slot)) is None:
                self.world.put(claim_body(slot, name, type_, number))

    @rule(which=slots, ttl=st.integers(1, 900))
    def edit(self, which: int, ttl: int) -> None:
        """Edit a claim."""
        keys = self.world.api.keys(RECORD_SETS)
        if keys:
            self.by_hand(self.world.edit(RECORD_SETS, keys[which % len(keys)], {"spec": {"ttl": ttl}}))

    @rule(which=slots, count=st.integers(1, 120))
    def grow(self, which: int, count: int) -> None:
        """Give a claim so many addresses that its item may outgrow its ledger object."""
        keys = [k for k in self.world.api.keys(RECORD_SETS) if self.world.record_set(k).spec.a is not None]
        if keys:
            body: JsonObject = {"addresses": [f"192.0.2.{i}" for i in range(count)]}
            self.by_hand(self.world.edit(RECORD_SETS, keys[which % len(keys)], {"spec": {"a": body}}))

    @rule(which=slots)
    def delete(self, which: int) -> None:
        """Delete a claim."""
        keys = self.world.api.keys(RECORD_SETS)
        if keys:
            self.by_hand(self.world.delete(RECORD_SETS, keys[which % len(keys)]))

    @rule(which=slots, name=st.sampled_from(NAMES), type_=st.sampled_from(sorted(BODIES)), number=st.integers(0, 2))
    def replace_past_us(self, which: int, name: str, type_: str, number: int) -> None:
        """Tear a claim out of our hands and create another one under its key."""
        keys = self.world.api.keys(RECORD_SETS)
        if keys:
            key = keys[which % len(keys)]
            self.torn.add(key)
            self.by_hand(self.world.edit(RECORD_SETS, key, {"metadata": {"finalizers": None}}))
            if self.world.api.read(RECORD_SETS, key) is not None:
                self.by_hand(self.world.delete(RECORD_SETS, key))
            self.world.put(claim_body(int(key.name.removeprefix("c")), name, type_, number))

    @rule(which=slots)
    def tear(self, which: int) -> None:
        """Tear a claim out of our hands; another one may come under its key much later, for another name or Zone."""
        keys = self.world.api.keys(RECORD_SETS)
        if keys:
            key = keys[which % len(keys)]
            self.torn.add(key)
            self.by_hand(self.world.edit(RECORD_SETS, key, {"metadata": {"finalizers": None}}))
            if self.world.api.read(RECORD_SETS, key) is not None:
                self.by_hand(self.world.delete(RECORD_SETS, key))

    @rule(which=slots)
    def retain(self, which: int) -> None:
        """Ask that the record set of a claim stays when that is deleted, or while it is."""
        keys = self.world.api.keys(RECORD_SETS)
        if keys:
            wish: JsonObject = {"annotations": {DELETION_POLICY_ANNOTATION: "Retain"}}
            self.by_hand(self.world.edit(RECORD_SETS, keys[which % len(keys)], {"metadata": wish}))

    @rule(number=st.integers(0, 2), permitted=st.sampled_from(["true", None]))
    def permit(self, number: int, permitted: str | None) -> None:
        """Let claims of other namespaces leave their record sets in a Zone, or do not."""
        if self.world.api.read(ZONES, ZONE_KEYS[number]) is not None:
            patch: JsonObject = {"metadata": {"annotations": {ALLOW_RETAIN_ANNOTATION: permitted}}}
            self.by_hand(self.world.edit(ZONES, ZONE_KEYS[number], patch))

    @rule()
    def toggle_class(self) -> None:
        """Delete the class, or create it where there is none."""
        resource, body = zone_class()
        key = ObjectKey("platform", "public")
        if self.world.api.read(resource, key) is None:
            self.world.put((resource, body))
        else:
            self.by_hand(self.world.delete(resource, key))

    @rule(number=st.integers(0, 2))
    def delete_a_ledger(self, number: int) -> None:
        """Delete a ZoneUnit as admission allows it: its Zone is missing or goes too."""
        document, key = self.world.api.read(ZONES, ZONE_KEYS[number]), ZONE_KEYS[number]
        leaves = document is None or "deletionTimestamp" in document["metadata"]  # type: ignore[operator]
        if leaves and self.world.api.read(ZONE_UNITS, key) is not None:
            self.by_hand(self.world.delete(ZONE_UNITS, key))

    @rule(number=st.integers(0, 2))
    def toggle_zone(self, number: int) -> None:
        """Delete a Zone, or create it where there is none."""
        if self.world.api.read(ZONES, ZONE_KEYS[number]) is None:
            self.world.put(zone_body(number))
        else:
            self.by_hand(self.world.delete(ZONES, ZONE_KEYS[number]))

    @rule(which=st.integers(0, 20))
    def delete_a_slice(self, which: int) -> None:
        """Delete a slice by hand."""
        keys = self.world.api.keys(ZONE_UNIT_SLICES)
        if keys:
            self.by_hand(self.world.delete(ZONE_UNIT_SLICES, keys[which % len(keys)]))

    @rule(name=st.sampled_from(NAMESPACES_USED), label=st.sampled_from(["yes", "no"]))
    def relabel(self, name: str, label: str) -> None:
        """Change a namespace's label."""
        self.by_hand(self.world.edit(NAMESPACES, ObjectKey("", name), {"metadata": {"labels": {"dns": label}}}))

    @rule(number=st.integers(0, 2), pattern=st.sampled_from([".*", "www", "api|@"]))
    def repolicy(self, number: int, pattern: str) -> None:
        """Change a Zone's policy."""
        if self.world.api.read(ZONES, ZONE_KEYS[number]) is not None:
            patch: JsonObject = {"spec": {"allowedRecordSets": [allow(pattern)]}}
            self.by_hand(self.world.edit(ZONES, ZONE_KEYS[number], patch))

    @rule(served=st.booleans())
    def serve(self, served: bool) -> None:
        """Serve the Provider's version, or do not."""
        spec = provider({"served": served})[1]["spec"]
        self.by_hand(self.world.edit(PROVIDERS, ObjectKey("", PROVIDER), {"spec": spec}))

    @rule(kinds=st.sets(st.sampled_from(range(len(KINDS))), min_size=1))
    def sync_some(self, kinds: set[int]) -> None:
        """Show the caches a part of the truth."""
        self.run(self.world.sync(*(KINDS[number] for number in sorted(kinds))))

    @rule()
    def reconcile(self) -> None:
        """Let core act on what its caches show."""
        self.run(self.world.reconcile())

    @rule()
    def provide(self) -> None:
        """Let the provider act."""
        self.run(self.world.provide())

    @rule(cleans=st.booleans(), programs=st.booleans(), observes=st.booleans())
    def change_the_provider(self, cleans: bool, programs: bool, observes: bool) -> None:
        """Let the provider be able to do less, or everything again."""
        provider_ = self.world.provider
        provider_.cleans, provider_.programs, provider_.observes = cleans, programs, observes

    @rule()
    def restart(self) -> None:
        """Begin with empty caches; nothing is reconciled before all kinds were listed."""

        async def again() -> None:
            self.world.restart()
            await self.world.sync()

        self.run(again())

    @rule(verb=st.sampled_from(["create", "replace", "merge_patch", "json_patch", "delete"]), applied=st.booleans())
    def lose_a_write(self, verb: str, applied: bool) -> None:
        """Fail a write to come, carried out or not."""
        self.world.api.fail(Fault(refused(503, "ServiceUnavailable"), verb, applied=applied))  # type: ignore[arg-type]

    @rule()
    @precondition(lambda self: self.world.provider.cleans)
    def settle(self) -> None:
        """Let everything come to rest."""
        self.world.api.faults.clear()
        self.run(self.world.settle())

    @invariant()
    def every_stored_state_is_right(self) -> None:
        """Look at what was stored since the last step."""
        if hasattr(self, "watcher"):
            self.world.api.faults = [fault for fault in self.world.api.faults if fault.times]
            self.watcher.check()

    def teardown(self) -> None:
        """Come to rest, which must work from anywhere."""
        try:
            if hasattr(self, "world"):
                self.watcher.check()
                self.run(check_settled(self.world, self.torn, self.watcher.retained))
                self.watcher.check()
        finally:
            self.loop.close()


@pytest.mark.spec("CORE-DL-012", "CORE-DL-020")
def test_the_invariants_hold_in_every_history() -> None:
    run_state_machine_as_test(CoreMachine, settings=PROFILE)


@pytest.mark.spec("CORE-ZU-015", "CORE-RT-025")
@pytest.mark.parametrize("seed", range(300 if DEEP else 12))
async def test_the_settled_state_does_not_depend_on_the_order(seed: int) -> None:
    """Claims, classes, Zones and namespaces in two orders, seen piecemeal: the same owners, the same verdicts."""
    chance = random.Random(seed)  # noqa: S311 - a test
    taken = chance.sample(range(SLOTS), 25)
    claims = [claim_body(s, chance.choice(NAMES), chance.choice(sorted(BODIES)), chance.randrange(3)) for s in taken]
    zones = [zone_body(number) for number in range(3)]
    rest = [*platform()[1:], *(namespace(name, dns=chance.choice(["yes", "yes", "no"])) for name in NAMESPACES_USED)]
    found = []
    for order in range(2):
        shuffled = chance.sample([*claims, *rest], len(claims) + len(rest))
        world = World(Limits(inline=chance.randrange(4), per_slice=3))
        for body in shuffled:
            world.put(body)
            if not chance.randrange(4):
                await world.sync(*chance.sample(KINDS, 3))
                await world.reconcile()
        world.put(*chance.sample(zones, len(zones)))
        await check_settled(world)
        found.append(outcome(world))
        assert order < 2
    assert found[0] == found[1]
