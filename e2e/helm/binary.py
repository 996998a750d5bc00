"""Find helm: `$HELM`, then our cache, then `go build`, then an installed helm of the same major version.

The pinned one goes first where it can be had, so that charts render alike everywhere.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from e2e.toolchain.cache import cache_root, digest
from e2e.toolchain.gobuild import GoProgram, build, go_command
from e2e.toolchain.progress import ProgramError

_HERE = Path(__file__).parent
_MODULE = "helm.sh/helm/v4"


class HelmMissingError(RuntimeError):
    """No way led to a helm; the message lists the ways and why each failed."""


def helm_version() -> str:
    """Return the pinned version, such as v4.3.2."""
    found = re.search(rf"^\s*{re.escape(_MODULE)} (v\S+)", (_HERE / "go.mod").read_text(), re.MULTILINE)
    if found is None:
        raise HelmMissingError(f"go.mod pins no version of {_MODULE}")
    return found.group(1)


def program() -> GoProgram:
    """Return helm as it is built from our pinned module."""
    stamp = f"-X {_MODULE}/internal/version.version={helm_version()}"
    return GoProgram("helm", _HERE, f"{_MODULE}/cmd/helm", f"-s -w {stamp}")


def cached_path() -> Path:
    """Return where the cache keeps what these pins and flags build."""
    helm = program()
    return cache_root() / "helm" / digest(helm.pins, helm.ldflags) / "helm"


def find_helm(environ: Mapping[str, str] = os.environ) -> Path:
    """Return a helm binary, building it where necessary.

    Raises HelmMissingError.
    """
    if chosen := environ.get("HELM"):
        return Path(chosen)
    target = cached_path()
    if target.is_file():
        return target
    tried = [f"our cache: {target} is not there"]
    go = go_command()
    if go is None:
        tried.append("go build: the Go tool is not installed")
    else:
        try:
            return build(program(), target, go)
        except ProgramError as error:
            tried.append(f"go build: {error}")
    return _installed(tried)


def _installed(tried: list[str]) -> Path:
    found = shutil.which("helm")
    if found is None:
        tried.append("PATH: no helm")
    else:
        major = helm_version().split(".", 1)[0]
        answer = subprocess.run(  # noqa: S603 — the helm of the user's own PATH
            [found, "version", "--template", "{{.Version}}"], capture_output=True, text=True, check=False
        )
        if answer.stdout.startswith(f"{major}."):
            return Path(found)
        tried.append(f"PATH: {found} is {answer.stdout.strip() or 'of an unknown version'}, not {major}")
    ways = "\n".join(f"  {number}. {verdict}" for number, verdict in enumerate(tried, start=1))
    raise HelmMissingError(
        f"no helm to render the charts. Tried, in this order:\n{ways}\nSet HELM, or install Go or helm."
    )
