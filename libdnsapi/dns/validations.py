"""The named core validations that a Provider may switch off (provider-contract page, Provider)."""

from enum import StrEnum


class RecordSetValidation(StrEnum):
    """Validations of one RecordSet that `recordSet.disableValidations` may name."""

    REQUIRE_TTL = "require-ttl"
    REQUIRE_A_ADDRESSES = "require-a-addresses"
    REQUIRE_AAAA_ADDRESSES = "require-aaaa-addresses"
    REQUIRE_TXT_VALUES = "require-txt-values"
    FORBID_CNAME_APEX = "forbid-cname-apex"
    FORBID_TXT_NON_PRINTABLE_ASCII = "forbid-txt-non-printable-ascii"


class ZoneUnitValidation(StrEnum):
    """Validations of a pair of items that `zoneUnit.disableValidations` may name."""

    FORBID_CNAME_COEXISTENCE = "forbid-cname-coexistence"
