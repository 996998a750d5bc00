"""The small HTTP server of every process: /healthz, /readyz and /metrics.

`/healthz` answers as long as the event loop turns. `/readyz` asks named checks and names, with `?verbose` and
whenever one fails, each with its answer. Metrics are rendered in a thread, since that may take 100 ms.
"""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import orjson
from aiohttp import web
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from libdnsapi.runtime.errors import DnsapiError, cannot_listen

Check = Callable[[], str]
"""Returns what is wrong, "" where nothing is."""
Answer = Callable[[web.Request], Awaitable[web.Response]]


class PortsFileError(DnsapiError):
    """The ports in use cannot be told; the text names the file."""


class HealthServer:
    """Serves health and metrics of one process."""

    def __init__(self, registry: CollectorRegistry, host: str = "0.0.0.0", port: int = 0) -> None:  # noqa: S104 — kubelet and Prometheus call from outside
        """Prepare; port 0 takes any free one."""
        self._registry = registry
        self._host = host
        self._wanted = port
        self._checks: dict[str, Check] = {}
        self._pages: dict[str, Answer] = {}
        self._runner: web.AppRunner | None = None
        self.port = 0

    def add_readiness(self, name: str, check: Check) -> None:
        """Have this check asked whenever somebody wants to know whether the process is ready."""
        self._checks[name] = check

    def add_page(self, path: str, answer: Answer) -> None:
        """Serve one more path; add it before `start`."""
        self._pages[path] = answer

    async def start(self) -> None:
        """Listen; raises CannotListenError where the port is taken or the host is no name."""
        app = web.Application()
        app.router.add_get("/healthz", _alive)
        app.router.add_get("/livez", _alive)
        app.router.add_get("/readyz", self._ready)
        app.router.add_get("/metrics", self._metrics)
        for path, answer in self._pages.items():
            app.router.add_get(path, answer)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self._host, self._wanted)
        try:
            await site.start()
        except (OSError, UnicodeError) as error:
            await self._runner.cleanup()
            raise cannot_listen(f"{self._host}:{self._wanted}", "--health-host, --health-port", error) from None
        self.port = int(self._runner.addresses[0][1])

    async def stop(self) -> None:
        """Stop listening."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _ready(self, request: web.Request) -> web.Response:
        problems = {name: check() for name, check in self._checks.items()}
        failed = any(problems.values())
        lines = [f"[-]{name} failed: {problem}" if problem else f"[+]{name} ok" for name, problem in problems.items()]
        verdict = "not ready" if failed else "ok"
        text = "\n".join([*lines, verdict]) if failed or "verbose" in request.query else verdict
        return web.Response(text=text + "\n", status=503 if failed else 200)

    async def _metrics(self, _: web.Request) -> web.Response:
        body = await asyncio.to_thread(generate_latest, self._registry)
        return web.Response(body=body, headers={"Content-Type": CONTENT_TYPE_LATEST})


async def _alive(_: web.Request) -> web.Response:
    return web.Response(text="ok\n")


def write_ports(path: Path, ports: dict[str, int]) -> None:
    """Write the ports that a process got as a JSON object, whole or not at all; raises PortsFileError."""
    try:
        draft = path.with_name(path.name + ".new")
        draft.write_bytes(orjson.dumps(ports))
        draft.replace(path)
    except OSError as error:
        raise PortsFileError(f"{path} cannot be written, see --ports-file: {error.strerror}") from None
    except ValueError:
        raise PortsFileError(f"{path} names no file, see --ports-file") from None
