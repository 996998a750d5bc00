"""What a parent reference leads to: a Gateway's own listeners, or those that a ListenerSet adds to one. Pure.

A ListenerSet counts only where the Gateway's `allowedListeners` admits its namespace; by default none is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core_controller.sources.gateway.model import (
    GATEWAY,
    GATEWAY_GROUP,
    LISTENER_SET,
    Gateway,
    Listener,
    ListenerSet,
    ParentRef,
    Route,
    RouteNamespaces,
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

    def admit(self, key: ObjectKey, gateway: Gateway | None) -> bool:
        """Whether a Gateway counts; one that is not there has no labels to compare."""
        if self.namespace not in ("", key.namespace) or self.name not in ("", key.name):
            return False
        return gateway is None or self.labels.matches(gateway.metadata.labels)


@dataclass(frozen=True, slots=True)
class ListenerSets:
    """The ListenerSets that a route names, and the labels of their namespaces; `seen` says that these are all."""

    found: Mapping[ObjectKey, ListenerSet] = field(default_factory=dict)
    namespace_labels: Mapping[str, Labels] = field(default_factory=dict)
    seen: bool = True


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The Gateways that a route names, itself or through ListenerSets, and the labels of its namespace."""

    gateways: Mapping[ObjectKey, Gateway]
    namespace_labels: Labels = field(default_factory=dict)
    filters: GatewayFilters = field(default_factory=GatewayFilters)
    sets: ListenerSets = field(default_factory=ListenerSets)


@dataclass(frozen=True, slots=True)
class Parent:
    """A Gateway and the listeners that a reference may mean; `namespace` is of the object that has the listeners.

    `listener_set` is that object where it is not the Gateway itself.
    """

    gateway: Gateway
    listeners: tuple[Listener, ...]
    namespace: str
    listener_set: ObjectKey | None = None


def is_gateway(ref: ParentRef) -> bool:
    """Whether a reference is to a Gateway."""
    return ref.group == GATEWAY_GROUP and ref.kind == GATEWAY


def is_listener_set(ref: ParentRef) -> bool:
    """Whether a reference is to a ListenerSet."""
    return ref.group == GATEWAY_GROUP and ref.kind == LISTENER_SET


def parent_key(ref: ParentRef, route: Route) -> ObjectKey:
    """Return the key of the object that a parent reference names."""
    return ObjectKey(ref.namespace or route.metadata.namespace, ref.name)


def parent_gateways(route: Route) -> frozenset[ObjectKey]:
    """Return the keys of all Gateways that a route names, in spec or in status."""
    return frozenset(parent_key(ref, route) for ref in _references(route) if is_gateway(ref))


def parent_listener_sets(route: Route) -> frozenset[ObjectKey]:
    """Return the keys of all ListenerSets that a route names, in spec or in status."""
    return frozenset(parent_key(ref, route) for ref in _references(route) if is_listener_set(ref))


def is_selected(ref: ParentRef, route: Route, around: Surroundings) -> bool:
    """Whether a reference leads to a Gateway that the filters let through, as far as that is known."""
    if not is_gateway(ref) and not is_listener_set(ref):
        return False
    key = _gateway_key(ref, route, around)
    return key is None or around.filters.admit(key, around.gateways.get(key))


def find_parent(ref: ParentRef, route: Route, around: Surroundings) -> Parent | None:
    """Return what a reference leads to; None where its ListenerSet or its Gateway does not exist."""
    key = _gateway_key(ref, route, around)
    gateway = around.gateways.get(key) if key is not None else None
    if gateway is None:
        return None
    if is_gateway(ref):
        return Parent(gateway, gateway.spec.listeners, gateway.metadata.namespace)
    found = around.sets.found[parent_key(ref, route)]
    namespace = found.metadata.namespace
    labels = around.sets.namespace_labels.get(namespace, {})
    allowed = admits(gateway.spec.allowed_listeners.namespaces, gateway.metadata.namespace, namespace, labels)
    return Parent(gateway, found.spec.listeners if allowed else (), namespace, found.key)


def admits(rule: RouteNamespaces, own: str, other: str, labels: Labels) -> bool:
    """Whether a rule of an object in namespace `own` admits namespace `other` with these labels."""
    match rule.from_:
        case "All":
            return True
        case "Same":
            return other == own
        case "Selector":
            return rule.selector is not None and rule.selector.matches(labels)
        case _:
            return False


def _gateway_key(ref: ParentRef, route: Route, around: Surroundings) -> ObjectKey | None:
    if is_gateway(ref):
        return parent_key(ref, route)
    found = around.sets.found.get(parent_key(ref, route))
    return found.gateway_key if found is not None else None


def _references(route: Route) -> tuple[ParentRef, ...]:
    return (*route.spec.parent_refs, *(parent.parent_ref for parent in route.status.parents))
