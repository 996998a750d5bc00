"""How things end: claims, Zones, ledgers and namespaces, in any order; and how they come back."""

import itertools
import os

import pytest

from core_controller.zoneunit.snapshot import Limits
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from libdnsapi.api.names import RECORDSET_FINALIZER, ZONE_FINALIZER, ZONEUNIT_FINALIZER
from tests.core_controller.zoneunit.objects import (
    ZONE,
    Body,
    allow,
    namespace,
    platform,
    record_set,
    renamed,
    zone,
)
from tests.core_controller.zoneunit.pieces import item, piece
from tests.core_controller.zoneunit.provider import FINALIZER
from tests.core_controller.zoneunit.reading import PROGRAMMED, WWW, items, message, words, zone_message, zone_words
from tests.core_controller.zoneunit.world import World

EVERYTHING = (ZONES, RECORD_SETS, ZONE_UNITS, ZONE_UNIT_SLICES)
ORDERS = list(itertools.permutations(EVERYTHING))[:: 1 if os.environ.get("DNSAPI_DEEP") else 3]
"""A third of all orders in the short profile, each kind first and last in some."""


def left(world: World) -> dict[str, list[ObjectKey]]:
    """Return what of our kinds is still there."""
    return {r.plural: keys for r in EVERYTHING if (keys := world.api.keys(r))}


async def stage(world: World) -> None:
    """Let core act, then show it what came of it, without the provider."""
    await world.sync()
    await world.reconcile()


@pytest.mark.spec("CORE-ZU-012", "CORE-DL-011")
async def test_a_deleted_claim_goes_in_the_seeds_order(served: World) -> None:
    served.put(record_set("www"))
    await served.settle()
    await served.delete(RECORD_SETS, WWW)
    await stage(served)
    assert items(served) == {"www": "leaving"}
    assert served.record_set(WWW).metadata.finalizers == (RECORDSET_FINALIZER,)
    await served.provide()
    assert served.unit(ZONE).status.record_sets[0].deletion_completed is True
    await stage(served)
    assert served.api.read(RECORD_SETS, WWW) is None, "the finalizer goes first"
    assert items(served) == {"www": "leaving"}, "the item later"
    await stage(served)
    assert items(served) == {}


@pytest.mark.spec("CORE-DL-015")
async def test_a_claim_that_never_was_in_the_ledger_goes_at_once(served: World) -> None:
    """Cases 64 and 65."""
    served.put(namespace("team"), record_set("www", "team"))
    await served.settle()
    await served.delete(RECORD_SETS, ObjectKey("team", "www"))
    assert served.api.read(RECORD_SETS, ObjectKey("team", "www")) is None


@pytest.mark.spec("CORE-DL-001", "CORE-DL-002", "CORE-DL-007", "CORE-DL-009", "CORE-DL-010")
async def test_a_zone_goes_in_the_seeds_order(served: World) -> None:
    await served.delete(ZONES, ZONE)
    await stage(served)  # the ledger's head follows the Zone's last generation first
    await stage(served)
    unit = served.unit(ZONE)
    assert unit.metadata.deleting
    assert set(unit.metadata.finalizers) == {ZONEUNIT_FINALIZER, FINALIZER}
    await stage(served)
    assert served.zone(ZONE).metadata.finalizers == (ZONE_FINALIZER,)
    await served.provide()
    assert served.unit(ZONE).metadata.finalizers == (ZONEUNIT_FINALIZER,)
    await stage(served)
    assert served.api.read(ZONE_UNITS, ZONE) is None
    assert served.zone(ZONE).metadata.finalizers == (ZONE_FINALIZER,)
    await stage(served)
    assert left(served) == {}


@pytest.mark.spec("CORE-DL-008")
async def test_a_zone_without_a_ledger_goes_at_once(world: World) -> None:
    world.put(zone(zoneClassRef={"name": "absent"}))
    await world.settle()
    await world.delete(ZONES, ZONE)
    await world.settle()
    assert left(world) == {}


async def test_a_new_claim_is_not_let_into_a_deleting_zone(served: World) -> None:
    served.put(record_set("www"))
    await served.settle()
    await served.delete(ZONES, ZONE)
    await served.settle()
    served.put(record_set("late"))
    await served.settle()
    assert words(served, ObjectKey("platform", "late")) == {"Accepted": ("False", "ZoneNotAccepted")}
    assert served.record_set(ObjectKey("platform", "late")).metadata.finalizers == ()
    assert zone_words(served)["Programmed"] == ("False", "ProviderChangePending")
    assert words(served)["Programmed"] == ("True", "Programmed")


async def test_a_zone_that_has_a_ledger_is_held_even_if_it_is_refused(served: World) -> None:
    ledger = served.api.read(ZONE_UNITS, ZONE)
    assert ledger is not None
    other = World()
    other.put((ZONE_UNITS, ledger), zone())
    await other.settle()
    assert other.zone(ZONE).metadata.finalizers == (ZONE_FINALIZER,)
    await other.delete(ZONES, ZONE)
    await other.settle()
    assert left(other) == {}


