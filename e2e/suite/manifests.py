"""Manifests that the tests apply; a test shows only what matters to it."""

from collections.abc import Mapping, Sequence

from e2e.claims import DNS, ROUTE53
from e2e.kube import Document

PROVIDER = {"name": "route53.dns.appthrust.io", "version": "v1alpha1"}
CONTROLLER = "route53.dns.appthrust.io/controller"
PLATFORM = "e2e-platform"
"""The namespace of identity and classes."""
DELETE, RETAIN = "delete", "retain"
"""The ZoneClasses, by their zoneDeletionPolicy."""
TEAM_LABEL = {"e2e.example.org/team": "true"}


def namespace(name: str, labels: Mapping[str, str] | None = None) -> Document:
    """Return a Namespace."""
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": dict(labels or {})}}


def identity(account_id: str, name: str = "account") -> Document:
    """Return a Route53Identity that uses the controller's own credentials."""
    spec = {"accountID": account_id, "region": "us-east-1", "credentials": {"runtime": {}}}
    return _document(ROUTE53, "Route53Identity", PLATFORM, name, spec)


def zone_class(name: str, policy: str, identity_name: str = "account") -> Document:
    """Return a ZoneClass for every namespace; `policy` is its zoneDeletionPolicy."""
    spec = {
        "provider": PROVIDER,
        "controllerName": CONTROLLER,
        "identityRef": {"name": identity_name},
        "parameters": {"zoneDeletionPolicy": policy, "tags": {"suite": "e2e"}},
        "allowedZones": {"namespaces": {"from": "All"}},
    }
    return _document(DNS, "ZoneClass", PLATFORM, name, spec)


def zone(
    namespace_name: str, name: str, domain_name: str, *, class_name: str = DELETE, shared: bool = False
) -> Document:
    """Return a Zone; a shared one admits every record of namespaces with the team label."""
    spec: Document = {
        "domainName": domain_name,
        "zoneClassRef": {"namespace": PLATFORM, "name": class_name},
        "provider": PROVIDER,
    }
    if shared:
        records = [{"name": {"pattern": ".*"}, "types": ["A", "AAAA", "TXT", "CNAME", "MX", "CAA", "NS"]}]
        rule = {"namespaces": {"selector": {"matchLabels": TEAM_LABEL}}, "records": records}
        spec["allowedRecordSets"] = [rule]
    return _document(DNS, "Zone", namespace_name, name, spec)


def record_set(namespace_name: str, name: str, zone_ref: Mapping[str, str], spec: Document) -> Document:
    """Return a RecordSet; `spec` holds name, type, ttl and body."""
    return _document(DNS, "RecordSet", namespace_name, name, {"zoneRef": dict(zone_ref), "provider": PROVIDER, **spec})


def a_record(
    namespace_name: str, name: str, zone_name: str, addresses: Sequence[str] = ("192.0.2.1",), ttl: int = 300
) -> Document:
    """Return an A RecordSet whose owner name is its object name, in a Zone of the same namespace."""
    spec = {"name": name, "type": "A", "ttl": ttl, "a": {"addresses": list(addresses)}}
    return record_set(namespace_name, name, {"name": zone_name}, spec)


def _document(api_version: str, kind: str, namespace_name: str, name: str, spec: Document) -> Document:
    metadata = {"namespace": namespace_name, "name": name}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec}
