"""Install cluster-wide objects and wait until the API server acts on them."""

from functools import partial

from e2e.conditions import has_condition
from e2e.kube import Document, Kube, KubeError
from e2e.polling import eventually
from e2e.stack.layout import SYSTEM_NAMESPACE

_CRD = "CustomResourceDefinition"


def definitions(kube: Kube, documents: list[Document]) -> None:
    """Apply CRDs and wait until each is served."""
    kube.apply_all(documents)
    for document in documents:
        name = document["metadata"]["name"]
        eventually(partial(_established, kube, name), what=f"CRD {name} established")


def _established(kube: Kube, name: str) -> bool:
    found = kube.get("apiextensions.k8s.io/v1", _CRD, "", name)
    return has_condition(found, "Established")


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
