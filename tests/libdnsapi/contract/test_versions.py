"""A compiled Provider: payloads, rules, switches, pairs and reasons."""

from typing import Any

import pytest

from libdnsapi.contract.targets import Target
from libdnsapi.contract.versions import VersionContract
from tests.libdnsapi.contract.providers import contract, document, new_version, old_version, route53_document

ZONE: dict[str, Any] = {"metadata": {"name": "z"}, "spec": {"domainName": "a.example"}}


def version(name: str = "v2") -> VersionContract:
    found = contract().version(name)
    assert found is not None
    return found


def test_versions_are_found_by_name_and_the_storage_version_is_known() -> None:
    compiled = contract()
    old, storage = compiled.version("v1"), compiled.storage

    assert storage is not None
    assert old is not None
    assert (storage.name, storage.storage, storage.served) == ("v2", True, True)
    assert (old.name, old.storage, sorted(old.supported_types)) == ("v1", False, ["A", "TXT"])
    assert compiled.version("v3") is None


def test_there_is_no_storage_version_while_two_claim_to_be_it() -> None:
    assert contract(document({**old_version(), "storage": True}, new_version())).storage is None


def test_a_version_tells_what_it_declares() -> None:
    bare = contract(document({"name": "v1", "served": True, "storage": True})).storage

    assert bare is not None
    assert not bare.has_zone
    assert not bare.has_record_set
    assert not bare.has_zone_class
    assert bare.supported_types == frozenset()


@pytest.mark.parametrize(
    ("target", "payload", "expected"),
    [
        (Target.ZONE, {"adoption": {"zoneId": "Z1"}}, []),
        (Target.ZONE, {}, []),
        (Target.ZONE, {"adoption": None}, []),
        (Target.ZONE, {"adoption": {}}, ["adoption.zoneId: is required"]),
        (Target.ZONE, {"adoption": {"zoneId": "1"}}, ["adoption.zoneId: must match the pattern ^Z (Some text.)"]),
        (Target.ZONE, {"adoption": "x"}, ["adoption: must be an object"]),
        (Target.ZONE_CLASS, {}, []),
        (Target.ZONE_CLASS, {"parameters": {"x": 1}}, ["parameters.x: is not a known field (known: speed)"]),
        (Target.RECORD_SET, {"options": {"comment": 1}}, ["options.comment: must be of type string"]),
        (Target.RECORD_SET, {"adoption": {}}, []),
        (Target.RECORD_SET, {"adoption": {"x": 1}}, ["adoption: Provider test.example version v2 takes none here"]),
    ],
)
def test_a_payload_is_checked_against_the_versions_schema(
    target: Target, payload: dict[str, Any], expected: list[str]
) -> None:
    assert [str(p) for p in version().payload_problems(target, payload)] == expected


def test_a_class_without_required_parameters_is_told_so() -> None:
    provider = document()
    provider["spec"]["versions"][1]["zoneClass"]["schemas"]["parameters"]["openAPIV3Schema"]["required"] = ["speed"]
    storage = contract(provider).storage

    assert storage is not None
    assert [str(p) for p in storage.payload_problems(Target.ZONE_CLASS, {})] == ["parameters.speed: is required"]


def test_defaults_never_make_an_optional_payload_appear_that_would_be_invalid() -> None:
    assert version().with_defaults(Target.ZONE, {}) == {}
    assert version().with_defaults(Target.ZONE, {"adoption": {"zoneId": "Z1"}}) == {
        "adoption": {"zoneId": "Z1", "why": "asked"}
    }
    assert version().with_defaults(Target.ZONE_CLASS, {}) == {"parameters": {"speed": "fast"}}


@pytest.mark.spec("PC-PV-011")
def test_a_rule_that_does_not_hold_gives_its_message() -> None:
    bad = {"spec": {"domainName": "bad.example"}}

    assert version().rule_problems(Target.ZONE, ZONE) == ()
    assert [str(p) for p in version().rule_problems(Target.ZONE, bad)] == ["spec: not this domain"]


@pytest.mark.spec("PC-AD-015")
def test_a_rule_that_cannot_be_evaluated_is_a_finding_and_not_a_crash() -> None:
    found = version().rule_problems(Target.ZONE, {"spec": {}})

    assert [str(p) for p in found] == [
        "spec: not this domain (the rule could not be evaluated: no such key: domainName)"
    ]


