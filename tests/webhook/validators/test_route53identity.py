"""Route53Identity rules."""

import pytest
from pydantic import JsonValue

from tests.webhook.objects import condition, creation, identity, status_update
from webhook.answer import message
from webhook.validators import route53identity
from webhook.validators.snapshot import Snapshot

ROLE: JsonValue = {"roleARN": "arn:aws:iam::111122223333:role/dns"}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"spec__credentials": {"secretRef": {"name": "aws"}}},
        {"spec__assumeRoleChain": [ROLE], "spec__region": "us-gov-west-1"},
        {"spec__zoneDiscovery": {"enabled": True, "domains": ["example.com"]}},
    ],
)
def test_a_valid_identity_is_allowed(changes: dict[str, JsonValue]) -> None:
    assert route53identity.validate_spec(creation(identity(**changes)), Snapshot()).problems == ()


@pytest.mark.spec("R53-ID-002", "R53-ID-003", "R53-ID-004", "R53-ID-010")
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"spec__accountID": "12"}, "spec.accountID: must be an AWS account id: twelve digits"),
        ({"spec__region": None}, "spec.region: is required"),
        ({"spec__region": 1}, "spec.region: must be a string"),
        ({"spec__region": "Frankfurt"}, "spec.region: must be an AWS region such as eu-central-1"),
        ({"spec__credentials": None}, "spec.credentials: is required"),
        ({"spec__credentials": {}}, "spec.credentials: must have exactly one of runtime and secretRef"),
        (
            {"spec__credentials": {"runtime": {}, "secretRef": {"name": "aws"}}},
            "spec.credentials: must have exactly one of runtime and secretRef",
        ),
        (
            {"spec__credentials": {"secretRef": {"name": "A"}}},
            "spec.credentials.secretRef.name: is no legal object name",
        ),
        ({"spec__region": "eus-de-east-1"}, "spec.region: must be an AWS region such as eu-central-1"),
        (
            {"spec__assumeRoleChain": [{"roleARN": "arn:aws-isoz:iam::111122223333:role/dns"}]},
            "spec.assumeRoleChain[0].roleARN: must be the ARN of an IAM role",
        ),
        (
            {"spec__assumeRoleChain": [{"roleARN": "arn:aws:iam::1:user/someone"}]},
            "spec.assumeRoleChain[0].roleARN: must be the ARN of an IAM role",
        ),
        (
            {"spec__assumeRoleChain": [{"roleARN": "arn:aws:iam::111122223333:role/dns", "sessionName": "dns api"}]},
            "spec.assumeRoleChain[0].sessionName: must be letters, digits and _",
        ),
        (
            {"spec__zoneDiscovery": {"enabled": True, "domains": ["example.com."]}},
            "spec.zoneDiscovery.domains[0]: must not end with a dot",
        ),
        (
            {"spec__zoneDiscovery": {"enabled": True, "domains": ["example.com", "example.com"]}},
            "spec.zoneDiscovery.domains[1]: is listed twice",
        ),
    ],
)
def test_a_bad_identity_is_refused(changes: dict[str, JsonValue], expected: str) -> None:
    answer = route53identity.validate_spec(creation(identity(**changes)), Snapshot())
    assert expected in message(answer.problems)
    assert len(answer.problems) == 1


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ({"conditions": [condition("Ready", "False", "AccountMismatch")]}, ""),
        ({"conditions": [condition("Ready", "False", "Sleepy")]}, '"Sleepy" is no reason for Ready=False'),
        ({"observedGeneration": 4}, "status.observedGeneration: must be at most"),
    ],
)
def test_a_status_has_known_conditions(status: dict[str, JsonValue], expected: str) -> None:
    answer = route53identity.validate_status(status_update(identity(), status), Snapshot())
    if expected:
        assert expected in message(answer.problems)
    else:
        assert answer.allowed
