"""Finding the bad record set in a rejected batch, so that it alone leaves it (beyond-the-seeds 3).

Route 53 answers with one sentence a problem. Most name the record set, some only quote the value; a sentence that names
nothing leads to halving the batch.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from libdnsapi.api.reasons import Reason
from route53_controller.aws import wire
from route53_controller.aws.api import Change, ChangeAction
from route53_controller.aws.codes import FORBIDDEN_CODES, MESSAGE_LIMIT, masked
from route53_controller.aws.errors import AwsError, AwsFailure
from route53_controller.failures import consequence, failure_message
from route53_controller.zoneunit.plan.batches import alias_targets
from route53_controller.zoneunit.plan.names import ChangeGroup
from route53_controller.zoneunit.plan.outcomes import REFUSED_PREFIX

_NAMED = re.compile(r"name='(?P<name>[^']+)'(?:,\s*type='(?P<type>[A-Z]+)')?")
_OF_TYPE = re.compile(r"of type (?P<type>[A-Z]+) with DNS name (?P<name>[^\s,]+)")
_WITH_NAME = re.compile(r"(?<!same )DNS name (?P<name>[^\s,]+)(?:, type (?P<type>[A-Z]+))?")
_SET = re.compile(r"resource record set '(?P<type>[A-Z]+) (?P<name>[^']+)'")
_ALIAS = re.compile(
    r"alias that targets (?P<name>[^\s,]+)(?:, type (?P<type>[A-Z]+))?(?: in zone (?P<zone>[A-Z0-9]+))?"
)
_QUOTED = re.compile(r"encountered with '((?:[^']|'++(?![\s.\]]*+$))*+)'++[\s.\]]*+$")
"""All but the last quotes are the value's. Nothing is tried twice: the text is made of what anybody may have sent."""
_DUPLICATE = re.compile(r"Duplicate Resource Record: '(.*)'")
_READINGS: tuple[Callable[[str], Iterable[str]], ...] = (
    lambda value: (value,),
    lambda value: (value.strip('"'),),
    lambda value: value.split(),
)
_SPECIFIC = (_NAMED, _WITH_NAME, _SET, _ALIAS, _QUOTED, _DUPLICATE)
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
    "records in a RRSet",
)
_CONFLICT = (
    "conflicts with other records",
    "not permitted at apex",
    "a conflicting RRSet",
    "cannot be created because",
    "cannot be created as",
    *_STALE,
)
_PHRASES = (*_STALE, *_MALFORMED, *_CONFLICT)
_QUOTE = re.compile(r"(encountered with|Duplicate Resource Record:) '.*", re.DOTALL)
"""From here on a message has the words of whoever wrote the value."""


Slot = tuple[str, tuple[str, ...]]
"""What tells one part of a batch from the others: its name and its record types."""


class Cause(StrEnum):
    """Why a group was refused."""

    STALE = "Stale"
    """What stands there is not what we read: read again, then decide again."""
    MALFORMED = "Malformed"
    """Only an edit can mend it."""
    OTHER = "Other"
    """Time or somebody else may mend it."""
    DENIED = "Denied"
    """The credentials may not change it."""
    UNPROVEN = "Unproven"
    """Something else in its batch may be the cause."""


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
    """Return the offenders that the messages identify; failing that, the halves of the batch.

    What is independent within a name is told apart: a bad record does not hold up those beside it.
    """
    parts = _parts(batch)
    created = Created(parts)
    offences: dict[Slot, Offence] = {}
    for message in () if _speaks(parts) else messages:
        for part in offenders(parts, message, created):
            offences.setdefault(_slot(part), offence(part, message))
    if offences:
        rest = tuple(part for part in parts if _slot(part) not in offences)
        return Isolation(tuple(offences.values()), (rest,) if rest else ())
    if len(parts) == 1:
        return Isolation((offence(parts[0], *(messages or ("Route 53 gave no reason",))),), ())
    return Isolation((), _halves(parts))


def _speaks(parts: Sequence[ChangeGroup]) -> bool:
    """Whether some value reads like Route 53's own words: quoted in a refusal, it would accuse others."""
    values = (value for part in parts for change in part.changes for value in change.record_set.values)
    return any(pattern.search(value) for value in values for pattern in _SPECIFIC)


def _slot(part: ChangeGroup) -> Slot:
    return part.name, part.types


def give_up(batch: Sequence[ChangeGroup], message: str) -> Isolation:
    """Return what to do where looking on for offenders costs too much: all waits, but for what a full zone takes."""
    split = _by_growth(_parts(batch))
    return Isolation((), split) if split else all_wait(batch, message)


def all_wait(batch: Sequence[ChangeGroup], message: str) -> Isolation:
    """Return the whole batch as offenders of which nothing is proven: words about one are not for the others."""
    general = message and not any(pattern.search(message) for pattern in _SPECIFIC)
    said = f"{REFUSED_PREFIX} among others{f': {message}' if general else ''}"[:MESSAGE_LIMIT]
    reason = _reason(_QUOTE.sub(r"\1", message))
    return Isolation(tuple(Offence(part, Cause.UNPROVEN, reason, said) for part in _parts(batch)), ())


def is_denied(error: AwsError) -> bool:
    """Whether what was asked for is denied, not whoever asks: a policy may deny some names, types or actions."""
    return error.failure is AwsFailure.ACCESS_DENIED and error.code in FORBIDDEN_CODES


def denied(isolation: Isolation, error: AwsError) -> Isolation:
    """Return an isolation in which the offenders are what the credentials may not change."""
    reason, message = consequence(error).reason, failure_message(error)

    def told(each: Offence) -> Offence:
        cause = Cause.UNPROVEN if each.cause is Cause.UNPROVEN else Cause.DENIED
        return replace(each, cause=cause, reason=reason, message=message)

    return Isolation(tuple(map(told, isolation.offences)), isolation.batches)


