"""What a route publishes (seed 003). Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core_controller.sources.annotations import Finding
from core_controller.sources.claimant import UNNAMED, Claimant, Rules
from core_controller.sources.endpoints import Evaluation, Hold, Targets, sort_targets
from core_controller.sources.gateway.attachment import Attachment, attached
from core_controller.sources.gateway.model import ROUTES_WITH_HOSTNAMES, Gateway, Route
from core_controller.sources.gateway.names import names_by_attachment
from core_controller.sources.gateway.parents import Surroundings
from core_controller.sources.hostnames import intersection
from libdnsapi.api.meta import ObjectKey

HOSTNAME_SOURCE = "gateway-hostname-source"
REACHED_BY = frozenset({"IPAddress", "Hostname"})
"""Types of addresses that stand for themselves; all others name something that only the implementation knows."""


@dataclass(frozen=True, slots=True)
class RouteView:
    """A route and all that decides about it: the targets that annotations of Gateways and of ListenerSets give, too."""

    claimant: Claimant
    route: Route
    around: Surroundings
    declared: Mapping[ObjectKey, Targets | Hold] = field(default_factory=dict)
    declared_by_sets: Mapping[ObjectKey, Targets | Hold] = field(default_factory=dict)


def evaluate_route(view: RouteView, rules: Rules) -> Evaluation:
    """Return the endpoints of a route, or the hold that keeps what it has published."""
    claimant = view.claimant
    if (dismissed := claimant.dismissed) is not None:
        return dismissed
    kind = claimant.key.kind
    found = attached(view.route, kind, view.around)
    hold = next((one for one in found.holds if not claimant.is_over(one)), None)
    if hold is not None and not found.attachments:
        return claimant.evaluation(hold=hold)
    own = view.route.spec.hostnames if kind in ROUTES_WITH_HOSTNAMES else ()
    names, findings = claimant.picked_names(HOSTNAME_SOURCE, own, rules)
    _, option_findings = claimant.options()
    findings += option_findings
    if not names and (_picks(claimant) or any(finding.reason in UNNAMED for finding in findings)):
        return claimant.evaluation(hold=hold, findings=findings)
    served = names_by_attachment(names, found.attachments)
    findings += _unserved(view, names, served) if hold is None else ()  # a Gateway that is behind may serve it
    wanted, lacking = _wanted(view, served)
    return claimant.evaluation(claimant.publish(wanted, rules), hold or lacking, findings)


def _unserved(
    view: RouteView, names: tuple[str, ...], served: list[tuple[Attachment, tuple[str, ...]]]
) -> tuple[Finding, ...]:
    """Tell the route's names that no listener covers, where it asks for DNS; without any Gateway that is not known."""
    options, _ = view.claimant.options()
    covered = [name for _, some in served for name in some]
    lost = (name for name in names if served and not any(intersection(name, one) == one for one in covered))
    note = "no listener of the Gateways that accept the route serves it"
    return tuple(Finding("NameNotServed", f"{name}: {note}", quiet=not options.asked) for name in lost)


def _picks(claimant: Claimant) -> bool:
    """Whether an annotation picks where the route's names come from; listeners are not among that."""
    return claimant.annotations.get(HOSTNAME_SOURCE) is not None


def gateway_targets(gateway: Gateway) -> Targets | Hold:
    """Return the addresses of a Gateway; one without any keeps what was published for the grace time (case 49)."""
    targets, _ = sort_targets(one.value for one in gateway.status.addresses if one.type in REACHED_BY)
    if targets:
        return targets
    note = f"Gateway {gateway.key} has no address; its published records are kept"
    return Hold("GatewayWithoutAddress", note, expires=True)


def _wanted(
    view: RouteView, served: list[tuple[Attachment, tuple[str, ...]]]
) -> tuple[dict[str, Targets], Hold | None]:
    """Return the targets of each name, those of all Gateways that serve it united.

    A Gateway whose targets cannot be told holds what is published, and not what the others give to new names.
    """
    wanted: dict[str, Targets] = {}
    lacking: list[Hold] = []
    for attachment, names in served:
        targets = view.claimant.settled(_targets(view, attachment)) if names else Targets()
        if isinstance(targets, Hold):
            lacking.append(targets)
            continue
        for name in names:
            wanted[name] = wanted.get(name, Targets()) | targets
    return wanted, next(iter(lacking), None)


def _targets(view: RouteView, attachment: Attachment) -> Targets | Hold:
    """Return the route's own targets, else its ListenerSet's, else the Gateway's annotated ones, else its addresses."""
    if view.claimant.declared is not None:
        return view.claimant.declared
    by_set = view.declared_by_sets.get(attachment.listener_set) if attachment.listener_set is not None else None
    declared = view.declared.get(attachment.gateway.key) if by_set is None else by_set
    return gateway_targets(attachment.gateway) if declared is None else declared
