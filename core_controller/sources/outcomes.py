"""What became of a published RecordSet, told on the objects that it comes from (case 60). Pure."""

from core_controller.sources.annotations import Finding
from libdnsapi.api.conditions import Condition, ConditionType, changed, find_condition
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.reasons import Reason

PASSING = frozenset({Reason.PROVIDER_CHANGE_PENDING, Reason.PROVIDER_CHANGE_DEFERRED, Reason.RECONCILING})
"""Reasons of Programmed=False that are nobody's trouble: work goes on."""


def outcome_findings(old: RecordSet, new: RecordSet) -> list[Finding]:
    """Return what to tell about a change of status: refused, failed at the provider, or live."""
    findings = []
    for type_ in (ConditionType.ACCEPTED, ConditionType.PROGRAMMED):
        now = find_condition(new.status.conditions, type_)
        before = find_condition(old.status.conditions, type_)
        if now is None or not _is_news(before, now):
            continue
        shown = f"RecordSet {new.metadata.name} ({new.spec.type} {new.spec.name})"
        if now.is_false:
            warning = now.reason not in PASSING
            findings.append(Finding(now.reason, f"{shown} is not {type_}: {now.message}", warning=warning))
        elif now.is_true and type_ is ConditionType.PROGRAMMED:
            findings.append(Finding("RecordSetProgrammed", f"{shown} is live", warning=False))
    return findings


def _is_news(before: Condition | None, now: Condition) -> bool:
    """Whether a condition says something new; what came of an edit is new, though nothing was said in between."""
    if before is None or changed(before, now):
        return True
    edited = before.observed_generation != now.observed_generation
    return edited and now.type == ConditionType.PROGRAMMED and now.reason not in PASSING
