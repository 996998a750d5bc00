from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypedDict, Unpack

import pytest

from libdnsapi.api.route53.identity import Route53Identity
from route53_controller.aws.credentials import CredentialSource, StaticKeys
from route53_controller.aws.errors import AwsError, AwsFailure
from route53_controller.identity.plan.acceptance import acceptance
from route53_controller.identity.plan.readiness import check_is_due, readiness
from route53_controller.identity.plan.status import plan
from route53_controller.identity.snapshot import Check, Discovery, Policy, Snapshot
from tests.route53_controller.identity.builders import ACCOUNT, NOW, ROLE, identity


class Changes(TypedDict, total=False):
    now: datetime
    partition: str | None
    source: CredentialSource | None
    secrets_readable: bool
    policy: Policy
    last: Check | None


class CheckChanges(TypedDict, total=False):
    generation: int
    finished_at: datetime
    account: str
    error: AwsError | None
    unforeseen: bool
    discovery: Discovery | None


SOURCE = CredentialSource("eu-central-1", None)
SECRET = {"credentials": {"secretRef": {"name": "aws"}}}
CHAIN = {"assumeRoleChain": [{"roleARN": ROLE}]}


GOOD = Check(1, SOURCE, NOW, ACCOUNT)


def snapshot(found: Route53Identity | None = None, **changes: Unpack[Changes]) -> Snapshot:
    return replace(Snapshot(found or identity(), NOW, "aws", SOURCE), **changes)


def checked(**changes: Unpack[CheckChanges]) -> Check:
    return replace(GOOD, **changes)


@pytest.mark.spec("R53-CR-007", "R53-ID-004", "R53-ID-010", "R53-IS-003", "R53-IS-004", "R53-IS-005", "R53-IS-006")
@pytest.mark.parametrize(
    ("spec", "changes", "reason"),
    [
        ({}, {}, "Accepted"),
        (SECRET, {}, "Accepted"),
        (CHAIN, {}, "Accepted"),
        ({"region": "xx-nowhere-1"}, {"partition": None}, "InvalidRegion"),
        ({"credentials": {}}, {}, "InvalidCredentialSource"),
        ({"credentials": {"runtime": {}, "secretRef": {"name": "aws"}}}, {}, "InvalidCredentialSource"),
        (CHAIN | {"region": "cn-north-1"}, {"partition": "aws-cn"}, "InvalidAssumeRoleChain"),
        (SECRET, {"secrets_readable": False}, "DeniedByPolicy"),
        ({}, {"secrets_readable": False}, "Accepted"),
        ({}, {"policy": Policy(runtime_namespaces=("other", "plat"))}, "DeniedByPolicy"),
        ({}, {"policy": Policy(runtime_namespaces=("plat*",))}, "Accepted"),
        (SECRET, {"policy": Policy(runtime_namespaces=())}, "Accepted"),
        (CHAIN, {"policy": Policy(role_arns=("arn:aws:iam::123456789012:role/other-*",))}, "DeniedByPolicy"),
        (CHAIN, {"policy": Policy(role_arns=("arn:aws:iam::123456789012:role/d*",))}, "Accepted"),
    ],
)
def test_a_spec_is_accepted_or_refused_with_the_first_reason(
    spec: dict[str, object], changes: Changes, reason: str
) -> None:
    verdict = acceptance(snapshot(identity(spec=spec), **changes))
    assert (verdict.reason, verdict.is_true) == (reason, reason == "Accepted")
    assert "arn:" not in verdict.message


def failed(failure: AwsFailure, step: int | None = None) -> Check:
    return checked(account="", error=AwsError(failure, "said", step=step))


RETRIED, RECHECKED = timedelta(minutes=1), timedelta(minutes=10)


@pytest.mark.spec("R53-IS-007", "R53-IS-008", "R53-IS-009", "R53-IS-010", "R53-IS-011", "R53-IS-015", "R53-IS-016")
@pytest.mark.parametrize(
    ("check", "reason", "again"),
    [
        (checked(), "Ready", RECHECKED),
        (checked(account="999999999999"), "AccountMismatch", None),
        (checked(unforeseen=True), "ReconcileError", RETRIED),
        (failed(AwsFailure.CREDENTIALS_UNAVAILABLE), "CredentialUnavailable", RETRIED),
        (failed(AwsFailure.ACCESS_DENIED), "ProviderAccessDenied", RETRIED),
        (failed(AwsFailure.ACCESS_DENIED, step=0), "AssumeRoleFailed", RETRIED),
        (failed(AwsFailure.INVALID_REQUEST, step=1), "AssumeRoleFailed", RETRIED),
        (failed(AwsFailure.THROTTLED), "ProviderUnavailable", RETRIED),
        (failed(AwsFailure.UNAVAILABLE, step=0), "ProviderUnavailable", RETRIED),
        (failed(AwsFailure.UNKNOWN_OUTCOME), "ProviderUnavailable", RETRIED),
        (failed(AwsFailure.INVALID_REQUEST), "ReconcileError", RETRIED),
    ],
)
def test_a_live_check_ends_as_a_reason_and_a_time_for_the_next(
    check: Check, reason: str, again: timedelta | None
) -> None:
    decided = plan(snapshot(last=check))
    assert decided.status is not None
    assert (readiness(ACCOUNT, check).reason, decided.requeue_after) == (reason, again)
    assert decided.status.last_credential_check_time == NOW
    assert decided.status.next_credential_check_time == (NOW + again if again else None)


