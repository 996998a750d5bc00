"""Reviews with the built-in Route 53 Provider."""

from pathlib import Path

import pytest
import yaml
from pydantic import JsonValue

from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.meta import JsonObject
from libdnsapi.api.names import ROUTE53_PROVIDER
from libdnsapi.contract.cel.interpreter import InterpretingEngine
from libdnsapi.contract.versions import compile_contract
from tests.webhook.objects import creation, record_set, zone, zone_class
from webhook.answer import message
from webhook.validators import provider, recordset
from webhook.validators import zone as zones
from webhook.validators import zoneclass as classes
from webhook.validators.snapshot import Snapshot

FILE = Path(__file__).parents[2] / "charts" / "dnsapi" / "charts" / "route53" / "files" / "provider.yaml"
REFERENCE: JsonValue = {"name": ROUTE53_PROVIDER, "version": "v1alpha1"}
ALIAS: JsonValue = {
    "alias": {
        "dnsName": "lb.eu-central-1.elb.amazonaws.com.",
        "hostedZoneID": "Z215JYRZR1TBD5",
        "evaluateTargetHealth": False,
    }
}


@pytest.fixture(scope="module")
def document() -> JsonObject:
    """The Provider as the chart installs it."""
    found: JsonObject = yaml.safe_load(FILE.read_text())
    return found


@pytest.fixture(scope="module")
def route53(document: JsonObject) -> Snapshot:
    """What is known when it is installed."""
    contract = compile_contract(Provider.model_validate(document), InterpretingEngine())
    return Snapshot(contracts={ROUTE53_PROVIDER: contract})


def test_the_provider_passes_its_own_admission(document: JsonObject) -> None:
    review = creation({**document, "kind": "Provider"})
    assert provider.validate_spec(review, Snapshot()).problems == ()


@pytest.mark.spec("R53-RS-001", "R53-RS-013")
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, ""),
        ({"spec__options": ALIAS, "spec__ttl": None, "spec__a": None}, ""),
        ({"spec__options": ALIAS, "spec__a": None}, "ttl"),
        ({"spec__options": ALIAS, "spec__ttl": None}, "spec"),
        ({"spec__options": {"weight": 1}}, "spec.options.weight"),
        ({"spec__ttl": None}, "spec.ttl: is required"),
        ({"spec__a": None}, "spec.a: is required when type is A"),
        ({"spec__adoption": {"enabled": True, "whenMissing": "Create"}}, ""),
        ({"spec__adoption": {}}, "spec.adoption.enabled: is required"),
    ],
)
def test_aliases_take_neither_ttl_nor_addresses(
    changes: dict[str, JsonValue], expected: str, route53: Snapshot
) -> None:
    """Case 21: a TTL on an alias is refused at once, so it can never be a difference later."""
    answer = recordset.validate_spec(creation(record_set(spec__provider=REFERENCE, **changes)), route53)
    if expected:
        assert expected in message(answer.problems)
        assert len(answer.problems) == 1
    else:
        assert answer.problems == ()


@pytest.mark.spec("R53-HA-001")
@pytest.mark.parametrize(
    ("identifier", "allowed"),
    [("Z10219583PPQMV0U1KGN2", True), ("/hostedzone/Z10219583PPQMV0U1KGN2", False), ("z1", False), ("", False)],
)
def test_a_zone_adopts_by_bare_hosted_zone_id(identifier: str, allowed: bool, route53: Snapshot) -> None:
    """Case 4: one form only, so that forms need not be compared."""
    document = zone(spec__provider=REFERENCE, spec__adoption={"hostedZoneId": identifier})
    assert zones.validate_spec(creation(document), route53).allowed is allowed


@pytest.mark.spec("R53-ZC-002")
@pytest.mark.parametrize(
    ("parameters", "allowed"),
    [
        ({}, True),
        ({"zoneDeletionPolicy": "Delete", "tags": {"team": "dns"}}, True),
        ({"zoneDeletionPolicy": "Destroy"}, False),
        ({"zoneDeletionPolicies": "Delete"}, False),
        ({"tags": {"team": 1}}, False),
    ],
)
def test_a_class_has_known_parameters(parameters: JsonValue, allowed: bool, route53: Snapshot) -> None:
    document = zone_class(spec__provider=REFERENCE, spec__parameters=parameters)
    assert classes.validate_spec(creation(document), route53).allowed is allowed


