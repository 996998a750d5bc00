"""Pipelines as routing sees them: one frozen table of all DNSProviders and ClusterDNSProviders (seed 000). Pure."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from core_controller.sources.hostnames import WILDCARD, canonical
from libdnsapi.api.dns.references import ProviderRef
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.externaldns.dnsprovider import (
    DEFAULT_TTL,
    ClusterDNSProvider,
    DNSProvider,
    ZoneSelection,
    pipeline_resource,
)
from libdnsapi.api.externaldns.names import PIPELINE_LABEL
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.names import ROUTE53_PROVIDER
from libdnsapi.dns.names import is_subdomain

PipelineObject = DNSProvider | ClusterDNSProvider
Policy = Literal["sync", "upsert-only", "create-only"]
Labels = Mapping[str, str]
HASH_LENGTH = 16


@dataclass(frozen=True, slots=True)
class TargetZone:
    """A Zone that a pipeline publishes into; `hosted_zone_id` is the one at Route 53, "" where there is none yet."""

    key: ObjectKey
    domain: str
    provider: ProviderRef
    hosted_zone_id: str = ""

    @property
    def is_route53(self) -> bool:
        """Whether the Zone's provider is Route 53, which has aliases."""
        return self.provider.name == ROUTE53_PROVIDER


@dataclass(frozen=True, slots=True)
class Pipeline:
    """One pipeline; a cluster-scoped one has no namespace in its key."""

    key: ObjectKey
    owner_id: str
    zones: tuple[TargetZone, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    policy: Policy = "sync"
    ttl: int = DEFAULT_TTL
    adopts: bool = False
    prefer_cname: bool = False
    evaluate_target_health: bool = True

    @property
    def kind(self) -> str:
        """The kind of its object."""
        return pipeline_resource(self.key).kind

    @property
    def full_name(self) -> str:
        """What annotations and metrics name it by: kind and key."""
        return pipeline_name(self.key)

    @property
    def label(self) -> str:
        """What labels name it by: a hash of its full name."""
        return hashed(self.full_name)

    def covers(self, name: str) -> bool:
        """Whether the domain filter makes it responsible for a name; without include its Zones' domains do."""
        bare = name.removeprefix(WILDCARD)
        included = self.include or tuple(zone.domain for zone in self.zones)
        return _below_any(bare, included) and not _below_any(bare, self.exclude)

    def leads_into(self, zone: TargetZone, name: str) -> bool:
        """Whether a name lies in this Zone, and in none of the pipeline's Zones below it."""
        return [one.key for one in self.zones_of(name)] == [zone.key]

    def zones_of(self, name: str) -> tuple[TargetZone, ...]:
        """Return its Zones of the longest domain that a name lies in; several are one domain's."""
        bare = name.removeprefix(WILDCARD)
        fitting = [zone for zone in self.zones if is_subdomain(bare, zone.domain)]
        longest = max((len(zone.domain) for zone in fitting), default=0)
        return tuple(zone for zone in fitting if len(zone.domain) == longest)


@dataclass(frozen=True, slots=True)
class PipelineTable:
    """All pipelines at one moment."""

    pipelines: Mapping[ObjectKey, Pipeline] = field(default_factory=dict)

    def get(self, key: ObjectKey) -> Pipeline | None:
        """Return a pipeline by the key of its object."""
        return self.pipelines.get(key)

    def candidates(self, namespace: str) -> tuple[Pipeline, ...]:
        """Return the pipelines that objects of a namespace may use: the cluster's, and the namespace's own."""
        usable = (one for key, one in self.pipelines.items() if key.namespace in ("", namespace))
        return tuple(sorted(usable, key=lambda one: one.key))


def pipeline_of(source: PipelineObject, zones: Iterable[Zone], namespaces: Mapping[str, Labels], home: str) -> Pipeline:
    """Read a pipeline's object; `zones` are all Zones, of which it takes those that it may and shall use.

    A managed pipeline uses the Zones that carry its label in the namespace where they are made: its own, or `home` for
    a cluster-scoped one; the label on a Zone elsewhere is anybody's. `namespaces` maps names to labels.
    """
    spec = source.spec
    filters, config = spec.domain_filter, spec.config or {}
    defaults = spec.defaults
    return Pipeline(
        key=source.key,
        owner_id=spec.owner_id(source.key),
        zones=tuple(_target(zone) for zone in _sorted(zones) if _takes(source, zone, namespaces, home)),
        include=tuple(map(_suffix, (filters.include if filters is not None else None) or ())),
        exclude=tuple(map(_suffix, (filters.exclude if filters is not None else None) or ())),
        policy=spec.policy or "sync",
        ttl=(defaults.ttl if defaults is not None else None) or DEFAULT_TTL,
        adopts=spec.adoption == "Matching",
        prefer_cname=config.get("aws-prefer-cname") == "true",
        evaluate_target_health=config.get("aws-evaluate-target-health", "true") == "true",
    )


def pipeline_name(key: ObjectKey) -> str:
    """Return what annotations and metrics name a pipeline by: `DNSProvider/<key>` or `ClusterDNSProvider/<key>`."""
    return f"{pipeline_resource(key).kind}/{key}"


def hashed(text: str) -> str:
    """Return what stands for a text in labels and names: short, and of letters and digits."""
    return hashlib.sha256(text.encode()).hexdigest()[:HASH_LENGTH]


def _takes(source: PipelineObject, zone: Zone, namespaces: Mapping[str, Labels], home: str) -> bool:
    if zone.metadata.deleting:
        return False
    if source.spec.type == "aws" and zone.spec.provider.name != ROUTE53_PROVIDER:
        return False
    if source.spec.zones is None:
        made_for, made_in = hashed(pipeline_name(source.key)), source.metadata.namespace or home
        return zone.metadata.labels.get(PIPELINE_LABEL) == made_for and zone.metadata.namespace == made_in
    return _selects(source, source.spec.zones, zone) and _may_use(source, zone, namespaces)


def _selects(source: PipelineObject, selection: ZoneSelection, zone: Zone) -> bool:
    named = {ref.key(source.metadata.namespace) for ref in selection.refs or ()}
    if zone.key in named:
        return True
    return selection.selector is not None and selection.selector.matches(zone.metadata.labels)


def _may_use(source: PipelineObject, zone: Zone, namespaces: Mapping[str, Labels]) -> bool:
    """Whether a namespace's pipeline may use a Zone: its own, or one that admits its namespace."""
    home = source.metadata.namespace
    if not home or zone.metadata.namespace == home:
        return True
    labels = namespaces.get(home, {})
    return any(rule.namespaces.selector.matches(labels) for rule in zone.spec.allowed_record_sets or ())


def _target(zone: Zone) -> TargetZone:
    data = zone.status.provider.data if zone.status.provider is not None else None
    return TargetZone(zone.key, zone.spec.domain_name, zone.spec.provider, str((data or {}).get("hostedZoneID") or ""))


def _sorted(zones: Iterable[Zone]) -> list[Zone]:
    return sorted(zones, key=lambda zone: zone.key)


def _suffix(text: str) -> str:
    return canonical(text).removeprefix(WILDCARD).removeprefix(".")


def _below_any(name: str, suffixes: Iterable[str]) -> bool:
    return any(is_subdomain(name, suffix) for suffix in suffixes)
