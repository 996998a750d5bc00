"""Rate limit, scripted faults, credentials and counters over the wire."""

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from aiobotocore.config import AioConfig
from botocore.exceptions import (
    ClientError,
    ConnectionClosedError,
    HTTPClientError,
    ReadTimeoutError,
)

from e2e.polling import eventually
from e2e.route53.edits import RecordDocument, RecordEdits
from e2e.route53.faults import Fault, FaultKind
from e2e.route53.remote import ControlError, Remote

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from types_aiobotocore_route53.client import Route53Client
    from types_aiobotocore_sts.client import STSClient

    Connect = Callable[..., Awaitable[Any]]

WWW = {"Name": "www.example.com", "Type": "A", "TTL": 60, "ResourceRecords": [{"Value": "192.0.2.1"}]}
CREATE = {"Changes": [{"Action": "CREATE", "ResourceRecordSet": WWW}]}
ROLE = "arn:aws:iam::222222222222:role/path/dns"
IMPATIENT = AioConfig(read_timeout=1, retries={"total_max_attempts": 1})
"""For the call that gets no answer; every other one may take as long as a slow machine needs."""


async def code_of(call: "Awaitable[object]") -> str:
    try:
        await call
    except ClientError as error:
        return error.response["Error"]["Code"]
    return ""


async def test_calls_beyond_the_rate_of_an_account_are_throttled(
    route53: "Route53Client", remote: Remote, connect: "Connect", zone: str
) -> None:
    remote.settings(accounts={"AKIDOTHER": "222222222222"}, rateLimit={"perSecond": 0.01, "burst": 3})
    remote.reset_counters()
    codes = await asyncio.gather(*(code_of(route53.get_hosted_zone(Id=zone)) for _ in range(5)))
    assert sorted(codes) == ["", "", "", "Throttling", "Throttling"]
    other = await connect("route53", access_key="AKIDOTHER")
    assert await code_of(other.list_hosted_zones()) == ""
    assert remote.throttled() == {"GetHostedZone": 2}
    assert remote.calls("222222222222") == {"ListHostedZones": 1}
    remote.settings(rateLimit=None)
    assert await code_of(route53.get_hosted_zone(Id=zone)) == ""


@pytest.mark.parametrize(
    ("fault", "code", "status"),
    [
        (Fault(action="GetHostedZone", kind="throttle"), "Throttling", 400),
        (Fault(action="GetHostedZone", kind="deny"), "AccessDenied", 403),
        (Fault(action="GetHostedZone", kind="http-500"), "InternalFailure", 500),
        (Fault(action="GetHostedZone", kind="error"), "ServiceUnavailable", 503),
        (Fault(action="*", kind="error", code="RequestExpired", status=403), "RequestExpired", 403),
    ],
)
async def test_a_scripted_refusal_answers_once(
    route53: "Route53Client", remote: Remote, zone: str, fault: Fault, code: str, status: int
) -> None:
    remote.arm(fault)
    with pytest.raises(ClientError) as caught:
        await route53.get_hosted_zone(Id=zone)
    response = caught.value.response
    assert (response["Error"]["Code"], response["ResponseMetadata"]["HTTPStatusCode"]) == (code, status)
    assert await code_of(route53.get_hosted_zone(Id=zone)) == ""
    assert remote.errors() == {code: 1}


@pytest.mark.parametrize(
    ("kind", "errors", "applied"),
    [
        ("timeout-before", ReadTimeoutError, False),
        ("timeout-after-apply", ReadTimeoutError, True),
        ("close-connection", ConnectionClosedError, False),
        ("truncated-body", HTTPClientError, True),
    ],
)
async def test_a_call_can_end_without_an_answer(
    connect: "Connect",
    remote: Remote,
    zone: str,
    kind: FaultKind,
    errors: type[Exception],
    applied: bool,
) -> None:
    impatient = await connect("route53", config=IMPATIENT)
    remote.arm(Fault(action="ChangeResourceRecordSets", kind=kind))
    with pytest.raises(errors):
        await impatient.change_resource_record_sets(HostedZoneId=zone, ChangeBatch=CREATE)
    assert (len(remote.records(zone)) == 3) is applied
    patient = await connect("route53")
    assert await code_of(patient.get_hosted_zone(Id=zone)) == ""


async def test_the_journal_holds_every_call_in_its_order_with_what_came_of_it(
    route53: "Route53Client", connect: "Connect", remote: Remote, zone: str
) -> None:
    before = remote.journal()[-1].sequence
    impatient = await connect("route53", config=IMPATIENT)
    remote.arm(
        Fault(action="GetHostedZone", kind="throttle"),
        Fault(action="ChangeResourceRecordSets", kind="timeout-after-apply"),
    )
    await code_of(route53.get_hosted_zone(Id=zone))
    await code_of(route53.get_hosted_zone(Id=zone))
    with pytest.raises(ReadTimeoutError):
        await impatient.change_resource_record_sets(HostedZoneId=zone, ChangeBatch=CREATE)
    await code_of(route53.change_resource_record_sets(HostedZoneId=zone, ChangeBatch=CREATE))
    calls = remote.journal(before)
    assert [(call.action, call.outcome) for call in calls] == [
        ("GetHostedZone", "Throttling"),
        ("GetHostedZone", "OK"),
        ("ChangeResourceRecordSets", "timeout-after-apply"),
        ("ChangeResourceRecordSets", "InvalidChangeBatch"),
    ]
    assert {(call.account_id, call.hosted_zone_id) for call in calls} == {("111111111111", zone)}
    assert [call.time for call in calls] == sorted(call.time for call in calls)