@pytest.mark.spec("R53-RS-017")
@pytest.mark.parametrize("option", ["geo", "weight", "region", "failover", "setIdentifier"])
def test_routing_policies_are_no_options(option: str, route53: Snapshot) -> None:
    """Case 43: a code like NA can be a continent or a country; this API has no field that would have to guess."""
    document = record_set(spec__provider=REFERENCE, spec__options={option: "NA"})
    answer = recordset.validate_spec(creation(document), route53)
    assert f"spec.options.{option}" in message(answer.problems)


SAID = {
    (
        "zoneClass",
        "parameters",
        "zoneCreationPolicy",
    ): "Controls whether dns-api may create a Route 53 public hosted zone "
    "when a Zone does not adopt an existing hosted zone.",
    (
        "zoneClass",
        "parameters",
        "zoneDeletionPolicy",
    ): "Controls whether dns-api deletes the Route 53 hosted zone when the Kubernetes Zone is deleted.",
    (
        "zoneClass",
        "parameters",
        "sameNameZonePolicy",
    ): "Controls whether dns-api may create a new Route 53 hosted zone when "
    "another same-name hosted zone already exists.",
    ("zoneClass", "parameters", "tags"): "Additional Route 53 tags applied to hosted zones created by this ZoneClass.",
    ("zone", "adoption", "hostedZoneId"): "Route 53 public hosted zone ID of the existing hosted zone to adopt.",
    ("zone", "statusProviderData", "hostedZoneID"): "Route 53 hosted zone ID managed for this Zone.",
    ("recordSet", "options", "alias"): "Route 53 alias target for an A or AAAA RecordSet. Alias records omit TTL and "
    "standard record values.",
    (
        "recordSet",
        "adoption",
        "enabled",
    ): "Whether dns-api may adopt an existing Route 53 record set matching the accepted "
    "Zone and RecordSet desired state.",
}


@pytest.mark.spec("R53-ZC-003")
@pytest.mark.parametrize(("place", "text"), SAID.items())
def test_the_schemas_describe_their_fields_as_specified(
    place: tuple[str, str, str], text: str, document: JsonObject
) -> None:
    target, schema, field = place
    version = Provider.model_validate(document).spec.versions[0].model_dump(mode="json", by_alias=True)
    properties = version[target]["schemas"][schema]["openAPIV3Schema"]["properties"]
    assert properties[field]["description"].startswith(text)


@pytest.mark.spec("R53-RS-013")
@pytest.mark.parametrize(
    ("type_", "body"),
    [("TXT", {"txt": {"values": ["x"]}}), ("CNAME", {"cname": {"target": "x.example.net"}})],
)
def test_only_addresses_may_be_aliases(type_: str, body: JsonObject, route53: Snapshot) -> None:
    changes = {f"spec__{name}": value for name, value in body.items()}
    document = record_set(spec__provider=REFERENCE, spec__type=type_, spec__options=ALIAS, spec__a=None, **changes)
    assert not recordset.validate_spec(creation(document), route53).allowed


@pytest.mark.spec("R53-RS-005")
@pytest.mark.parametrize("text", ["tab\there", "line\nbreak", "b\u00fccher"])
def test_texts_are_printable_ascii(text: str, route53: Snapshot) -> None:
    document = record_set(spec__provider=REFERENCE, spec__type="TXT", spec__a=None, spec__txt={"values": [text]})
    answer = recordset.validate_spec(creation(document), route53)
    assert "spec.txt.values[0]" in message(answer.problems)


@pytest.mark.spec("R53-RO-013")
def test_of_a_record_set_no_provider_data_is_public(document: JsonObject) -> None:
    version = Provider.model_validate(document).spec.versions[0].model_dump(mode="json", by_alias=True)
    schema = version["recordSet"]["schemas"]["statusProviderData"]["openAPIV3Schema"]
    assert not schema.get("properties")
    assert schema["additionalProperties"] is False
