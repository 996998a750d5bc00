"""Events on source objects: each finding is told once, when it first holds."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Literal

from core_controller.sources.annotations import Finding
from core_controller.sources.endpoints import SourceKey
from core_controller.sources.measures import Measures
from libdnsapi.api.meta import ObjectReference
from libdnsapi.runtime.events import Event, EventRecorder

Lookup = Callable[[SourceKey], ObjectReference | None]
"""How a source object is referred to; None once it is gone."""


class News:
    """What has been told about each object, by where it came from (its evaluation, or one of its host names)."""

    def __init__(self, recorder: EventRecorder, lookup: Lookup, measures: Measures) -> None:
        """Start with nothing told."""
        self._recorder = recorder
        self._lookup = lookup
        self._measures = measures
        self._told: dict[SourceKey, dict[str, frozenset[Finding]]] = {}
        self._counts: Counter[tuple[str, str]] = Counter()

    def tell(self, source: SourceKey, origin: str, findings: Iterable[Finding], action: str) -> None:
        """Tell what is new among the findings of one origin; what no longer holds may be told again later."""
        origins = self._told.setdefault(source, {})
        before, now = origins.get(origin, frozenset()), frozenset(findings)
        if now:
            origins[origin] = now
        else:
            origins.pop(origin, None)
        if not origins:
            del self._told[source]
        self._count(before, now)
        for finding in sorted(now - before, key=lambda one: (one.reason, one.note)):
            if not finding.quiet:
                self.emit(source, finding, action, origin)

    def emit(self, source: SourceKey, finding: Finding, action: str, origin: str = "") -> None:
        """Write one event, whatever was told before; a patient one if its origin says it still after a while."""
        regarding = self._lookup(source)
        if regarding is None:
            return
        type_: Literal["Normal", "Warning"] = "Warning" if finding.warning else "Normal"
        event = Event(regarding, type_, finding.reason, finding.note, action)
        if finding.patient:
            self._recorder.emit_if_it_stays(event, lambda: finding in self._told.get(source, {}).get(origin, ()))
        else:
            self._recorder.emit(event)

    def forget(self, source: SourceKey) -> None:
        """Forget an object that is gone."""
        for findings in self._told.pop(source, {}).values():
            self._count(findings, frozenset())

    def _count(self, before: frozenset[Finding], now: frozenset[Finding]) -> None:
        self._counts.subtract((finding.reason, finding.pipelines) for finding in before)
        self._counts.update((finding.reason, finding.pipelines) for finding in now)
        for labels in {(finding.reason, finding.pipelines) for finding in before | now}:
            self._measures.findings.labels(*labels).set(self._counts[labels])
