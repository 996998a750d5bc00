"""What record sets say while their zone cannot be worked on: without a usable class, identity or hosted zone."""

from libdnsapi.api.conditions import ConditionStatus, ConditionType, Verdict
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.reasons import Reason
from route53_controller.failures import consequence
from route53_controller.zoneunit.plan import outcomes
from route53_controller.zoneunit.plan.acceptance import Acceptance
from route53_controller.zoneunit.plan.outcomes import Outcome, outcome, unprogrammed
from route53_controller.zoneunit.snapshot import Fact, Hold, Item, Mark, Snapshot


def without_service(snapshot: Snapshot, acceptance: Acceptance) -> dict[ObjectKey, Outcome]:
    """Return the outcomes while Route 53 cannot be asked or the zone is not accepted."""
    accepted, programmed = acceptance.accepted, acceptance.programmed
    results, external = {}, external_keys(snapshot)
    for key, item in snapshot.items.items():
        if item.leaving and key not in external:
            results[key] = _completed(item)
        elif programmed is not None:
            fact = unprogrammed(item, programmed.reason, programmed.message)
            results[key] = outcome(item, fact, mark=item.facts.mark, rejected=item.facts.rejected)
        else:
            results[key] = not_accepted(item, accepted)
    return results


def not_accepted(item: Item, zone: Verdict) -> Outcome:
    """Return the outcome of an item whose zone is not accepted (case 76) or not decided upon."""
    if zone.status is ConditionStatus.FALSE:
        fact = Fact(ConditionStatus.FALSE, Reason.ZONE_NOT_ACCEPTED, f"The zone: {zone.message}", item.generation)
    else:
        fact = Fact(ConditionStatus.UNKNOWN, zone.reason, f"The zone: {zone.message}", item.generation)
    return Outcome(fact, item.facts.programmed, item.facts.mark, item.facts.rejected, item.facts.deletion_completed)


def without_zone(snapshot: Snapshot, refusal: Verdict, *, nothing_there: bool) -> dict[ObjectKey, Outcome]:
    """Return the outcomes while there is no hosted zone to work with.

    `nothing_there`: no record set of ours can exist, so what is leaving has left.
    """
    results, external = {}, external_keys(snapshot)
    for key, item in snapshot.items.items():
        if item.leaving and (nothing_there or key not in external):
            results[key] = _completed(item)
        elif refusal.type == ConditionType.ACCEPTED:
            results[key] = not_accepted(item, refusal)
        else:
            fact = unprogrammed(item, refusal.reason, f"The zone: {refusal.message}")
            results[key] = outcome(item, fact, mark=item.facts.mark, rejected=item.facts.rejected)
    return results


def unread(snapshot: Snapshot, hold: Hold | None) -> dict[ObjectKey, Outcome]:
    """Return the outcomes before the first complete reading: what was said of the present content stays."""
    results, external = {}, external_keys(snapshot)
    for key, item in snapshot.items.items():
        said = item.facts.programmed
        if item.leaving and key not in external:
            results[key] = _completed(item)
        elif said is not None and said.generation == item.generation:
            results[key] = outcome(item, None, mark=item.facts.mark, rejected=item.facts.rejected)
        else:
            fact = outcomes.failed(item, hold.error) if hold else outcomes.reconciling(item)
            results[key] = outcome(item, fact, mark=item.facts.mark, rejected=item.facts.rejected)
    return results


def external_keys(snapshot: Snapshot) -> frozenset[ObjectKey]:
    """Return the items whose record sets may stand at Route 53 for them alone: a mark or an intent says so.

    What the unit that holds the hosted zone has there itself is that unit's.
    """
    zone_id, taken = snapshot.state.hosted_zone_id, snapshot.holder_marks
    if not zone_id:
        return frozenset()
    intended = {affected.key for _, affected in snapshot.state.intents()}
    return frozenset(
        key
        for key, item in snapshot.items.items()
        if (item.facts.mark is not None or key in intended) and Mark(zone_id, item.name, item.type) not in taken
    )


def _completed(item: Item) -> Outcome:
    return outcome(item, outcomes.pending(item), completed=True)


def keeps_programmed(said: Fact | None, hold: Hold, generation: int) -> bool:
    """Whether a failed reading leaves Programmed=True standing: a passing trouble changes nothing at Route 53."""
    transient = consequence(hold.error).reason in (Reason.PROVIDER_UNAVAILABLE, Reason.PROVIDER_CHANGE_PENDING)
    return said is not None and said.status == ConditionStatus.TRUE and said.generation == generation and transient
