"""A deleted RecordSet leaves its record set behind where it asks for that: nothing is deleted, the name is free."""

from dataclasses import replace

import pytest

from core_controller.zoneunit.plan.retention import Fate, fate
from core_controller.zoneunit.snapshot import Limits, UnitSnapshot
from libdnsapi.api.dns.recordset import RECORD_SETS, RecordSet
from libdnsapi.api.dns.zone import ZONES, Zone
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.api.names import ALLOW_RETAIN_ANNOTATION, DELETION_POLICY_ANNOTATION, RECORDSET_FINALIZER
from tests.core_controller.zoneunit.objects import (
    ZONE,
    Body,
    allow,
    cname,
    namespace,
    platform,
    record_set,
    renamed,
    zone,
)
from tests.core_controller.zoneunit.pieces import addresses
from tests.core_controller.zoneunit.reading import PROGRAMMED, TEAM_WWW, WWW, items, message, words
from tests.core_controller.zoneunit.world import World
from tests.fakes.clock import FakeClock

AT_THE_PROVIDER = (ZONE, "www", "A")
HELD = ("False", "ProviderChangePending")


def annotated(body: Body, **annotations: str) -> Body:
    """Return the object with annotations of our group, underscores standing for hyphens."""
    resource, document = body
    meta = document["metadata"]
    assert isinstance(meta, dict)
    return resource, document | {"metadata": meta | annotation(**annotations)}


def annotation(**annotations: str | None) -> JsonObject:
    """Return what metadata holds of annotations of our group, underscores standing for hyphens."""
    return {"annotations": {f"dns.appthrust.io/{name.replace('_', '-')}": v for name, v in annotations.items()}}


def retaining(body: Body) -> Body:
    """Return the claim with the wish to leave its record set behind."""
    return annotated(body, deletion_policy="Retain")


async def annotate(world: World, key: ObjectKey, **annotations: str | None) -> None:
    resource = ZONES if key == ZONE else RECORD_SETS
    await world.edit(resource, key, {"metadata": annotation(**annotations)})
    await world.settle()


async def step(world: World) -> None:
    await world.sync()
    await world.reconcile()


async def with_a_team(world: World, *claims: Body) -> World:
    """Return a world with a Zone that admits the namespace team, and claims that are programmed."""
    world.put(namespace("team", dns="yes"), zone(allowedRecordSets=[allow()]), *claims)
    await world.settle()
    return world


async def test_a_deleted_claim_leaves_its_record_set_behind_and_no_mark(served: World) -> None:
    served.put(retaining(record_set("www")))
    await served.settle()
    await served.delete(RECORD_SETS, WWW)
    await served.settle()

    assert served.api.read(RECORD_SETS, WWW) is None
    assert served.provider.external == {AT_THE_PROVIDER: WWW}
    assert served.provider.deleted == []
    assert items(served) == {}
    assert served.unit(ZONE).status.record_sets == ()
    told = [event for event in served.recorder.events if event.reason == "ExternalResourceRetained"]
    assert [(event.type, event.regarding.name, event.related and event.related.kind) for event in told] == [
        ("Normal", "www", "Zone")
    ]


async def test_the_item_leaves_the_ledger_before_its_claim_goes(served: World) -> None:
    """In the opposite order an interruption would leave an item that keeps the name for nobody."""
    served.put(retaining(record_set("www")))
    await served.settle()
    await served.delete(RECORD_SETS, WWW)
    await step(served)

    assert items(served) == {}
    assert served.record_set(WWW).metadata.finalizers == (RECORDSET_FINALIZER,)


async def test_what_is_taken_back_between_the_two_holds_the_claim_which_says_how_it_goes(world: World) -> None:
    await with_a_team(world, retaining(record_set("www", "team")))
    await annotate(world, ZONE, allow_retain="true")
    await world.delete(RECORD_SETS, TEAM_WWW)
    await step(world)
    assert items(world) == {}
    await annotate(world, ZONE, allow_retain=None)
    await annotate(world, TEAM_WWW, deletion_policy=None)
    assert words(world, TEAM_WWW)["Accepted"] == ("Unknown", "OwnerStateNotResolved")
    assert f"{DELETION_POLICY_ANNOTATION}: Retain" in message(world, TEAM_WWW)
    await annotate(world, TEAM_WWW, deletion_policy="Retain")
    assert world.api.read(RECORD_SETS, TEAM_WWW) is not None
    await annotate(world, ZONE, allow_retain="true")

    assert world.api.read(RECORD_SETS, TEAM_WWW) is None
    assert world.provider.external == {AT_THE_PROVIDER: TEAM_WWW}


