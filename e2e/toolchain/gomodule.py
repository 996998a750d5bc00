"""Files of pinned Go modules, such as the CustomResourceDefinitions that a project publishes in its module."""

import json
import os
import subprocess
from pathlib import Path

from e2e.toolchain.gobuild import again_after_network_failures, go_command
from e2e.toolchain.progress import ProgramError, say


class ModuleMissingError(ProgramError):
    """A module cannot be had; the message says why."""


def module_folder(pinned_in: Path, module: str) -> Path:
    """Return where the files of a module lie, in the version that `go.mod` in the folder `pinned_in` names.

    Raises ModuleMissingError where Go is not installed or the module cannot be had.
    """
    go = go_command()
    if go is None:
        raise ModuleMissingError("the Go tool is not installed")
    try:
        return _folder(go, pinned_in, module, GOPROXY="off")
    except ModuleMissingError:
        say(f"downloading the Go module {module} (the first time only; Go keeps it)")
    return again_after_network_failures(lambda: _folder(go, pinned_in, module))


def _folder(go: str, pinned_in: Path, module: str, **environment: str) -> Path:
    answer = subprocess.run(  # noqa: S603 — a composed command, no shell
        [go, "mod", "download", "-json", module],
        cwd=pinned_in,
        env=dict(os.environ) | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(answer.stdout or "{}")
    if answer.returncode != 0 or "Dir" not in found:
        raise ModuleMissingError(f"go mod download {module}: {found.get('Error') or answer.stderr.strip()}")
    return Path(found["Dir"])
