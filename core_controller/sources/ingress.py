"""Ingresses: the hosts of their rules and certificates, and their load balancer's addresses. Pure."""

from dataclasses import dataclass

from pydantic import Field

from core_controller.sources.annotations import Finding
from core_controller.sources.claimant import Claimant, Rules
from core_controller.sources.endpoints import Evaluation, Hold, Targets
from core_controller.sources.service import LoadBalancerStatus
from libdnsapi.api.meta import JsonObject, KubernetesObject, WireModel


class IngressRule(WireModel):
    """One rule; only its host matters."""

    host: str = ""


class IngressTLS(WireModel):
    """One certificate; only its hosts matter."""

    hosts: tuple[str, ...] = ()


class IngressSpec(WireModel):
    """Which hosts are served."""

    rules: tuple[IngressRule, ...] = ()
    tls: tuple[IngressTLS, ...] = ()


class IngressStatus(WireModel):
    """Where the Ingress is reached."""

    load_balancer: LoadBalancerStatus = Field(default_factory=LoadBalancerStatus)


class Ingress(KubernetesObject):
    """An Ingress."""

    spec: IngressSpec = Field(default_factory=IngressSpec)
    status: IngressStatus = Field(default_factory=IngressStatus)


@dataclass(frozen=True, slots=True)
class IngressView:
    """An Ingress and what its annotations declare."""

    claimant: Claimant
    ingress: Ingress


def evaluate_ingress(view: IngressView, rules: Rules) -> Evaluation:
    """Return the endpoints of an Ingress, or the hold that keeps what it has published."""
    claimant, spec = view.claimant, view.ingress.spec
    if (dismissed := claimant.dismissed) is not None:
        return dismissed
    names, findings = _names(claimant, spec, rules)
    findings += claimant.options()[1]
    if not names:
        return claimant.evaluation(findings=findings)
    targets = claimant.settled(_native(view.ingress) if claimant.declared is None else claimant.declared)
    if isinstance(targets, Hold):
        return claimant.evaluation(hold=targets, findings=findings)
    wanted = dict.fromkeys(names, targets)
    findings += claimant.without_target(wanted, rules)
    return claimant.evaluation(claimant.publish(wanted, rules), findings=findings)


def _names(claimant: Claimant, spec: IngressSpec, rules: Rules) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
    """Return the names of rules, certificates and annotation, or of those that `ingress-hostname-source` picks."""
    hosts = [rule.host for rule in spec.rules if rule.host]
    hosts += [host for certificate in spec.tls for host in certificate.hosts if host]
    return claimant.picked_names("ingress-hostname-source", hosts, rules)


def trim_ingress(document: JsonObject) -> None:
    """Drop the paths and backends of the rules: only hosts matter."""
    spec = document.get("spec")
    rules = spec.get("rules") if isinstance(spec, dict) else None
    if isinstance(spec, dict) and isinstance(rules, list):
        spec["rules"] = [{"host": rule["host"]} for rule in rules if isinstance(rule, dict) and "host" in rule]


def _native(ingress: Ingress) -> Targets | Hold:
    targets = ingress.status.load_balancer.targets()
    if targets:
        return targets
    return Hold(
        "IngressWithoutAddress",
        f"Ingress {ingress.metadata.name} has no address; its published records are kept",
        expires=True,
        quiet=True,
    )
