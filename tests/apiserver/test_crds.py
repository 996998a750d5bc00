"""What the CRDs alone accept and refuse on a real API server, with no webhook installed."""

from uuid import uuid4

import pytest

from e2e.kube import Kube, KubeError
from tests.apiserver.definitions import install
from tests.apiserver.manifests import (
    ABSENT,
    IDENTITY,
    ITEM,
    NAMESPACE,
    PROVIDER_OBJECT,
    RECORD_SET,
    ZONE,
    ZONE_CLASS,
    ZONE_UNIT,
    ZONE_UNIT_SLICE,
    Document,
    changed,
    record_set,
)

pytestmark = pytest.mark.apiserver
SELECTOR = "spec__allowedRecordSets"
RECORDS = [{"name": {"pattern": ".*"}, "types": ["A"]}]


@pytest.fixture(scope="module", autouse=True)
def installed(kube: Kube) -> None:
    install(kube, namespaces=(NAMESPACE,))


def renamed(document: Document) -> Document:
    """Give it a name of its own; a ZoneUnit is named as its Zone."""
    name = f"{document['metadata']['name']}-{uuid4().hex[:8]}"
    fresh = changed(document, metadata__name=name)
    return changed(fresh, spec__zone__ref__name=name) if fresh["kind"] == "ZoneUnit" else fresh


ACCEPTED = {
    "a provider": PROVIDER_OBJECT,
    "a class": ZONE_CLASS,
    "a class without from": changed(ZONE_CLASS, spec__allowedZones__namespaces={}),
    "a class with an empty selector": changed(
        ZONE_CLASS, spec__allowedZones__namespaces={"from": "Selector", "selector": {}}
    ),
    "a zone": ZONE,
    "a single-label zone": changed(ZONE, spec__domainName="internal"),
    "a zone that admits by labels": changed(
        ZONE,
        **{SELECTOR: [{"namespaces": {"selector": {"matchLabels": {"team": "a"}}}, "records": RECORDS}]},
    ),
    "an A record set": RECORD_SET,
    "an A record set without body or ttl, which a provider may allow": changed(
        RECORD_SET, spec__a=ABSENT, spec__ttl=ABSENT, spec__options={"alias": {}}
    ),
    "an AAAA record set": record_set("AAAA", addresses=["2001:db8::1"]),
    "a TXT record set": record_set("TXT", values=["v=spf1 -all"]),
    "a CNAME record set": record_set("CNAME", target="example.net"),
    "an MX record set": record_set("MX", records=[{"preference": 10, "exchange": "mail.example.net"}]),
    "a null MX record set": record_set("MX", records=[{"preference": 0, "exchange": "."}]),
    "a CAA record set": record_set("CAA", records=[{"flags": 0, "tag": "issue", "value": "ca.example"}]),
    "a delegation": record_set("NS", nameServers=["ns1.example.net"]),
    "a unit": ZONE_UNIT,
    "a unit without items": changed(ZONE_UNIT, spec__recordSets=ABSENT),
    "a slice": ZONE_UNIT_SLICE,
    "an identity": IDENTITY,
    "an identity with a secret": changed(IDENTITY, spec__credentials={"secretRef": {"name": "keys"}}),
}


