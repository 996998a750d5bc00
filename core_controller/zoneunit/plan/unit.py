"""The ZoneUnit itself: its creation, its head (zone target and mirrored annotations) and what its slices lack."""

from core_controller.zoneunit.plan.actions import CreateUnit, EditLedger, UnitHead
from core_controller.zoneunit.plan.zone_acceptance import keeps, zone_target
from core_controller.zoneunit.snapshot import LedgerRef, UnitSnapshot
from libdnsapi.api.conditions import Verdict
from libdnsapi.api.dns.references import ProviderRef
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.dns.zoneunit import ZoneUnit, ZoneUnitSpec
from libdnsapi.api.meta import ObjectMeta
from libdnsapi.api.names import COPIED_ANNOTATIONS, ZONEUNIT_FINALIZER


def create_unit(snapshot: UnitSnapshot, zone: Zone) -> CreateUnit | None:
    """Return the creation of an accepted Zone's ZoneUnit, or None while the storage version is unknown."""
    storage = snapshot.contract.storage if snapshot.contract is not None else None
    if storage is None:
        return None
    annotations = {name: value for name, value in zone.metadata.annotations.items() if name in COPIED_ANNOTATIONS}
    return CreateUnit(
        ObjectMeta(
            name=zone.metadata.name,
            namespace=zone.metadata.namespace,
            annotations=annotations,
            finalizers=(ZONEUNIT_FINALIZER,),
        ),
        ZoneUnitSpec(
            provider=ProviderRef(name=zone.spec.provider.name, version=storage.name),
            zone=zone_target(snapshot, zone),
        ),
    )


def head_edit(snapshot: UnitSnapshot, core: Verdict | None) -> EditLedger | None:
    """Return what must change in the ZoneUnit apart from its items, or None.

    The zone target follows the Zone only while core accepts it; otherwise it stays as last accepted. Mirrored
    annotations follow always: pausing must work on a Zone in trouble too. A ledger that is being deleted follows only
    the Zone that it is deleted with, not a new one of the same name; and none follows a Zone that it is not kept for.
    """
    unit, zone = snapshot.unit, snapshot.zone
    if unit is None:
        return None
    wants_finalizer = not unit.metadata.deleting and ZONEUNIT_FINALIZER not in unit.metadata.finalizers
    head = _head(snapshot, unit, zone, core) if zone is not None and keeps(unit, zone) else None
    if head is None and not wants_finalizer:
        return None
    return EditLedger(LedgerRef(snapshot.key), add_finalizer=wants_finalizer, head=head)


def _head(snapshot: UnitSnapshot, unit: ZoneUnit, zone: Zone, core: Verdict | None) -> UnitHead | None:
    follows = core is not None and core.is_true and (zone.metadata.deleting or not unit.metadata.deleting)
    target = zone_target(snapshot, zone) if follows else unit.spec.zone
    annotations = _mirrored(unit, zone)
    if target == unit.spec.zone and not annotations:
        return None
    return UnitHead(unit.spec.model_copy(update={"zone": target}), annotations)


def _mirrored(unit: ZoneUnit, zone: Zone) -> tuple[tuple[str, str | None], ...]:
    ours, theirs = unit.metadata.annotations, zone.metadata.annotations
    return tuple((name, theirs.get(name)) for name in COPIED_ANNOTATIONS if ours.get(name) != theirs.get(name))


def slice_repairs(snapshot: UnitSnapshot) -> tuple[EditLedger, ...]:
    """Return the edits that give slices what they lack: core's finalizer, and the reference to their ZoneUnit.

    A slice lacks them that was applied by hand or restored from a backup, or that belongs to an earlier ZoneUnit of
    this name. An old cache may show one that is gone long since; then the PUT fails.

    Slices that are being deleted get the reference too, and so they do from a ZoneUnit that is being deleted: the
    garbage collector deletes slices whose owner is gone, and before the reference is right nothing in a slice counts,
    so their cleanup would never begin.
    """
    owner = snapshot.unit.metadata.uid if snapshot.unit is not None else ""
    edits = []
    for room in snapshot.slices:
        unheld = bool(room.items) and not room.deleting and ZONEUNIT_FINALIZER not in room.finalizers
        unowned = bool(room.entries) and bool(owner) and room.owner_uid != owner
        if unheld or unowned:
            edits.append(EditLedger(room.ref, add_finalizer=unheld, adopt=unowned))
    return tuple(edits)
