"""Where items stand: the ZoneUnit first, then the fullest slice that has room (beyond-the-seeds 1).

An item stays where it is while it lives, unless an edit makes its object outgrow the byte budget; then a copy is
placed elsewhere, and the old one goes only after the provider has reported on the new one.
"""

import hashlib
from dataclasses import dataclass, field, replace

from core_controller.zoneunit.plan.actions import EditLedger, Witness
from core_controller.zoneunit.snapshot import LedgerRef, Limits, PlacedItem, Room
from libdnsapi.api.dns.references import OBJECT_NAME_MAX_LENGTH
from libdnsapi.api.dns.zoneunit import RecordSetItem
from libdnsapi.api.meta import ObjectKey

STATUS_BYTES = 700
"""What the provider's status entry of one item takes, two conditions included (measured, rounded up)."""
LABEL_MAX_LENGTH = 63
SLICE_OVERHEAD_BYTES = 600


def slice_name(unit: str, index: int) -> str:
    """Return the deterministic name of a unit's slice, so that two writers collide instead of doubling."""
    suffix = f"-{index}"
    if len(unit) + len(suffix) <= OBJECT_NAME_MAX_LENGTH:
        return unit + suffix
    digest = hashlib.sha256(unit.encode()).hexdigest()[:10]
    return f"{unit[: OBJECT_NAME_MAX_LENGTH - len(suffix) - len(digest) - 1]}-{digest}{suffix}"


def unit_label(unit: str) -> str:
    """Return the value of a slice's zone-unit label: the unit's name, or a hash where that is too long."""
    return unit if len(unit) <= LABEL_MAX_LENGTH else hashlib.sha256(unit.encode()).hexdigest()[:40]


def item_bytes(item: RecordSetItem) -> int:
    """Return what an item will take in its object, its future status included."""
    return len(item.model_dump_json(by_alias=True, exclude_none=True).encode()) + STATUS_BYTES


@dataclass(slots=True)
class _Edits:
    upserts: dict[ObjectKey, RecordSetItem] = field(default_factory=dict)
    removals: set[ObjectKey] = field(default_factory=set)
    witnesses: list[Witness] = field(default_factory=list)


@dataclass(slots=True)
class Placement:
    """The edits of one pass, gathered while the rooms fill up. Local to one planning pass."""

    unit: ObjectKey
    limits: Limits
    rooms: dict[LedgerRef, Room]
    edits: dict[LedgerRef, _Edits] = field(default_factory=dict)

    def place(self, item: RecordSetItem) -> LedgerRef | None:
        """Place a new item; None where it would fit nowhere."""
        if not self.can_hold(item):
            return None
        size = item_bytes(item)
        ref = self._with_room(size)
        self._put(ref, item, added=size)
        return ref

    def can_hold(self, item: RecordSetItem) -> bool:
        """Whether an item fits into a ledger object of its own."""
        return item_bytes(item) + SLICE_OVERHEAD_BYTES <= self.limits.object_bytes

    def update(self, placed: PlacedItem, item: RecordSetItem) -> LedgerRef | None:
        """Change an item in place, or place a copy elsewhere where its object would outgrow the budget.

        Only an edit moves an item: of two copies the newer generation is the item, so a mark (leaving, not allowed) or
        a claim that begins again at generation 1 must stay in place. None where an edit fits nowhere.
        """
        old = placed.item
        growth = item_bytes(item) - (item_bytes(old) if old is not None else 0)
        is_edit = old is not None and (item.observed_generation or 0) > (old.observed_generation or 0)
        if growth > 0 and is_edit and not self.can_hold(item):
            return None
        room = self.rooms.get(placed.ref)
        crowded = room is not None and room.items > 1 and room.size + growth > self.limits.object_bytes
        if growth > 0 and is_edit and crowded:
            return self.place(item)
        self._put(placed.ref, item, added=growth, new=False)
        return placed.ref

    def remove(self, placed: PlacedItem, successor: PlacedItem | None = None) -> None:
        """Take an item out of its object; `successor` is the copy elsewhere for whose sake it goes, if it does."""
        if placed.item is None:
            return
        edits = self.edits.setdefault(placed.ref, _Edits())
        if placed.item.key in edits.removals:
            return
        edits.upserts.pop(placed.item.key, None)
        edits.removals.add(placed.item.key)
        if successor is not None:
            edits.witnesses.append(Witness(successor.ref, placed.item.key, successor.generation))
        room = self.rooms.get(placed.ref)
        if room is not None:
            self.rooms[placed.ref] = replace(room, items=room.items - 1, size=room.size - item_bytes(placed.item))

    def actions(self) -> tuple[EditLedger, ...]:
        """Return one edit a ledger object, the ZoneUnit first; emptied slices lose core's finalizer."""
        ordered = sorted(self.edits.items(), key=lambda pair: (pair[0].is_slice, pair[0].key))
        return tuple(
            EditLedger(
                ref,
                tuple(edits.upserts.values()),
                tuple(sorted(edits.removals)),
                add_finalizer=bool(edits.upserts),
                remove_finalizer=ref.is_slice and self.rooms[ref].items <= 0,
                witnesses=tuple(edits.witnesses),
            )
            for ref, edits in ordered
        )

    def _put(self, ref: LedgerRef, item: RecordSetItem, *, added: int, new: bool = True) -> None:
        edits = self.edits.setdefault(ref, _Edits())
        edits.upserts[item.key] = item
        edits.removals.discard(item.key)
        room = self.rooms[ref]
        self.rooms[ref] = replace(room, items=room.items + (1 if new else 0), size=room.size + added)

    def _with_room(self, size: int) -> LedgerRef:
        inline = LedgerRef(self.unit)
        if self._has_room(inline, size, self.limits.inline):
            return inline
        slices = [ref for ref in self.rooms if ref.is_slice and self._has_room(ref, size, self.limits.per_slice)]
        if slices:
            return max(slices, key=lambda ref: (self.rooms[ref].items, ref.key.name))
        return self._new_slice()

    def _has_room(self, ref: LedgerRef, size: int, most: int) -> bool:
        room = self.rooms.get(ref)
        return (
            room is not None
            and not room.deleting
            and room.items < most
            and room.size + size <= self.limits.object_bytes
        )

    def _new_slice(self) -> LedgerRef:
        taken = {ref.key.name for ref in self.rooms}
        index = next(i for i in range(len(taken) + 1) if slice_name(self.unit.name, i) not in taken)
        ref = LedgerRef(ObjectKey(self.unit.namespace, slice_name(self.unit.name, index)), is_slice=True)
        self.rooms[ref] = Room(ref, 0, 0, SLICE_OVERHEAD_BYTES)
        return ref
