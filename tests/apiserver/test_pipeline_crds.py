"""What the CRDs of DNSProvider and ClusterDNSProvider alone accept and refuse, with no webhook installed."""

import pytest

from e2e.kube import Kube, KubeError
from tests.apiserver.definitions import install
from tests.apiserver.manifests import Document
from tests.webhook.objects import cluster_dns_provider, dns_provider

NAMESPACE = "pipelines"
SELECTED: Document = {"refs": [{"name": "example-com"}]}


@pytest.fixture(scope="module", autouse=True)
def installed(kube: Kube) -> None:
    install(kube, namespaces=(NAMESPACE,))


def _placed(document: Document) -> Document:
    metadata = document["metadata"]
    return {**document, "metadata": {**metadata, "namespace": NAMESPACE} if "namespace" in metadata else metadata}


ACCEPTED = {
    "a managed pipeline of a namespace": dns_provider(),
    "a selecting pipeline of a namespace": dns_provider(spec__zones=SELECTED, spec__credentialsRef=None),
    "one for any provider": dns_provider(spec__type="dns-api", spec__zones={"selector": {}}),
    "a managed pipeline of the cluster": cluster_dns_provider(),
    "with everything": cluster_dns_provider(
        spec__registry={"type": "ledger", "txtOwnerId": "x"},
        spec__policy="create-only",
        spec__defaults={"ttl": 60},
        spec__adoption="Matching",
        spec__allowedRecords={"name": {"pattern": ".*"}, "types": ["A"]},
    ),
}

REFUSED = {
    "an unknown type": (dns_provider(spec__type="cloudflare"), "spec.type", "Unsupported value"),
    "no zones to choose": (dns_provider(spec__zones={}), "spec.zones", "name Zones by selector, by refs, or by both"),
    "any provider without zones": (
        dns_provider(spec__type="dns-api"),
        "spec.zones",
        "zones is required when type is dns-api",
    ),
    "the role of the controller for a namespace": (
        dns_provider(spec__credentialsRef=None),
        "spec.credentialsRef",
        "a namespace never acts with the controller's own role",
    ),
    "an unknown setting": (
        dns_provider(spec__config={"aws-profile": "x"}),
        "spec.config",
        "known settings are aws-account-id, aws-assume-role,",
    ),
    "private zones": (
        dns_provider(spec__config={"aws-zone-type": "private"}),
        "spec.config",
        "aws-zone-type must be public",
    ),
    "a registry of TXT records": (
        dns_provider(spec__registry={"type": "txt"}),
        "spec.registry.type",
        "set spec.adoption to Matching",
    ),
    "a prefix of TXT records": (
        dns_provider(spec__registry={"txtPrefix": "edns-"}),
        "spec.registry.txtPrefix",
        "no TXT records are written",
    ),
    "an unknown policy": (dns_provider(spec__policy="delete"), "spec.policy", "Unsupported value"),
    "a ttl of zero": (dns_provider(spec__defaults={"ttl": 0}), "spec.defaults.ttl", "greater than or equal to 1"),
    "managed zones that admit nobody in particular": (
        cluster_dns_provider(spec__allowedNamespaces=None),
        "spec.allowedNamespaces",
        "allowedNamespaces and allowedRecords are required without zones",
    ),
    "managed zones that admit anything": (
        cluster_dns_provider(spec__allowedRecords=None),
        "spec.allowedNamespaces",
        "allowedNamespaces and allowedRecords are required without zones",
    ),
    "managed zones that admit everybody": (
        cluster_dns_provider(spec__allowedNamespaces={"selector": {}}),
        "spec.allowedNamespaces.selector",
        "name at least one label",
    ),
}


@pytest.mark.parametrize("document", ACCEPTED.values(), ids=ACCEPTED.keys())
@pytest.mark.spec("ROUTE-GO-013")
def test_a_valid_pipeline_is_accepted(kube: Kube, document: Document) -> None:
    kube.apply(_placed(document), dry_run=True)


@pytest.mark.parametrize(("document", "field", "message"), REFUSED.values(), ids=REFUSED.keys())
@pytest.mark.spec("ROUTE-GO-014")
def test_an_invalid_pipeline_is_refused_with_the_field_and_the_rule(
    kube: Kube, document: Document, field: str, message: str
) -> None:
    with pytest.raises(KubeError) as caught:
        kube.apply(_placed(document), dry_run=True)
    assert field in {cause["field"] for cause in caught.value.details["causes"]}
    assert message in caught.value.message
