"""The adapter against the emulator: failures, retries, budgets and counting."""

import pytest

from e2e.route53.edits import RecordDocument, RecordEdits
from e2e.route53.faults import Fault
from route53_controller.aws.api import HostedZone, RecordKey, ResourceRecordSet
from route53_controller.aws.client import AwsClient
from route53_controller.aws.errors import AwsFailure
from tests.route53_controller.aws.adapter import ACCOUNT, IMPATIENT, Adapter, create, failure


def record(name: str, value: str = "192.0.2.1", type_: str = "A") -> ResourceRecordSet:
    return ResourceRecordSet(RecordKey(name, type_), 300, (value,))


async def zone_with(client: AwsClient, *records: ResourceRecordSet) -> HostedZone:
    zone = (await client.create_hosted_zone("example.com", "reference")).zone
    if records:
        await client.change_record_sets(zone.id, create(*records))
    return zone


@pytest.mark.spec("R53-OB-007")
async def test_a_throttled_page_is_asked_for_again_as_that_page(adapter: Adapter) -> None:
    """Case 28."""
    client = adapter.client()
    zone = await zone_with(client, *(record(f"n{number}.example.com") for number in range(6)))
    adapter.remote.reset_counters()
    adapter.remote.arm(Fault(action="ListResourceRecordSets", kind="throttle", nth=2, count=2))
    first = await client.list_record_sets(zone.id, max_items=4)
    second = await client.list_record_sets(zone.id, start=first.next, max_items=4)
    names = [found.key.name for found in (*first.record_sets, *second.record_sets)]
    assert len(names) == 8
    assert names[2:] == [f"n{number}.example.com" for number in range(6)]
    assert adapter.remote.throttled() == {"ListResourceRecordSets": 2}
    assert adapter.budget.share < 1


@pytest.mark.spec("R53-OB-006")
async def test_a_page_that_stays_unreadable_is_a_failure_and_not_a_shorter_list(adapter: Adapter) -> None:
    """Case 29."""
    client = adapter.client()
    zone = await zone_with(client)
    adapter.remote.arm(Fault(action="ListResourceRecordSets", kind="deny", count=10))
    error = await failure(client.list_record_sets(zone.id))
    assert error.failure is AwsFailure.ACCESS_DENIED
    assert error.message == "AWS denied route53:ListResourceRecordSets"


@pytest.mark.spec("R53-WR-004")
@pytest.mark.parametrize("kind", ["timeout-after-apply", "timeout-before", "close-connection", "truncated-body"])
async def test_a_batch_without_an_answer_has_an_unknown_outcome_and_is_not_sent_again(
    adapter: Adapter, kind: str
) -> None:
    zone = await zone_with(adapter.client())
    impatient = Adapter(adapter.remote, timeouts=IMPATIENT)
    client = impatient.client()
    assert (await client.get_hosted_zone(zone.id)).id == zone.id
    adapter.remote.reset_counters()
    adapter.remote.arm(Fault.model_validate({"action": "ChangeResourceRecordSets", "kind": kind, "holdSeconds": 10}))
    error = await failure(client.change_record_sets(zone.id, create(record("a.example.com"))))
    assert error.failure is AwsFailure.UNKNOWN_OUTCOME
    assert adapter.remote.calls()["ChangeResourceRecordSets"] == 1
    await impatient.connections.aclose()


async def test_a_server_error_on_a_batch_is_not_sent_again_but_a_read_is(adapter: Adapter) -> None:
    client = adapter.client()
    zone = await zone_with(client)
    adapter.remote.reset_counters()
    adapter.remote.arm(
        Fault(action="ChangeResourceRecordSets", kind="http-500"), Fault(action="GetHostedZone", kind="http-500")
    )
    error = await failure(client.change_record_sets(zone.id, create(record("a.example.com"))))
    assert error.failure is AwsFailure.UNAVAILABLE
    assert (await client.get_hosted_zone(zone.id)).id == zone.id
    calls = adapter.remote.calls()
    assert (calls["ChangeResourceRecordSets"], calls["GetHostedZone"]) == (1, 2)


