"""Which names and pipelines are looked at again when RecordSets, pipelines, Zones or identities change."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from core_controller.sources.board import Board
from core_controller.sources.caches import host_of
from core_controller.sources.deletion_notice import deletion_notice
from core_controller.sources.endpoints import SourceKey
from core_controller.sources.host_reconciler import BY_CONTRIBUTOR, BY_HOST
from core_controller.sources.news import News
from core_controller.sources.outcomes import outcome_findings
from core_controller.sources.pipeline_reconciler import TABLE
from core_controller.sources.plan import contributors_of, is_live, is_ours, pipeline_key
from core_controller.sources.recordsets import HostKey
from core_controller.sources.tables import PipelineTables
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.externaldns.names import PIPELINE_LABEL
from libdnsapi.api.meta import KubernetesObject, ObjectKey
from libdnsapi.api.route53.identity import Route53Identity
from libdnsapi.runtime.events import EventRecorder
from libdnsapi.runtime.store import Change, Store
from libdnsapi.runtime.workqueue import WorkQueue

STATUS_DELAY = timedelta(seconds=2)
SEEN_DELAY = timedelta(seconds=1)


class PublicationMappers:
    """The mappers to the queues of names and of pipelines."""

    def __init__(
        self,
        *,
        board: Board,
        record_sets: Store[RecordSet],
        tables: PipelineTables,
        hosts: WorkQueue[HostKey],
        pipelines: WorkQueue[ObjectKey],
        recorder: EventRecorder,
    ) -> None:
        """Keep the parts."""
        self._board = board
        self._record_sets = record_sets
        self._tables = tables
        self._hosts = hosts
        self._pipelines = pipelines
        self._recorder = recorder

    def published(self, source: SourceKey) -> Iterable[HostKey]:
        """Return the host names of RecordSets that come from an object."""
        keys = self._record_sets.by_index(BY_CONTRIBUTOR, str(source))
        found = (self._record_sets.get(key) for key in keys)
        return {host for one in found if one is not None and (host := host_of(one)) is not None}

    def all_hosts(self, delay: timedelta = timedelta()) -> None:
        """Plan every name anew: those that are wanted, and those that are published."""
        for host in self._board.hosts():
            self._hosts.add_after(host, delay)
        for value in self._record_sets.index_values(BY_HOST):
            self._hosts.add_after(HostKey.parse(value), delay)

    def all_hosts_soon(self) -> None:
        """Plan every name anew in a moment: at a start one kind after the other asks for it."""
        self.all_hosts(SEEN_DELAY)

    def record_set_changed(self, change: Change[RecordSet], news: News) -> None:
        """Plan the host again where more than the status changed; tell the sources what became of the record."""
        old, new = change.old, change.new
        if old is not None and new is not None and same_but_status(old, new):
            _tell_outcome(old, new, news)
            self._moved(old, new)
            return
        for one in (old, new):
            host = host_of(one) if one is not None else None
            key = pipeline_key(one) if one is not None else None
            if host is not None:
                self._hosts.add(host)
            if host is not None and key is not None:
                self._pipelines.add_after(key, STATUS_DELAY)

    def _moved(self, old: RecordSet, new: RecordSet) -> None:
        """Plan a host again where one of several RecordSets became live: another may have waited for it to go."""
        host = host_of(new)
        if host is None or is_live(old) or not is_live(new):
            return
        if self._record_sets.count(BY_HOST, str(host)) > 1:
            self._hosts.add(host)

    def pipeline_changed(self, change: Change[Any]) -> None:
        """Make the table anew and look at the pipeline; of one that is gone, say what becomes of its records.

        Its status, which we write ourselves, changes nothing: it is looked at after a while. Looked at at once, a
        pipeline whose RecordSets are being made by the hundred would be written as fast as the API server can.
        """
        old, new = change.old, change.new
        if old is not None and new is not None and same_but_status(old, new) and old.spec == new.spec:
            self._pipelines.add_after(change.key, STATUS_DELAY)
            return
        self._pipelines.add(TABLE)
        self._pipelines.add(change.key)
        if change.new is None and change.old is not None:
            self._recorder.emit(deletion_notice(change.old))

    def pipelines_differ(self, keys: frozenset[ObjectKey]) -> None:
        """Look at these pipelines, which the new table has differently, and at all names."""
        for key in keys:
            self._pipelines.add(key)
        self.all_hosts()

    def zone_changed(self, change: Change[Zone]) -> None:
        """Make the table anew; where only conditions changed, look at the pipelines that use the Zone."""
        old, new = change.old, change.new
        if old is None or new is None or not same_but_status(old, new) or old.status.provider != new.status.provider:
            self._pipelines.add(TABLE)
        for key in self._tables.users(change.key):
            self._pipelines.add_after(key, STATUS_DELAY)

    def identity_changed(self, change: Change[Route53Identity]) -> None:
        """Look at the pipelines of a managed identity again; what it finds decides which Zones they use."""
        found = [one.status.hosted_zones for one in (change.old, change.new) if one is not None]
        if any(one != found[0] for one in found):
            self._pipelines.add(TABLE)
        label = next((one.metadata.labels.get(PIPELINE_LABEL) for one in (change.new, change.old) if one), None)
        for key, pipeline in self._tables.current.pipelines.items():
            if pipeline.label == label:
                self._pipelines.add(key)


def same_but_status(old: KubernetesObject, new: KubernetesObject) -> bool:
    """Whether two states of an object differ in nothing but their status."""
    one, other = old.metadata, new.metadata
    return (one.uid, one.generation, one.labels, one.annotations, one.deletion_timestamp) == (
        other.uid,
        other.generation,
        other.labels,
        other.annotations,
        other.deletion_timestamp,
    )


def _tell_outcome(old: RecordSet, new: RecordSet, news: News) -> None:
    if not is_ours(new):
        return
    for finding in outcome_findings(old, new):
        for contributor in contributors_of(new):
            news.emit(SourceKey.parse(contributor), finding, "Program")
