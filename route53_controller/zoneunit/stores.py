"""The caches that this controller reads, and the indexes that they must have."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.dns.zoneclass import ZoneClass
from libdnsapi.api.dns.zoneunit import ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZoneUnitSlice
from libdnsapi.api.meta import Namespace, ObjectKey, PartialObject
from libdnsapi.api.route53.identity import Route53Identity
from libdnsapi.runtime.roster import Roster
from libdnsapi.runtime.shelf import Indexers
from libdnsapi.runtime.store import Store
from route53_controller.aws.api import Route53, Sts
from route53_controller.parameters import Parameters

BY_UNIT = "unit"
BY_CLASS = "class"
BY_HOSTED_ZONE = "hosted-zone"
BY_DOMAIN = "domain"
BY_NAMESPACE = "namespace"
BY_DELETING = "deleting"
BY_IDENTITY = "identity"

DELETING = "true"
"""The value in BY_DELETING of every unit that is being deleted; others have none."""


def _hosted_zone_of(unit: ZoneUnit) -> Iterable[str]:
    state = (unit.status.provider.state if unit.status.provider else None) or {}
    zone_id = state.get("hostedZoneID")
    return (zone_id,) if isinstance(zone_id, str) and zone_id else ()


UNIT_INDEXES: Indexers[ZoneUnit] = {
    BY_CLASS: lambda unit: (str(unit.spec.zone.zone_class_ref.key),),
    BY_HOSTED_ZONE: _hosted_zone_of,
    BY_DOMAIN: lambda unit: (unit.spec.zone.domain_name,),
    BY_NAMESPACE: lambda unit: (unit.metadata.namespace,),
    BY_DELETING: lambda unit: (DELETING,) if unit.metadata.deleting else (),
}
SLICE_INDEXES: Indexers[ZoneUnitSlice] = {BY_UNIT: lambda held: (str(held.unit_key),)}


@dataclass(frozen=True, slots=True)
class Claim:
    """What is kept of a Zone or RecordSet: its uid for Events, and for cleanup whether it is being deleted."""

    uid: str
    leaving: bool


def claim_of(key: ObjectKey, found: PartialObject) -> Claim:
    """Return what is kept of a claim's metadata."""
    del key
    return Claim(found.metadata.uid, found.metadata.deleting)


Claims = Roster[PartialObject, Claim]


class ParametersSource(Protocol):
    """Who reads a class's parameters in the Provider's storage version (`parameters.ClassParameters`)."""

    async def read(self, zone_class: ZoneClass, provider: Provider | None) -> Parameters:
        """Return the parameters, or why there are none."""
        ...


class Account(Route53, Sts, Protocol):
    """Route 53 and STS as one identity sees them."""


class ClientSource(Protocol):
    """Who knows clients by identity (`accounts.Accounts`)."""

    def route53(self, identity: Route53Identity, *, cleanup: bool = False) -> Account:
        """Return a client that acts as an identity; raises AwsError where it has no credentials."""
        ...


@dataclass(frozen=True, slots=True)
class Stores:
    """One store a kind. Of claims a little metadata: for Events, and to see that they exist while a unit is deleted.

    `units` and `slices` need UNIT_INDEXES and SLICE_INDEXES, `classes` need the index BY_IDENTITY.
    """

    units: Store[ZoneUnit]
    slices: Store[ZoneUnitSlice]
    classes: Store[ZoneClass]
    identities: Store[Route53Identity]
    namespaces: Store[Namespace]
    providers: Store[Provider]
    zones: Claims
    record_sets: Claims

    def namespace_labels(self, name: str) -> Mapping[str, str]:
        """Return the labels of a namespace, none where it is not known."""
        namespace = self.namespaces.get(ObjectKey("", name))
        return namespace.metadata.labels if namespace is not None else {}
