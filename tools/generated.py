"""Committed files that a generator owns: written, or only compared with `--check`."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
"""The checkout."""


def drift(files: Mapping[Path, str], owned: Sequence[Path] = ()) -> list[str]:
    """Return one line for each file that differs from its content, is missing, or is owned but no longer generated."""
    found = [f"{_shown(path)} is not there" for path in files if not path.is_file()]
    found += [f"{_shown(path)} differs" for path, text in files.items() if path.is_file() and path.read_text() != text]
    return found + [f"{_shown(path)} is no longer generated" for path in _stale(files, owned)]


def write(files: Mapping[Path, str], owned: Sequence[Path] = ()) -> None:
    """Write what differs, remove what is owned but no longer generated."""
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_text() != text:
            path.write_text(text)
            _tell(f"wrote {_shown(path)}")
    for path in _stale(files, owned):
        path.unlink()
        _tell(f"removed {_shown(path)}")


def run(module: str, files: Mapping[Path, str], owned: Sequence[Path] = (), argv: Sequence[str] | None = None) -> int:
    """Be the main function of a generator: `--check` returns 1 where files drifted, otherwise files are written."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    if arguments not in ([], ["--check"]):
        _tell(f"usage: python -m {module} [--check]")
        return 2
    if not arguments:
        write(files, owned)
        return 0
    found = drift(files, owned)
    for line in found:
        _tell(line)
    if found:
        _tell(f"run: python -m {module}")
    return 1 if found else 0


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def _stale(files: Mapping[Path, str], owned: Sequence[Path]) -> list[Path]:
    return [path for folder in owned for path in sorted(folder.glob("*.yaml")) if path not in files]


def _shown(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