@pytest.mark.parametrize("steps", range(5))
@pytest.mark.parametrize("limits", [Limits(), Limits(inline=0)], ids=["inline", "in a slice"])
async def test_whatever_the_moment_of_a_restart_nothing_is_deleted_and_nothing_left_in_the_ledger(
    steps: int, limits: Limits
) -> None:
    world = World(limits)
    world.put(*platform(), zone(), retaining(record_set("www")))
    await world.settle()
    await world.delete(RECORD_SETS, WWW)
    for _ in range(steps):
        await step(world)
    world.restart()
    await world.settle()

    assert world.api.read(RECORD_SETS, WWW) is None
    assert world.provider.external == {AT_THE_PROVIDER: WWW}
    assert items(world) == {}
    assert world.slices() == []


async def test_the_name_is_free_for_a_claim_of_another_namespace_without_a_gap(world: World) -> None:
    await with_a_team(world, retaining(record_set("www")))
    world.put(record_set("www", "team"))
    await world.settle()
    assert words(world, TEAM_WWW) == {"Accepted": ("False", "RecordSetConflict")}
    await world.delete(RECORD_SETS, WWW)
    await world.settle()

    assert words(world, TEAM_WWW) == PROGRAMMED
    assert world.provider.external == {AT_THE_PROVIDER: TEAM_WWW}
    assert world.provider.deleted == []


async def test_a_claim_of_the_same_key_comes_back_as_a_new_one(served: World) -> None:
    served.put(retaining(record_set("www")))
    await served.settle()
    await served.delete(RECORD_SETS, WWW)
    await served.settle()
    served.put(record_set("www"))
    await served.settle()
    assert words(served) == PROGRAMMED


async def test_a_claim_of_another_namespace_waits_until_the_zones_owner_permits_it(world: World) -> None:
    await with_a_team(world, retaining(record_set("www", "team")))
    await world.delete(RECORD_SETS, TEAM_WWW)
    await world.settle()
    assert words(world, TEAM_WWW) == {"Accepted": ("False", "NotAllowedByZone"), "Programmed": HELD}
    assert "dns.appthrust.io/allow-retain" in message(world, TEAM_WWW)
    assert items(world) == {"www": "live"}
    await annotate(world, ZONE, allow_retain="true")

    assert world.api.read(RECORD_SETS, TEAM_WWW) is None
    assert world.provider.external == {AT_THE_PROVIDER: TEAM_WWW}
    assert items(world) == {}


async def test_a_claim_that_waits_for_permission_is_deleted_once_it_asks_for_that(world: World) -> None:
    await with_a_team(world, retaining(record_set("www", "team")))
    await world.delete(RECORD_SETS, TEAM_WWW)
    await world.settle()
    await annotate(world, TEAM_WWW, deletion_policy=None)

    assert world.api.read(RECORD_SETS, TEAM_WWW) is None
    assert world.provider.external == {}


async def test_a_mistyped_wish_deletes_nothing_and_lets_nothing_go(served: World) -> None:
    served.put(annotated(record_set("www"), deletion_policy="retain"))
    await served.settle()
    await served.delete(RECORD_SETS, WWW)
    await served.settle()
    assert words(served) == {"Accepted": ("False", "DeniedByPolicy"), "Programmed": HELD}
    assert served.provider.external == {AT_THE_PROVIDER: WWW}
    await annotate(served, WWW, deletion_policy="Retain")

    assert served.api.read(RECORD_SETS, WWW) is None
    assert served.provider.external == {AT_THE_PROVIDER: WWW}
    assert items(served) == {}


@pytest.mark.parametrize("asked", ["Delete", "Retain"])
async def test_once_it_is_decided_the_condition_asks_for_no_decision_any_more(served: World, asked: str) -> None:
    """The deletion may go on for long: the guard holds it, or the provider is at work."""
    served.put(annotated(record_set("www"), deletion_policy="retain"))
    await served.settle()
    served.provider.item_verdicts[WWW] = ("True", "Accepted"), ("False", "ProviderChangePending")
    served.provider.cleans = False
    await served.delete(RECORD_SETS, WWW)
    await served.settle()
    await annotate(served, WWW, deletion_policy=asked)

    assert words(served) == {"Accepted": ("Unknown", "Reconciling"), "Programmed": HELD}
    assert DELETION_POLICY_ANNOTATION not in message(served)
    writes = served.api.writes()
    served.restart()
    await served.settle()
    assert served.api.writes() == writes


