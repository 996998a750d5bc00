"""ZoneClass rules."""

import pytest
from pydantic import JsonValue

from tests.webhook.objects import condition, creation, status_update, update, zone_class
from webhook.answer import message
from webhook.validators import zoneclass
from webhook.validators.snapshot import Snapshot

SELECTOR: JsonValue = {"namespaces": {"from": "Selector"}}


@pytest.mark.spec("CORE-ZC-013")
def test_a_valid_class_is_allowed(snapshot: Snapshot) -> None:
    assert zoneclass.validate_spec(creation(zone_class()), snapshot).allowed


@pytest.mark.spec("CORE-ZC-004", "CORE-ZC-005", "CORE-ZC-007", "CORE-ZC-009", "CORE-ZC-013", "PC-AM-004")
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"spec__provider__name": "absent"}, 'spec.provider.name: Provider "absent" does not exist'),
        ({"spec__provider__version": "v9"}, "spec.provider.version: Provider example.dns.appthrust.io has no version"),
        ({"spec__provider__version": "v0"}, 'spec.provider.version: version "v0" of Provider'),
        ({"spec__controllerName": "route53.dns.appthrust.io"}, "spec.controllerName: must be a domain, a slash"),
        ({"spec__controllerName": "example.org/a/b"}, "spec.controllerName: must be a domain, a slash"),
        ({"spec__identityRef": None}, "spec.identityRef: is required"),
        ({"spec__identityRef__name": "Not A Name"}, "spec.identityRef.name: is no legal object name"),
        ({"spec__parameters": {"plan": "tiny"}}, "spec.parameters.plan: "),
        ({"spec__parameters": {"size": 1}}, "spec.parameters"),
        ({"spec__parameters": {"plan": "large"}}, "no large"),
        ({"spec__parameters": None}, "spec.parameters: is required"),
        ({"spec__allowedZones": SELECTOR}, "spec.allowedZones.namespaces.selector: is required when from is Selector"),
        (
            {"spec__allowedZones__namespaces__from": "Some"},
            "spec.allowedZones.namespaces.from: must be one of Same, Selector, All",
        ),
        (
            {"spec__allowedZones": {"namespaces": {"from": "Selector", "selector": {"matchLabels": {"a b": "c"}}}}},
            'spec.allowedZones.namespaces.selector.matchLabels[a b]: "a b" is no label key',
        ),
        (
            {"spec__allowedZones__domainNames": ["Example.com"]},
            "spec.allowedZones.domainNames[0]: must be lower case: write example.com",
        ),
        (
            {"spec__allowedZones__domainNames": ["a.com", "a.com"]},
            "spec.allowedZones.domainNames[1]: is listed twice",
        ),
    ],
)
def test_a_bad_class_is_refused(changes: dict[str, JsonValue], expected: str, snapshot: Snapshot) -> None:
    answer = zoneclass.validate_spec(creation(zone_class(**changes)), snapshot)
    assert expected in message(answer.problems)
    assert len(answer.problems) == 1


def test_an_empty_selector_selects_everything(snapshot: Snapshot) -> None:
    allowed: JsonValue = {"namespaces": {"from": "Selector", "selector": {}}}
    assert zoneclass.validate_spec(creation(zone_class(spec__allowedZones=allowed)), snapshot).allowed


def test_a_selector_without_effect_is_warned_about(snapshot: Snapshot) -> None:
    allowed: JsonValue = {"namespaces": {"selector": {"matchLabels": {"a": "b"}}}}
    answer = zoneclass.validate_spec(creation(zone_class(spec__allowedZones=allowed)), snapshot)
    assert (answer.allowed, len(answer.warnings)) == (True, 1)


@pytest.mark.spec("PC-PV-006")
def test_a_deprecated_version_is_warned_about(snapshot: Snapshot) -> None:
    answer = zoneclass.validate_spec(creation(zone_class(spec__provider__version="v1beta1")), snapshot)
    assert answer.warnings == ('version "v1beta1" of Provider example.dns.appthrust.io is deprecated; use v1',)
    assert answer.allowed


@pytest.mark.spec("CORE-ZC-001")
@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"spec__provider__version": "v1beta1"}, "spec.provider"),
        ({"spec__controllerName": "example.dns.appthrust.io/other"}, "spec.controllerName"),
    ],
)
def test_provider_and_controller_never_change(changes: dict[str, JsonValue], path: str, snapshot: Snapshot) -> None:
    answer = zoneclass.validate_spec(update(zone_class(), zone_class(**changes)), snapshot)
    assert [problem.path for problem in answer.problems] == [path]
    assert "is immutable" in answer.problems[0].message


def test_identity_and_parameters_may_change(snapshot: Snapshot) -> None:
    new = zone_class(spec__identityRef__name="other", spec__parameters={})
    assert zoneclass.validate_spec(update(zone_class(), new), snapshot).allowed


@pytest.mark.spec("CORE-ZC-011", "PC-AM-008")
@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ([condition("Accepted", "True", "Accepted")], ""),
        ([condition("Accepted", "Unknown", "IdentityNotResolved")], ""),
        ([condition("Accepted", "False", "Accepted")], 'status.conditions[0].reason: "Accepted" is no reason for'),
        ([condition("Programmed", "True", "Programmed")], 'status.conditions[0].type: "Programmed" is unknown'),
        ([condition("Accepted", "True", "Accepted", 4)], "status.conditions[0].observedGeneration: must be at most"),
    ],
)
def test_a_status_has_known_conditions(conditions: list[JsonValue], expected: str, snapshot: Snapshot) -> None:
    answer = zoneclass.validate_status(status_update(zone_class(), {"conditions": conditions}), snapshot)
    assert (answer.allowed, expected) == (True, "") if not expected else expected in message(answer.problems)
