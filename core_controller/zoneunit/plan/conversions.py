"""What a payload conversion's outcome means for acceptance (provider-contract, Conversion)."""

from libdnsapi.api.conditions import Verdict
from libdnsapi.api.reasons import Reason
from libdnsapi.api.verdicts import refused, undecided
from libdnsapi.contract.conversion import (
    ConversionFailed,
    ConversionOutcome,
    ConversionUnavailable,
    Converted,
    InvalidPayload,
    StorageNotResolved,
)


def conversion_verdict(outcome: ConversionOutcome | None) -> Verdict | None:
    """Return why a payload cannot go into the ledger, or None when it can."""
    match outcome:
        case Converted():
            return None
        case InvalidPayload(message=message):
            return refused(Reason.INVALID_PROVIDER_PAYLOAD, message)
        case ConversionFailed(message=message):
            return refused(Reason.PROVIDER_CONVERSION_FAILED, message)
        case ConversionUnavailable(message=message):
            return undecided(Reason.PROVIDER_CONVERSION_UNAVAILABLE, message)
        case StorageNotResolved(message=message):
            return undecided(Reason.PROVIDER_STORAGE_VERSION_NOT_RESOLVED, message)
        case None:
            return undecided(
                Reason.PROVIDER_STORAGE_VERSION_NOT_RESOLVED, "The Provider is not found; it may still be installed."
            )
