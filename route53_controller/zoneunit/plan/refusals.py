"""Record sets that cannot be written now, or ever: each says why and leaves the changes of its name."""

from collections.abc import Sequence

from libdnsapi.api.reasons import Reason
from route53_controller.aws import wire
from route53_controller.aws.api import ResourceRecordSet
from route53_controller.zoneunit.plan import outcomes
from route53_controller.zoneunit.plan.names import ChangeGroup, NameContext, NameDraft, blocked_by
from route53_controller.zoneunit.plan.outcomes import Outcome, outcome, unprogrammed
from route53_controller.zoneunit.plan.times import earliest
from route53_controller.zoneunit.snapshot import Fact, Item, Rejection

_TOO_LARGE = "What stands at this name in Route 53 is too large to be changed in one batch; shorten it there."


def leaves(item: Item, context: NameContext) -> bool:
    """Whether an item goes, by itself or with its zone."""
    return item.leaving or item.key in context.leaving


def refuse_content(item: Item, draft: NameDraft) -> None:
    """Say why the content, or the instruction to adopt, cannot be carried out."""
    if item.invalid_adoption:
        fact = Fact("False", Reason.INVALID_ADOPTION, item.invalid_adoption, item.generation)
        draft.outcomes[item.key] = Outcome(fact, item.facts.programmed, item.facts.mark)
        return
    message = f"Route 53 cannot hold this record set: {item.problem}."
    draft.say(item, unprogrammed(item, Reason.PROVIDER_INVALID_REQUEST, message), item.facts.mark)


def is_rejected(item: Item, draft: NameDraft, context: NameContext) -> bool:
    """Whether the content was refused before and it is not time, or never time, to send it again; says so."""
    digest = "" if leaves(item, context) else item.digest
    rejection = context.rejections.get(item.key)
    if rejection is not None and rejection.digest == digest:
        if rejection.retry_at is not None and rejection.retry_at <= context.now:
            return False
        _say_rejected(item, rejection, draft)
        return True
    if digest and item.facts.rejected == digest:
        draft.outcomes[item.key] = outcome(item, _refused_before(item), mark=item.facts.mark, rejected=digest)
        return True
    return False


def _refused_before(item: Item) -> Fact:
    """Return what was said of the refusal; where something else was said since, only that there was one."""
    said = item.facts.programmed
    if said is not None and said.message.startswith(outcomes.REFUSED_PREFIX):
        return said._replace(generation=item.generation)
    message = f"{outcomes.REFUSED_PREFIX} before, as it is now; edit it to have it sent again."
    return unprogrammed(item, Reason.PROVIDER_INVALID_REQUEST, message)


def _say_rejected(item: Item, rejection: Rejection, draft: NameDraft) -> None:
    fact = unprogrammed(item, rejection.reason, rejection.message)
    kept = "" if rejection.retry_at else rejection.digest
    draft.outcomes[item.key] = outcome(item, fact, mark=item.facts.mark, rejected=kept)
    draft.retry_at = earliest(rejection.retry_at, draft.retry_at)


def refuse_blocked(live: Sequence[Item], draft: NameDraft) -> None:
    """Refuse creations that what remains at the name does not allow; a batch with them would fail as a whole."""
    remaining = [record_set for record_set in draft.seen if record_set.key not in draft.deletes]
    for item in live:
        desired = draft.creates.get(item.key)
        other = blocked_by(desired, remaining) if desired is not None else None
        if other is not None:
            _withdraw(item, draft)
            message = f"A {other.key.type} record set stands at this name in Route 53, which excludes this one."
            draft.say(item, unprogrammed(item, Reason.PROVIDER_CONFLICT, message), item.facts.mark)


def _withdraw(item: Item, draft: NameDraft) -> None:
    draft.affected.pop(item.key, None)
    desired = draft.creates.pop(item.key)
    draft.deletes.pop(desired.key, None)


def refuse_oversized(items: Sequence[Item], draft: NameDraft) -> None:
    """Keep the changes of a name to what fits into one batch.

    Types of the name that fit each by itself follow one after the other; where a CNAME comes or goes, none before those
    that make way for it. What can be replaced in no batch is refused, for what stands there is too large.
    """
    group = draft.group()
    if group is None or wire.fits(group.elements, group.characters):
        return
    elements = characters = 0
    blocked, too_large = False, False
    for part in group.steps:
        alone = wire.fits(part.elements, part.characters)
        if alone and not blocked and wire.fits(elements + part.elements, characters + part.characters):
            elements, characters = elements + part.elements, characters + part.characters
            continue
        too_large = not alone or (blocked and too_large)
        blocked = group.swaps_cname
        _leave_out(part, items, draft, "" if too_large else outcomes.SIZE_MESSAGE)


def _leave_out(part: ChangeGroup, items: Sequence[Item], draft: NameDraft, deferred: str) -> None:
    """Take a part of the changes of a name out: it waits, as `deferred` says, or is refused."""
    keys = {affected.key for affected in part.affected}
    if deferred:
        draft.later.append(part)
    reason = Reason.PROVIDER_CHANGE_DEFERRED if deferred else Reason.PROVIDER_INVALID_REQUEST
    for item in items:
        if item.key in keys:
            draft.say(item, unprogrammed(item, reason, deferred or _TOO_LARGE), item.facts.mark)
            draft.affected.pop(item.key)
            draft.creates.pop(item.key, None)
    for change in part.changes:
        draft.deletes.pop(change.record_set.key, None)


def routed_message(record_set: ResourceRecordSet) -> str:
    """Return the words for a record set with a routing policy that stands in the way."""
    named = f" (set identifier {record_set.key.set_identifier})" if record_set.key.set_identifier else ""
    return f"A record set with a routing policy or health check that is not ours{named} stands at this name and type."
