"""What is to be done in a hosted zone, while a plan is being made; and small facts about the unit."""

from dataclasses import dataclass, replace
from datetime import datetime

from libdnsapi.api import names as api_names
from libdnsapi.api.conditions import ConditionType
from libdnsapi.api.meta import ObjectKey
from route53_controller.zoneunit.ledger import fact
from route53_controller.zoneunit.plan.actions import Action, Notice
from route53_controller.zoneunit.plan.outcomes import Outcome
from route53_controller.zoneunit.snapshot import Fact, Snapshot
from route53_controller.zoneunit.state import UnitState


@dataclass(slots=True)
class ZoneWork:
    """What is to be done in the hosted zone, while it is being collected."""

    state: UnitState
    items: dict[ObjectKey, Outcome]
    actions: list[Action]
    notices: list[Notice]
    wake_at: datetime | None = None
    rest_at: datetime | None = None
    """When a ledger that is being restored counts as complete."""
    due_at: datetime | None = None
    """Until when changes are being collected."""
    open_names: frozenset[str] | None = None
    """The names that are not at rest; None: nothing was decided about record sets."""
    held: str = ""
    """What to tell the Zone's owner of deletions that are held; "" where none are."""
    open_removals: bool = False
    """Whether something that leaves still stands or is on its way out."""


def paused(snapshot: Snapshot) -> bool:
    """Whether the owner asked that nothing be written (beyond-the-seeds 14)."""
    return snapshot.unit.metadata.annotations.get(api_names.PAUSED_ANNOTATION) == "true"


def managed_count(snapshot: Snapshot) -> int:
    """Return how many record sets are ours."""
    return len(snapshot.items) - sum(item.facts.mark is None for item in snapshot.restless.values())


def override_live(snapshot: Snapshot, work: ZoneWork, said: dict[ObjectKey, Outcome]) -> None:
    """Let items that stay say what their unaccepted zone makes of them, whatever their record sets are like."""
    for key, other in said.items():
        if not snapshot.items[key].leaving:
            mine = work.items.get(key)
            work.items[key] = other if mine is None else replace(other, mark=mine.mark)


def zone_condition(snapshot: Snapshot, type_: ConditionType) -> Fact | None:
    """Return a condition of the zone as it stands in status."""
    status = snapshot.unit.status.zone
    return fact(status.conditions, type_) if status is not None else None


def zone_notice(snapshot: Snapshot, reason: str, note: str, action: str) -> Notice:
    """Return a Normal Event on the unit's Zone."""
    return Notice("Zone", snapshot.zone_key, reason, note, action)
