"""The core controller's process: settings in, parts put together, exit status out."""

import asyncio
import gc
from collections.abc import Sequence

import structlog
from libdnsapi.runtime.conversion import HttpConversionClient

from core_controller.payloads import Payloads
from core_controller.settings import CoreSettings
from core_controller.watches import Mappers
from core_controller.zoneunit.apply import Applier
from core_controller.zoneunit.caches import (
    RECORD_SET_INDEXES,
    SLICE_INDEXES,
    UNIT_INDEXES,
    ZONE_INDEXES,
    Caches,
)
from core_controller.zoneunit.dirty import DirtyNames
from core_controller.zoneunit.gather import Gatherer
from core_controller.zoneunit.reconciler import ZoneUnitReconciler
from libdnsapi.api.dns.provider import PROVIDERS, Provider
from libdnsapi.api.dns.recordset import RECORD_SETS, RecordSet
from libdnsapi.api.dns.zone import ZONES, Zone
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES, ZoneClass
from libdnsapi.api.dns.zoneunit import ZONE_UNITS, ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES, ZoneUnitSlice
from libdnsapi.api.meta import NAMESPACES, Namespace
from libdnsapi.contract.cel import default_engine
from libdnsapi.runtime import logging
from libdnsapi.runtime.client import KubernetesClient
from libdnsapi.runtime.connection import connect
from libdnsapi.runtime.errors import DnsapiError, describe
from libdnsapi.runtime.kubernetes import Kubernetes
from libdnsapi.runtime.manager import Manager
from libdnsapi.runtime.metrics import Metrics

NAME = "dnsapi-core"
CONTROLLER = "zoneunit"

log = structlog.get_logger(__name__)


def read_settings(arguments: Sequence[str]) -> CoreSettings:
    """Read the command line and the environment; exits with a usage message where an option is unknown."""
    return CoreSettings(_cli_parse_args=list(arguments))


async def run(settings: CoreSettings) -> int:
    """Reconcile until a signal; return the exit status."""
    logging.configure(settings.log_level, settings.log_format)
    metrics = Metrics()
    try:
        connection = await connect(settings.kubeconfig, settings.kube_context)
    except DnsapiError as error:
        log.error("no connection to the API server", error=describe(error))  # noqa: TRY400 — the text says it all
        return 1
    client = KubernetesClient(connection, field_manager=NAME, metrics=metrics, limit=settings.kube_request_timeout)
    try:
        return await serve(settings, client, metrics)
    except (DnsapiError, OSError) as error:
        log.error("cannot start", error=describe(error), reason=getattr(error, "strerror", None))  # noqa: TRY400 — as above
        return 1
    finally:
        await client.close()


async def serve(settings: CoreSettings, client: Kubernetes, metrics: Metrics) -> int:
    """Put the parts together and run them."""
    manager = Manager(NAME, client, settings, metrics=metrics, on_synced=_calm_collector)
    conversions = HttpConversionClient(settings.conversion_addresses)
    try:
        if "zoneunit" in settings.enabled:
            add_zoneunit(manager, settings, conversions)
        return await manager.run()
    finally:
        await conversions.close()


def add_zoneunit(manager: Manager, settings: CoreSettings, conversions: HttpConversionClient) -> None:
    """Add the Core ZoneUnit Controller with its caches."""
    caches = zoneunit_caches(manager)
    queue = manager.queue(CONTROLLER)
    dirty = DirtyNames()
    Mappers(caches, dirty, queue.add).attach()
    reconciler = ZoneUnitReconciler(
        Gatherer(caches, Payloads(default_engine(), conversions), settings.limits),
        Applier(manager.client, caches, manager.recorder),
        dirty,
        queue,
        manager.clock,
    )
    manager.controller(CONTROLLER, reconciler, queue, workers=settings.workers)


def zoneunit_caches(manager: Manager) -> Caches:
    """Add the informers that the Core ZoneUnit Controller reads."""
    return Caches(
        providers=manager.informer(PROVIDERS, Provider).store,
        namespaces=manager.informer(NAMESPACES, Namespace).store,
        zone_classes=manager.informer(ZONE_CLASSES, ZoneClass).store,
        zones=manager.informer(ZONES, Zone, indexers=ZONE_INDEXES).store,
        record_sets=manager.informer(RECORD_SETS, RecordSet, indexers=RECORD_SET_INDEXES).store,
        units=manager.informer(ZONE_UNITS, ZoneUnit, indexers=UNIT_INDEXES).store,
        slices=manager.informer(ZONE_UNIT_SLICES, ZoneUnitSlice, indexers=SLICE_INDEXES).store,
    )


def main(arguments: Sequence[str]) -> int:
    """Run the process to its end."""
    return asyncio.run(run(read_settings(arguments)))


def _calm_collector() -> None:
    """Keep the garbage collector from going through full caches again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