async def test_what_is_to_be_deleted_and_was_not_yet_may_stay_after_all(served: World) -> None:
    """As while the guard holds it, or while the provider cannot be reached."""
    served.put(record_set("www"))
    await served.settle()
    served.provider.cleans = False
    await served.delete(RECORD_SETS, WWW)
    await served.settle()
    assert items(served) == {"www": "leaving"}
    await annotate(served, WWW, deletion_policy="Retain")
    served.provider.cleans = True
    await served.settle()

    assert served.api.read(RECORD_SETS, WWW) is None
    assert served.provider.external == {AT_THE_PROVIDER: WWW}
    assert items(served) == {}


@pytest.mark.parametrize(
    ("asked", "claim"),
    [("retain", record_set("www")), ("Retain", record_set("www")), ("retain", cname("www"))],
    ids=["not decided", "a change is under way", "not decided, another type"],
)
async def test_a_record_set_that_is_to_stay_is_not_taken_over_by_a_claim_of_its_namespace(
    served: World, asked: str, claim: Body
) -> None:
    """Else two items without a mark would be of one name and type, and the new one would overwrite the record set."""
    beside = ObjectKey("platform", "beside")
    served.put(annotated(record_set("www"), deletion_policy=asked))
    await served.settle()
    served.provider.item_verdicts[WWW] = ("True", "Accepted"), ("False", "ProviderChangePending")
    await served.edit(RECORD_SETS, WWW, {"spec": {"ttl": 60}})
    await served.settle()
    await served.delete(RECORD_SETS, WWW)
    await served.settle()
    served.put(renamed(claim, "beside"))
    await served.settle()

    assert words(served, beside) == {"Accepted": ("False", "RecordSetConflict")}
    assert [item.key for item in served.unit(ZONE).spec.record_sets] == [WWW]
    assert served.provider.external == {AT_THE_PROVIDER: WWW}
    served.provider.item_verdicts.clear()
    await annotate(served, WWW, deletion_policy="Delete")
    assert served.api.read(RECORD_SETS, WWW) is None
    assert words(served, beside) == PROGRAMMED


async def test_a_change_that_is_under_way_is_waited_for(served: World) -> None:
    """Else the provider would keep what it knows of the change, which counts among those that may be in flight."""
    under_way = ("True", "Accepted"), ("False", "ProviderChangePending")
    served.provider.item_verdicts[WWW] = under_way
    served.put(retaining(record_set("www")))
    await served.settle()
    await served.delete(RECORD_SETS, WWW)
    await served.settle()
    assert items(served) == {"www": "live"}
    assert words(served)["Programmed"] == HELD
    served.provider.item_verdicts.clear()
    await served.settle()

    assert served.api.read(RECORD_SETS, WWW) is None
    assert served.provider.external == {AT_THE_PROVIDER: WWW}


async def test_content_that_the_provider_has_not_seen_yet_is_waited_for(served: World) -> None:
    served.put(retaining(record_set("www")))
    await served.settle()
    served.provided = False
    await served.edit(RECORD_SETS, WWW, {"spec": {"ttl": 60}})
    await served.settle()
    await served.delete(RECORD_SETS, WWW)
    await served.settle()
    assert items(served) == {"www": "live"}
    served.provided = True
    await served.settle()

    assert served.api.read(RECORD_SETS, WWW) is None
    assert served.provider.external == {AT_THE_PROVIDER: WWW}


async def test_a_deletion_that_was_asked_for_goes_on_whatever_the_annotation_says_then(served: World) -> None:
    served.put(record_set("www"))
    await served.settle()
    served.provider.cleans = False
    await served.delete(RECORD_SETS, WWW)
    await served.settle()
    await annotate(served, WWW, deletion_policy="retain")
    assert words(served)["Accepted"] == ("True", "Accepted")
    served.provider.cleans = True
    await served.settle()

    assert served.api.read(RECORD_SETS, WWW) is None
    assert served.provider.external == {}


async def test_what_is_cleaned_up_already_is_not_said_to_stay(served: World) -> None:
    served.put(record_set("www"))
    await served.settle()
    await served.delete(RECORD_SETS, WWW)
    await step(served)
    await served.provide()
    assert served.provider.external == {}
    await annotate(served, WWW, deletion_policy="Retain")

    assert served.api.read(RECORD_SETS, WWW) is None
    assert [event for event in served.recorder.events if event.reason == "ExternalResourceRetained"] == []


