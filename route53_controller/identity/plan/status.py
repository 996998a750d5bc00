"""From verdicts to the status that is written and the Events that tell of changes. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from libdnsapi.api.conditions import Condition, ConditionType, Verdict, changed_conditions, with_verdict
from libdnsapi.api.route53.identity import Route53IdentityStatus
from route53_controller.identity.plan.acceptance import acceptance
from route53_controller.identity.plan.readiness import next_check, readiness
from route53_controller.identity.snapshot import Check, Snapshot


@dataclass(frozen=True, slots=True)
class Plan:
    """What to write (None where status is right already), which conditions to tell of, and when to come back."""

    status: Route53IdentityStatus | None
    told: tuple[Condition, ...] = ()
    requeue_after: timedelta | None = None


def needs_credentials(snapshot: Snapshot) -> bool:
    """Whether the spec is acceptable, so that its credentials are worth a check."""
    return acceptance(snapshot).is_true


def plan(snapshot: Snapshot) -> Plan:
    """Decide about an identity from its spec and its last live check, which must be current if there is one."""
    accepted = acceptance(snapshot)
    if not accepted.is_true or snapshot.last is None:
        return _planned(snapshot, (accepted,), None, None)
    check = snapshot.last
    ready = readiness(snapshot.identity.spec.account_id, check)
    return _planned(snapshot, (accepted, ready), check, next_check(check, ready, snapshot.intervals))


def _planned(snapshot: Snapshot, verdicts: tuple[Verdict, ...], check: Check | None, due: datetime | None) -> Plan:
    old = snapshot.identity.status
    conditions = _conditions(snapshot, verdicts)
    new = Route53IdentityStatus(
        observed_generation=snapshot.identity.metadata.generation,
        account_id=_account(old, check),
        last_credential_check_time=_second(check.finished_at) if check else old.last_credential_check_time,
        next_credential_check_time=_second(due) if due else None,
        conditions=conditions,
        **_discovered(snapshot, check),
    )
    told = changed_conditions(old.conditions, conditions)
    requeue_after = None if due is None else max(due - snapshot.now, timedelta(seconds=1))
    return Plan(None if _wire(new) == _wire(old) else new, told, requeue_after)


def _conditions(snapshot: Snapshot, verdicts: tuple[Verdict, ...]) -> tuple[Condition, ...]:
    """Return the conditions with these verdicts; Ready goes where nothing is known of the credentials."""
    generation = snapshot.identity.metadata.generation
    types = {verdict.type for verdict in verdicts}
    conditions = tuple(
        each for each in snapshot.identity.status.conditions if each.type != ConditionType.READY or each.type in types
    )
    for verdict in verdicts:
        conditions = with_verdict(conditions, verdict, generation, snapshot.now)
    return conditions


def _account(old: Route53IdentityStatus, check: Check | None) -> str | None:
    """Return what STS said last; a check that got no answer changes nothing about that."""
    return check.account if check and check.account else old.account_id


def _discovered(snapshot: Snapshot, check: Check | None) -> dict[str, object]:
    """Return the fields of zone discovery: the last list that could be taken, nothing where it is off."""
    discovery = snapshot.identity.spec.zone_discovery
    old = snapshot.identity.status
    if discovery is None or not discovery.enabled:
        return {}
    found = check.discovery if check else None
    if found is None or found.error is not None:
        return {"hosted_zones": old.hosted_zones, "hosted_zones_truncated": old.hosted_zones_truncated}
    return {"hosted_zones": found.zones, "hosted_zones_truncated": found.truncated or None}


def _second(moment: datetime) -> datetime:
    return moment.replace(microsecond=0)


def _wire(status: Route53IdentityStatus) -> object:
    return status.model_dump(mode="json", by_alias=True, exclude_none=True)
