"""What a process holds, and whether that grew although it does the same work as before: tasks, memory, open files."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from e2e.soak.replicas import REPLICAS, Replicas

MEMORY_KIB = 400 * 1024
"""No process of a few dozen claims needs as much."""
GROWTH_KIB = 24 * 1024
GROWTH_TASKS = 8
GROWTH_FILES = 16
"""More of these after some more edits than before them would be a leak: connections and timers come and go."""


@dataclass(frozen=True)
class Vitals:
    """What one process holds; `pid` tells it from one that was started in its place."""

    pid: int
    memory_kib: int
    files: int
    task_count: int
    tasks: Mapping[str, int]
    """How many there are of each, by what they run; of many tasks, the first hundred."""


def read(replicas: Replicas) -> dict[str, Vitals]:
    """Return the vitals of every replica that runs and answers."""
    found = {}
    for replica in REPLICAS:
        pid, page = replicas.pid(replica.name), replicas.debug_page(replica)
        if pid is not None and page is not None:
            tasks = page["tasks"]
            kinds = Counter(task["runs"] for task in tasks["shown"])
            found[replica.name] = Vitals(pid, _resident_kib(pid), _open_files(pid), tasks["count"], kinds)
    return found


def problems(before: Mapping[str, Vitals], after: Mapping[str, Vitals]) -> list[str]:
    """Return what is too much, or grew between two calm moments, one line each."""
    found = [f"{name} holds {now.memory_kib} KiB" for name, now in after.items() if now.memory_kib > MEMORY_KIB]
    for name, now in after.items():
        if name in before and before[name].pid == now.pid:
            found += [f"{name} grew: {growth}" for growth in _growth(before[name], now)]
    return found


def _growth(before: Vitals, now: Vitals) -> list[str]:
    found = []
    if now.memory_kib - before.memory_kib > GROWTH_KIB:
        found.append(f"{before.memory_kib} KiB, then {now.memory_kib} KiB")
    if now.files - before.files > GROWTH_FILES:
        found.append(f"{before.files} open files, then {now.files}")
    if now.task_count - before.task_count > GROWTH_TASKS:
        more = {name: count for name, count in now.tasks.items() if count > before.tasks.get(name, 0)}
        found.append(f"{before.task_count} tasks, then {now.task_count}, more of {more}")
    return found


def _resident_kib(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS:")), 0)


def _open_files(pid: int) -> int:
    try:
        return len(list(Path(f"/proc/{pid}/fd").iterdir()))
    except OSError:
        return 0
