"""The guard against mass deletion: what it holds, and what its tokens let go."""

from dataclasses import replace
from datetime import timedelta

import pytest

from libdnsapi.api.names import ROUTE53_CONTROLLER, ROUTE53_PROVIDER
from route53_controller.zoneunit.plan import deletions
from route53_controller.zoneunit.snapshot import ZoneUnitSettings
from route53_controller.zoneunit.state import DeletionGuard
from tests.route53_controller.zoneunit.plan.builders import NOW, group

SETTINGS = replace(ZoneUnitSettings(ROUTE53_CONTROLLER, ROUTE53_PROVIDER), max_delete_count=2, max_delete_percent=50)
REMOVALS = [group(f"n{number}", removal=True) for number in range(4)]
CASE = deletions.GuardCase(NOW, "uid", 4, "", exempt=False)


@pytest.mark.spec("R53-GU-001")
@pytest.mark.parametrize(
    ("wanted", "managed", "exempt", "released"),
    [(2, 4, False, 2), (2, 2, False, 2), (3, 4, False, 0), (3, 6, False, 3), (3, 5, False, 0), (4, 4, True, 4)],
)
def test_deletions_are_held_only_past_both_limits(wanted: int, managed: int, exempt: bool, released: int) -> None:
    case = replace(CASE, managed=managed, exempt=exempt)
    verdict = deletions.judge(REMOVALS[:wanted], DeletionGuard(), case, SETTINGS)
    assert len(verdict.released) == released
    assert len(verdict.held) == wanted - released


@pytest.mark.spec("R53-GU-003")
def test_deletions_of_the_window_count_and_old_ones_do_not() -> None:
    guard = deletions.counted(DeletionGuard(), NOW, 2, 4)
    assert deletions.judge(REMOVALS[:1], guard, CASE, SETTINGS).held
    later = replace(CASE, now=NOW + timedelta(minutes=11))
    assert deletions.judge(REMOVALS[:1], guard, later, SETTINGS).released


def test_a_deletion_late_in_its_minute_counts_for_all_of_the_window() -> None:
    late = NOW + timedelta(seconds=59)
    guard = deletions.counted(deletions.counted(DeletionGuard(), NOW, 1, 4), late, 1, 4)
    assert [entry.count for entry in guard.removals] == [2]
    within = replace(CASE, now=late + SETTINGS.deletion_window - timedelta(seconds=1))
    assert deletions.judge(REMOVALS[:1], guard, within, SETTINGS).held
    after = replace(CASE, now=late + SETTINGS.deletion_window)
    assert deletions.judge(REMOVALS[:1], guard, after, SETTINGS).released


@pytest.mark.spec("R53-GU-002")
def test_a_token_works_once_and_covers_several_batches() -> None:
    held = deletions.judge(REMOVALS, DeletionGuard(), CASE, SETTINGS)
    confirmed = replace(CASE, confirmation=held.token)
    verdict = deletions.judge(REMOVALS, held.guard, confirmed, SETTINGS)
    assert len(verdict.released) == 4
    guard = deletions.counted(verdict.guard, NOW, 2, 4)
    rest = deletions.judge(REMOVALS[2:], guard, confirmed, SETTINGS)
    assert len(rest.released) == 2
    last = deletions.judge(REMOVALS[3:], rest.guard, confirmed, SETTINGS)
    assert deletions.judge(REMOVALS[3:], last.guard, confirmed, SETTINGS).held == ()
    others = [group(f"m{number}", removal=True) for number in range(4)]
    assert deletions.judge(others, rest.guard, confirmed, SETTINGS).held


@pytest.mark.spec("R53-GU-002")
def test_a_token_that_was_used_lets_nothing_go_a_second_time() -> None:
    held = deletions.judge(REMOVALS, DeletionGuard(), CASE, SETTINGS)
    confirmed = replace(CASE, confirmation=held.token)
    done = deletions.judge((), deletions.judge(REMOVALS, held.guard, confirmed, SETTINGS).guard, confirmed, SETTINGS)
    again = deletions.judge(REMOVALS, done.guard, confirmed, SETTINGS)
    assert again.released == ()
    assert len(again.held) == 4


