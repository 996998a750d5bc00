"""Claims for tests: valid by default, so that a test shows only what matters."""

import orjson
from pydantic import JsonValue

from libdnsapi.api.dns.provider import PROVIDERS
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES
from libdnsapi.api.meta import NAMESPACES, JsonObject, ObjectKey, ResourceType
from libdnsapi.contract.conversion import WebhookAnswer, WebhookCall

PROVIDER = "example.dns.appthrust.io"
ZONE = ObjectKey("platform", "example-com")
Body = tuple[ResourceType, JsonObject]
ALL_TYPES: list[JsonValue] = ["A", "AAAA", "TXT", "CNAME", "MX", "CAA", "NS"]


def namespace(name: str, **labels: str) -> Body:
    """Return a Namespace."""
    return NAMESPACES, {"metadata": {"name": name, "labels": dict(labels)}}


def provider(version: JsonObject | None = None) -> Body:
    """Return a Provider with one version and open payloads."""
    contract: JsonObject = {
        "name": "v1",
        "served": True,
        "storage": True,
        "identity": {"resource": {"group": "example.dns.appthrust.io", "kind": "Identity", "scope": "Namespaced"}},
        "zoneClass": {},
        "zone": {},
        "recordSet": {"supportedTypes": ALL_TYPES},
    }
    spec: JsonObject = {"display": {"name": "Example"}, "versions": [contract | (version or {})]}
    return PROVIDERS, {"metadata": {"name": PROVIDER, "generation": 1}, "spec": spec}


def zone_class(name: str = "public", namespace: str = "platform", **spec: JsonValue) -> Body:
    """Return an accepted ZoneClass."""
    body: JsonObject = {
        "provider": {"name": PROVIDER, "version": "v1"},
        "controllerName": "example.dns.appthrust.io/controller",
        "identityRef": {"name": "account"},
        "parameters": {},
        "allowedZones": {"namespaces": {"from": "Same"}},
    }
    status: JsonObject = {"conditions": [condition("Accepted", "True", "Accepted")]}
    meta: JsonObject = {"namespace": namespace, "name": name, "generation": 1}
    return ZONE_CLASSES, {"metadata": meta, "spec": body | spec, "status": status}


def condition(type_: str, status: str, reason: str, generation: int = 1) -> JsonObject:
    """Return one condition."""
    return {
        "type": type_,
        "status": status,
        "reason": reason,
        "message": "",
        "observedGeneration": generation,
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }


def zone(key: ObjectKey = ZONE, **spec: JsonValue) -> Body:
    """Return a Zone of class public."""
    body: JsonObject = {
        "domainName": "example.com",
        "zoneClassRef": {"name": "public"},
        "provider": {"name": PROVIDER, "version": "v1"},
    }
    return ZONES, {"metadata": {"namespace": key.namespace, "name": key.name, "generation": 1}, "spec": body | spec}


def allow(pattern: str = ".*", *types: str, **labels: str) -> JsonObject:
    """Return one rule of allowedRecordSets."""
    return {
        "namespaces": {"selector": {"matchLabels": dict(labels) or {"dns": "yes"}}},
        "records": [{"name": {"pattern": pattern}, "types": list(types) or list(ALL_TYPES)}],
    }


def record_set(name: str, namespace: str = "platform", created: str = "", **spec: JsonValue) -> Body:
    """Return an A RecordSet of the Zone, named and owning like `name`."""
    ref: JsonObject = {"name": ZONE.name} if namespace == ZONE.namespace else {**ZONE._asdict()}
    body: JsonObject = {
        "zoneRef": ref,
        "provider": {"name": PROVIDER, "version": "v1"},
        "type": "A",
        "name": name,
        "ttl": 300,
        "a": {"addresses": ["192.0.2.1"]},
    }
    wanted = {field: value for field, value in (body | spec).items() if value is not None}
    meta: JsonObject = {"namespace": namespace, "name": name.replace("*", "wild").replace("@", "apex"), "generation": 1}
    if created:
        meta["creationTimestamp"] = created
    return RECORD_SETS, {"metadata": meta, "spec": wanted}


def cname(name: str, namespace: str = "platform", target: str = "target.example.net", **spec: JsonValue) -> Body:
    """Return a CNAME RecordSet."""
    return record_set(name, namespace, type="CNAME", a=None, cname={"target": target}, **spec)


def renamed(body: Body, object_name: str) -> Body:
    """Return the same object under another object name."""
    resource, document = body
    meta = document["metadata"]
    assert isinstance(meta, dict)
    return resource, document | {"metadata": meta | {"name": object_name}}


def platform() -> list[Body]:
    """Return everything a Zone needs."""
    return [namespace("platform"), provider(), zone_class()]


def two_versions(to_storage: JsonObject, *, served: bool = True) -> Body:
    """Return a Provider whose v1 is converted to its storage version v2, whose options have only a `note`."""
    note: JsonObject = {"type": "object", "properties": {"note": {"type": "string", "description": "Text."}}}
    closed = note | {"additionalProperties": False}
    old: JsonObject = {
        "name": "v1",
        "served": served,
        "zoneClass": {},
        "zone": {"schemas": {"adoption": {"openAPIV3Schema": note}}, "conversion": {"toStorage": to_storage}},
        "recordSet": {
            "supportedTypes": ALL_TYPES,
            "schemas": {"options": {"openAPIV3Schema": note}},
            "conversion": {"toStorage": to_storage},
        },
    }
    new: JsonObject = {
        "name": "v2",
        "served": True,
        "storage": True,
        "zoneClass": {},
        "zone": {"schemas": {"adoption": {"openAPIV3Schema": closed}}},
        "recordSet": {"supportedTypes": ALL_TYPES, "schemas": {"options": {"openAPIV3Schema": closed}}},
    }
    return PROVIDERS, {
        "metadata": {"name": PROVIDER, "generation": 1},
        "spec": {"display": {"name": "Example"}, "versions": [old, new]},
    }


def conversion_webhook() -> JsonObject:
    """Return a conversion by a webhook that only a test can answer for."""
    service: JsonObject = {"namespace": "provider", "name": "convert"}
    return {"webhook": {"clientConfig": {"service": service, "caBundle": "Y2E="}, "timeoutSeconds": 1}}


def converted(call: WebhookCall) -> WebhookAnswer:
    """Answer a conversion with the payload as it came."""
    request = call.body["request"]
    assert isinstance(request, dict)
    response: JsonObject = {"uid": call.uid, "result": {"status": "Success"}, "payload": request["payload"]}
    review: JsonObject = {
        "apiVersion": "dns.appthrust.io/v1alpha1",
        "kind": "ProviderConversionReview",
        "response": response,
    }
    return WebhookAnswer(200, orjson.dumps(review))


def unavailable(_: WebhookCall) -> WebhookAnswer:
    """Answer a conversion as a service does that is down."""
    return WebhookAnswer(failure="the connection failed")
