"""One pass over one unit: take the marks, gather, plan, apply; what failed is marked again."""

from core_controller.zoneunit.apply import Applier
from core_controller.zoneunit.dirty import Dirt, DirtyNames
from core_controller.zoneunit.gather import Gatherer, bounded
from core_controller.zoneunit.plan import plan
from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime.clock import Clock
from libdnsapi.runtime.reconciler import Result
from libdnsapi.runtime.workqueue import WorkQueue

NAMES_A_PASS = 500
"""Bounds the time between two looks at the queue; the rest follows at once."""


class ZoneUnitReconciler:
    """Makes ledger and claim statuses of one unit agree with its claims."""

    def __init__(
        self, gatherer: Gatherer, applier: Applier, dirty: DirtyNames, queue: WorkQueue[ObjectKey], clock: Clock
    ) -> None:
        """Tie the parts of a pass together."""
        self._gatherer = gatherer
        self._applier = applier
        self._dirty = dirty
        self._queue = queue
        self._clock = clock

    async def reconcile(self, key: ObjectKey) -> Result:
        """Run one pass; raises whatever a write raised, the names being marked again before."""
        dirt = self._dirty.take(key)
        try:
            names = self._gatherer.all_names(key) if dirt.everything else dirt.names
            now, rest = bounded(names, NAMES_A_PASS)
            snapshot = await self._gatherer.snapshot(key, now, self._clock.now())
            decided = plan(snapshot)
            await self._applier.apply(key, decided)
        except BaseException:
            self._dirty.give_back(key, dirt)
            raise
        if rest.names:
            self._dirty.give_back(key, rest)
            self._queue.add(key)
        if decided.requeue_after is not None:
            self._dirty.give_back(key, Dirt(now))
        return Result(requeue_after=decided.requeue_after)
