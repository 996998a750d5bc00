"""The end of a zone: what is ours goes if the class says so, what is not stays, and nothing is forgotten."""

from datetime import timedelta

import pytest

from libdnsapi.api.dns.zoneclass import ZONE_CLASSES, ZoneClass
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.meta import ResourceType
from libdnsapi.api.names import ROUTE53_CONTROLLER, ROUTE53_IN_USE_FINALIZER
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES
from libdnsapi.runtime.errors import ConflictError
from route53_controller.aws.api import RecordKey, ResourceRecordSet
from route53_controller.aws.errors import AwsFailure
from route53_controller.zoneunit.inuse import InUseReconciler, Used, UseKeeper, UseKey
from tests.route53_controller.zoneunit.world import CLASS, IDENTITY, UNIT, World, a, leaving

OURS = "route53.dns.appthrust.io/zoneunit-finalizer"
DELETE = {"zoneDeletionPolicy": "Delete"}
FOREIGN = ResourceRecordSet(RecordKey("mail.example.com", "A"), 60, ("198.51.100.1",))


@pytest.mark.spec("CORE-DL-009", "R53-HD-001", "R53-HD-008", "R53-ZC-004")
async def test_an_empty_zone_is_retained_without_a_call() -> None:
    world = World()
    await world.run()
    zone_id = world.zone_id
    world.quiet()
    await world.delete_unit()
    await world.run()
    assert OURS not in world.unit.metadata.finalizers
    assert zone_id in world.route53.zones
    assert not world.route53.calls
    assert "ExternalResourceRetained" in world.reasons()


@pytest.mark.spec("CORE-DL-002", "CORE-ZE-016", "R53-HD-003", "R53-HD-008")
async def test_with_delete_records_go_first_then_the_zone_then_the_finalizer() -> None:
    world = World(parameters=DELETE)
    await world.set_items(a("www"), a("api"))
    await world.run()
    await world.delete_unit()
    await world.step()
    assert OURS in world.unit.metadata.finalizers
    await world.run()
    assert not world.route53.zones
    assert OURS not in world.unit.metadata.finalizers
    assert "ExternalResourceDeleted" in world.reasons()
    assert world.reasons().count("Route53HostedZoneChangeSubmitted") == 2


@pytest.mark.spec("CORE-ZE-016", "R53-HD-001")
async def test_with_retain_only_what_was_asked_to_leave_leaves() -> None:
    world = World()
    await world.set_items(a("www"), a("api"))
    await world.run()
    zone_id = world.zone_id
    await world.set_items(a("www"), leaving(a("api")))
    await world.delete_unit()
    await world.run()
    assert [key.name for key in world.route53.records(zone_id)] == ["www.example.com"]
    assert OURS not in world.unit.metadata.finalizers


@pytest.mark.spec("R53-HD-004")
async def test_foreign_records_keep_the_zone_and_the_finalizer() -> None:
    world = World(parameters=DELETE)
    await world.set_items(a("www"))
    await world.run()
    zone_id = world.zone_id
    world.route53.put(zone_id, FOREIGN)
    await world.delete_unit()
    await world.run()
    for _ in range(3):
        await world.pass_time(timedelta(seconds=30))
    assert world.zone_condition() == "False ProviderConflict"
    assert OURS in world.unit.metadata.finalizers
    assert [key.name for key in world.route53.records(zone_id)] == ["mail.example.com"]
    world.route53.remove(zone_id, FOREIGN.key)
    await world.pass_time(world.settings.drift_interval)
    assert not world.route53.zones
    assert OURS not in world.unit.metadata.finalizers


async def test_live_claims_of_other_namespaces_are_served_until_they_go() -> None:
    world = World(parameters=DELETE)
    world.claim("www")
    await world.set_items(a("www"))
    await world.run()
    await world.delete_unit()
    await world.run()
    assert world.values("www.example.com") == ("192.0.2.1",)
    assert OURS in world.unit.metadata.finalizers
    assert world.zone_condition() == "False ProviderChangePending"
    world.claim("www", deleting=True)
    await world.set_items(leaving(a("www")))
    await world.run()
    assert not world.route53.zones


