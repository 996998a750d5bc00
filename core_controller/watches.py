"""Which change concerns which unit, and which owner names of it: listeners that mark and enqueue, nothing more.

A mapper sees the old and the new object, so that a reference that moved reaches both ends.
"""

from collections.abc import Callable, Iterable

from core_controller.zoneunit.caches import (
    BY_CLAIM,
    BY_CLASS,
    BY_NAMESPACE,
    BY_PROVIDER,
    Caches,
)
from core_controller.zoneunit.differences import LedgerState, changed_names
from core_controller.zoneunit.dirty import DirtyNames
from core_controller.zoneunit.entries import Entries
from core_controller.zoneunit.snapshot import LedgerRef
from libdnsapi.api.conditions import ConditionType, find_condition
from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.dns.recordset import RecordSet
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.dns.zoneclass import ZoneClass
from libdnsapi.api.dns.zoneunit import ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZoneUnitSlice
from libdnsapi.api.meta import KubernetesObject, Namespace, ObjectKey
from libdnsapi.api.names import ALLOW_RETAIN_ANNOTATION, DELETION_POLICY_ANNOTATION
from libdnsapi.runtime.store import Change


class Mappers:
    """The listeners of all stores."""

    def __init__(self, caches: Caches, dirty: DirtyNames, enqueue: Callable[[ObjectKey], None]) -> None:
        """Tie the stores to the marks and the queue."""
        self._caches = caches
        self._dirty = dirty
        self._enqueue = enqueue

    def attach(self) -> None:
        """Listen to every store; before the informers run, so that every object is seen."""
        self._caches.record_sets.add_listener(self.record_set)
        self._caches.zones.add_listener(self.zone)
        self._caches.units.add_listener(self._caches.rooms.note_unit)
        self._caches.units.add_listener(self.unit)
        self._caches.slices.add_listener(self._caches.rooms.note_slice)
        self._caches.slices.add_listener(self.slice)
        self._caches.zone_classes.add_listener(self.zone_class)
        self._caches.providers.add_listener(self.provider)
        self._caches.namespaces.add_listener(self.namespace)

    def record_set(self, change: Change[RecordSet]) -> None:
        """Mark a claim's owner name in its Zone; the echo of our own status write marks nothing."""
        old, new = change.old, change.new
        if old is not None and new is not None and self._is_echo(old, new):
            return
        for claim in (old, new):
            if claim is not None:
                self._names(claim.zone_key, (claim.spec.name,))
        if new is not None and (old is None or old.metadata.uid != new.metadata.uid):
            self._replaced(new)

    def _replaced(self, claim: RecordSet) -> None:
        """Mark what other units hold for the key of a claim that is new: the claim that it was made for is gone."""
        key, rooms = str(claim.key), self._caches.rooms
        units = set(self._caches.units.by_index(BY_CLAIM, key))
        for piece in self._caches.slices.by_index(BY_CLAIM, key):
            if not rooms.has(claim.zone_key, LedgerRef(piece, is_slice=True)):
                found = self._caches.slices.get(piece)
                units |= {found.unit_key} if found is not None else set()
        for unit in units - {claim.zone_key}:
            places = Entries(self._caches, unit).of_claim(claim.key)
            self._names(unit, {placed.item.name for placed in places if placed.item is not None})

    def _is_echo(self, old: RecordSet, new: RecordSet) -> bool:
        return _only_status_differs(old, new) and self._caches.echoes.is_ours(new.key, new.status)

    def zone(self, change: Change[Zone]) -> None:
        """Mark the Zone itself; a change of what its record sets depend on marks them all."""
        old, new = change.old, change.new
        if old is not None and new is not None and _record_sets_see_the_same(old, new):
            self._names(change.key, ())
        else:
            self._all(change.key)

    def unit(self, change: Change[ZoneUnit]) -> None:
        """Mark the names whose item or result changed."""
        old, new = LedgerState(change.before), LedgerState(change.after)
        if change.before is None or change.after is None or old.standing() != new.standing():
            self._all(change.key)
        else:
            self._ledger(change.key, old, new)

    def slice(self, change: Change[ZoneUnitSlice]) -> None:
        """Mark the names whose item or result changed; of a slice that another ZoneUnit owns now, all."""
        old, new = change.old, change.new
        known = new or old
        if known is None:
            return
        moved = old is not None and new is not None and old.owner_uid != new.owner_uid
        self._ledger(known.unit_key, LedgerState(None if moved else change.before), LedgerState(change.after))

    def zone_class(self, change: Change[ZoneClass]) -> None:
        """Mark all Zones of the class, if it says something new to them: a finalizer or a label says nothing."""
        old, new = change.old, change.new
        if old is not None and new is not None and _class_says(old) == _class_says(new):
            return
        for key in self._caches.zones.by_index(BY_CLASS, str(change.key)):
            self._all(key)

    def provider(self, change: Change[Provider]) -> None:
        """Mark the Zones that name the Provider."""
        old, new = change.old, change.new
        if old is not None and new is not None and old.spec == new.spec:
            return
        for key in self._caches.zones.by_index(BY_PROVIDER, change.key.name):
            self._all(key)

    def namespace(self, change: Change[Namespace]) -> None:
        """Mark the Zones of the namespace, and the claims that it has in others' Zones."""
        old, new = change.old, change.new
        if old is not None and new is not None and old.metadata.labels == new.metadata.labels:
            return
        name = change.key.name
        for key in self._caches.zones.by_index(BY_NAMESPACE, name):
            self._names(key, ())
        for claim_key in self._caches.record_sets.by_index(BY_NAMESPACE, name):
            claim = self._caches.record_sets.get(claim_key)
            if claim is not None and claim.zone_key.namespace != name:
                self._names(claim.zone_key, (claim.spec.name,))

    def _ledger(self, unit: ObjectKey, old: LedgerState, new: LedgerState) -> None:
        """Mark what differs; a status entry that outlived its item is told apart by its claim only."""
        items, bare = changed_names(old, new)
        self._names(unit, items | {name for key in bare if (name := self._asked(key)) is not None})

    def _asked(self, key: ObjectKey) -> str | None:
        """Return the owner name that a claim asks for; None of one that fits no model: it keeps no other waiting."""
        claim = self._caches.record_sets.fitting(key)
        return None if claim is None else claim.spec.name

    def _names(self, unit: ObjectKey, names: Iterable[str]) -> None:
        self._dirty.mark(unit, names)
        self._enqueue(unit)

    def _all(self, unit: ObjectKey) -> None:
        self._dirty.mark_all(unit)
        self._enqueue(unit)


