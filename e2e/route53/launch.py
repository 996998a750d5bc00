"""Start the emulator as a process of its own, wait until it serves, and stop what was started."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from e2e.route53.remote import Remote

START_SECONDS: Final = 120.0
STOP_SECONDS: Final = 15.0
POLL_SECONDS: Final = 0.05
_ROOT: Final = Path(__file__).resolve().parents[2]


class LaunchError(RuntimeError):
    """The emulator ended, or did not serve in time; the message holds what it printed."""


@contextmanager
def emulator(
    directory: Path, *, account_id: str = "123456789012", port: int = 0, dns_port: int = 0
) -> Iterator[Remote]:
    """Run an emulator; its port file and log go into `directory`. Raises LaunchError."""
    port_file, log = directory / "route53.json", directory / "route53.log"
    arguments = ["--port", str(port), "--dns-port", str(dns_port), "--port-file", str(port_file)]
    command = [sys.executable, "-m", "e2e.route53", *arguments, "--account-id", account_id]
    with log.open("wb") as output:
        running = subprocess.Popen(command, cwd=_ROOT, stdout=output, stderr=subprocess.STDOUT)  # noqa: S603 — our own module
    try:
        yield _served(running, port_file, log)
    finally:
        _stop(running)


def _served(running: subprocess.Popen[bytes], port_file: Path, log: Path) -> Remote:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if running.poll() is not None:
            break
        if port_file.exists():
            addresses = json.loads(port_file.read_text())
            return Remote(addresses["http"], addresses["dns"])
        time.sleep(POLL_SECONDS)
    raise LaunchError(f"the Route 53 emulator does not serve:\n{log.read_text(errors='replace')}")


def _stop(running: subprocess.Popen[bytes]) -> None:
    running.terminate()
    try:
        running.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait()
