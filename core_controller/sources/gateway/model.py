"""Gateway, ListenerSet and the routes as the Gateway API serves them; one route model serves all five kinds."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from libdnsapi.api.meta import JsonObject, KubernetesObject, ObjectKey, WireModel
from libdnsapi.api.selectors import LabelSelector

GATEWAY_GROUP = "gateway.networking.k8s.io"
GATEWAY, LISTENER_SET = "Gateway", "ListenerSet"
HTTP_ROUTE, GRPC_ROUTE, TLS_ROUTE, TCP_ROUTE, UDP_ROUTE = "HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"
PROTOCOLS = {
    GRPC_ROUTE: frozenset({"HTTP", "HTTPS"}),
    HTTP_ROUTE: frozenset({"HTTP", "HTTPS"}),
    TCP_ROUTE: frozenset({"TCP"}),
    TLS_ROUTE: frozenset({"TLS"}),
    UDP_ROUTE: frozenset({"UDP"}),
}
"""Which listener protocols serve which kind of route (seed 003, Matching listeners)."""
ROUTES_WITH_HOSTNAMES = frozenset({GRPC_ROUTE, HTTP_ROUTE, TLS_ROUTE})


def _or_empty(value: object) -> object:
    """Take a null list, as some controllers write, for an empty one."""
    return () if value is None else value


class ParentRef(WireModel):
    """What a route attaches to."""

    group: str = GATEWAY_GROUP
    kind: str = GATEWAY
    namespace: str = ""
    name: str = ""
    section_name: str = ""
    port: int | None = None


class ParentCondition(WireModel):
    """One condition of a route at a parent."""

    type: str = ""
    status: str = ""
    observed_generation: int = 0


class RouteParent(WireModel):
    """What one controller says about a route at one parent."""

    parent_ref: ParentRef = Field(default_factory=ParentRef)
    controller_name: str = ""
    conditions: Annotated[tuple[ParentCondition, ...], BeforeValidator(_or_empty)] = ()


class RouteSpec(WireModel):
    """What all five kinds share."""

    parent_refs: Annotated[tuple[ParentRef, ...], BeforeValidator(_or_empty)] = ()
    hostnames: Annotated[tuple[str, ...], BeforeValidator(_or_empty)] = ()


class RouteStatus(WireModel):
    """Where the route is attached."""

    parents: Annotated[tuple[RouteParent, ...], BeforeValidator(_or_empty)] = ()


class Route(KubernetesObject):
    """A route of any of the five kinds."""

    spec: RouteSpec = Field(default_factory=RouteSpec)
    status: RouteStatus = Field(default_factory=RouteStatus)


class RouteNamespaces(WireModel):
    """Which namespaces may attach; omitted: the Gateway's own."""

    from_: str = Field(default="Same", alias="from")
    selector: LabelSelector | None = None


class RouteGroupKind(WireModel):
    """A kind of route."""

    group: str = GATEWAY_GROUP
    kind: str = ""


class AllowedRoutes(WireModel):
    """Which routes may attach to a listener."""

    namespaces: RouteNamespaces = Field(default_factory=RouteNamespaces)
    kinds: Annotated[tuple[RouteGroupKind, ...], BeforeValidator(_or_empty)] = ()


class Listener(WireModel):
    """One listener."""

    name: str = ""
    hostname: str = ""
    port: int = 0
    protocol: str = ""
    allowed_routes: AllowedRoutes = Field(default_factory=AllowedRoutes)


class GatewayAddress(WireModel):
    """Where a Gateway is reached."""

    type: str = "IPAddress"
    value: str = ""


class ListenerNamespaces(RouteNamespaces):
    """Which namespaces may add listeners; omitted: none."""

    from_: str = Field(default="None", alias="from")


class AllowedListeners(WireModel):
    """Which ListenerSets may add listeners to a Gateway."""

    namespaces: ListenerNamespaces = Field(default_factory=ListenerNamespaces)


class GatewaySpec(WireModel):
    """The listeners, and who may add to them."""

    listeners: Annotated[tuple[Listener, ...], BeforeValidator(_or_empty)] = ()
    allowed_listeners: AllowedListeners = Field(default_factory=AllowedListeners)


class GatewayStatus(WireModel):
    """Where the Gateway is reached."""

    addresses: Annotated[tuple[GatewayAddress, ...], BeforeValidator(_or_empty)] = ()


class Gateway(KubernetesObject):
    """A Gateway."""

    spec: GatewaySpec = Field(default_factory=GatewaySpec)
    status: GatewayStatus = Field(default_factory=GatewayStatus)


class ListenerSetSpec(WireModel):
    """The Gateway and the listeners that are added to it."""

    parent_ref: ParentRef = Field(default_factory=ParentRef)
    listeners: Annotated[tuple[Listener, ...], BeforeValidator(_or_empty)] = ()


class ListenerSet(KubernetesObject):
    """Listeners that a namespace adds to a Gateway."""

    spec: ListenerSetSpec = Field(default_factory=ListenerSetSpec)

    @property
    def gateway_key(self) -> ObjectKey | None:
        """The key of the Gateway; None where the reference is to something else."""
        ref = self.spec.parent_ref
        if ref.group != GATEWAY_GROUP or ref.kind != GATEWAY:
            return None
        return ObjectKey(ref.namespace or self.metadata.namespace, ref.name)


def trim_route(document: JsonObject) -> None:
    """Drop a route's rules: only names and parents matter."""
    spec = document.get("spec")
    if isinstance(spec, dict):
        document["spec"] = {key: spec[key] for key in ("parentRefs", "hostnames") if key in spec}
