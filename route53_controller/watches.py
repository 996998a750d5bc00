"""Which keys an object's change asks for: the indexes of the caches, and the mappers that fill the queues.

A mapper is pure: it sees the old and the new object and returns keys, those of both where a reference moved.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from libdnsapi.api.conditions import ConditionType, find_condition
from libdnsapi.api.dns.provider import Provider
from libdnsapi.api.dns.zoneclass import ZoneClass
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.route53.identity import Route53Identity
from libdnsapi.runtime.informer import Informer
from libdnsapi.runtime.shelf import Indexers
from libdnsapi.runtime.store import Change
from route53_controller.secrets import CredentialSecret
from route53_controller.zoneunit.stores import BY_IDENTITY

Add = Callable[[ObjectKey], None]

BY_SECRET = "secret"  # noqa: S105 — the name of an index
BY_PROVIDER = "provider"


def _secret_of(identity: Route53Identity) -> Iterable[str]:
    reference = identity.spec.credentials.secret_ref
    return () if reference is None else (str(ObjectKey(identity.metadata.namespace, reference.name)),)


IDENTITY_INDEXES: Indexers[Route53Identity] = {BY_SECRET: _secret_of}
ZONE_CLASS_INDEXES: Indexers[ZoneClass] = {
    BY_IDENTITY: lambda zone_class: (str(zone_class.identity_key),),
    BY_PROVIDER: lambda zone_class: (zone_class.spec.provider.name,),
}


@dataclass(frozen=True, slots=True)
class Caches:
    """The caches that more than one controller of this service reads."""

    providers: Informer[Provider]
    zone_classes: Informer[ZoneClass]
    identities: Informer[Route53Identity]
    secrets: Mapping[str, Informer[CredentialSecret]]


def watch_identities(caches: Caches, add: Add) -> None:
    """Ask for an identity when it or its Secret changes."""
    caches.identities.add_listener(lambda change: add(change.key))

    def on_secret(change: Change[CredentialSecret]) -> None:
        add_all(caches.identities.store.by_index(BY_SECRET, str(change.key)), add)

    for informer in caches.secrets.values():
        informer.add_listener(on_secret)


def watch_zone_classes(caches: Caches, add: Add, controller_name: str) -> None:
    """Ask for a class of this controller when it, its identity's acceptance or its Provider changes."""
    classes = caches.zone_classes.store

    def on_class(change: Change[ZoneClass]) -> None:
        if change.new is not None and change.new.spec.controller_name == controller_name:
            add(change.key)

    def on_identity(change: Change[Route53Identity]) -> None:
        if not same_acceptance(change.old, change.new):
            add_all(classes.by_index(BY_IDENTITY, str(change.key)), add)

    def on_provider(change: Change[Provider]) -> None:
        if not same_generation(change.old, change.new):
            add_all(classes.by_index(BY_PROVIDER, change.key.name), add)

    caches.zone_classes.add_listener(on_class)
    caches.identities.add_listener(on_identity)
    caches.providers.add_listener(on_provider)


def same_acceptance(old: Route53Identity | None, new: Route53Identity | None) -> bool:
    """Whether nothing has changed about an identity that decides about its classes."""
    return acceptance_of(old) == acceptance_of(new)


def acceptance_of(identity: Route53Identity | None) -> tuple[object, ...]:
    """Return what decides about an identity's classes; equal values decide alike."""
    if identity is None:
        return ()
    accepted = find_condition(identity.status.conditions, ConditionType.ACCEPTED)
    said = accepted and (accepted.status, accepted.observed_generation)
    return identity.metadata.uid, identity.metadata.generation, said


def same_generation(old: Provider | None, new: Provider | None) -> bool:
    """Whether this is the same Provider with the same spec."""
    versions = [(each.metadata.uid, each.metadata.generation) if each else None for each in (old, new)]
    return versions[0] == versions[1]


def add_all(keys: Iterable[ObjectKey], add: Add) -> None:
    """Ask for each key."""
    for key in keys:
        add(key)