@pytest.mark.spec("PC-AD-014")
def test_the_callers_deadline_reaches_the_rules() -> None:
    provider = document()
    rule = "self.spec.xs.all(x, self.spec.xs.all(y, x + y >= 0))"
    provider["spec"]["versions"][1]["zone"]["validationRules"] = [{"rule": rule}]
    storage = contract(provider).storage

    assert storage is not None
    found = storage.rule_problems(Target.ZONE, {"spec": {"xs": list(range(200))}}, lambda: True)
    assert [p.message.split(" (")[1] for p in found] == [
        "the rule could not be evaluated: the expression took too long)"
    ]


@pytest.mark.spec("PC-AD-015")
def test_a_stored_rule_or_schema_that_does_not_compile_never_holds() -> None:
    provider = document()
    zone = provider["spec"]["versions"][1]["zone"]
    zone["validationRules"] = [{"rule": "nosuch(self)", "message": "must be so"}]
    zone["schemas"]["adoption"]["openAPIV3Schema"]["properties"]["zoneId"]["pattern"] = "("
    storage = contract(provider).storage

    assert storage is not None
    assert "the Provider's rule cannot be used" in str(storage.rule_problems(Target.ZONE, ZONE)[0])
    assert "cannot be checked" in str(storage.payload_problems(Target.ZONE, {"adoption": {}})[0])


@pytest.mark.spec("PC-PV-012")
@pytest.mark.parametrize(
    ("options", "expected"),
    [({"ttl": "Auto"}, {"require-ttl"}), ({}, set()), (None, set())],
)
def test_validations_are_switched_off_where_the_expression_holds(
    options: dict[str, Any] | None, expected: set[str]
) -> None:
    spec = {"type": "A"} | ({} if options is None else {"options": options})

    assert version().disabled_validations({"spec": spec}) == expected


@pytest.mark.spec("CORE-RS-013")
@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("CNAME", "TXT", True), ("TXT", "CNAME", True), ("CNAME", "A", False), ("A", "CNAME", False)],
)
def test_cname_exclusivity_is_switched_off_for_a_pair_in_either_order(one: str, other: str, expected: bool) -> None:
    assert version().coexistence_allowed({"type": one}, {"type": other}, ZONE) is expected


@pytest.mark.spec("CORE-ZU-014")
@pytest.mark.parametrize(
    ("one", "other", "expected"), [("NS", "TXT", 1), ("TXT", "NS", 1), ("NS", "NS", 0), ("A", "TXT", 0)]
)
def test_a_pair_rule_holds_in_both_orders_or_is_a_finding(one: str, other: str, expected: int) -> None:
    found = version().pair_problems({"type": one}, {"type": other}, ZONE)

    assert [p.message for p in found] == ["NS stands alone"] * expected


@pytest.mark.spec("PC-PV-013")
def test_pair_rules_see_zone_provider_and_storage_version() -> None:
    provider = document()
    rule = "zone.spec.domainName == 'a.example' && provider.metadata.name == 'test.example' && toVersion.name == 'v2'"
    provider["spec"]["versions"][1]["zoneUnit"]["validationRules"] = [{"rule": rule}]
    storage = contract(provider).storage

    assert storage is not None
    assert storage.pair_problems({"type": "A"}, {"type": "TXT"}, ZONE) == ()


@pytest.mark.spec("CORE-ZS-023")
@pytest.mark.parametrize(
    ("target", "type_", "status", "reason", "expected"),
    [
        (Target.ZONE, "Programmed", "False", "PlanUpgradeRequired", True),
        (Target.ZONE, "Programmed", "Unknown", "PlanUpgradeRequired", False),
        (Target.RECORD_SET, "Programmed", "False", "PlanUpgradeRequired", False),
        (Target.RECORD_SET, "Programmed", "False", "ProviderChangeDeferred", True),
        (Target.ZONE, "Ready", "True", "Ready", False),
        (Target.ZONE_CLASS, "Accepted", "False", "InvalidParameters", True),
    ],
)
def test_reasons_come_from_the_core_table_and_from_the_version(
    target: Target, type_: str, status: str, reason: str, expected: bool
) -> None:
    assert version().reason_is_known(target, type_, status, reason) is expected


@pytest.mark.spec("CORE-ZU-024")
@pytest.mark.parametrize(
    ("target", "data", "expected"),
    [
        (Target.ZONE, {"zoneId": "x"}, []),
        (Target.ZONE, {"zoneId": 1}, ["zoneId: must be of type string"]),
        (Target.RECORD_SET, {}, []),
        (Target.RECORD_SET, {"x": 1}, ["Provider test.example version v2 takes none here"]),
    ],
)
def test_public_status_data_is_checked(target: Target, data: dict[str, Any], expected: list[str]) -> None:
    assert [str(p) for p in version().status_data_problems(target, data)] == expected


