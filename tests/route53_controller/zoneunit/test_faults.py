"""Failures at Route 53 and crashes between any two writes: nothing is lost, doubled or taken for a stranger's."""

from datetime import timedelta

import pytest

from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.runtime.errors import UnavailableError
from route53_controller.aws.api import Change, ChangeAction, RecordKey, ResourceRecordSet
from route53_controller.aws.errors import AwsFailure
from tests.fakes.kubernetes import Fault
from tests.fakes.route53 import FakeRoute53
from tests.route53_controller.zoneunit.world import IDENTITY, UNIT, World, a, leaving

NAME = "www.example.com"


def no_status_writes(skip: int = 0, times: int = 1) -> Fault:
    error = UnavailableError(503, "Unavailable", "gone")
    return Fault(error, verb="replace", resource=ZONE_UNITS, key=UNIT, subresource="status", skip=skip, times=times)


async def crash_and_restart(world: World) -> None:
    with pytest.raises(UnavailableError):
        await world.run()
    world.kubernetes.faults.clear()
    world.sync()
    world.start()


async def settle(world: World) -> None:
    await world.run()
    await world.pass_time(timedelta(minutes=2))


@pytest.mark.spec("R53-HZ-007")
@pytest.mark.parametrize("skip", range(8))
async def test_a_crash_at_any_status_write_of_a_new_zone_ends_well(skip: int) -> None:
    """Case 63."""
    world = World()
    await world.set_items(a("www"))
    world.kubernetes.fail(no_status_writes(skip))
    try:
        await crash_and_restart(world)
    except AssertionError:
        world.kubernetes.faults.clear()
    except BaseException as error:
        if "DID NOT RAISE" not in str(error):
            raise
    await settle(world)
    assert len(world.route53.zones) == 1
    assert world.zone_condition() == "True Programmed"
    assert world.programmed("www") == "True Programmed"
    assert world.route53.zones[world.zone_id].tags["appthrust.io/zone-name"] == "example-com"


@pytest.mark.spec("R53-HZ-008")
async def test_a_crash_after_the_zone_was_created_finds_it_by_its_reference() -> None:
    """Case 63."""
    world = World()
    await world.run()
    state = dict(world.state())
    reference = str(state["callerReference"])
    status = world.kubernetes.read(ZONE_UNITS, UNIT)
    assert status is not None
    status["status"] = {"provider": {"state": {"callerReference": reference}}}
    world.put(ZONE_UNITS, status)
    world.start()
    await world.run()
    assert len(world.route53.zones) == 1
    assert world.zone_condition() == "True Programmed"


@pytest.mark.spec("R53-HZ-008")
async def test_a_lost_answer_to_the_creation_finds_the_zone() -> None:
    world = World()
    world.route53.fail("CreateHostedZone", AwsFailure.UNKNOWN_OUTCOME, applied=True)
    await world.run()
    assert len(world.route53.zones) == 1
    assert world.zone_condition() == "True Programmed"


@pytest.mark.spec("R53-HZ-009")
async def test_a_burned_reference_makes_way_for_the_next() -> None:
    world = World()
    uid = world.unit.metadata.uid
    await world.route53.create_hosted_zone("other.example", f"{uid}-1")
    await world.run()
    assert world.zone_condition() == "True Programmed"
    assert world.state()["callerReference"] == f"{uid}-2"


@pytest.mark.spec("R53-WR-003")
async def test_after_a_lost_answer_the_records_are_ours() -> None:
    world = World()
    await world.run()
    world.route53.fail("ChangeResourceRecordSets", AwsFailure.UNKNOWN_OUTCOME, applied=True)
    await world.set_items(a("www"))
    await world.step()
    assert world.programmed("www") == "False ProviderUnavailable"
    await settle(world)
    assert world.programmed("www") == "True Programmed"
    assert world.route53.calls["ChangeResourceRecordSets"] == 1


@pytest.mark.spec("R53-WR-003")
async def test_after_a_lost_answer_and_an_edit_the_records_are_still_ours() -> None:
    world = World()
    await world.run()
    world.route53.fail("ChangeResourceRecordSets", AwsFailure.UNKNOWN_OUTCOME, applied=True)
    await world.set_items(a("www"))
    await world.step()
    world.start()
    await world.set_items(a("www", "192.0.2.2", generation=2))
    await settle(world)
    assert world.programmed("www") == "True Programmed"
    assert world.values(NAME) == ("192.0.2.2",)


@pytest.mark.spec("R53-WR-004")
async def test_after_a_lost_answer_of_nothing_the_change_is_sent_again() -> None:
    world = World()
    await world.run()
    world.route53.fail("ChangeResourceRecordSets", AwsFailure.UNKNOWN_OUTCOME)
    await world.set_items(a("www"))
    await settle(world)
    assert world.programmed("www") == "True Programmed"


