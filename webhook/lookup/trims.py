"""What each cache sees of an object: the fields that a rule reads, and no more. In place, as `Trim` asks.

What is dropped costs no memory where the rest is kept, and cannot make an object unfit in either sort of cache.
"""

from libdnsapi.api.conditions import ConditionType
from libdnsapi.api.meta import JsonObject
from webhook.documents import object_at, value_at


def trim_class(document: JsonObject) -> None:
    """Keep what a ZoneClass must have, its provider above all."""
    document.pop("status", None)
    spec = object_at(document, "spec")
    spec["parameters"] = {}


def trim_zone(document: JsonObject) -> None:
    """Keep a Zone's spec but its adoption, and whether it is accepted."""
    object_at(document, "spec").pop("adoption", None)
    _keep_accepted(document)


def trim_record_set(document: JsonObject) -> None:
    """Keep a RecordSet's identity, zone and provider, and whether it is accepted and held by a finalizer."""
    spec = object_at(document, "spec")
    document["spec"] = {name: spec[name] for name in ("zoneRef", "provider", "type", "name") if name in spec}
    _drop_extras(document, "annotations", "labels", "ownerReferences")
    _keep_accepted(document)


def trim_unit(document: JsonObject) -> None:
    """Keep a ZoneUnit's provider and zone."""
    spec = object_at(document, "spec")
    document["spec"] = {name: spec[name] for name in ("provider", "zone") if name in spec}
    object_at(document, "spec", "zone").pop("adoption", None)
    _drop_extras(document)
    document.pop("status", None)


def trim_pipeline(document: JsonObject) -> None:
    """Keep a pipeline's owner id and domain filter."""
    spec = object_at(document, "spec")
    document["spec"] = {name: spec[name] for name in ("type", "registry", "domainFilter") if name in spec}
    _drop_extras(document)
    document.pop("status", None)


def trim_namespace(document: JsonObject) -> None:
    """Keep a namespace's labels."""
    document.pop("spec", None)
    document.pop("status", None)
    object_at(document, "metadata").pop("annotations", None)


def _drop_extras(document: JsonObject, *names: str) -> None:
    metadata = object_at(document, "metadata")
    for name in names or ("annotations", "labels", "ownerReferences", "finalizers"):
        metadata.pop(name, None)


def _keep_accepted(document: JsonObject) -> None:
    conditions = value_at(document, "status", "conditions")
    kept = [
        condition
        for condition in (conditions if isinstance(conditions, list) else [])
        if isinstance(condition, dict) and condition.get("type") == ConditionType.ACCEPTED
    ]
    for condition in kept:
        condition["message"] = ""
    document["status"] = {"conditions": [*kept]}
