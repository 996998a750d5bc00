"""The parts of the sources controller, made and tied together."""

from typing import Any, TypeVar

from core_controller.sources import kinds
from core_controller.sources.adapters import (
    Adapter,
    Claimants,
    GatewayCaches,
    RouteAdapter,
    ServiceAdapter,
    SimpleAdapter,
    dns_endpoint,
    ingress,
)
from core_controller.sources.board import Board
from core_controller.sources.caches import RECORD_SET_INDEXES
from core_controller.sources.discovery import Discovery
from core_controller.sources.endpoints import SourceKey
from core_controller.sources.host_reconciler import BY_CONTRIBUTOR, HostReconciler
from core_controller.sources.installed import (
    CUSTOM_RESOURCE_DEFINITIONS,
    CustomResourceDefinition,
    trim_definition,
)
from core_controller.sources.istio_adapters import IstioGatewayAdapter, IstioGateways, VirtualServiceAdapter
from core_controller.sources.kinds import WatchedKind
from core_controller.sources.measures import Measures
from core_controller.sources.news import News
from core_controller.sources.pipeline_reconciler import TABLE, PipelineReconciler
from core_controller.sources.publication import Publication
from core_controller.sources.publication_mappers import PublicationMappers
from core_controller.sources.recordsets import HostKey
from core_controller.sources.references import References
from core_controller.sources.service import Service
from core_controller.sources.settings import SourcesSettings
from core_controller.sources.source_mappers import SourceMappers
from core_controller.sources.source_reconciler import SourceReconciler
from core_controller.sources.tables import PipelineStores, PipelineTables
from core_controller.sources.waiting import Waiting
from core_controller.sources.watches import Tasks, Watch, all_settled
from libdnsapi.api.dns.recordset import RECORD_SETS, RecordSet
from libdnsapi.api.dns.zone import ZONES, Zone
from libdnsapi.api.externaldns.dnsprovider import (
    CLUSTER_DNS_PROVIDERS,
    DNS_PROVIDERS,
    ClusterDNSProvider,
    DNSProvider,
)
from libdnsapi.api.meta import NAMESPACES, KubernetesObject, Namespace, ObjectKey, ObjectReference
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES, Route53Identity
from libdnsapi.runtime.manager import Manager
from libdnsapi.runtime.settings import pod_namespace
from libdnsapi.runtime.store import Change
from libdnsapi.runtime.workqueue import WorkQueue

T = TypeVar("T", bound=KubernetesObject)

SOURCES = "sources-objects"
HOSTS = "sources-hosts"
PIPELINES = "sources-pipelines"
WORKERS = 8


