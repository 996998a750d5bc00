"""The frame of every process: logs, connection, client, one serving function, exit status."""

import gc
from collections.abc import Awaitable, Callable

import structlog

from libdnsapi.runtime import logging
from libdnsapi.runtime.client import KubernetesClient
from libdnsapi.runtime.connection import connect
from libdnsapi.runtime.errors import DnsapiError, describe
from libdnsapi.runtime.kubernetes import Kubernetes
from libdnsapi.runtime.metrics import Metrics
from libdnsapi.runtime.settings import RuntimeSettings

Serve = Callable[[Kubernetes, Metrics], Awaitable[int]]

log = structlog.get_logger(__name__)


async def run_process(name: str, settings: RuntimeSettings, serve: Serve) -> int:
    """Connect to the API server, serve until a signal and close; return the exit status.

    What keeps a process from starting is one log line that names it, never a traceback.
    """
    logging.configure(settings.log_level, settings.log_format)
    metrics = Metrics()
    try:
        connection = await connect(settings.kubeconfig, settings.kube_context)
    except DnsapiError as error:
        log.error("no connection to the API server", error=describe(error))  # noqa: TRY400 — the text says it all
        return 1
    client = KubernetesClient(connection, field_manager=name, metrics=metrics, limit=settings.kube_request_timeout)
    try:
        return await serve(client, metrics)
    except (DnsapiError, OSError) as error:
        reason = getattr(error, "strerror", None)
        log.error("cannot start", error=describe(error), reason=reason)  # noqa: TRY400 — as above
        return 1
    finally:
        await client.close()


def calm_collector() -> None:
    """Keep the garbage collector from going through full caches again and again; for `Manager(on_synced=…)`.

    A full collection with 100,000 cached objects stalls the event loop for half a second; frozen, it costs nothing.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
