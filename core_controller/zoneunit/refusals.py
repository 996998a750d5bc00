"""Ledger writes that the API server refuses, such as by a quota or because their namespace is being deleted.

Trying again at once does not mend them, and the statuses of everything else in the unit must not wait for them.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core_controller.zoneunit.documents import claim_key, entries
from core_controller.zoneunit.plan.actions import (
    Action,
    CreateUnit,
    DeleteLedger,
    EditLedger,
    SetFinalizers,
)
from core_controller.zoneunit.snapshot import Refusals
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.meta import JsonObject, ObjectKey
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
_ITEM_FIELD = re.compile(r"spec\.recordSets\[([0-9]{1,6})\]\.?(.*)")
"""How the API server names an item, or what is in it."""


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


class ItemsRefusedError(InvalidError):
    """The API server named the items for whose sake it refused a ledger object."""

    def __init__(self, error: InvalidError, items: Mapping[ObjectKey, str]) -> None:
        """Keep the server's own error and, by whose items they are, the fields in them, as they are written there."""
        super().__init__(error.status, error.reason, error.message)
        self.fields = error.fields
        self.items = items


def naming_items(error: InvalidError, body: JsonObject) -> InvalidError:
    """Return the error with the items that it names by their place in the object that was sent, if it names any.

    Bodies that we send hold nothing but items, so that the places are those of `entries`.
    """
    places = defaultdict[int, list[str]](list)
    for found in filter(None, map(_ITEM_FIELD.match, error.fields)):
        places[int(found[1])].append(found[2])
    named = ((entry, places[place]) for place, entry in enumerate(entries(body, "spec")) if place in places)
    items = {claim_key(entry): ", ".join(filter(None, fields)) for entry, fields in named}
    return ItemsRefusedError(error, items) if items else error


@dataclass(frozen=True, slots=True)
class Division:
    """What becomes of a write that was refused: `refused` is not tried again now, `again` is written apart."""

    refused: Action | None
    again: tuple[EditLedger, ...] = ()


def divided(action: Action, error: DnsapiError) -> Division:
    """Divide an edit that was refused for what it holds, so that one item holds up no other.

    Where the server named the items, all others are written at once; else the two halves of the edit. Marks come last,
    behind what takes over their names.
    """
    if not isinstance(action, EditLedger) or not isinstance(error, TooLargeError | InvalidError):
        return Division(action)
    items = sorted(action.upserts, key=lambda item: item.is_leaving)
    if isinstance(error, ItemsRefusedError):
        named = tuple(item for item in items if item.key in error.items)
        others = tuple(item for item in items if item.key not in error.items)
        if named and others:
            return Division(EditLedger(action.ref, named), (replace(action, upserts=others),))
        return Division(action)
    if len(items) < 2:  # noqa: PLR2004 — two halves
        return Division(action)
    middle = len(items) // 2
    first = replace(action, upserts=tuple(items[:middle]))
    return Division(None, (first, EditLedger(action.ref, tuple(items[middle:]), add_finalizer=action.add_finalizer)))


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
                claims.update({item.key: _of_item(item.key, error) + told for item in items})
            case DeleteLedger() if told:
                pass  # nobody waits for it but the object itself
            case _:
                return None
    return Refusals(whole, claims)


def _of_item(key: ObjectKey, error: DnsapiError) -> str:
    """Return which fields of an item the API server does not take, in words for its owner, where it named them."""
    fields = error.items.get(key) if isinstance(error, ItemsRefusedError) else None
    return f"The API server does not store {fields} of this record set. " if fields else ""


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
