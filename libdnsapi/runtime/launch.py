"""From settings to a running process: what the `main` of every controller calls."""

import asyncio
import gc
from collections.abc import Callable
from functools import partial

import structlog

from libdnsapi.runtime.client import KubernetesClient
from libdnsapi.runtime.connection import connect
from libdnsapi.runtime.debug import PATH, DebugPage
from libdnsapi.runtime.errors import DnsapiError
from libdnsapi.runtime.logging import RecentProblems, configure
from libdnsapi.runtime.manager import Manager
from libdnsapi.runtime.memory import freeze_caches, give_back_always
from libdnsapi.runtime.metrics import Metrics
from libdnsapi.runtime.settings import RuntimeSettings

OBJECTS_BETWEEN_COLLECTIONS = 50_000

log = structlog.get_logger(__name__)


def launch(name: str, settings: RuntimeSettings, assemble: Callable[[Manager], None]) -> int:
    """Run a process until it is told to stop; return its exit status.

    `assemble` adds the caches, controllers and runnables of the service to the manager; `name` is the field manager,
    the lease and the reporter of events.
    """
    problems = configure(settings.log_level, settings.log_format)
    try:
        return asyncio.run(_run(name, settings, assemble, problems))
    except (DnsapiError, OSError) as error:
        log.error("cannot start", error=str(error))  # noqa: TRY400 — for people; our own text or the system's
        return 1


async def _run(
    name: str, settings: RuntimeSettings, assemble: Callable[[Manager], None], problems: RecentProblems
) -> int:
    ease_collection()
    metrics = Metrics()
    credentials = await connect(settings.kubeconfig, settings.kube_context)
    client = KubernetesClient(credentials, field_manager=name, metrics=metrics, limit=settings.kube_request_timeout)
    try:
        manager = Manager(name, client, settings, metrics=metrics, on_synced=freeze_caches)
        manager.runnable("memory", partial(give_back_always, manager.clock))
        if settings.debug_page:
            manager.health.add_page(PATH, DebugPage(manager, problems).answer)
        assemble(manager)
        return await manager.run()
    finally:
        await client.close()


def ease_collection() -> None:
    """Have the garbage collector look less often: loading a large list is four times slower otherwise."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, 50, 50)