async def everything() -> World:
    """Return a namespace with a Zone, claims inline and in slices, a loser, and a claim of another namespace."""
    world = World(Limits(inline=1, per_slice=2))
    world.put(*platform(), namespace("team", dns="yes"), zone(allowedRecordSets=[allow()]))
    world.put(
        *(record_set(f"n{i}") for i in range(4)), renamed(record_set("n0", created="2030-01-01T00:00:00Z"), "loser")
    )
    await world.settle()
    return world


@pytest.mark.spec("CORE-DL-006", "CORE-DL-016")
@pytest.mark.parametrize("order", ORDERS, ids=lambda o: "-".join(r.plural for r in o))
async def test_a_namespace_goes_with_everything_in_it_in_any_order(order: tuple[ResourceType, ...]) -> None:
    world = await everything()
    for number, resource in enumerate(order):
        for key in world.api.keys(resource):
            await world.delete(resource, key)
            if number % 2:
                await stage(world)
    await world.settle()
    assert left(world) == {}
    assert world.provider.external == {}


@pytest.mark.spec("CORE-DL-019")
@pytest.mark.parametrize("order", ORDERS, ids=lambda o: "-".join(r.plural for r in o))
async def test_a_claim_of_another_namespace_is_served_until_it_goes_itself(order: tuple[ResourceType, ...]) -> None:
    world = await everything()
    world.put(record_set("theirs", "team"))
    await world.settle()
    theirs = ObjectKey("team", "theirs")
    for resource in order:
        for key in world.api.keys(resource):
            if key.namespace == "platform":
                await world.delete(resource, key)
        await stage(world)
    await world.settle()
    assert world.api.keys(RECORD_SETS) == [theirs]
    assert world.provider.external == {(ZONE, "theirs", "A"): theirs}
    assert words(world, theirs)["Programmed"] == ("True", "Programmed")
    assert "team/theirs" in zone_message(world, "Programmed")
    await world.delete(RECORD_SETS, theirs)
    await world.settle()
    assert left(world) == {}
    assert world.provider.external == {}


@pytest.mark.spec("CORE-ZU-029")
async def test_an_orphaned_ledger_is_kept_until_somebody_deletes_it_and_then_goes(served: World) -> None:
    served.put(record_set("www"))
    await served.settle()
    ledger = served.api.read(ZONE_UNITS, ZONE)
    assert ledger is not None
    other = World()
    other.provider.external = dict(served.provider.external)
    other.put(*platform(), (ZONE_UNITS, ledger))
    await other.settle()
    assert items(other) == {"www": "live"}
    await other.delete(ZONE_UNITS, ZONE)
    await other.settle()
    assert left(other) == {}
    assert other.provider.external == {}


@pytest.mark.spec("CORE-DL-014")
async def test_an_orphaned_ledger_that_no_provider_holds_goes_with_its_slices() -> None:
    world = World()
    world.provided = False
    entry, meta = item("www"), {"finalizers": [ZONEUNIT_FINALIZER]}
    world.put(*platform(), zone())
    await world.settle()
    ledger = world.api.read(ZONE_UNITS, ZONE)
    assert ledger is not None
    alone = World()
    alone.provided = False
    alone.put(*platform(), (ZONE_UNITS, ledger), piece(0, entry, **meta), piece(1, **meta))
    await alone.settle()
    assert items(alone) == {"www": "live"}
    await alone.delete(ZONE_UNITS, ZONE)
    await alone.settle()
    assert left(alone) == {}


async def test_an_orphaned_ledger_is_not_taken_from_claims_that_are_there(served: World) -> None:
    served.put(record_set("www"))
    await served.settle()
    ledger = served.api.read(ZONE_UNITS, ZONE)
    assert ledger is not None
    other = World()
    other.provider.external = dict(served.provider.external)
    other.put(*platform(), (ZONE_UNITS, ledger), record_set("www"))
    await other.settle()
    assert words(other)["Accepted"] == ("Unknown", "ZoneNotResolved")
    await other.delete(ZONE_UNITS, ZONE)
    await other.settle()
    assert other.provider.deleted == []
    assert items(other) == {"www": "live"}
    await other.delete(RECORD_SETS, WWW)
    await other.settle()
    assert left(other) == {}


@pytest.mark.spec("CORE-DL-014")
async def test_a_ledger_deleted_under_its_zone_is_made_anew(served: World) -> None:
    old = served.unit(ZONE).metadata.uid
    served.provided = False
    await served.delete(ZONE_UNITS, ZONE)
    served.put(record_set("www"))
    await served.settle()
    assert "was deleted under its Zone" in zone_message(served, "Programmed")
    assert words(served)["Accepted"] == ("Unknown", "Reconciling")
    assert message(served) == "ZoneUnit platform/example-com is being deleted."
    served.provided = True
    await served.settle()
    assert served.unit(ZONE).metadata.uid != old
    assert words(served) == PROGRAMMED