@pytest.mark.spec("R53-HD-006")
@pytest.mark.parametrize("failure", [AwsFailure.UNKNOWN_OUTCOME, AwsFailure.UNAVAILABLE])
async def test_a_lost_answer_to_the_deletion_ends_well(failure: AwsFailure) -> None:
    world = World(parameters=DELETE)
    await world.run()
    world.route53.fail("DeleteHostedZone", failure, applied=True)
    await world.delete_unit()
    await world.run()
    await world.pass_time(timedelta(minutes=2))
    assert OURS not in world.unit.metadata.finalizers


@pytest.mark.spec("R53-HD-007")
async def test_a_zone_that_was_deleted_by_hand_is_no_obstacle() -> None:
    """Case 39."""
    world = World(parameters=DELETE)
    await world.set_items(a("www"))
    await world.run()
    del world.route53.zones[world.zone_id]
    world.start()
    await world.delete_unit()
    await world.run()
    assert OURS not in world.unit.metadata.finalizers


@pytest.mark.spec("R53-HD-010")
async def test_a_missing_class_is_named_while_something_is_left() -> None:
    """Case 71."""
    world = World(parameters=DELETE)
    await world.run()
    zone_id = world.zone_id
    world.stores.classes.forget(CLASS)
    await world.delete_unit()
    await world.reconciler.reconcile(UNIT)
    assert OURS in world.unit.metadata.finalizers
    assert zone_id in world.zone_message()
    assert "ZoneClass" in world.zone_message()


@pytest.mark.spec("CORE-DL-014")
async def test_a_unit_that_made_nothing_goes_at_once_even_without_a_class() -> None:
    world = World(parameters={"zoneCreationPolicy": "Deny"})
    await world.run()
    await world.delete_unit()
    await world.run()
    assert OURS not in world.unit.metadata.finalizers
    assert not world.route53.calls["DeleteHostedZone"]


async def test_a_reference_without_a_zone_leaves_nothing_behind() -> None:
    world = World(parameters=DELETE)
    world.route53.fail("CreateHostedZone", AwsFailure.UNKNOWN_OUTCOME, applied=True)
    await world.step()
    world.start()
    await world.delete_unit()
    await world.run()
    assert not world.route53.zones
    assert OURS not in world.unit.metadata.finalizers


@pytest.mark.spec("R53-HD-005", "R53-HD-009")
async def test_class_and_identity_are_held_while_cleanup_is_owed() -> None:
    world = World(parameters=DELETE)
    await world.run()
    in_use = InUseReconciler(UseKeeper(world.kubernetes, world.stores, ROUTE53_CONTROLLER), world.stores, world)
    uses = [UseKey(Used.ZONE_CLASS, CLASS), UseKey(Used.IDENTITY, IDENTITY)]
    for use in uses:
        await in_use.reconcile(use)
    assert await finalizers(world) == [True, True]
    await world.delete_unit()
    await world.run()
    await world.edit(ZONE_UNITS, UNIT, {"metadata": {"finalizers": None}})
    for use in uses:
        await in_use.reconcile(use)
    assert await finalizers(world) == [False, False]


