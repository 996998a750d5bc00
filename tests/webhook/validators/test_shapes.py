"""What is wrong with an object's shape, in words for people; names and selectors at their limits."""

import pytest
from pydantic import JsonValue

from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.dns.zoneunit import ZoneUnit
from libdnsapi.api.meta import JsonObject, KubernetesObject
from libdnsapi.api.selectors import LabelSelector
from tests.webhook.objects import item, record_set, zone_unit
from webhook.validators import references, shape
from webhook.validators.selectors import selector_problems


@pytest.mark.spec("PC-AD-001")
@pytest.mark.parametrize(
    ("model", "document", "expected"),
    [
        (RecordSet, record_set(spec__zoneRef=None), "spec.zoneRef: is required"),
        (RecordSet, record_set(spec__name=3), "spec.name: must be a string"),
        (RecordSet, record_set(spec__ttl=[]), "spec.ttl: must be a whole number"),
        (RecordSet, record_set(spec__ttl="x"), "spec.ttl: must be a whole number"),
        (RecordSet, record_set(spec__ttl=1.5), "spec.ttl: must be a whole number"),
        (RecordSet, record_set(spec__ttl="9" * 5000), "spec.ttl: is too large a number"),
        (ZoneUnit, zone_unit(spec__recordSets=[item(allowed=[])]), "spec.recordSets[0].allowed: must be true or false"),
        (
            ZoneUnit,
            zone_unit(spec__recordSets=[item(allowed="x")]),
            "spec.recordSets[0].allowed: must be true or false",
        ),
        (RecordSet, record_set(spec__options=3), "spec.options: must be an object"),
        (RecordSet, record_set(spec__a=3), "spec.a: must be an object"),
        (RecordSet, record_set(spec__a={"addresses": 3}), "spec.a.addresses: must be an array"),
        (RecordSet, record_set(spec__name="\ud800"), "spec.name: must be valid UTF-8"),
        (RecordSet, record_set(spec__name="x" * 254), "spec.name: must have at most 253 characters"),
        (RecordSet, record_set(spec__name=""), "spec.name: must not be empty"),
        (
            RecordSet,
            record_set(spec__a={"addresses": ["192.0.2.1"] * 401}),
            "spec.a.addresses: must have at most 400 items",
        ),
        (RecordSet, record_set(spec__a={"addresses": []}), "spec.a.addresses: must not be empty"),
        (RecordSet, record_set(spec__ttl=0), "spec.ttl: must be at least 1"),
        (RecordSet, record_set(spec__ttl=2**31), "spec.ttl: must be at most 2147483647"),
        (RecordSet, record_set(spec__type="SRV"), "spec.type: must be one of A, AAAA, TXT, CNAME, MX, CAA, NS"),
    ],
)
def test_a_wrong_shape_is_told_in_words_for_people(
    model: type[KubernetesObject], document: JsonObject, expected: str
) -> None:
    found = shape.read(model, document)
    assert isinstance(found, tuple)
    assert [str(problem) for problem in found] == [expected]


@pytest.mark.parametrize(("faults", "told"), [(50, 50), (51, 50)])
def test_of_very_many_faults_fifty_are_told(faults: int, told: int) -> None:
    found = shape.read(RecordSet, record_set(spec__a={"addresses": [1] * faults}))
    assert isinstance(found, tuple)
    assert len(found) == told


@pytest.mark.parametrize(
    ("name", "is_object", "is_namespace"),
    [
        ("a", True, True),
        ("a.b", True, False),
        ("a" * 63, True, True),
        ("a" * 64, True, False),
        ("a" * 253, True, False),
        ("a" * 254, False, False),
        ("A", False, False),
        ("-a", False, False),
        ("a-", False, False),
        ("a..b", False, False),
        ("", False, False),
    ],
)
def test_names_are_legal_up_to_their_length(name: str, is_object: bool, is_namespace: bool) -> None:
    assert (references.name_problem(name) is None) is is_object
    assert (references.namespace_problem(name) is None) is is_namespace


@pytest.mark.parametrize(
    ("selector", "paths"),
    [
        ({}, []),
        ({"matchLabels": {"dns": ""}}, []),
        ({"matchLabels": {"example.com/" + "a" * 63: "b" * 63}}, []),
        ({"matchLabels": {"a" * 64: "b"}}, ["matchLabels[" + "a" * 64 + "]"]),
        ({"matchLabels": {"a": "b" * 64}}, ["matchLabels[a]"]),
        ({"matchLabels": {"a": "b c"}}, ["matchLabels[a]"]),
        ({"matchLabels": {"Example.com/a": "b"}}, ["matchLabels[Example.com/a]"]),
        ({"matchLabels": {"/a": "b"}}, ["matchLabels[/a]"]),
        ({"matchLabels": {"a/": "b"}}, ["matchLabels[a/]"]),
        ({"matchExpressions": [{"key": "a", "operator": "In", "values": ["b"]}]}, []),
        ({"matchExpressions": [{"key": "a", "operator": "NotIn", "values": ["b", ""]}]}, []),
        ({"matchExpressions": [{"key": "a", "operator": "Exists"}]}, []),
        ({"matchExpressions": [{"key": "a", "operator": "DoesNotExist"}]}, []),
        ({"matchExpressions": [{"key": "a", "operator": "In"}]}, ["matchExpressions[0].values"]),
        ({"matchExpressions": [{"key": "a", "operator": "NotIn"}]}, ["matchExpressions[0].values"]),
        ({"matchExpressions": [{"key": "a", "operator": "Exists", "values": ["b"]}]}, ["matchExpressions[0].values"]),
        ({"matchExpressions": [{"key": "a b", "operator": "Exists"}]}, ["matchExpressions[0].key"]),
        (
            {"matchExpressions": [{"key": "a", "operator": "In", "values": ["b", "b c"]}]},
            ["matchExpressions[0].values[1]"],
        ),
    ],
)
def test_a_selector_is_one_that_kubernetes_would_take(selector: dict[str, JsonValue], paths: list[str]) -> None:
    found = selector_problems("selector", LabelSelector.model_validate(selector))
    assert [problem.path for problem in found] == [f"selector.{path}" for path in paths]
