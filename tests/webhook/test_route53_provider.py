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


@pytest.mark.parametrize(
    ("identifier", "allowed"),
    [("Z10219583PPQMV0U1KGN2", True), ("/hostedzone/Z10219583PPQMV0U1KGN2", False), ("z1", False), ("", False)],
)
def test_a_zone_adopts_by_bare_hosted_zone_id(identifier: str, allowed: bool, route53: Snapshot) -> None:
    """Case 4: one form only, so that forms need not be compared."""
    document = zone(spec__provider=REFERENCE, spec__adoption={"hostedZoneId": identifier})
    assert zones.validate_spec(creation(document), route53).allowed is allowed


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
