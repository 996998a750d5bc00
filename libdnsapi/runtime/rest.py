"""The shape of Kubernetes' REST interface: paths, content types, and objects without their ballast. Pure."""

from typing import NewType
from urllib.parse import quote

import orjson
from pydantic import JsonValue

from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType

JSON = "application/json"
MERGE_PATCH = "application/merge-patch+json"
JSON_PATCH = "application/json-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"
PARTIAL_OBJECT = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"
PARTIAL_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"
Lean = NewType("Lean", bytes)
"""An object without what nobody reads, as it waits for the last page of its list."""
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def collection_path(resource: ResourceType, namespace: str = "") -> str:
    """Return the path of a kind's collection, of one namespace or of all."""
    root = f"/apis/{resource.group}/{resource.version}" if resource.group else f"/api/{resource.version}"
    within = f"/namespaces/{quote(namespace, safe='')}" if namespace else ""
    return f"{root}{within}/{resource.plural}"


def object_path(resource: ResourceType, key: ObjectKey, subresource: str = "") -> str:
    """Return the path of one object or of its subresource."""
    path = f"{collection_path(resource, key.namespace)}/{quote(key.name, safe='')}"
    return f"{path}/{subresource}" if subresource else path


def compact(document: JsonObject) -> bytes:
    """Write an object without managedFields and the annotation that kubectl keeps, as few bytes as it takes."""
    metadata = document.get("metadata")
    if isinstance(metadata, dict):
        metadata.pop("managedFields", None)
        annotations = metadata.get("annotations")
        if isinstance(annotations, dict):
            annotations.pop(LAST_APPLIED, None)
    return snug(document)


def snug(document: JsonValue) -> bytes:
    """Write JSON for keeping: orjson's own result holds 4 KB however short it is, the copy does not."""
    return bytes(memoryview(orjson.dumps(document)))


def read_object(body: bytes) -> JsonObject:
    """Parse a JSON object; raises ValueError for anything else."""
    document = orjson.loads(body)
    if not isinstance(document, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 — a wrong document, not a wrong argument
    return document


def resource_version(document: JsonObject) -> str:
    """Return an object's or list's resource version, "" without one."""
    metadata = document.get("metadata")
    return str(metadata.get("resourceVersion") or "") if isinstance(metadata, dict) else ""
