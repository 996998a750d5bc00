"""Building into the cache: a network that fails for a moment, builds that fail or are cut short, two at once."""

import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from e2e.polling import eventually
from e2e.stack.layout import ROOT
from e2e.toolchain import gobuild
from e2e.toolchain.gobuild import GoProgram, build
from e2e.toolchain.progress import ProgramError

UNREACHABLE = 'go: k8s.io/api@v0.36.3: Get "https://proxy.example/k8s.io/api": dial tcp: i/o timeout'
"""As Go tells it."""


@pytest.fixture
def program(tmp_path: Path) -> GoProgram:
    (tmp_path / "module").mkdir()
    return GoProgram("tool", tmp_path / "module", ".")


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gobuild, "PAUSES_SECONDS", (0.0, 0.0, 0.0))


def go(folder: Path, script: str) -> str:
    """Return the path of a Go tool that is a shell script; `$OUT` is where the program goes, `$COUNT` the attempt."""
    counts = folder / "counts"
    head = f'#!/bin/sh\necho x >> "{counts}"\nCOUNT=$(wc -l < "{counts}")\nOUT="$6"\n'
    path = folder / "go"
    path.write_text(head + script)
    path.chmod(0o755)
    return str(path)


def attempts(folder: Path) -> int:
    return len((folder / "counts").read_text().splitlines())


def test_a_build_goes_on_after_the_network_failed(program: GoProgram, tmp_path: Path) -> None:
    script = f"[ $COUNT -lt 3 ] && echo '{UNREACHABLE}' && exit 1\necho built > \"$OUT\""
    target = build(program, tmp_path / "cache" / "tool", go(tmp_path, script))
    assert (target.read_text(), attempts(tmp_path)) == ("built\n", 3)


def test_a_network_that_stays_away_is_an_error_in_the_end(program: GoProgram, tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="i/o timeout"):
        build(program, tmp_path / "cache" / "tool", go(tmp_path, f"echo '{UNREACHABLE}'; exit 1"))
    assert attempts(tmp_path) == 4


def test_code_that_does_not_compile_is_told_at_once(program: GoProgram, tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="undefined: x"):
        build(program, tmp_path / "cache" / "tool", go(tmp_path, "echo 'main.go:1: undefined: x'; exit 1"))
    assert attempts(tmp_path) == 1


def test_half_a_program_never_gets_into_the_cache(program: GoProgram, tmp_path: Path) -> None:
    target = tmp_path / "cache" / "tool"
    with pytest.raises(ProgramError):
        build(program, target, go(tmp_path, 'echo half > "$OUT"; exit 1'))
    assert sorted(file.name for file in target.parent.iterdir()) == ["tool.lock", "tool.log"]


WORK = """
import sys
from pathlib import Path
from e2e.toolchain import endings
from e2e.toolchain.gobuild import GoProgram, build
endings.make_orderly()
build(GoProgram("tool", Path(sys.argv[1]), "."), Path(sys.argv[2]), sys.argv[3])
"""


def test_a_build_that_was_cut_short_is_done_anew(program: GoProgram, tmp_path: Path) -> None:
    target = tmp_path / "cache" / "tool"
    tool = go(tmp_path, 'echo half > "$OUT"\n[ $COUNT -lt 2 ] && exec sleep 60\necho built > "$OUT"')
    command = [sys.executable, "-c", WORK, str(program.module_dir), str(target), tool]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL) as cut:  # noqa: S603 — our own text
        eventually(lambda: list(target.parent.glob(".tool-*/tool")), what="half a program")
        cut.send_signal(signal.SIGTERM)
        cut.wait(60)
    assert not target.exists()
    assert build(program, target, tool).read_text() == "built\n"


def test_two_that_need_a_program_build_it_once(program: GoProgram, tmp_path: Path) -> None:
    target = tmp_path / "cache" / "tool"
    tool = go(tmp_path, 'sleep 0.3\necho built > "$OUT"')
    threads = [threading.Thread(target=build, args=(program, target, tool)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (target.read_text(), attempts(tmp_path)) == ("built\n", 1)
