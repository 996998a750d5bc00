"""Ledger writes that the API server refuses, such as by a quota or because their namespace is being deleted.

Trying again at once does not mend them, and the statuses of everything else in the unit must not wait for them.
"""

from collections.abc import Sequence

from core_controller.zoneunit.plan.actions import Action, CreateUnit, DeleteLedger, EditLedger
from core_controller.zoneunit.snapshot import Refusals
from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime.errors import (
    ConflictError,
    DnsapiError,
    KubernetesError,
    NotFoundError,
    ThrottledError,
    UnauthorizedError,
)

Failure = tuple[Action, DnsapiError]
_REFUSED = range(400, 500)


class LedgerRefusedError(DnsapiError):
    """Ledger writes were refused: `refusals` is what to tell those who wait for them, `cause` the first error."""

    def __init__(self, refusals: Refusals, cause: DnsapiError) -> None:
        """Keep both."""
        super().__init__(str(cause))
        self.refusals = refusals
        self.cause = cause


def ledger_refused(unit: ObjectKey, failures: Sequence[Failure]) -> LedgerRefusedError | None:
    """Return what the failures of one stage mean if each is a refused ledger write, else None."""
    whole = ""
    claims: dict[ObjectKey, str] = {}
    for action, error in failures:
        told = _words(unit, error)
        match action:
            case CreateUnit() if told:
                whole = told
            case EditLedger(upserts=items) if told:
                claims.update({item.key: told for item in items})
            case DeleteLedger() if told:
                pass  # nobody waits for it but the object itself
            case _:
                return None
    return LedgerRefusedError(Refusals(whole, claims), failures[0][1])


def _words(unit: ObjectKey, error: DnsapiError) -> str:
    """Return what to tell people, or nothing where a new look at the objects or some time mends the error."""
    passing = isinstance(error, ConflictError | NotFoundError | ThrottledError | UnauthorizedError)
    if passing or not isinstance(error, KubernetesError) or error.status not in _REFUSED:
        return ""
    return (
        f"The ledger of Zone {unit} cannot be written ({error.reason}); it is tried again. What the API server says is "
        "in the log of the core controller."
    )