@pytest.mark.spec("R53-IS-013", "R53-IS-022")
def test_ids_stay_out_of_messages_and_the_account_in_its_field() -> None:
    """Case 78."""
    decided = plan(snapshot(last=checked(account="999999999999")))
    assert decided.status is not None
    assert decided.status.account_id == "999999999999"
    assert not any("999999999999" in each.message or ACCOUNT in each.message for each in decided.status.conditions)


@pytest.mark.spec("R53-IS-017")
@pytest.mark.parametrize(
    ("last", "changes", "due"),
    [
        (None, {}, True),
        (checked(), {}, False),
        (checked(finished_at=NOW - timedelta(minutes=9, seconds=59)), {}, False),
        (checked(finished_at=NOW - timedelta(minutes=10)), {}, True),
        (failed(AwsFailure.UNAVAILABLE), {}, False),
        (replace(failed(AwsFailure.UNAVAILABLE), finished_at=NOW - timedelta(minutes=1)), {}, True),
        (checked(account="999999999999", finished_at=NOW - timedelta(days=1)), {}, False),
        (checked(generation=0), {}, True),
        (checked(), {"source": CredentialSource("eu-central-1", StaticKeys("a", "b"))}, True),
        (checked(), {"source": None}, True),
    ],
)
def test_credentials_are_checked_on_time_and_when_something_changed(
    last: Check | None, changes: Changes, due: bool
) -> None:
    assert check_is_due(replace(snapshot(**changes), last=last)) is due


def test_a_settled_identity_is_not_written_again_whatever_second_it_is() -> None:
    """Case 87."""
    check = checked(finished_at=NOW + timedelta(microseconds=999_999))
    first = plan(snapshot(last=check, now=NOW + timedelta(seconds=1)))
    assert first.status is not None
    seen = identity(status=first.status.model_dump(mode="json", by_alias=True, exclude_none=True))
    again = snapshot(seen, last=check, now=NOW + timedelta(seconds=2))
    assert plan(again).status is None
    assert check_is_due(again) is False


@pytest.mark.spec("R53-IS-021")
def test_only_changes_are_told() -> None:
    first = plan(snapshot(last=checked()))
    assert first.status is not None
    assert [each.reason for each in first.told] == ["Accepted", "Ready"]
    seen = identity(status=first.status.model_dump(mode="json", by_alias=True, exclude_none=True))
    lost = plan(snapshot(seen, last=failed(AwsFailure.UNAVAILABLE), now=NOW + timedelta(minutes=10)))
    assert [each.reason for each in lost.told] == ["ProviderUnavailable"]


@pytest.mark.spec("R53-IS-016")
def test_a_refused_spec_has_no_readiness_and_no_next_check() -> None:
    first = plan(snapshot(last=checked()))
    assert first.status is not None
    status = first.status.model_dump(mode="json", by_alias=True, exclude_none=True)
    decided = plan(snapshot(identity(status=status, generation=2), partition=None))
    assert decided.status is not None
    assert [(each.type, each.reason) for each in decided.status.conditions] == [("Accepted", "InvalidRegion")]
    assert decided.status.next_credential_check_time is None
    assert decided.requeue_after is None


DISCOVERY = {"zoneDiscovery": {"enabled": True}}


@pytest.mark.spec("R53-DI-003")
def test_a_failed_discovery_keeps_the_last_list_and_is_told_beside_ready() -> None:
    status = {"hostedZones": [{"id": "Z1", "name": "example.com"}]}
    check = checked(discovery=Discovery(error=AwsError(AwsFailure.ACCESS_DENIED, "AWS denied route53:ListHostedZones")))
    decided = plan(snapshot(identity(spec=DISCOVERY, status=status), last=check))
    assert decided.status is not None
    assert [zone.id for zone in decided.status.hosted_zones or ()] == ["Z1"]
    ready = decided.status.conditions[1]
    assert (ready.reason, "route53:ListHostedZones" in ready.message) == ("Ready", True)


@pytest.mark.spec("R53-DI-002")
def test_discovery_that_is_turned_off_leaves_no_list() -> None:
    status = {"hostedZones": [{"id": "Z1", "name": "example.com"}], "hostedZonesTruncated": True}
    decided = plan(snapshot(identity(status=status), last=checked()))
    assert decided.status is not None
    assert (decided.status.hosted_zones, decided.status.hosted_zones_truncated) == (None, None)
