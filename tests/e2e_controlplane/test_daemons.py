"""Only what was started here is ever ended."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from e2e.polling import eventually
from e2e.stack.layout import ROOT
from e2e.toolchain import daemons

SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]


def test_a_started_program_is_found_again_and_ended(tmp_path: Path) -> None:
    started = daemons.start("sleeper", SLEEPER, tmp_path, log=tmp_path / "log")
    assert daemons.running("sleeper", tmp_path) == started
    assert daemons.stop_recorded("sleeper", tmp_path) is True
    assert not started.alive
    assert daemons.stop_recorded("sleeper", tmp_path) is False


def test_a_pid_that_belongs_to_another_program_by_now_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "other.pid").write_text(json.dumps({"pid": os.getpid(), "started": "1"}))
    assert daemons.running("other", tmp_path) is None
    assert daemons.stop_recorded("other", tmp_path) is False


def test_a_broken_pid_file_counts_as_nothing_running(tmp_path: Path) -> None:
    (tmp_path / "broken.pid").write_text("{")
    assert daemons.running("broken", tmp_path) is None


def test_a_stopped_program_is_ended_without_waiting_for_the_end_of_its_grace(tmp_path: Path) -> None:
    started = daemons.start("sleeper", SLEEPER, tmp_path, log=tmp_path / "log")
    os.kill(started.pid, signal.SIGSTOP)
    asked = time.monotonic()
    assert daemons.stop_recorded("sleeper", tmp_path) is True
    assert time.monotonic() - asked < daemons.STOP_GRACE_SECONDS / 2
    assert not started.alive


ORDERLY = """
import pathlib, sys, time
from e2e.toolchain import endings
endings.make_orderly()
folder = pathlib.Path(sys.argv[1])
try:
    (folder / "began").touch()
    time.sleep(60)
finally:
    (folder / "cleaned").touch()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_program_that_is_asked_to_end_cleans_up_first(tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-c", ORDERLY, str(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as program:  # noqa: S603 — our own text
        eventually((tmp_path / "began").exists, what="a program at work")
        program.send_signal(number)
        program.wait(10)
    assert (tmp_path / "cleaned").exists()
    assert program.returncode in (128 + number, -number)


def test_a_program_that_ended_before_it_was_seen_counts_as_ended() -> None:
    ended = daemons.Daemon("brief", os.getpid(), "")
    gone = daemons.Daemon("brief", 2**22 + 1, "")
    assert not ended.alive
    assert not gone.alive
