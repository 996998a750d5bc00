"""The log lines that the services can write, read from their source: level, event, fields, where.

A line is a call of a method of the module's `log` with a literal event; anything else could not be listed, and is an
error, so that the reference is complete.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.generated import ROOT

PACKAGES = {
    "libdnsapi": "every process",
    "core_controller": "core, sources",
    "route53_controller": "Route 53",
    "webhook": "webhook",
}
"""Where is looked, and which process a line of it is found in."""
LEVELS = ("error", "warning", "info", "debug")
LOGGER = "log"


@dataclass(frozen=True, slots=True)
class LogLine:
    """One kind of line."""

    level: str
    event: str
    fields: tuple[str, ...]
    process: str


class UnlistedLineError(ValueError):
    """A call of the logger that cannot be listed; the text says where it is."""


def log_lines() -> list[LogLine]:
    """Return all lines, worst first."""
    found = {line for package, process in PACKAGES.items() for line in _of_package(ROOT / package, process)}
    return sorted(found, key=lambda line: (LEVELS.index(line.level), line.event, line.process))


def lines_in(source: str, process: str, where: str) -> Iterator[LogLine]:
    """Return the lines of one module's source; raises UnlistedLineError."""
    nodes = list(ast.walk(ast.parse(source)))
    calls = {node.func: node for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == LOGGER:
            yield _line(node.attr, calls.get(node), process, f"{where}:{node.lineno}")


def _line(level: str, call: ast.Call | None, process: str, where: str) -> LogLine:
    if call is None or level not in LEVELS:
        raise UnlistedLineError(f"{where}: log.{level} is not a call of one of {', '.join(LEVELS)}")
    match call.args:
        case [ast.Constant(value=str(event))]:
            fields = tuple(keyword.arg for keyword in call.keywords if keyword.arg is not None)
        case _:
            raise UnlistedLineError(f"{where}: the event is not a literal")
    if len(fields) != len(call.keywords):
        raise UnlistedLineError(f"{where}: fields are not named")
    return LogLine(level, event, fields, process)


def _of_package(folder: Path, process: str) -> Iterator[LogLine]:
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text()
        if f"{LOGGER}." in source:
            yield from lines_in(source, process, str(path.relative_to(ROOT)))
