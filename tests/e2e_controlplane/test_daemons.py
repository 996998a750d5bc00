"""Only what was started here is ever ended."""

import json
import os
import sys
from pathlib import Path

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
