"""Putting a plan together: the zone's outcome, the aggregate, and only what is news."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from libdnsapi.api.conditions import ConditionStatus, ConditionType, Verdict
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.reasons import Reason
from route53_controller.aws.api import HostedZone
from route53_controller.failures import consequence, failure_message
from route53_controller.zoneunit.plan import outcomes
from route53_controller.zoneunit.plan.actions import Plan, StatusPlan, ZoneOutcome
from route53_controller.zoneunit.plan.aggregate import aggregate
from route53_controller.zoneunit.plan.outcomes import Outcome
from route53_controller.zoneunit.plan.times import earliest
from route53_controller.zoneunit.plan.unmanaged import keeps_programmed
from route53_controller.zoneunit.plan.work import ZoneWork, zone_condition
from route53_controller.zoneunit.snapshot import Fact, Hold, Item, Observation, Snapshot


def zone_fact(snapshot: Snapshot, verdict: Verdict) -> Fact:
    """Return a verdict on the zone as a fact at the Zone's generation."""
    return Fact(verdict.status, verdict.reason, verdict.message, snapshot.zone_generation)


def zone_unprogrammed(snapshot: Snapshot, reason: Reason | str, message: str) -> Fact:
    """Return Programmed=False of the zone."""
    return Fact(ConditionStatus.FALSE, reason, message, snapshot.zone_generation)


def zone_failed(snapshot: Snapshot, hold: Hold) -> Fact | None:
    """Return what a failed call makes of the zone's Programmed; None leaves it as it is."""
    said = zone_condition(snapshot, ConditionType.PROGRAMMED)
    if keeps_programmed(said, hold, snapshot.zone_generation):
        return None
    return zone_unprogrammed(snapshot, consequence(hold.error).reason, failure_message(hold.error))


def zone_programmed(snapshot: Snapshot, zone: HostedZone) -> Fact:
    """Return Programmed=True of the zone."""
    message = f"Hosted zone {zone.id} serves {snapshot.unit.spec.zone.domain_name}."
    return Fact(ConditionStatus.TRUE, Reason.PROGRAMMED, message, snapshot.zone_generation)


def with_held(said: Fact, held: str) -> Fact:
    """Return what is said of the zone's Programmed, whatever it is, with what to tell of deletions that are held."""
    return said._replace(message=f"{said.message} {held}".rstrip())


def assemble(
    snapshot: Snapshot, observation: Observation, zone: ZoneOutcome, work: ZoneWork, *, again: bool = False
) -> Plan:
    """Return the plan: outcomes that say something new, the aggregate over all, and when to look again."""
    news = {
        key: said
        for key, said in work.items.items()
        if key in snapshot.items and not outcomes.says_nothing_new(snapshot.items[key], said)
    }
    early, told_at = _early(snapshot, work, news)
    programmed = zone.programmed or zone_condition(snapshot, ConditionType.PROGRAMMED)
    total = aggregate(zone, programmed, snapshot.unsteady(news), news, snapshot.unit.metadata.generation)
    return Plan(
        status=StatusPlan(work.state, zone, news, total, early),
        actions=tuple(work.actions),
        notices=tuple(work.notices),
        wake_at=earliest(work.wake_at, _parameters_at(snapshot), *_holds(observation), observation.next_read, told_at),
        again=again,
        due_at=work.due_at,
        open_names=work.open_names,
    )


def _early(
    snapshot: Snapshot, work: ZoneWork, news: Mapping[ObjectKey, Outcome]
) -> tuple[frozenset[ObjectKey], datetime | None]:
    """Return what of the news can wait, and until when: items whose change went a moment ago, and nothing else of them.

    The ZoneUnit's intents say all that is needed if this process ends meanwhile. What went in the future by this clock,
    as by that of a leader before us, may have gone long ago.
    """
    quiet = snapshot.settings.pending_quiet
    since = {
        affected.key: change.submitted_at
        for change in work.state.pending_record_set_changes
        for affected in change.affected_record_sets
        if timedelta() <= snapshot.now - change.submitted_at < quiet
    }
    early = frozenset(key for key in since if key in news and _is_passing(snapshot.items[key], news[key]))
    return early, min((since[key] + quiet for key in early), default=None)


def _is_passing(item: Item, said: Outcome) -> bool:
    """Whether an outcome says of an item no more than that its change is being made."""
    return said == outcomes.outcome(item, outcomes.pending(item), mark=item.facts.mark, rejected=item.facts.rejected)


def _parameters_at(snapshot: Snapshot) -> datetime | None:
    return snapshot.now + snapshot.settings.later_first if snapshot.parameters_retry else None


def _holds(observation: Observation) -> list[datetime]:
    holds = (observation.reading, observation.writing, observation.tagging)
    return [hold.until for hold in holds if hold is not None]