async def test_no_server_means_unavailable(adapter: Adapter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_STS", "http://127.0.0.1:9")
    assert (await failure(adapter.client().get_hosted_zone("Z1"))).failure is AwsFailure.UNAVAILABLE


@pytest.mark.spec("R53-IB-001")
@pytest.mark.parametrize("form", ["error-response", "messages"])
async def test_all_reasons_of_a_rejected_batch_arrive_in_both_forms(adapter: Adapter, form: str) -> None:
    client = adapter.client()
    zone = await zone_with(client, record("a.example.com"), record("b.example.com"))
    adapter.remote.settings(changeBatchErrorForm=form)
    batch = create(record("a.example.com"), record("b.example.com"), record("c.example.com"))
    error = await failure(client.change_record_sets(zone.id, batch))
    assert error.failure is AwsFailure.INVALID_CHANGE_BATCH
    assert len(error.messages) == 2
    assert "name='a.example.com.', type='A'" in error.messages[0]
    assert "name='b.example.com.', type='A'" in error.messages[1]


async def test_a_malformed_value_is_told_in_route_53s_words(adapter: Adapter) -> None:
    client = adapter.client()
    zone = await zone_with(client)
    error = await failure(client.change_record_sets(zone.id, create(record("a.example.com", "not an address"))))
    assert error.failure is AwsFailure.INVALID_CHANGE_BATCH
    assert "IPv4" in error.message


@pytest.mark.spec("R53-CR-009")
async def test_credentials_of_another_account_are_never_used(adapter: Adapter) -> None:
    client = adapter.client(account="999999999999")
    error = await failure(client.create_hosted_zone("example.com", "reference"))
    assert error.failure is AwsFailure.CREDENTIALS_UNAVAILABLE
    assert ACCOUNT not in error.message
    assert "CreateHostedZone" not in adapter.remote.calls()


async def test_the_account_is_asked_for_once_a_connection(adapter: Adapter) -> None:
    client = adapter.client()
    zone = await zone_with(client)
    await client.get_hosted_zone(zone.id)
    assert adapter.remote.calls()["GetCallerIdentity"] == 1


@pytest.mark.spec("R53-EV-003")
async def test_calls_are_counted_by_action_identity_and_outcome(adapter: Adapter) -> None:
    client = adapter.client()
    await failure(client.get_hosted_zone("Z0000000000NONE"))
    await client.list_hosted_zones(limit=5)
    calls = adapter.metrics.calls
    assert calls.labels("GetHostedZone", "platform/main", "NoSuchHostedZone")._value.get() == 1
    assert calls.labels("ListHostedZones", "platform/main", "Success")._value.get() == 1


async def test_routing_policies_of_others_are_seen(adapter: Adapter) -> None:
    """Case 23."""
    client = adapter.client()
    zone = await zone_with(client)
    weighted = RecordDocument(name="w.example.com.", type="A", set_identifier="blue", values=("192.0.2.1",), weight=10)
    adapter.remote.edit(RecordEdits(hosted_zone_id=zone.id, put=(weighted,)))
    page = await client.list_record_sets(zone.id, start=RecordKey("w.example.com", "A"), max_items=1)
    (found,) = page.record_sets
    assert found.key.set_identifier == "blue"
    assert found.routing == (("Weight", "10"),)


@pytest.mark.spec("R53-BU-004")
async def test_lasting_throttling_lowers_the_call_rate_and_ends_as_throttled(adapter: Adapter) -> None:
    client = adapter.client()
    zone = await zone_with(client)
    adapter.remote.reset_counters()
    adapter.remote.arm(Fault(action="*", kind="throttle", for_seconds=30))
    error = await failure(client.get_hosted_zone(zone.id))
    assert error.failure is AwsFailure.THROTTLED
    assert adapter.remote.throttled() == {"GetHostedZone": 5}
    assert adapter.budget.share <= 0.5
    adapter.remote.disarm()
    assert (await client.get_hosted_zone(zone.id)).id == zone.id


@pytest.mark.spec("R53-BU-009")
@pytest.mark.parametrize("code", ["RequestExpired", "SignatureDoesNotMatch", "RequestTimeTooSkewed"])
async def test_a_clock_that_is_off_is_told_as_such(adapter: Adapter, code: str) -> None:
    client = adapter.client()
    zone = await zone_with(client)
    adapter.remote.arm(Fault(action="GetHostedZone", kind="error", code=code, status=403, message="20260101T000000Z"))
    error = await failure(client.get_hosted_zone(zone.id))
    assert error.failure is AwsFailure.ACCESS_DENIED
    assert "clock" in error.message


@pytest.mark.spec("R53-BU-011")
async def test_one_unreadable_zone_says_nothing_about_the_others(adapter: Adapter) -> None:
    """Case 30."""
    client = adapter.client()
    readable = await zone_with(client)
    denied = (await client.create_hosted_zone("example.org", "reference-2")).zone
    fault = {"action": "*", "kind": "deny", "hostedZoneId": denied.id, "count": 10}
    adapter.remote.arm(Fault.model_validate(fault))
    assert (await failure(client.list_record_sets(denied.id))).failure is AwsFailure.ACCESS_DENIED
    assert (await client.list_record_sets(readable.id)).next is None
