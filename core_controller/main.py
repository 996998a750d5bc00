"""The core controller's process: settings in, parts put together, exit status out."""

from collections.abc import Sequence

from core_controller.conversions import PatientConversions
from core_controller.payloads import Payloads
from core_controller.settings import CoreSettings
from core_controller.sources.run import add_sources
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
from core_controller.zoneunit.statuses import Statuses
from core_controller.zoneunit.stuck import Stuck
from libdnsapi.api.dns.provider import PROVIDERS, Provider
from libdnsapi.api.dns.recordset import RECORD_SETS, RecordSet
from libdnsapi.api.dns.zone import ZONES, Zone
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES, ZoneClass
from libdnsapi.api.dns.zoneunit import ZONE_UNITS, ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES, ZoneUnitSlice
from libdnsapi.api.meta import NAMESPACES, Namespace
from libdnsapi.contract.cel.interpreter import InterpretingEngine
from libdnsapi.runtime.conversion import HttpConversionClient
from libdnsapi.runtime.launch import launch
from libdnsapi.runtime.manager import Manager
from libdnsapi.runtime.options import run_with

NAME = "dnsapi-core"
SOURCES_NAME = "dnsapi-sources"
"""The lease and field manager of a process that runs the sources alone, as their own Deployment does."""
CONTROLLER = "zoneunit"
STATUS_CONTROLLER = "recordset-status"
LEDGERS_A_PAGE = 10
"""A page of ledger objects is a megabyte or more, and its memory is not given back at once."""
PARSED_LEDGERS = 8
"""Parsed ledger objects kept beside their bytes: each holds a hundred items, and a pass reads each once."""


def main(arguments: Sequence[str]) -> int:
    """Reconcile until a signal and return the exit status; exits with a usage message for a wrong option."""
    return run_with(CoreSettings, arguments, run)


def run(settings: CoreSettings) -> int:
    """Reconcile until a signal; return the exit status."""
    name = NAME if "zoneunit" in settings.enabled else SOURCES_NAME
    return launch(name, settings, lambda manager: assemble(settings, manager))


def assemble(settings: CoreSettings, manager: Manager) -> None:
    """Put the enabled controllers into the manager."""
    if "zoneunit" in settings.enabled:
        add_zoneunit(settings, manager)
    if "sources" in settings.enabled:
        add_sources(manager, settings)


def add_zoneunit(settings: CoreSettings, manager: Manager) -> None:
    """Add the Core ZoneUnit Controller with its caches."""
    conversions = HttpConversionClient(settings.conversion_addresses)
    manager.at_end(conversions.close)
    caches = zoneunit_caches(manager)
    queue = manager.queue(CONTROLLER)
    dirty = DirtyNames()
    status_queue = manager.queue(STATUS_CONTROLLER)
    statuses = Statuses(
        manager.client, caches.record_sets, caches.echoes, status_queue, manager.recorder, manager.clock
    )
    Mappers(caches, dirty, queue.add).attach()
    reconciler = ZoneUnitReconciler(
        Gatherer(
            caches,
            Payloads(InterpretingEngine(), PatientConversions(conversions, manager.clock)),
            settings.limits,
            statuses.newest,
        ),
        Applier(manager.client, caches, manager.recorder, statuses),
        dirty,
        queue,
        manager.clock,
    )
    manager.controller(CONTROLLER, reconciler, queue, workers=settings.workers)
    manager.controller(STATUS_CONTROLLER, statuses, status_queue, workers=settings.status_workers)


def zoneunit_caches(manager: Manager) -> Caches:
    """Add the informers that the Core ZoneUnit Controller reads."""
    return Caches(
        providers=manager.informer(PROVIDERS, Provider).store,
        namespaces=manager.informer(NAMESPACES, Namespace).store,
        zone_classes=manager.informer(ZONE_CLASSES, ZoneClass).store,
        zones=manager.informer(ZONES, Zone, indexers=ZONE_INDEXES).store,
        record_sets=manager.informer(RECORD_SETS, RecordSet, indexers=RECORD_SET_INDEXES).store,
        units=manager.informer(
            ZONE_UNITS, ZoneUnit, indexers=UNIT_INDEXES, parsed=PARSED_LEDGERS, page=LEDGERS_A_PAGE
        ).store,
        slices=manager.informer(
            ZONE_UNIT_SLICES, ZoneUnitSlice, indexers=SLICE_INDEXES, parsed=PARSED_LEDGERS, page=LEDGERS_A_PAGE
        ).store,
        stuck=Stuck(manager.clock),
    )
