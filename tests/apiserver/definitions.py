"""Installing our CRDs into the session's API server."""

from pathlib import Path

from e2e.conditions import has_condition
from e2e.kube import Kube, load_documents
from e2e.polling import eventually
from tests.apiserver.manifests import Document

CRDS = Path(__file__).parents[2] / "charts" / "dnsapi-crds" / "templates"
API = "apiextensions.k8s.io/v1"
KIND = "CustomResourceDefinition"


def install(kube: Kube, namespaces: tuple[str, ...] = ()) -> None:
    """Apply every CRD and wait until it is served; create namespaces."""
    definitions = [one for file in sorted(CRDS.glob("*.yaml")) for one in load_documents(file.read_text())]
    kube.apply_all(definitions)
    for name in [definition["metadata"]["name"] for definition in definitions]:
        eventually(lambda name=name: kube.get(API, KIND, "", name), is_established, what=f"{name} established")
    for namespace in namespaces:
        kube.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})


def is_established(definition: Document) -> bool:
    """Whether the API server serves the kind."""
    return has_condition(definition, "Established")
