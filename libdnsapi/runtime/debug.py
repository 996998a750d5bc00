"""The debug page: what a process is doing at this moment, for whoever wants to know why something does not move.

JSON at `/debug` of the health port with `--debug-page`; without it there is no such page. It names objects, so it is
shown only to callers from the machine's own loopback address, as `kubectl port-forward` is one. Lists are cut at
`SHOWN` entries, the most telling first, with their whole number beside them.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from http import HTTPStatus
from ipaddress import IPv6Address, ip_address
from typing import Protocol

import orjson
from aiohttp import web

from libdnsapi.runtime.informer import CacheView
from libdnsapi.runtime.leader import LeaseView
from libdnsapi.runtime.logging import RecentProblems
from libdnsapi.runtime.workqueue import QueueView

PATH = "/debug"
SHOWN = 100


class Shown(Protocol):
    """A process that can be looked at."""

    identity: str

    def now(self) -> datetime:
        """Return the wall-clock time."""
        ...

    def lease_view(self) -> LeaseView | None:
        """Return the state of the lease, None where this process does not stand for one (yet)."""
        ...

    def queue_views(self, limit: int) -> Mapping[str, QueueView]:
        """Return the queues by controller, their lists cut at `limit`."""
        ...

    def cache_views(self) -> Iterable[CacheView]:
        """Return the caches."""
        ...


@dataclass(frozen=True, slots=True)
class TaskView:
    """A task of the event loop: its name, what it runs, and the line at which it waits."""

    name: str
    runs: str
    waits_at: str


class DebugPage:
    """Answers requests for the page."""

    def __init__(self, shown: Shown, problems: RecentProblems) -> None:
        """Look at this process; `problems` are the last lines of its log from warnings on."""
        self._shown = shown
        self._problems = problems

    async def answer(self, request: web.Request) -> web.Response:
        """Return the page, or 403 to whoever comes from elsewhere."""
        if not is_local(request.remote):
            return web.Response(text="only for callers from the loopback address\n", status=HTTPStatus.FORBIDDEN)
        body = orjson.dumps(self.document(), default=str, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        return web.Response(body=body, content_type="application/json")

    def document(self) -> dict[str, object]:
        """Return all that the page shows."""
        tasks = sorted(map(task_view, asyncio.all_tasks()), key=lambda task: task.name)
        lease = self._shown.lease_view()
        return {
            "process": self._shown.identity,
            "time": self._shown.now().isoformat(),
            "lease": None if lease is None else asdict(lease),
            "queues": {name: asdict(view) for name, view in self._shown.queue_views(SHOWN).items()},
            "caches": [asdict(view) for view in sorted(self._shown.cache_views(), key=lambda view: view.name)],
            "problems": self._problems.lines(),
            "tasks": {"count": len(tasks), "shown": [asdict(task) for task in tasks[:SHOWN]]},
        }


def is_local(address: str | None) -> bool:
    """Whether a peer's address is a loopback address, also in IPv6's way of writing one of IPv4."""
    try:
        peer = ip_address(address or "")
    except ValueError:
        return False
    if isinstance(peer, IPv6Address) and peer.ipv4_mapped is not None:
        return peer.ipv4_mapped.is_loopback
    return peer.is_loopback


def task_view(task: "asyncio.Task[object]") -> TaskView:
    """Return what can be told of a task; values of variables are not."""
    work = task.get_coro()
    frames = task.get_stack(limit=1)
    place = f"{frames[0].f_code.co_qualname}:{frames[0].f_lineno}" if frames else ""
    return TaskView(task.get_name(), getattr(work, "__qualname__", type(work).__name__), place)
