"""What becomes of each record set, name by name. Nothing that is not ours is ever deleted or changed.

Source: provider seed (Route 53 RecordSet Provider Schema, Controller Responsibility), beyond-the-seeds 1, 2, 3, 14.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.reasons import Reason
from route53_controller.aws import wire
from route53_controller.aws.api import ResourceRecordSet
from route53_controller.zoneunit.plan import outcomes
from route53_controller.zoneunit.plan.names import (
    ChangeGroup,
    NameContext,
    NameDraft,
    busy,
    decide_busy,
    is_settled,
    own_mark,
    owns,
    simple,
)
from route53_controller.zoneunit.plan.outcomes import Outcome, outcome, short_hash, unprogrammed
from route53_controller.zoneunit.plan.refusals import (
    is_rejected,
    leaves,
    refuse_blocked,
    refuse_content,
    refuse_oversized,
    routed_message,
)
from route53_controller.zoneunit.plan.times import earliest
from route53_controller.zoneunit.snapshot import Item


@dataclass(slots=True)
class RecordPlan:
    """The decisions about all names: new outcomes, and groups of changes that want to be sent."""

    outcomes: dict[ObjectKey, Outcome] = field(default_factory=dict)
    groups: list[ChangeGroup] = field(default_factory=list)
    later: list[ChangeGroup] = field(default_factory=list)
    """What follows a group of its name, for it fits into no batch with it."""
    open_names: set[str] = field(default_factory=set)
    """Names that are not at rest."""
    retry_at: datetime | None = None


def decide_records(items: Mapping[str, Sequence[Item]], context: NameContext) -> RecordPlan:
    """Decide about items of a unit whose record sets were read; `items` are by owner name, all that a name has."""
    plan = RecordPlan()
    for name, at_name in items.items():
        seen = context.records.get(name, ())
        if is_settled(at_name, seen, context):
            continue
        plan.open_names.add(name)
        draft = decide_name(at_name, NameDraft(name, seen), context)
        plan.outcomes.update(draft.outcomes)
        plan.later.extend(draft.later)
        group = draft.group()
        if group is not None:
            plan.groups.append(group)
        plan.retry_at = earliest(draft.retry_at, plan.retry_at)
    return plan


def decide_name(items: Sequence[Item], draft: NameDraft, context: NameContext) -> NameDraft:
    """Decide about the items of one name."""
    waiting = busy(items, draft.seen, context)
    decide_busy(waiting, draft, context)
    return draft if len(waiting) == len(items) else _decide_free([i for i in items if i not in waiting], draft, context)


def _decide_free(items: Sequence[Item], draft: NameDraft, context: NameContext) -> NameDraft:
    live = [item for item in items if not leaves(item, context)]
    leaving = [item for item in items if leaves(item, context)]
    for item in live:
        if _has_twin(item, live):
            _decide_twin(item, live, draft, context)
        elif item.allowed and context.serving:
            _decide_live(item, leaving, draft, context)
        else:
            _decide_withheld(item, draft, context)
    for item in leaving:
        if context.partial:
            draft.say(item, outcomes.pending(item), item.facts.mark)
        else:
            _decide_leaving(item, live, draft, context)
    refuse_blocked(live, draft)
    refuse_oversized(items, draft)
    return draft


def _decide_live(item: Item, leaving: Sequence[Item], draft: NameDraft, context: NameContext) -> None:
    if item.desired is None or item.invalid_adoption:
        refuse_content(item, draft)
        return
    if is_rejected(item, draft, context):
        return
    there = draft.of_type(item.type)
    observed = simple(there)
    routed = [record_set for record_set in there if record_set is not observed]
    if routed:
        draft.say(item, unprogrammed(item, Reason.PROVIDER_CONFLICT, routed_message(routed[0])), item.facts.mark)
    elif observed is None:
        _decide_missing(item, item.desired, draft, context)
    elif owns(item, observed, context) or _inherits(item, observed, leaving, context):
        _decide_owned(item, item.desired, observed, draft, context)
    else:
        _decide_foreign(item, item.desired, observed, draft, context)


def _decide_missing(item: Item, desired: ResourceRecordSet, draft: NameDraft, context: NameContext) -> None:
    """Create what is not there; an adoption that never succeeded has nothing to adopt (unless whenMissing: Create)."""
    adopted_before = owns(item, None, context) or item.facts.mark is not None
    if item.adopts and not item.creates_missing and not adopted_before:
        message = "There is no record set of this name and type in Route 53 to adopt."
        draft.say(item, unprogrammed(item, Reason.EXTERNAL_RESOURCE_NOT_FOUND, message))
        return
    draft.create(item, desired)


def _decide_owned(
    item: Item, desired: ResourceRecordSet, observed: ResourceRecordSet, draft: NameDraft, context: NameContext
) -> None:
    """Keep what is right; change what is not by comparing and swapping: DELETE of the very strings plus CREATE."""
    if wire.matches(desired, observed):
        draft.say(item, outcomes.programmed(item), own_mark(item, context))
        return
    draft.delete(item, observed)
    draft.create(item, desired)


def _decide_foreign(
    item: Item, desired: ResourceRecordSet, observed: ResourceRecordSet, draft: NameDraft, context: NameContext
) -> None:
    same = wire.matches(desired, observed)
    if same and (item.adopts or short_hash(item.key) in context.covered):
        draft.say(item, outcomes.programmed(item), own_mark(item, context))
        return
    if item.adopts:
        message = "The record set in Route 53 differs from this one; make them equal to adopt it."
        draft.say(item, unprogrammed(item, Reason.EXTERNAL_RESOURCE_MISMATCH, message))
        return
    message = "A record set of this name and type that is not ours stands in Route 53; remove it there or adopt it."
    draft.say(item, unprogrammed(item, Reason.PROVIDER_CONFLICT, message))


def _inherits(item: Item, observed: ResourceRecordSet, leaving: Sequence[Item], context: NameContext) -> bool:
    """Whether a deleting owner of the same name and type makes way for this item (beyond-the-seeds 2)."""
    return any(
        other.type == item.type and other.key.namespace == item.key.namespace and owns(other, observed, context)
        for other in leaving
    )


def _decide_leaving(item: Item, live: Sequence[Item], draft: NameDraft, context: NameContext) -> None:
    """Delete what is ours, and only that; then say that cleanup is complete."""
    heir = next((other for other in live if other.type == item.type), None)
    observed = simple(draft.of_type(item.type))
    handed_over = heir is not None and heir.facts.mark == own_mark(heir, context)
    if observed is None or handed_over or not owns(item, observed, context):
        _complete(item, draft)
    elif heir is not None and (heir.key in draft.creates or _is_programmed(heir, draft)):
        draft.say(item, outcomes.pending(item), item.facts.mark)
        if heir.key in draft.creates:
            draft.delete(item, observed)
    elif not is_rejected(item, draft, context):
        draft.delete(item, observed)


def _is_programmed(item: Item, draft: NameDraft) -> bool:
    said = draft.outcomes.get(item.key)
    return said is not None and said.mark is not None


def _complete(item: Item, draft: NameDraft) -> None:
    if item.leaving:
        draft.outcomes[item.key] = outcome(item, outcomes.pending(item), completed=True)
    elif item.facts.mark is not None:
        draft.outcomes[item.key] = outcome(item, outcomes.pending(item))


def _has_twin(item: Item, live: Sequence[Item]) -> bool:
    return any(other.type == item.type and other.key != item.key for other in live)


def _decide_twin(item: Item, live: Sequence[Item], draft: NameDraft, context: NameContext) -> None:
    """Of two items with one identity only the one that is shown as programmed is acted on; core repairs."""
    twins = [other for other in live if other.type == item.type]
    marked = [other for other in twins if other.facts.mark == own_mark(other, context)]
    if marked == [item] and item.allowed and context.serving:
        _decide_live(item, (), draft, context)
        return
    message = (
        "Another RecordSet of this Zone is recorded with this name and type: nothing is sent until one of both goes."
    )
    draft.say(item, unprogrammed(item, Reason.PROVIDER_CHANGE_DEFERRED, message), item.facts.mark)


def _decide_withheld(item: Item, draft: NameDraft, context: NameContext) -> None:
    """Say how things stand with an item that may be neither created nor changed now."""
    observed = simple(draft.of_type(item.type))
    right = item.desired is not None and observed is not None and wire.matches(item.desired, observed)
    if right and owns(item, observed, context):
        draft.say(item, outcomes.programmed(item), own_mark(item, context))
        return
    message = "Policy does not allow this record set now: it is neither created nor changed."
    draft.say(item, unprogrammed(item, Reason.PROVIDER_CHANGE_DEFERRED, message), item.facts.mark)
