import asyncio
import ctypes
import gc
from datetime import timedelta

import pytest

from libdnsapi.runtime import memory
from tests.fakes.clock import FakeClock


def test_memory_is_given_back_where_the_c_library_can() -> None:
    assert memory.give_back() in (True, False)


def test_a_c_library_that_cannot_is_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    assert memory.give_back() is False


def test_full_caches_are_kept_out_of_later_collections() -> None:
    before = gc.get_freeze_count()
    try:
        memory.freeze_caches()
        assert gc.get_freeze_count() > before
    finally:
        gc.unfreeze()


async def test_memory_is_given_back_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, times = FakeClock(), []
    monkeypatch.setattr(memory, "give_back", lambda: times.append(clock.now()))
    running = asyncio.create_task(memory.give_back_always(clock))
    for expected in (0, 1, 2):
        assert len(times) == expected
        await clock.advance(timedelta(minutes=1))
    running.cancel()
