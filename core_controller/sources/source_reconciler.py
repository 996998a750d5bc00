"""One source object: evaluated, its holds timed, its host names handed on."""

from collections.abc import Callable, Collection, Iterable, Mapping
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
        self._held_since: dict[SourceKey, dict[Hold, float]] = {}

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
        """Return the evaluation and, while a hold that expires lasts, how long until the first cause has lasted."""
        evaluation = self._look(key, frozenset())
        left = self._left(key, evaluation)
        over = frozenset(hold for hold, rest in left.items() if rest <= timedelta())
        waits = [rest for rest in left.values() if rest > timedelta()]
        return (self._look(key, over) if over else evaluation), min(waits, default=None)

    def _left(self, key: SourceKey, evaluation: Evaluation | None) -> dict[Hold, timedelta]:
        """Return what is left of the grace time of each cause that holds an object, of those behind the first, too.

        Each has its own: what has been missing for long does not shorten that of what goes now.
        """
        before, now = self._held_since.pop(key, {}), self._clock.monotonic()
        since: dict[Hold, float] = {}
        while (hold := _expiring(evaluation)) is not None and hold not in since:
            since[hold] = before.get(hold, now)
            evaluation = self._look(key, since.keys())
        if since:
            self._held_since[key] = since
        return {hold: self._grace - timedelta(seconds=now - start) for hold, start in since.items()}

    def _look(self, key: SourceKey, lapsed: Collection[Hold]) -> Evaluation | None:
        """Evaluate; an object that cannot be read keeps what it has published."""
        try:
            return self._adapters[key.kind].evaluate(ObjectKey(key.namespace, key.name), lapsed=lapsed)
        except UndecodableError as error:
            log.warning("source object cannot be read", source=str(key), error=str(error))
            return Evaluation(key, hold=Hold("Unreadable", "the object does not have the form of its kind"))


def _expiring(evaluation: Evaluation | None) -> Hold | None:
    hold = evaluation.hold if evaluation is not None else None
    return hold if hold is not None and hold.expires else None


def _findings(evaluation: Evaluation) -> list[Finding]:
    """Return what to tell, an eventful hold among it."""
    hold = evaluation.hold
    told = [Finding(hold.reason, hold.note, patient=hold.patient)] if hold is not None and not hold.quiet else []
    return [*evaluation.findings, *told]
