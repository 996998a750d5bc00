"""Files of pinned Go modules, such as the CustomResourceDefinitions that a project publishes in its module."""

import json
import subprocess
from pathlib import Path

from e2e.toolchain.gobuild import go_command

DOWNLOAD_SECONDS = 300


class ModuleMissingError(RuntimeError):
    """A module cannot be had; the message says why."""


def module_folder(pinned_in: Path, module: str) -> Path:
    """Return where the files of a module lie, in the version that `go.mod` in the folder `pinned_in` names.

    Raises ModuleMissingError where Go is not installed or the module cannot be had.
    """
    go = go_command()
    if go is None:
        raise ModuleMissingError("the Go tool is not installed")
    answer = subprocess.run(  # noqa: S603 — a composed command, no shell
        [go, "mod", "download", "-json", module],
        cwd=pinned_in,
        capture_output=True,
        text=True,
        check=False,
        timeout=DOWNLOAD_SECONDS,
    )
    found = json.loads(answer.stdout or "{}")
    if answer.returncode != 0 or "Dir" not in found:
        raise ModuleMissingError(f"go mod download {module}: {found.get('Error') or answer.stderr.strip()}")
    return Path(found["Dir"])
