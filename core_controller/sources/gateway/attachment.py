"""Which listeners of which Gateways a route is attached to (seed 003, Matching Gateways and Matching listeners). Pure.

- A parent counts only if it is still in `spec.parentRefs`, all of its fields compared (case 47).
- An Accepted condition older than the route's generation holds what is published (case 48); what other Gateways, which
  have judged this generation, give to it is published meanwhile.
- A route that a Gateway does not accept, not yet or not any more, keeps what it has published for the grace time
  (case 49); what other Gateways add to it is published meanwhile.
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
from libdnsapi.api.meta import ObjectKey


@dataclass(frozen=True, slots=True)
class Attachment:
    """One Gateway and the listeners through which it serves the route, and the ListenerSet that they are of."""

    gateway: Gateway
    listeners: tuple[Listener, ...]
    listener_set: ObjectKey | None = None


@dataclass(frozen=True, slots=True)
class Attached:
    """Where a route is attached. `holds` keep what it has published elsewhere, or all of it, each for a while."""

    attachments: tuple[Attachment, ...] = ()
    holds: tuple[Hold, ...] = ()


def attached(route: Route, kind: str, around: Surroundings) -> Attached:
    """Return where the route is attached, and why what it publishes is to be kept for now."""
    relevant = _judgements(route, around)
    stale = [parent.parent_ref for parent in relevant if _is_outdated(parent, route, around)]
    current = [parent for parent in relevant if not _is_outdated(parent, route, around)]
    accepted = [parent.parent_ref for parent in current if _is_accepted(parent)]
    if not around.sets.seen and any(is_listener_set(ref) for ref in accepted):
        note = "ListenerSets cannot be seen; published records are kept"
        return Attached(holds=(Hold("ListenerSetsNotRead", note, quiet=True),))
    parents = [(ref, find_parent(ref, route, around)) for ref in accepted]
    found = tuple(_attach(ref, parent, route, kind, around) for ref, parent in parents if parent is not None)
    holds = (
        *(_outdated(ref, route) for ref in stale),
        *(one for ref, parent in parents for one in _missing(ref, parent, route)),
        *_refused(route, [*accepted, *stale], around),
    )
    return Attached(tuple(attachment for attachment in found if attachment.listeners), holds)


def _missing(ref: ParentRef, parent: Parent | None, route: Route) -> tuple[Hold, ...]:
    """Return a hold for the grace time where a parent is gone, or has no more the listener that the route names."""
    if parent is None:
        return (Hold("GatewayNotFound", f"{ref.kind} {parent_key(ref, route)} does not exist", expires=True),)
    has_any = bool(parent.listeners) or parent.listener_set is None
    if has_any and not any(_names(ref, listener) for listener in parent.listeners):
        return (Hold("GatewayNotFound", f"there is no listener {_shown(ref, route)}", expires=True),)
    return ()


def _refused(route: Route, others: list[ParentRef], around: Surroundings) -> tuple[Hold, ...]:
    """Return a hold for the grace time for each parent of the route that is none of these: it does not accept it."""
    known = {_identity(ref, route) for ref in others}
    refs = [ref for ref in route.spec.parent_refs if is_selected(ref, route, around)]
    return tuple(
        Hold(
            "RouteNotAccepted",
            f"{_shown(ref, route)} does not accept the route; published records are kept for the grace time",
            expires=True,
            quiet=True,
        )
        for ref in refs
        if _identity(ref, route) not in known
    )


def _shown(ref: ParentRef, route: Route) -> str:
    """Name a parent with the listeners that are meant."""
    where = "".join(f" {part}" for part in (ref.section_name, ref.port) if part)
    return f"{ref.kind} {parent_key(ref, route)}{where}"


def _outdated(ref: ParentRef, route: Route) -> Hold:
    """Return the hold of a parent that has not judged the route as it is."""
    return Hold(
        "RouteStatusOutdated",
        f"{_shown(ref, route)} has not judged generation {route.metadata.generation} of the route; published records"
        " are kept until it does",
        patient=True,
    )


def _is_outdated(parent: RouteParent, route: Route, around: Surroundings) -> bool:
    """Whether a judgement is about an older route, and a new one is to come."""
    return _is_stale(parent, route.metadata.generation) and not _is_gone(parent.parent_ref, route, around)


def _is_gone(ref: ParentRef, route: Route, around: Surroundings) -> bool:
    """Whether a parent is known not to exist, so that nobody will judge the route for it any more."""
    return (around.sets.seen or not is_listener_set(ref)) and find_parent(ref, route, around) is None


def _judgements(route: Route, around: Surroundings) -> list[RouteParent]:
    """Return what counts of status: of the parents in spec that the filters let through.

    An old judgement is left out where another controller has judged the route anew at the same parent: a Gateway that
    was handed over keeps the entry of a controller that no longer speaks for it.
    """
    found = [parent for parent in _current_parents(route) if is_selected(parent.parent_ref, route, around)]
    generation = route.metadata.generation
    fresh = {_identity(one.parent_ref, route) for one in found if _is_judged(one) and not _is_stale(one, generation)}
    return [one for one in found if not _is_stale(one, generation) or _identity(one.parent_ref, route) not in fresh]


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


def _is_judged(parent: RouteParent) -> bool:
    return bool(_accepted_generations(parent))


def _is_stale(parent: RouteParent, generation: int) -> bool:
    """Whether the judgement is about an older route; one without a generation is taken as current."""
    return any(0 < observed < generation for _, observed in _accepted_generations(parent))


def _attach(ref: ParentRef, parent: Parent, route: Route, kind: str, around: Surroundings) -> Attachment:
    listeners = tuple(
        listener
        for listener in parent.listeners
        if _names(ref, listener)
        and listener.protocol in PROTOCOLS[kind]
        and _allows(listener, parent, route, kind, around)
    )
    return Attachment(parent.gateway, listeners, parent.listener_set)


def _names(ref: ParentRef, listener: Listener) -> bool:
    """Whether a reference is to a listener: by its name, its port, or to all of them."""
    return ref.section_name in ("", listener.name) and ref.port in (None, listener.port)


def _allows(listener: Listener, parent: Parent, route: Route, kind: str, around: Surroundings) -> bool:
    """Whether `allowedRoutes` admits the route's kind and namespace."""
    kinds = listener.allowed_routes.kinds
    if kinds and not any(allowed.kind == kind and allowed.group == GATEWAY_GROUP for allowed in kinds):
        return False
    rule = listener.allowed_routes.namespaces
    return admits(rule, parent.namespace, route.metadata.namespace, around.namespace_labels)
