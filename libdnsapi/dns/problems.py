"""A finding about one field: where it is, what is wrong and how to write it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding. `path` is a field path such as `spec.mx.records[1].exchange`; `message` is for people."""

    path: str
    message: str

    def at(self, prefix: str) -> Self:
        """Return the finding with its path below `prefix`: `a.addresses[0]` at `spec` is `spec.a.addresses[0]`."""
        return replace(self, path=joined(prefix, self.path))

    def __str__(self) -> str:
        """Return `path: message`, or the bare message of a finding about the whole object."""
        return f"{self.path}: {self.message}" if self.path else self.message


def joined(prefix: str, path: str) -> str:
    """Join two field paths; an index such as `[0]` takes no dot before it."""
    if not prefix or not path:
        return prefix or path
    return f"{prefix}{path}" if path.startswith("[") else f"{prefix}.{path}"


def all_at(prefix: str, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return the findings with their paths below `prefix`."""
    return tuple(p.at(prefix) for p in problems)
