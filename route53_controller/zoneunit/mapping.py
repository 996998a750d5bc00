"""Which units, classes and identities a change asks for. Reads indexes alone; old and new keys where a reference moved.

Register each `on_…` as listener of its kind's informer.
"""

from collections.abc import Callable
from dataclasses import dataclass

from libdnsapi.api.conditions import ConditionType, find_condition
from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.dns.zoneclass import ZoneClass
from libdnsapi.api.dns.zoneunit import ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZoneUnitSlice
from libdnsapi.api.meta import Namespace, ObjectKey, PartialObject
from libdnsapi.api.route53.identity import Route53Identity
from libdnsapi.runtime.store import Change
from route53_controller.zoneunit.inuse import Used, UseKey
from route53_controller.zoneunit.stores import BY_CLASS, BY_IDENTITY, BY_NAMESPACE, Stores


@dataclass(frozen=True, slots=True)
class UnitMapping:
    """Listeners that fill the queue of units and that of classes and identities in use."""

    stores: Stores
    add_unit: Callable[[ObjectKey], None]
    add_use: Callable[[UseKey], None]

    def on_unit(self, change: Change[ZoneUnit]) -> None:
        """Ask for the unit, and for what a unit that went may have held."""
        self.add_unit(change.key)
        if change.new is None and change.old is not None:
            self._ask_for_class_use(change.old.spec.zone.zone_class_ref.key)

    def on_slice(self, change: Change[ZoneUnitSlice]) -> None:
        """Ask for the slice's unit."""
        held = change.new or change.old
        if held is not None:
            self.add_unit(held.unit_key)

    def on_class(self, change: Change[ZoneClass]) -> None:
        """Ask for the units of a class whose spec changed, came or went, and for the finalizer's release."""
        if _generation(change.old) != _generation(change.new):
            self._add_units_of(change.key)
        self._ask_for_class_use(change.key)
        if change.old is not None:
            self._ask_for_identity_use(change.old)

    def on_identity(self, change: Change[Route53Identity]) -> None:
        """Ask for the units of an identity whose acceptance or readiness changed."""
        if _usability(change.old) != _usability(change.new):
            for key in self.stores.classes.by_index(BY_IDENTITY, str(change.key)):
                self._add_units_of(key)
        if change.new is not None:
            self.add_use(UseKey(Used.IDENTITY, change.key))

    def on_provider(self, change: Change[Provider]) -> None:
        """Ask for the units of a Provider's classes when its spec changed."""
        if _generation(change.old) == _generation(change.new):
            return
        for key in self.stores.classes.keys():  # noqa: SIM118 — a store is no mapping
            found = self.stores.classes.get(key)
            if found is not None and found.spec.provider.name == change.key.name:
                self._add_units_of(key)

    def on_namespace(self, change: Change[Namespace]) -> None:
        """Ask for the units of a namespace whose labels changed."""
        old = change.old.metadata.labels if change.old else None
        new = change.new.metadata.labels if change.new else None
        if old != new:
            for key in self.stores.units.by_index(BY_NAMESPACE, change.key.name):
                self.add_unit(key)

    def on_zone(self, change: Change[PartialObject]) -> None:
        """Ask for a Zone's unit when the Zone is being deleted: the guard then judges otherwise."""
        old, new = change.old, change.new
        if (old is not None and old.metadata.deleting) != (new is not None and new.metadata.deleting):
            self.add_unit(change.key)

    def _add_units_of(self, zone_class: ObjectKey) -> None:
        for key in self.stores.units.by_index(BY_CLASS, str(zone_class)):
            self.add_unit(key)

    def _ask_for_class_use(self, key: ObjectKey) -> None:
        self.add_use(UseKey(Used.ZONE_CLASS, key))
        zone_class = self.stores.classes.get(key)
        if zone_class is not None:
            self._ask_for_identity_use(zone_class)

    def _ask_for_identity_use(self, zone_class: ZoneClass) -> None:
        identity = ObjectKey(zone_class.metadata.namespace, zone_class.spec.identity_ref.name)
        self.add_use(UseKey(Used.IDENTITY, identity))


def _generation(found: ZoneClass | Provider | None) -> tuple[str, int] | None:
    return None if found is None else (found.metadata.uid, found.metadata.generation)


def _usability(identity: Route53Identity | None) -> tuple[object, ...]:
    if identity is None:
        return ()
    conditions = (find_condition(identity.status.conditions, t) for t in (ConditionType.ACCEPTED, ConditionType.READY))
    facts = tuple((c.status, c.observed_generation) if c else None for c in conditions)
    return (identity.metadata.uid, identity.metadata.generation, *facts)
