"""One pass over one unit: take the marks, gather, plan, apply; what failed is marked again."""

from dataclasses import replace

from core_controller.zoneunit.apply import Applier
from core_controller.zoneunit.dirty import Dirt, DirtyNames
from core_controller.zoneunit.gather import Gatherer
from core_controller.zoneunit.plan import plan
from core_controller.zoneunit.plan.actions import Action, Plan, WriteRecordSetStatus, WriteZoneStatus
from core_controller.zoneunit.refusals import LedgerRefusedError, PartlyFailedError
from core_controller.zoneunit.snapshot import NameGroup, UnitSnapshot
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
        """Run one pass; raises whatever a write raised, its names being marked again behind all others.

        So a name that fails over and over never keeps the names after it from their turn.
        """
        now = self._take(key)
        try:
            snapshot = await self._gatherer.snapshot(key, now, self._clock.now())
            decided = plan(snapshot)
            failed = await self._carry_out(key, snapshot, decided)
        except BaseException:
            self._dirty.give_back(key, Dirt(now))
            raise
        again = now if decided.requeue_after is not None else decided.awaiting
        concerned = _names_of(snapshot, failed.concerned) if failed is not None else ()
        if again or concerned:
            self._dirty.give_back(key, Dirt((*again, *concerned)))
        if failed is not None:
            raise failed.cause from failed
        return Result(requeue_after=decided.requeue_after)

    async def _carry_out(self, key: ObjectKey, snapshot: UnitSnapshot, decided: Plan) -> PartlyFailedError | None:
        """Apply the plan; return what failed of it. Those whom that concerns wait, and nobody else."""
        try:
            await self._applier.apply(key, decided)
        except LedgerRefusedError as refused:
            await self._applier.tell(key, plan(replace(snapshot, refusals=refused.refusals)))
            return refused
        except PartlyFailedError as failed:
            if not failed.told:
                await self._applier.tell(key, _of_others(snapshot, decided, failed))
            return failed
        return None

    def _take(self, key: ObjectKey) -> tuple[str, ...]:
        """Return the owner names of this pass; what is more than one pass takes is queued again."""
        dirt = self._dirty.take(key)
        try:
            names = self._gatherer.all_names(key) if dirt.everything else dirt.names
        except BaseException:
            self._dirty.give_back(key, dirt)
            raise
        if len(names) > NAMES_A_PASS:
            self._dirty.give_back(key, Dirt(names[NAMES_A_PASS:]))
            self._queue.add(key)
        return names[:NAMES_A_PASS]


def _names_of(snapshot: UnitSnapshot, claims: frozenset[ObjectKey]) -> tuple[str, ...]:
    """Return the owner names of a pass in which a claim or an item of these keys stands."""
    return tuple(group.name for group in snapshot.groups if claims & _keys_of(group))


def _keys_of(group: NameGroup) -> set[ObjectKey]:
    return {facts.claim.key for facts in group.claims} | group.owners.keys()


def _of_others(snapshot: UnitSnapshot, decided: Plan, failed: PartlyFailedError) -> Plan:
    """Return the plan without the statuses that may rest on what failed: no status speaks of a write that failed."""
    names = set(_names_of(snapshot, failed.concerned))
    waiting = {key for group in snapshot.groups if group.name in names for key in _keys_of(group)}
    return Plan(tuple(action for action in decided.actions if not _waits(action, waiting, head=failed.head)))


def _waits(action: Action, claims: set[ObjectKey], *, head: bool) -> bool:
    match action:
        case WriteRecordSetStatus(key=key):
            return key in claims
        case WriteZoneStatus():
            return head
        case _:
            return False
