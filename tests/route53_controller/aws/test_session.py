"""Credentials against the emulator's STS: chains, refresh, sharing and closing."""

import logging
import os
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest

from e2e.route53.faults import Fault
from libdnsapi.api.meta import ObjectKey
from route53_controller.aws.credentials import RoleStep, StaticKeys, session_name
from route53_controller.aws.errors import AwsFailure
from route53_controller.aws.session import Timeouts
from tests.fakes.route53 import ACCOUNT
from tests.route53_controller.aws.adapter import KEYS, Adapter, failure

FIRST = RoleStep("arn:aws:iam::111111111111:role/hop", "hop")
LAST = RoleStep("arn:aws:iam::222222222222:role/dns", "dns", "external")


@pytest.mark.spec("R53-ID-006")
async def test_roles_are_assumed_one_after_the_other(adapter: Adapter) -> None:
    adapter.remote.settings(roles={LAST.role_arn: {"externalId": "external"}})
    client = adapter.client(steps=(FIRST, LAST), account="222222222222")
    assert await client.caller_account() == "222222222222"
    await client.list_hosted_zones(limit=1)
    calls = adapter.remote.calls()
    assert calls["AssumeRole"] == 2


@pytest.mark.spec("R53-IS-008", "R53-IS-022")
@pytest.mark.parametrize(
    ("denied", "step"), [(FIRST.role_arn, 0), (LAST.role_arn, 1)], ids=["the first step", "the last step"]
)
async def test_the_step_that_failed_is_told_by_its_index_and_never_by_its_arn(
    adapter: Adapter, caplog: pytest.LogCaptureFixture, denied: str, step: int
) -> None:
    """Case 78."""
    adapter.remote.settings(roles={denied: {"deny": True}})
    client = adapter.client(steps=(FIRST, LAST), account="222222222222")
    with caplog.at_level(logging.INFO):
        error = await failure(client.caller_account())
    assert (error.failure, error.step) == (AwsFailure.ACCESS_DENIED, step)
    assert error.message == f"assumeRoleChain[{step}]: AWS denied sts:AssumeRole"
    assert "arn:" not in caplog.text


@pytest.mark.spec("R53-ID-008")
async def test_a_wrong_external_id_fails_the_step(adapter: Adapter) -> None:
    adapter.remote.settings(roles={FIRST.role_arn: {"externalId": "right"}})
    error = await failure(adapter.client(steps=(FIRST,)).caller_account())
    assert (error.failure, error.step) == (AwsFailure.ACCESS_DENIED, 0)