def _parts(batch: Sequence[ChangeGroup]) -> tuple[ChangeGroup, ...]:
    return tuple(part for group in batch for part in group.parts)


def _halves(parts: Sequence[ChangeGroup]) -> tuple[tuple[ChangeGroup, ...], ...]:
    middle = len(parts) // 2
    return _by_growth(parts) or (tuple(parts[:middle]), tuple(parts[middle:]))


def _by_growth(parts: Sequence[ChangeGroup]) -> tuple[tuple[ChangeGroup, ...], ...]:
    """Return what a full hosted zone takes, and then what needs room in it; nothing where all is of one kind.

    An alias that points at what needs room stays behind it; targets stand before their aliases.
    """
    growing: dict[Slot, ChangeGroup] = {}
    names: set[str] = set()
    for part in parts:
        if _growth(part) > 0 or not names.isdisjoint(alias_targets(part)):
            growing[_slot(part)] = part
            names.add(part.name)
    if not growing or len(growing) == len(parts):
        return ()
    return tuple(part for part in parts if _slot(part) not in growing), tuple(growing.values())


def _growth(part: ChangeGroup) -> int:
    return sum(1 if change.action is ChangeAction.CREATE else -1 for change in part.changes)


def offenders(parts: Sequence[ChangeGroup], message: str, created: "Created | None" = None) -> list[ChangeGroup]:
    """Return the parts of a batch that a message speaks of; `created` is what they create."""
    named = _named(parts, message)
    if named:
        return named
    target = _ALIAS.search(message)
    if target:
        name = wire.name_from_wire(target["name"].lower())
        return [part for part in parts if any(_points_at(change, name, target) for change in part.changes)]
    value = _QUOTED.search(message) or _DUPLICATE.search(message)
    return (created or Created(parts)).having(value[1]) if value else []


def _named(parts: Sequence[ChangeGroup], message: str) -> list[ChangeGroup]:
    """Return the parts whose names a message has: those of the type it names, of any where that has none."""
    found: list[ChangeGroup] = []
    for pattern in (_NAMED, _OF_TYPE, _WITH_NAME, _SET):
        for match in pattern.finditer(message):
            name = wire.name_from_wire(match["name"].lower())
            at_name = [part for part in parts if part.name == name]
            found += [part for part in at_name if match["type"] in part.types] or at_name
        if found:
            break
    return found


def _points_at(change: Change, name: str, target: re.Match[str]) -> bool:
    """Whether a change creates an alias to this name; the target's type and hosted zone count where they are named."""
    alias = change.record_set.alias
    if alias is None or change.action is not ChangeAction.CREATE or alias.dns_name != name:
        return False
    return target["type"] in (None, change.record_set.key.type) and target["zone"] in (None, alias.hosted_zone_id)


def offence(group: ChangeGroup, *messages: str) -> Offence:
    """Return what messages mean for a group."""
    cause, words = Cause.OTHER, _own_words(group, messages)
    if any(phrase in words for phrase in _STALE):
        cause = Cause.STALE
    elif any(phrase in words for phrase in _MALFORMED):
        cause = Cause.MALFORMED
    return Offence(group, cause, _reason(words), f"{REFUSED_PREFIX}: {'; '.join(messages)}"[:MESSAGE_LIMIT])


def _own_words(group: ChangeGroup, messages: Iterable[str]) -> str:
    """Return messages without the values that they quote, which may read like anything."""
    words = "; ".join(_QUOTE.sub(r"\1", message) for message in messages)
    values = {value for change in group.changes for value in change.record_set.values}
    for value in sorted(values, key=len, reverse=True):
        if any(phrase in value for phrase in _PHRASES):
            words = words.replace(value, "").replace(masked(value), "")
    return words


def _reason(message: str) -> Reason:
    conflict = any(phrase in message for phrase in _CONFLICT)
    return Reason.PROVIDER_CONFLICT if conflict else Reason.PROVIDER_INVALID_REQUEST


class Created:
    """What the parts of a batch create, by value; made once for all messages, of which there may be as many."""

    def __init__(self, parts: Sequence[ChangeGroup]) -> None:
        """Read nothing yet: most messages name what they speak of."""
        self._parts = parts

    def having(self, text: str) -> list[ChangeGroup]:
        """Return the parts that create a value, read as strictly as finds any: whole, without quotes, or a field of it.

        Ids are masked in what Route 53 says. What equals only so may be several values: then nothing is found.
        """
        for found in self._by_reading:
            if text in found:
                return list(found[text].values())
        meant = self._by_mask.get(text, {})
        return list(self._by_reading[0][next(iter(meant))].values()) if len(meant) == 1 else []

    @cached_property
    def _by_reading(self) -> tuple[dict[str, dict[Slot, ChangeGroup]], ...]:
        found: tuple[dict[str, dict[Slot, ChangeGroup]], ...] = tuple({} for _ in _READINGS)
        for part in self._parts:
            for value in _created_values(part):
                for reading, texts in zip(_READINGS, found, strict=True):
                    for text in reading(value):
                        texts.setdefault(text, {})[_slot(part)] = part
        return found

    @cached_property
    def _by_mask(self) -> dict[str, dict[str, None]]:
        found: dict[str, dict[str, None]] = {}
        for value in self._by_reading[0]:
            found.setdefault(masked(value), {})[value] = None
        return found


def _created_values(part: ChangeGroup) -> set[str]:
    created = (change.record_set for change in part.changes if change.action is ChangeAction.CREATE)
    return {value for record_set in created for value in record_set.values}
