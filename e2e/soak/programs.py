"""The programs of the control plane, kept running as systemd would: what ends is started again."""

from dataclasses import dataclass, field
from pathlib import Path

from e2e.stack import Stack
from e2e.toolchain import daemons

PROGRAMS = ("etcd", "kube-apiserver", "kube-controller-manager")


@dataclass
class Programs:
    """The programs of one stack; `down` holds those that a disturbance keeps from being started again."""

    stack: Stack
    down: set[str] = field(default_factory=set)
    _commands: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Learn the command lines of those that run."""
        for name in PROGRAMS:
            if running := daemons.running(name, self._directory):
                self._commands[name] = _command_line(running.pid)

    def keep(self) -> None:
        """Start what does not run and should."""
        for name, command in self._commands.items():
            if name not in self.down and self.pid(name) is None:
                daemons.start(name, command, self._directory, log=self._directory / "logs" / f"{name}.log")

    def kill(self, name: str) -> int | None:
        """End a program without a word; return which process, None where none ran."""
        running = daemons.running(name, self._directory)
        if running:
            daemons.kill(running)
        return running.pid if running else None

    def pid(self, name: str) -> int | None:
        """Return the pid of a program, None while it does not run."""
        running = daemons.running(name, self._directory)
        return running.pid if running else None

    @property
    def _directory(self) -> Path:
        return self.stack.layout.control_plane


def _command_line(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/cmdline").read_bytes().decode().rstrip("\0").split("\0")
