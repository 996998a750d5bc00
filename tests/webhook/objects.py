"""Objects and reviews for the webhook's tests: valid by default, so that a test shows only what matters."""

from copy import deepcopy

from pydantic import JsonValue

from libdnsapi.api.meta import JsonObject
from webhook.review import Operation, Review, User

PROVIDER = "example.dns.appthrust.io"
CORE = "system:serviceaccount:dns-system:core"
ADMIN = User("admin", frozenset({"system:masters"}))
TENANT = User("tenant", frozenset({"system:authenticated"}))
NOW = "2026-01-01T00:00:00Z"
_GROUPS = {"dns": "dns.appthrust.io", "route53": "route53.dns.appthrust.io", "externaldns": "externaldns.k8s.io"}


def changed(document: JsonObject, **changes: JsonValue) -> JsonObject:
    """Return a copy with values set at paths written as `spec__zoneRef__name`; None removes."""
    copy = deepcopy(document)
    for path, value in changes.items():
        *parents, last = path.split("__")
        holder = copy
        for parent in parents:
            inner = holder.setdefault(parent, {})
            assert isinstance(inner, dict)
            holder = inner
        if value is None:
            holder.pop(last, None)
        else:
            holder[last] = value
    return copy


def _object(kind: str, name: str, spec: JsonObject, namespace: str = "app", group: str = "dns") -> JsonObject:
    return {
        "apiVersion": f"{_GROUPS[group]}/v1alpha1",
        "kind": kind,
        "metadata": {**({"namespace": namespace} if namespace else {}), "name": name, "generation": 3},
        "spec": spec,
    }


def provider(**changes: JsonValue) -> JsonObject:
    """Return a Provider: v1 is served and stored, v1beta1 served and deprecated, v0 no longer served."""
    spec: JsonObject = {
        "display": {"name": "Example"},
        "versions": [
            {**version_contract("v1"), "storage": True},
            {**version_contract("v1beta1"), "deprecated": True},
            {**version_contract("v0"), "served": False},
        ],
    }
    return changed(_object("Provider", PROVIDER, spec, namespace=""), **changes)


def version_contract(name: str) -> JsonObject:
    """Return one version of the Provider's contract."""
    conversion: JsonObject = {} if name == "v1" else {"conversion": {"toStorage": {"cel": "self"}}}
    return {
        "name": name,
        "served": True,
        "zoneClass": {
            "schemas": {"parameters": schema(plan={"type": "string", "enum": ["small", "large"]})},
            "validationRules": [
                {
                    "rule": "!has(self.spec.parameters.plan) || self.spec.parameters.plan != 'large'",
                    "message": "no large",
                }
            ],
            **conversion,
        },
        "zone": {
            "schemas": {
                "adoption": schema(id={"type": "string", "pattern": "^Z[0-9]+$"}),
                "statusProviderData": schema(zoneID={"type": "string"}),
            },
            "additionalConditionReasons": [
                {"conditionType": "Programmed", "status": "False", "reason": "Frozen", "description": "Frozen."}
            ],
            **conversion,
        },
        "recordSet": {
            "supportedTypes": ["A", "AAAA", "TXT", "CNAME", "MX", "NS"],
            "schemas": {
                "options": schema(flat={"type": "boolean"}),
                "adoption": schema(enabled={"type": "boolean"}),
                "statusProviderData": schema(recordID={"type": "string"}),
            },
            "validationRules": [{"rule": "!has(self.spec.ttl) || self.spec.ttl >= 60", "message": "ttl is below 60"}],
            "disableValidations": [
                {"name": "require-ttl", "when": "has(self.spec.options) && has(self.spec.options.flat)"}
            ],
            **conversion,
        },
    }


def schema(**properties: JsonValue) -> JsonObject:
    """Return a closed schema; every property gets a description."""
    described: JsonObject = {
        name: {"description": f"The {name}.", **inner} for name, inner in properties.items() if isinstance(inner, dict)
    }
    return {"openAPIV3Schema": {"type": "object", "additionalProperties": False, "properties": described}}


def zone_class(**changes: JsonValue) -> JsonObject:
    """Return a valid ZoneClass."""
    spec: JsonObject = {
        "provider": {"name": PROVIDER, "version": "v1"},
        "controllerName": "example.dns.appthrust.io/controller",
        "identityRef": {"name": "account"},
        "parameters": {"plan": "small"},
        "allowedZones": {"namespaces": {"from": "All"}},
    }
    return changed(_object("ZoneClass", "public", spec), **changes)


def zone(**changes: JsonValue) -> JsonObject:
    """Return a valid Zone that opens itself to one kind of namespace."""
    spec: JsonObject = {
        "domainName": "example.com",
        "provider": {"name": PROVIDER, "version": "v1"},
        "zoneClassRef": {"namespace": "platform", "name": "public"},
        "allowedRecordSets": [allowed_rule("[a-z]+", "A", "CNAME")],
    }
    return changed(_object("Zone", "example-com", spec), **changes)


def allowed_rule(pattern: str, *types: str) -> JsonObject:
    """Return one rule of allowedRecordSets for namespaces labelled dns=yes."""
    return {
        "namespaces": {"selector": {"matchLabels": {"dns": "yes"}}},
        "records": [{"name": {"pattern": pattern}, "types": [*types]}],
    }


