"""One host name of one namespace: planned and carried out."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from core_controller.sources.adapters import Adapter
from core_controller.sources.annotations import Finding
from core_controller.sources.board import Board
from core_controller.sources.endpoints import SourceKey
from core_controller.sources.news import News
from core_controller.sources.pipelines import PipelineTable
from core_controller.sources.plan import HostPlan, HostSnapshot, contributors_of, plan_host
from core_controller.sources.publication import Publication
from core_controller.sources.recordsets import HostKey
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime.reconciler import Result
from libdnsapi.runtime.store import Store

BY_HOST = "host"
BY_CONTRIBUTOR = "contributor"
BY_PIPELINE = "pipeline"
AGAIN_AFTER_REFUSAL = timedelta(minutes=5)


class HostReconciler:
    """Makes the RecordSets of a host name what its source objects ask for."""

    def __init__(  # noqa: PLR0913 — the parts of the controller, each by keyword
        self,
        *,
        adapters: Mapping[str, Adapter],
        board: Board,
        record_sets: Store[RecordSet],
        table: Callable[[], PipelineTable],
        complete: Callable[[], bool],
        wait: Callable[[HostKey], None],
        publication: Publication,
        news: News,
    ) -> None:
        """Keep the parts; `complete` says whether all sources are read and evaluated, `wait` waits until they are."""
        self._adapters = adapters
        self._board = board
        self._record_sets = record_sets
        self._table = table
        self._complete = complete
        self._wait = wait
        self._publication = publication
        self._news = news
        self._told: dict[HostKey, frozenset[SourceKey]] = {}

    async def reconcile(self, key: HostKey) -> Result:
        """Plan a host name and write what has to be written; deletions wait for a full view."""
        snapshot = self._gather(key)
        plan = plan_host(snapshot)
        refused = await self._publication.carry_out(plan)
        self._tell(key, plan, refused)
        if refused:
            return Result(requeue_after=AGAIN_AFTER_REFUSAL)
        if snapshot.existing and not snapshot.complete:
            self._wait(key)
        return Result()

    def _gather(self, key: HostKey) -> HostSnapshot:
        keys = self._record_sets.by_index(BY_HOST, str(key))
        existing = tuple(found for one in keys if (found := self._record_sets.get(one)) is not None)
        contributors = {contributor for record_set in existing for contributor in contributors_of(record_set)}
        unseen = frozenset(one for one in contributors if self._is_unseen(one, key))
        return HostSnapshot(
            host=key,
            endpoints=self._board.endpoints(key),
            table=self._table(),
            existing=existing,
            unseen=unseen,
            ages={one: made for one in unseen if (made := self._made(one)) is not None},
            complete=self._complete(),
        )

    def _is_unseen(self, contributor: str, host: HostKey) -> bool:
        """Whether an object is held, not evaluated yet, or of a kind that is not watched completely."""
        source = SourceKey.parse(contributor)
        adapter = self._adapters.get(source.kind)
        if adapter is None or not adapter.watch_seen:
            return True
        return self._board.is_held(source, host)

    def _made(self, contributor: str) -> datetime | None:
        """Return when an object was made; None where it is not there."""
        source = SourceKey.parse(contributor)
        adapter = self._adapters.get(source.kind)
        found = adapter.find(ObjectKey(source.namespace, source.name)) if adapter is not None else None
        return found.metadata.creation_timestamp if found is not None else None

    def _tell(self, key: HostKey, plan: HostPlan, refused: list[tuple[SourceKey, Finding]]) -> None:
        """Tell each object what its host name came to; those that no longer have anything are cleared."""
        by_source: dict[SourceKey, list[Finding]] = {}
        for source, finding in (*plan.findings, *refused):
            by_source.setdefault(source, []).append(finding)
        for source in self._told.pop(key, frozenset()) - by_source.keys():
            self._news.tell(source, key.hostname, (), "Publish")
        for source, findings in by_source.items():
            self._news.tell(source, key.hostname, findings, "Publish")
        if by_source:
            self._told[key] = frozenset(by_source)
