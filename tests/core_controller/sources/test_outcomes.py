"""What became of a RecordSet, told on the objects that it comes from."""

from typing import Any

import pytest

from core_controller.sources.outcomes import outcome_findings
from libdnsapi.api.dns.recordset import RecordSet

OUTCOMES = [
    # condition, its status and reason, told as reason, a warning
    ("Programmed", "True", "Programmed", "RecordSetProgrammed", False),
    ("Programmed", "False", "ProviderInvalidRequest", "ProviderInvalidRequest", True),
    ("Programmed", "False", "ProviderConflict", "ProviderConflict", True),
    ("Programmed", "False", "ProviderChangePending", "ProviderChangePending", False),
    ("Programmed", "False", "ProviderChangeDeferred", "ProviderChangeDeferred", False),
    ("Accepted", "False", "NotAllowedByZone", "NotAllowedByZone", True),
    ("Accepted", "True", "Accepted", None, False),
    ("Accepted", "Unknown", "ZoneNotResolved", None, False),
]


def record_set(*conditions: dict[str, Any]) -> RecordSet:
    return RecordSet.model_validate(
        {
            "metadata": {"name": "web", "namespace": "apps"},
            "spec": {
                "zoneRef": {"namespace": "dns", "name": "example-com"},
                "provider": {"name": "route53.dns.appthrust.io", "version": "v1alpha1"},
                "type": "A",
                "name": "www",
                "a": {"addresses": ["192.0.2.1"]},
            },
            "status": {"conditions": list(conditions)},
        }
    )


@pytest.mark.parametrize(("type_", "status", "reason", "told", "warning"), OUTCOMES)
@pytest.mark.spec("ROUTE-ST-014")
def test_an_outcome_is_told_once_and_as_what_it_is(
    type_: str, status: str, reason: str, told: str | None, warning: bool
) -> None:
    """Cases 57, 60."""
    condition = {
        "type": type_,
        "status": status,
        "reason": reason,
        "message": "so",
        "observedGeneration": 1,
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }
    after = record_set(condition)

    found = outcome_findings(record_set(), after)

    assert [(one.reason, one.warning) for one in found] == ([(told, warning)] if told is not None else [])
    assert outcome_findings(after, after) == []


@pytest.mark.parametrize(
    ("status", "reason", "told"),
    [
        ("True", "Programmed", ["RecordSetProgrammed"]),
        ("False", "ProviderConflict", ["ProviderConflict"]),
        ("False", "ProviderChangePending", []),
    ],
)
def test_what_came_of_an_edit_is_told_though_nothing_was_said_in_between(
    status: str, reason: str, told: list[str]
) -> None:
    """The status that says no more than that the provider is at work is most often never written."""
    first = {
        "type": "Programmed",
        "status": status,
        "reason": reason,
        "message": "so",
        "observedGeneration": 1,
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }
    found = outcome_findings(record_set(first), record_set({**first, "observedGeneration": 2}))
    assert [one.reason for one in found] == told
