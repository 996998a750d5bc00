"""The kinds that sources read: model, indexes and what of an object is kept in memory."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import JsonValue

from core_controller.sources.gateway.model import (
    GATEWAY,
    GATEWAY_GROUP,
    GRPC_ROUTE,
    HTTP_ROUTE,
    LISTENER_SET,
    TCP_ROUTE,
    TLS_ROUTE,
    UDP_ROUTE,
    Gateway,
    ListenerSet,
    Route,
    trim_route,
)
from core_controller.sources.gateway.parents import parent_gateways, parent_listener_sets
from core_controller.sources.ingress import Ingress, trim_ingress
from core_controller.sources.istio import ISTIO_GROUP, IstioGateway, VirtualService
from core_controller.sources.service import NODE_READY, SERVICE_NAME_LABEL, EndpointSlice, Node, Service
from libdnsapi.api.externaldns.dnsendpoint import DNSEndpoint
from libdnsapi.api.externaldns.names import EXTERNALDNS_GROUP
from libdnsapi.api.meta import JsonObject, KubernetesObject
from libdnsapi.runtime.shelf import Indexers, Trim

T = TypeVar("T", bound=KubernetesObject)

BY_GATEWAY = "gateway"
BY_LISTENER_SET = "listener-set"
BY_NAMESPACE = "namespace"
BY_SERVICE = "service"
BY_TYPE = "type"


@dataclass(frozen=True)
class WatchedKind(Generic[T]):
    """One kind to be watched while it is served; the version comes from what is installed."""

    kind: str
    group: str
    plural: str
    model: type[T]
    indexers: Indexers[T]
    trim: Trim | None = None


def _namespace(source: KubernetesObject) -> Iterable[str]:
    return (source.metadata.namespace,)


def _set_gateway(added: ListenerSet) -> Iterable[str]:
    return (str(added.gateway_key),) if added.gateway_key is not None else ()


def _slice_service(piece: EndpointSlice) -> Iterable[str]:
    name = piece.metadata.labels.get(SERVICE_NAME_LABEL)
    return (f"{piece.metadata.namespace}/{name}",) if name else ()


def _route(kind: str) -> WatchedKind[Route]:
    indexers: Indexers[Route] = {
        BY_GATEWAY: lambda route: (str(key) for key in parent_gateways(route)),
        BY_LISTENER_SET: lambda route: (str(key) for key in parent_listener_sets(route)),
        BY_NAMESPACE: _namespace,
    }
    return WatchedKind(kind, GATEWAY_GROUP, f"{kind.lower()}s", Route, indexers, trim_route)


def _trim_service(document: JsonObject) -> None:
    spec = document.get("spec")
    if isinstance(spec, dict):
        spec.pop("ports", None)


def _trim_virtual_service(document: JsonObject) -> None:
    spec = document.get("spec")
    if isinstance(spec, dict):
        document["spec"] = {key: spec[key] for key in ("hosts", "gateways", "exportTo") if key in spec}


def _trim_node(document: JsonObject) -> None:
    status = document.get("status")
    addresses = status.get("addresses") if isinstance(status, dict) else None
    conditions = status.get("conditions") if isinstance(status, dict) else None
    document["status"] = {"addresses": addresses or [], "conditions": _readiness(conditions)}
    spec = document.get("spec")
    document["spec"] = {"unschedulable": isinstance(spec, dict) and spec.get("unschedulable") is True}


def _readiness(conditions: JsonValue) -> list[JsonValue]:
    """Return what is said of a node's readiness, without the heartbeats, which change all the time."""
    listed = conditions if isinstance(conditions, list) else []
    found = (one for one in listed if isinstance(one, dict) and one.get("type") == NODE_READY)
    return [{"type": NODE_READY, "status": one.get("status") or ""} for one in found]


GATEWAYS = WatchedKind(GATEWAY, GATEWAY_GROUP, "gateways", Gateway, {})
LISTENER_SETS = WatchedKind(
    LISTENER_SET, GATEWAY_GROUP, "listenersets", ListenerSet, {BY_GATEWAY: _set_gateway, BY_NAMESPACE: _namespace}
)
SERVICES = WatchedKind(
    "Service", "", "services", Service, {BY_NAMESPACE: _namespace, BY_TYPE: lambda one: (one.spec.type,)}, _trim_service
)
INGRESSES = WatchedKind("Ingress", "networking.k8s.io", "ingresses", Ingress, {BY_NAMESPACE: _namespace}, trim_ingress)
DNS_ENDPOINTS = WatchedKind("DNSEndpoint", EXTERNALDNS_GROUP, "dnsendpoints", DNSEndpoint, {BY_NAMESPACE: _namespace})
ENDPOINT_SLICES = WatchedKind(
    "EndpointSlice", "discovery.k8s.io", "endpointslices", EndpointSlice, {BY_SERVICE: _slice_service}
)
NODES = WatchedKind("Node", "", "nodes", Node, {}, _trim_node)
ISTIO_GATEWAYS = WatchedKind("Gateway", ISTIO_GROUP, "gateways", IstioGateway, {BY_NAMESPACE: _namespace})
VIRTUAL_SERVICES = WatchedKind(
    "VirtualService",
    ISTIO_GROUP,
    "virtualservices",
    VirtualService,
    {BY_NAMESPACE: _namespace, BY_GATEWAY: lambda one: (str(key) for key in one.gateway_keys)},
    _trim_virtual_service,
)
ROUTES = {
    "gateway-httproute": _route(HTTP_ROUTE),
    "gateway-grpcroute": _route(GRPC_ROUTE),
    "gateway-tlsroute": _route(TLS_ROUTE),
    "gateway-tcproute": _route(TCP_ROUTE),
    "gateway-udproute": _route(UDP_ROUTE),
}
