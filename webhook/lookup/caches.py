"""The webhook's caches and the counts that follow them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from libdnsapi.api.dns.provider import PROVIDERS, Provider
from libdnsapi.api.dns.recordset import RECORD_SETS, RecordSet
from libdnsapi.api.dns.zone import ZONES, Zone
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES, ZoneClass
from libdnsapi.api.dns.zoneunit import ZONE_UNITS, ZoneUnit
from libdnsapi.api.externaldns.dnsprovider import (
    CLUSTER_DNS_PROVIDERS,
    DNS_PROVIDERS,
    ClusterDNSProvider,
    DNSProvider,
)
from libdnsapi.api.meta import NAMESPACES, Namespace, ObjectKey
from libdnsapi.runtime.informer import Informer, RosterInformer
from libdnsapi.runtime.manager import Manager
from libdnsapi.runtime.roster import News
from libdnsapi.runtime.store import Change, Store
from webhook.lookup import trims
from webhook.lookup.tallies import KnownRecordSets, Tally, known_record_set, provider_version
from webhook.validators.pipelines import PipelineObject, known_pipeline
from webhook.validators.snapshot import KnownPipeline, Usage

User = TypeVar("User", Zone, ZoneUnit)
Counted = TypeVar("Counted", ZoneClass, RecordSet)
D = TypeVar("D")


@dataclass(frozen=True, slots=True)
class Caches:
    """Stores that `gather` reads, and what was counted from the others."""

    providers: Store[Provider]
    zones: Store[Zone]
    units: Store[ZoneUnit]
    namespaces: Store[Namespace]
    record_sets: KnownRecordSets = field(default_factory=KnownRecordSets)
    pipelines: dict[ObjectKey, KnownPipeline] = field(default_factory=dict)
    """DNSProviders and, without namespace, ClusterDNSProviders."""
    users: dict[str, Tally[tuple[str, str]]] = field(default_factory=dict)
    """By kind: which objects name which Provider version."""
    synced: tuple[asyncio.Event, ...] = ()
    """Set when the first complete list of a kind is there."""

    async def complete(self) -> None:
        """Wait for the first complete list of every kind: before that, a Provider in use looks unused."""
        for event in self.synced:
            await event.wait()

    def usage(self, provider: str) -> dict[str, Usage]:
        """Count the users of each version of a Provider that somebody names, by version."""
        found: dict[str, Usage] = {}
        for kind, tally in self.users.items():
            for name, version in list(tally.values()):
                if name == provider:
                    found[version] = found.get(version, Usage()).plus(tally.usage((name, version), kind))
        return found

    def ledgers(self, provider: str) -> Usage:
        """Count the ZoneUnits of a Provider."""
        tally, found = self.users["ZoneUnit"], Usage()
        for name, version in list(tally.values()):
            if name == provider:
                found = found.plus(tally.usage((name, version), "ZoneUnit"))
        return found


def caches(manager: Manager) -> Caches:
    """Add the informers that the rules need to a manager; kinds that are not installed yet count as empty."""
    providers = manager.informer(PROVIDERS, Provider, optional=True)
    zones = manager.informer(ZONES, Zone, trim=trims.trim_zone, optional=True)
    units = manager.informer(ZONE_UNITS, ZoneUnit, trim=trims.trim_unit, optional=True)
    classes = manager.roster(ZONE_CLASSES, ZoneClass, _class_version, trim=trims.trim_class, optional=True)
    record_sets = manager.roster(RECORD_SETS, RecordSet, known_record_set, trim=trims.trim_record_set, optional=True)
    namespaces = manager.informer(NAMESPACES, Namespace, trim=trims.trim_namespace)
    pipelines = manager.roster(DNS_PROVIDERS, DNSProvider, _pipeline, trim=trims.trim_pipeline, optional=True)
    cluster = manager.roster(
        CLUSTER_DNS_PROVIDERS, ClusterDNSProvider, _pipeline, trim=trims.trim_pipeline, optional=True
    )
    every = (providers, zones, units, classes, record_sets, namespaces, pipelines, cluster)
    found = Caches(
        providers=providers.store,
        zones=zones.store,
        units=units.store,
        namespaces=namespaces.store,
        synced=tuple(informer.synced for informer in every),
    )
    record_sets.add_listener(lambda news: found.record_sets.move(news.before, news.after))
    pipelines.add_listener(lambda news: _note_pipeline(found.pipelines, news))
    cluster.add_listener(lambda news: _note_pipeline(found.pipelines, news))
    found.users["ZoneClass"] = _counted(classes, lambda version: version)
    found.users["Zone"] = _users(zones)
    found.users["RecordSet"] = _counted(record_sets, lambda known: known.provider)
    found.users["ZoneUnit"] = _users(units)
    return found


def _note_pipeline(known: dict[ObjectKey, KnownPipeline], news: News[KnownPipeline]) -> None:
    """Keep what other pipelines must know of one; None is one that is gone."""
    if news.after is None:
        known.pop(news.key, None)
    else:
        known[news.key] = news.after


def _users(informer: Informer[User]) -> Tally[tuple[str, str]]:
    tally: Tally[tuple[str, str]] = Tally()

    def note(change: Change[User]) -> None:
        tally.put(change.key, None if change.new is None else provider_version(change.new.spec.provider))

    informer.add_listener(note)
    return tally


def _counted(informer: RosterInformer[Counted, D], version: Callable[[D], tuple[str, str]]) -> Tally[tuple[str, str]]:
    tally: Tally[tuple[str, str]] = Tally()

    def note(news: News[D]) -> None:
        tally.put(news.key, None if news.after is None else version(news.after))

    informer.add_listener(note)
    return tally


def _class_version(key: ObjectKey, zone_class: ZoneClass) -> tuple[str, str]:
    del key
    return provider_version(zone_class.spec.provider)


def _pipeline(key: ObjectKey, source: PipelineObject) -> KnownPipeline:
    del key
    return known_pipeline(source)