@pytest.mark.parametrize(
    ("use", "resource"),
    [(UseKey(Used.ZONE_CLASS, CLASS), ZONE_CLASSES), (UseKey(Used.IDENTITY, IDENTITY), ROUTE53_IDENTITIES)],
    ids=["class", "identity"],
)
async def test_what_waits_to_be_deleted_says_which_zones_keep_it(use: UseKey, resource: ResourceType) -> None:
    world = World(parameters=DELETE)
    await world.run()
    in_use = InUseReconciler(UseKeeper(world.kubernetes, world.stores, ROUTE53_CONTROLLER), world.stores, world)
    world.events.clear()
    await in_use.reconcile(use)
    assert not world.events
    document = world.kubernetes.read(resource, use.key)
    assert document is not None
    document["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"  # type: ignore[index,call-overload]
    world.put(resource, document)
    await in_use.reconcile(use)
    (event,) = world.events
    assert (event.regarding.kind, event.regarding.name, event.reason) == (use.kind, use.key.name, "Route53StillInUse")
    assert event.note.endswith(f"whose cleanup needs it: {UNIT}")


@pytest.mark.spec("R53-HD-009")
@pytest.mark.parametrize(("held", "expected"), [(True, True), (False, False)], ids=["our unit", "another's unit"])
async def test_a_class_that_is_another_controllers_now_is_held_for_our_units_alone(held: bool, expected: bool) -> None:
    world = World(parameters=DELETE)
    await world.run()
    document = world.kubernetes.read(ZONE_CLASSES, CLASS)
    assert document is not None
    document["spec"]["controllerName"] = "example.com/another"  # type: ignore[index,call-overload]
    world.put(ZONE_CLASSES, document)
    if not held:
        await world.edit(ZONE_UNITS, UNIT, {"metadata": {"finalizers": ["example.com/zoneunit-finalizer"]}})
    in_use = InUseReconciler(UseKeeper(world.kubernetes, world.stores, ROUTE53_CONTROLLER), world.stores, world)
    await in_use.reconcile(UseKey(Used.ZONE_CLASS, CLASS))
    assert (await finalizers(world))[0] is expected


async def test_a_class_that_was_replaced_unseen_by_another_controllers_is_not_held() -> None:
    world = World(parameters=DELETE)
    document = world.kubernetes.read(ZONE_CLASSES, CLASS)
    assert document is not None
    document["metadata"] |= {"uid": "another", "resourceVersion": "99"}  # type: ignore[operator]
    document["spec"]["controllerName"] = "example.com/another"  # type: ignore[index,call-overload]
    world.kubernetes.seed(ZONE_CLASSES, document)
    with pytest.raises(ConflictError):
        await world.run()
    await world.run()
    assert (await finalizers(world))[0] is False


async def finalizers(world: World) -> list[bool]:
    documents = [world.kubernetes.read(ZONE_CLASSES, CLASS), world.kubernetes.read(ROUTE53_IDENTITIES, IDENTITY)]
    return [ROUTE53_IN_USE_FINALIZER in str(document) for document in documents]


@pytest.mark.spec("R53-HD-009")
async def test_nothing_is_held_for_a_unit_that_made_nothing() -> None:
    world = World(parameters={"zoneCreationPolicy": "Deny"})
    await world.run()
    assert await finalizers(world) == [False, False]
    assert isinstance(world.stores.classes.get(CLASS), ZoneClass)


@pytest.mark.spec("R53-HD-011")
@pytest.mark.parametrize("remembered", [True, False])
async def test_a_secret_that_goes_before_its_zones_does_not_strand_what_they_made(remembered: bool) -> None:
    """In a namespace that is being deleted the Secret may go first: its last good keys do, or the step is named."""
    world = World(parameters=DELETE)
    secret = {"credentials": {"secretRef": {"name": "aws"}}}
    world.put_identity(**secret)
    await world.set_items(a("www"))
    await world.run()
    zone_id = world.zone_id
    world.accounts.unavailable.add(IDENTITY)
    world.accounts.remembered = {IDENTITY} if remembered else set()
    world.put_identity(ready="False", reason="CredentialUnavailable", **secret)
    await world.set_items(leaving(a("www")))
    await world.delete_unit()
    await world.run()
    assert (zone_id in world.route53.zones) is not remembered
    assert (OURS in world.unit.metadata.finalizers) is not remembered
    if not remembered:
        assert world.zone_condition() == "False ProviderIdentityNotReady"
        assert "clean up by hand" in world.zone_message()


@pytest.mark.spec("R53-HD-011")
async def test_the_keys_of_a_secret_that_is_gone_serve_no_zone_that_stays() -> None:
    world = World()
    secret = {"credentials": {"secretRef": {"name": "aws"}}}
    world.put_identity(**secret)
    await world.run()
    world.accounts.unavailable.add(IDENTITY)
    world.accounts.remembered.add(IDENTITY)
    world.put_identity(ready="False", reason="CredentialUnavailable", **secret)
    world.quiet()
    await world.set_items(a("www"))
    await world.run()
    assert world.programmed("www") == "False ProviderIdentityNotReady"
    assert not world.route53.calls
