import asyncio
import time

import pytest

from benchmarks.rig import deadline
from benchmarks.runs import growth, summary


def test_one_run_is_its_own_row() -> None:
    assert summary([{"bench": "plan", "n": 100, "change_ms": 1.5}]) == {"bench": "plan", "n": 100, "change_ms": 1.5}


def test_of_several_runs_there_are_medians_and_how_far_apart_they_were() -> None:
    summed = summary([{"case": "core", "n": 100, "change_ms": figure} for figure in (2.0, 1.0, 9.0)])
    assert summed == {
        "case": "core",
        "n": 100,
        "change_ms": 2.0,
        "runs": 3,
        "spread": {"change_ms": [1.0, 9.0]},
    }


def test_what_is_no_number_is_that_of_the_last_run() -> None:
    summed = summary([{"calls": {"GetChange": 1}, "good": True}, {"calls": {"GetChange": 2}, "good": False}])
    assert summed == {"calls": {"GetChange": 2}, "good": False, "runs": 2, "spread": {}}


def test_what_is_the_same_in_all_runs_stays_as_it_is() -> None:
    summed = summary([{"n": 100}, {"n": 100}])
    assert summed == {"n": 100, "runs": 2, "spread": {}}
    assert isinstance(summed["n"], int)


def test_growth_is_fitted_over_rows() -> None:
    assert growth([{"n": 10, "cpu_ms": 2.0}, {"n": 1000, "cpu_ms": 20.0}], "cpu_ms") == 0.5


def test_a_deadline_ends_what_goes_on_and_lets_it_clean_up(capsys: pytest.CaptureFixture[str]) -> None:
    ended = []

    async def endless() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(time.monotonic())

    with pytest.raises(SystemExit, match="not done within 0 s"), deadline(0.05):
        asyncio.run(endless())
    assert len(ended) == 1
    assert capsys.readouterr().err == ""


def test_a_deadline_does_nothing_to_what_is_done_before() -> None:
    with deadline(60):
        asyncio.run(asyncio.sleep(0))