ALIAS = {"dnsName": "lb.example.com.", "hostedZoneID": "Z1", "evaluateTargetHealth": True}
BODIES: dict[str, Any] = {
    "ttl": 60,
    "a": {"addresses": ["192.0.2.1"]},
    "aaaa": {"addresses": ["::1"]},
    "txt": {"values": ["x"]},
    "cname": {"target": "a.example"},
    "mx": {"records": []},
    "caa": {"records": []},
    "ns": {"nameServers": []},
}


class TestRoute53:
    """The built-in Provider (wire reference, Built-in Route 53 Provider object)."""

    def storage(self) -> VersionContract:
        found = contract(route53_document()).storage
        assert found is not None
        return found

    @pytest.mark.parametrize("type_", ["A", "AAAA"])
    def test_an_alias_needs_neither_ttl_nor_body(self, type_: str) -> None:
        alias = {"spec": {"type": type_, "name": "@", "options": {"alias": ALIAS}}}

        assert self.storage().rule_problems(Target.RECORD_SET, alias) == ()
        assert self.storage().disabled_validations(alias) == {
            "require-ttl",
            "require-a-addresses",
            "require-aaaa-addresses",
        }

    @pytest.mark.parametrize("field", sorted(BODIES))
    def test_an_alias_excludes_ttl_and_every_body(self, field: str) -> None:
        alias = {"spec": {"type": "A", "options": {"alias": ALIAS}, field: BODIES[field]}}

        found = self.storage().rule_problems(Target.RECORD_SET, alias)
        assert len(found) == 1
        assert found[0].message.startswith(f"spec.{field}")

    @pytest.mark.parametrize("type_", ["A", "AAAA", "TXT", "CNAME", "MX", "CAA", "NS"])
    def test_a_plain_record_passes_and_nothing_is_switched_off(self, type_: str) -> None:
        plain = {"spec": {"type": type_, "name": "www", **BODIES}}

        assert self.storage().rule_problems(Target.RECORD_SET, plain) == ()
        assert self.storage().disabled_validations(plain) == frozenset()

    def test_an_alias_is_for_addresses_only(self) -> None:
        found = self.storage().rule_problems(Target.RECORD_SET, {"spec": {"type": "TXT", "options": {"alias": ALIAS}}})

        assert [p.message for p in found] == ["spec.options.alias may be set only when spec.type is A or AAAA"]

    @pytest.mark.parametrize(
        ("change", "path"),
        [
            ({"dnsName": "lb.example.com"}, "options.alias.dnsName"),
            ({"dnsName": "LB.example.com."}, "options.alias.dnsName"),
            ({"hostedZoneID": "/hostedzone/Z1"}, "options.alias.hostedZoneID"),
            ({"evaluateTargetHealth": "yes"}, "options.alias.evaluateTargetHealth"),
            ({"region": "x"}, "options.alias.region"),
        ],
    )
    def test_a_wrong_alias_field_is_named(self, change: dict[str, Any], path: str) -> None:
        payload = {"options": {"alias": {**ALIAS, **change}}}

        assert [p.path for p in self.storage().payload_problems(Target.RECORD_SET, payload)] == [path]

    @pytest.mark.parametrize(
        ("adoption", "expected"),
        [
            ({"enabled": True}, []),
            ({"enabled": True, "whenMissing": "Create"}, []),
            ({"enabled": True, "whenMissing": "x"}, ["adoption.whenMissing"]),
            ({}, ["adoption.enabled"]),
        ],
    )
    def test_adoption_of_a_record_set(self, adoption: dict[str, Any], expected: list[str]) -> None:
        found = self.storage().payload_problems(Target.RECORD_SET, {"adoption": adoption})

        assert [p.path for p in found] == expected

    @pytest.mark.parametrize("given", ["Z10219583PPQMV0U1KGN2", "/hostedzone/Z1", "arn:aws:route53:::hostedzone/Z1"])
    def test_a_zone_adopts_by_plain_id_only(self, given: str) -> None:
        found = self.storage().payload_problems(Target.ZONE, {"adoption": {"hostedZoneId": given}})

        assert bool(found) is not given.startswith("Z")

    def test_parameters_are_closed_and_tags_are_free(self) -> None:
        good = {"parameters": {"zoneCreationPolicy": "Deny", "tags": {"a.b/c": "d"}}}
        bad = {"parameters": {"zoneCreationPolicy": "Maybe", "tags": {"a.b/c": 1}, "x": 1}}

        assert self.storage().payload_problems(Target.ZONE_CLASS, good) == ()
        assert {p.path for p in self.storage().payload_problems(Target.ZONE_CLASS, bad)} == {
            "parameters.zoneCreationPolicy",
            "parameters.tags[a.b/c]",
            "parameters.x",
        }
