"""What can go wrong at AWS, as one closed set of outcomes; messages are already sanitised.

A raw botocore error never leaves the adapter. The table from error codes to these outcomes is `aws.codes`.
"""

from dataclasses import dataclass
from enum import StrEnum


class AwsFailure(StrEnum):
    """The kinds of failure that planning tells apart."""

    THROTTLED = "Throttled"
    """Throttling: slow down and try again; nothing was applied."""
    PRIOR_REQUEST_NOT_COMPLETE = "PriorRequestNotComplete"
    """The hosted zone still works on an earlier request; nothing was applied."""
    UNAVAILABLE = "Unavailable"
    """5xx, connection refused, DNS failure: definitely or probably nothing was applied."""
    UNKNOWN_OUTCOME = "UnknownOutcome"
    """A time-out or cut connection after the request was sent: it may have been applied."""
    ACCESS_DENIED = "AccessDenied"
    """The credentials lack a permission, are expired or invalid."""
    NO_SUCH_HOSTED_ZONE = "NoSuchHostedZone"
    """The hosted zone does not exist (or belongs to another account)."""
    NO_SUCH_CHANGE = "NoSuchChange"
    """Route 53 no longer knows the change."""
    HOSTED_ZONE_ALREADY_EXISTS = "HostedZoneAlreadyExists"
    """The caller reference was used before."""
    HOSTED_ZONE_NOT_EMPTY = "HostedZoneNotEmpty"
    """Other record sets remain in the hosted zone."""
    INVALID_CHANGE_BATCH = "InvalidChangeBatch"
    """The batch was rejected as a whole; `messages` has Route 53's reasons."""
    LIMIT_EXCEEDED = "LimitExceeded"
    """A quota: too many hosted zones, record sets, …"""
    INVALID_REQUEST = "InvalidRequest"
    """Anything else that a repeated call will not mend."""
    CREDENTIALS_UNAVAILABLE = "CredentialsUnavailable"
    """No credentials could be found or refreshed."""


@dataclass(unsafe_hash=True)
class AwsError(Exception):
    """A failed call. `message` and `messages` are sanitised: no account ids, ARNs, request ids or SDK text.

    `step` is the index in the assume-role chain of the step that failed, None for any other call. Not frozen:
    Python's context managers assign `__traceback__`, which a frozen exception refuses.
    """

    failure: AwsFailure
    message: str
    code: str = ""
    messages: tuple[str, ...] = ()
    step: int | None = None

    def __str__(self) -> str:
        """Return the sanitised message."""
        return self.message
