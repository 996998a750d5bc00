"""Install cluster-wide objects and wait until the API server acts on them."""

from functools import partial

from e2e.conditions import has_condition
from e2e.kube import Document, Kube, KubeError
from e2e.polling import eventually
from e2e.rights.grants import Right, granted
from e2e.stack.layout import SYSTEM_NAMESPACE

_API = "apiextensions.k8s.io/v1"
_CRD = "CustomResourceDefinition"
_REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews"


def definitions(kube: Kube, documents: list[Document]) -> None:
    """Apply CRDs and wait until each is served."""
    kube.apply_all(documents)
    for document in documents:
        eventually(partial(_served, kube, document), what=f"CRD {document['metadata']['name']} served")


def _served(kube: Kube, document: Document) -> bool:
    """Whether a kind is established, known to discovery, and listed: three parts of the API server, one after another.

    Raises KubeError while a later one does not know the kind yet.
    """
    if not has_condition(kube.get(_API, _CRD, "", document["metadata"]["name"]), "Established"):
        return False
    spec = document["spec"]
    for version in spec["versions"]:
        if version["served"]:
            path = kube.path(f"{spec['group']}/{version['name']}", spec["names"]["kind"])
            kube.request("GET", f"{path}?limit=1")
    return True


def rights(kube: Kube, documents: list[Document]) -> None:
    """Apply accounts, roles and bindings and wait until the authorizer, which follows them by a watch, knows them."""
    kube.apply_all(documents)
    for right in _one_of_each(documents):
        eventually(partial(_allowed, kube, right), what=f"the right to {right}")


def _one_of_each(documents: list[Document]) -> list[Right]:
    """Return a right of each account for each API group, in the cluster and in each namespace."""
    found = sorted(granted(documents, SYSTEM_NAMESPACE))
    return list({(right.account, right.namespace, right.group): right for right in found}.values())


def _allowed(kube: Kube, right: Right) -> bool:
    resource, _, subresource = right.resource.partition("/")
    attributes = {
        "group": right.group,
        "resource": resource,
        "subresource": subresource,
        "verb": right.verb,
        "namespace": right.namespace,
        "name": right.name,
    }
    user = f"system:serviceaccount:{SYSTEM_NAMESPACE}:{right.account}"
    spec = {"user": user, "resourceAttributes": attributes}
    review = {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": spec}
    return bool(kube.request("POST", _REVIEWS, review)["status"]["allowed"])


def admission(kube: Kube, configurations: list[Document]) -> None:
    """Apply webhook configurations and wait until the API server calls the webhook."""
    kube.apply_all(configurations)
    eventually(lambda: _refusal(kube), what="a refusal by the admission webhook")


def _refusal(kube: Kube) -> str:
    """Return what admission says to a Zone that only the webhook refuses; empty while it is admitted."""
    provider = {"name": "route53.dns.appthrust.io", "version": "v0"}
    probe = {
        "apiVersion": "dns.appthrust.io/v1alpha1",
        "kind": "Zone",
        "metadata": {"namespace": SYSTEM_NAMESPACE, "name": "admission-probe"},
        "spec": {"domainName": "example.com", "zoneClassRef": {"name": "none"}, "provider": provider},
    }
    try:
        kube.apply(probe, dry_run=True)
    except KubeError as error:
        if "denied the request" in error.message:
            return error.message
        raise
    return ""
