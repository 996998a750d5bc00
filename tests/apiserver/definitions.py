"""Installing our CRDs into the session's API server."""

from e2e.kube import Kube
from e2e.stack import charts, installation


def install(kube: Kube, namespaces: tuple[str, ...] = ()) -> None:
    """Apply every CRD and wait until it is served; create namespaces."""
    installation.definitions(kube, charts.custom_resource_definitions())
    for namespace in namespaces:
        kube.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
