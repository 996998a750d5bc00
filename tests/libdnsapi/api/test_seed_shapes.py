"""The fields of every kind, written down as the core seed and the contract page have them."""

import pytest

from libdnsapi.api.dns.provider import PROVIDERS, Provider
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.dns.zoneclass import ZoneClass
from libdnsapi.api.dns.zoneunit import ZoneUnit
from libdnsapi.api.meta import JsonObject, KubernetesObject
from tools.structural import object_schema

CONTENT = "ttl a aaaa txt cname mx caa ns options adoption"
ROWS: list[tuple[type[KubernetesObject], str, str, str]] = [
    (ZoneClass, "spec", "provider controllerName identityRef parameters allowedZones", "all"),
    (ZoneClass, "spec.provider", "name version", "all"),
    (ZoneClass, "spec.identityRef", "name", "all"),
    (ZoneClass, "spec.allowedZones", "namespaces domainNames", "namespaces"),
    (ZoneClass, "spec.allowedZones.namespaces", "from selector", ""),
    (ZoneClass, "status", "conditions", ""),
    (
        Zone,
        "spec",
        "domainName zoneClassRef provider adoption allowedRecordSets",
        "domainName zoneClassRef provider",
    ),
    (Zone, "spec.provider", "name version", "all"),
    (Zone, "spec.zoneClassRef", "namespace name", "name"),
    (Zone, "spec.allowedRecordSets[]", "namespaces records", "all"),
    (Zone, "spec.allowedRecordSets[].namespaces", "selector", "all"),
    (Zone, "spec.allowedRecordSets[].records[]", "name types", "all"),
    (Zone, "spec.allowedRecordSets[].records[].name", "pattern", "all"),
    (Zone, "status", "observedGeneration nameServers provider conditions", ""),
    (Zone, "status.provider", "data", ""),
    (RecordSet, "spec", f"zoneRef provider type name {CONTENT}", "zoneRef provider type name"),
    (RecordSet, "spec.zoneRef", "namespace name", "name"),
    (RecordSet, "spec.a", "addresses", "all"),
    (RecordSet, "spec.aaaa", "addresses", "all"),
    (RecordSet, "spec.txt", "values", "all"),
    (RecordSet, "spec.cname", "target", "all"),
    (RecordSet, "spec.mx.records[]", "preference exchange", "all"),
    (RecordSet, "spec.caa.records[]", "flags tag value", "all"),
    (RecordSet, "spec.ns", "nameServers", "all"),
    (RecordSet, "status", "observedGeneration zone provider conditions", ""),
    (RecordSet, "status.zone", "ref", "all"),
    (RecordSet, "status.zone.ref", "namespace name", "all"),
    (RecordSet, "status.provider", "data", ""),
    (ZoneUnit, "spec", "provider zone recordSets", "provider zone"),
    (
        ZoneUnit,
        "spec.zone",
        "ref observedGeneration domainName zoneClassRef adoption",
        "ref domainName zoneClassRef",
    ),
    (ZoneUnit, "spec.zone.ref", "namespace name", "all"),
    (
        ZoneUnit,
        "spec.recordSets[]",
        f"recordSetNamespace recordSetName observedGeneration name type allowed deletionRequested {CONTENT}",
        "recordSetNamespace recordSetName name type",
    ),
    (ZoneUnit, "status", "observedGeneration conditions provider zone recordSets", ""),
    (ZoneUnit, "status.zone", "nameServers provider conditions", ""),
    (ZoneUnit, "status.zone.provider", "data state", ""),
    (
        ZoneUnit,
        "status.recordSets[]",
        "recordSetNamespace recordSetName observedGeneration provider conditions deletionCompleted",
        "recordSetNamespace recordSetName",
    ),
]


def schema_at(model: type[KubernetesObject], path: str) -> JsonObject:
    """Return the structural schema of a field; `[]` steps into a list's items."""
    at = object_schema(model, ledger=model is ZoneUnit)
    for step in path.split("."):
        properties = at["properties"]
        assert isinstance(properties, dict)
        found = properties[step.removesuffix("[]")]
        assert isinstance(found, dict)
        items = found.get("items")
        at = items if step.endswith("[]") and isinstance(items, dict) else found
    return at


@pytest.mark.spec(
    "CORE-ZC-001",
    "CORE-ZC-003",
    "CORE-ZC-007",
    "CORE-ZN-007",
    "CORE-ZN-014",
    "CORE-AR-009",
    "CORE-AR-010",
    "CORE-RS-001",
    "CORE-RS-014",
    "CORE-ZU-004",
    "CORE-ZU-007",
    "CORE-ZU-008",
    "CORE-RT-001",
    "CORE-RT-006",
)
@pytest.mark.parametrize(("model", "path", "fields", "required"), ROWS, ids=[f"{r[0].__name__}.{r[1]}" for r in ROWS])
def test_fields_are_those_of_the_seed(model: type[KubernetesObject], path: str, fields: str, required: str) -> None:
    found = schema_at(model, path)
    properties, needed = found["properties"], found.get("required", [])
    assert isinstance(properties, dict)
    assert isinstance(needed, list)
    assert set(properties) == set(fields.split())
    assert set(needed) == set((fields if required == "all" else required).split())


@pytest.mark.spec("CORE-RS-004")
def test_ttl_ranges_over_positive_32_bit_numbers() -> None:
    found = schema_at(RecordSet, "spec.ttl")
    assert (found["type"], found["minimum"], found["maximum"]) == ("integer", 1, 2**31 - 1)


@pytest.mark.spec("PC-PV-001")
def test_provider_shape() -> None:
    assert not PROVIDERS.namespaced
    assert set(Provider.model_fields) == {"api_version", "kind", "metadata", "spec"}
