"""Short ways to write down an Accepted or Programmed verdict."""

from libdnsapi.api.conditions import ConditionStatus, ConditionType, Verdict
from libdnsapi.api.reasons import Reason


def accepted(message: str) -> Verdict:
    """Accepted=True."""
    return Verdict(type=ConditionType.ACCEPTED, status=ConditionStatus.TRUE, reason=Reason.ACCEPTED, message=message)


def refused(reason: Reason, message: str) -> Verdict:
    """Accepted=False: only a change of some object mends it."""
    return Verdict(type=ConditionType.ACCEPTED, status=ConditionStatus.FALSE, reason=reason, message=message)


def undecided(reason: Reason, message: str) -> Verdict:
    """Accepted=Unknown: something that is needed to decide is missing, perhaps only for now."""
    return Verdict(type=ConditionType.ACCEPTED, status=ConditionStatus.UNKNOWN, reason=reason, message=message)


def pending(message: str) -> Verdict:
    """Programmed=False ProviderChangePending."""
    return Verdict(
        type=ConditionType.PROGRAMMED,
        status=ConditionStatus.FALSE,
        reason=Reason.PROVIDER_CHANGE_PENDING,
        message=message,
    )


def reconciling(message: str) -> Verdict:
    """Programmed=Unknown Reconciling."""
    return Verdict(
        type=ConditionType.PROGRAMMED,
        status=ConditionStatus.UNKNOWN,
        reason=Reason.RECONCILING,
        message=message,
    )