def record_set(**changes: JsonValue) -> JsonObject:
    """Return a valid A record set."""
    spec: JsonObject = {
        "zoneRef": {"name": "example-com"},
        "provider": {"name": PROVIDER, "version": "v1"},
        "type": "A",
        "name": "www",
        "ttl": 300,
        "a": {"addresses": ["192.0.2.1"]},
    }
    return changed(_object("RecordSet", "www", spec), **changes)


def item(name: str = "www", **changes: JsonValue) -> JsonObject:
    """Return a valid ledger item."""
    found: JsonObject = {
        "recordSetNamespace": "app",
        "recordSetName": name,
        "name": name,
        "type": "A",
        "ttl": 300,
        "a": {"addresses": ["192.0.2.1"]},
    }
    return changed(found, **changes)


def zone_unit(**changes: JsonValue) -> JsonObject:
    """Return a valid ZoneUnit with one item."""
    spec: JsonObject = {
        "provider": {"name": PROVIDER, "version": "v1"},
        "zone": {
            "ref": {"namespace": "app", "name": "example-com"},
            "domainName": "example.com",
            "zoneClassRef": {"namespace": "platform", "name": "public"},
        },
        "recordSets": [item()],
    }
    return changed(_object("ZoneUnit", "example-com", spec), **changes)


def zone_unit_slice(**changes: JsonValue) -> JsonObject:
    """Return a valid slice with one item."""
    spec: JsonObject = {"zoneUnitRef": {"name": "example-com"}, "recordSets": [item()]}
    return changed(_object("ZoneUnitSlice", "example-com-0", spec), **changes)


def identity(**changes: JsonValue) -> JsonObject:
    """Return a valid Route53Identity."""
    spec: JsonObject = {"accountID": "111122223333", "region": "eu-central-1", "credentials": {"runtime": {}}}
    return changed(_object("Route53Identity", "account", spec, group="route53"), **changes)


def dns_provider(**changes: JsonValue) -> JsonObject:
    """Return a valid managed pipeline of one namespace."""
    spec: JsonObject = {
        "type": "aws",
        "domainFilter": {"include": ["app.example.com"], "exclude": ["internal.app.example.com"]},
        "config": {"aws-assume-role": "arn:aws:iam::111122223333:role/dns"},
        "credentialsRef": {"name": "keys"},
    }
    return changed(_object("DNSProvider", "team", spec, group="externaldns"), **changes)


def cluster_dns_provider(**changes: JsonValue) -> JsonObject:
    """Return a valid managed pipeline of the whole cluster."""
    spec: JsonObject = {
        "type": "aws",
        "domainFilter": {"include": ["prod.example.com"]},
        "config": {"aws-account-id": "111122223333"},
        "allowedNamespaces": {"selector": {"matchLabels": {"dns": "yes"}}},
        "allowedRecords": {},
    }
    return changed(_object("ClusterDNSProvider", "prod", spec, namespace="", group="externaldns"), **changes)


def condition(type_: str, status: str, reason: str, generation: int = 3) -> JsonObject:
    """Return a condition."""
    return {
        "type": type_,
        "status": status,
        "reason": reason,
        "message": "",
        "observedGeneration": generation,
        "lastTransitionTime": NOW,
    }


def creation(document: JsonObject, user: User = ADMIN) -> Review:
    """Return the review of a CREATE."""
    return _review(Operation.CREATE, document, {}, user)


def update(old: JsonObject, new: JsonObject, user: User = ADMIN) -> Review:
    """Return the review of an UPDATE of the object itself."""
    return _review(Operation.UPDATE, new, old, user)


def status_update(document: JsonObject, status: JsonObject, user: User = ADMIN) -> Review:
    """Return the review of an UPDATE of the status."""
    return _review(Operation.UPDATE, changed(document, status=status), document, user, "status")


def deletion(document: JsonObject, user: User = ADMIN) -> Review:
    """Return the review of a DELETE."""
    return _review(Operation.DELETE, {}, document, user)


def envelope(review: Review) -> JsonObject:
    """Return the AdmissionReview that the API server would send."""
    request: JsonObject = {
        "uid": review.uid,
        "operation": review.operation.value,
        "resource": {"group": "dns.appthrust.io", "version": "v1alpha1", "resource": review.resource},
        "namespace": review.namespace,
        "name": review.name,
        "userInfo": {"username": review.user.name, "groups": [*review.user.groups]},
        "object": review.object or None,
        "oldObject": review.old or None,
    }
    if review.subresource:
        request["subResource"] = review.subresource
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}


def _review(operation: Operation, new: JsonObject, old: JsonObject, user: User, subresource: str = "") -> Review:
    document = new or old
    metadata = document["metadata"]
    assert isinstance(metadata, dict)
    return Review(
        uid="11111111-2222-3333-4444-555555555555",
        operation=operation,
        resource=f"{str(document['kind']).lower()}s".replace("classs", "classes").replace("identitys", "identities"),
        subresource=subresource,
        namespace=str(metadata.get("namespace", "")),
        name=str(metadata["name"]),
        user=user,
        object=new,
        old=old,
    )
