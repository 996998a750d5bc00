"""Which kinds the cluster serves, and in which version: from its CustomResourceDefinitions and the built-in kinds.

`KindTable` is pure. A CustomResourceDefinition on its way out counts as gone, so that the deletion of all its objects
withdraws nothing.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import Field

from libdnsapi.api.meta import JsonObject, KubernetesObject, ResourceType, WireModel

CUSTOM_RESOURCE_DEFINITIONS = ResourceType(
    "apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions", namespaced=False
)
BUILT_IN = (
    ResourceType("", "v1", "Service", "services"),
    ResourceType("", "v1", "ConfigMap", "configmaps"),
    ResourceType("", "v1", "Pod", "pods"),
    ResourceType("", "v1", "Endpoints", "endpoints"),
    ResourceType("", "v1", "Node", "nodes", namespaced=False),
    ResourceType("", "v1", "Namespace", "namespaces", namespaced=False),
    ResourceType("apps", "v1", "Deployment", "deployments"),
    ResourceType("apps", "v1", "StatefulSet", "statefulsets"),
    ResourceType("apps", "v1", "DaemonSet", "daemonsets"),
    ResourceType("networking.k8s.io", "v1", "Ingress", "ingresses"),
    ResourceType("discovery.k8s.io", "v1", "EndpointSlice", "endpointslices"),
)
_VERSION = re.compile(r"v(?P<major>\d+)(?:(?P<stage>alpha|beta)(?P<minor>\d+))?")
_STAGES = {"alpha": 0, "beta": 1, None: 2}


class Names(WireModel):
    """How a kind is called."""

    plural: str = ""
    kind: str = ""


class ServedVersion(WireModel):
    """One version."""

    name: str = ""
    served: bool = False


class DefinitionSpec(WireModel):
    """The kind that is defined."""

    group: str = ""
    names: Names = Field(default_factory=Names)
    scope: str = "Namespaced"
    versions: tuple[ServedVersion, ...] = ()


class CustomResourceDefinition(KubernetesObject):
    """The part of a definition that says what is served."""

    spec: DefinitionSpec = Field(default_factory=DefinitionSpec)


def trim_definition(document: JsonObject) -> None:
    """Drop the schemas, which are nearly all of a definition."""
    document.pop("status", None)
    spec = document.get("spec")
    versions = spec.get("versions") if isinstance(spec, dict) else None
    if isinstance(spec, dict) and isinstance(versions, list):
        spec["versions"] = [
            {key: one[key] for key in ("name", "served") if key in one} for one in versions if isinstance(one, dict)
        ]


@dataclass(frozen=True, slots=True)
class KindTable:
    """The kinds that can be watched, by group and plural, in their preferred version."""

    kinds: dict[tuple[str, str], ResourceType] = field(default_factory=dict)

    def resolve(self, group: str, plural: str) -> ResourceType | None:
        """Return a kind in the version that clients prefer, None where the cluster does not serve it."""
        return self.kinds.get((group, plural))


def kind_table(definitions: Iterable[CustomResourceDefinition]) -> KindTable:
    """Return the built-in kinds and those that are defined and not on their way out."""
    kinds = {(kind.group, kind.plural): kind for kind in BUILT_IN}
    for definition in definitions:
        spec = definition.spec
        served = [version.name for version in spec.versions if version.served]
        if served and not definition.metadata.deleting:
            version = max(served, key=preference)
            namespaced = spec.scope == "Namespaced"
            resource = ResourceType(spec.group, version, spec.names.kind, spec.names.plural, namespaced)
            kinds[spec.group, spec.names.plural] = resource
    return KindTable(kinds)


def preference(version: str) -> tuple[int, int, int, str]:
    """Order versions as Kubernetes does: stable before beta before alpha, higher numbers first, others last."""
    found = _VERSION.fullmatch(version)
    if found is None:
        return -1, 0, 0, version
    return _STAGES[found["stage"]], int(found["major"]), int(found["minor"] or 0), ""
