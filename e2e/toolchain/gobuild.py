"""Build commands of a pinned Go module into the cache, once; a network that fails for a moment does no harm."""

import fcntl
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from e2e.toolchain.progress import ProgramError, run, say

T = TypeVar("T")

PAUSES_SECONDS = (2.0, 5.0, 15.0)
"""How long to wait before each further attempt; what was downloaded before is kept by Go."""
_NETWORK = re.compile(r"https?://|dial tcp|unexpected EOF|i/o timeout|connection re(set|fused)|TLS handshake")


@dataclass(frozen=True)
class GoProgram:
    """One command of a pinned module: `package` as `go build` takes it, built inside `module_dir`."""

    name: str
    module_dir: Path
    package: str
    ldflags: str = "-s -w"
    tags: str = ""

    @property
    def pins(self) -> tuple[Path, Path]:
        """The files that decide which sources are built."""
        return self.module_dir / "go.mod", self.module_dir / "go.sum"


def go_command() -> str | None:
    """Return the path of the Go tool, or None where Go is not installed."""
    found = shutil.which("go")
    usual = Path("/usr/local/go/bin/go")
    return found or (str(usual) if usual.is_file() else None)


def build(program: GoProgram, target: Path, go: str) -> Path:
    """Build `program` to the file `target` unless it is there; concurrent callers wait for one build.

    Raises ProgramError where the build fails.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with _locked(target.with_suffix(".lock")):
        if target.is_file():
            return target
        say(f"building {program.name} from its Go module (the first time only; kept in {target.parent})")
        for left in target.parent.glob(f".{program.name}-*"):  # by a build that was killed
            shutil.rmtree(left, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{program.name}-") as folder:
            built = Path(folder) / program.name
            again_after_network_failures(lambda: _build(program, built, go, target.with_suffix(".log")))
            built.replace(target)
    return target


def again_after_network_failures(work: Callable[[], T]) -> T:
    """Return the result of `work`; where the network was what failed it is done again after each of the pauses.

    Raises ProgramError, of the last attempt.
    """
    for pause in PAUSES_SECONDS:
        try:
            return work()
        except ProgramError as error:
            if not _NETWORK.search(str(error)):
                raise
            say(f"the network failed, once more in {pause:g} s: {str(error).splitlines()[-1]}")
            time.sleep(pause)
    return work()


def _build(program: GoProgram, built: Path, go: str, log: Path) -> None:
    flags = ["-trimpath", "-ldflags", program.ldflags, *(["-tags", program.tags] if program.tags else [])]
    command = [go, "build", *flags, "-o", str(built), program.package]
    environment = dict(os.environ, CGO_ENABLED="0")
    run(f"go build {program.name}", command, cwd=program.module_dir, env=environment, log=log)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another build of {path.stem}")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
