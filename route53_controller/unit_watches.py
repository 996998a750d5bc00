"""Which ZoneUnits a change asks for, and the caches that their controller reads.

A unit is asked for by what its pass reads: itself, its slices, its class, the class's identity and Provider, the labels
of its namespace, its Zone, the end of others of its domain, and, while it is being deleted, the claims that it holds.
Status alone asks for nothing: a unit's is written by its own pass, and of an identity only what decides about its zones
counts.
"""

from dataclasses import dataclass

from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.dns.zoneclass import ZoneClass
from libdnsapi.api.dns.zoneunit import ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZoneUnitSlice
from libdnsapi.api.meta import KubernetesObject, Namespace, ObjectKey, PartialObject
from libdnsapi.api.route53.identity import Route53Identity
from libdnsapi.runtime.informer import Informer, RosterInformer
from libdnsapi.runtime.roster import News
from libdnsapi.runtime.store import Change
from route53_controller.watches import BY_PROVIDER, Add, Caches, add_all, same_generation
from route53_controller.zoneunit.stores import (
    BY_CLASS,
    BY_DELETING,
    BY_DOMAIN,
    BY_IDENTITY,
    BY_NAMESPACE,
    DELETING,
    Claim,
    Stores,
)


@dataclass(frozen=True, slots=True)
class UnitCaches:
    """The caches that only the ZoneUnit controller reads, beside the shared ones."""

    shared: Caches
    units: Informer[ZoneUnit]
    slices: Informer[ZoneUnitSlice]
    namespaces: Informer[Namespace]
    zones: RosterInformer[PartialObject, Claim]
    record_sets: RosterInformer[PartialObject, Claim]

    @property
    def stores(self) -> Stores:
        """The stores as the controller wants them."""
        return Stores(
            units=self.units.store,
            slices=self.slices.store,
            classes=self.shared.zone_classes.store,
            identities=self.shared.identities.store,
            namespaces=self.namespaces.store,
            providers=self.shared.providers.store,
            zones=self.zones.store,
            record_sets=self.record_sets.store,
        )


class UnitMappers:
    """Turns changes into keys of ZoneUnits."""

    def __init__(self, caches: UnitCaches, add: Add) -> None:
        """Listen to nothing yet."""
        self._caches = caches
        self._add = add

    def attach(self) -> None:
        """Listen to every cache."""
        caches = self._caches
        caches.units.add_listener(self.on_unit)
        caches.slices.add_listener(self.on_slice)
        caches.shared.zone_classes.add_listener(self.on_class)
        caches.shared.identities.add_listener(self.on_identity)
        caches.shared.providers.add_listener(self.on_provider)
        caches.namespaces.add_listener(self.on_namespace)
        caches.zones.add_listener(self.on_zone)
        caches.record_sets.add_listener(self.on_record_set)

    def on_unit(self, change: Change[ZoneUnit]) -> None:
        """Ask for the unit itself; of one that is gone, for those that may have waited for its hosted zone."""
        if is_news(change.old, change.new):
            self._add(change.key)
        if change.new is None and change.old is not None:
            add_all(self._caches.units.store.by_index(BY_DOMAIN, change.old.spec.zone.domain_name), self._add)

    def on_slice(self, change: Change[ZoneUnitSlice]) -> None:
        """Ask for the unit that the slice belongs to; it counts for nothing before it is that unit's own."""
        adopted = (change.old and change.old.owner_uid) != (change.new and change.new.owner_uid)
        if adopted or is_news(change.old, change.new):
            add_all({each.unit_key for each in (change.old, change.new) if each is not None}, self._add)

    def on_class(self, change: Change[ZoneClass]) -> None:
        """Ask for the units of the class."""
        if is_news(change.old, change.new):
            add_all(self._units_of(change.key), self._add)

    def on_identity(self, change: Change[Route53Identity]) -> None:
        """Ask for the units of all classes that name the identity."""
        if identity_facts(change.old) != identity_facts(change.new):
            classes = self._caches.shared.zone_classes.store.by_index(BY_IDENTITY, str(change.key))
            add_all((key for each in classes for key in self._units_of(each)), self._add)

    def on_provider(self, change: Change[Provider]) -> None:
        """Ask for the units of all classes of the Provider."""
        if not same_generation(change.old, change.new):
            classes = self._caches.shared.zone_classes.store.by_index(BY_PROVIDER, change.key.name)
            add_all((key for each in classes for key in self._units_of(each)), self._add)

    def on_namespace(self, change: Change[Namespace]) -> None:
        """Ask for the units of a namespace whose labels changed: allowedZones may select by them."""
        old, new = (each.metadata.labels if each else None for each in (change.old, change.new))
        if old != new:
            add_all(self._caches.units.store.by_index(BY_NAMESPACE, change.key.name), self._add)

    def on_zone(self, news: News[Claim]) -> None:
        """Ask for the unit of a Zone that is being deleted; it has the Zone's name."""
        if is_leaving(news.after):
            self._add(news.key)

    def on_record_set(self, news: News[Claim]) -> None:
        """Ask for the units that wait for claims to go: those that are being deleted themselves."""
        if is_leaving(news.after):
            add_all(self._caches.units.store.by_index(BY_DELETING, DELETING), self._add)

    def _units_of(self, zone_class: ObjectKey) -> list[ObjectKey]:
        return self._caches.units.store.by_index(BY_CLASS, str(zone_class))


def is_news(old: KubernetesObject | None, new: KubernetesObject | None) -> bool:
    """Whether anything but status (or a finalizer) has changed about an object."""
    return _facts(old) != _facts(new)


def is_leaving(claim: Claim | None) -> bool:
    """Whether a claim is gone or being deleted."""
    return claim is None or claim.leaving


def identity_facts(identity: Route53Identity | None) -> tuple[object, ...]:
    """Return what of an identity decides about its zones; equal values decide alike."""
    if identity is None:
        return ()
    conditions = sorted(
        (each.type, each.status, each.reason, each.observed_generation) for each in identity.status.conditions
    )
    return (*_facts(identity), *conditions)


def _facts(found: KubernetesObject | None) -> tuple[object, ...]:
    if found is None:
        return ()
    metadata = found.metadata
    return metadata.uid, metadata.generation, metadata.deleting, tuple(sorted(metadata.annotations.items()))
