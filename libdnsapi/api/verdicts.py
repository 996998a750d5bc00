"""Accepted and Programmed verdicts, written down in one word; what each reason means stands in `reasons`."""

from libdnsapi.api.conditions import ConditionStatus, ConditionType, Verdict
from libdnsapi.api.reasons import Reason


def accepted(message: str) -> Verdict:
    """Return Accepted=True."""
    return Verdict(type=ConditionType.ACCEPTED, status=ConditionStatus.TRUE, reason=Reason.ACCEPTED, message=message)


def refused(reason: Reason, message: str) -> Verdict:
    """Return Accepted=False: only a change of some object mends it."""
    return Verdict(type=ConditionType.ACCEPTED, status=ConditionStatus.FALSE, reason=reason, message=message)


def undecided(reason: Reason, message: str) -> Verdict:
    """Return Accepted=Unknown: something that is needed to decide is missing, perhaps only for now."""
    return Verdict(type=ConditionType.ACCEPTED, status=ConditionStatus.UNKNOWN, reason=reason, message=message)


def unprogrammed(reason: Reason, message: str) -> Verdict:
    """Return Programmed=False."""
    return Verdict(type=ConditionType.PROGRAMMED, status=ConditionStatus.FALSE, reason=reason, message=message)


def pending(message: str) -> Verdict:
    """Return Programmed=False ProviderChangePending: it is under way."""
    return unprogrammed(Reason.PROVIDER_CHANGE_PENDING, message)


def reconciling(message: str) -> Verdict:
    """Return Programmed=Unknown Reconciling: nobody has looked yet."""
    return Verdict(
        type=ConditionType.PROGRAMMED, status=ConditionStatus.UNKNOWN, reason=Reason.RECONCILING, message=message
    )
