"""Sending batches, one after the other, and what comes of them. The intents of all of them are stored before.

A refused batch loses its offenders and goes again, within what the stored intents cover, so isolation costs no write
to the ledger. After a lost answer nothing more is sent until the names were read.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime.backoff import doubled
from route53_controller.aws.api import ChangeInfo, Route53
from route53_controller.aws.errors import AwsError, AwsFailure
from route53_controller.failures import consequence
from route53_controller.zoneunit.memory import Poll, ZoneMemory
from route53_controller.zoneunit.plan.actions import Notice, SubmitChanges
from route53_controller.zoneunit.plan.deletions import counted
from route53_controller.zoneunit.plan.isolation import (
    Cause,
    Isolation,
    Offence,
    all_wait,
    denied,
    give_up,
    is_denied,
    isolate,
)
from route53_controller.zoneunit.plan.names import ChangeGroup
from route53_controller.zoneunit.plan.sending import intent
from route53_controller.zoneunit.snapshot import Rejection, ZoneUnitSettings
from route53_controller.zoneunit.state import Affected, PendingChange, Stage, UnitState

MAX_REFUSALS = 30
"""Refused calls in one submission, after which refused batches wait: what hits everything is not hunted down."""
MAX_DENIALS = 10
"""Calls that are denied, none of them made, after which all waits, once a part was denied alone: that one is found."""
STALE_LIMIT = 3
_REFUSALS = frozenset(
    {
        AwsFailure.INVALID_CHANGE_BATCH,
        AwsFailure.INVALID_REQUEST,
        AwsFailure.LIMIT_EXCEEDED,
    }
)
_DOUBTFUL = frozenset({Cause.STALE, Cause.MALFORMED, Cause.OTHER})
Batch = tuple[ChangeGroup, ...]


@dataclass(slots=True)
class Submission:
    """One submission under way."""

    action: SubmitChanges
    memory: ZoneMemory
    settings: ZoneUnitSettings
    now: datetime
    sent: list[PendingChange] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    removals: int = 0
    refusals: int = 0
    denied_alone: bool = False
    """Whether a part was denied all by itself."""

    async def run(self, route53: Route53, state: UnitState) -> UnitState:
        """Send all that can be sent; return the state with what is in flight now."""
        intents = {intent(batch, self.now).ref for batch in self.action.batches}
        others = [change for change in state.pending_record_set_changes if change.ref not in intents]
        queue = deque(self.action.batches)
        if self.memory.listing is not None:
            self.memory.listing.touched.update(group.name for batch in queue for group in batch)
        while queue and len(others) + len(self.sent) < self.settings.max_changes_in_flight:
            if not await self._send(queue.popleft(), queue, route53):
                break
        counts = (len(change.affected_record_sets) for change in self.sent)
        self.memory.note_sent(self.now, counts, self.settings)
        guard = counted(state.deletion_guard, self.now, self.removals, self.action.managed)
        return state.with_changes((*others, *self.sent)).model_copy(update={"deletion_guard": guard})

    async def _send(self, batch: Batch, queue: deque[Batch], route53: Route53) -> bool:
        """Send one batch; return whether to go on."""
        changes = [change for group in batch for change in group.changes]
        try:
            info = await route53.change_record_sets(self.action.zone_id, changes)
        except AwsError as error:
            return self._failed(batch, error, queue)
        self._accepted(batch, info)
        return True

    def _accepted(self, batch: Batch, info: ChangeInfo) -> None:
        change = intent(batch, self.now).model_copy(update={"id": info.id, "status": Stage.PENDING})
        self.sent.append(change)
        first = self.settings.change_poll_first
        self.memory.polls[change.ref] = Poll(self.now + first, first)
        self.memory.writing.clear()
        self.removals += sum(group.deletions for group in batch)
        note = f"Change {info.id} was submitted to hosted zone {self.action.zone_id}."
        for affected in change.affected_record_sets:
            self.memory.rejections.pop(affected.key, None)
            self.memory.stale.pop(affected.key, None)
            self.notices.append(
                Notice("RecordSet", affected.key, "Route53RecordSetChangeSubmitted", note, "ChangeResourceRecordSets")
            )

    def _failed(self, batch: Batch, error: AwsError, queue: deque[Batch]) -> bool:
        if error.failure in _REFUSALS or is_denied(error):
            return self._refused(batch, error, queue)
        if error.failure is AwsFailure.NO_SUCH_HOSTED_ZONE:
            self.memory.zone = None
            return False
        if consequence(error).maybe_applied:
            self.sent.append(intent(batch, self.now))
        self.memory.writing.note(error, self.now, self.settings)
        return False

    def _refused(self, batch: Batch, error: AwsError, queue: deque[Batch]) -> bool:
        self.refusals += 1
        for offence in (isolation := self._isolation(batch, error, queue)).offences:
            self._note(offence)
        queue.extendleft(reversed(isolation.batches))
        return True

    def _isolation(self, batch: Batch, error: AwsError, queue: deque[Batch]) -> Isolation:
        """Return what leaves a refused batch. Names may be denied to credentials one by one, or all of them."""
        if is_denied(error):
            return denied(self._denial(batch, queue), error)
        if self.refusals > MAX_REFUSALS:
            return give_up(batch, error.message)
        return isolate(batch, error.messages or (error.message,))

    def _denial(self, batch: Batch, queue: deque[Batch]) -> Isolation:
        """Halve a denied batch until a part is denied alone; then what is furthest from that part goes before the rest.

        So each submission finds one at least, and many that are denied side by side do not hide those that are not.
        """
        found = isolate(batch, ()) if self.refusals <= MAX_REFUSALS else all_wait(batch, "")
        self.denied_alone |= not found.batches
        if not self.sent and self.denied_alone and self.refusals >= MAX_DENIALS:
            waiting = [group for other in (*found.batches, *queue) for group in other]
            queue.clear()
            return Isolation((*found.offences, *all_wait(waiting, "").offences), ())
        if not self.sent and not found.batches:
            queue.rotate()
        return found

    def _note(self, offence: Offence) -> None:
        """Remember why a group left its batch: what was read may be old, or its content is bad."""
        if offence.cause in _DOUBTFUL:
            self.memory.doubtful.add(offence.group.name)
        for affected in _at_fault(offence):
            if offence.cause is Cause.STALE and self._is_surprise(affected.key):
                continue
            self.memory.rejections[affected.key] = self._rejection(affected.key, affected.digest, offence)

    def _is_surprise(self, key: ObjectKey) -> bool:
        self.memory.stale[key] = self.memory.stale.get(key, 0) + 1
        return self.memory.stale[key] < STALE_LIMIT

    def _rejection(self, key: ObjectKey, digest: str, offence: Offence) -> Rejection:
        before = self.memory.rejections.get(key)
        failures = before.failures + 1 if before is not None and before.digest == digest else 1
        wait = doubled(self.settings.later_first, failures, self.settings.drift_interval)
        if offence.cause is Cause.UNPROVEN:
            wait /= 2  # not in step with those that were found out: so it is soon sent without them
        retry_at = None if offence.cause is Cause.MALFORMED else self.now + wait
        return Rejection(digest, offence.reason, offence.message, retry_at, failures)


def _at_fault(offence: Offence) -> Iterable[Affected]:
    """Return the items that an offence is of: what was to make way for content that is bad for good may go alone."""
    affected = offence.group.affected
    if offence.cause is not Cause.MALFORMED or offence.group.removal:
        return affected
    return (each for each in affected if each.digest)


def submitted_keys(batches: Sequence[Batch]) -> set[ObjectKey]:
    """Return the items that batches concern."""
    return {affected.key for batch in batches for group in batch for affected in group.affected}
