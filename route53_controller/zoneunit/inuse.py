"""What cleanup needs is held until cleanup is done: our finalizer on ZoneClasses and identities (beyond-the-seeds 11).

Held by the pass that first writes to Route 53; released, by key of the class or identity, once no unit needs it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from libdnsapi.api.dns.zoneclass import ZONE_CLASSES, ZoneClass
from libdnsapi.api.meta import ObjectKey, reference_to
from libdnsapi.api.names import ROUTE53_IN_USE_FINALIZER, ROUTE53_ZONEUNIT_FINALIZER
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES, Route53Identity
from libdnsapi.runtime.events import Event
from libdnsapi.runtime.kubernetes import Kubernetes
from libdnsapi.runtime.reconciler import Result
from route53_controller.status import Recorder
from route53_controller.zoneunit.ledger import unit_state
from route53_controller.zoneunit.snapshot import Snapshot
from route53_controller.zoneunit.stores import BY_CLASS, BY_IDENTITY, Stores
from route53_controller.zoneunit.writes import edit_finalizers

NAMED = 5
"""Zones that an Event names."""


class Used(StrEnum):
    """The kinds that cleanup needs."""

    ZONE_CLASS = "ZoneClass"
    IDENTITY = "Route53Identity"


@dataclass(frozen=True, slots=True, order=True)
class UseKey:
    """One class or identity."""

    kind: Used
    key: ObjectKey

    def __str__(self) -> str:
        """Return kind and key."""
        return f"{self.kind} {self.key}"


class UseKeeper:
    """Holds what a unit needs, and tells what is still needed."""

    def __init__(self, kubernetes: Kubernetes, stores: Stores, controller_name: str) -> None:
        """Hold nothing yet; `controller_name` tells our classes from those of others."""
        self._kubernetes = kubernetes
        self._stores = stores
        self._controller_name = controller_name

    async def hold(self, snapshot: Snapshot) -> None:
        """Put our finalizer on the class and the identity; what is being deleted already can take none."""
        zone_class, identity = snapshot.zone_class, snapshot.identity
        if zone_class is not None and _lacks(zone_class):
            await self._edit(UseKey(Used.ZONE_CLASS, zone_class.key), held=True)
        if identity is not None and _lacks(identity):
            await self._edit(UseKey(Used.IDENTITY, identity.key), held=True)

    async def release(self, use: UseKey) -> None:
        """Take our finalizer off, if it is there."""
        await self._edit(use, held=False)

    def needed_by(self, use: UseKey) -> Iterator[ObjectKey]:
        """Yield the units that have cleanup to do which needs it."""
        if use.kind is Used.ZONE_CLASS:
            yield from self._units_of(use.key)
        else:
            for key in self._stores.classes.by_index(BY_IDENTITY, str(use.key)):
                yield from self._units_of(key)

    def _units_of(self, key: ObjectKey) -> Iterator[ObjectKey]:
        """Yield the units that need a class; of one that is another controller's now, only what we hold counts."""
        zone_class = self._stores.classes.get(key)
        foreign = zone_class is not None and zone_class.spec.controller_name != self._controller_name
        for unit in map(self._stores.units.get, self._stores.units.by_index(BY_CLASS, str(key))):
            if unit is None or not unit_state(unit).has_external:
                continue
            if not foreign or ROUTE53_ZONEUNIT_FINALIZER in unit.metadata.finalizers:
                yield unit.key

    async def _edit(self, use: UseKey, *, held: bool) -> None:
        def edit(finalizers: tuple[str, ...]) -> tuple[str, ...]:
            others = tuple(finalizer for finalizer in finalizers if finalizer != ROUTE53_IN_USE_FINALIZER)
            if held:
                return finalizers if ROUTE53_IN_USE_FINALIZER in finalizers else (*others, ROUTE53_IN_USE_FINALIZER)
            return others

        if use.kind is Used.ZONE_CLASS:
            await edit_finalizers(self._kubernetes, ZONE_CLASSES, self._stores.classes, ZoneClass, use.key, edit)
        else:
            await edit_finalizers(
                self._kubernetes, ROUTE53_IDENTITIES, self._stores.identities, Route53Identity, use.key, edit
            )


class InUseReconciler:
    """Releases classes and identities that no unit needs any more; keyed by UseKey.

    Of one that waits to be deleted it tells what keeps it, which nothing else shows.
    """

    def __init__(self, keeper: UseKeeper, stores: Stores, recorder: Recorder) -> None:
        """Release nothing yet."""
        self._keeper = keeper
        self._stores = stores
        self._recorder = recorder

    async def reconcile(self, key: UseKey) -> Result:
        """Take our finalizer off the class or identity unless some unit needs it."""
        stores = self._stores
        found = stores.classes.get(key.key) if key.kind is Used.ZONE_CLASS else stores.identities.get(key.key)
        if found is None or ROUTE53_IN_USE_FINALIZER not in found.metadata.finalizers:
            return Result()
        zones = list(islice(self._keeper.needed_by(key), NAMED + 1))
        if not zones:
            await self._keeper.release(key)
        elif found.metadata.deleting:
            self._recorder.emit(_still_in_use(key.kind, found, zones))
        return Result()


def _still_in_use(kind: Used, found: ZoneClass | Route53Identity, zones: Sequence[ObjectKey]) -> Event:
    """Return the Event that names the Zones (a unit is named as its Zone) whose cleanup needs an object."""
    names = ", ".join(map(str, sorted(zones)[:NAMED])) + (" and others" if len(zones) > NAMED else "")
    resource = ZONE_CLASSES if kind is Used.ZONE_CLASS else ROUTE53_IDENTITIES
    return Event(
        reference_to(resource, found),
        "Warning",
        "Route53StillInUse",
        note=f"The {kind} goes once these Zones are gone, whose cleanup needs it: {names}",
        action="Delete",
    )


def _lacks(found: ZoneClass | Route53Identity) -> bool:
    return ROUTE53_IN_USE_FINALIZER not in found.metadata.finalizers and not found.metadata.deleting
