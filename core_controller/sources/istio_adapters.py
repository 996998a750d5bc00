"""From caches to evaluations for Istio's kinds."""

from collections.abc import Container

from core_controller.sources.adapters import Claimants, metadata_of, raw_of
from core_controller.sources.annotations import Annotations
from core_controller.sources.endpoints import Evaluation, Hold, SourceKey
from core_controller.sources.istio import (
    IstioGateway,
    IstioGatewayView,
    VirtualService,
    VirtualServiceView,
    evaluate_istio_gateway,
    evaluate_virtual_service,
    selects,
)
from core_controller.sources.service import Service
from core_controller.sources.watches import Watch
from libdnsapi.api.meta import ObjectKey, PartialObject

NOT_READ = Hold("AddressesNotRead", "Gateways or Services cannot be seen; published records are kept", quiet=True)


class IstioGateways:
    """Istio Gateways with what decides about their addresses."""

    def __init__(self, gateways: Watch[IstioGateway], services: Watch[Service], claimants: Claimants) -> None:
        """Keep the caches."""
        self.gateways = gateways
        self.services = services
        self._claimants = claimants

    @property
    def seen(self) -> bool:
        """Whether all Gateways and Services are known."""
        return self.gateways.seen and self.services.seen

    def view(self, source: SourceKey, gateway: IstioGateway) -> IstioGatewayView:
        """Return a Gateway as one source object sees it; references are noted for that object."""
        annotations = Annotations(gateway.metadata.annotations)
        namespace = gateway.metadata.namespace
        declared = self._claimants.declared(source, annotations, namespace, legacy_ingress=True)
        if declared is not None:
            return IstioGatewayView(gateway, declared)
        keys = sorted(self.services.keys())
        found = (service for key in keys if (service := self.services.get(key)) is not None)
        return IstioGatewayView(gateway, None, tuple(one for one in found if selects(gateway, one)))


class IstioGatewayAdapter:
    """Istio Gateways as sources."""

    kind = "Gateway"

    def __init__(self, parts: IstioGateways, claimants: Claimants) -> None:
        """Keep the caches."""
        self._parts = parts
        self._claimants = claimants

    @property
    def watch_seen(self) -> bool:
        """Whether all Gateways and Services are known."""
        return self._parts.seen

    def find(self, key: ObjectKey) -> PartialObject | None:
        """Return a Gateway's metadata."""
        return metadata_of(self._parts.gateways, key)

    def evaluate(self, key: ObjectKey, *, lapsed: Container[Hold]) -> Evaluation | None:
        """Return what a Gateway comes to."""
        source = SourceKey(self.kind, *key)
        self._claimants.begin(source)
        gateway = self._parts.gateways.get(key)
        if gateway is None or not self._claimants.admits(gateway):
            return None
        if not self._parts.seen:
            return Evaluation(source, hold=NOT_READ)
        raw = raw_of(self._parts.gateways, key)
        claimant = self._claimants.claimant(source, gateway, raw, lapsed=lapsed, legacy_ingress=True)
        return evaluate_istio_gateway(claimant, self._parts.view(source, gateway), self._claimants.rules)


class VirtualServiceAdapter:
    """VirtualServices."""

    kind = "VirtualService"

    def __init__(self, watch: Watch[VirtualService], parts: IstioGateways, claimants: Claimants) -> None:
        """Keep the caches."""
        self._watch = watch
        self._parts = parts
        self._claimants = claimants

    @property
    def watch_seen(self) -> bool:
        """Whether all VirtualServices, Gateways and Services are known."""
        return self._watch.seen and self._parts.seen

    def find(self, key: ObjectKey) -> PartialObject | None:
        """Return a VirtualService's metadata."""
        return metadata_of(self._watch, key)

    def evaluate(self, key: ObjectKey, *, lapsed: Container[Hold]) -> Evaluation | None:
        """Return what a VirtualService comes to."""
        source = SourceKey(self.kind, *key)
        self._claimants.begin(source)
        found = self._watch.get(key)
        if found is None or not self._claimants.admits(found):
            return None
        if not self._parts.seen:
            return Evaluation(source, hold=NOT_READ)
        raw = raw_of(self._watch, key)
        claimant = self._claimants.claimant(source, found, raw, lapsed=lapsed, legacy_ingress=True)
        gateways = {one: self._parts.gateways.get(one) for one in found.gateway_keys}
        views = tuple(self._parts.view(source, one) for one in gateways.values() if one is not None)
        missing = tuple(key for key, one in gateways.items() if one is None)
        return evaluate_virtual_service(VirtualServiceView(claimant, found, views, missing), self._claimants.rules)
