"""What a failed AWS call means for the conditions of a zone or record set: one table. Pure.

Source: provider seed (Programmed reasons of Zone and RecordSet), issue of the Route 53 provider, "Errors".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from libdnsapi.api.reasons import Reason
from route53_controller.aws.errors import AwsError, AwsFailure


class Mends(StrEnum):
    """What can make a failed call succeed, and so when it is worth another try."""

    SOON = "Soon"
    """Time, within seconds: try again with a short back-off."""
    LATER = "Later"
    """Time or somebody else's doing (a quota, a grant, a foreign record): back off up to the drift interval."""
    EDIT = "Edit"
    """Only a change of what was asked for."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """What one kind of failure comes to; `maybe_applied`: AWS may have done it all the same."""

    reason: Reason
    mends: Mends
    advice: str
    maybe_applied: bool = False

    @property
    def retryable(self) -> bool:
        """Whether trying again without an edit can help."""
        return self.mends is not Mends.EDIT


CONSEQUENCES: Mapping[AwsFailure, Consequence] = MappingProxyType(
    {
        AwsFailure.THROTTLED: Consequence(
            Reason.PROVIDER_UNAVAILABLE, Mends.SOON, "Route 53 is asked too often; this is tried again by itself"
        ),
        AwsFailure.PRIOR_REQUEST_NOT_COMPLETE: Consequence(
            Reason.PROVIDER_CHANGE_PENDING, Mends.SOON, "this is tried again by itself"
        ),
        AwsFailure.UNAVAILABLE: Consequence(
            Reason.PROVIDER_UNAVAILABLE, Mends.SOON, "this is tried again by itself", maybe_applied=True
        ),
        AwsFailure.UNKNOWN_OUTCOME: Consequence(
            Reason.PROVIDER_UNAVAILABLE,
            Mends.SOON,
            "what Route 53 made of it is read before anything is sent again",
            maybe_applied=True,
        ),
        AwsFailure.ACCESS_DENIED: Consequence(
            Reason.PROVIDER_ACCESS_DENIED, Mends.LATER, "grant it to the credentials of the Route53Identity"
        ),
        AwsFailure.NO_SUCH_HOSTED_ZONE: Consequence(
            Reason.EXTERNAL_RESOURCE_NOT_FOUND, Mends.LATER, "it is never created again silently"
        ),
        AwsFailure.NO_SUCH_CHANGE: Consequence(
            Reason.PROVIDER_CHANGE_PENDING, Mends.SOON, "the record sets are read again instead"
        ),
        AwsFailure.HOSTED_ZONE_ALREADY_EXISTS: Consequence(
            Reason.PROVIDER_CONFLICT, Mends.SOON, "another caller reference is tried"
        ),
        AwsFailure.HOSTED_ZONE_NOT_EMPTY: Consequence(
            Reason.PROVIDER_CONFLICT, Mends.LATER, "remove them at Route 53, or choose zoneDeletionPolicy Retain"
        ),
        AwsFailure.INVALID_CHANGE_BATCH: Consequence(Reason.PROVIDER_INVALID_REQUEST, Mends.EDIT, ""),
        AwsFailure.LIMIT_EXCEEDED: Consequence(
            Reason.PROVIDER_INVALID_REQUEST, Mends.LATER, "ask AWS for a higher quota or remove what is not needed"
        ),
        AwsFailure.INVALID_REQUEST: Consequence(Reason.PROVIDER_INVALID_REQUEST, Mends.EDIT, ""),
        AwsFailure.CREDENTIALS_UNAVAILABLE: Consequence(
            Reason.PROVIDER_IDENTITY_NOT_READY, Mends.LATER, "see the status of the Route53Identity"
        ),
    }
)
_BY_CODE: Mapping[str, Consequence] = MappingProxyType(
    {
        "ConflictingDomainExists": Consequence(
            Reason.PROVIDER_CONFLICT, Mends.LATER, "another hosted zone of this or a related name is in the way"
        ),
    }
)


def consequence(error: AwsError) -> Consequence:
    """Return what a failed call comes to; total over every AwsFailure."""
    return _BY_CODE.get(error.code) or CONSEQUENCES[error.failure]


def failure_message(error: AwsError) -> str:
    """Return one sentence for people: what AWS said (sanitised), then what to do or what happens next."""
    advice = consequence(error).advice
    said = error.message[:1].upper() + error.message[1:]
    return f"{said}; {advice}" if advice else said
