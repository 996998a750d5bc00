"""Whether every line that the services of a stack logged has the form that the reference promises.

One JSON object a line with timestamp, level and event; a line of a reconcile names controller, key and reconcile id.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from e2e.kube import Document
from e2e.leaks import logs_of
from e2e.stack.layout import Layout

ALWAYS = ("timestamp", "level", "event")
RECONCILE = ("controller", "key", "reconcile_id")
_SHOWN = 120


def unfit(directory: Path) -> list[str]:
    """Return what is wrong with the lines of a stack's services, one line each."""
    return [f"{log.name}: {problem}" for log in logs_of(Layout(directory)) for problem in problems(log.read_text())]


def problems(text: str) -> Iterator[str]:
    """Go through what is wrong with the lines of one log."""
    for line in text.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            yield f"no JSON: {line[:_SHOWN]}"
            continue
        missing = [name for name in _promised(entry) if not entry.get(name)]
        if missing:
            yield f"without {', '.join(missing)}: {line[:_SHOWN]}"


def _promised(entry: Document) -> tuple[str, ...]:
    of_reconcile = str(entry.get("event", "")).startswith("reconcile ") or any(name in entry for name in RECONCILE[::2])
    return (*ALWAYS, *RECONCILE) if of_reconcile else ALWAYS
