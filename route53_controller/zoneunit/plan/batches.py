"""Packing groups of changes into batches, exactly (beyond-the-seeds 2).

A batch holds at most 1,000 ResourceRecord elements and 32,000 characters of values, and of one name all or nothing.
Record sets that an alias points at go before it.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from graphlib import CycleError, TopologicalSorter

from route53_controller.aws import wire
from route53_controller.aws.api import ChangeAction
from route53_controller.zoneunit.plan.names import ChangeGroup
from route53_controller.zoneunit.snapshot import ZoneUnitSettings

RUSH = 3
RUSH_SIZE = 10
"""As many batches within a second are the beginning of a bulk, where they and what waits are so many record sets."""


@dataclass(frozen=True, slots=True)
class Room:
    """How much more may be in flight."""

    changes: int
    record_sets: int


@dataclass(frozen=True, slots=True)
class Packing:
    """Batches to send, in order, and what found no room."""

    batches: tuple[tuple[ChangeGroup, ...], ...]
    deferred: tuple[ChangeGroup, ...]


@dataclass(frozen=True, slots=True)
class Traffic:
    """How record sets have come and gone lately: the batches sent, with their sizes, and the latest arrival.

    `plain`: all that waits is new and of one namespace, as when somebody fills a zone; nobody else waits behind it.
    `in_flight`: how many batches are on their way, `oldest_at` since when the first of them is.
    """

    waiting: int
    sent_lately: Sequence[tuple[datetime, int]]
    arrived_at: datetime | None
    plain: bool = False
    in_flight: int = 0
    oldest_at: datetime | None = None


def is_plain(groups: Sequence[ChangeGroup]) -> bool:
    """Whether groups only create, and for one namespace."""
    creates = all(change.action is ChangeAction.CREATE for group in groups for change in group.changes)
    return creates and len({affected.namespace for group in groups for affected in group.affected}) == 1


def collecting_until(traffic: Traffic, now: datetime, settings: ZoneUnitSettings) -> datetime | None:
    """Return until when changes are collected before the next batch; None when they go at once.

    A few changes never wait. A bulk that trickles in is collected for longer and longer, so that it costs a handful of
    batches instead of one for each write of the ledger: until a good batch is together at the rate at which it comes,
    never past the limit, and no longer when nothing new has come for a while. So what is changed alone behind a bulk
    waits a moment, not its turn.
    """
    recent = _recent_bulk(traffic, now, settings)
    if not recent:
        return None
    until = recent[-1][0] + _pause(traffic, recent, now, settings)
    if traffic.arrived_at is not None:
        until = min(until, traffic.arrived_at + settings.bulk_lull)
    return until if until > now else None


def spaced_until(traffic: Traffic, now: datetime, settings: ZoneUnitSettings) -> datetime | None:
    """Return until when even a few changes wait, so that what may be in flight lasts; None when they go at once.

    Where Route 53 takes its time and a third is used, each batch more makes the next one wait a second longer.
    """
    short = traffic.in_flight - settings.max_changes_in_flight // 3
    if short <= 0 or not traffic.sent_lately or not _is_slow(traffic, now, settings):
        return None
    until = traffic.sent_lately[-1][0] + min(short * settings.bulk_pause, settings.bulk_pause_limit)
    return until if until > now else None


def _is_slow(traffic: Traffic, now: datetime, settings: ZoneUnitSettings) -> bool:
    """Whether Route 53 takes its time: a batch has been in flight for longer than any is to be collected."""
    return traffic.oldest_at is not None and now - traffic.oldest_at >= settings.bulk_pause_limit


def _recent_bulk(traffic: Traffic, now: datetime, settings: ZoneUnitSettings) -> list[tuple[datetime, int]]:
    """Return the batches of the bulk under way, none where there is no bulk.

    Batches that leave one right after the other are the beginning of one, however small they are; and so is half of
    what may be in flight within the longest pause: a bulk that trickles in would use up the rest with small ones too.
    """
    recent = [(sent, count) for sent, count in traffic.sent_lately if now - sent < settings.bulk_window]
    a_moment = sum(now - sent < settings.bulk_pause for sent, _ in recent)
    a_while = sum(now - sent < settings.bulk_pause_limit for sent, _ in recent)
    rush = a_moment >= RUSH or 2 * a_while >= settings.max_changes_in_flight
    least = RUSH_SIZE if rush else settings.bulk_size
    return recent if traffic.waiting + sum(count for _, count in recent) >= least else []


def _pause(
    traffic: Traffic, recent: Sequence[tuple[datetime, int]], now: datetime, settings: ZoneUnitSettings
) -> timedelta:
    """Return how long to collect: as long as a good batch takes to come, and a little longer each time.

    What is no bulk by its size waits a moment only.
    """
    if traffic.waiting + sum(count for _, count in recent) < settings.bulk_size:
        return settings.bulk_pause
    before = recent[-1][0] - recent[-2][0] if len(recent) > 1 else timedelta()
    growing = max(len(recent) * settings.bulk_pause, before + settings.bulk_pause)
    limit = min(growing, _longest_pause(traffic, now, settings))
    came = traffic.waiting + sum(count for _, count in recent[1:])
    if not came or _is_slow(traffic, now, settings):
        return limit
    return max(settings.bulk_pause, min(limit, (now - recent[0][0]) * settings.bulk_batch / came))


def _longest_pause(traffic: Traffic, now: datetime, settings: ZoneUnitSettings) -> timedelta:
    """Return how long to collect at most: half as long while Route 53 takes batches in sooner than they come.

    Where it takes its time, short pauses would fill what may be in flight, and the next change would wait for that.
    """
    if traffic.plain:
        return settings.bulk_pause_plain
    busy = 2 * traffic.in_flight > settings.max_changes_in_flight or _is_slow(traffic, now, settings)
    return settings.bulk_pause_limit if busy else settings.bulk_pause_limit / 2


def pack(groups: Sequence[ChangeGroup], room: Room) -> Packing:
    """Fill batches in order as long as there is room."""
    batches: list[list[ChangeGroup]] = []
    record_sets, elements, characters = 0, 0, 0
    ordered = aliases_last(groups)
    for position, group in enumerate(ordered):
        fits = (
            bool(batches)
            and elements + group.elements <= wire.MAX_ELEMENTS
            and characters + group.characters <= wire.MAX_CHARACTERS
        )
        record_sets += len(group.affected)
        if record_sets > room.record_sets or (not fits and len(batches) >= room.changes):
            return Packing(tuple(map(tuple, batches)), tuple(ordered[position:]))
        if not fits:
            batches.append([])
            elements, characters = 0, 0
        batches[-1].append(group)
        elements += group.elements
        characters += group.characters
    return Packing(tuple(map(tuple, batches)), ())


def aliases_last(groups: Sequence[ChangeGroup]) -> list[ChangeGroup]:
    """Return the groups so that what an alias points at comes before it, and aliases in a circle come last."""
    by_name = {group.name: group for group in groups}
    targets = {group.name: [name for name in alias_targets(group) if name in by_name] for group in groups}
    if not any(targets.values()):
        return list(groups)
    sorter = TopologicalSorter(targets)
    with suppress(CycleError):
        sorter.prepare()
    ordered: list[str] = []
    while ready := sorter.get_ready():
        ordered += ready
        sorter.done(*ready)
    circles = by_name.keys() - set(ordered)
    return [by_name[name] for name in (*ordered, *(name for name in by_name if name in circles))]


def alias_targets(group: ChangeGroup) -> Iterable[str]:
    """Return the names that what a group creates points at, but for its own."""
    for change in group.changes:
        alias = change.record_set.alias
        if alias is not None and change.action is ChangeAction.CREATE and alias.dns_name != group.name:
            yield alias.dns_name
