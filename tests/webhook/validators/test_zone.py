"""Zone rules."""

from dataclasses import replace

import pytest
from pydantic import JsonValue

from libdnsapi.api.meta import JsonObject
from tests.webhook.objects import allowed_rule, condition, creation, status_update, update, zone
from webhook.answer import message
from webhook.validators import zone as rules
from webhook.validators.snapshot import Snapshot

UNSELECTIVE: JsonValue = {"namespaces": {"selector": {}}, "records": [{"name": {"pattern": "a"}, "types": ["A"]}]}


def _rule_with(selector: JsonValue) -> JsonValue:
    return {"namespaces": {"selector": selector}, "records": [{"name": {"pattern": "a"}, "types": ["A"]}]}


@pytest.mark.spec("CORE-ZN-001")
@pytest.mark.parametrize("domain", ["example.com", "xn--bcher-kva.example", "com", "a-b.c", f"{'a' * 63}.com"])
def test_a_canonical_domain_is_allowed(domain: str, snapshot: Snapshot) -> None:
    """Case 7: Punycode is the canonical form."""
    assert rules.validate_spec(creation(zone(spec__domainName=domain)), snapshot).problems == ()


@pytest.mark.spec(
    "CORE-ZN-002", "CORE-ZN-009", "CORE-AR-011", "CORE-AR-012", "CORE-AR-015", "CORE-AR-016", "PC-PV-005", "PC-AM-004"
)
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"spec__domainName": "Example.COM."}, "spec.domainName: "),
        ({"spec__domainName": "bücher.example"}, "spec.domainName: "),
        ({"spec__domainName": "a_b.example"}, "spec.domainName: "),
        ({"spec__domainName": "a..example"}, "spec.domainName: "),
        ({"spec__domainName": "-a.example"}, "spec.domainName: "),
        ({"spec__domainName": f"{'a' * 64}.com"}, "spec.domainName: "),
        ({"spec__domainName": ".".join(["a" * 60] * 5)}, "spec.domainName: must have at most 253 characters"),
        ({"spec__domainName": None}, "spec.domainName: is required"),
        ({"spec__zoneClassRef__name": "A"}, "spec.zoneClassRef.name: is no legal object name"),
        ({"spec__zoneClassRef__namespace": "a.b"}, "spec.zoneClassRef.namespace: is no legal namespace name"),
        ({"spec__provider__version": "v9"}, 'no version "v9"; served versions: v1, v1beta1'),
        ({"spec__provider__version": "v0"}, "is not served; served versions: v1, v1beta1"),
        ({"spec__adoption": {"id": "X"}}, "spec.adoption.id: "),
        ({"spec__adoption": {"hostedZone": "Z1"}}, "spec.adoption"),
        (
            {"spec__allowedRecordSets": [UNSELECTIVE]},
            "spec.allowedRecordSets[0].namespaces.selector: must not be empty",
        ),
        (
            {"spec__allowedRecordSets": [allowed_rule("a", "A"), allowed_rule("(", "A")]},
            "spec.allowedRecordSets[1].records[0].name.pattern: is not a valid RE2 expression: missing ): (",
        ),
        (
            {"spec__allowedRecordSets": [allowed_rule("(?=a)", "A")]},
            "spec.allowedRecordSets[0].records[0].name.pattern: is not a valid RE2 expression",
        ),
        (
            {"spec__allowedRecordSets": [allowed_rule("a", "A", "SRV")]},
            'spec.allowedRecordSets[0].records[0].types[1]: "SRV" is no record type; write one of A, AAAA',
        ),
        ({"spec__allowedRecordSets": [allowed_rule("a")]}, "records[0].types: must not be empty"),
        (
            {"spec__allowedRecordSets": [{"namespaces": {"selector": {}}}]},
            "spec.allowedRecordSets[0].records: is required",
        ),
        (
            {"spec__allowedRecordSets": [_rule_with({"matchExpressions": [{"key": "a", "operator": "In"}]})]},
            "selector.matchExpressions[0].values: must not be empty with operator In",
        ),
        (
            {
                "spec__allowedRecordSets": [
                    _rule_with({"matchExpressions": [{"key": "a", "operator": "Exists", "values": ["b"]}]})
                ]
            },
            "selector.matchExpressions[0].values: must be empty with operator Exists",
        ),
        (
            {"spec__allowedRecordSets": [_rule_with({"matchLabels": {"a": "b c"}})]},
            'selector.matchLabels[a]: "b c" is no label value',
        ),
    ],
)
def test_a_bad_zone_is_refused(changes: dict[str, JsonValue], expected: str, snapshot: Snapshot) -> None:
    answer = rules.validate_spec(creation(zone(**changes)), snapshot)
    assert expected in message(answer.problems)
    assert len(answer.problems) == 1


def test_all_findings_come_in_one_answer(snapshot: Snapshot) -> None:
    new = zone(
        spec__provider__version="v9",
        spec__zoneClassRef__name="A",
        spec__allowedRecordSets=[allowed_rule("(", "SRV")],
    )
    paths = [problem.path for problem in rules.validate_spec(creation(new), snapshot).problems]
    assert paths == [
        "spec.zoneClassRef.name",
        "spec.provider.version",
        "spec.allowedRecordSets[0].records[0].name.pattern",
        "spec.allowedRecordSets[0].records[0].types[0]",
    ]


@pytest.mark.spec("CORE-ZN-012", "PC-AM-003")
def test_a_missing_class_is_nothing_to_refuse(snapshot: Snapshot) -> None:
    assert rules.validate_spec(creation(zone(spec__zoneClassRef={"name": "not-there"})), snapshot).allowed


