"""Kubernetes objects as JSON: their parts, and what requests and watches show of them. Pure."""

from copy import deepcopy
from dataclasses import dataclass

import orjson
from pydantic import JsonValue

from libdnsapi.api.meta import JsonObject, ResourceType
from libdnsapi.runtime import rest
from libdnsapi.runtime.errors import ConflictError, InvalidError
from libdnsapi.runtime.kubernetes import EventType, Propagation
from libdnsapi.runtime.rest import RawObject
from tests.fakes.patches import selects

SERVER_OWNED = (
    "uid",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "generation",
    "name",
    "namespace",
    "resourceVersion",
)


@dataclass
class StoredEvent:
    version: int
    type: EventType
    resource: ResourceType
    old: JsonObject | None
    object: JsonObject


def shown(event: StoredEvent, resource: ResourceType, namespace: str, label_selector: str) -> EventType | None:
    """Return as what a watch shows an event: an object whose labels stop matching is shown as deleted."""
    if event.resource != resource:
        return None
    if event.type == "BOOKMARK":
        return "BOOKMARK"
    if namespace not in ("", metadata_of(event.object).get("namespace")):
        return None
    before = event.old is not None and selects(label_selector, metadata_of(event.old).get("labels"))
    after = event.type != "DELETED" and selects(label_selector, metadata_of(event.object).get("labels"))
    if after:
        return "MODIFIED" if before else "ADDED"
    return "DELETED" if before else None


def updated(old: JsonObject, new: JsonObject, subresource: str) -> JsonObject:
    """Return what a write makes of the old object: the parts it may change, its versions checked."""
    was, becomes = metadata_of(old), metadata_of(new)
    becomes.pop("managedFields", None)
    if becomes.get("resourceVersion") not in (None, "", was["resourceVersion"]):
        raise ConflictError(409, "Conflict", "the object has been modified; please apply your changes again")
    if becomes.get("uid") not in (None, "", was["uid"]):
        raise ConflictError(409, "Conflict", "Precondition failed: UID in precondition does not match")
    if subresource:
        return {**deepcopy(old), subresource: new.get(subresource)} if subresource in new else less(old, subresource)
    check_finalizers(was, becomes)
    for name in SERVER_OWNED:
        becomes.pop(name, None)
        if name in was:
            becomes[name] = was[name]
    new.pop("status", None)
    if "status" in old:
        new["status"] = deepcopy(old["status"])
    if less(old, "metadata") != less(new, "metadata"):
        becomes["generation"] = number(was.get("generation")) + 1
    return new


def mark_deleting(metadata: JsonObject, propagation: Propagation, timestamp: str) -> None:
    if metadata.get("deletionTimestamp"):
        return
    if propagation == "Foreground":
        metadata["finalizers"] = [*strings(metadata.get("finalizers")), "foregroundDeletion"]
    metadata["deletionTimestamp"] = timestamp
    metadata["deletionGracePeriodSeconds"] = 0
    metadata["generation"] = number(metadata.get("generation")) + 1


def check_finalizers(was: JsonObject, becomes: JsonObject) -> None:
    fresh = set(strings(becomes.get("finalizers"))) - set(strings(was.get("finalizers")))
    if was.get("deletionTimestamp") and fresh:
        raise InvalidError(422, "Invalid", "metadata.finalizers: Forbidden: no new finalizers can be added")


def sent(document: JsonObject, *, metadata_only: bool = False) -> bytes:
    """Return an object as reads and writes give it."""
    return listed(document, metadata_only=metadata_only).raw


def listed(document: JsonObject, *, metadata_only: bool = False) -> RawObject:
    """Return an object as lists and watches give it."""
    if not metadata_only:
        return rest.raw_object(rest.fields(orjson.dumps(document)))
    shell: JsonObject = {
        "apiVersion": "meta.k8s.io/v1",
        "kind": "PartialObjectMetadata",
        "metadata": document["metadata"],
    }
    return rest.raw_object(rest.fields(orjson.dumps(shell)))


def metadata_of(document: JsonObject) -> JsonObject:
    metadata = document.setdefault("metadata", {})
    assert isinstance(metadata, dict)
    return metadata


def less(document: JsonObject, name: str) -> JsonObject:
    return {key: deepcopy(value) for key, value in document.items() if key != name}


def number(value: JsonValue) -> int:
    return value if isinstance(value, int) else 0


def strings(value: JsonValue) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []
