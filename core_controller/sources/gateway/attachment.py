"""Which listeners of which Gateways a route is attached to (seed 003, Matching Gateways and Matching listeners). Pure.

- A parent counts only if it is still in `spec.parentRefs`, all of its fields compared (case 47).
- An Accepted condition older than the route's generation holds what is published (case 48).
- A route that no Gateway accepts, not yet or not any more, keeps what it has published for the grace time (case 49).
"""

from dataclasses import dataclass

from core_controller.sources.endpoints import Hold
from core_controller.sources.gateway.model import (
    GATEWAY_GROUP,
    PROTOCOLS,
    Gateway,
    Listener,
    ParentRef,
    Route,
    RouteParent,
)
from core_controller.sources.gateway.parents import (
    Parent,
    Surroundings,
    admits,
    find_parent,
    is_listener_set,
    is_selected,
    parent_key,
)


@dataclass(frozen=True, slots=True)
class Attachment:
    """One Gateway and the listeners through which it serves the route."""

    gateway: Gateway
    listeners: tuple[Listener, ...]


def attachments(route: Route, kind: str, around: Surroundings) -> tuple[Attachment, ...] | Hold:
    """Return where the route is attached, or why what it publishes is to be kept for now."""
    relevant = [parent for parent in _current_parents(route) if is_selected(parent.parent_ref, route, around)]
    accepted = [parent.parent_ref for parent in relevant if _is_accepted(parent)]
    if (hold := _unclear(route, relevant, accepted, around)) is not None:
        return hold
    parents = [(ref, find_parent(ref, route, around)) for ref in accepted]
    missing = [ref for ref, parent in parents if parent is None]
    found = tuple(_attach(ref, parent, route, kind, around) for ref, parent in parents if parent is not None)
    if missing and not found:
        return Hold("GatewayNotFound", f"{missing[0].kind} {missing[0].name} does not exist", expires=True)
    if not accepted and _names_gateway(route, around):
        return Hold(
            "RouteNotAccepted",
            "no Gateway accepts the route; published records are kept for the grace time",
            expires=True,
            quiet=True,
        )
    return tuple(attachment for attachment in found if attachment.listeners)


def _unclear(route: Route, relevant: list[RouteParent], accepted: list[ParentRef], around: Surroundings) -> Hold | None:
    """Return a hold where what is known is about an older route, or not all there is."""
    stale = [parent for parent in relevant if _is_stale(parent, route.metadata.generation)]
    if stale:
        return Hold(
            "RouteStatusOutdated",
            f"{stale[0].parent_ref.kind} {stale[0].parent_ref.name} has not judged generation"
            f" {route.metadata.generation} of the route; published records are kept",
            quiet=True,
        )
    if not around.sets.seen and any(is_listener_set(ref) for ref in accepted):
        return Hold("ListenerSetsNotRead", "ListenerSets cannot be seen; published records are kept", quiet=True)
    return None


def _current_parents(route: Route) -> list[RouteParent]:
    """Return the status entries whose reference still stands in spec."""
    wanted = {_identity(ref, route) for ref in route.spec.parent_refs}
    return [parent for parent in route.status.parents if _identity(parent.parent_ref, route) in wanted]


def _identity(ref: ParentRef, route: Route) -> tuple[object, ...]:
    return (ref.group, ref.kind, parent_key(ref, route), ref.section_name, ref.port)


def _accepted_generations(parent: RouteParent) -> list[tuple[str, int]]:
    return [(c.status, c.observed_generation) for c in parent.conditions if c.type == "Accepted"]


def _is_accepted(parent: RouteParent) -> bool:
    return any(status == "True" for status, _ in _accepted_generations(parent))


def _is_stale(parent: RouteParent, generation: int) -> bool:
    """Whether the judgement is about an older route; one without a generation is taken as current."""
    return any(0 < observed < generation for _, observed in _accepted_generations(parent))


def _names_gateway(route: Route, around: Surroundings) -> bool:
    """Whether the route names a Gateway of ours, whatever status says of it."""
    return any(is_selected(ref, route, around) for ref in route.spec.parent_refs)


def _attach(ref: ParentRef, parent: Parent, route: Route, kind: str, around: Surroundings) -> Attachment:
    listeners = tuple(
        listener
        for listener in parent.listeners
        if ref.section_name in ("", listener.name)
        and ref.port in (None, listener.port)
        and listener.protocol in PROTOCOLS[kind]
        and _allows(listener, parent, route, kind, around)
    )
    return Attachment(parent.gateway, listeners)


def _allows(listener: Listener, parent: Parent, route: Route, kind: str, around: Surroundings) -> bool:
    """Whether `allowedRoutes` admits the route's kind and namespace."""
    kinds = listener.allowed_routes.kinds
    if kinds and not any(allowed.kind == kind and allowed.group == GATEWAY_GROUP for allowed in kinds):
        return False
    rule = listener.allowed_routes.namespaces
    return admits(rule, parent.namespace, route.metadata.namespace, around.namespace_labels)