@pytest.mark.spec("CORE-ZN-004")
@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"spec__domainName": "example.net"}, "spec.domainName"),
        ({"spec__zoneClassRef": {"name": "public"}}, "spec.zoneClassRef"),
        ({"spec__provider__version": "v1beta1"}, "spec.provider"),
    ],
)
def test_what_a_zone_is_never_changes(changes: dict[str, JsonValue], path: str, snapshot: Snapshot) -> None:
    answer = rules.validate_spec(update(zone(), zone(**changes)), snapshot)
    assert [problem.path for problem in answer.problems] == [path]


@pytest.mark.spec("CORE-ZN-008", "CORE-AR-020")
def test_policy_and_adoption_may_change(snapshot: Snapshot) -> None:
    new = zone(spec__allowedRecordSets=None, spec__adoption={"id": "Z1"})
    assert rules.validate_spec(update(zone(), new), snapshot).allowed


@pytest.mark.spec(
    "CORE-ZS-021", "CORE-ZS-022", "CORE-ZS-023", "CORE-ZS-026", "CORE-ZS-027", "CORE-ZS-028", "PC-AM-007", "PC-AM-008"
)
@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ({}, ""),
        ({"observedGeneration": 3, "nameServers": ["ns-1.example.net", "ns-2.example.net"]}, ""),
        ({"nameServers": []}, ""),
        ({"observedGeneration": 4}, "status.observedGeneration: must be at most metadata.generation (3), is 4"),
        ({"nameServers": ["ns-1.example.net."]}, "status.nameServers[0]: "),
        ({"nameServers": ["NS-1.example.net"]}, "status.nameServers[0]: "),
        ({"nameServers": ["192.0.2.1"]}, "status.nameServers[0]: "),
        ({"nameServers": ["https://ns.example.net"]}, "status.nameServers[0]: "),
        ({"nameServers": ["a.example", "a.example"]}, 'status.nameServers[1]: "a.example" is listed twice'),
        ({"provider": {"data": {"zoneID": "Z1"}}}, ""),
        ({"provider": {"data": {"secret": "x"}}}, "status.provider.data"),
        ({"conditions": [condition("Programmed", "False", "Frozen")]}, ""),
        ({"conditions": [condition("Programmed", "False", "Melted")]}, '"Melted" is no reason for Programmed=False'),
        (
            {"conditions": [condition("Ready", "True", "Ready")]},
            '"Ready" is unknown; known types: Accepted, Programmed',
        ),
        (
            {"conditions": [condition("Accepted", "Maybe", "Accepted")]},
            "status.conditions[0].status: must be True, False",
        ),
    ],
)
def test_a_status_says_only_what_the_contract_knows(
    status: dict[str, JsonValue], expected: str, snapshot: Snapshot
) -> None:
    answer = rules.validate_status(status_update(zone(), status), snapshot)
    if expected:
        assert expected in message(answer.problems)
        assert len(answer.problems) == 1
    else:
        assert answer.allowed


def _with_patterns(*patterns: str) -> JsonObject:
    return zone(
        spec__allowedRecordSets=[_rule(*patterns[start : start + 100]) for start in range(0, len(patterns), 100)]
    )


def _rule(*patterns: str) -> JsonObject:
    return {
        "namespaces": {"selector": {"matchLabels": {"dns": "yes"}}},
        "records": [{"name": {"pattern": pattern}, "types": ["A"]} for pattern in patterns],
    }


def test_a_zone_has_a_bounded_number_of_patterns(snapshot: Snapshot) -> None:
    patterns = [f"app-{number}" for number in range(1001)]
    assert rules.validate_spec(creation(_with_patterns(*patterns[:1000])), snapshot).allowed
    problems = rules.validate_spec(creation(_with_patterns(*patterns)), snapshot).problems
    assert [str(problem) for problem in problems] == [
        "spec.allowedRecordSets: must have at most 1000 records entries in all, has 1001"
    ]


def test_patterns_that_take_too_long_are_refused(snapshot: Snapshot) -> None:
    late = replace(snapshot, deadline=lambda: True)
    problems = rules.validate_spec(creation(_with_patterns("a")), late).problems
    assert [str(problem) for problem in problems][:1] == [
        "spec.allowedRecordSets[0].records[0].name.pattern: cannot be checked in time: the patterns of this Zone are "
        "too costly"
    ]


@pytest.mark.parametrize(
    ("pattern", "warned"),
    [
        (r"www\.example\.com", True),
        (".*.example.com$", True),
        (r"[a-z]+\.example", False),
        ("www", False),
        (".*", False),
        ("example.com", False),
    ],
)
def test_a_pattern_of_full_names_is_warned_about(pattern: str, warned: bool, snapshot: Snapshot) -> None:
    document = zone(spec__allowedRecordSets=[allowed_rule("www", "A"), allowed_rule(pattern, "A")])
    answer = rules.validate_spec(creation(document), snapshot)
    told = (
        "spec.allowedRecordSets[1].records[0].name.pattern ends with the Zone's domain; patterns see relative names: "
        "www, not www.example.com",
    )
    assert answer.allowed
    assert answer.warnings == (told if warned else ())


def test_an_address_is_no_domain(snapshot: Snapshot) -> None:
    answer = rules.validate_spec(creation(zone(spec__domainName="192.0.2.1", spec__allowedRecordSets=None)), snapshot)
    assert [(problem.path, problem.message.partition(";")[0]) for problem in answer.problems] == [
        ("spec.domainName", "must be a DNS name, not an IP address")
    ]
