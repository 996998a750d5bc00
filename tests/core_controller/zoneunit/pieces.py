"""Ledger items and slices as somebody might have applied them."""

from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject
from tests.core_controller.zoneunit.objects import ZONE


def item(name: str, claim: str = "", generation: int = 1, **more: object) -> JsonObject:
    """Return an item as a ledger holds it."""
    body: JsonObject = {
        "recordSetNamespace": "platform",
        "recordSetName": claim or name,
        "observedGeneration": generation,
        "name": name,
        "type": "A",
        "ttl": 300,
        "a": {"addresses": ["192.0.2.1"]},
    }
    return body | more  # type: ignore[operator] - only JSON is given


def piece(index: int, *entries: JsonObject, **metadata: object) -> tuple:  # type: ignore[type-arg]
    """Return a slice that somebody applied."""
    meta: JsonObject = {"namespace": ZONE.namespace, "name": f"{ZONE.name}-{index}", "generation": 1}
    spec: JsonObject = {"zoneUnitRef": {"name": ZONE.name}, "recordSets": list(entries)}
    return ZONE_UNIT_SLICES, {"metadata": meta | metadata, "spec": spec}


def addresses(count: int) -> JsonObject:
    """Return an A body of that many addresses."""
    return {"addresses": [f"192.0.2.{i}" for i in range(count)]}