async def test_a_held_call_shows_in_the_journal_once_it_was_applied(
    connect: "Connect", remote: Remote, zone: str
) -> None:
    client = await connect("route53")
    remote.arm(Fault(action="ChangeResourceRecordSets", kind="timeout-after-apply"))
    sent = asyncio.create_task(client.change_resource_record_sets(HostedZoneId=zone, ChangeBatch=CREATE))
    await asyncio.to_thread(eventually, lambda: remote.journal()[-1].outcome == "timeout-after-apply")
    assert len(remote.records(zone)) == 3
    assert not sent.done()
    sent.cancel()


async def test_a_page_in_the_middle_of_a_list_can_fail(route53: "Route53Client", remote: Remote, zone: str) -> None:
    """Case 28."""
    remote.arm(Fault(action="ListResourceRecordSets", kind="throttle", nth=2, count=2))
    calls = [await code_of(route53.list_resource_record_sets(HostedZoneId=zone)) for _ in range(4)]
    assert calls == ["", "Throttling", "Throttling", ""]


async def test_a_stranger_can_write_just_before_a_call(route53: "Route53Client", remote: Remote, zone: str) -> None:
    put = RecordDocument(name="www.example.com", type="A", ttl=5, values=("192.0.2.99",))
    edit = RecordEdits(hosted_zone_id=zone, put=(put,))
    remote.arm(Fault(action="ChangeResourceRecordSets", kind="edit", records=edit))
    call = route53.change_resource_record_sets(HostedZoneId=zone, ChangeBatch=CREATE)
    assert await code_of(call) == "InvalidChangeBatch"
    assert remote.records(zone)[-1].values == ("192.0.2.99",)


async def test_a_role_of_another_account_acts_as_that_account(
    sts: "STSClient", connect: "Connect", remote: Remote, zone: str
) -> None:
    assert (await sts.get_caller_identity())["Account"] == "111111111111"
    granted = (await sts.assume_role(RoleArn=ROLE, RoleSessionName="session"))["Credentials"]
    keys = {"access_key": granted["AccessKeyId"], "token": granted["SessionToken"]}
    identity = await (await connect("sts", **keys)).get_caller_identity()
    assert (identity["Account"], identity["Arn"]) == (
        "222222222222",
        "arn:aws:sts::222222222222:assumed-role/dns/session",
    )
    assumed = await connect("route53", **keys)
    assert await code_of(assumed.get_hosted_zone(Id=zone)) == "AccessDenied"
    await assumed.create_hosted_zone(Name="other.com", CallerReference="r")
    assert {record["accountId"] for record in remote.zones()} == {"111111111111", "222222222222"}


async def test_a_role_is_refused_as_the_settings_say(sts: "STSClient", remote: Remote) -> None:
    async def assumed(**fields: str) -> str:
        return await code_of(sts.assume_role(RoleArn=ROLE, RoleSessionName="session", **fields))

    remote.settings(roles={ROLE: {"externalId": "secret"}})
    assert [await assumed(), await assumed(ExternalId="secret")] == ["AccessDenied", ""]
    remote.settings(roles={ROLE: {"deny": True}})
    assert await assumed(ExternalId="secret") == "AccessDenied"
    remote.settings(roles={}, strictRoles=True)
    assert await assumed() == "AccessDenied"


async def test_expired_and_unknown_credentials_are_refused(
    sts: "STSClient", connect: "Connect", remote: Remote, zone: str
) -> None:
    remote.settings(sessionSeconds=0.001)
    granted = (await sts.assume_role(RoleArn=ROLE, RoleSessionName="session"))["Credentials"]
    expired = await connect("route53", access_key=granted["AccessKeyId"], token=granted["SessionToken"])
    assert await code_of(expired.get_hosted_zone(Id=zone)) == "ExpiredToken"
    remote.settings(strictCredentials=True, accounts={"AKIDTEST": "111111111111"})
    unknown = await connect("route53", access_key="AKIDNOBODY")
    assert await code_of(unknown.get_hosted_zone(Id=zone)) == "InvalidClientTokenId"
    assert (await sts.get_caller_identity())["Account"] == "111111111111"


async def test_a_misspelt_setting_is_refused_by_name(remote: Remote) -> None:
    with pytest.raises(ControlError, match="insyncDelay"):
        remote.settings(insyncDelay=1)


async def test_a_reset_forgets_everything(route53: "Route53Client", remote: Remote, zone: str) -> None:
    remote.settings(latencySeconds=0.01)
    remote.arm(Fault(action="*", kind="deny"))
    remote.reset()
    assert (remote.zones(), remote.calls(), remote.log()) == ([], {}, [])
    assert remote.settings().latency_seconds == 0
    assert await code_of(route53.list_hosted_zones()) == ""