@pytest.mark.spec("CORE-RB-010")
@pytest.mark.parametrize("document", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_a_valid_object_is_accepted(kube: Kube, document: Document) -> None:
    wanted = renamed(document)

    assert kube.create(wanted)["spec"] == wanted["spec"]


VERSION = "spec__versions__0"
TWO_VERSIONS = [{"name": "v1", "served": True, "storage": True}, {"name": "v1", "served": True}]
CONVERSION = {"toStorage": {"cel": "self", "webhook": {"clientConfig": {"service": {"namespace": "a", "name": "b"}}}}}
DISABLED = [{"name": "require-adoption", "when": "true"}]
ROLE = "arn:aws:iam::123456789012:role/dns"
NULL_MX = {"preference": 0, "exchange": "."}
MX = {"preference": 10, "exchange": "mail.example.net"}

REFUSED: dict[str, tuple[Document, str, str]] = {
    "no storage version": (
        changed(PROVIDER_OBJECT, **{f"{VERSION}__storage": False}),
        "spec.versions",
        "exactly one version must have storage: true",
    ),
    "two versions of one name": (
        changed(PROVIDER_OBJECT, spec__versions=TWO_VERSIONS),
        "spec.versions[1]",
        "Duplicate value",
    ),
    "a record type listed twice": (
        changed(PROVIDER_OBJECT, **{f"{VERSION}__recordSet__supportedTypes": ["A", "A"]}),
        "spec.versions[0].recordSet.supportedTypes",
        "a record type is listed only once",
    ),
    "a record type without a body": (
        changed(PROVIDER_OBJECT, **{f"{VERSION}__recordSet__supportedTypes": ["SRV"]}),
        "spec.versions[0].recordSet.supportedTypes[0]",
        "Unsupported value",
    ),
    "both conversion strategies": (
        changed(PROVIDER_OBJECT, **{f"{VERSION}__zone": {"conversion": CONVERSION}}),
        "spec.versions[0].zone.conversion.toStorage",
        "exactly one of cel and webhook must be set",
    ),
    "a validation that nobody may disable": (
        changed(PROVIDER_OBJECT, **{f"{VERSION}__recordSet__disableValidations": DISABLED}),
        "spec.versions[0].recordSet.disableValidations",
        "only these validations can be disabled: require-ttl",
    ),
    "a controller name without a path": (
        changed(ZONE_CLASS, spec__controllerName="route53"),
        "spec.controllerName",
        "such as route53.dns.appthrust.io/controller",
    ),
    "from Selector without a selector": (
        changed(ZONE_CLASS, spec__allowedZones__namespaces={"from": "Selector"}),
        "spec.allowedZones.namespaces.selector",
        "selector is required when from is Selector",
    ),
    "an unknown from": (
        changed(ZONE_CLASS, spec__allowedZones__namespaces={"from": "Some"}),
        "spec.allowedZones.namespaces.from",
        "Unsupported value",
    ),
    "an upper-case domain": (
        changed(ZONE, spec__domainName="Example.com"),
        "spec.domainName",
        "must be lower case: write example.com",
    ),
    "a domain with a final dot": (
        changed(ZONE, spec__domainName="example.com."),
        "spec.domainName",
        "must not end with a dot: write example.com",
    ),
    "a domain with an underscore": (changed(ZONE, spec__domainName="a_b.com"), "spec.domainName", "must be a domain"),
    "a domain with a long label": (
        changed(ZONE, spec__domainName="a" * 64 + ".com"),
        "spec.domainName",
        "must be a domain name: labels of up to 63",
    ),
    "a domain that is not ASCII": (changed(ZONE, spec__domainName="bücher.de"), "spec.domainName", "IDN as Punycode"),
    "a class for a domain in upper case": (
        changed(ZONE_CLASS, spec__allowedZones__domainNames=["Example.com"]),
        "spec.allowedZones.domainNames[0]",
        "must be lower case: write example.com",
    ),
    "an empty namespace selector": (
        changed(ZONE, **{SELECTOR: [{"namespaces": {"selector": {}}, "records": RECORDS}]}),
        "spec.allowedRecordSets[0].namespaces.selector",
        "name at least one label",
    ),
    "an expression without values": (
        changed(
            ZONE_CLASS,
            spec__allowedZones__namespaces={
                "from": "Selector",
                "selector": {"matchExpressions": [{"key": "team", "operator": "In"}]},
            },
        ),
        "spec.allowedZones.namespaces.selector.matchExpressions[0].values",
        "In and NotIn need values",
    ),
    "a body of another type": (
        changed(RECORD_SET, spec__txt={"values": ["x"]}),
        "spec.txt",
        "txt may be set only when type is TXT",
    ),
    "a CNAME without its body": (
        changed(RECORD_SET, spec__type="CNAME", spec__a=ABSENT),
        "spec.cname",
        "cname is required when type is CNAME",
    ),
    "an unknown type": (changed(RECORD_SET, spec__type="SRV", spec__a=ABSENT), "spec.type", "Unsupported value"),
    "a ttl of zero": (changed(RECORD_SET, spec__ttl=0), "spec.ttl", "greater than or equal to 1"),
    "no address": (changed(RECORD_SET, spec__a={"addresses": []}), "spec.a.addresses", "at least 1 items"),
    "an IPv6 address in an A record set": (
        changed(RECORD_SET, spec__a={"addresses": ["192.0.2.1", "2001:db8::1"]}),
        "spec.a.addresses[1]",
        "must be an IPv4 address",
    ),
    "an octet too large": (
        changed(RECORD_SET, spec__a={"addresses": ["192.0.2.256"]}),
        "spec.a.addresses[0]",
        "must be an IPv4 address",
    ),
    "an IPv6 address with a scope": (
        record_set("AAAA", addresses=["fe80::1%eth0"]),
        "spec.aaaa.addresses[0]",
        "must be an IPv6 address",
    ),
    "a v4-mapped IPv6 address": (
        record_set("AAAA", addresses=["::ffff:192.0.2.1"]),
        "spec.aaaa.addresses[0]",
        "must be an IPv6 address",
    ),
    "a null MX beside another one": (
        record_set("MX", records=[NULL_MX, MX]),
        "spec.mx.records",
        "stands alone and has preference 0",
    ),
    "a null MX with a preference": (
        record_set("MX", records=[{**NULL_MX, "preference": 10}]),
        "spec.mx.records",
        "stands alone and has preference 0",
    ),
    "a preference too large": (
        record_set("MX", records=[{**MX, "preference": 65536}]),
        "spec.mx.records[0].preference",
        "less than or equal to 65535",
    ),
    "a CAA tag in upper case": (
        record_set("CAA", records=[{"flags": 0, "tag": "ISSUE", "value": "ca.example"}]),
        "spec.caa.records[0].tag",
        "must be lower-case letters and digits, such as issue",
    ),
    "a delegation of the apex": (
        changed(record_set("NS", nameServers=["ns1.example.net"]), spec__name="@"),
        "spec.name",
        "an NS record set delegates a child name",
    ),
    "a delegation of a wildcard": (
        changed(record_set("NS", nameServers=["ns1.example.net"]), spec__name="*.a"),
        "spec.name",
        "an NS record set delegates a child name",
    ),
    "two items of one claim": (
        changed(ZONE_UNIT, spec__recordSets=[ITEM, ITEM]),
        "spec.recordSets[1]",
        "Duplicate value",
    ),
    "no credentials": (
        changed(IDENTITY, spec__credentials={}),
        "spec.credentials",
        "exactly one of runtime and secretRef must be set",
    ),
    "two kinds of credentials": (
        changed(IDENTITY, spec__credentials={"runtime": {}, "secretRef": {"name": "keys"}}),
        "spec.credentials",
        "exactly one of runtime and secretRef must be set",
    ),
    "an account id of eleven digits": (
        changed(IDENTITY, spec__accountID="12345678901"),
        "spec.accountID",
        "must be an AWS account id: twelve digits, written as a string",
    ),
    "a region that is none": (
        changed(IDENTITY, spec__region="europe"),
        "spec.region",
        "must be an AWS region such as eu-central-1",
    ),
    "a role of a short account": (
        changed(IDENTITY, spec__assumeRoleChain=[{"roleARN": "arn:aws:iam::123:role/dns"}]),
        "spec.assumeRoleChain[0].roleARN",
        "must be the ARN of an IAM role such as arn:aws:iam::111122223333:role/dns",
    ),
    "a session name with a space": (
        changed(IDENTITY, spec__assumeRoleChain=[{"roleARN": ROLE, "sessionName": "dns api"}]),
        "spec.assumeRoleChain[0].sessionName",
        "must be letters, digits and _ + = , . @ -",
    ),
}


@pytest.mark.spec(
    "CORE-ZC-006",
    "CORE-ZN-003",
    "CORE-AR-013",
    "CORE-RS-005",
    "CORE-RN-012",
    "CORE-RB-002",
    "CORE-RB-006",
    "CORE-RB-019",
    "CORE-RB-024",
    "CORE-RB-026",
    "CORE-RB-033",
    "CORE-ZU-009",
    "PC-PV-004",
    "PC-PV-010",
    "PC-PV-018",
    "PC-AD-006",
    "PC-AM-005",
)
@pytest.mark.parametrize(("document", "field", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_an_invalid_object_is_refused_with_the_field_and_the_rule(
    kube: Kube, document: Document, field: str, message: str
) -> None:
    with pytest.raises(KubeError) as refusal:
        kube.create(renamed(document))

    assert_cause(refusal.value, field, message)


@pytest.mark.spec("CORE-ZU-002")
def test_a_unit_is_named_as_its_zone(kube: Kube) -> None:
    with pytest.raises(KubeError) as refusal:
        kube.create(changed(ZONE_UNIT, metadata__name="another"))

    assert_cause(refusal.value, "", "metadata.name must equal spec.zone.ref.name")


ANOTHER = {"name": "another.example.org", "version": "v1"}
IMMUTABLE: dict[str, tuple[Document, dict[str, object], str]] = {
    "the provider of a class": (ZONE_CLASS, {"spec__provider": ANOTHER}, "provider is immutable"),
    "the controller of a class": (ZONE_CLASS, {"spec__controllerName": "a.example/b"}, "controllerName is immutable"),
    "the domain of a zone": (ZONE, {"spec__domainName": "example.net"}, "domainName is immutable"),
    "the class of a zone": (ZONE, {"spec__zoneClassRef": {"name": "private"}}, "zoneClassRef is immutable"),
    "the class of a zone, made explicit": (
        ZONE,
        {"spec__zoneClassRef__namespace": NAMESPACE},
        "zoneClassRef is immutable",
    ),
    "the provider of a zone": (ZONE, {"spec__provider": ANOTHER}, "provider is immutable"),
    "the zone of a record set": (RECORD_SET, {"spec__zoneRef": {"name": "other"}}, "zoneRef is immutable"),
    "the provider of a record set": (RECORD_SET, {"spec__provider": ANOTHER}, "provider is immutable"),
    "the name of a record set": (RECORD_SET, {"spec__name": "web"}, "name is immutable"),
    "the type of a record set": (
        RECORD_SET,
        {"spec__type": "TXT", "spec__a": ABSENT, "spec__txt": {"values": ["x"]}},
        "type is immutable",
    ),
    "the provider of a unit": (ZONE_UNIT, {"spec__provider": ANOTHER}, "provider is immutable"),
    "the name of an item": (ZONE_UNIT, {"spec__recordSets__0__name": "web"}, "name is immutable"),
    "the type of an item": (ZONE_UNIT, {"spec__recordSets__0__type": "TXT"}, "type is immutable"),
    "the unit of a slice": (ZONE_UNIT_SLICE, {"spec__zoneUnitRef__name": "other"}, "zoneUnitRef is immutable"),
}


@pytest.mark.spec("CORE-ZC-002", "CORE-ZN-005", "CORE-RS-002", "CORE-ZU-005")
@pytest.mark.parametrize(("document", "changes", "message"), IMMUTABLE.values(), ids=IMMUTABLE.keys())
def test_an_immutable_field_cannot_be_changed(
    kube: Kube, document: Document, changes: dict[str, object], message: str
) -> None:
    stored = kube.create(renamed(document))

    with pytest.raises(KubeError, match=message):
        kube.replace(changed(stored, **changes))


def test_status_is_written_only_through_its_subresource(kube: Kube) -> None:
    condition = {
        "type": "Accepted",
        "status": "True",
        "reason": "Accepted",
        "message": "fine",
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }
    stored = kube.create(changed(renamed(ZONE), status__conditions=[condition]))
    path = kube.path(stored["apiVersion"], "Zone", NAMESPACE, stored["metadata"]["name"])

    written = kube.request("PUT", f"{path}/status", changed(stored, status__conditions=[condition]))

    assert "status" not in stored
    assert written["status"]["conditions"] == [condition]


def assert_cause(refusal: KubeError, field: str, message: str) -> None:
    causes = [(cause.get("field", ""), cause.get("message", "")) for cause in refusal.details.get("causes", [])]
    fitting = [text for at, text in causes if field in {at, ""} and message in text]

    assert refusal.status == 422
    assert fitting, causes