async def test_a_ledger_that_is_being_deleted_does_not_follow_a_new_zone(served: World) -> None:
    served.provided = False
    served.put(record_set("www"))
    await served.settle()
    await served.delete(ZONE_UNITS, ZONE)
    await served.edit(ZONES, ZONE, {"metadata": {"finalizers": None}})
    await served.delete(ZONES, ZONE)
    await served.settle()
    before = served.unit(ZONE).spec.zone
    resource, body = zone()
    served.put((resource, body | {"metadata": {**ZONE._asdict(), "generation": 7}}))
    await served.settle()
    assert served.unit(ZONE).spec.zone == before


@pytest.mark.spec("CORE-SL-015")
async def test_a_recreated_claim_waits_for_the_old_one_and_inherits_nothing(served: World) -> None:
    served.put(record_set("www"))
    await served.settle()
    await served.delete(RECORD_SETS, WWW)
    await stage(served)
    await served.provide()
    await stage(served)
    assert served.api.read(RECORD_SETS, WWW) is None
    served.put(record_set("www"))
    served.provided = False
    await served.settle()
    assert words(served) == {"Accepted": ("Unknown", "OwnerStateNotResolved")}
    assert items(served) == {}
    served.provided = True
    await served.settle()
    assert words(served) == PROGRAMMED
    assert served.unit(ZONE).status.record_sets[0].deletion_completed is None


@pytest.mark.parametrize(
    "changed", [record_set("other"), record_set("www", type="TXT", a=None, txt={"values": ["x"]})], ids=["name", "type"]
)
async def test_a_claim_recreated_past_us_with_another_identity_replaces_the_old_item(
    served: World, changed: Body
) -> None:
    """Case 32."""
    served.put(record_set("www"))
    await served.settle()
    await served.edit(RECORD_SETS, WWW, {"metadata": {"finalizers": None}})
    await served.delete(RECORD_SETS, WWW)
    resource, body = changed
    served.put(renamed((resource, body), "www"))
    await served.settle()
    assert words(served) == PROGRAMMED
    spec = body["spec"]
    assert isinstance(spec, dict)
    assert served.provider.external == {(ZONE, spec["name"], spec["type"]): WWW}


async def test_a_claim_recreated_for_another_zone_leaves_the_first(served: World) -> None:
    other = ObjectKey("platform", "example-org")
    served.put(zone(other, domainName="example.org"), record_set("www"))
    await served.settle()
    await served.edit(RECORD_SETS, WWW, {"metadata": {"finalizers": None}})
    await served.delete(RECORD_SETS, WWW)
    served.put(record_set("www", zoneRef={"name": "example-org"}))
    await served.settle()
    assert words(served) == PROGRAMMED
    assert items(served) == {}
    assert items(served, other) == {"www": "live"}
    assert served.provider.external == {(other, "www", "A"): WWW}


async def test_a_zone_recreated_after_its_end_serves_again(served: World) -> None:
    served.put(record_set("www"))
    await served.settle()
    for resource, key in ((RECORD_SETS, WWW), (ZONES, ZONE)):
        await served.delete(resource, key)
    await served.settle()
    served.put(record_set("www"), zone())
    await served.settle()
    assert words(served) == PROGRAMMED


def restored(document: JsonObject, *, status: bool) -> JsonObject:
    """Return an object as a backup holds it: without what the server gives it."""
    metadata = document["metadata"]
    assert isinstance(metadata, dict)
    kept = ("name", "namespace", "labels", "annotations", "generation", "creationTimestamp")
    body = {"metadata": {name: metadata[name] for name in kept if name in metadata}, "spec": document["spec"]}
    return body | ({"status": document["status"]} if status and "status" in document else {})


@pytest.mark.spec("CORE-ZU-013", "CORE-BY-012")
@pytest.mark.parametrize("order", ORDERS, ids=lambda o: "-".join(r.plural for r in o))
async def test_a_restored_cluster_deletes_nothing_whatever_comes_back_first(order: tuple[ResourceType, ...]) -> None:
    """Cases 70 and 90."""
    old = await everything()
    new = World(old.limits)
    new.provider.external = dict(old.provider.external)
    new.put(*platform(), namespace("team", dns="yes"))
    for resource in order:
        ledger = resource in (ZONE_UNITS, ZONE_UNIT_SLICES)
        for key in old.api.keys(resource):
            document = old.api.read(resource, key)
            assert document is not None
            new.put((resource, restored(document, status=ledger)))
            await stage(new)
            await new.provide()
    await new.settle()
    assert new.provider.deleted == []
    assert new.provider.external == old.provider.external
    assert items(new) == items(old)
    for key in old.api.keys(RECORD_SETS):
        assert words(new, key) == words(old, key)


@pytest.mark.spec("CORE-ZU-030")
async def test_while_the_zone_is_missing_the_ledger_is_not_rebuilt(served: World) -> None:
    served.put(record_set("www"))
    await served.settle()
    ledger = served.api.read(ZONE_UNITS, ZONE)
    assert ledger is not None
    other = World()
    other.put(*platform(), (ZONE_UNITS, ledger), record_set("www", ttl=60), record_set("new"))
    await other.settle()
    for key in (WWW, ObjectKey("platform", "new")):
        assert words(other, key)["Accepted"] == ("Unknown", "ZoneNotResolved")
    assert items(other) == {"www": "live"}
    assert other.unit(ZONE).spec.record_sets[0].ttl == 300
