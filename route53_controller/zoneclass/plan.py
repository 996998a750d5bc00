"""Decides whether a class is acceptable: an ordered list of small checks, then the status to write. Pure.

Source: provider seed, Route 53 ZoneClass controller; core seed, ZoneClass Accepted reasons.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from libdnsapi.api.conditions import (
    Condition,
    ConditionStatus,
    ConditionType,
    Verdict,
    changed_conditions,
    find_condition,
    is_current,
    with_verdict,
)
from libdnsapi.api.dns.zoneclass import ZoneClassStatus
from libdnsapi.api.reasons import Reason
from libdnsapi.api.verdicts import accepted, refused, undecided
from route53_controller.parameters import ParametersProblem
from route53_controller.zoneclass.snapshot import Snapshot
from route53_controller.zoneclass.tags import reserved_tag_problem, tag_limit_problem

RETRY = timedelta(seconds=30)
AcceptanceCheck = Callable[[Snapshot], Verdict | None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to write (None where status is right already), what to tell of, and when to come back without an event."""

    status: ZoneClassStatus | None
    told: tuple[Condition, ...] = ()
    requeue_after: timedelta | None = None


def plan(snapshot: Snapshot) -> Plan:
    """Decide about a class."""
    old = snapshot.zone_class.status.conditions
    if _holds(snapshot):
        return Plan(None)
    verdict = acceptance(snapshot)
    new = with_verdict(old, verdict, snapshot.zone_class.metadata.generation, snapshot.now)
    retry = isinstance(snapshot.parameters, ParametersProblem) and snapshot.parameters.retry
    told = changed_conditions(old, new)
    return Plan(None if new == old else ZoneClassStatus(conditions=new), told, RETRY if retry else None)


def _holds(snapshot: Snapshot) -> bool:
    """Whether an accepted class stays so for a moment: its identity was edited and is being looked at again.

    Else each edit of an identity would turn every Zone and RecordSet of its account to Unknown and back. The zones
    themselves are left alone until the identity is judged.
    """
    said = find_condition(snapshot.zone_class.status.conditions, ConditionType.ACCEPTED)
    was_accepted = said is not None and said.is_true
    return was_accepted and snapshot.identity is not None and snapshot.identity.is_looked_at_again


def acceptance(snapshot: Snapshot) -> Verdict:
    """Return Accepted of the class: the first check that objects, or True."""
    for check in _CHECKS:
        objection = check(snapshot)
        if objection is not None:
            return objection
    return accepted("Provider, parameters and identity are acceptable")


def _parameters(snapshot: Snapshot) -> Verdict | None:
    problem = snapshot.parameters
    if isinstance(problem, ParametersProblem):
        message = problem.message[:1].upper() + problem.message[1:]
        return Verdict(type=ConditionType.ACCEPTED, status=problem.status, reason=problem.reason, message=message)
    return None


def _rules(snapshot: Snapshot) -> Verdict | None:
    if not snapshot.rule_problems:
        return None
    found = "; ".join(map(str, snapshot.rule_problems))
    return refused(Reason.INVALID_PARAMETERS, found)


def _reserved_tags(snapshot: Snapshot) -> Verdict | None:
    return _refusal(Reason.DENIED_BY_POLICY, reserved_tag_problem(_tags(snapshot)))


def _tag_limits(snapshot: Snapshot) -> Verdict | None:
    return _refusal(Reason.INVALID_PARAMETERS, tag_limit_problem(_tags(snapshot)))


def _identity(snapshot: Snapshot) -> Verdict | None:
    """Object to an identity that is missing or not accepted; whether its credentials work is no matter here."""
    identity, name = snapshot.identity, snapshot.zone_class.spec.identity_ref.name
    if identity is None:
        return _unresolved(f"The Route53Identity {name} does not exist in this namespace")
    said = find_condition(identity.status.conditions, ConditionType.ACCEPTED)
    if said is None or not is_current(said, identity.metadata.generation):
        return _unresolved(f"The Route53Identity {name} was not looked at yet")
    match said.status:
        case ConditionStatus.TRUE:
            return None
        case ConditionStatus.FALSE:
            return _refusal(
                Reason.INVALID_IDENTITY_REF, f"The Route53Identity {name} is not accepted; its status says why"
            )
        case _:
            return _unresolved(f"The Route53Identity {name} is not accepted yet; its status says why")


def _tags(snapshot: Snapshot) -> dict[str, str]:
    return {} if isinstance(snapshot.parameters, ParametersProblem) else snapshot.parameters.tags


def _refusal(reason: Reason, problem: str) -> Verdict | None:
    return refused(reason, problem) if problem else None


def _unresolved(message: str) -> Verdict:
    return undecided(Reason.IDENTITY_NOT_RESOLVED, message)


_CHECKS: tuple[AcceptanceCheck, ...] = (_parameters, _rules, _reserved_tags, _tag_limits, _identity)
