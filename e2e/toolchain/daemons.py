"""Background programs with a pid file: started detached, ended only when the pid is still the program we started.

The pid file holds the start time of the pid too, so a pid that the system gave to somebody else is never touched.
"""

import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

STOP_GRACE_SECONDS = 15.0
_POLL_SECONDS = 0.02


@dataclass(frozen=True)
class Daemon:
    """A started program: its name, pid and the start time that the system reports for this pid."""

    name: str
    pid: int
    started: str

    @property
    def alive(self) -> bool:
        """Whether this very program still runs (a zombie does not, nor one that ended before it was seen)."""
        _reap(self.pid)
        return bool(self.started) and start_time(self.pid) == self.started


def start(
    name: str,
    command: Sequence[str],
    directory: Path,
    *,
    log: Path,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Daemon:
    """Start `command` in its own session; output is appended to `log`, the pid file is `directory/<name>.pid`."""
    log.parent.mkdir(parents=True, exist_ok=True)
    directory.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        child = subprocess.Popen(  # noqa: S603 — commands are composed in this package only
            command, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
        )
    daemon = Daemon(name, child.pid, start_time(child.pid))
    child.returncode = 0  # the pid file owns it from here: Popen must neither warn nor wait
    draft = directory / f".{name}.pid.new"  # whoever looks meanwhile sees the whole file or none
    draft.write_text(json.dumps({"pid": daemon.pid, "started": daemon.started}))
    draft.replace(directory / f"{name}.pid")
    return daemon


def recorded(name: str, directory: Path) -> Daemon | None:
    """Return the daemon of a pid file, running or not; None without a readable file."""
    try:
        content = json.loads((directory / f"{name}.pid").read_text())
        return Daemon(name, int(content["pid"]), str(content["started"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def running(name: str, directory: Path) -> Daemon | None:
    """Return the daemon of a pid file if it runs."""
    daemon = recorded(name, directory)
    return daemon if daemon and daemon.alive else None


def stop(daemon: Daemon, *, grace_seconds: float = STOP_GRACE_SECONDS) -> None:
    """Ask with SIGTERM, wait, then SIGKILL. Does nothing to a pid that is no longer this program.

    A program that is stopped (SIGSTOP) is let go on, else it would not hear what it is asked.
    """
    _signal(daemon, signal.SIGTERM)
    _signal(daemon, signal.SIGCONT)
    if not ended(daemon, grace_seconds):
        _signal(daemon, signal.SIGKILL)
        ended(daemon, grace_seconds)


def kill(daemon: Daemon) -> None:
    """SIGKILL at once, as a crash would be; returns when it is gone."""
    _signal(daemon, signal.SIGKILL)
    ended(daemon, STOP_GRACE_SECONDS)


def stop_recorded(name: str, directory: Path, *, grace_seconds: float = STOP_GRACE_SECONDS) -> bool:
    """Stop the daemon of a pid file and remove the file; True if something ran."""
    daemon = running(name, directory)
    if daemon:
        stop(daemon, grace_seconds=grace_seconds)
    (directory / f"{name}.pid").unlink(missing_ok=True)
    return daemon is not None


def names(directory: Path) -> list[str]:
    """Return the names of all pid files."""
    return sorted(file.stem for file in directory.glob("*.pid"))


def ended(daemon: Daemon, within_seconds: float) -> bool:
    """Wait until the daemon is gone; False when it still runs after the given time."""
    deadline = time.monotonic() + within_seconds
    while daemon.alive:
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def start_time(pid: int) -> str:
    """Return what identifies this incarnation of a pid; empty where no living program has it."""
    stat = Path(f"/proc/{pid}/stat")
    if not Path("/proc/self/stat").exists():
        return _start_time_from_ps(pid)
    try:
        fields = stat.read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    state, started = fields[0], fields[19]
    return "" if state in "ZX" else started


def _start_time_from_ps(pid: int) -> str:
    answer = subprocess.run(  # noqa: S603 — a fixed command and a number
        ["/bin/ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return answer.stdout.strip()


def _signal(daemon: Daemon, number: signal.Signals) -> None:
    if daemon.alive:
        with suppress(ProcessLookupError):
            os.kill(daemon.pid, number)


def _reap(pid: int) -> None:
    """Collect the exit status if it is our own child, else it would stay a zombie."""
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
