"""From caches to evaluations: what decides about one object is gathered and handed to the pure part of its source."""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from core_controller.sources.annotations import Annotations
from core_controller.sources.claimant import Claimant, Rules, template_data
from core_controller.sources.dnsendpoint import DNSEndpointView, evaluate_dns_endpoint
from core_controller.sources.endpoints import Evaluation, Hold, SourceKey, Targets
from core_controller.sources.gateway.evaluation import RouteView, evaluate_route
from core_controller.sources.gateway.model import Gateway, ListenerSet, Route
from core_controller.sources.gateway.parents import (
    GatewayFilters,
    ListenerSets,
    Surroundings,
    parent_gateways,
    parent_listener_sets,
)
from core_controller.sources.ingress import Ingress, IngressView, evaluate_ingress
from core_controller.sources.kinds import BY_SERVICE
from core_controller.sources.references import References
from core_controller.sources.service import (
    HEADLESS,
    EndpointSlice,
    Node,
    Service,
    ServiceView,
    evaluate_service,
)
from core_controller.sources.target_from import declared_targets
from core_controller.sources.watches import Watch
from libdnsapi.api.externaldns.dnsendpoint import DNSEndpoint
from libdnsapi.api.meta import KubernetesObject, Namespace, ObjectKey, PartialObject
from libdnsapi.api.selectors import LabelSelector
from libdnsapi.runtime import rest
from libdnsapi.runtime.store import Store

T = TypeVar("T", bound=KubernetesObject)

NOT_READ = Hold("GatewaysNotRead", "Gateways cannot be seen; published records are kept", quiet=True)


class Adapter(Protocol):
    """One kind of source."""

    kind: str

    @property
    def watch_seen(self) -> bool:
        """Whether all objects of the kind are known."""
        ...

    def find(self, key: ObjectKey) -> PartialObject | None:
        """Return the metadata of an object in the cache, of one that does not fit its model, too."""
        ...

    def evaluate(self, key: ObjectKey, *, lapsed: Container[Hold]) -> Evaluation | None:
        """Return what an object comes to; None where it does not exist or is filtered out.

        `lapsed` are holds whose grace time is over.
        """
        ...


class Claimants:
    """Makes the part of a view that all kinds share."""

    def __init__(self, references: References, rules: Rules, filters: tuple[LabelSelector, LabelSelector]) -> None:
        """Keep what the settings say."""
        self.rules = rules
        self._references = references
        self._labels, self._annotations = filters

    def admits(self, source: KubernetesObject) -> bool:
        """Whether the filters let an object through; one on its way out publishes nothing more."""
        meta = source.metadata
        return not meta.deleting and self._labels.matches(meta.labels) and self._annotations.matches(meta.annotations)

    def claimant(
        self,
        key: SourceKey,
        source: KubernetesObject,
        raw: bytes | None,
        *,
        lapsed: Container[Hold],
        legacy_ingress: bool = False,
    ) -> Claimant:
        """Return the shared part; what the object refers to is looked at here."""
        annotations = Annotations(source.metadata.annotations)
        document = template_data(key.kind, source, rest.read_object(raw)) if self._templated and raw else {}
        return Claimant(
            key=key,
            annotations=annotations,
            created=source.metadata.creation_timestamp,
            declared=self.declared(key, annotations, key.namespace, legacy_ingress=legacy_ingress),
            document=document,
            lapsed=lapsed,
        )

    def declared(
        self, key: SourceKey, annotations: Annotations, namespace: str, *, legacy_ingress: bool = False
    ) -> Targets | Hold | None:
        """Return the targets that annotations give; relative references are to `namespace`."""
        return declared_targets(
            annotations,
            lambda reference: self._references.look(key, namespace, reference),
            legacy_ingress=legacy_ingress,
        )

    def begin(self, key: SourceKey) -> None:
        """Begin an evaluation: only what it looks at stays watched."""
        self._references.begin(key)

    @property
    def _templated(self) -> bool:
        return self.rules.fqdn_template is not None


@dataclass(frozen=True, slots=True)
class GatewayCaches:
    """What routes are attached to, and the namespaces that rules of attachment look at."""

    gateways: Watch[Gateway]
    listener_sets: Watch[ListenerSet]
    namespaces: Store[Namespace]
    filters: GatewayFilters

    def around(self, route: Route) -> Surroundings:
        """Return what decides about where a route is attached."""
        sets = _by_key(self.listener_sets, parent_listener_sets(route))
        behind = {key for one in sets.values() if (key := one.gateway_key) is not None}
        gateways = _by_key(self.gateways, parent_gateways(route) | behind)
        labels = {key.namespace: _labels(self.namespaces, key.namespace) for key in sets}
        own = _labels(self.namespaces, route.metadata.namespace)
        return Surroundings(gateways, own, self.filters, ListenerSets(sets, labels, self.listener_sets.seen))


