"""The end of a Zone and its unit, in the seed's order (core seed, ZoneUnit; beyond-the-seeds 1).

Claims that hold an item come first, then the unit's deletion is requested, then the provider cleans up, then core
lets go of the slices, of the ZoneUnit and at last of the Zone. Nothing here concludes from absence.
"""

from collections import defaultdict

from core_controller.zoneunit.plan.actions import Action, DeleteLedger, EditLedger, SetFinalizers
from core_controller.zoneunit.plan.ownership import leaving
from core_controller.zoneunit.plan.zone_acceptance import keeps
from core_controller.zoneunit.snapshot import LedgerRef, Room, UnitSnapshot
from libdnsapi.api.conditions import Verdict
from libdnsapi.api.dns.zone import ZONES, Zone
from libdnsapi.api.dns.zoneunit import RecordSetItem
from libdnsapi.api.names import ZONE_FINALIZER, ZONEUNIT_FINALIZER
from libdnsapi.api.verdicts import pending

PROVIDER_FINALIZER_SUFFIX = "/zoneunit-finalizer"
NAMED = 5


def waiting_verdict(snapshot: UnitSnapshot) -> Verdict | None:
    """Return what Programmed says while a Zone or its ledger waits for something, or None.

    The seed's restrict rule: a deleting Zone waits for the claims that hold an item.
    """
    zone, unit = snapshot.zone, snapshot.unit
    if zone is None or (unit is not None and not keeps(unit, zone)):
        return None
    if not zone.metadata.deleting:
        return _ledger_goes(snapshot) if unit is not None and unit.metadata.deleting else None
    if not snapshot.holders:
        return None
    some = ", ".join(str(key) for key in snapshot.holders[:NAMED])
    more = f" and {len(snapshot.holders) - NAMED} more" if len(snapshot.holders) > NAMED else ""
    return pending(f"The remaining RecordSet resources must be deleted or moved first: {some}{more}.")


def _ledger_goes(snapshot: UnitSnapshot) -> Verdict:
    """Return the verdict on a live Zone whose ledger somebody deleted past admission."""
    if snapshot.holders:
        return pending(
            f"ZoneUnit {snapshot.key} was deleted under its Zone. Record sets that stand in it are served on, others "
            "wait; it is made anew once the Zone and its record sets were deleted and created again."
        )
    return pending(f"ZoneUnit {snapshot.key} was deleted under its Zone; it is made anew once it has gone.")


def deletion_actions(snapshot: UnitSnapshot) -> tuple[Action, ...]:
    """Return the next steps of a deletion that is under way; nothing while none is.

    A Zone takes no ledger with it that is kept for another one.
    """
    zone, unit = snapshot.zone, snapshot.unit
    if unit is None:
        return (*_ownerless_slices(snapshot), *_zone_release(zone, unplaced=True))
    if zone is not None and not keeps(unit, zone):
        return (*_zone_release(zone, unplaced=False), *(_unit_release(snapshot) if unit.metadata.deleting else ()))
    if unit.metadata.deleting:
        return _unit_release(snapshot)
    if zone is not None and zone.metadata.deleting and not snapshot.holders:
        return (DeleteLedger(LedgerRef(snapshot.key), unit.metadata.uid, unit.metadata.resource_version),)
    return ()


def orphan_edits(snapshot: UnitSnapshot) -> tuple[EditLedger, ...]:
    """Return the deletion of items whose claim is gone while their whole unit is being deleted."""
    edits = defaultdict[LedgerRef, list[RecordSetItem]](list)
    for placed in snapshot.orphans:
        if placed.item is not None and not placed.item.is_leaving:
            edits[placed.ref].append(leaving(placed.item))
    return tuple(EditLedger(ref, tuple(items)) for ref, items in edits.items())


def provider_holds(finalizers: tuple[str, ...]) -> bool:
    """Whether some provider controller still has cleanup to do on a ledger object."""
    return any(f.endswith(PROVIDER_FINALIZER_SUFFIX) and f != ZONEUNIT_FINALIZER for f in finalizers)


def _zone_release(zone: Zone | None, *, unplaced: bool) -> tuple[SetFinalizers, ...]:
    if zone is None or not zone.metadata.deleting or ZONE_FINALIZER not in zone.metadata.finalizers:
        return ()
    left = tuple(f for f in zone.metadata.finalizers if f != ZONE_FINALIZER)
    meta = zone.metadata
    return (SetFinalizers(ZONES, zone.key, left, meta.resource_version, meta.uid, unplaced),)


def _unit_release(snapshot: UnitSnapshot) -> tuple[Action, ...]:
    unit, zone = snapshot.unit, snapshot.zone
    if unit is None or provider_holds(unit.metadata.finalizers):
        return ()
    if zone is not None and snapshot.holders:
        return ()  # live claims of other namespaces are served on
    if snapshot.slices:
        return tuple(action for room in snapshot.slices for action in _slice_release(room))
    if ZONEUNIT_FINALIZER not in unit.metadata.finalizers:
        return ()
    return (EditLedger(LedgerRef(snapshot.key), remove_finalizer=True),)


def _slice_release(room: Room) -> tuple[Action, ...]:
    if provider_holds(room.finalizers):
        return ()
    if not room.deleting:
        return (DeleteLedger(room.ref, room.uid, room.resource_version),)
    if ZONEUNIT_FINALIZER in room.finalizers:
        return (EditLedger(room.ref, remove_finalizer=True),)
    return ()


def _ownerless_slices(snapshot: UnitSnapshot) -> tuple[Action, ...]:
    """Slices that are being deleted after their ZoneUnit has gone need core's consent only."""
    return tuple(
        EditLedger(room.ref, remove_finalizer=True)
        for room in snapshot.slices
        if room.deleting and ZONEUNIT_FINALIZER in room.finalizers and not provider_holds(room.finalizers)
    )


def emptied_slices(snapshot: UnitSnapshot) -> tuple[Action, ...]:
    """Return the end of slices that hold nothing any more: their deletion, then core's consent to it."""
    empty = [room for room in snapshot.slices if not room.items and not room.entries]
    return (
        *(DeleteLedger(room.ref, room.uid, room.resource_version) for room in empty if not room.deleting),
        *(
            EditLedger(room.ref, remove_finalizer=True)
            for room in empty
            if room.deleting and ZONEUNIT_FINALIZER in room.finalizers
        ),
    )
