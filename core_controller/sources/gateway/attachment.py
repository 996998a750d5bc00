"""Which listeners of which Gateways a route is attached to (seed 003, Matching Gateways and Matching listeners). Pure.

- A parent counts only if it is still in `spec.parentRefs`, all of its fields compared (case 47).
- An Accepted condition older than the route's generation holds what is published (case 48).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core_controller.sources.endpoints import Hold
from core_controller.sources.gateway.model import (
    GATEWAY,
    GATEWAY_GROUP,
    PROTOCOLS,
    Gateway,
    Listener,
    ParentRef,
    Route,
    RouteParent,
)
from libdnsapi.api.meta import ObjectKey
from libdnsapi.api.selectors import LabelSelector

Labels = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class GatewayFilters:
    """Which Gateways count: --gateway-name, --gateway-namespace, --gateway-label-filter."""

    name: str = ""
    namespace: str = ""
    labels: LabelSelector = field(default_factory=LabelSelector)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The Gateways that a route names and the labels of its namespace."""

    gateways: Mapping[ObjectKey, Gateway]
    namespace_labels: Labels = field(default_factory=dict)
    filters: GatewayFilters = field(default_factory=GatewayFilters)


@dataclass(frozen=True, slots=True)
class Attachment:
    """One Gateway and the listeners through which it serves the route."""

    gateway: Gateway
    listeners: tuple[Listener, ...]


def attachments(route: Route, kind: str, around: Surroundings) -> tuple[Attachment, ...] | Hold:
    """Return where the route is attached, or why what it publishes is to be kept for now."""
    relevant = [parent for parent in _current_parents(route) if _is_selected(parent.parent_ref, route, around)]
    stale = [parent for parent in relevant if _is_stale(parent, route.metadata.generation)]
    if stale:
        return Hold(
            "RouteStatusOutdated",
            f"Gateway {stale[0].parent_ref.name} has not judged generation {route.metadata.generation} of the route;"
            " published records are kept",
            quiet=True,
        )
    accepted = [parent.parent_ref for parent in relevant if _is_accepted(parent)]
    missing = [ref.name for ref in accepted if gateway_key(ref, route) not in around.gateways]
    found = tuple(_attach(ref, route, kind, around) for ref in accepted if gateway_key(ref, route) in around.gateways)
    if missing and not found:
        return Hold("GatewayNotFound", f"Gateway {missing[0]} does not exist", expires=True)
    if not relevant and _unjudged(route, around):
        return Hold("RouteNotAccepted", "no Gateway has judged the route yet", expires=True, quiet=True)
    return tuple(attachment for attachment in found if attachment.listeners)


def gateway_key(ref: ParentRef, route: Route) -> ObjectKey:
    """Return the key of the Gateway that a parent reference names."""
    return ObjectKey(ref.namespace or route.metadata.namespace, ref.name)


def parent_gateways(route: Route) -> frozenset[ObjectKey]:
    """Return the keys of all Gateways that a route names, in spec or in status."""
    refs = (*route.spec.parent_refs, *(parent.parent_ref for parent in route.status.parents))
    return frozenset(gateway_key(ref, route) for ref in refs if _is_gateway(ref))


def _current_parents(route: Route) -> list[RouteParent]:
    """Return the status entries whose reference still stands in spec."""
    wanted = {_identity(ref, route) for ref in route.spec.parent_refs}
    return [parent for parent in route.status.parents if _identity(parent.parent_ref, route) in wanted]


def _identity(ref: ParentRef, route: Route) -> tuple[object, ...]:
    return (ref.group, ref.kind, gateway_key(ref, route), ref.section_name, ref.port)


def _is_gateway(ref: ParentRef) -> bool:
    return ref.group == GATEWAY_GROUP and ref.kind == GATEWAY


def _is_selected(ref: ParentRef, route: Route, around: Surroundings) -> bool:
    """Whether a reference is to a Gateway that the filters let through; one that is not there has no labels."""
    key = gateway_key(ref, route)
    filters, gateway = around.filters, around.gateways.get(key)
    if not _is_gateway(ref) or filters.namespace not in ("", key.namespace) or filters.name not in ("", key.name):
        return False
    return gateway is None or filters.labels.matches(gateway.metadata.labels)


def _accepted_generations(parent: RouteParent) -> list[tuple[str, int]]:
    return [(c.status, c.observed_generation) for c in parent.conditions if c.type == "Accepted"]


def _is_accepted(parent: RouteParent) -> bool:
    return any(status == "True" for status, _ in _accepted_generations(parent))


def _is_stale(parent: RouteParent, generation: int) -> bool:
    """Whether the judgement is about an older route; one without a generation is taken as current."""
    return any(0 < observed < generation for _, observed in _accepted_generations(parent))


def _unjudged(route: Route, around: Surroundings) -> bool:
    """Whether the route names a Gateway of ours of which status does not speak yet."""
    return any(_is_selected(ref, route, around) for ref in route.spec.parent_refs)


def _attach(ref: ParentRef, route: Route, kind: str, around: Surroundings) -> Attachment:
    gateway = around.gateways[gateway_key(ref, route)]
    listeners = tuple(
        listener
        for listener in gateway.spec.listeners
        if ref.section_name in ("", listener.name)
        and ref.port in (None, listener.port)
        and listener.protocol in PROTOCOLS[kind]
        and _allows(listener, gateway, route, kind, around.namespace_labels)
    )
    return Attachment(gateway, listeners)


def _allows(listener: Listener, gateway: Gateway, route: Route, kind: str, namespace_labels: Labels) -> bool:
    """Whether `allowedRoutes` admits the route's kind and namespace."""
    kinds = listener.allowed_routes.kinds
    if kinds and not any(allowed.kind == kind and allowed.group == GATEWAY_GROUP for allowed in kinds):
        return False
    namespaces = listener.allowed_routes.namespaces
    match namespaces.from_:
        case "All":
            return True
        case "Same":
            return route.metadata.namespace == gateway.metadata.namespace
        case "Selector":
            return namespaces.selector is not None and namespaces.selector.matches(namespace_labels)
        case _:
            return False