@pytest.mark.spec("R53-BU-005")
@pytest.mark.parametrize("failure", [AwsFailure.THROTTLED, AwsFailure.PRIOR_REQUEST_NOT_COMPLETE])
async def test_a_throttled_change_waits_and_changes_nothing_that_stands(failure: AwsFailure) -> None:
    world = World()
    await world.set_items(a("www"))
    await world.run()
    world.route53.fail("ChangeResourceRecordSets", failure, times=3)
    await world.set_items(a("www"), a("api"))
    await world.step()
    assert world.programmed("www") == "True Programmed"
    assert world.programmed("api") in ("False ProviderUnavailable", "False ProviderChangePending")
    await world.run()
    assert world.programmed("api") == "True Programmed"


@pytest.mark.spec("R53-BU-005")
async def test_throttled_reading_leaves_programmed_standing() -> None:
    world = World()
    await world.set_items(a("www"))
    await world.run()
    world.start()
    world.route53.fail("", AwsFailure.THROTTLED, times=10)
    for _ in range(10):
        wait = await world.step()
        assert wait is not None
        assert wait >= timedelta(seconds=1)
        world.clock.jump(wait)
        assert world.programmed("www") == "True Programmed"
        assert world.zone_condition() == "True Programmed"
    await world.run()
    assert world.aggregate() == "True Programmed"


@pytest.mark.spec("R53-OB-006")
async def test_a_page_that_fails_concludes_nothing() -> None:
    """Cases 28 and 29."""
    world = World()
    await world.set_items(*(a(f"n{number:03d}") for number in range(700)))
    await world.run()
    world.start()
    world.route53.fail("ListResourceRecordSets", AwsFailure.UNAVAILABLE, skip=1, times=2)
    batches = len(world.route53.batches)
    await world.run()
    assert len(world.route53.batches) == batches
    assert world.programmed("n600") == "True Programmed"


@pytest.mark.spec("R53-BU-008")
async def test_denied_access_is_reported_and_not_retried_at_once() -> None:
    """Case 30."""
    world = World()
    await world.run()
    world.route53.fail("ChangeResourceRecordSets", AwsFailure.ACCESS_DENIED, "AWS denied it", times=2)
    await world.set_items(a("www"))
    wait = await world.step()
    assert world.programmed("www") == "False ProviderAccessDenied"
    assert wait is not None
    assert wait >= timedelta(seconds=2)
    world.quiet()
    await world.step()
    assert world.route53.calls["ChangeResourceRecordSets"] == 0
    await world.pass_time(timedelta(minutes=1))
    await world.pass_time(timedelta(minutes=3))
    assert world.programmed("www") == "True Programmed"


async def test_missing_credentials_are_said_and_waited_for() -> None:
    """Case 39."""
    world = World()
    await world.set_items(a("www"))
    await world.run()
    world.accounts.unavailable.add(IDENTITY)
    world.start()
    await world.set_items(leaving(a("www")))
    await world.step()
    assert world.programmed("www").startswith(("False", "True"))
    assert world.values(NAME) is not None
    world.accounts.unavailable.clear()
    await world.pass_time(timedelta(minutes=2))
    assert world.values(NAME) is None


@pytest.mark.spec("R53-HZ-016")
async def test_a_vanished_hosted_zone_is_reported_once_and_never_recreated() -> None:
    """Case 89."""
    world = World()
    await world.set_items(a("www"))
    await world.run()
    del world.route53.zones[world.zone_id]
    await world.set_items(a("www"), a("api"))
    await world.run()
    world.quiet()
    for _ in range(5):
        await world.pass_time(timedelta(minutes=1))
    assert world.zone_condition() == "False ExternalResourceNotFound"
    assert world.programmed("www") == "False ExternalResourceNotFound"
    assert not world.route53.zones
    assert sum(world.route53.calls.values()) <= 10


@pytest.mark.spec("R53-HZ-017")
async def test_a_vanished_hosted_zone_is_recreated_with_the_token_of_the_message() -> None:
    world = World()
    await world.set_items(a("www"))
    await world.run()
    old = world.zone_id
    del world.route53.zones[old]
    await world.annotate(reconcile_request="again")
    await world.run()
    token = world.zone_message().partition("recreate-zone=")[2].split(" ")[0]
    await world.annotate(recreate_zone="wrong")
    await world.run()
    assert not world.route53.zones
    await world.annotate(recreate_zone=token)
    await world.run()
    assert world.zone_id not in ("", old)
    assert world.programmed("www") == "True Programmed"
    assert world.values(NAME) == ("192.0.2.1",)


@pytest.mark.spec("R53-HZ-019")
async def test_a_claim_whose_zone_has_vanished_is_released() -> None:
    """Case 39."""
    world = World()
    await world.set_items(a("www"))
    await world.run()
    del world.route53.zones[world.zone_id]
    await world.annotate(reconcile_request="again")
    await world.set_items(leaving(a("www")))
    await world.run()
    status = world.item_status("www")
    assert status is not None
    assert status.deletion_completed


