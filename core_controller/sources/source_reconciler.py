"""One source object: evaluated, its holds timed, its host names handed on."""

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta

import structlog

from core_controller.sources.adapters import Adapter
from core_controller.sources.annotations import Finding
from core_controller.sources.board import Board
from core_controller.sources.endpoints import Evaluation, Hold, SourceKey
from core_controller.sources.news import News
from core_controller.sources.recordsets import HostKey
from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime.clock import Clock
from libdnsapi.runtime.errors import UndecodableError
from libdnsapi.runtime.reconciler import Result

WITHDRAWAL_DELAY = timedelta(seconds=1)
"""How long the names of a vanished object wait: the watch that says that its whole kind goes may lag behind its own."""

FAULT = Hold("EvaluationFailed", "the object could not be evaluated; published records are kept", quiet=True)

PublishedHosts = Callable[[SourceKey], Iterable[HostKey]]
"""The host names of the RecordSets that come from an object, whoever remembers them."""

log = structlog.get_logger(__name__)


class SourceReconciler:
    """Keeps the board's evaluation of each object up to date."""

    def __init__(  # noqa: PLR0913 — the parts of the controller, each by keyword
        self,
        *,
        adapters: Mapping[str, Adapter],
        board: Board,
        news: News,
        published: PublishedHosts,
        enqueue: Callable[[HostKey, timedelta], None],
        clock: Clock,
        grace: timedelta,
    ) -> None:
        """Keep the parts; `enqueue` has a host name planned after a while."""
        self._adapters = adapters
        self._board = board
        self._news = news
        self._published = published
        self._enqueue = enqueue
        self._clock = clock
        self._grace = grace
        self._held_since: dict[SourceKey, float] = {}

    async def reconcile(self, key: SourceKey) -> Result:
        """Evaluate an object and have its host names planned, those that it published before among them."""
        try:
            evaluation, left = self._evaluate(key)
        except Exception:
            # A fault of ours: the object keeps what it has published, and the withdrawals of others do not wait for it.
            self._board.put(Evaluation(key, hold=FAULT))
            raise
        if evaluation is not None and evaluation == self._board.get(key):
            return Result(requeue_after=left)  # RecordSets that changed meanwhile have their names planned themselves
        hosts = set(self._published(key))
        if evaluation is None:
            hosts |= self._board.remove(key)
            self._news.forget(key)
        else:
            hosts |= self._board.put(evaluation)
            self._news.tell(key, "evaluation", _findings(evaluation), "Evaluate")
        delay = WITHDRAWAL_DELAY if evaluation is None else timedelta()
        for host in sorted(hosts, key=str):
            self._enqueue(host, delay)
        return Result(requeue_after=left)

    def _evaluate(self, key: SourceKey) -> tuple[Evaluation | None, timedelta | None]:
        """Return the evaluation and, while a hold that expires lasts, how long it still does."""
        evaluation = self._look(key, grace_over=False)
        if evaluation is None or evaluation.hold is None or not evaluation.hold.expires:
            self._held_since.pop(key, None)
            return evaluation, None
        since = self._held_since.setdefault(key, self._clock.monotonic())
        left = self._grace - timedelta(seconds=self._clock.monotonic() - since)
        if left > timedelta():
            return evaluation, left
        return self._look(key, grace_over=True), None

    def _look(self, key: SourceKey, *, grace_over: bool) -> Evaluation | None:
        """Evaluate; an object that cannot be read keeps what it has published."""
        try:
            return self._adapters[key.kind].evaluate(ObjectKey(key.namespace, key.name), grace_over=grace_over)
        except UndecodableError as error:
            log.warning("source object cannot be read", source=str(key), error=str(error))
            return Evaluation(key, hold=Hold("Unreadable", "the object does not have the form of its kind"))


def _findings(evaluation: Evaluation) -> list[Finding]:
    """Return what to tell, an eventful hold among it."""
    hold = evaluation.hold
    told = [Finding(hold.reason, hold.note)] if hold is not None and not hold.quiet else []
    return [*evaluation.findings, *told]
