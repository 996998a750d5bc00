"""The tables of condition reasons, written down once more as the core seed has them."""

import pytest

from libdnsapi.api.reasons import (
    RECORD_SET_REASONS,
    ZONE_CLASS_REASONS,
    ZONE_REASONS,
    ZONE_UNIT_REASONS,
    Reason,
    ReasonTable,
    is_known,
)

FAILURES = (
    "ProviderChangePending ProviderIdentityNotReady ExternalResourceNotFound ExternalResourceMismatch ProviderConflict "
    "ProviderAccessDenied ProviderInvalidRequest ProviderUnavailable ReconcileError"
)
ROWS: list[tuple[ReasonTable, str, str, str]] = [
    (ZONE_REASONS, "Accepted", "True", "Accepted"),
    (
        ZONE_REASONS,
        "Accepted",
        "False",
        "InvalidZoneClassRef NotAllowedByZoneClass ZoneClassNotAccepted InvalidIdentityRef InvalidProvider "
        "ProviderMismatch InvalidProviderPayload ProviderConversionFailed InvalidAdoption ManagedResourceMismatch "
        "DeniedByPolicy",
    ),
    (
        ZONE_REASONS,
        "Accepted",
        "Unknown",
        "Reconciling ZoneClassNotResolved IdentityNotResolved ProviderStorageVersionNotResolved "
        "ProviderConversionUnavailable OwnerStateNotResolved ReconcileError",
    ),
    (ZONE_REASONS, "Programmed", "True", "Programmed"),
    (ZONE_REASONS, "Programmed", "False", FAILURES),
    (ZONE_REASONS, "Programmed", "Unknown", "Reconciling ProviderChangePending ProviderUnavailable ReconcileError"),
    (RECORD_SET_REASONS, "Accepted", "True", "Accepted"),
    (
        RECORD_SET_REASONS,
        "Accepted",
        "False",
        "InvalidZoneRef InvalidProvider ProviderMismatch InvalidIdentityRef InvalidProviderPayload "
        "ProviderConversionFailed NotAllowedByZone ZoneNotAccepted RecordSetConflict InvalidAdoption "
        "ManagedResourceMismatch DeniedByPolicy",
    ),
    (
        RECORD_SET_REASONS,
        "Accepted",
        "Unknown",
        "Reconciling ZoneNotResolved ZoneClassNotResolved IdentityNotResolved ProviderStorageVersionNotResolved "
        "ProviderConversionUnavailable OwnerStateNotResolved ReconcileError",
    ),
    (RECORD_SET_REASONS, "Programmed", "True", "Programmed"),
    (RECORD_SET_REASONS, "Programmed", "False", f"{FAILURES} ProviderChangeDeferred"),
    (
        RECORD_SET_REASONS,
        "Programmed",
        "Unknown",
        "Reconciling ProviderChangePending ProviderChangeDeferred ProviderUnavailable ReconcileError",
    ),
    (ZONE_UNIT_REASONS, "Programmed", "False", f"{FAILURES} ProviderChangeDeferred"),
    (ZONE_CLASS_REASONS, "Accepted", "True", "Accepted"),
    (ZONE_CLASS_REASONS, "Accepted", "False", "InvalidProvider InvalidIdentityRef InvalidParameters DeniedByPolicy"),
    (
        ZONE_CLASS_REASONS,
        "Accepted",
        "Unknown",
        "IdentityNotResolved ProviderStorageVersionNotResolved ReconcileError",
    ),
]


@pytest.mark.spec("CORE-ZC-011", "CORE-ZS-024", "CORE-ZU-032", "CORE-ZU-033", "CORE-RT-023")
@pytest.mark.parametrize(("table", "type_", "status", "reasons"), ROWS)
def test_the_table_is_the_seeds(table: ReasonTable, type_: str, status: str, reasons: str) -> None:
    words = set(reasons.split())
    assert {str(reason) for reason in Reason if is_known(table, type_, status, str(reason))} == words


@pytest.mark.parametrize("table", [ZONE_REASONS, RECORD_SET_REASONS])
def test_claims_have_two_conditions_and_the_unit_only_one(table: ReasonTable) -> None:
    assert set(table) == {"Accepted", "Programmed"}
    assert set(ZONE_UNIT_REASONS) == {"Programmed"}


@pytest.mark.parametrize("reason", ["OwnerResolutionPending", "RecordSetRefNotResolved", "InvalidZoneUnitName"])
def test_words_of_earlier_proposals_are_no_reasons(reason: str) -> None:
    assert reason not in set(Reason)
