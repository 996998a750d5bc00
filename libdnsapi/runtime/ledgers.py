"""What both controllers must know of a ledger before they decide about it: that all of it can be read."""

from libdnsapi.api.dns.zoneunitslice import ZoneUnitSlice
from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime import rest
from libdnsapi.runtime.errors import UndecodableError
from libdnsapi.runtime.store import Store


def require_whole_ledger(slices: Store[ZoneUnitSlice], unit: ObjectKey) -> None:
    """Raise UndecodableError while a slice of a unit, or one that does not say whose it is, fits no model.

    No index has it: its items would count as gone, and their names as free.
    """
    for key in slices.unfit():
        raw = slices.raw(key)
        if raw is not None and key.namespace == unit.namespace and _unit_named_in(raw) in ("", unit.name):
            raise UndecodableError(f"ZoneUnitSlice {key} does not fit its model")


def _unit_named_in(raw: bytes) -> str:
    """Return the name of the ZoneUnit that a slice refers to, however deep the rest is nested; "" without one."""
    try:
        spec = rest.fields(rest.fields(raw)["spec"])
        return rest.text(rest.fields(spec["zoneUnitRef"]).get("name"))
    except (ValueError, KeyError):
        return ""
