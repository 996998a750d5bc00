"""What a live check comes to, and when the next one is due. Pure.

Source: provider seed, Route53Identity, "Ready=False reasons" and nextCredentialCheckTime; wire reference, "Upstream
timing".
"""

from datetime import datetime, timedelta

from libdnsapi.api.conditions import ConditionStatus, ConditionType, Verdict
from libdnsapi.api.reasons import Reason
from route53_controller.aws.errors import AwsError, AwsFailure
from route53_controller.identity.snapshot import Check, Intervals, Snapshot

_OUTAGES = frozenset({AwsFailure.THROTTLED, AwsFailure.UNAVAILABLE, AwsFailure.UNKNOWN_OUTCOME})
_REASONS = {
    AwsFailure.ACCESS_DENIED: Reason.PROVIDER_ACCESS_DENIED,
    AwsFailure.CREDENTIALS_UNAVAILABLE: Reason.CREDENTIAL_UNAVAILABLE,
}
_NO_SHORT_RETRY = frozenset({Reason.ACCOUNT_MISMATCH})


def check_is_due(snapshot: Snapshot) -> bool:
    """Whether credentials must be checked now.

    It depends on this process's own last check and never on the times in status, so that a status write, whatever
    second it falls into, cannot ask for the next one (case 87).
    """
    last = snapshot.last
    if last is None or (last.generation, last.source) != (snapshot.identity.metadata.generation, snapshot.source):
        return True
    due = next_check(last, readiness(snapshot.identity.spec.account_id, last), snapshot.intervals)
    return due is not None and due <= snapshot.now


def readiness(expected_account: str, check: Check) -> Verdict:
    """Return Ready after a live check."""
    if check.unforeseen:
        return _not_ready(Reason.RECONCILE_ERROR, "The check failed for a reason of the controller's own; see its log")
    if check.error is not None:
        return _not_ready(_reason(check.error), _sentence(check.error.message))
    if check.account != expected_account:
        return _not_ready(
            Reason.ACCOUNT_MISMATCH,
            "The credentials belong to another account than spec.accountID says; status.accountID shows which",
        )
    return Verdict(
        type=ConditionType.READY,
        status=ConditionStatus.TRUE,
        reason=Reason.READY,
        message=_ready_message(check),
    )


def next_check(check: Check, ready: Verdict, intervals: Intervals) -> datetime | None:
    """Return when credentials are checked again, None where only an edit can help."""
    interval = _interval(ready, intervals)
    return None if interval is None else check.finished_at + interval


def _interval(ready: Verdict, intervals: Intervals) -> timedelta | None:
    if ready.is_true:
        return intervals.recheck
    return None if ready.reason in _NO_SHORT_RETRY else intervals.retry


def _reason(error: AwsError) -> Reason:
    if error.failure in _OUTAGES:
        return Reason.PROVIDER_UNAVAILABLE
    if error.step is not None:
        return Reason.ASSUME_ROLE_FAILED
    return _REASONS.get(error.failure, Reason.RECONCILE_ERROR)


def _ready_message(check: Check) -> str:
    message = "The credentials work and belong to spec.accountID"
    if check.discovery is None or check.discovery.error is None:
        return message
    return f"{message}; hosted zones could not be listed: {check.discovery.error.message}"


def _not_ready(reason: Reason, message: str) -> Verdict:
    return Verdict(type=ConditionType.READY, status=ConditionStatus.FALSE, reason=reason, message=message)


def _sentence(text: str) -> str:
    return text if text.startswith("assumeRoleChain") else text[:1].upper() + text[1:]
