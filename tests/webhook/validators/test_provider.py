"""Provider rules that need to know who uses it; what it says is checked with the contract itself."""

from dataclasses import replace

import pytest
from pydantic import JsonValue

from libdnsapi.api.meta import JsonObject
from tests.webhook.objects import creation, deletion, provider, update, version_contract
from webhook.answer import Refusal, message
from webhook.validators import provider as rules
from webhook.validators.snapshot import Snapshot, Usage

USERS = {"v1": Usage(2, "Zone app/example-com"), "v1beta1": Usage(1, "RecordSet app/www")}
STORED: JsonObject = {**version_contract("v1"), "storage": True}
BETA = version_contract("v1beta1")


def test_the_test_provider_is_valid(snapshot: Snapshot) -> None:
    assert rules.validate_spec(creation(provider()), snapshot).problems == ()


def test_a_bad_provider_is_refused_with_paths(snapshot: Snapshot) -> None:
    answer = rules.validate_spec(creation(provider(spec__display={"name": ""}, spec__versions=[BETA])), snapshot)
    assert {problem.path for problem in answer.problems} >= {"spec.display.name", "spec.versions"}


@pytest.mark.spec("PC-AD-010")
@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        (
            [STORED],
            'spec.versions: version "v1beta1" cannot be removed: it is used by 1 object, such as RecordSet app/www',
        ),
        (
            [STORED, {**BETA, "served": False}],
            'spec.versions[1].served: version "v1beta1" must stay served: '
            "it is used by 1 object, such as RecordSet app/www",
        ),
    ],
)
def test_a_used_version_stays(versions: list[JsonValue], expected: str, snapshot: Snapshot) -> None:
    """Case 71, its first half: what claims use is not taken away."""
    review = update(provider(), provider(spec__versions=versions))
    assert message(rules.validate_spec(review, replace(snapshot, usage=USERS)).problems) == expected
    assert rules.validate_spec(review, snapshot).allowed


@pytest.mark.spec("PC-AD-011")
def test_storage_stays_while_there_are_ledgers(snapshot: Snapshot) -> None:
    moved: list[JsonValue] = [
        {**STORED, "storage": False, "deprecated": True, **_converting(STORED)},
        {**BETA, "storage": True},
    ]
    review = update(provider(), provider(spec__versions=moved))
    used = replace(snapshot, ledgers=Usage(7, "ZoneUnit app/example-com"))
    assert message(rules.validate_spec(review, used).problems) == (
        'spec.versions: storage cannot move from "v1" to "v1beta1": 7 objects, such as ZoneUnit app/example-com '
        "would keep the old version, which is immutable there"
    )
    assert rules.validate_spec(review, snapshot).allowed


def _converting(version: JsonObject) -> JsonObject:
    """Return the version's targets, each with a conversion."""
    conversion: JsonObject = {"conversion": {"toStorage": {"cel": "self"}}}
    found: JsonObject = {}
    for target in ("zoneClass", "zone", "recordSet"):
        contract = version[target]
        assert isinstance(contract, dict)
        found[target] = {**contract, **conversion}
    return found


@pytest.mark.spec("PC-AD-008")
def test_a_provider_in_use_is_not_deleted(snapshot: Snapshot) -> None:
    answer = rules.validate_delete(deletion(provider()), replace(snapshot, usage=USERS))
    assert answer.refusal is Refusal.CONFLICT
    assert message(answer.problems) == (
        "Provider example.dns.appthrust.io is still used by 3 objects, such as Zone app/example-com; "
        "delete or move them first"
    )


def test_an_unused_provider_is_deleted(snapshot: Snapshot) -> None:
    assert rules.validate_delete(deletion(provider()), snapshot).allowed
