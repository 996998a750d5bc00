"""Ledger objects as JSON bodies: what one edit makes of the object that the cache holds.

The ledger is written by PUT with the resourceVersion it was read at, never by server-side apply, and with
managedFields reset: for a list-map of this size they cost more than the object (beyond-the-seeds 1).
"""

from collections.abc import Iterable

import orjson

from core_controller.zoneunit.documents import claim_key, entries, number_at, object_at
from core_controller.zoneunit.plan.actions import CreateUnit, EditLedger, Witness
from core_controller.zoneunit.plan.placement import unit_label
from libdnsapi.api.dns.zoneunit import ZONE_UNITS, RecordSetItem
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ObjectKey
from libdnsapi.api.names import ZONE_UNIT_LABEL, ZONEUNIT_FINALIZER

UNTRACKED: list[JsonObject] = [{}]
"""An empty managedFields entry: the server drops what it tracked and begins anew."""


def unit_body(action: CreateUnit) -> JsonObject:
    """Return a new ZoneUnit."""
    return {
        "apiVersion": ZONE_UNITS.api_version,
        "kind": ZONE_UNITS.kind,
        "metadata": {
            "name": action.metadata.name,
            "namespace": action.metadata.namespace,
            "annotations": dict(action.metadata.annotations),
            "finalizers": list(action.metadata.finalizers),
        },
        "spec": action.spec.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_defaults=True),
    }


def slice_body(action: EditLedger, unit: ObjectKey, unit_uid: str) -> JsonObject:
    """Return a new slice with its first items, owned by its ZoneUnit."""
    return {
        "apiVersion": ZONE_UNIT_SLICES.api_version,
        "kind": ZONE_UNIT_SLICES.kind,
        "metadata": {
            "name": action.ref.key.name,
            "namespace": action.ref.key.namespace,
            "labels": {ZONE_UNIT_LABEL: unit_label(unit.name)},
            "finalizers": [ZONEUNIT_FINALIZER],
            "ownerReferences": [owner(unit, unit_uid)],
        },
        "spec": {"zoneUnitRef": {"name": unit.name}, "recordSets": [item_json(item) for item in action.upserts]},
    }


def owner(unit: ObjectKey, uid: str) -> JsonObject:
    """Return a slice's controller reference to its ZoneUnit."""
    return {
        "apiVersion": ZONE_UNITS.api_version,
        "kind": ZONE_UNITS.kind,
        "name": unit.name,
        "uid": uid,
        "controller": True,
        "blockOwnerDeletion": True,
    }


def same_basis(planned: bytes, live: bytes) -> bool:
    """Whether an edit planned on one state of an object may be put on another: same object, spec and deletion."""
    return _basis(orjson.loads(planned)) == _basis(orjson.loads(live))


def _basis(body: JsonObject) -> tuple[object, object, object]:
    metadata = object_at(body, "metadata")
    return metadata.get("uid"), metadata.get("deletionTimestamp"), body.get("spec")


def holds(raw: bytes, witness: Witness) -> bool:
    """Whether an object holds the item that a removal elsewhere rests on."""
    return any(
        claim_key(entry) == witness.key and number_at(entry, "observedGeneration") >= witness.generation
        for entry in entries(orjson.loads(raw), "spec")
    )


def edited_body(raw: bytes, action: EditLedger, owned_by: JsonObject | None = None) -> JsonObject:
    """Return the whole object with one edit applied; unknown fields are kept, status is left to its writer.

    `owned_by` is the reference that an adopted slice gets.
    """
    body: JsonObject = orjson.loads(raw)
    body.pop("status", None)
    metadata = _ensured(body, "metadata")
    metadata["managedFields"] = list(UNTRACKED)
    metadata["finalizers"] = list(_finalizers(metadata.get("finalizers"), action))
    if action.adopt and owned_by is not None:
        metadata["ownerReferences"] = [owned_by]
        _ensured(metadata, "labels")[ZONE_UNIT_LABEL] = unit_label(str(owned_by["name"]))
    spec = _ensured(body, "spec")
    if action.head is not None:
        spec["zone"] = action.head.spec.zone.model_dump(mode="json", by_alias=True, exclude_none=True)
        _annotate(metadata, action.head.annotations)
    if action.upserts or action.removals:
        spec["recordSets"] = [*_items(entries(body, "spec"), action)]
    return body


def item_json(item: RecordSetItem) -> JsonObject:
    """Return an item as it is written."""
    return item.model_dump(mode="json", by_alias=True, exclude_none=True)


def _ensured(parent: JsonObject, name: str) -> JsonObject:
    """Return the object in a field to be written into; an empty one is put there where there is none."""
    found = parent.get(name)
    if not isinstance(found, dict):
        found = {}
        parent[name] = found
    return found


def _annotate(metadata: JsonObject, changes: Iterable[tuple[str, str | None]]) -> None:
    annotations = _ensured(metadata, "annotations")
    for name, value in changes:
        if value is None:
            annotations.pop(name, None)
        else:
            annotations[name] = value


def _finalizers(found: object, action: EditLedger) -> list[str]:
    names = [str(name) for name in found] if isinstance(found, list) else []
    if action.remove_finalizer:
        return [name for name in names if name != ZONEUNIT_FINALIZER]
    if action.add_finalizer and ZONEUNIT_FINALIZER not in names:
        names.append(ZONEUNIT_FINALIZER)
    return names


def _items(stored: Iterable[JsonObject], action: EditLedger) -> list[JsonObject]:
    """Return the items after an edit: they keep their order, and new ones go to the end."""
    changed = {item.key: item_json(item) for item in action.upserts}
    gone = set(action.removals)
    kept: list[JsonObject] = []
    for entry in stored:
        key = claim_key(entry)
        if key not in gone:
            kept.append(changed.pop(key, entry))
    return [*kept, *(body for key, body in changed.items() if key not in gone)]
