"""Admission of a Provider: every rule of the contract page, one edit each."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdnsapi.contract.admission import provider_problems
from tests.libdnsapi.contract.providers import cel, document, old_version, route53_document, schema, text, webhook

V1, V2 = "spec.versions[0]", "spec.versions[1]"


def test_the_providers_of_this_project_are_accepted() -> None:
    assert provider_problems(route53_document()) == ()
    assert provider_problems(document()) == ()


def put(path: str, value: Any) -> Callable[[dict[str, Any]], None]:  # noqa: ANN401 — any JSON value
    """Return an edit that sets one field, given by its path without indexes in names."""

    def edit(provider: dict[str, Any]) -> None:
        *steps, last = path.replace("[", ".").replace("]", "").split(".")
        at: Any = provider
        for step in steps:
            at = at[int(step)] if isinstance(at, list) else at.setdefault(step, {})
        at[int(last) if isinstance(at, list) else last] = value

    return edit


REASON = {"conditionType": "Programmed", "status": "False", "reason": "Mine", "description": "Why."}
SERVICE = "recordSet.conversion.toStorage.webhook.clientConfig.service"
CONFIG = "recordSet.conversion.toStorage.webhook.clientConfig"


@pytest.mark.spec(
    "CORE-RS-010",
    "PC-PV-002",
    "PC-PV-003",
    "PC-PV-007",
    "PC-PV-008",
    "PC-PV-009",
    "PC-PV-011",
    "PC-PV-014",
    "PC-PV-015",
    "PC-PV-016",
    "PC-PV-017",
    "PC-AD-001",
    "PC-AD-003",
    "PC-AD-004",
    "PC-AD-005",
    "PC-AD-007",
)
@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("spec.display", {}, "spec.display.name: is required"),
        ("spec.display.name", "  ", "spec.display.name: must not be blank"),
        ("spec.versions", [], "spec.versions: must list at least one version"),
        (f"{V2}.storage", False, "spec.versions: exactly one version must have storage: true, none has"),
        (f"{V1}.storage", True, f"{V2}.storage: exactly one version may have storage: true"),
        (f"{V1}.name", "v2", f'{V2}.name: repeats the version name "v2"'),
        (f"{V1}.name", "a/b", f"{V1}.name: must match pattern"),
        (f"{V1}.name", "  ", f"{V1}.name: must not be blank"),
        (
            f"{V1}.identity",
            {"resource": {"group": " ", "kind": "K", "scope": "Namespaced"}},
            f"{V1}.identity.resource.g",
        ),
        (
            f"{V1}.identity",
            {"resource": {"group": "g", "kind": "K", "scope": "Cluster"}},
            f"{V1}.identity.resource.scop",
        ),
        (f"{V2}.recordSet.supportedTypes", ["A", "SRV"], f"{V2}.recordSet.supportedTypes[1]: must be 'A', 'AAAA'"),
        (f"{V2}.recordSet.supportedTypes", ["A", "A"], f"{V2}.recordSet.supportedTypes[1]: repeats A"),
        (f"{V2}.recordSet.supportedTypes", [], f"{V2}.recordSet.supportedTypes: must have at least 1 item"),
        (
            f"{V2}.zone.schemas.adoption",
            schema({"x": {"type": "string"}}),
            f"{V2}.zone.schemas.adoption.openAPIV3Schema.properties.x.description: is required",
        ),
        (
            f"{V2}.zone.schemas.adoption",
            schema({"x": {"type": "text", "description": "d"}}),
            f"{V2}.zone.schemas.adoption.openAPIV3Schema.properties.x.type: must be one of",
        ),
        (
            f"{V2}.zone.schemas.adoption",
            schema({"x": text(pattern="(?=a)b")}),
            f"{V2}.zone.schemas.adoption.openAPIV3Schema.properties.x.pattern: is no valid OpenAPI v3 schema",
        ),
        (
            f"{V2}.zone.schemas.adoption",
            schema({"x": text(default=1)}),
            f"{V2}.zone.schemas.adoption.openAPIV3Schema.properties.x.default: must be of type string",
        ),
        (f"{V2}.zone.validationRules", [{"rule": "self."}], f"{V2}.zone.validationRules[0].rule: does not compile"),
        (
            f"{V2}.zone.validationRules",
            [{"rule": "oldSelf.x == 1"}],
            f"{V2}.zone.validationRules[0].rule: does not compile: undeclared reference to oldSelf (at character 1)",
        ),
        (
            f"{V2}.zone.validationRules",
            [{"rule": "self.spec.ok"}],
            f"{V2}.zone.validationRules[0].rule: must be bool by its static type, this is dyn",
        ),
        (f"{V2}.zone.validationRules", [{"rule": "1"}], f"{V2}.zone.validationRules[0].rule: must be bool by its stat"),
        (
            f"{V2}.recordSet.disableValidations",
            [{"name": "require-ttl", "when": "zone.x == 1"}],
            f"{V2}.recordSet.disableValidations[0].when: does not compile: undeclared reference to zone",
        ),
        (
            f"{V2}.recordSet.disableValidations",
            [{"name": "require-name", "when": "true"}],
            f"{V2}.recordSet.disableValidations[0].name: cannot be disabled; what can: forbid-cname-apex,",
        ),
        (
            f"{V2}.zoneUnit.disableValidations",
            [{"name": "require-ttl", "when": "true"}],
            f"{V2}.zoneUnit.disableValidations[0].name: cannot be disabled; what can: forbid-cname-coexistence",
        ),
        (
            f"{V2}.zoneUnit.validationRules",
            [{"rule": "recordSet.x == 1"}],
            f"{V2}.zoneUnit.validationRules[0].rule: does not compile",
        ),
        (
            f"{V2}.zone.additionalConditionReasons",
            [{**REASON, "reason": "ProviderConflict"}],
            f"{V2}.zone.additionalConditionReasons[0].reason: ProviderConflict is a core reason",
        ),
        (
            f"{V2}.zone.additionalConditionReasons",
            [REASON, REASON],
            f"{V2}.zone.additionalConditionReasons[1]: repeats Programmed False Mine",
        ),
        (
            f"{V2}.zone.additionalConditionReasons",
            [{**REASON, "description": " "}],
            f"{V2}.zone.additionalConditionReasons[0].description: must not be blank",
        ),
        (
            f"{V2}.zone.additionalConditionReasons",
            [{**REASON, "reason": "not_camel"}],
            f"{V2}.zone.additionalConditionReasons[0].reason: must match pattern",
        ),
        (
            f"{V2}.zone.additionalConditionReasons",
            [{**REASON, "conditionType": "Ready"}],
            f"{V2}.zone.additionalConditionReasons[0].conditionType: must be one of Accepted, Programmed",
        ),
        (
            f"{V2}.zone.additionalConditionReasons",
            [{**REASON, "status": "Maybe"}],
            f"{V2}.zone.additionalConditionReasons[0].status: must be one of True, False, Unknown",
        ),
        (f"{V1}.zone.conversion", None, f"{V1}.zone.conversion.toStorage: is required: a served version must convert"),
        (f"{V1}.zone", None, f"{V1}.zone.conversion.toStorage: is required: a served version must convert its Zone"),
        (
            f"{V1}.zone.conversion.toStorage",
            {},
            f"{V1}.zone.conversion.toStorage: exactly one of cel and webhook must be set",
        ),
        (
            f"{V1}.zone.conversion",
            {"toStorage": {**cel("self")["toStorage"], **webhook()["toStorage"]}},
            f"{V1}.zone.conversion.toStorage: exactly one of cel and webhook must be set",
        ),
        (
            f"{V1}.zone.conversion",
            cel("'x'"),
            f"{V1}.zone.conversion.toStorage.cel: must give an object, this is string",
        ),
        (
            f"{V1}.zone.conversion",
            cel("recordSet.name"),
            f"{V1}.zone.conversion.toStorage.cel: does not compile: undeclared reference to recordSet",
        ),
        (f"{V1}.{SERVICE}.name", " ", f"{V1}.{SERVICE}.name: must not be blank"),
        (f"{V1}.{SERVICE}.namespace", "", f"{V1}.{SERVICE}.namespace: must have at least 1 character"),
        (f"{V1}.{SERVICE}.path", "convert", f'{V1}.{SERVICE}.path: must start with "/"'),
        (f"{V1}.{SERVICE}.port", 70000, f"{V1}.{SERVICE}.port: must be less than or equal to 65535"),
        (f"{V1}.{CONFIG}.caBundle", "", f"{V1}.{CONFIG}.caBundle: must be base64 of PEM certificates"),
        (f"{V1}.{CONFIG}.caBundle", "bm90IHBlbQ==", f"{V1}.{CONFIG}.caBundle: must be base64 of PEM certificates"),
        (
            f"{V1}.recordSet.conversion.toStorage.webhook.timeoutSeconds",
            31,
            f"{V1}.recordSet.conversion.toStorage.webhook.timeoutSeconds: must be less than or equal to 30",
        ),
    ],
)
def test_a_wrong_provider_is_refused_with_the_fields_path(path: str, value: object, expected: str) -> None:
    provider = document()
    put(path, value)(provider)

    found = [str(problem) for problem in provider_problems(provider)]
    assert any(problem.startswith(expected) for problem in found), found


@pytest.mark.spec("PC-PV-015")
def test_a_version_that_is_not_served_needs_no_conversion() -> None:
    provider = document()
    provider["spec"]["versions"][0] = {"name": "v0", "served": False}

    assert provider_problems(provider) == ()


@pytest.mark.spec("PC-PV-015")
def test_a_target_without_any_payload_schema_needs_no_conversion() -> None:
    bare = {"name": "v1", "served": True, "zone": {}, "recordSet": {"supportedTypes": ["A"]}}
    storage = {**bare, "name": "v2", "storage": True}

    assert provider_problems(document(bare, storage)) == ()


@pytest.mark.spec("PC-AD-002")
def test_all_findings_come_in_one_answer() -> None:
    provider = document()
    put("spec.display.name", " ")(provider)
    put(f"{V1}.zone.conversion", None)(provider)
    put(f"{V2}.zone.validationRules", [{"rule": "1"}, {"rule": "self."}])(provider)
    put(f"{V2}.recordSet.supportedTypes", ["A", "A"])(provider)

    assert len(provider_problems(provider)) == 5


def test_a_provider_with_very_much_cel_is_refused_before_it_is_compiled() -> None:
    """Case 86."""
    provider = document()
    rules = [{"rule": "self.spec.name == 'x' || " * 100 + f"self.spec.n == {n}"} for n in range(40)]
    put(f"{V2}.zone.validationRules", rules)(provider)

    (problem,) = provider_problems(provider)
    assert str(problem).startswith("spec.versions: must not have more than 2500 words and signs of CEL in all, has 4")


def test_equal_expressions_count_once() -> None:
    provider = document()
    put(f"{V2}.zone.validationRules", [{"rule": "self.spec.name == 'x' || " * 100 + "true"}] * 40)(provider)
    assert not provider_problems(provider)


def test_a_broken_version_does_not_hide_what_is_wrong_with_another() -> None:
    provider = document(old_version(), {"name": "v2", "storage": True})
    put(f"{V1}.zone.validationRules", [{"rule": "1"}])(provider)

    found = {problem.path for problem in provider_problems(provider)}
    assert {f"{V2}.served", f"{V1}.zone.validationRules[0].rule"} <= found


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
paths = st.sampled_from(
    [
        "spec",
        "spec.display",
        "spec.versions",
        V1,
        f"{V1}.name",
        f"{V1}.zone",
        f"{V1}.zone.schemas",
        f"{V2}.zone.schemas.adoption.openAPIV3Schema",
        f"{V2}.zone.schemas.adoption.openAPIV3Schema.properties",
        f"{V2}.zone.schemas.adoption.openAPIV3Schema.properties.zoneId",
        f"{V2}.zone.validationRules",
        f"{V2}.recordSet.disableValidations",
        f"{V1}.recordSet.conversion.toStorage",
    ]
)


@given(paths, json_values)
def test_any_json_in_any_place_is_answered_and_never_raises(path: str, value: object) -> None:
    provider = document()
    put(path, value)(provider)

    assert all(problem.message for problem in provider_problems(provider))