@pytest.mark.spec("R53-GU-002")
def test_a_token_is_for_the_very_deletions_that_it_named() -> None:
    held = deletions.judge(REMOVALS[:3], DeletionGuard(), CASE, SETTINGS)
    more = deletions.judge(REMOVALS, held.guard, replace(CASE, confirmation=held.token), SETTINGS)
    assert more.released == ()
    assert more.token != held.token


def test_a_new_window_counts_the_share_of_what_is_managed_now() -> None:
    guard = deletions.counted(DeletionGuard(), NOW, 2, 100)
    later = replace(CASE, now=NOW + SETTINGS.deletion_window)
    assert len(deletions.judge(REMOVALS[:3], guard, later, SETTINGS).held) == 3


def test_what_was_let_go_is_not_held_any_more() -> None:
    held = deletions.judge(REMOVALS, DeletionGuard(), CASE, SETTINGS)
    assert (held.guard.token, held.guard.held_since) == (held.token, NOW)
    gone = deletions.judge(REMOVALS, held.guard, replace(CASE, confirmation=held.token), SETTINGS).guard
    assert (gone.token, gone.held_since, gone.used_token) == ("", None, held.token)
    exempt = deletions.judge(REMOVALS, held.guard, replace(CASE, exempt=True), SETTINGS).guard
    assert (exempt.token, exempt.held_since) == ("", None)


def test_deletions_that_are_wanted_anew_can_be_confirmed_anew() -> None:
    held = deletions.judge(REMOVALS, DeletionGuard(), CASE, SETTINGS)
    first = replace(CASE, confirmation=held.token)
    done = deletions.judge((), deletions.judge(REMOVALS, held.guard, first, SETTINGS).guard, first, SETTINGS)
    later = replace(first, now=NOW + timedelta(days=1))
    again = deletions.judge(REMOVALS, done.guard, later, SETTINGS)
    assert again.token not in {"", held.token}
    assert deletions.judge(REMOVALS, again.guard, replace(later, confirmation=again.token), SETTINGS).held == ()


def test_a_token_is_the_same_in_every_process() -> None:
    held = deletions.judge(REMOVALS, DeletionGuard(), CASE, SETTINGS)
    turned = deletions.judge(REMOVALS[::-1], DeletionGuard(), CASE, SETTINGS)
    assert {held.token, turned.token} == {"2d4cff976f9f"}


@pytest.mark.spec("R53-GU-004")
@pytest.mark.parametrize(("count", "percent"), [(0, 50), (2, 0), (0, 0)])
def test_nought_in_either_limit_turns_the_guard_off(count: int, percent: int) -> None:
    settings = replace(SETTINGS, max_delete_count=count, max_delete_percent=percent)
    assert deletions.judge(REMOVALS, DeletionGuard(), CASE, settings).held == ()


def test_the_share_is_that_of_what_was_managed_when_the_window_began() -> None:
    guard = deletions.counted(DeletionGuard(), NOW, 2, 8)
    assert deletions.judge(REMOVALS[:2], guard, replace(CASE, managed=6), SETTINGS).held == ()
    assert deletions.judge(REMOVALS[:3], guard, replace(CASE, managed=6), SETTINGS).released == ()
    assert deletions.counted(guard, NOW, 1, 6).managed == 8
    assert deletions.counted(DeletionGuard(), NOW, 0, 8) == DeletionGuard()


def test_an_unheld_guard_keeps_nothing_in_the_state() -> None:
    verdict = deletions.judge(REMOVALS[:1], DeletionGuard(), CASE, SETTINGS)
    assert verdict.guard == DeletionGuard()


@pytest.mark.parametrize(
    ("told_token", "told", "due"),
    [
        ("", None, deletions.LULL),
        ("before", timedelta(minutes=1), deletions.LULL),
        ("now", timedelta(minutes=1), timedelta(minutes=1) + deletions.REMINDER),
        ("now", None, timedelta(hours=1)),
    ],
    ids=["first", "another token", "again", "told by a version that did not say when"],
)
def test_what_is_held_is_told_after_a_lull_and_again_before_it_is_forgotten(
    told_token: str, told: timedelta | None, due: timedelta
) -> None:
    told_at = None if told is None else NOW + told
    guard = DeletionGuard(token="now", token_since=NOW, told_token=told_token, told_at=told_at)  # noqa: S106 — no secret
    assert deletions.due_at(guard, NOW + timedelta(hours=1)) == NOW + due
