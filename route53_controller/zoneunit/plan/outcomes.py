"""What a pass says about one record set, and the words it says it with."""

from dataclasses import dataclass
from hashlib import sha256

from libdnsapi.api.conditions import ConditionStatus
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.reasons import Reason
from route53_controller.aws.errors import AwsError
from route53_controller.failures import consequence, failure_message
from route53_controller.zoneunit.snapshot import Fact, Item, Mark

ACCEPTED_MESSAGE = "Accepted by the Route 53 controller."
PROGRAMMED_MESSAGE = "The record set stands in Route 53 as desired."
PENDING_MESSAGE = "The change is being made and propagated by Route 53."
UNCONFIRMED_MESSAGE = (
    "Route 53 did not confirm the change; what became of it is read again before anything more is sent."
)
UNSEEN_PREFIX = "Whether Route 53 has propagated the change cannot be seen"
LEAVING_MESSAGE = "The record set is being deleted from Route 53."
DEFERRED_MESSAGE = "The change waits for its turn: a batch or the number of changes in flight is full."
NEXT_MESSAGE = "The change goes as soon as one in flight is over: no more may be in flight."
SIZE_MESSAGE = "The change follows that of another type of this name: they are too large for one batch together."
OVERTAKEN_MESSAGE = "An earlier change of this name is still being propagated; the present content follows it."
PAUSED_MESSAGE = "The zone is paused: a change is due and is not sent."
HELD_MESSAGE = (
    "The deletion is held, for unusually many are wanted in this Zone: its owner finds in the status and Events of the "
    "Zone how to let them go."
)
"""The same for all that are held, however many they become: a count in it would have each written again and again."""
REFUSED_PREFIX = "Route 53 refused this record set"
UNREAD_MESSAGE = "Waiting for the record sets to be read from Route 53."


_TRUE = ConditionStatus.TRUE.value


@dataclass(frozen=True, slots=True)
class Outcome:
    """What shall stand in an item's status. `programmed` None leaves that condition as it is."""

    accepted: Fact
    programmed: Fact | None
    mark: Mark | None
    rejected: str = ""
    deletion_completed: bool = False


def programmed(item: Item) -> Fact:
    """Return Programmed=True at the item's generation."""
    return Fact(ConditionStatus.TRUE, Reason.PROGRAMMED, PROGRAMMED_MESSAGE, item.generation)


def unprogrammed(item: Item, reason: Reason | str, message: str) -> Fact:
    """Return Programmed=False at the item's generation."""
    return Fact(ConditionStatus.FALSE, reason, message, item.generation)


def failed(item: Item, error: AwsError) -> Fact:
    """Return Programmed=False for a failed call."""
    return unprogrammed(item, consequence(error).reason, failure_message(error))


def pending(item: Item) -> Fact:
    """Return Programmed=False while Route 53 propagates a change of the item."""
    return unprogrammed(item, Reason.PROVIDER_CHANGE_PENDING, LEAVING_MESSAGE if item.leaving else PENDING_MESSAGE)


def unseen(item: Item, error: AwsError) -> Fact:
    """Return Programmed=False while a change of the item cannot be followed."""
    return unprogrammed(item, consequence(error).reason, f"{UNSEEN_PREFIX}: {failure_message(error)}")


def unconfirmed(item: Item) -> Fact:
    """Return Programmed=False while it is not known whether a change was made."""
    return unprogrammed(item, Reason.PROVIDER_UNAVAILABLE, UNCONFIRMED_MESSAGE)


def reconciling(item: Item) -> Fact:
    """Return Programmed=Unknown for an item about which nothing is known yet."""
    return Fact(ConditionStatus.UNKNOWN, Reason.RECONCILING, UNREAD_MESSAGE, item.generation)


def outcome(
    item: Item,
    programmed_fact: Fact | None,
    *,
    mark: Mark | None = None,
    rejected: str = "",
    completed: bool = False,
) -> Outcome:
    """Return the outcome of an accepted item."""
    accepted = Fact(ConditionStatus.TRUE, Reason.ACCEPTED, ACCEPTED_MESSAGE, item.generation)
    return Outcome(accepted, programmed_fact, mark, rejected, completed)


def says_nothing_new(item: Item, result: Outcome) -> bool:
    """Whether the item's status says this already. Never for an item in two objects: one of them may lack it."""
    facts = item.facts
    return (
        len(item.places) == 1
        and facts.accepted == result.accepted
        and (result.programmed is None or facts.programmed == result.programmed)
        and facts.mark == result.mark
        and facts.rejected == result.rejected
        and facts.deletion_completed == result.deletion_completed
        and facts.observed_generation == item.generation
    )


def says_programmed(item: Item) -> bool:
    """Whether the item's status says Accepted and Programmed at its generation; quick, for ten thousand of them."""
    facts, generation = item.facts, item.generation
    accepted, programmed_fact = facts.accepted, facts.programmed
    if accepted is None or programmed_fact is None or facts.rejected or facts.deletion_completed:
        return False
    return (
        programmed_fact.generation == accepted.generation == facts.observed_generation == generation
        and programmed_fact.status == accepted.status == _TRUE
        and programmed_fact.message == PROGRAMMED_MESSAGE
        and accepted.message == ACCEPTED_MESSAGE
        and len(item.places) == 1
    )


def claims_programmed(item: Item) -> bool:
    """Whether the item's status says of its present generation that it stands in Route 53."""
    fact = item.facts.programmed
    return fact is not None and fact.status == _TRUE and fact.generation == item.generation


def says_put_off(item: Item) -> bool:
    """Whether the item's status says that its present content waits for its turn in a bulk."""
    fact = item.facts.programmed
    return fact is not None and fact.generation == item.generation and fact.message == DEFERRED_MESSAGE


def waits_for_room(item: Item) -> bool:
    """Whether the item's status says that its change waits until less is in flight."""
    fact = item.facts.programmed
    return fact is not None and fact.message in (DEFERRED_MESSAGE, NEXT_MESSAGE)


def short_hash(key: ObjectKey) -> str:
    """Return eight hex digits that stand for an item where thousands of keys would not fit."""
    return sha256(str(key).encode()).hexdigest()[:8]
