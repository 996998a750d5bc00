"""The sources controller beside a local stack: a process of its own with the rights of its own account."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from e2e.polling import eventually
from e2e.stack.layout import ROOT, SYSTEM_NAMESPACE
from e2e.stack.services import http_ok
from e2e.stack.stack import Stack, StackError
from e2e.toolchain import daemons
from e2e.toolchain.ports import free_ports

ACCOUNT = "dnsapi-sources"
NAME = "sources"


@dataclass(frozen=True)
class Sources:
    """The running process."""

    daemon: daemons.Daemon
    health: str
    log: Path

    def tail(self, characters: int = 2000) -> str:
        """Return the end of its log."""
        return self.log.read_text(errors="replace")[-characters:]


@contextmanager
def sources(stack: Stack, folder: Path, *options: str) -> Iterator[Sources]:
    """Run the sources controller; its files go into `folder`, `options` are added to its command line.

    It is stopped as a pod is, so that the next one does not wait for its lease. Raises StackError where it ended by
    itself.
    """
    kubeconfig = stack.control_plane.kubeconfig_for(SYSTEM_NAMESPACE, ACCOUNT, folder / "kubeconfig")
    (port,) = free_ports(1)
    command = [sys.executable, "-m", "core_controller", "--controllers", "sources", "--kubeconfig", str(kubeconfig)]
    command += ["--lease-namespace", SYSTEM_NAMESPACE, "--health-host", "127.0.0.1", "--health-port", str(port)]
    environment = {"PATH": "/usr/bin:/bin"}
    log = folder / "log"
    daemon = daemons.start(NAME, [*command, *options], folder, log=log, env=environment, cwd=ROOT)
    running = Sources(daemon, f"http://127.0.0.1:{port}", log)
    try:
        eventually(lambda: not daemon.alive or http_ok(f"{running.health}/readyz"), what="sources that are ready")
        yield running
        if not daemon.alive:
            raise StackError(f"the sources controller ended by itself:\n{running.tail()}")
    finally:
        daemons.stop_recorded(NAME, folder)
