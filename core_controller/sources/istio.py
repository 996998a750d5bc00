"""Istio's Gateways and VirtualServices as ExternalDNS users know them (sources istio-gateway, istio-virtualservice).

The address of a Gateway is that of the Services that its selector picks; target, target-from and the legacy `ingress`
annotation win over it (seed 001, Precedence). Pure.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from pydantic import Field

from core_controller.sources.claimant import Claimant, Rules
from core_controller.sources.endpoints import Evaluation, Hold, Targets, sort_targets
from core_controller.sources.hostnames import canonical
from core_controller.sources.service import Service
from libdnsapi.api.meta import KubernetesObject, ObjectKey, WireModel

ISTIO_GROUP = "networking.istio.io"
MESH = "mesh"


class Server(WireModel):
    """One server; its hosts may be written `namespace/host`."""

    hosts: tuple[str, ...] = ()


class IstioGatewaySpec(WireModel):
    """Which pods serve which hosts."""

    selector: dict[str, str] = Field(default_factory=dict)
    servers: tuple[Server, ...] = ()


class IstioGateway(KubernetesObject):
    """A Gateway of Istio's own API."""

    spec: IstioGatewaySpec = Field(default_factory=IstioGatewaySpec)


class VirtualServiceSpec(WireModel):
    """Which hosts are routed at which Gateways."""

    hosts: tuple[str, ...] = ()
    gateways: tuple[str, ...] = ()
    export_to: tuple[str, ...] = ()


class VirtualService(KubernetesObject):
    """A VirtualService."""

    spec: VirtualServiceSpec = Field(default_factory=VirtualServiceSpec)

    @property
    def gateway_keys(self) -> tuple[ObjectKey, ...]:
        """The Gateways that it names, the mesh left out; the namespace defaults to its own."""
        refs = (ref.rpartition("/") for ref in self.spec.gateways if ref != MESH)
        return tuple(ObjectKey(namespace or self.metadata.namespace, name) for namespace, _, name in refs)


@dataclass(frozen=True, slots=True)
class IstioGatewayView:
    """A Gateway, what its annotations declare and the Services that it selects."""

    gateway: IstioGateway
    declared: Targets | Hold | None = None
    services: tuple[Service, ...] = ()

    def targets(self) -> Targets | Hold:
        """Return where the Gateway is reached."""
        if self.declared is not None:
            return self.declared
        found = Targets()
        for service in self.services:
            external, _ = sort_targets(service.spec.external_ips)
            found |= external or service.status.load_balancer.targets()
        if found:
            return found
        note = f"Istio Gateway {self.gateway.key} has no address; its published records are kept"
        return Hold("GatewayWithoutAddress", note, expires=True, quiet=True)


@dataclass(frozen=True, slots=True)
class VirtualServiceView:
    """A VirtualService, the Gateways that it names, and those of them that do not exist."""

    claimant: Claimant
    virtual_service: VirtualService
    gateways: tuple[IstioGatewayView, ...] = field(default=())
    missing: tuple[ObjectKey, ...] = ()


def evaluate_istio_gateway(claimant: Claimant, view: IstioGatewayView, rules: Rules) -> Evaluation:
    """Return the endpoints of a Gateway: its servers' hosts."""
    if (dismissed := claimant.dismissed) is not None:
        return dismissed
    hosts = (host for server in view.gateway.spec.servers for _, host in map(_split, server.hosts))
    names, findings = claimant.names((host for host in hosts if host not in ("", "*")), rules)
    findings += claimant.options()[1]
    if not names:
        return claimant.evaluation(findings=findings)
    targets = claimant.settled(view.targets())
    if isinstance(targets, Hold):
        return claimant.evaluation(hold=targets, findings=findings)
    wanted = dict.fromkeys(names, targets)
    findings += claimant.without_target(wanted, rules)
    return claimant.evaluation(claimant.publish(wanted, rules), findings=findings)


def evaluate_virtual_service(view: VirtualServiceView, rules: Rules) -> Evaluation:
    """Return the endpoints of a VirtualService: the hosts that its Gateways serve, and names from elsewhere."""
    claimant = view.claimant
    if (dismissed := claimant.dismissed) is not None:
        return dismissed
    own = tuple(host for host in view.virtual_service.spec.hosts if "." in host)
    names, findings = claimant.names(own, rules)
    findings += claimant.options()[1]
    lost = _lost(view) if names else None
    if lost is not None and not view.gateways:
        return claimant.evaluation(hold=lost, findings=findings)
    wanted: dict[str, Targets] = {}
    lacking: list[Hold] = []
    for name in names:
        wanted[name], held = _targets(view, name, is_own=name in set(map(canonical, own)))
        lacking += held
    hold = lost or next(iter(lacking), None)
    findings += claimant.without_target(wanted, rules) if hold is None else ()
    return claimant.evaluation(claimant.publish(wanted, rules), hold, findings)


def selects(gateway: IstioGateway, service: Service) -> bool:
    """Whether a Service leads to the pods of a Gateway."""
    wanted = gateway.spec.selector
    return bool(wanted) and all(service.spec.selector.get(key) == value for key, value in wanted.items())


def binds(virtual_service: VirtualService, gateway: IstioGateway, host: str) -> bool:
    """Whether a Gateway serves a host of a VirtualService: exported to it, and named by one of its servers."""
    home, theirs = virtual_service.metadata.namespace, gateway.metadata.namespace
    exported = virtual_service.spec.export_to
    if exported and not {"*", theirs, "." if home == theirs else theirs} & set(exported):
        return False
    served = (_split(text) for server in gateway.spec.servers for text in server.hosts)
    return any(_admits(namespace, home, theirs) and _covers(pattern, host) for namespace, pattern in served)


def _targets(view: VirtualServiceView, name: str, *, is_own: bool) -> tuple[Targets, list[Hold]]:
    """Return the targets of a name, and the holds of Gateways whose targets cannot be told."""
    declared = view.claimant.declared
    given = [one.targets() for one in _serving(view, name, is_own=is_own)] if declared is None else [declared]
    found = Targets()
    lacking: list[Hold] = []
    for targets in map(view.claimant.settled, given):
        if isinstance(targets, Hold):
            lacking.append(targets)
        else:
            found |= targets
    return found, lacking


def _lost(view: VirtualServiceView) -> Hold | None:
    """Return a hold for the grace time where a Gateway is gone that may have given targets."""
    if view.claimant.declared is not None:
        return None
    notes = (f"Istio Gateway {key} does not exist; published records are kept" for key in view.missing)
    holds = (Hold("GatewayNotFound", note, expires=True) for note in notes)
    return next((hold for hold in holds if not view.claimant.is_over(hold)), None)


def _serving(view: VirtualServiceView, name: str, *, is_own: bool) -> Iterable[IstioGatewayView]:
    """Return the Gateways of a name; a host of its own must be served, a name from elsewhere goes to all of them."""
    return (one for one in view.gateways if not is_own or binds(view.virtual_service, one.gateway, name))


def _split(text: str) -> tuple[str, str]:
    namespace, _, host = text.rpartition("/")
    return namespace, canonical(host)


def _admits(namespace: str, home: str, theirs: str) -> bool:
    return namespace in ("", "*", home) or (namespace == "." and home == theirs)


def _covers(pattern: str, host: str) -> bool:
    return pattern in ("*", host) or (pattern.startswith("*.") and host.endswith(pattern[1:]))