@pytest.mark.spec("R53-IS-011")
async def test_an_outage_of_sts_is_told_as_such_with_the_step(
    adapter: Adapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_STS", "http://127.0.0.1:9")
    error = await failure(adapter.client(steps=(FIRST,)).caller_account())
    assert (error.failure, error.step) == (AwsFailure.UNAVAILABLE, 0)


@pytest.mark.spec("R53-CR-006")
async def test_assumed_credentials_are_refreshed_before_they_expire(adapter: Adapter) -> None:
    adapter.remote.settings(sessionSeconds=605)
    client = adapter.client(steps=(FIRST,), account="111111111111")
    await client.list_hosted_zones(limit=1)
    await client.list_hosted_zones(limit=1)
    assert adapter.remote.calls()["AssumeRole"] > 1


async def test_long_lived_assumed_credentials_are_kept(adapter: Adapter) -> None:
    client = adapter.client(steps=(FIRST,), account="111111111111")
    for _ in range(4):
        await client.list_hosted_zones(limit=1)
    assert adapter.remote.calls()["AssumeRole"] == 1


@pytest.mark.spec("R53-IS-010")
async def test_unknown_access_keys_are_denied_in_words_of_ours(adapter: Adapter) -> None:
    adapter.remote.settings(strictCredentials=True)
    error = await failure(adapter.client().caller_account())
    assert error.failure is AwsFailure.ACCESS_DENIED
    assert KEYS.access_key_id not in str(error)


@pytest.mark.spec("R53-CR-005")
async def test_identities_with_equal_sources_share_a_connection_until_the_last_one_leaves(adapter: Adapter) -> None:
    one, two = ObjectKey("a", "one"), ObjectKey("b", "two")
    first = adapter.client(user=one)
    second = adapter.client(user=two)
    assert first.connection is second.connection
    adapter.connections.release(one)
    assert adapter.client(user=two).connection is second.connection
    adapter.connections.release(two)
    assert adapter.client(user=two).connection is not second.connection


@pytest.mark.spec("R53-CR-005")
async def test_a_changed_key_gets_its_own_connection_and_the_old_one_still_ends_its_work(adapter: Adapter) -> None:
    old = adapter.client()
    await old.list_hosted_zones(limit=1)
    new = adapter.client(StaticKeys("AKIAIOSFODNN7EXAMPL2", "secret"))
    assert new.connection is not old.connection
    assert await old.list_hosted_zones(limit=1) == await new.list_hosted_zones(limit=1)
    assert [metric.samples[0].value for metric in adapter.metrics.connections.collect()] == [1]


@pytest.mark.spec("R53-CR-004")
async def test_nothing_of_an_identity_with_a_secret_reaches_the_environment(
    adapter: Adapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7OTHERX")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "other")
    adapter.remote.settings(accounts={KEYS.access_key_id: ACCOUNT, "AKIAIOSFODNN7OTHERX": "999999999999"})
    before = dict(os.environ)
    assert await adapter.client().caller_account() == ACCOUNT
    assert dict(os.environ) == before


@pytest.mark.spec("R53-ID-005", "R53-ID-007")
async def test_the_runtime_source_uses_the_default_chain(adapter: Adapter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7OTHERX")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "other")
    adapter.remote.settings(accounts={"AKIAIOSFODNN7OTHERX": "999999999999"})
    assert await adapter.client(None, account="999999999999").caller_account() == "999999999999"


@pytest.mark.spec("R53-IS-007")
@pytest.mark.parametrize("steps", [(), (FIRST,)])
async def test_no_credentials_at_all_is_told_as_such(
    adapter: Adapter, monkeypatch: pytest.MonkeyPatch, steps: tuple[RoleStep, ...]
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", os.devnull)
    monkeypatch.setenv("AWS_CONFIG_FILE", os.devnull)
    client = adapter.client(None, steps)
    for call in (client.caller_account, partial(client.list_hosted_zones, limit=1)):
        error = await failure(call())
        assert (error.failure, error.step) == (AwsFailure.CREDENTIALS_UNAVAILABLE, None)
        assert error.message == "no AWS credentials could be found"


async def test_credentials_that_come_later_are_found(adapter: Adapter, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", os.devnull)
    monkeypatch.setenv("AWS_CONFIG_FILE", os.devnull)
    client = adapter.client(None)
    assert (await failure(client.caller_account())).failure is AwsFailure.CREDENTIALS_UNAVAILABLE
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEYS.access_key_id)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    assert await client.caller_account() == ACCOUNT


@pytest.mark.spec("R53-IS-009")
async def test_an_account_that_is_switched_under_us_is_noticed_by_the_next_check(adapter: Adapter) -> None:
    client = adapter.client()
    await client.list_hosted_zones(limit=1)
    adapter.remote.settings(accounts={KEYS.access_key_id: "999999999999"})
    assert await client.caller_account() == "999999999999"
    assert (await failure(client.list_hosted_zones(limit=1))).failure is AwsFailure.CREDENTIALS_UNAVAILABLE
    adapter.remote.settings(accounts={})
    assert await client.caller_account() == ACCOUNT
    await client.list_hosted_zones(limit=1)


@pytest.mark.spec("R53-CR-009")
async def test_no_hosted_zone_is_created_in_an_account_that_was_switched_to_a_moment_ago(adapter: Adapter) -> None:
    """Other calls name a hosted zone, which another account does not have; this one would succeed there."""
    client = adapter.client()
    await client.list_hosted_zones(limit=1)
    adapter.remote.settings(accounts={KEYS.access_key_id: "999999999999"})
    error = await failure(client.create_hosted_zone("example.com", "reference"))
    assert error.failure is AwsFailure.CREDENTIALS_UNAVAILABLE
    assert "CreateHostedZone" not in adapter.remote.calls()


@pytest.mark.spec("R53-CR-009")
async def test_credentials_that_are_right_again_are_found_so_by_the_next_call(adapter: Adapter) -> None:
    client = adapter.client()
    told: list[str] = []
    account = replace(client.account, on_mismatch=lambda: told.append("platform/main"))
    client = replace(client, account=account)
    adapter.remote.settings(accounts={KEYS.access_key_id: "999999999999"})
    assert (await failure(client.list_hosted_zones(limit=1))).failure is AwsFailure.CREDENTIALS_UNAVAILABLE
    assert told == ["platform/main"]
    adapter.remote.settings(accounts={})
    await client.list_hosted_zones(limit=1)


@pytest.mark.spec("R53-CR-009")
async def test_a_denied_call_has_the_account_confirmed_before_the_next(adapter: Adapter) -> None:
    client = adapter.client()
    await client.list_hosted_zones(limit=1)
    adapter.remote.settings(accounts={KEYS.access_key_id: "999999999999"})
    adapter.remote.arm(Fault(action="ListHostedZones", kind="deny"))
    assert (await failure(client.list_hosted_zones(limit=1))).failure is AwsFailure.ACCESS_DENIED
    assert (await failure(client.list_hosted_zones(limit=1))).failure is AwsFailure.CREDENTIALS_UNAVAILABLE


@pytest.mark.spec("R53-CR-009")
async def test_refreshed_credentials_are_confirmed_anew_and_lasting_ones_are_not(adapter: Adapter) -> None:
    client = adapter.client(steps=(FIRST,), account="111111111111")
    for _ in range(3):
        await client.list_hosted_zones(limit=1)
    assert adapter.remote.calls()["GetCallerIdentity"] == 1
    adapter.remote.settings(sessionSeconds=605)
    short = adapter.client(steps=(LAST,), account="222222222222", user=ObjectKey("platform", "short"))
    for _ in range(3):
        await short.list_hosted_zones(limit=1)
    assert adapter.remote.calls()["GetCallerIdentity"] >= 3


@pytest.mark.spec("R53-ID-003")
@pytest.mark.parametrize(
    ("region", "partition"),
    [
        ("ap-northeast-1", "aws"),
        ("us-gov-west-1", "aws-us-gov"),
        ("cn-north-1", "aws-cn"),
        ("xx-nowhere-1", None),
    ],
)
async def test_a_region_belongs_to_a_partition_or_to_none(adapter: Adapter, region: str, partition: str | None) -> None:
    assert adapter.connections.partition(region) == partition


@pytest.mark.spec("R53-ID-009")
@pytest.mark.parametrize(
    ("namespace", "name", "expected"),
    [
        ("platform", "main", "dns-api-platform-main-0"),
        ("platform", "main.dns", "dns-api-platform-main.dns-0"),
        ("n" * 40, "m" * 40, f"dns-api-{'n' * 40}-{'m' * 15}"),
    ],
)
def test_session_names_are_stable_and_legal(namespace: str, name: str, expected: str) -> None:
    assert session_name(ObjectKey(namespace, name), 0) == expected
    assert len(session_name(ObjectKey(namespace, name), 0)) <= 64


@pytest.mark.spec("R53-IS-022")
def test_keys_do_not_show_in_a_repr() -> None:
    """Case 78."""
    assert repr(StaticKeys("AKIAIOSFODNN7EXAMPLE", "secret", "token")) == "StaticKeys()"


@pytest.mark.spec("R53-BU-012")
def test_waits_are_bounded_by_default() -> None:
    assert Timeouts() == Timeouts(timedelta(seconds=3), timedelta(seconds=15), timedelta(seconds=30))
