"""How full every ledger object is, kept up to date from its changes, so that placement scans nothing.

Memory: one small record a ledger object, not an item.
"""

from core_controller.zoneunit.snapshot import LedgerRef, Room
from libdnsapi.api.dns.zoneunit import ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZoneUnitSlice
from libdnsapi.api.meta import ObjectKey
from libdnsapi.runtime.store import Change


class Rooms:
    """The rooms of all units; listens to both ledger kinds."""

    def __init__(self) -> None:
        """Start empty."""
        self._units: dict[ObjectKey, dict[LedgerRef, Room]] = {}

    def of(self, unit: ObjectKey) -> tuple[Room, ...]:
        """Return a unit's rooms, the ZoneUnit first, slices by name."""
        rooms = self._units.get(unit, {})
        return tuple(rooms[ref] for ref in sorted(rooms, key=lambda ref: (ref.is_slice, ref.key)))

    def has(self, unit: ObjectKey, ref: LedgerRef) -> bool:
        """Whether a ledger object belongs to a unit."""
        return ref in self._units.get(unit, {})

    def foreign(self, unit: ObjectKey) -> frozenset[LedgerRef]:
        """Return the slices that another ZoneUnit owns than the one of this key, or than none if there is none."""
        rooms = self._units.get(unit, {})
        itself = rooms.get(LedgerRef(unit))
        mine = ("", itself.uid if itself is not None else "")
        return frozenset(ref for ref, room in rooms.items() if ref.is_slice and room.owner_uid not in mine)

    def note_unit(self, change: Change[ZoneUnit]) -> None:
        """Take in a changed ZoneUnit."""
        ref = LedgerRef(change.key)
        self._set(change.key, ref, _room(ref, change))

    def note_slice(self, change: Change[ZoneUnitSlice]) -> None:
        """Take in a changed slice. Its reference is immutable, so the old object tells where a removed one was."""
        ref = LedgerRef(change.key, is_slice=True)
        known = change.new or change.old
        if known is not None:
            self._set(known.unit_key, ref, _room(ref, change))

    def _set(self, unit: ObjectKey, ref: LedgerRef, room: Room | None) -> None:
        rooms = self._units.setdefault(unit, {})
        if room is not None:
            rooms[ref] = room
        else:
            rooms.pop(ref, None)
        if not rooms:
            del self._units[unit]


def _room(ref: LedgerRef, change: Change[ZoneUnit] | Change[ZoneUnitSlice]) -> Room | None:
    if change.new is None or change.after is None:
        return None
    return room_of(ref, change.new, len(change.after))


def room_of(ref: LedgerRef, ledger: ZoneUnit | ZoneUnitSlice, size: int) -> Room:
    """Return how full a ledger object is; `size` is that of its JSON, which has no managedFields."""
    items = {item.key for item in ledger.spec.record_sets}
    entries = items | {status.key for status in ledger.status.record_sets}
    meta = ledger.metadata
    return Room(
        ref,
        len(items),
        len(entries),
        size,
        meta.uid,
        meta.resource_version,
        meta.finalizers,
        meta.deleting,
        ledger.owner_uid if isinstance(ledger, ZoneUnitSlice) else "",
    )
