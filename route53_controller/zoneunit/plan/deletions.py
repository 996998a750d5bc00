"""The guard against mass deletion (beyond-the-seeds 6).

The deletions of the last ten minutes are counted together with those wanted now; past both limits the ones wanted now
are held, all of them, until a one-time token names exactly these.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from route53_controller.zoneunit.plan.names import ChangeGroup
from route53_controller.zoneunit.plan.outcomes import short_hash
from route53_controller.zoneunit.snapshot import ZoneUnitSettings
from route53_controller.zoneunit.state import DeletionGuard, Removals

TOKEN_LENGTH = 12
LULL = timedelta(seconds=5)
"""How long the same deletions are held before the owner is told how to let them go."""
REMINDER = timedelta(minutes=45)
"""How long after an Event the next one tells the same: the API server keeps Events for an hour."""
_NOTHING_HELD = {"held_since": None, "token": "", "token_since": None, "told_token": "", "told_at": None}


@dataclass(frozen=True, slots=True)
class GuardCase:
    """What the guard judges. `confirmation` is the annotation's value; `exempt`: the whole zone is to go.

    `leaving` are short hashes of the items that are on their way out: what was confirmed of them stays so, for their
    deletion may be in flight, be lost with its answer or wait for its turn.
    """

    now: datetime
    uid: str
    managed: int
    confirmation: str
    exempt: bool
    leaving: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class GuardVerdict:
    """What may go, what is held, and the guard's next state; `token` names what is held."""

    released: tuple[ChangeGroup, ...]
    held: tuple[ChangeGroup, ...]
    guard: DeletionGuard
    token: str = ""


def judge(
    removals: Sequence[ChangeGroup], guard: DeletionGuard, case: GuardCase, settings: ZoneUnitSettings
) -> GuardVerdict:
    """Decide which removals go now."""
    guard = _in_window(guard, case, settings)
    confirmed = frozenset(guard.confirmed)
    free = [group for group in removals if _hashes(group) <= confirmed]
    wanted = [group for group in removals if not _hashes(group) <= confirmed]
    left = guard.model_copy(update={"confirmed": tuple(sorted(confirmed & (_all_hashes(free) | case.leaving)))})
    if case.exempt or not wanted or not _too_many(_deletions(wanted), left, case, settings):
        return GuardVerdict((*free, *wanted), (), left.model_copy(update=_NOTHING_HELD))
    held = left if left.held_since else left.model_copy(update={"held_since": case.now})
    token = _token(wanted, held, case)
    if case.confirmation == token and held.used_token != token:
        names = tuple(sorted(_all_hashes(wanted) | set(held.confirmed)))
        released = held.model_copy(update={**_NOTHING_HELD, "confirmed": names, "used_token": token})
        return GuardVerdict((*free, *wanted), (), released)
    if token != held.token:
        held = held.model_copy(update={"token": token, "token_since": case.now})
    return GuardVerdict(tuple(free), tuple(wanted), held, token)


def due_at(guard: DeletionGuard, now: datetime) -> datetime:
    """Return when the owner is to be told of what is held, for the first time or again.

    Not while more and more is held: each token is another one, and the last would be one of many.
    """
    if guard.told_token != guard.token:
        return (guard.token_since or now) + LULL
    return now if guard.told_at is None else guard.told_at + REMINDER


def counted(guard: DeletionGuard, now: datetime, count: int, managed: int) -> DeletionGuard:
    """Return the guard after so many deletions were submitted; one entry a minute, of its latest second.

    `managed` is the number of managed record sets, kept when this begins a window.
    """
    if not count:
        return guard
    if not guard.removals:
        guard = guard.model_copy(update={"managed": managed})
    at = now.replace(microsecond=0)
    *earlier, last = guard.removals or (Removals(at=at, count=0),)
    if last.at.replace(second=0) != at.replace(second=0):
        earlier, last = [*earlier, last], Removals(at=at, count=0)
    return guard.model_copy(update={"removals": (*earlier, Removals(at=at, count=last.count + count))})


def _in_window(guard: DeletionGuard, case: GuardCase, settings: ZoneUnitSettings) -> DeletionGuard:
    recent = tuple(entry for entry in guard.removals if case.now - entry.at < settings.deletion_window)
    return guard.model_copy(update={"removals": recent, "managed": guard.managed if recent else 0})


def _too_many(wanted: int, guard: DeletionGuard, case: GuardCase, settings: ZoneUnitSettings) -> bool:
    if not settings.max_delete_count or not settings.max_delete_percent:
        return False
    total = wanted + sum(entry.count for entry in guard.removals)
    return total > settings.max_delete_count and total * 100 > settings.max_delete_percent * (
        guard.managed or case.managed
    )


def _deletions(groups: Sequence[ChangeGroup]) -> int:
    return sum(group.deletions for group in groups)


def _hashes(group: ChangeGroup) -> frozenset[str]:
    return frozenset(short_hash(affected.key) for affected in group.affected)


def _all_hashes(groups: Sequence[ChangeGroup]) -> set[str]:
    return {name for group in groups for name in _hashes(group)}


def _token(wanted: Sequence[ChangeGroup], guard: DeletionGuard, case: GuardCase) -> str:
    parts = (case.uid, guard.held_since, sorted(_all_hashes(wanted)))
    return sha256(repr(parts).encode()).hexdigest()[:TOKEN_LENGTH]
