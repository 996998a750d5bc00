"""Conditions: the metav1.Condition shape and the one rule for changing a list of them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum

from pydantic import Field

from libdnsapi.api.meta import WireModel
from libdnsapi.api.printable import printable


class ConditionStatus(StrEnum):
    """The three values of a condition's status."""

    TRUE = "True"
    FALSE = "False"
    UNKNOWN = "Unknown"


class ConditionType(StrEnum):
    """Every condition type that this API knows."""

    ACCEPTED = "Accepted"
    PROGRAMMED = "Programmed"
    READY = "Ready"


MESSAGE_MAX_LENGTH = 32768


class Condition(WireModel):
    """One condition as Kubernetes stores it (metav1.Condition)."""

    type: str = Field(min_length=1, max_length=316)
    """What the condition is about, such as Accepted or Programmed."""
    status: str = Field(json_schema_extra={"enum": ["True", "False", "Unknown"]})
    """True, False or Unknown."""
    observed_generation: int | None = Field(default=None, ge=0)
    """The metadata.generation that this condition was computed from."""
    last_transition_time: datetime
    """When status last changed."""
    reason: str = Field(min_length=1, max_length=1024, pattern=r"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$")
    """A CamelCase word for machines; the table of reasons is part of the API."""
    message: str = Field(max_length=MESSAGE_MAX_LENGTH)
    """What happened and what to do, for people."""

    @property
    def is_true(self) -> bool:
        """Whether the status is True."""
        return self.status == ConditionStatus.TRUE

    @property
    def is_false(self) -> bool:
        """Whether the status is False; Unknown is neither."""
        return self.status == ConditionStatus.FALSE


class Verdict(WireModel):
    """What a controller decided about one condition, before it becomes a stored condition.

    `type` is the condition type, `status` one of True, False, Unknown, `reason` from the table of reasons.
    """

    type: str
    status: ConditionStatus
    reason: str
    message: str

    @property
    def is_true(self) -> bool:
        """Whether the status is True."""
        return self.status is ConditionStatus.TRUE


def find_condition(conditions: Iterable[Condition], type_: str) -> Condition | None:
    """Return the condition of a type, or None."""
    return next((c for c in conditions if c.type == type_), None)


def with_verdict(
    conditions: Sequence[Condition], verdict: Verdict, observed_generation: int, now: datetime
) -> tuple[Condition, ...]:
    """Return the list with one condition set.

    The order of the others stays; `lastTransitionTime` changes only with `status`. Where nothing but the
    time would differ the old condition itself is kept, so that equal input gives an equal list. What users or
    a provider wrote into the message is escaped where it would move a terminal.
    """
    old = find_condition(conditions, verdict.type)
    same_status = old is not None and old.status == verdict.status.value
    since = old.last_transition_time if old is not None and same_status else now
    new = Condition(
        type=verdict.type,
        status=verdict.status.value,
        observed_generation=observed_generation,
        last_transition_time=since.replace(microsecond=0),
        reason=verdict.reason,
        message=printable(verdict.message[:MESSAGE_MAX_LENGTH])[:MESSAGE_MAX_LENGTH],
    )
    if old is None:
        return (*conditions, new)
    return tuple(new if c.type == verdict.type else c for c in conditions)


def is_current(condition: Condition | None, generation: int) -> bool:
    """Whether a condition was computed from this very generation."""
    return condition is not None and condition.observed_generation == generation


def changed(old: Condition | None, new: Condition) -> bool:
    """Whether status or reason differ: what makes a change worth an Event."""
    return old is None or (old.status, old.reason) != (new.status, new.reason)


def changed_conditions(old: Sequence[Condition], new: Iterable[Condition]) -> tuple[Condition, ...]:
    """Return the new conditions whose status or reason differs from the old one's of that type, in their order."""
    return tuple(condition for condition in new if changed(find_condition(old, condition.type), condition))


def stands(conditions: Sequence[Condition], told: Condition) -> bool:
    """Whether conditions still say what was told of one."""
    return not changed(find_condition(conditions, told.type), told)
