"""Routes and Gateways of which a test writes what it is about, and what a route publishes then."""

from typing import Any

from core_controller.sources.annotations import Annotations
from core_controller.sources.claimant import Claimant, Rules
from core_controller.sources.endpoints import Evaluation, Hold, SourceKey, Targets
from core_controller.sources.gateway.evaluation import RouteView, evaluate_route
from core_controller.sources.gateway.model import Gateway, Route
from core_controller.sources.gateway.parents import GatewayFilters, Surroundings
from tests.core_controller.sources.world import lapsed

ALL = {"namespaces": {"from": "All"}}
ADDRESS = "192.0.2.1"
ALPHA = "external-dns.alpha.kubernetes.io/"


def listener(name: str = "l", hostname: str = "", **extra: object) -> dict[str, Any]:
    made: dict[str, Any] = {"name": name, "port": 80, "protocol": "HTTP", "allowedRoutes": ALL, **extra}
    return {**made, "hostname": hostname} if hostname else made


def parent(name: str = "gw", namespace: str | None = "infra", **extra: object) -> dict[str, Any]:
    made: dict[str, Any] = {"name": name, **extra}
    return made if namespace is None else {**made, "namespace": namespace}


def judged(ref: dict[str, Any], status: str = "True", observed: int = 1) -> dict[str, Any]:
    condition = {"type": "Accepted", "status": status, "observedGeneration": observed}
    return {"parentRef": ref, "controllerName": "c", "conditions": [condition]}


def gateway(
    *listeners: dict[str, Any], name: str = "gw", addresses: tuple[str, ...] = (ADDRESS,), **meta: object
) -> Gateway:
    return Gateway.model_validate(
        {
            "metadata": {"name": name, "namespace": "infra", **meta},
            "spec": {"listeners": list(listeners) or [listener()]},
            "status": {"addresses": [{"type": "IPAddress", "value": value} for value in addresses]},
        }
    )


def evaluate(  # noqa: PLR0913 — each row names only what it is about
    hosts: tuple[str, ...] = ("a.example.com",),
    *gateways: Gateway,
    kind: str = "HTTPRoute",
    refs: list[dict[str, Any]] | None = None,
    status: list[dict[str, Any]] | None = None,
    annotations: dict[str, str] | None = None,
    namespace: str = "apps",
    labels: dict[str, str] | None = None,
    generation: int = 1,
    rules: Rules | None = None,
    filters: GatewayFilters | None = None,
    declared: Targets | Hold | None = None,
    grace_over: bool = False,
) -> Evaluation:
    """Evaluate one route; by default it is attached to `gw`, which has accepted it."""
    wanted = [parent()] if refs is None else refs
    seen = [judged(ref) for ref in wanted] if status is None else status
    route = Route.model_validate(
        {
            "metadata": {"name": "r", "namespace": namespace, "generation": generation},
            "spec": {"parentRefs": wanted, "hostnames": list(hosts)},
            "status": {"parents": seen},
        }
    )
    claimant = Claimant(
        SourceKey(kind, namespace, "r"),
        Annotations({ALPHA + key: value for key, value in (annotations or {}).items()}),
        declared=declared,
        document={"Name": "r", "Namespace": namespace},
        lapsed=lapsed(grace_over=grace_over),
    )
    found = {one.key: one for one in (gateways or (gateway(),))}
    around = Surroundings(found, labels or {}, filters or GatewayFilters())
    return evaluate_route(RouteView(claimant, route, around), rules or Rules())
