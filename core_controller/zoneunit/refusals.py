"""Ledger writes that the API server refuses, such as by a quota or because their namespace is being deleted.

Trying again at once does not mend them, and the statuses of everything else in the unit must not wait for them.
"""

from collections.abc import Sequence
from dataclasses import replace

from core_controller.zoneunit.plan.actions import (
    Action,
    CreateUnit,
    DeleteLedger,
    EditLedger,
    SetFinalizers,
)
from core_controller.zoneunit.snapshot import Refusals
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime.errors import (
    ConflictError,
    DnsapiError,
    InvalidError,
    KubernetesError,
    NotFoundError,
    ThrottledError,
    TooLargeError,
    UnauthorizedError,
)

Failure = tuple[Action, DnsapiError]
_REFUSED = range(400, 500)


class PartlyFailedError(DnsapiError):
    """Some writes of a pass failed: `concerned` are the claims whose names are to be looked at again.

    `cause` is the first error. `told` says whether the statuses were written; where not, all but those of the names
    concerned may be, and the Zone's unless `head`: the ZoneUnit itself could not be written.
    """

    def __init__(
        self, cause: DnsapiError, concerned: frozenset[ObjectKey], *, told: bool = False, head: bool = False
    ) -> None:
        """Keep all of it."""
        super().__init__(str(cause))
        self.cause = cause
        self.concerned = concerned
        self.told = told
        self.head = head


class LedgerRefusedError(PartlyFailedError):
    """Each of the ledger writes that failed was refused: `refusals` is what to tell those who wait for them."""

    def __init__(self, refusals: Refusals, cause: DnsapiError, concerned: frozenset[ObjectKey]) -> None:
        """Keep all of it."""
        super().__init__(cause, concerned)
        self.refusals = refusals


def ledger_failed(unit: ObjectKey, failures: Sequence[Failure]) -> DnsapiError:
    """Return what to raise for the failures of a pass up to the first stage of ledger writes that had some.

    Finalizers that could not be written may be among them.
    """
    writes = [(action, error) for action, error in failures if not isinstance(action, SetFinalizers)]
    told, cause = refusals(unit, writes), writes[0][1]
    if told is not None:
        return LedgerRefusedError(told, cause, concerned(failures))
    if any(isinstance(action, CreateUnit) for action, _ in writes):
        return cause
    head = any(isinstance(action, EditLedger) and action.head is not None for action, _ in writes)
    return PartlyFailedError(cause, concerned(failures), head=head)


def halves(action: Action, error: DnsapiError) -> tuple[EditLedger, ...]:
    """Return two edits that do the same as one that was refused for what it holds; none where it cannot be divided.

    One item that the server will not store holds up no other. Marks come last, behind what takes over their names.
    """
    if not isinstance(action, EditLedger) or not isinstance(error, TooLargeError | InvalidError):
        return ()
    items = sorted(action.upserts, key=lambda item: item.is_leaving)
    if len(items) < 2:  # noqa: PLR2004 — two halves
        return ()
    middle = len(items) // 2
    return (
        replace(action, upserts=tuple(items[:middle])),
        EditLedger(action.ref, tuple(items[middle:]), add_finalizer=action.add_finalizer),
    )


def concerned(failures: Sequence[Failure]) -> frozenset[ObjectKey]:
    """Return the claims that failed writes are about."""
    return frozenset(key for action, _ in failures for key in _claims_of(action))


def _claims_of(action: Action) -> tuple[ObjectKey, ...]:
    match action:
        case EditLedger(upserts=items, removals=removals):
            return (*removals, *(item.key for item in items))
        case SetFinalizers(resource=resource, key=key) if resource is RECORD_SETS:
            return (key,)
        case _:
            return ()


def refusals(unit: ObjectKey, failures: Sequence[Failure]) -> Refusals | None:
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
    return Refusals(whole, claims)


def _words(unit: ObjectKey, error: DnsapiError) -> str:
    """Return what to tell people, or nothing where a new look at the objects or some time mends the error."""
    if not isinstance(error, KubernetesError) or not is_refusal(error):
        return ""
    return (
        f"The ledger of Zone {unit} cannot be written ({error.reason}); it is tried again. What the API server says is "
        "in the log of the core controller."
    )


def is_passing(error: DnsapiError) -> bool:
    """Whether a new look at the objects or some time mends an error, and it says nothing of what was written."""
    return isinstance(error, ConflictError | NotFoundError | ThrottledError | UnauthorizedError)


def is_refusal(error: DnsapiError) -> bool:
    """Whether the API server will never store this; to what is too large for etcd its status is 500."""
    if is_passing(error) or not isinstance(error, KubernetesError):
        return False
    return error.status in _REFUSED or isinstance(error, TooLargeError)
