"""One valid manifest of each kind, and a way to say what a test changes in it."""

import copy
from typing import Any

Document = dict[str, Any]
ABSENT = object()
NAMESPACE = "team-a"
PROVIDER = {"name": "route53.dns.appthrust.io", "version": "v1alpha1"}
API = "dns.appthrust.io/v1alpha1"


def changed(document: Document, **changes: object) -> Document:
    """Return a copy in which paths such as `spec__mx__records` are set, or removed where the value is ABSENT."""
    result = copy.deepcopy(document)
    for path, value in changes.items():
        *parents, last = path.split("__")
        at: Any = result
        for parent in parents:
            at = at[int(parent)] if isinstance(at, list) else at.setdefault(parent, {})
        key = int(last) if isinstance(at, list) else last
        if value is ABSENT:
            at.pop(key, None)
        else:
            at[key] = value
    return result


def _document(kind: str, name: str, spec: Document, *, api: str = API, namespaced: bool = True) -> Document:
    metadata = {"name": name} | ({"namespace": NAMESPACE} if namespaced else {})
    return {"apiVersion": api, "kind": kind, "metadata": metadata, "spec": spec}


_RECORDS = {"storage": True, "served": True, "recordSet": {"supportedTypes": ["A", "TXT"]}}

PROVIDER_OBJECT = _document(
    "Provider",
    "example.dns.example.org",
    {"display": {"name": "Example"}, "versions": [{"name": "v1", **_RECORDS}]},
    namespaced=False,
)
ZONE_CLASS = _document(
    "ZoneClass",
    "public",
    {
        "provider": PROVIDER,
        "controllerName": "route53.dns.appthrust.io/controller",
        "identityRef": {"name": "account"},
        "parameters": {"anything": {"goes": ["here"]}},
        "allowedZones": {"namespaces": {"from": "Same"}},
    },
)
ZONE = _document(
    "Zone",
    "example-com",
    {"domainName": "example.com", "zoneClassRef": {"name": "public"}, "provider": PROVIDER},
)
RECORD_SET = _document(
    "RecordSet",
    "www",
    {
        "zoneRef": {"name": "example-com"},
        "provider": PROVIDER,
        "type": "A",
        "name": "www",
        "ttl": 300,
        "a": {"addresses": ["192.0.2.1"]},
    },
)
ITEM = {
    "recordSetNamespace": NAMESPACE,
    "recordSetName": "www",
    "name": "www",
    "type": "A",
    "ttl": 300,
    "a": {"addresses": ["192.0.2.1"]},
}
ZONE_UNIT = _document(
    "ZoneUnit",
    "example-com",
    {
        "provider": PROVIDER,
        "zone": {
            "ref": {"namespace": NAMESPACE, "name": "example-com"},
            "domainName": "example.com",
            "zoneClassRef": {"namespace": NAMESPACE, "name": "public"},
        },
        "recordSets": [ITEM],
    },
)
ZONE_UNIT_SLICE = _document(
    "ZoneUnitSlice", "example-com-0", {"zoneUnitRef": {"name": "example-com"}, "recordSets": [ITEM]}
)
IDENTITY = _document(
    "Route53Identity",
    "account",
    {"accountID": "123456789012", "region": "eu-central-1", "credentials": {"runtime": {}}},
    api="route53.dns.appthrust.io/v1alpha1",
)


def record_set(type_: str, **body: object) -> Document:
    """Return a record set of another type with its body fields."""
    return changed(RECORD_SET, spec__type=type_, spec__a=ABSENT, **{f"spec__{type_.lower()}": body})
