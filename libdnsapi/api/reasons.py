"""The condition reasons of every kind, in one place (core seed: Zone Status, RecordSet Status; provider seed).

A table maps a condition type to its statuses and each status to the reasons that may stand with it.
"""

from collections.abc import Mapping
from enum import StrEnum

from libdnsapi.api.conditions import ConditionStatus, ConditionType

ReasonTable = Mapping[str, Mapping[ConditionStatus, frozenset[str]]]


class Reason(StrEnum):
    """Every reason that one of our controllers writes."""

    ACCEPTED = "Accepted"
    PROGRAMMED = "Programmed"
    READY = "Ready"
    RECONCILING = "Reconciling"
    RECONCILE_ERROR = "ReconcileError"

    INVALID_ZONE_CLASS_REF = "InvalidZoneClassRef"
    INVALID_ZONE_REF = "InvalidZoneRef"
    NOT_ALLOWED_BY_ZONE_CLASS = "NotAllowedByZoneClass"
    NOT_ALLOWED_BY_ZONE = "NotAllowedByZone"
    ZONE_CLASS_NOT_ACCEPTED = "ZoneClassNotAccepted"
    ZONE_NOT_ACCEPTED = "ZoneNotAccepted"
    INVALID_IDENTITY_REF = "InvalidIdentityRef"
    INVALID_PROVIDER = "InvalidProvider"
    INVALID_PARAMETERS = "InvalidParameters"
    PROVIDER_MISMATCH = "ProviderMismatch"
    INVALID_PROVIDER_PAYLOAD = "InvalidProviderPayload"
    PROVIDER_CONVERSION_FAILED = "ProviderConversionFailed"
    PROVIDER_CONVERSION_UNAVAILABLE = "ProviderConversionUnavailable"
    PROVIDER_STORAGE_VERSION_NOT_RESOLVED = "ProviderStorageVersionNotResolved"
    INVALID_ADOPTION = "InvalidAdoption"
    MANAGED_RESOURCE_MISMATCH = "ManagedResourceMismatch"
    DENIED_BY_POLICY = "DeniedByPolicy"
    RECORD_SET_CONFLICT = "RecordSetConflict"
    ZONE_NOT_RESOLVED = "ZoneNotResolved"
    ZONE_CLASS_NOT_RESOLVED = "ZoneClassNotResolved"
    IDENTITY_NOT_RESOLVED = "IdentityNotResolved"
    OWNER_STATE_NOT_RESOLVED = "OwnerStateNotResolved"

    PROVIDER_CHANGE_PENDING = "ProviderChangePending"
    PROVIDER_CHANGE_DEFERRED = "ProviderChangeDeferred"
    PROVIDER_IDENTITY_NOT_READY = "ProviderIdentityNotReady"
    EXTERNAL_RESOURCE_NOT_FOUND = "ExternalResourceNotFound"
    EXTERNAL_RESOURCE_MISMATCH = "ExternalResourceMismatch"
    PROVIDER_CONFLICT = "ProviderConflict"
    PROVIDER_ACCESS_DENIED = "ProviderAccessDenied"
    PROVIDER_INVALID_REQUEST = "ProviderInvalidRequest"
    PROVIDER_UNAVAILABLE = "ProviderUnavailable"

    INVALID_REGION = "InvalidRegion"
    INVALID_CREDENTIAL_SOURCE = "InvalidCredentialSource"
    INVALID_ASSUME_ROLE_CHAIN = "InvalidAssumeRoleChain"
    CREDENTIAL_UNAVAILABLE = "CredentialUnavailable"
    ASSUME_ROLE_FAILED = "AssumeRoleFailed"
    ACCOUNT_MISMATCH = "AccountMismatch"


_TRUE, _FALSE, _UNKNOWN = ConditionStatus.TRUE, ConditionStatus.FALSE, ConditionStatus.UNKNOWN
_R = Reason

_PROVIDER_FAILURES = frozenset(
    {
        _R.PROVIDER_CHANGE_PENDING,
        _R.PROVIDER_IDENTITY_NOT_READY,
        _R.EXTERNAL_RESOURCE_NOT_FOUND,
        _R.EXTERNAL_RESOURCE_MISMATCH,
        _R.PROVIDER_CONFLICT,
        _R.PROVIDER_ACCESS_DENIED,
        _R.PROVIDER_INVALID_REQUEST,
        _R.PROVIDER_UNAVAILABLE,
        _R.RECONCILE_ERROR,
    }
)
_PROVIDER_UNKNOWN = frozenset({_R.RECONCILING, _R.PROVIDER_CHANGE_PENDING, _R.PROVIDER_UNAVAILABLE, _R.RECONCILE_ERROR})

