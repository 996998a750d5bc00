"""additionalConditionReasons: well-formed, new, and told once."""

import re
from collections.abc import Iterator, Sequence

from libdnsapi.api.conditions import ConditionStatus, ConditionType
from libdnsapi.api.dns.provider import AdditionalConditionReason
from libdnsapi.api.reasons import is_known
from libdnsapi.contract.targets import CORE_REASONS, Target
from libdnsapi.dns.problems import Problem

_TYPES = (ConditionType.ACCEPTED, ConditionType.PROGRAMMED)
_CAMEL_CASE = re.compile(r"[A-Z][A-Za-z0-9]*")


def reason_problems(reasons: Sequence[AdditionalConditionReason], target: Target) -> Iterator[Problem]:
    """Yield findings about a target's additional reasons."""
    seen: set[tuple[str, str, str]] = set()
    for index, reason in enumerate(reasons):
        path = f"additionalConditionReasons[{index}]"
        identity = (reason.condition_type, reason.status, reason.reason)
        yield from _field_problems(path, reason)
        if is_known(CORE_REASONS[target], *identity):
            yield Problem(f"{path}.reason", f"{reason.reason} is a core reason of this type and status")
        if identity in seen:
            yield Problem(path, f"repeats {' '.join(identity)}")
        seen.add(identity)


def _field_problems(path: str, reason: AdditionalConditionReason) -> Iterator[Problem]:
    if reason.condition_type not in _TYPES:
        yield Problem(f"{path}.conditionType", f"must be one of {', '.join(_TYPES)}")
    if reason.status not in list(ConditionStatus):
        yield Problem(f"{path}.status", f"must be one of {', '.join(ConditionStatus)}")
    if not _CAMEL_CASE.fullmatch(reason.reason):
        yield Problem(f"{path}.reason", "must be CamelCase, such as PlanUpgradeRequired")
    if not reason.description.strip():
        yield Problem(f"{path}.description", "must not be blank")
