"""Build commands of a pinned Go module into the cache, once."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from e2e.toolchain.progress import run, say


@dataclass(frozen=True)
class GoProgram:
    """One command of a pinned module: `package` as `go build` takes it, built inside `module_dir`."""

    name: str
    module_dir: Path
    package: str
    ldflags: str = "-s -w"

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
        partial = target.with_suffix(".partial")
        command = [go, "build", "-trimpath", "-ldflags", program.ldflags, "-o", str(partial), program.package]
        environment = dict(os.environ, CGO_ENABLED="0")
        run(
            f"go build {program.name}",
            command,
            cwd=program.module_dir,
            env=environment,
            log=target.with_suffix(".log"),
        )
        partial.replace(target)
    return target


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
