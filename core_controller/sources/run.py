"""The sources controller put together: caches, watches, mappers and the three loops.

source object ─► SourceReconciler ─► Board ─► HostReconciler ─► RecordSets
pipelines, Zones ─► PipelineReconciler ─► table of pipelines ──┘
"""

from core_controller.sources.assembly import Assembly
from core_controller.sources.settings import SourcesSettings
from libdnsapi.runtime.manager import Manager

__all__ = ["SourcesSettings", "add_sources"]


def add_sources(manager: Manager, settings: SourcesSettings) -> None:
    """Add the sources controller to a process."""
    Assembly(manager, settings).add()
