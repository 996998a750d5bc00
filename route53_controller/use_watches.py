"""When to look whether a class or identity is still needed by some unit: it appears, or a unit lets go of it."""

from collections.abc import Callable

from libdnsapi.api.dns.zoneclass import ZoneClass
from libdnsapi.api.dns.zoneunit import ZoneUnit
from libdnsapi.api.names import ROUTE53_ZONEUNIT_FINALIZER
from libdnsapi.api.route53.identity import Route53Identity
from libdnsapi.runtime.store import Change
from route53_controller.unit_watches import UnitCaches, is_news
from route53_controller.zoneunit.inuse import Used, UseKey
from route53_controller.zoneunit.ledger import unit_state


class UseMappers:
    """Turns changes into classes and identities that may have become free."""

    def __init__(self, caches: UnitCaches, add: Callable[[UseKey], None]) -> None:
        """Listen to nothing yet."""
        self._caches = caches
        self._add = add

    def attach(self) -> None:
        """Listen to units, classes and identities."""
        self._caches.units.add_listener(self.on_unit)
        self._caches.shared.zone_classes.add_listener(self.on_class)
        self._caches.shared.identities.add_listener(self.on_identity)

    def on_unit(self, change: Change[ZoneUnit]) -> None:
        """Ask for the class, and its identity, of a unit that has nothing at Route 53 any more, or is ours no more."""
        if change.old is None or not has_external(change.old) or (has_external(change.new) and not let_go(change)):
            return
        key = change.old.spec.zone.zone_class_ref.key
        self._add(UseKey(Used.ZONE_CLASS, key))
        zone_class = self._caches.shared.zone_classes.store.get(key)
        if zone_class is not None:
            self._add(identity_use(zone_class))

    def on_class(self, change: Change[ZoneClass]) -> None:
        """Ask for the class, and for the identities that it names and named."""
        if not is_news(change.old, change.new):
            return
        self._add(UseKey(Used.ZONE_CLASS, change.key))
        for each in (change.old, change.new):
            if each is not None:
                self._add(identity_use(each))

    def on_identity(self, change: Change[Route53Identity]) -> None:
        """Ask for the identity."""
        if is_news(change.old, change.new):
            self._add(UseKey(Used.IDENTITY, change.key))


def identity_use(zone_class: ZoneClass) -> UseKey:
    """Return the identity that a class names."""
    return UseKey(Used.IDENTITY, zone_class.identity_key)


def let_go(change: Change[ZoneUnit]) -> bool:
    """Whether our finalizer has left a unit."""
    return _is_held(change.old) and not _is_held(change.new)


def _is_held(unit: ZoneUnit | None) -> bool:
    return unit is not None and ROUTE53_ZONEUNIT_FINALIZER in unit.metadata.finalizers


def has_external(unit: ZoneUnit | None) -> bool:
    """Whether something may stand at Route 53 because of a unit."""
    return unit is not None and unit_state(unit).has_external
