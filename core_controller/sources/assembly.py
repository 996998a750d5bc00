"""The parts of the sources controller and the mappers between them: which change has what looked at again."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, TypeVar

from core_controller.sources import kinds
from core_controller.sources.adapters import (
    Adapter,
    Claimants,
    RouteAdapter,
    ServiceAdapter,
    SimpleAdapter,
    dns_endpoint,
    ingress,
)
from core_controller.sources.board import Board
from core_controller.sources.caches import RECORD_SET_INDEXES, host_of
from core_controller.sources.discovery import Discovery
from core_controller.sources.endpoints import SourceKey
from core_controller.sources.farewell import farewell
from core_controller.sources.gateway.model import Gateway
from core_controller.sources.host_reconciler import BY_CONTRIBUTOR, HostReconciler
from core_controller.sources.installed import (
    CUSTOM_RESOURCE_DEFINITIONS,
    CustomResourceDefinition,
    trim_definition,
)
from core_controller.sources.kinds import BY_GATEWAY, BY_NAMESPACE, BY_TYPE, WatchedKind
from core_controller.sources.measures import Measures
from core_controller.sources.news import News
from core_controller.sources.outcomes import outcome_findings
from core_controller.sources.pipeline_reconciler import TABLE, PipelineReconciler
from core_controller.sources.plan import contributors_of, is_ours, pipeline_key
from core_controller.sources.publication import Publication
from core_controller.sources.recordsets import HostKey
from core_controller.sources.references import References
from core_controller.sources.service import SERVICE_NAME_LABEL, EndpointSlice, Node
from core_controller.sources.settings import SourcesSettings
from core_controller.sources.source_reconciler import SourceReconciler
from core_controller.sources.tables import PipelineStores, PipelineTables
from core_controller.sources.watches import Tasks, Watch, all_settled
from libdnsapi.api.dns.recordset import RECORD_SETS, RecordSet
from libdnsapi.api.dns.zone import ZONES, Zone
from libdnsapi.api.externaldns.dnsprovider import (
    CLUSTER_DNS_PROVIDERS,
    DNS_PROVIDERS,
    ClusterDNSProvider,
    DNSProvider,
)
from libdnsapi.api.externaldns.names import PIPELINE_LABEL
from libdnsapi.api.meta import NAMESPACES, KubernetesObject, Namespace, ObjectKey, ObjectReference
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES, Route53Identity
from libdnsapi.runtime.manager import Manager, pod_namespace
from libdnsapi.runtime.store import Change
from libdnsapi.runtime.workqueue import WorkQueue

T = TypeVar("T", bound=KubernetesObject)

SOURCES = "sources-objects"
HOSTS = "sources-hosts"
PIPELINES = "sources-pipelines"
WORKERS = 8
STATUS_DELAY = timedelta(seconds=2)


class Assembly:
    """Everything of one sources controller."""

    def __init__(self, manager: Manager, settings: SourcesSettings) -> None:
        """Make the parts; nothing runs before the manager does."""
        self._manager = manager
        self._settings = settings
        self.board = Board()
        self._tasks = Tasks()
        self._measures = Measures(manager.metrics.registry)
        self._measures.held.set_function(lambda: float(self.board.held))
        self._source_queue: WorkQueue[SourceKey] = WorkQueue(SOURCES, manager.clock, metrics=manager.metrics)
        self._host_queue: WorkQueue[HostKey] = WorkQueue(HOSTS, manager.clock, metrics=manager.metrics)
        self._pipeline_queue = manager.queue(PIPELINES)
        self._caches()
        self._references = References(manager, self._tasks, settings.target_from_poll, self._source_queue.add)
        self._watches: list[Watch[Any]] = []
        self.adapters: dict[str, Adapter] = {}
        self._adapt()
        self._discovery = Discovery(self._definitions, self._watches, self._references.use)
        self._news = News(manager.recorder, self._reference, self._measures)

    def _caches(self) -> None:
        """Make the caches that every deployment has."""
        inform = self._manager.informer
        self._definitions = inform(CUSTOM_RESOURCE_DEFINITIONS, CustomResourceDefinition, trim=trim_definition)
        self._namespaces = inform(NAMESPACES, Namespace).store
        self._record_sets = inform(RECORD_SETS, RecordSet, indexers=RECORD_SET_INDEXES).store
        self._identities = inform(ROUTE53_IDENTITIES, Route53Identity, optional=True).store
        pipelines = inform(DNS_PROVIDERS, DNSProvider, optional=True).store
        cluster_pipelines = inform(CLUSTER_DNS_PROVIDERS, ClusterDNSProvider, optional=True).store
        zones = inform(ZONES, Zone).store
        self._stores = PipelineStores(pipelines, cluster_pipelines, zones, self._namespaces)
        self._tables = PipelineTables(self._stores)

    def add(self) -> None:
        """Add the runnables, the mappers and the controllers to the manager."""
        self._listen()
        self._manager.runnable("sources-tasks", self._tasks.run)
        self._manager.runnable("sources-discovery", self._discovery.run)
        self._add_controllers()

    def _add_controllers(self) -> None:
        manager, settings = self._manager, self._settings
        sources = SourceReconciler(
            adapters=self.adapters,
            board=self.board,
            news=self._news,
            published=self._published,
            enqueue=self._host_queue.add_after,
            clock=manager.clock,
            grace=settings.gateway_address_grace,
        )
        publication = Publication(manager.client, self._record_sets, self._news, self._measures)
        hosts = HostReconciler(
            adapters=self.adapters,
            board=self.board,
            record_sets=self._record_sets,
            table=self._tables.table,
            complete=self.complete,
            publication=publication,
            news=self._news,
        )
        pipelines = PipelineReconciler(
            client=manager.client,
            stores=self._stores,
            tables=self._tables,
            record_sets=self._record_sets,
            identities=self._identities,
            changed=self._pipelines_changed,
            measures=self._measures,
            clock=manager.clock,
            home=settings.pipeline_namespace or pod_namespace(),
        )
        self._pipeline_queue.add(TABLE)
        manager.controller(PIPELINES, pipelines, self._pipeline_queue)
        manager.controller(SOURCES, sources, self._source_queue)
        manager.controller(HOSTS, hosts, self._host_queue, workers=WORKERS)

    def complete(self) -> bool:
        """Whether every source is read and evaluated, and the table of pipelines made: only then is withdrawn."""
        return self._discovery.done and all_settled(self._watches) and not self.board.has_fresh

    # Sources.

    def _adapt(self) -> None:
        """Make a watch and an adapter for each kind that the settings name."""
        settings = self._settings
        claimants = Claimants(self._references, settings.rules(), settings.objects())
        routes = [kinds.ROUTES[source] for source in settings.source if source in kinds.ROUTES]
        if routes:
            gateways = self._watch(kinds.GATEWAYS)
            gateways.add_listener(self._gateway_changed)
            gateways.on_synced(self._all_routes)
            for kind in routes:
                watch = self._source_watch(kind)
                adapter = RouteAdapter(watch, gateways, self._namespaces, claimants, settings.gateways())
                self.adapters[kind.kind] = adapter
        if "service" in settings.source:
            self._adapt_services(claimants)
        if "ingress" in settings.source:
            self.adapters["Ingress"] = SimpleAdapter(self._source_watch(kinds.INGRESSES), claimants, ingress)
        if "crd" in settings.source:
            endpoints = self._source_watch(kinds.DNS_ENDPOINTS)
            self.adapters["DNSEndpoint"] = SimpleAdapter(endpoints, claimants, dns_endpoint)

    def _adapt_services(self, claimants: Claimants) -> None:
        slices, nodes = self._watch(kinds.ENDPOINT_SLICES), self._watch(kinds.NODES)
        services = self._source_watch(kinds.SERVICES)
        slices.add_listener(self._slice_changed)
        nodes.add_listener(self._node_changed)
        for watch in (slices, nodes):
            watch.on_synced(lambda: self._enqueue_all("Service", services.keys()))
        self.adapters["Service"] = ServiceAdapter(services, slices, nodes, claimants)

    def _watch(self, kind: WatchedKind[T]) -> Watch[T]:
        watch = Watch(kind, self._manager, self._tasks)
        self._watches.append(watch)
        return watch

    def _source_watch(self, kind: WatchedKind[T]) -> Watch[T]:
        """Make the watch of a kind whose objects are evaluated themselves."""
        watch = self._watch(kind)
        watch.add_listener(lambda change: self._source_changed(kind.kind, change))
        watch.on_synced(lambda: self._kind_seen(kind.kind, watch.keys()))
        return watch

    def _reference(self, source: SourceKey) -> ObjectReference | None:
        """Return how events refer to a source object."""
        adapter = self.adapters.get(source.kind)
        found = adapter.find(ObjectKey(source.namespace, source.name)) if adapter is not None else None
        if found is None:
            return None
        return ObjectReference(
            api_version=found.api_version,
            kind=source.kind,
            namespace=source.namespace,
            name=source.name,
            uid=found.metadata.uid,
        )

    def _published(self, source: SourceKey) -> Iterable[HostKey]:
        """Return the host names of RecordSets that come from an object."""
        keys = self._record_sets.by_index(BY_CONTRIBUTOR, str(source))
        found = (self._record_sets.get(key) for key in keys)
        return {host for one in found if one is not None and (host := host_of(one)) is not None}

    # Mappers.

    def _listen(self) -> None:
        self._record_sets.add_listener(self._record_set_changed)
        self._stores.pipelines.add_listener(self._pipeline_changed)
        self._stores.cluster_pipelines.add_listener(self._pipeline_changed)
        self._stores.zones.add_listener(self._zone_changed)
        self._namespaces.add_listener(self._namespace_changed)
        self._identities.add_listener(self._identity_changed)

    def _source_changed(self, kind: str, change: Change[Any]) -> None:
        key = SourceKey(kind, *change.key)
        if change.new is not None:
            self.board.expect(key)
        self._source_queue.add(key)

    def _kind_seen(self, kind: str, keys: Iterable[ObjectKey]) -> None:
        """Look at all objects of a kind again, those that vanished unseen and all published names among them."""
        self._enqueue_all(kind, keys)
        for source in self.board.sources(kind):
            self._source_queue.add(source)
        self._all_hosts()

    def _enqueue_all(self, kind: str, keys: Iterable[ObjectKey]) -> None:
        for key in keys:
            self._source_queue.add(SourceKey(kind, *key))

    def _all_routes(self) -> None:
        for watch in self._route_watches():
            self._enqueue_all(watch.kind.kind, watch.keys())

    def _route_watches(self) -> list[Watch[Any]]:
        return [watch for watch in self._watches if watch.kind in kinds.ROUTES.values()]

    def _gateway_changed(self, change: Change[Gateway]) -> None:
        for watch in self._route_watches():
            self._enqueue_all(watch.kind.kind, watch.by_index(BY_GATEWAY, str(change.key)))

    def _slice_changed(self, change: Change[EndpointSlice]) -> None:
        for one in (change.old, change.new):
            name = one.metadata.labels.get(SERVICE_NAME_LABEL) if one is not None else None
            if name:
                self._source_queue.add(SourceKey("Service", change.key.namespace, name))

    def _node_changed(self, change: Change[Node]) -> None:
        old, new = change.old, change.new
        if old is not None and new is not None and old.status == new.status:
            return
        for watch in self._watches:
            if watch.kind is kinds.SERVICES:
                self._enqueue_all("Service", watch.by_index(BY_TYPE, "NodePort"))

    def _namespace_changed(self, change: Change[Namespace]) -> None:
        if (
            change.old is not None
            and change.new is not None
            and change.old.metadata.labels == change.new.metadata.labels
        ):
            return
        for watch in self._route_watches():
            self._enqueue_all(watch.kind.kind, watch.by_index(BY_NAMESPACE, change.key.name))
        self._pipeline_queue.add(TABLE)

    def _record_set_changed(self, change: Change[RecordSet]) -> None:
        """Plan the host again where more than the status changed; tell the sources what became of the record."""
        old, new = change.old, change.new
        if old is not None and new is not None and _same_but_status(old, new):
            self._tell_outcome(old, new)
            return
        for one in (old, new):
            host = host_of(one) if one is not None else None
            key = pipeline_key(one) if one is not None else None
            if host is not None:
                self._host_queue.add(host)
            if host is not None and key is not None:
                self._pipeline_queue.add_after(key, STATUS_DELAY)

    def _tell_outcome(self, old: RecordSet, new: RecordSet) -> None:
        if not is_ours(new):
            return
        for finding in outcome_findings(old, new):
            for contributor in contributors_of(new):
                kind, namespace, name = contributor.split("/", 2)
                self._news.emit(SourceKey(kind, namespace, name), finding, "Program")

    def _pipeline_changed(self, change: Change[Any]) -> None:
        self._pipeline_queue.add(TABLE)
        self._pipeline_queue.add(change.key)
        if change.new is None and change.old is not None:
            self._manager.recorder.emit(farewell(change.old))

    def _zone_changed(self, change: Change[Zone]) -> None:
        """Make the table anew; where only the status changed, look at the pipelines that use the Zone."""
        old, new = change.old, change.new
        if old is None or new is None or not _same_but_status(old, new):
            self._pipeline_queue.add(TABLE)
        for key in self._tables.users(change.key):
            self._pipeline_queue.add_after(key, STATUS_DELAY)

    def _identity_changed(self, change: Change[Route53Identity]) -> None:
        """Look at the pipelines of a managed identity again."""
        label = next((one.metadata.labels.get(PIPELINE_LABEL) for one in (change.new, change.old) if one), None)
        for key, pipeline in self._tables.current.pipelines.items():
            if pipeline.label == label:
                self._pipeline_queue.add(key)

    def _pipelines_changed(self, keys: frozenset[ObjectKey]) -> None:
        for key in keys:
            self._pipeline_queue.add(key)
        self._all_hosts()

    def _all_hosts(self) -> None:
        """Plan every name anew: those that are wanted, and those that are published."""
        for host in self.board.hosts():
            self._host_queue.add(host)
        for value in self._record_sets.index_values("host"):
            namespace, _, hostname = value.partition("/")
            self._host_queue.add(HostKey(namespace, hostname))


def _same_but_status(old: KubernetesObject, new: KubernetesObject) -> bool:
    """Whether two states of an object differ in nothing but their status."""
    one, other = old.metadata, new.metadata
    return (one.uid, one.generation, one.labels, one.annotations, one.deletion_timestamp) == (
        other.uid,
        other.generation,
        other.labels,
        other.annotations,
        other.deletion_timestamp,
    )