@pytest.mark.spec("R53-HZ-018", "R53-UI-004")
async def test_an_account_switched_under_us_is_no_vanished_zone() -> None:
    """Nothing is released and no state is lost; it goes on when the right account is back."""
    world = World()
    await world.set_items(a("www"), a("api"))
    await world.run()
    zone_id = world.zone_id
    right, wrong = world.route53, FakeRoute53(account_id="999999999999")
    world.accounts.default = wrong
    await world.set_items(leaving(a("www")), a("api", "192.0.2.2", generation=2))
    await world.step()
    await world.step()
    status = world.item_status("www")
    assert status is not None
    assert not status.deletion_completed
    assert world.zone_condition() == "False ProviderIdentityNotReady"
    assert world.zone_id == zone_id
    assert not wrong.zones
    world.accounts.default = right
    await world.pass_time(timedelta(minutes=5))
    assert world.values("www.example.com") is None
    assert world.values("api.example.com") == ("192.0.2.2",)
    assert world.zone_condition() == "True Programmed"


def refuses(*names: str, message: str) -> object:
    def refuse(change: Change) -> str:
        bad = change.action is ChangeAction.CREATE and change.record_set.key.name in names
        return message.format(name=change.record_set.key.name, value=change.record_set.values[0]) if bad else ""

    return refuse


NAMED = "Invalid Resource Record: FATAL problem [name='{name}.', type='A']"
QUOTED = "FATAL problem: ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address) encountered with '{value}'"
VAGUE = "Something about the request was not to my liking"


@pytest.mark.spec("R53-IB-003", "R53-IB-004")
@pytest.mark.parametrize(("message", "extra"), [(NAMED, 1), (QUOTED, 1), (VAGUE, 25)])
async def test_one_bad_record_never_holds_up_the_others(message: str, extra: int) -> None:
    """Cases 25 and 83."""
    world = World()
    await world.run()
    items = [a(f"n{number:03d}", f"192.0.2.{number % 250}") for number in range(999)]
    world.route53.refuse = refuses("bad.example.com", message=message)  # type: ignore[assignment]
    await world.set_items(*items, a("bad", "198.51.100.255"))
    world.quiet()
    await world.step()
    assert world.route53.calls["ChangeResourceRecordSets"] <= 1 + extra
    await world.run()
    assert world.programmed("bad") == "False ProviderInvalidRequest"
    assert list(world.all_programmed().values()).count("True Programmed") == 999
    assert "Route 53 refused" in world.message("bad")
    world.quiet()
    await world.run()
    if message != VAGUE:
        world.start()
        await world.pass_time(timedelta(minutes=15))
        assert world.route53.calls["ChangeResourceRecordSets"] == 0
    world.route53.refuse = lambda _: ""
    await world.set_items(*items, a("bad", "198.51.100.1", generation=2))
    await world.run()
    assert world.programmed("bad") == "True Programmed"


@pytest.mark.spec("R53-IB-005", "R53-RO-014")
async def test_a_missing_alias_target_is_tried_again_by_itself() -> None:
    """Case 33."""
    world = World()
    await world.run()
    alias = {"dnsName": "lb.example.com.", "hostedZoneID": world.zone_id, "evaluateTargetHealth": False}
    await world.set_items({**a("www"), "ttl": None, "a": None, "options": {"alias": alias}}, a("api"))
    await world.run()
    assert world.programmed("api") == "True Programmed"
    assert world.programmed("www") == "False ProviderInvalidRequest"
    world.route53.put(world.zone_id, ResourceRecordSet(RecordKey("lb.example.com", "A"), 60, ("192.0.2.8",)))
    await world.pass_time(timedelta(minutes=3))
    assert world.programmed("www") == "True Programmed"


@pytest.mark.spec("R53-RS-018")
async def test_a_record_too_large_is_refused_by_name_before_anything_is_sent() -> None:
    """Cases 26 and 73."""
    world = World()
    await world.run()
    large = a("large")
    large |= {"type": "TXT", "a": None, "txt": {"values": [f"{n:02d}" + "x" * 3000 for n in range(6)]}}
    await world.set_items(large, a("api"))
    await world.run()
    assert world.programmed("large") == "False ProviderInvalidRequest"
    assert "15000" in world.message("large")
    assert world.programmed("api") == "True Programmed"


@pytest.mark.spec("CORE-ZS-019", "R53-OB-005", "R53-WR-009")
async def test_a_stale_cache_does_not_make_pending_programmed() -> None:
    """Cases 67 and 68."""
    world = World()
    await world.run()
    world.route53.auto_insync = False
    await world.set_items(a("www"))
    for _ in range(5):
        wait = await world.step()
        assert wait is not None
        world.clock.jump(wait)
        assert world.programmed("www") == "False ProviderChangePending"
    await world.set_items(a("www", "192.0.2.5", generation=2))
    await world.step()
    assert world.programmed("www") == "False ProviderChangeDeferred"
    world.route53.auto_insync = True
    await world.run()
    assert world.programmed("www") == "True Programmed"
    assert world.values(NAME) == ("192.0.2.5",)


@pytest.mark.spec("R53-WR-008")
async def test_an_edit_does_not_wait_for_somebody_elses_propagation() -> None:
    world = World()
    await world.run()
    world.route53.auto_insync = False
    await world.set_items(a("one"))
    await world.step()
    await world.set_items(a("one"), a("two"))
    await world.step()
    assert len(world.state()["pendingRecordSetChanges"]) == 2  # type: ignore[arg-type]
    assert world.values("two.example.com") is not None
