"""The table of pipelines, made anew when a pipeline, a Zone or a namespace's labels change."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core_controller.sources.managed import managed_name, without_lost
from core_controller.sources.pipelines import Labels, Pipeline, PipelineObject, PipelineTable, pipeline_of
from core_controller.sources.standing import owner_problem, owner_rivals
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.externaldns.dnsprovider import ClusterDNSProvider, DNSProvider
from libdnsapi.api.meta import Namespace, ObjectKey
from libdnsapi.api.route53.identity import Route53Identity
from libdnsapi.runtime.store import Store


@dataclass(frozen=True, slots=True)
class PipelineStores:
    """The caches that the table is made of."""

    pipelines: Store[DNSProvider]
    cluster_pipelines: Store[ClusterDNSProvider]
    zones: Store[Zone]
    namespaces: Store[Namespace]
    identities: Store[Route53Identity]

    def get(self, key: ObjectKey) -> PipelineObject | None:
        """Return a pipeline's object, None also where it does not fit its model."""
        return self.pipelines.fitting(key) if key.namespace else self.cluster_pipelines.fitting(key)

    def objects(self) -> list[PipelineObject]:
        """Return all pipelines' objects that fit their models."""
        keys = self.pipelines.keys() + self.cluster_pipelines.keys()
        return [found for key in sorted(keys) if (found := self.get(key)) is not None]

    def all_zones(self) -> list[Zone]:
        """Return all Zones that fit their model."""
        keys = self.zones.keys()
        return [found for key in sorted(keys) if (found := self.zones.fitting(key)) is not None]


class PipelineTables:
    """Holds the current table. A pipeline that must not act stays in it without Zones, so that it withdraws nothing."""

    def __init__(self, stores: PipelineStores, home: str) -> None:
        """Start with an empty table; `home` is where the Zones of managed ClusterDNSProviders are made."""
        self._stores = stores
        self._home = home
        self.current = PipelineTable()
        self.rivals: dict[ObjectKey, ObjectKey] = {}
        self._built = False
        self._users: dict[ObjectKey, tuple[ObjectKey, ...]] = {}

    def users(self, zone: ObjectKey) -> tuple[ObjectKey, ...]:
        """Return the pipelines that use a Zone."""
        return self._users.get(zone, ())

    def table(self) -> PipelineTable:
        """Return the current table, made now where it was never made."""
        if not self._built:
            self.rebuild()
        return self.current

    def pipeline(self, source: PipelineObject) -> Pipeline:
        """Return a pipeline as the table has it; one that is newer than the table has no Zones yet."""
        return self.current.get(source.key) or pipeline_of(source, (), {}, self._home)

    def rebuild(self) -> frozenset[ObjectKey]:
        """Make the table anew and return the keys of the pipelines that differ from before."""
        objects = self._stores.objects()
        zones = self._stores.all_zones()
        labels = {one.metadata.namespace: self._labels(one.metadata.namespace) for one in objects}
        made = {one.key: self._made(one, zones, labels) for one in objects}
        self.rivals = owner_rivals(objects, {key: one.owner_id for key, one in made.items()})
        for one in objects:
            if one.key in self.rivals or owner_problem(one) is not None:
                made[one.key] = replace(made[one.key], zones=())
        before, self.current = self.current, PipelineTable(made)
        self._users = _users(self.current)
        self._built = True
        return _changed(before, self.current)

    def _made(self, source: PipelineObject, zones: list[Zone], labels: Mapping[str, Labels]) -> Pipeline:
        """Return a pipeline; a managed one without the Zones whose hosted zone was replaced by another."""
        made = pipeline_of(source, zones, labels, self._home)
        if not source.spec.is_managed:
            return made
        key = ObjectKey(source.metadata.namespace or self._home, managed_name(source, made))
        identity = self._stores.identities.fitting(key)
        hosted = (identity.status.hosted_zones if identity is not None else None) or ()
        own = {zone.key for zone in made.zones}
        left = {zone.key for zone in without_lost((zone for zone in zones if zone.key in own), hosted)}
        return replace(made, zones=tuple(zone for zone in made.zones if zone.key in left))

    def _labels(self, namespace: str) -> Labels:
        found = self._stores.namespaces.get(ObjectKey("", namespace)) if namespace else None
        return found.metadata.labels if found is not None else {}


def _changed(before: PipelineTable, after: PipelineTable) -> frozenset[ObjectKey]:
    keys = before.pipelines.keys() | after.pipelines.keys()
    return frozenset(key for key in keys if before.get(key) != after.get(key))


def _users(table: PipelineTable) -> dict[ObjectKey, tuple[ObjectKey, ...]]:
    users: dict[ObjectKey, tuple[ObjectKey, ...]] = {}
    for key, pipeline in table.pipelines.items():
        for zone in pipeline.zones:
            users[zone.key] = (*users.get(zone.key, ()), key)
    return users
