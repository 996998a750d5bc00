"""Prometheus's own tool for testing alerts: `$PROMTOOL`, else built from its pinned Go module into the cache."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from e2e.toolchain.cache import cache_root, digest
from e2e.toolchain.gobuild import GoProgram, build, go_command
from e2e.toolchain.progress import ProgramError

_HERE = Path(__file__).parent
PROGRAM = GoProgram("promtool", _HERE, "github.com/prometheus/prometheus/cmd/promtool", tags="remove_all_sd")
"""Without service discovery, and the libraries of all clouds that it needs."""


class PromtoolMissingError(RuntimeError):
    """There is no promtool, and none can be built; the message says why."""


def find_promtool(environ: Mapping[str, str] = os.environ) -> Path:
    """Return a promtool, building it where necessary.

    Raises PromtoolMissingError.
    """
    if chosen := environ.get("PROMTOOL"):
        return Path(chosen)
    target = cache_root() / "promtool" / digest(PROGRAM.pins, PROGRAM.ldflags, PROGRAM.tags) / "promtool"
    go, why = go_command(), "the Go tool is not installed"
    if target.is_file():
        return target
    if go is not None:
        try:
            return build(PROGRAM, target, go)
        except ProgramError as error:
            why = str(error)
    if found := shutil.which("promtool"):
        return Path(found)
    raise PromtoolMissingError(f"no promtool to test the alerts: {why}. Set PROMTOOL, or install Go or promtool.")
