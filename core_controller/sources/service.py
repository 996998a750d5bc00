"""Services: load balancers, external IPs, headless ones, node ports and external names. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import Field

from core_controller.sources.annotations import Finding
from core_controller.sources.claimant import Claimant, Rules
from core_controller.sources.endpoints import Evaluation, Hold, Targets, legal_hostnames, sort_targets
from libdnsapi.api.meta import KubernetesObject, WireModel

SERVICE_NAME_LABEL = "kubernetes.io/service-name"
HEADLESS = "None"
NODE_READY = "Ready"


class LoadBalancerIngress(WireModel):
    """One address of a load balancer."""

    ip: str = ""
    hostname: str = ""


class LoadBalancerStatus(WireModel):
    """Where a load balancer is reached."""

    ingress: tuple[LoadBalancerIngress, ...] = ()

    def targets(self) -> Targets:
        """Return the addresses and host names."""
        return sort_targets(filter(None, (value for one in self.ingress for value in (one.ip, one.hostname))))[0]


class ServiceSpec(WireModel):
    """How a Service is reached."""

    type: str = "ClusterIP"
    cluster_ip: str = Field(default="", alias="clusterIP")
    cluster_ips: tuple[str, ...] = Field(default=(), alias="clusterIPs")
    external_ips: tuple[str, ...] = Field(default=(), alias="externalIPs")
    external_name: str = ""
    external_traffic_policy: str = ""
    publish_not_ready_addresses: bool = False
    selector: dict[str, str] = Field(default_factory=dict)


class ServiceStatus(WireModel):
    """Where it is reached."""

    load_balancer: LoadBalancerStatus = Field(default_factory=LoadBalancerStatus)


class Service(KubernetesObject):
    """A Service."""

    spec: ServiceSpec = Field(default_factory=ServiceSpec)
    status: ServiceStatus = Field(default_factory=ServiceStatus)


class EndpointConditions(WireModel):
    """Whether an address serves; an unknown state counts as ready, as Kubernetes says."""

    ready: bool | None = None


class SliceEndpoint(WireModel):
    """Addresses of one pod."""

    addresses: tuple[str, ...] = ()
    hostname: str | None = None
    node_name: str | None = None
    conditions: EndpointConditions = Field(default_factory=EndpointConditions)

    @property
    def is_ready(self) -> bool:
        """Whether the addresses may be used."""
        return self.conditions.ready is not False


class EndpointSlice(KubernetesObject):
    """Part of the addresses behind a Service."""

    address_type: str = ""
    endpoints: tuple[SliceEndpoint, ...] | None = None

    @property
    def members(self) -> tuple[SliceEndpoint, ...]:
        """The endpoints, none where the list is null."""
        return self.endpoints or ()


class NodeAddress(WireModel):
    """One address of a node."""

    type: str = ""
    address: str = ""


class NodeCondition(WireModel):
    """What is said of a node."""

    type: str = ""
    status: str = ""


class NodeStatus(WireModel):
    """Where a node is reached, and whether it works."""

    addresses: tuple[NodeAddress, ...] = ()
    conditions: tuple[NodeCondition, ...] = ()

    @property
    def is_ready(self) -> bool:
        """Whether nobody says that the node does not work, or has not been heard of."""
        return all(one.status == "True" for one in self.conditions if one.type == NODE_READY)


class NodeSpec(WireModel):
    """Whether a node is taken out of service (`kubectl cordon`, an upgrade)."""

    unschedulable: bool = False


class Node(KubernetesObject):
    """A node."""

    spec: NodeSpec = Field(default_factory=NodeSpec)
    status: NodeStatus = Field(default_factory=NodeStatus)


@dataclass(frozen=True, slots=True)
class ServiceView:
    """A Service and all that decides about it."""

    claimant: Claimant
    service: Service
    slices: tuple[EndpointSlice, ...] = ()
    nodes: tuple[Node, ...] = ()


def evaluate_service(view: ServiceView, rules: Rules) -> Evaluation:
    """Return the endpoints of a Service, or the hold that keeps what it has published."""
    claimant = view.claimant
    if (dismissed := claimant.dismissed) is not None:
        return dismissed
    names, findings = claimant.names((), rules)
    internal, illegal = _internal_names(claimant, rules)
    findings += illegal + claimant.options()[1]
    inside = cluster_targets(view.service) if claimant.declared is None else Targets()
    if not inside:
        names, internal = tuple(dict.fromkeys((*names, *internal))), ()
    wanted = _wanted(view, names)
    if isinstance(wanted, Hold):
        others = dict.fromkeys((name for name in internal if name not in names), inside)
        return claimant.evaluation(claimant.publish(others, rules), wanted, findings)
    for name in internal:
        wanted[name] = wanted.get(name, Targets()) | inside
    led = {name: wanted.get(name, Targets()) for name in (*names, *internal)}
    findings += claimant.without_target(led, rules, _hint(view.service))
    return claimant.evaluation(claimant.publish(wanted, rules), findings=findings)


def _hint(service: Service) -> str:
    """Say what gives a Service of the default type a name: it has no address outside of the cluster."""
    if service.spec.type != "ClusterIP" or service.spec.cluster_ip == HEADLESS:
        return ""
    return (
        ": a Service of type ClusterIP has none outside of the cluster; choose another type, give a target, or ask for"
        " its address in the cluster with the annotation internal-hostname"
    )


def _internal_names(claimant: Claimant, rules: Rules) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
    """Return the names for the cluster's own addresses.

    They are names like all others where an annotation gives the targets, or the Service has no such address.
    """
    if rules.ignore_hostname_annotation:
        return (), ()
    return legal_hostnames(claimant.annotations.items("internal-hostname"))


def cluster_targets(service: Service) -> Targets:
    """Return the cluster addresses of a Service that has any."""
    addresses = service.spec.cluster_ips or (service.spec.cluster_ip,)
    return sort_targets(address for address in addresses if address not in ("", HEADLESS))[0]


def _wanted(view: ServiceView, names: tuple[str, ...]) -> dict[str, Targets] | Hold:
    if not names:
        return {}
    declared = view.claimant.declared
    if declared is None and view.service.spec.cluster_ip == HEADLESS and not view.service.spec.external_ips:
        waiting = _without_pod(view.service)
        return _headless(view, names) or ({} if view.claimant.is_over(waiting) else waiting)
    targets = view.claimant.settled(_native(view) if declared is None else declared)
    return targets if isinstance(targets, Hold) else dict.fromkeys(names, targets)


def _native(view: ServiceView) -> Targets | Hold:
    """Return where the Service is reached, by its type; external IPs come first."""
    spec = view.service.spec
    if spec.external_ips:
        return _given(spec.external_ips)
    match spec.type:
        case "LoadBalancer":
            return view.service.status.load_balancer.targets() or _without_address(view.service)
        case "NodePort":
            access = (view.claimant.annotations.get("access") or "").lower()
            return node_targets(_serving_nodes(view), access) or _without_node(view.service)
        case "ExternalName":
            return _given((spec.external_name,))
        case _:
            return Targets()


def _given(values: tuple[str, ...]) -> Targets | Hold:
    """Return targets that somebody wrote; a mistyped one is told, and keeps what is published."""
    targets, findings = sort_targets(values)
    return Hold(findings[0].reason, findings[0].note) if findings else targets


def _without_address(service: Service) -> Hold:
    name = service.metadata.name
    return Hold(
        "LoadBalancerWithoutAddress",
        f"the load balancer of Service {name} has no address; its published records are kept",
        expires=True,
        quiet=True,
    )


def _without_node(service: Service) -> Hold:
    return Hold(
        "NodesWithoutAddress",
        f"no node answers for Service {service.metadata.name}; its published records are kept",
        expires=True,
        quiet=True,
    )


def _without_pod(service: Service) -> Hold:
    return Hold(
        "PodsWithoutAddress",
        f"no pod of Service {service.metadata.name} is ready; its published records are kept",
        expires=True,
        quiet=True,
    )


def _headless(view: ServiceView, names: tuple[str, ...]) -> dict[str, Targets]:
    """Return the ready addresses under each name, and under `hostname.name` those of pods that have a host name."""
    wanted: dict[str, Targets] = {}
    for member in _ready(view):
        targets, _ = sort_targets(member.addresses)
        for name in names:
            wanted[name] = wanted.get(name, Targets()) | targets
            if member.hostname and not name.startswith("*"):
                own = f"{member.hostname}.{name}"
                wanted[own] = wanted.get(own, Targets()) | targets
    return wanted


def _ready(view: ServiceView) -> Iterable[SliceEndpoint]:
    unready_too = view.service.spec.publish_not_ready_addresses
    addresses = [piece for piece in view.slices if piece.address_type in ("IPv4", "IPv6")]
    return (member for piece in addresses for member in piece.members if unready_too or member.is_ready)


def _serving_nodes(view: ServiceView) -> tuple[Node, ...]:
    """Return the nodes that answer: all, or with externalTrafficPolicy Local those that run a ready pod.

    Nodes that are out of service, or taken out of it, are left out, unless there are no others.
    """
    nodes = view.nodes
    if view.service.spec.external_traffic_policy == "Local":
        serving = {member.node_name for member in _ready(view)}
        nodes = tuple(node for node in nodes if node.metadata.name in serving)
    ready = tuple(node for node in nodes if node.status.is_ready) or nodes
    return tuple(node for node in ready if not node.spec.unschedulable) or ready


def node_targets(nodes: tuple[Node, ...], access: str = "") -> Targets:
    """Return the nodes' external addresses, where they have none the internal ones; or as `access` says.

    It is the annotation of this name: `public` asks for external addresses alone, `private` for internal ones.
    """
    by_type: Mapping[str, list[str]] = {"ExternalIP": [], "InternalIP": []}
    for node in nodes:
        for address in node.status.addresses:
            if address.type in by_type:
                by_type[address.type].append(address.address)
    match access:
        case "public":
            chosen = by_type["ExternalIP"]
        case "private":
            chosen = by_type["InternalIP"]
        case _:
            chosen = by_type["ExternalIP"] or by_type["InternalIP"]
    return sort_targets(chosen)[0]
