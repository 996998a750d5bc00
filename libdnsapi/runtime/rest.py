"""The shape of Kubernetes' REST interface: paths, content types, and objects without their ballast. Pure."""

import sys
from typing import NamedTuple, TypeVar
from urllib.parse import quote

import msgspec
import orjson
from msgspec import Raw
from pydantic import JsonValue

from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from libdnsapi.runtime.splitting import elements, members

JSON = "application/json"
MERGE_PATCH = "application/merge-patch+json"
JSON_PATCH = "application/json-patch+json"
APPLY_PATCH = "application/apply-patch+yaml"
PARTIAL_OBJECT = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"
PARTIAL_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"
MOST_DIGITS = 19
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"

DEEPEST = 20_000
"""Levels of nesting; the API server stores 10,000 (Go's encoding/json). Each takes some hundred bytes of stack."""

T = TypeVar("T")

_FIELDS = msgspec.json.Decoder(dict[str, Raw])
_TEXT = msgspec.json.Decoder(str)
_ITEMS = msgspec.json.Decoder(list[dict[str, Raw]] | None)


class RawObject(NamedTuple):
    """An object of a list or a watch: what it is known by, and its JSON, of which nothing more has been read."""

    key: ObjectKey
    resource_version: str
    raw: bytes

    @property
    def version(self) -> int:
        """The resource version as a number, 0 where it is none (KEP-5504: they are compared as numbers)."""
        return number(self.resource_version)


def collection_path(resource: ResourceType, namespace: str = "") -> str:
    """Return the path of a kind's collection, of one namespace or of all."""
    root = f"/apis/{resource.group}/{resource.version}" if resource.group else f"/api/{resource.version}"
    within = f"/namespaces/{quote(namespace, safe='')}" if namespace else ""
    return f"{root}{within}/{resource.plural}"


def object_path(resource: ResourceType, key: ObjectKey, subresource: str = "") -> str:
    """Return the path of one object or of its subresource."""
    path = f"{collection_path(resource, key.namespace)}/{quote(key.name, safe='')}"
    return f"{path}/{subresource}" if subresource else path


def snug(document: JsonValue) -> bytes:
    """Write JSON for keeping: orjson's own result holds 4 KB however short it is, the copy does not."""
    return bytes(memoryview(orjson.dumps(document)))


def fields(body: bytes) -> dict[str, Raw]:
    """Return the fields of a JSON object, the text of each unread; raises ValueError for anything else."""
    try:
        return _decoded(_FIELDS, body)
    except ValueError:
        raise ValueError("not a JSON object") from None
    except RecursionError:
        return {text(name): Raw(value) for name, value in members(bytes(body))}


def items(body: bytes) -> list[dict[str, Raw]]:
    """Return the fields of each object of a JSON array, none of `null`; raises ValueError for anything else."""
    try:
        return _decoded(_ITEMS, body) or []
    except ValueError:
        raise ValueError("not an array of JSON objects") from None
    except RecursionError:
        return [fields(element) for element in elements(bytes(body))]


def _decoded(decoder: msgspec.json.Decoder[T], body: bytes) -> T:
    """Decode JSON, as deep as the API server stores it; raises RecursionError where the interpreter goes less deep."""
    try:
        return decoder.decode(body)
    except RecursionError:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, DEEPEST))
        try:
            return decoder.decode(body)
        finally:
            sys.setrecursionlimit(limit)


def text(body: bytes | None) -> str:
    """Return a JSON string, "" for anything else."""
    try:
        return "" if body is None else _TEXT.decode(body)
    except ValueError:
        return ""


def raw_object(found: dict[str, Raw]) -> RawObject:
    """Return an object without managedFields and the annotation that kubectl keeps; only its metadata are taken apart.

    That costs a third of parsing all and writing it again. Raises ValueError where the metadata are no object.
    """
    metadata = fields(found.get("metadata", Raw(b"{}")))
    metadata.pop("managedFields", None)
    annotations = metadata.get("annotations")
    if annotations is not None and LAST_APPLIED.encode() in bytes(annotations):
        metadata["annotations"] = _without(annotations, LAST_APPLIED)
    key = ObjectKey(sys.intern(text(metadata.get("namespace"))), text(metadata.get("name")))
    bare = {**found, "metadata": metadata}
    # msgspec's own result holds up to half as much again as it shows, the copy does not.
    return RawObject(key, text(metadata.get("resourceVersion")), bytes(memoryview(msgspec.json.encode(bare))))


def _without(annotations: Raw, name: str) -> Raw:
    kept = fields(annotations)
    kept.pop(name, None)
    return Raw(msgspec.json.encode(kept))


def number(version: str) -> int:
    """Return a resource version as a number, 0 where it is none that etcd could have given (63 bits)."""
    return int(version) if version.isascii() and version.isdigit() and len(version) <= MOST_DIGITS else 0


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
