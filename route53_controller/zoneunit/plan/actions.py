"""What a plan consists of: a status to write, actions at Route 53 in order, notices for people, a time to wake up."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from libdnsapi.api.meta import ObjectKey
from route53_controller.zoneunit.plan.names import ChangeGroup
from route53_controller.zoneunit.plan.outcomes import Outcome
from route53_controller.zoneunit.snapshot import Fact
from route53_controller.zoneunit.state import UnitState


@dataclass(frozen=True, slots=True)
class CreateHostedZone:
    """Create the hosted zone; the reference is stored."""

    domain: str
    reference: str


@dataclass(frozen=True, slots=True)
class ChangeTags:
    """Set and remove tags of the hosted zone; `tag_keys` are then ours."""

    zone_id: str
    add: Mapping[str, str]
    remove: tuple[str, ...]
    tag_keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SubmitChanges:
    """Send these batches, one after the other; the intents are stored."""

    zone_id: str
    batches: tuple[tuple[ChangeGroup, ...], ...]
    managed: int
    """How many record sets are managed, for the guard's window."""


@dataclass(frozen=True, slots=True)
class DeleteHostedZone:
    """Delete the hosted zone, which is to hold nothing but its own NS and SOA."""

    zone_id: str


@dataclass(frozen=True, slots=True)
class Release:
    """Let go of the ledger: slices first, the ZoneUnit last."""


Action = CreateHostedZone | ChangeTags | SubmitChanges | DeleteHostedZone | Release


@dataclass(frozen=True, slots=True)
class Notice:
    """An Event on a claim; the claim is named by kind and key."""

    kind: Literal["Zone", "RecordSet"]
    key: ObjectKey
    reason: str
    note: str
    action: str
    type: Literal["Normal", "Warning"] = "Normal"


@dataclass(frozen=True, slots=True)
class ZoneOutcome:
    """What shall stand in the zone's status; None leaves a part as it is."""

    accepted: Fact
    programmed: Fact | None = None
    name_servers: tuple[str, ...] | None = None
    hosted_zone_id: str | None = None


@dataclass(frozen=True, slots=True)
class StatusPlan:
    """The status of the whole unit."""

    state: UnitState
    zone: ZoneOutcome
    items: Mapping[ObjectKey, Outcome]
    aggregate: Fact
    early: frozenset[ObjectKey] = frozenset()
    """Those of `items` for which alone no slice is written yet: they only say that a change is under way."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What one round does."""

    status: StatusPlan
    actions: tuple[Action, ...] = ()
    """In the order in which they are done."""
    notices: tuple[Notice, ...] = ()
    wake_at: datetime | None = None
    """When to look again although no event comes."""
    again: bool = False
    """Whether to plan once more at once, for the state has changed."""
    due_at: datetime | None = None
    """Until when changes are being collected; None where none are."""
    open_names: frozenset[str] | None = None
    """The owner names that are not at rest; None where record sets were not decided about."""

    @property
    def writes_outside(self) -> bool:
        """Whether something is written at Route 53, so that finalizers must stand first."""
        return any(not isinstance(action, Release) for action in self.actions)
