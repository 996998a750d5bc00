"""A hosted zone that is out of reach, in another account or in another unit's hands: nothing in it is given up."""

from datetime import timedelta

import pytest

from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.meta import JsonObject, ObjectKey
from route53_controller.aws.errors import AwsFailure
from tests.fakes.route53 import FakeRoute53
from tests.route53_controller.zoneunit.world import UNIT, World, a, leaving, unit_document

OURS = "route53.dns.appthrust.io/zoneunit-finalizer"


@pytest.mark.spec("R53-HZ-022")
async def test_an_identity_of_another_account_makes_nothing_look_as_if_it_had_vanished() -> None:
    """What stands in the account that it was made in is neither given up nor made again elsewhere."""
    world = World(parameters={"zoneDeletionPolicy": "Delete"})
    await world.set_items(a("www"), a("api"))
    await world.run()
    ours, theirs = world.route53, FakeRoute53(account_id="210987654321")
    world.accounts.default = theirs
    world.put_identity(accountID=theirs.account_id)
    await world.set_items(a("www", "192.0.2.9", generation=2), leaving(a("api")))
    await world.run()
    await world.pass_time(timedelta(minutes=15))
    assert world.zone_condition("Accepted") == "False InvalidIdentityRef"
    assert world.accepted("www") == "False ZoneNotAccepted"
    await world.delete_unit()
    await world.run()
    assert OURS in world.unit.metadata.finalizers
    api = world.item_status("api")
    assert api is not None
    assert not api.deletion_completed
    assert not theirs.zones
    assert len(ours.records(world.zone_id)) == 2
    assert theirs.account_id not in str(world.kubernetes.read(ZONE_UNITS, UNIT))
    world.accounts.default = ours
    world.put_identity()
    await world.run()
    assert not ours.zones
    assert OURS not in world.unit.metadata.finalizers


@pytest.mark.spec("R53-HZ-022")
@pytest.mark.parametrize("account", ["0123abcd", "9:0123abcd", ""])
async def test_an_account_that_was_noted_in_an_unknown_way_is_noted_anew(account: str) -> None:
    """It proves nothing: once the hosted zone was found, the account that it was found in stands."""
    world = World()
    await world.set_items(a("www"))
    await world.run()
    noted = world.state()["account"]
    ours = world.route53
    status: JsonObject = {"provider": {"state": {"account": account}}}
    await world.kubernetes.merge_patch(ZONE_UNITS, UNIT, {"status": status}, subresource="status")
    world.sync()
    theirs = world.accounts.default = FakeRoute53(account_id="210987654321")
    world.put_identity(accountID=theirs.account_id)
    await world.set_items(a("www", "192.0.2.9", generation=2))
    await world.run()
    assert world.state().get("account") != noted
    assert not theirs.zones
    world.accounts.default = ours
    world.put_identity()
    await world.pass_time(world.settings.drift_interval)
    assert world.state()["account"] == noted
    assert world.zone_condition() == "True Programmed"
    assert world.values("www.example.com") == ("192.0.2.9",)
    world.accounts.default = theirs
    world.put_identity(accountID=theirs.account_id)
    await world.run()
    assert world.zone_condition("Accepted") == "False InvalidIdentityRef"


OLDER = ObjectKey("dns", "older")


def older_unit(zone_id: str, *marked: str) -> JsonObject:
    """Return an older unit that holds a hosted zone, and in it these record sets, as a restored ledger has it."""
    document = unit_document(key=OLDER)
    items = [a(name, claim=f"{name}-older") for name in marked]
    statuses = [
        {
            "recordSetNamespace": "app",
            "recordSetName": f"{name}-older",
            "provider": {
                "state": {"hostedZoneID": zone_id, "recordName": f"{name}.example.com.", "recordType": "A"},
            },
        }
        for name in marked
    ]
    status = {"provider": {"state": {"hostedZoneID": zone_id}}, "recordSets": statuses}
    return {
        **document,
        "metadata": {**document["metadata"], "creationTimestamp": "2020-01-01T00:00:00Z"},  # type: ignore[dict-item]
        "spec": {**document["spec"], "recordSets": items},  # type: ignore[dict-item]
        "status": status,  # type: ignore[dict-item]
    }


async def beside_an_older_one(*marked: str) -> World:
    """Return a world whose zone has www and api, and an older unit that came back with the same hosted zone."""
    world = World(parameters={"zoneDeletionPolicy": "Delete"})
    await world.set_items(a("www"), a("api"))
    await world.run()
    world.put(ZONE_UNITS, older_unit(world.zone_id, *marked))
    return world


def completed(world: World, name: str) -> bool:
    status = world.item_status(name)
    return status is not None and status.deletion_completed


@pytest.mark.spec("R53-HZ-020", "R53-HD-012")
async def test_the_younger_of_two_units_says_of_nothing_that_it_is_cleaned_up_while_it_stands() -> None:
    world = await beside_an_older_one()
    await world.set_items(a("www"), leaving(a("api")))
    await world.run()
    assert world.programmed("api") == "False ProviderConflict"
    assert not completed(world, "api")
    assert world.values("api.example.com") is not None
    await world.delete_unit()
    await world.run()
    assert OURS in world.unit.metadata.finalizers
    assert "dns/older" in world.zone_message()
    assert "finalizer" in world.zone_message()
    await world.kubernetes.merge_patch(ZONE_UNITS, OLDER, {"metadata": {"finalizers": None}})
    await world.kubernetes.delete(ZONE_UNITS, OLDER)
    world.sync()
    await world.pass_time(timedelta(minutes=10))
    assert not world.route53.zones
    assert OURS not in world.unit.metadata.finalizers


@pytest.mark.spec("R53-HZ-020", "R53-HD-012")
async def test_what_the_older_unit_serves_too_is_its_own_and_holds_up_nobody() -> None:
    world = await beside_an_older_one("www", "api")
    await world.set_items(a("www"), leaving(a("api")))
    await world.run()
    assert completed(world, "api")
    await world.set_items(a("www"))
    await world.delete_unit()
    await world.run()
    assert OURS not in world.unit.metadata.finalizers
    assert len(world.route53.records(next(iter(world.route53.zones)))) == 2


@pytest.mark.spec("R53-HZ-022")
async def test_where_nothing_could_be_created_another_account_may_take_over() -> None:
    world = World()
    world.route53.fail("CreateHostedZone", AwsFailure.ACCESS_DENIED, times=100)
    await world.step()
    assert world.zone_condition() == "False ProviderAccessDenied"
    other = world.accounts.default = FakeRoute53(account_id="210987654321")
    world.put_identity(accountID=other.account_id)
    await world.run()
    assert world.zone_condition() == "True Programmed"
    assert len(other.zones) == 1


@pytest.mark.spec("R53-HZ-022")
async def test_where_something_may_have_been_created_it_may_not() -> None:
    world = World()
    world.route53.fail("CreateHostedZone", AwsFailure.UNKNOWN_OUTCOME, applied=True)
    await world.step()
    other = world.accounts.default = FakeRoute53(account_id="210987654321")
    world.put_identity(accountID=other.account_id)
    await world.run()
    assert world.zone_condition("Accepted") == "False InvalidIdentityRef"
    assert not other.zones
