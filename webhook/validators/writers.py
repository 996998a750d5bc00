"""Who may write a ledger: a forged one would bypass every policy (beyond-the-seeds 12)."""

from webhook.answer import ALLOWED, Answer, forbidden
from webhook.review import Review, User
from webhook.validators.snapshot import Snapshot


def is_controller(user: User, snapshot: Snapshot) -> bool:
    """Whether this is one of our own controllers."""
    return user.name in snapshot.controllers


def _may_leave(review: Review, snapshot: Snapshot) -> bool:
    """Whether a ledger may be deleted although what it belongs to stays for now.

    Our controllers know what they do, and a namespace that is being deleted takes everything with it, in any order.
    """
    return snapshot.namespace_leaving or is_controller(review.user, snapshot)


def may_write_ledgers(user: User, snapshot: Snapshot) -> bool:
    """Whether a user is a controller, or is named by `--ledger-writers`, or is in a group named there."""
    return is_controller(user, snapshot) or not snapshot.ledger_writers.isdisjoint({user.name, *user.groups})


def writer_refusal(review: Review, snapshot: Snapshot) -> Answer | None:
    """Refuse everybody else, before anything is said about the content."""
    if may_write_ledgers(review.user, snapshot):
        return None
    return forbidden(
        f'{review.resource} are written by the controllers alone; change the Zone or RecordSet instead. User "'
        f"{review.user.name}\" is not among the webhook's --ledger-writers"
    )


def ledger_deletion(review: Review, snapshot: Snapshot, kind: str, owner_kind: str, instead: str) -> Answer:
    """Refuse the deletion of a ledger object while the owner that it names lives; `instead` says what to do."""
    if not review.old:
        return forbidden(f"the request does not show {kind} {review.key}, so it is not known what it belongs to")
    owner = snapshot.owner
    if owner is None or owner.metadata.deleting or _may_leave(review, snapshot):
        return ALLOWED
    return forbidden(f"{kind} {review.key} belongs to {owner_kind} {owner.key}, which is not being deleted; {instead}")