async def test_both_halves_of_an_item_on_the_move_leave_the_ledger() -> None:
    world = World(Limits(object_bytes=6000))
    world.put(*platform(), zone(), *(retaining(record_set(f"n{i}")) for i in range(4)))
    await world.settle()
    grown = ObjectKey("platform", "n1")
    world.provided = False
    await world.edit(RECORD_SETS, grown, {"spec": {"a": addresses(200)}})
    await world.settle()
    assert len(world.unit(ZONE).spec.record_sets) == 4
    assert len(world.slices()) == 1
    await world.delete(RECORD_SETS, grown)
    world.provided = True
    await world.settle()

    assert world.api.read(RECORD_SETS, grown) is None
    assert sorted(items(world)) == ["n0", "n2", "n3"]
    assert world.slices() == []
    assert world.provider.deleted == []


async def test_an_item_that_an_old_cache_does_not_show_is_not_left_behind() -> None:
    world = World(Limits(inline=0))
    world.put(*platform(), zone(), retaining(record_set("www")))
    await world.settle()
    await world.delete(RECORD_SETS, WWW)
    world.restart()
    await world.sync(*(resource for resource, _ in world.stores() if resource is not ZONE_UNIT_SLICES))
    await world.reconcile()
    assert world.record_set(WWW).metadata.finalizers == (RECORDSET_FINALIZER,)
    await world.settle()

    assert world.api.read(RECORD_SETS, WWW) is None
    assert world.api.keys(ZONE_UNIT_SLICES) == []
    assert world.provider.external == {AT_THE_PROVIDER: WWW}


async def test_a_claim_that_never_had_an_item_goes_at_once_and_nothing_is_told(world: World) -> None:
    await with_a_team(world, record_set("www"), retaining(record_set("www", "team")))
    await world.delete(RECORD_SETS, TEAM_WWW)
    await world.settle()

    assert world.api.read(RECORD_SETS, TEAM_WWW) is None
    assert [event for event in world.recorder.events if event.reason == "ExternalResourceRetained"] == []
    assert items(world) == {"www": "live"}


async def test_a_deleting_zone_follows_the_claims_that_left_their_record_sets_behind(served: World) -> None:
    served.put(retaining(record_set("www")))
    await served.settle()
    await served.delete(ZONES, ZONE)
    await served.settle()
    await served.delete(RECORD_SETS, WWW)
    await served.settle()

    assert served.api.keys(RECORD_SETS) == []
    assert served.api.keys(ZONES) == []
    assert served.provider.external == {AT_THE_PROVIDER: WWW}


CLAIM = RecordSet.model_validate(record_set("www", "team")[1])
OWN = RecordSet.model_validate(record_set("www")[1])
LIVE_ZONE = Zone.model_validate(zone()[1])
SNAPSHOT = UnitSnapshot(key=ZONE, now=FakeClock().now(), zone=LIVE_ZONE)


def wishing(claim: RecordSet, value: str | None) -> RecordSet:
    """Return the claim with the wish, or without any."""
    found = {} if value is None else {DELETION_POLICY_ANNOTATION: value}
    return claim.model_copy(update={"metadata": claim.metadata.model_copy(update={"annotations": found})})


def permitting(value: str) -> UnitSnapshot:
    """Return the snapshot with the Zone's permission."""
    metadata = LIVE_ZONE.metadata.model_copy(update={"annotations": {ALLOW_RETAIN_ANNOTATION: value}})
    return replace(SNAPSHOT, zone=LIVE_ZONE.model_copy(update={"metadata": metadata}))


@pytest.mark.parametrize(
    ("snapshot", "claim", "expected"),
    [
        (SNAPSHOT, wishing(CLAIM, None), "goes"),
        (SNAPSHOT, wishing(CLAIM, "Delete"), "goes"),
        (SNAPSHOT, wishing(OWN, "Retain"), "stays"),
        (replace(SNAPSHOT, zone=None), wishing(OWN, "Retain"), "stays"),
        (SNAPSHOT, wishing(CLAIM, "Retain"), "NotAllowedByZone"),
        (permitting("true"), wishing(CLAIM, "Retain"), "stays"),
        (permitting("yes"), wishing(CLAIM, "Retain"), "NotAllowedByZone"),
        (replace(SNAPSHOT, zone=None), wishing(CLAIM, "Retain"), "ZoneNotResolved"),
        (SNAPSHOT, wishing(OWN, "Orphan"), "DeniedByPolicy"),
        (SNAPSHOT, wishing(OWN, ""), "DeniedByPolicy"),
    ],
)
def test_what_becomes_of_a_record_set_follows_from_claim_and_zone(
    snapshot: UnitSnapshot, claim: RecordSet, expected: str
) -> None:
    decided = fate(snapshot, claim)

    assert (decided.value if isinstance(decided, Fate) else decided.reason) == expected
