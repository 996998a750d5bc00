"""Run a child program to its end and say that it is still running, so that no step is silent for long."""

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

FIRST_NOTICE_SECONDS = 2.0
NOTICE_EVERY_SECONDS = 10.0


class ProgramError(RuntimeError):
    """A child program ended with an error; the message holds the last lines that it wrote."""


def say(text: str) -> None:
    """Print one progress line at once."""
    print(text, file=sys.stderr, flush=True)


def run(title: str, command: Sequence[str], *, cwd: Path, env: dict[str, str], log: Path) -> None:
    """Run `command` with its output in `log`.

    Raises ProgramError where it fails.
    """
    started = time.monotonic()
    with log.open("wb") as output:
        child = subprocess.Popen(  # noqa: S603 — commands are composed in this package only
            command, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
        try:
            code = _wait(title, child, started)
        except BaseException:
            child.kill()
            child.wait()
            raise
    if code != 0:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-20:])
        raise ProgramError(f"{title} failed with exit code {code}:\n{tail}")
    say(f"{title}: done in {time.monotonic() - started:.0f} s")


def _wait(title: str, child: subprocess.Popen[bytes], started: float) -> int:
    pause = FIRST_NOTICE_SECONDS
    while True:
        try:
            return child.wait(timeout=pause)
        except subprocess.TimeoutExpired:
            say(f"{title}: {time.monotonic() - started:.0f} s …")
            pause = NOTICE_EVERY_SECONDS
