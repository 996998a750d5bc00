"""What grows between two calm moments is named; a process that was started anew is not compared."""

from dataclasses import replace

import pytest

from e2e.soak.replicas import REPLICAS
from e2e.soak.vitals import GROWTH_FILES, GROWTH_KIB, GROWTH_TASKS, MEMORY_KIB, Vitals, problems

NAME = REPLICAS[0].name
CALM = {one.name: Vitals(100 + number, 80_000, 20, 30, {"Reflector.run": 8}) for number, one in enumerate(REPLICAS)}
THEN = CALM[NAME]


def test_nothing_grew() -> None:
    assert problems(CALM, CALM) == []


def test_small_differences_are_no_growth() -> None:
    more = replace(THEN, memory_kib=80_000 + GROWTH_KIB, files=20 + GROWTH_FILES, task_count=30 + GROWTH_TASKS)

    assert problems(CALM, CALM | {NAME: more}) == []


@pytest.mark.parametrize(
    ("now", "message"),
    [
        (replace(THEN, memory_kib=80_001 + GROWTH_KIB), f"grew: 80000 KiB, then {80_001 + GROWTH_KIB} KiB"),
        (replace(THEN, files=21 + GROWTH_FILES), f"grew: 20 open files, then {21 + GROWTH_FILES}"),
        (
            replace(THEN, task_count=31 + GROWTH_TASKS, tasks={"Reflector.run": 8, "tell": 9}),
            f"grew: 30 tasks, then {31 + GROWTH_TASKS}, more of {{'tell': 9}}",
        ),
        (replace(THEN, pid=7, memory_kib=MEMORY_KIB + 1), f"holds {MEMORY_KIB + 1} KiB"),
    ],
)
def test_growth_is_named(now: Vitals, message: str) -> None:
    assert problems(CALM, CALM | {NAME: now}) == [f"{NAME} {message}"]


def test_another_process_in_its_place_is_not_compared() -> None:
    assert problems(CALM, CALM | {NAME: replace(THEN, pid=7, task_count=300)}) == []
