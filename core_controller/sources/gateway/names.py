"""Under which names a route is published (seed 003, Domain names). Pure."""

from collections.abc import Iterable

from core_controller.sources.gateway.attachment import Attachment
from core_controller.sources.gateway.model import Listener
from core_controller.sources.hostnames import canonical, intersection


def names_by_attachment(
    route_names: tuple[str, ...], attached: Iterable[Attachment]
) -> list[tuple[Attachment, tuple[str, ...]]]:
    """Return, per Gateway, the names that its listeners serve of the route's names.

    A listener's own hostname is used only where nothing else names the route.
    """
    return [(one, _served(route_names, one.listeners)) for one in attached]


def _served(route_names: tuple[str, ...], listeners: tuple[Listener, ...]) -> tuple[str, ...]:
    served: dict[str, None] = {}
    for listener in listeners:
        for name in _narrowed(route_names, canonical(listener.hostname)):
            served[name] = None
    return tuple(served)


def _narrowed(route_names: tuple[str, ...], listener_name: str) -> list[str]:
    """Return what one listener serves; an empty hostname narrows nothing."""
    if not listener_name:
        return list(route_names)
    if not route_names:
        return [listener_name]
    return [both for name in route_names if (both := intersection(name, listener_name)) is not None]