class RouteAdapter:
    """One of the five kinds of routes."""

    def __init__(self, watch: Watch[Route], caches: GatewayCaches, claimants: Claimants) -> None:
        """Keep the caches."""
        self.kind = watch.kind.kind
        self._watch = watch
        self._caches = caches
        self._claimants = claimants

    @property
    def watch_seen(self) -> bool:
        """Whether routes and Gateways are known."""
        return self._watch.seen and self._caches.gateways.seen

    def find(self, key: ObjectKey) -> PartialObject | None:
        """Return a route's metadata."""
        return metadata_of(self._watch, key)

    def evaluate(self, key: ObjectKey, *, lapsed: Container[Hold]) -> Evaluation | None:
        """Return what a route comes to."""
        source = SourceKey(self.kind, *key)
        self._claimants.begin(source)
        route = self._watch.get(key)
        if route is None or not self._claimants.admits(route):
            return None
        if not self._caches.gateways.seen:
            return Evaluation(source, hold=NOT_READ)
        return evaluate_route(self._view(source, route, lapsed=lapsed), self._claimants.rules)

    def _view(self, source: SourceKey, route: Route, *, lapsed: Container[Hold]) -> RouteView:
        raw = raw_of(self._watch, route.key)
        around = self._caches.around(route)
        return RouteView(
            self._claimants.claimant(source, route, raw, lapsed=lapsed),
            route,
            around,
            self._declared(source, around.gateways),
            self._declared(source, around.sets.found),
        )

    def _declared(
        self, source: SourceKey, parents: Mapping[ObjectKey, KubernetesObject]
    ) -> dict[ObjectKey, Targets | Hold]:
        """Return the targets that annotations of what a route is attached to give."""
        found = {
            key: self._claimants.declared(source, Annotations(parent.metadata.annotations), key.namespace)
            for key, parent in parents.items()
        }
        return {key: targets for key, targets in found.items() if targets is not None}


class ServiceAdapter:
    """Services."""

    def __init__(
        self, watch: Watch[Service], slices: Watch[EndpointSlice], nodes: Watch[Node], claimants: Claimants
    ) -> None:
        """Keep the caches."""
        self.kind = watch.kind.kind
        self._watch = watch
        self._slices = slices
        self._nodes = nodes
        self._claimants = claimants

    @property
    def watch_seen(self) -> bool:
        """Whether all Services are known."""
        return self._watch.seen

    def find(self, key: ObjectKey) -> PartialObject | None:
        """Return a Service's metadata."""
        return metadata_of(self._watch, key)

    def evaluate(self, key: ObjectKey, *, lapsed: Container[Hold]) -> Evaluation | None:
        """Return what a Service comes to; one that needs what cannot be seen keeps what it has published."""
        source = SourceKey(self.kind, *key)
        self._claimants.begin(source)
        service = self._watch.get(key)
        if service is None or not self._claimants.admits(service):
            return None
        needs_nodes = service.spec.type == "NodePort"
        needs_slices = service.spec.cluster_ip == HEADLESS or needs_nodes
        if (needs_slices and not self._slices.seen) or (needs_nodes and not self._nodes.seen):
            return Evaluation(source, hold=Hold("AddressesNotRead", "addresses cannot be seen", quiet=True))
        claimant = self._claimants.claimant(source, service, raw_of(self._watch, key), lapsed=lapsed)
        slices = _found(self._slices, self._slices.by_index(BY_SERVICE, str(key)) if needs_slices else ())
        nodes = _found(self._nodes, sorted(self._nodes.keys()) if needs_nodes else ())
        return evaluate_service(ServiceView(claimant, service, slices, nodes), self._claimants.rules)


class SimpleAdapter(Generic[T]):
    """Kinds that need nothing but themselves: Ingresses and DNSEndpoints."""

    def __init__(
        self, watch: Watch[T], claimants: Claimants, evaluate: Callable[[Claimant, T, Rules], Evaluation]
    ) -> None:
        """Keep the cache and the pure part."""
        self.kind = watch.kind.kind
        self._watch = watch
        self._claimants = claimants
        self._evaluate = evaluate

    @property
    def watch_seen(self) -> bool:
        """Whether all objects are known."""
        return self._watch.seen

    def find(self, key: ObjectKey) -> PartialObject | None:
        """Return an object's metadata."""
        return metadata_of(self._watch, key)

    def evaluate(self, key: ObjectKey, *, lapsed: Container[Hold]) -> Evaluation | None:
        """Return what an object comes to."""
        source = SourceKey(self.kind, *key)
        self._claimants.begin(source)
        found = self._watch.get(key)
        if found is None or not self._claimants.admits(found):
            return None
        claimant = self._claimants.claimant(source, found, raw_of(self._watch, key), lapsed=lapsed)
        return self._evaluate(claimant, found, self._claimants.rules)


def ingress(claimant: Claimant, found: Ingress, rules: Rules) -> Evaluation:
    """Evaluate an Ingress."""
    return evaluate_ingress(IngressView(claimant, found), rules)


def dns_endpoint(claimant: Claimant, found: DNSEndpoint, rules: Rules) -> Evaluation:
    """Evaluate a DNSEndpoint."""
    return evaluate_dns_endpoint(DNSEndpointView(claimant, found), rules)


def _labels(namespaces: Store[Namespace], name: str) -> dict[str, str]:
    found = namespaces.get(ObjectKey("", name))
    return found.metadata.labels if found is not None else {}


def metadata_of(watch: Watch[T], key: ObjectKey) -> PartialObject | None:
    """Return the metadata of a watched object, of which alone events tell."""
    raw = raw_of(watch, key)
    return None if raw is None else PartialObject.model_validate_json(raw)


def raw_of(watch: Watch[T], key: ObjectKey) -> bytes | None:
    """Return the kept bytes of a watched object."""
    return watch.store.raw(key) if watch.store is not None else None


def _by_key(watch: Watch[T], keys: Iterable[ObjectKey]) -> dict[ObjectKey, T]:
    return {key: found for key in keys if (found := watch.get(key)) is not None}


def _found(watch: Watch[T], keys: Iterable[ObjectKey]) -> tuple[T, ...]:
    return tuple(one for key in keys if (one := watch.get(key)) is not None)
