"""Which source objects are looked at again when something that decides about them changes."""

from collections.abc import Callable, Iterable
from typing import Any

from core_controller.sources import kinds
from core_controller.sources.adapters import Adapter
from core_controller.sources.board import Board
from core_controller.sources.endpoints import SourceKey
from core_controller.sources.gateway.model import Gateway, ListenerSet
from core_controller.sources.istio import IstioGateway, selects
from core_controller.sources.kinds import BY_GATEWAY, BY_LISTENER_SET, BY_NAMESPACE, BY_TYPE
from core_controller.sources.service import SERVICE_NAME_LABEL, EndpointSlice, Node, Service
from core_controller.sources.watches import Watch
from libdnsapi.api.meta import Namespace, ObjectKey
from libdnsapi.runtime.store import Change


class SourceMappers:
    """The mappers to the queue of source objects. `watches` and `adapters` are filled after it is made."""

    def __init__(
        self,
        board: Board,
        watches: list[Watch[Any]],
        adapters: dict[str, Adapter],
        add: Callable[[SourceKey], None],
        all_hosts: Callable[[], None],
    ) -> None:
        """Keep the parts; `add` has an object evaluated, `all_hosts` has every name planned."""
        self._board = board
        self._watches = watches
        self._adapters = adapters
        self._add = add
        self._all_hosts = all_hosts

    def changed(self, kind: str, change: Change[Any]) -> None:
        """Look at the object itself."""
        key = SourceKey(kind, *change.key)
        if change.new is not None:
            self._board.expect(key)
        self._add(key)

    def seen(self, kind: str, keys: Iterable[ObjectKey]) -> None:
        """Look at the objects of a kind of which no change was told, and at all published names.

        They vanished unseen, or do not fit their model; one of these is waited for, too, and holds its records.
        """
        there = {SourceKey(kind, *key) for key in keys}
        known = set(self._board.sources(kind))
        for source in sorted(there - known, key=str):
            self._board.expect(source)
        for source in sorted(there ^ known, key=str):
            self._add(source)
        self._all_hosts()

    def add_all(self, kind: str, keys: Iterable[ObjectKey]) -> None:
        """Look at these objects of a kind."""
        for key in keys:
            self._add(SourceKey(kind, *key))

    def all_routes(self) -> None:
        """Look at every route."""
        for watch in self._of(*kinds.ROUTES.values()):
            self.add_all(watch.kind.kind, watch.keys())

    def gateway_changed(self, change: Change[Gateway]) -> None:
        """Look at the routes that name a Gateway, themselves or through a ListenerSet."""
        self._routes(BY_GATEWAY, str(change.key))
        self._routes_of_sets(BY_GATEWAY, str(change.key))

    def listener_set_changed(self, change: Change[ListenerSet]) -> None:
        """Look at the routes that name a ListenerSet."""
        self._routes(BY_LISTENER_SET, str(change.key))

    def namespace_changed(self, change: Change[Namespace]) -> None:
        """Look at the routes of a namespace and of its ListenerSets: selectors of Gateways read its labels."""
        self._routes(BY_NAMESPACE, change.key.name)
        self._routes_of_sets(BY_NAMESPACE, change.key.name)

    def slice_changed(self, change: Change[EndpointSlice]) -> None:
        """Look at the Service that a slice belongs or belonged to."""
        for one in (change.old, change.new):
            name = one.metadata.labels.get(SERVICE_NAME_LABEL) if one is not None else None
            if name:
                self._add(SourceKey("Service", change.key.namespace, name))

    def node_changed(self, change: Change[Node]) -> None:
        """Look at the Services that are reached at nodes, where addresses changed or a node is taken out of service."""
        old, new = change.old, change.new
        if old is not None and new is not None and (old.status, old.spec) == (new.status, new.spec):
            return
        for watch in self._of(kinds.SERVICES):
            self.add_all("Service", watch.by_index(BY_TYPE, "NodePort"))

    def istio_gateway_changed(self, change: Change[IstioGateway]) -> None:
        """Look at the VirtualServices that name an Istio Gateway."""
        self._virtual_services(change.key)

    def istio_service_changed(self, change: Change[Service]) -> None:
        """Look at the Istio Gateways that a Service leads or led to."""
        for watch in self._of(kinds.ISTIO_GATEWAYS):
            keys = watch.keys()
            for key in keys:
                gateway = watch.get(key)
                if gateway is None or not any(one and selects(gateway, one) for one in (change.old, change.new)):
                    continue
                if watch.kind.kind in self._adapters:
                    self._add(SourceKey(watch.kind.kind, *key))
                self._virtual_services(key)

    def all_istio(self) -> None:
        """Look at every object of Istio's kinds."""
        for watch in self._of(kinds.ISTIO_GATEWAYS, kinds.VIRTUAL_SERVICES):
            if watch.kind.kind in self._adapters:
                self.add_all(watch.kind.kind, watch.keys())

    def _routes(self, index: str, value: str) -> None:
        for watch in self._of(*kinds.ROUTES.values()):
            self.add_all(watch.kind.kind, watch.by_index(index, value))

    def _routes_of_sets(self, index: str, value: str) -> None:
        for watch in self._of(kinds.LISTENER_SETS):
            for key in watch.by_index(index, value):
                self._routes(BY_LISTENER_SET, str(key))

    def _virtual_services(self, gateway: ObjectKey) -> None:
        for watch in self._of(kinds.VIRTUAL_SERVICES):
            self.add_all(watch.kind.kind, watch.by_index(BY_GATEWAY, str(gateway)))

    def _of(self, *wanted: kinds.WatchedKind[Any]) -> list[Watch[Any]]:
        return [watch for watch in self._watches if watch.kind in wanted]