ZONE_REASONS: ReasonTable = {
    ConditionType.ACCEPTED: {
        _TRUE: frozenset({_R.ACCEPTED}),
        _FALSE: frozenset(
            {
                _R.INVALID_ZONE_CLASS_REF,
                _R.NOT_ALLOWED_BY_ZONE_CLASS,
                _R.ZONE_CLASS_NOT_ACCEPTED,
                _R.INVALID_IDENTITY_REF,
                _R.INVALID_PROVIDER,
                _R.PROVIDER_MISMATCH,
                _R.INVALID_PROVIDER_PAYLOAD,
                _R.PROVIDER_CONVERSION_FAILED,
                _R.INVALID_ADOPTION,
                _R.MANAGED_RESOURCE_MISMATCH,
                _R.DENIED_BY_POLICY,
            }
        ),
        _UNKNOWN: frozenset(
            {
                _R.RECONCILING,
                _R.ZONE_CLASS_NOT_RESOLVED,
                _R.IDENTITY_NOT_RESOLVED,
                _R.PROVIDER_STORAGE_VERSION_NOT_RESOLVED,
                _R.PROVIDER_CONVERSION_UNAVAILABLE,
                _R.OWNER_STATE_NOT_RESOLVED,
                _R.RECONCILE_ERROR,
            }
        ),
    },
    ConditionType.PROGRAMMED: {
        _TRUE: frozenset({_R.PROGRAMMED}),
        _FALSE: _PROVIDER_FAILURES,
        _UNKNOWN: _PROVIDER_UNKNOWN,
    },
}

RECORD_SET_REASONS: ReasonTable = {
    ConditionType.ACCEPTED: {
        _TRUE: frozenset({_R.ACCEPTED}),
        _FALSE: frozenset(
            {
                _R.INVALID_ZONE_REF,
                _R.INVALID_PROVIDER,
                _R.PROVIDER_MISMATCH,
                _R.INVALID_IDENTITY_REF,
                _R.INVALID_PROVIDER_PAYLOAD,
                _R.PROVIDER_CONVERSION_FAILED,
                _R.NOT_ALLOWED_BY_ZONE,
                _R.ZONE_NOT_ACCEPTED,
                _R.RECORD_SET_CONFLICT,
                _R.INVALID_ADOPTION,
                _R.MANAGED_RESOURCE_MISMATCH,
                _R.DENIED_BY_POLICY,
            }
        ),
        _UNKNOWN: frozenset(
            {
                _R.RECONCILING,
                _R.ZONE_NOT_RESOLVED,
                _R.ZONE_CLASS_NOT_RESOLVED,
                _R.IDENTITY_NOT_RESOLVED,
                _R.PROVIDER_STORAGE_VERSION_NOT_RESOLVED,
                _R.PROVIDER_CONVERSION_UNAVAILABLE,
                _R.OWNER_STATE_NOT_RESOLVED,
                _R.RECONCILE_ERROR,
            }
        ),
    },
    ConditionType.PROGRAMMED: {
        _TRUE: frozenset({_R.PROGRAMMED}),
        _FALSE: _PROVIDER_FAILURES | {_R.PROVIDER_CHANGE_DEFERRED},
        _UNKNOWN: _PROVIDER_UNKNOWN | {_R.PROVIDER_CHANGE_DEFERRED},
    },
}

ZONE_UNIT_REASONS: ReasonTable = {
    ConditionType.PROGRAMMED: RECORD_SET_REASONS[ConditionType.PROGRAMMED],
}
"""The unit itself has no Accepted; its targets have (core seed, ZoneUnit)."""

ZONE_CLASS_REASONS: ReasonTable = {
    ConditionType.ACCEPTED: {
        _TRUE: frozenset({_R.ACCEPTED}),
        _FALSE: frozenset({_R.INVALID_PROVIDER, _R.INVALID_IDENTITY_REF, _R.INVALID_PARAMETERS, _R.DENIED_BY_POLICY}),
        _UNKNOWN: frozenset({_R.IDENTITY_NOT_RESOLVED, _R.PROVIDER_STORAGE_VERSION_NOT_RESOLVED, _R.RECONCILE_ERROR}),
    },
}

ROUTE53_IDENTITY_REASONS: ReasonTable = {
    ConditionType.ACCEPTED: {
        _TRUE: frozenset({_R.ACCEPTED}),
        _FALSE: frozenset(
            {
                _R.INVALID_REGION,
                _R.INVALID_CREDENTIAL_SOURCE,
                _R.INVALID_ASSUME_ROLE_CHAIN,
                _R.DENIED_BY_POLICY,
            }
        ),
        _UNKNOWN: frozenset({_R.RECONCILE_ERROR}),
    },
    ConditionType.READY: {
        _TRUE: frozenset({_R.READY}),
        _FALSE: frozenset(
            {
                _R.CREDENTIAL_UNAVAILABLE,
                _R.ASSUME_ROLE_FAILED,
                _R.ACCOUNT_MISMATCH,
                _R.PROVIDER_ACCESS_DENIED,
                _R.PROVIDER_UNAVAILABLE,
                _R.RECONCILE_ERROR,
            }
        ),
        _UNKNOWN: frozenset({_R.RECONCILE_ERROR}),
    },
}


def is_known(table: ReasonTable, type_: str, status: str, reason: str) -> bool:
    """Whether a reason may stand with a condition type and status in this table."""
    statuses = table.get(type_)
    if statuses is None or status not in set(ConditionStatus):
        return False
    return reason in statuses.get(ConditionStatus(status), frozenset())
