"""`ZoneUnit.status.provider.state`: what this controller must remember, whatever crashes. Pure.

Field names are those of the wire reference, where it has them; `pendingRecordSetChange` of other implementations is
read as one more pending change.
"""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import Self

from pydantic import Field, ValidationError

from libdnsapi.api.meta import JsonObject, ObjectKey, WireModel

ACCOUNT_FORM = "1:"
"""What an account's digest begins with: one that was made in another way proves nothing, and is left out."""


class Stage(StrEnum):
    """How far a change of record sets has got."""

    SUBMITTING = "SUBMITTING"
    """The intent is stored and the call may have been made: its outcome is not known."""
    PENDING = "PENDING"
    """Route 53 accepted it and has not reported INSYNC."""


class Affected(WireModel):
    """One item of a change; `digest` is of the record set that the change leaves, "" where it leaves none.

    `type` is the item's record type while a change is being sent; it is not stored.
    """

    namespace: str
    name: str
    digest: str = ""
    type: str = Field(default="", exclude=True)

    @property
    def key(self) -> ObjectKey:
        """The item's key."""
        return ObjectKey(self.namespace, self.name)


class PendingChange(WireModel):
    """A change of record sets in flight; `id` is empty while the outcome is not known."""

    id: str = ""
    status: Stage = Stage.PENDING
    operation: str = "UPSERT_BATCH"
    submitted_at: datetime
    affected_record_sets: tuple[Affected, ...] = ()

    @property
    def ref(self) -> str:
        """What tells this change from the others in flight: no item is in two of them."""
        first = self.affected_record_sets[0].key if self.affected_record_sets else ""
        return f"{self.submitted_at.isoformat()} {first}"

    def to_state(self) -> JsonObject:
        """Return what is stored of it."""
        stored: JsonObject = self.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        return {**stored, "status": self.status.value, "operation": self.operation}


class PendingZoneChange(WireModel):
    """The creation or deletion of the hosted zone in flight; `id` is empty where the answer with it was lost."""

    id: str = ""
    status: str = "PENDING"
    operation: str
    submitted_at: datetime


class Removals(WireModel):
    """How many record sets were deleted at one moment."""

    at: datetime
    count: int


class DeletionGuard(WireModel):
    """The guard's window and hold (beyond-the-seeds 6)."""

    managed: int = 0
    """Managed record sets when the window began."""
    removals: tuple[Removals, ...] = ()
    """What was deleted in the window."""
    held_since: datetime | None = None
    """Set while deletions are held."""
    token: str = ""
    """Names exactly what is held; its owner confirms by it."""
    token_since: datetime | None = None
    """Since when exactly that is held."""
    told_token: str = ""
    """The token that the owner was told last."""
    told_at: datetime | None = None
    """When the owner was told it."""
    confirmed: tuple[str, ...] = ()
    """Short hashes of the items whose deletion a token released."""
    used_token: str = ""
    """The token that released something last: it works once."""


class Restore(WireModel):
    """The items that `adopt-matching` still covers, as short hashes (beyond-the-seeds 14)."""

    covered: tuple[str, ...] = ()


class UnitState(WireModel):
    """Everything that is stored for the unit as a whole."""

    hosted_zone_id: str = Field(default="", alias="hostedZoneID")
    caller_reference: str = ""
    account: str = ""
    """Tells the AWS account that the hosted zone is in from others, as a digest: account ids stand in no status."""
    pending_hosted_zone_change: PendingZoneChange | None = None
    pending_record_set_changes: tuple[PendingChange, ...] = ()
    tag_keys: tuple[str, ...] = ()
    """Keys of tags that we set, so that only these are ever removed."""
    deletion_guard: DeletionGuard = DeletionGuard()
    restore: Restore | None = None
    recreated_from: str = ""
    """The token that confirmed the last recreation of the hosted zone."""

    @classmethod
    def parse(cls, stored: JsonObject | None) -> Self:
        """Read what was stored; what cannot be read is left out, and all the rest is kept."""
        document = dict(stored or {})
        if not str(document.get("account", "")).startswith(ACCOUNT_FORM):
            document.pop("account", None)
        single = document.pop("pendingRecordSetChange", None)
        if isinstance(single, dict) and "pendingRecordSetChanges" not in document:
            document["pendingRecordSetChanges"] = [single]
        try:
            return cls.model_validate(document)
        except ValidationError as error:
            unreadable = {str(problem["loc"][0]) for problem in error.errors()}
            return cls.model_validate({name: value for name, value in document.items() if name not in unreadable})

    def to_state(self) -> JsonObject:
        """Return what is stored: no defaults, but of changes always what they do and how far they are."""
        stored: JsonObject = self.model_dump(mode="json", by_alias=True, exclude_defaults=True)
        if self.pending_record_set_changes:
            stored["pendingRecordSetChanges"] = [change.to_state() for change in self.pending_record_set_changes]
        if self.pending_hosted_zone_change is not None:
            stored["pendingHostedZoneChange"] = self.pending_hosted_zone_change.model_dump(mode="json", by_alias=True)
        return stored

    def with_changes(self, changes: tuple[PendingChange, ...]) -> Self:
        """Return the state with other changes of record sets in flight."""
        return self.model_copy(update={"pending_record_set_changes": changes})

    def intents(self) -> Iterator[tuple[PendingChange, Affected]]:
        """Go through all items of all changes in flight."""
        return (
            (change, affected) for change in self.pending_record_set_changes for affected in change.affected_record_sets
        )

    @property
    def has_external(self) -> bool:
        """Whether something may stand at Route 53 because of this unit."""
        return bool(self.hosted_zone_id or self.caller_reference)