class Assembly:
    """Everything of one sources controller."""

    def __init__(self, manager: Manager, settings: SourcesSettings) -> None:
        """Make the parts; nothing runs before the manager does."""
        self._manager = manager
        self._settings = settings
        self.board = Board()
        self._tasks = Tasks()
        self._home = settings.pipeline_namespace or pod_namespace()
        self._measures = Measures(manager.metrics.registry)
        self._measures.held.set_function(lambda: float(sum(map(self._publishes, self.board.held))))
        self._source_queue = WorkQueue[SourceKey](SOURCES, manager.clock, metrics=manager.metrics)
        self._host_queue = WorkQueue[HostKey](HOSTS, manager.clock, metrics=manager.metrics)
        self._pipeline_queue = manager.queue(PIPELINES)
        self._caches()
        self._publications = PublicationMappers(
            board=self.board,
            record_sets=self._record_sets,
            tables=self._tables,
            hosts=self._host_queue,
            pipelines=self._pipeline_queue,
            recorder=manager.recorder,
        )
        self._references = References(
            manager,
            self._tasks,
            settings.target_from_poll,
            self._source_queue.add,
            lambda name: ObjectKey("", name) in self._namespaces,
        )
        self._watches: list[Watch[Any]] = []
        self.adapters: dict[str, Adapter] = {}
        self._sources = SourceMappers(
            self.board, self._watches, self.adapters, self._source_queue.add, self._publications.all_hosts_soon
        )
        self._adapt()
        self._discovery = Discovery(self._definitions, self._watches, self._references.use)
        self._waiting = Waiting(self.complete, self._host_queue.add, manager.clock)
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
        self._stores = PipelineStores(pipelines, cluster_pipelines, zones, self._namespaces, self._identities)
        self._tables = PipelineTables(self._stores, self._home)

    def add(self) -> None:
        """Add the runnables, the mappers and the controllers to the manager."""
        self._listen()
        self._manager.runnable("sources-tasks", self._tasks.run)
        self._manager.runnable("sources-discovery", self._discovery.run)
        self._manager.runnable("sources-waiting", self._waiting.run)
        self._add_controllers()

    def _listen(self) -> None:
        publications = self._publications
        self._record_sets.add_listener(lambda change: publications.record_set_changed(change, self._news))
        self._stores.pipelines.add_listener(publications.pipeline_changed)
        self._stores.cluster_pipelines.add_listener(publications.pipeline_changed)
        self._stores.zones.add_listener(publications.zone_changed)
        self._identities.add_listener(publications.identity_changed)
        self._namespaces.add_listener(self._namespace_changed)

    def _namespace_changed(self, change: Change[Namespace]) -> None:
        """Look at all that reads a namespace's labels: routes, and pipelines of the namespace."""
        old, new = change.old, change.new
        if old is None:
            self._references.namespace_appeared(change.key.name)
        if old is None or new is None or old.metadata.labels != new.metadata.labels:
            self._sources.namespace_changed(change)
            self._pipeline_queue.add(TABLE)

    def _add_controllers(self) -> None:
        manager, settings = self._manager, self._settings
        sources = SourceReconciler(
            adapters=self.adapters,
            board=self.board,
            news=self._news,
            published=self._publications.published,
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
            wait=self._waiting.put,
            publication=publication,
            news=self._news,
        )
        pipelines = PipelineReconciler(
            client=manager.client,
            stores=self._stores,
            tables=self._tables,
            record_sets=self._record_sets,
            identities=self._identities,
            changed=self._publications.pipelines_differ,
            measures=self._measures,
            clock=manager.clock,
            home=self._home,
        )
        self._pipeline_queue.add(TABLE)
        manager.controller(PIPELINES, pipelines, self._pipeline_queue)
        manager.controller(SOURCES, sources, self._source_queue)
        manager.controller(HOSTS, hosts, self._host_queue, workers=WORKERS)

    def complete(self) -> bool:
        """Whether every source is read and evaluated, and the table of pipelines made: only then is withdrawn."""
        return self._discovery.done and all_settled(self._watches) and not self.board.has_fresh

    def _adapt(self) -> None:
        """Make a watch and an adapter for each kind that the settings name."""
        settings = self._settings
        claimants = Claimants(self._references, settings.rules(), settings.objects())
        routes = [kinds.ROUTES[source] for source in settings.source if source in kinds.ROUTES]
        if routes:
            caches = self._gateway_caches()
            for kind in routes:
                self.adapters[kind.kind] = RouteAdapter(self._source_watch(kind), caches, claimants)
        if "service" in settings.source:
            self._adapt_services(claimants)
        if {"istio-gateway", "istio-virtualservice"} & set(settings.source):
            self._adapt_istio(claimants)
        if "ingress" in settings.source:
            self.adapters["Ingress"] = SimpleAdapter(self._source_watch(kinds.INGRESSES), claimants, ingress)
        if "crd" in settings.source:
            endpoints = self._source_watch(kinds.DNS_ENDPOINTS)
            self.adapters["DNSEndpoint"] = SimpleAdapter(endpoints, claimants, dns_endpoint)

    def _gateway_caches(self) -> GatewayCaches:
        """Watch what routes are attached to; ListenerSets add listeners to Gateways where the cluster serves them."""
        gateways, listener_sets = self._watch(kinds.GATEWAYS), self._watch(kinds.LISTENER_SETS)
        gateways.add_listener(self._sources.gateway_changed)
        listener_sets.add_listener(self._sources.listener_set_changed)
        for watch in (gateways, listener_sets):
            watch.on_seen(self._sources.all_routes)
        return GatewayCaches(gateways, listener_sets, self._namespaces, self._settings.gateways())

    def _adapt_services(self, claimants: Claimants) -> None:
        slices, nodes = self._watch(kinds.ENDPOINT_SLICES), self._watch(kinds.NODES)
        services = self._source_watch(kinds.SERVICES)
        slices.add_listener(self._sources.slice_changed)
        nodes.add_listener(self._sources.node_changed)
        for watch in (slices, nodes):
            watch.on_seen(lambda: self._sources.add_all("Service", services.keys()))
        self.adapters["Service"] = ServiceAdapter(services, slices, nodes, claimants)

    def _adapt_istio(self, claimants: Claimants) -> None:
        """Make what Istio's kinds need: their Gateways and the Services that these select."""
        services = self._services()
        wants_gateways = "istio-gateway" in self._settings.source
        gateways = (self._source_watch if wants_gateways else self._watch)(kinds.ISTIO_GATEWAYS)
        parts = IstioGateways(gateways, services, claimants)
        if wants_gateways:
            self.adapters["Gateway"] = IstioGatewayAdapter(parts, claimants)
        if "istio-virtualservice" in self._settings.source:
            routes = self._source_watch(kinds.VIRTUAL_SERVICES)
            self.adapters["VirtualService"] = VirtualServiceAdapter(routes, parts, claimants)
        gateways.add_listener(self._sources.istio_gateway_changed)
        services.add_listener(self._sources.istio_service_changed)
        for watch in (gateways, services):
            watch.on_seen(self._sources.all_istio)

    def _services(self) -> Watch[Service]:
        """Return the watch of Services, made where Services are no source themselves."""
        known = next((one for one in self._watches if one.kind is kinds.SERVICES), None)
        return known or self._watch(kinds.SERVICES)

    def _watch(self, kind: WatchedKind[T]) -> Watch[T]:
        watch = Watch(kind, self._manager, self._tasks)
        self._watches.append(watch)
        return watch

    def _source_watch(self, kind: WatchedKind[T]) -> Watch[T]:
        """Make the watch of a kind whose objects are evaluated themselves."""
        watch = self._watch(kind)
        watch.add_listener(lambda change: self._sources.changed(kind.kind, change))
        watch.on_seen(lambda: self._sources.seen(kind.kind, watch.keys()))
        return watch

    def _publishes(self, source: SourceKey) -> bool:
        return self._record_sets.count(BY_CONTRIBUTOR, str(source)) > 0

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