def _only_status_differs(old: RecordSet, new: RecordSet) -> bool:
    return (
        old.metadata.generation == new.metadata.generation
        and old.metadata.uid == new.metadata.uid
        and old.metadata.finalizers == new.metadata.finalizers
        and old.metadata.deletion_timestamp == new.metadata.deletion_timestamp
        and _same_annotation(DELETION_POLICY_ANNOTATION, old, new)
    )


def _same_annotation(name: str, old: KubernetesObject, new: KubernetesObject) -> bool:
    return old.metadata.annotations.get(name) == new.metadata.annotations.get(name)


def _record_sets_see_the_same(old: Zone, new: Zone) -> bool:
    return (
        old.metadata.generation == new.metadata.generation
        and old.metadata.uid == new.metadata.uid
        and old.metadata.deletion_timestamp == new.metadata.deletion_timestamp
        and _same_annotation(ALLOW_RETAIN_ANNOTATION, old, new)
        and _acceptance(old) == _acceptance(new)
    )


def _class_says(found: ZoneClass) -> tuple[object, ...]:
    meta, accepted = found.metadata, find_condition(found.status.conditions, ConditionType.ACCEPTED)
    said = None if accepted is None else (accepted.status, accepted.reason, accepted.observed_generation)
    return meta.uid, meta.generation, meta.deleting, found.spec, said


def _acceptance(zone: Zone) -> tuple[str, str] | None:
    accepted = find_condition(zone.status.conditions, ConditionType.ACCEPTED)
    return None if accepted is None else (accepted.status, accepted.reason)
