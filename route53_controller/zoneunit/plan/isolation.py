"""Finding the bad record in a rejected batch, so that it alone leaves it (beyond-the-seeds 3).

Route 53 answers with one sentence a problem. Most name the record set, some only quote the value; a sentence that names
nothing leads to halving the batch.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from libdnsapi.api.reasons import Reason
from route53_controller.aws import wire
from route53_controller.aws.api import ChangeAction
from route53_controller.zoneunit.plan.names import ChangeGroup
from route53_controller.zoneunit.plan.outcomes import REFUSED_PREFIX

_NAMED = re.compile(r"name='([^']+)'(?:,\s*type='([A-Z]+)')?")
_DNS_NAME = re.compile(r"DNS name (\S+?)[\s,.]*(?=\s|,|$)")
_ALIAS = re.compile(r"alias that targets (\S+?)\.?,")
_QUOTED = re.compile(r"encountered with '(.*?)'+[\s.\]]*$")
_DUPLICATE = re.compile(r"Duplicate Resource Record: '(.*)'")
_STALE = ("but it already exists", "but it was not found", "do not match the current values")
_MALFORMED = (
    "FATAL problem",
    "Invalid Resource Record",
    "InvalidCharacterString",
    "CharacterStringTooLong",
    "Duplicate Resource Record",
    "not permitted at apex",
    "is not permitted in zone",
    "below the apex",
    "as a wildcard",
    "must have exactly one resource record",
    "has more than",
)
_CONFLICT = (
    "conflicts with other records",
    "not permitted at apex",
    "a conflicting RRSet",
    "cannot be created because",
    *_STALE,
)


class Cause(StrEnum):
    """Why a group was refused."""

    STALE = "Stale"
    """What stands there is not what we read: read again, then decide again."""
    MALFORMED = "Malformed"
    """Only an edit can mend it."""
    OTHER = "Other"
    """Time or somebody else may mend it."""


@dataclass(frozen=True, slots=True)
class Offence:
    """One refused group, and what Route 53 said of it."""

    group: ChangeGroup
    cause: Cause
    reason: Reason
    message: str


@dataclass(frozen=True, slots=True)
class Isolation:
    """What to do with a rejected batch: these leave it, the rest is sent again as these batches."""

    offences: tuple[Offence, ...]
    batches: tuple[tuple[ChangeGroup, ...], ...]


def isolate(batch: Sequence[ChangeGroup], messages: Sequence[str]) -> Isolation:
    """Return the offenders that the messages identify; failing that, the halves of the batch."""
    offences: dict[str, Offence] = {}
    for message in messages:
        for group in offenders(batch, message):
            offences.setdefault(group.name, offence(group, message))
    if offences:
        rest = tuple(group for group in batch if group.name not in offences)
        return Isolation(tuple(offences.values()), (rest,) if rest else ())
    if len(batch) == 1:
        return Isolation((offence(batch[0], "; ".join(messages) or "Route 53 gave no reason"),), ())
    return Isolation((), _halves(batch))


def _halves(batch: Sequence[ChangeGroup]) -> tuple[tuple[ChangeGroup, ...], ...]:
    """Split a batch in two: removals from the rest where it has both, so that a full hosted zone can be emptied."""
    removals = tuple(group for group in batch if group.removal)
    if removals and len(removals) < len(batch):
        return removals, tuple(group for group in batch if not group.removal)
    middle = len(batch) // 2
    return tuple(batch[:middle]), tuple(batch[middle:])


def offenders(batch: Sequence[ChangeGroup], message: str) -> list[ChangeGroup]:
    """Return the groups that a message speaks of."""
    names = {wire.name_from_wire(name.lower()) for name in _names(message)}
    named = [group for group in batch if group.name in names]
    if named:
        return named
    target = _ALIAS.search(message)
    if target:
        return [group for group in batch if wire.name_from_wire(target[1].lower()) in _aliases(group)]
    value = _QUOTED.search(message) or _DUPLICATE.search(message)
    return [group for group in batch if value[1] in _created_values(group)] if value else []


def offence(group: ChangeGroup, message: str) -> Offence:
    """Return what a message means for a group."""
    cause = Cause.OTHER
    if any(phrase in message for phrase in _STALE):
        cause = Cause.STALE
    elif any(phrase in message for phrase in _MALFORMED):
        cause = Cause.MALFORMED
    conflict = any(phrase in message for phrase in _CONFLICT)
    reason = Reason.PROVIDER_CONFLICT if conflict else Reason.PROVIDER_INVALID_REQUEST
    return Offence(group, cause, reason, f"{REFUSED_PREFIX}: {message}")


def _names(message: str) -> Iterable[str]:
    yield from (match[0] for match in _NAMED.findall(message))
    yield from _DNS_NAME.findall(message)


def _aliases(group: ChangeGroup) -> set[str]:
    return {change.record_set.alias.dns_name for change in group.changes if change.record_set.alias}


def _created_values(group: ChangeGroup) -> set[str]:
    created = (change.record_set for change in group.changes if change.action is ChangeAction.CREATE)
    values = {value for record_set in created for value in record_set.values}
    return values | {value.strip('"') for value in values} | {part for value in values for part in value.split()}
