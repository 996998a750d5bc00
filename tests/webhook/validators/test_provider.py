"""Provider rules that need to know who uses it; what it says is checked with the contract itself."""

from dataclasses import replace

import pytest
from pydantic import JsonValue

from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.meta import JsonObject
from libdnsapi.contract.cel.interpreter import InterpretingEngine
from libdnsapi.contract.versions import compile_contract
from tests.webhook.objects import (
    PROVIDER,
    creation,
    deletion,
    provider,
    record_set,
    update,
    version_contract,
    zone,
    zone_class,
)
from webhook.answer import Refusal, message
from webhook.entries import Rule
from webhook.validators import provider as rules
from webhook.validators import recordset
from webhook.validators import zone as zone_rules
from webhook.validators import zoneclass as class_rules
from webhook.validators.snapshot import Snapshot, Usage

USERS = {"v1": Usage(2, "Zone app/example-com"), "v1beta1": Usage(1, "RecordSet app/www")}
STORED: JsonObject = {**version_contract("v1"), "storage": True}
BETA = version_contract("v1beta1")


def test_the_test_provider_is_valid(snapshot: Snapshot) -> None:
    assert rules.validate_spec(creation(provider()), snapshot).problems == ()


def test_a_bad_provider_is_refused_with_paths(snapshot: Snapshot) -> None:
    answer = rules.validate_spec(creation(provider(spec__display={"name": ""}, spec__versions=[BETA])), snapshot)
    assert {problem.path for problem in answer.problems} >= {"spec.display.name", "spec.versions"}


@pytest.mark.parametrize(
    ("section", "kind", "document", "rule"),
    [
        ("zoneClass", "ZoneClass", zone_class(), class_rules.validate_spec),
        ("zone", "Zone", zone(), zone_rules.validate_spec),
        ("recordSet", "RecordSet", record_set(), recordset.validate_spec),
    ],
)
def test_a_version_that_says_nothing_of_a_kind_is_not_for_it(
    section: str, kind: str, document: JsonObject, rule: Rule
) -> None:
    version: JsonObject = {name: value for name, value in STORED.items() if name != section}
    contract = compile_contract(Provider.model_validate(provider(spec__versions=[version])), InterpretingEngine())
    answer = rule(creation(document), Snapshot(contracts={PROVIDER: contract}))
    assert message(answer.problems) == (
        f'spec.provider.version: version "v1" of Provider {PROVIDER} has no contract for the kind {kind}'
    )


def test_an_edit_makes_no_good_provider_a_bad_one(snapshot: Snapshot) -> None:
    answer = rules.validate_spec(update(provider(), provider(spec__display={"name": ""})), snapshot)
    assert [problem.path for problem in answer.problems] == ["spec.display.name"]


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
