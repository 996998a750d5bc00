"""What every source object has in common: its annotations, its names, its declared targets. Pure."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from core_controller.sources.annotations import Annotations, Finding
from core_controller.sources.endpoints import (
    ALIAS_TYPES,
    INVALID_HOSTNAME,
    Endpoint,
    Evaluation,
    Hold,
    Options,
    SourceKey,
    TargetNets,
    Targets,
    endpoints_of,
    legal_hostnames,
    read_options,
    refusal,
)
from core_controller.sources.go_fields import with_go_fields
from core_controller.sources.templates import MissingKey, Template, TemplateError
from core_controller.sources.templates.values import as_value
from libdnsapi.api.meta import JsonObject, KubernetesObject

TEMPLATE_FAILED = "FQDNTemplateFailed"
UNNAMED = frozenset({INVALID_HOSTNAME, TEMPLATE_FAILED})
"""Reasons for which an object has names that cannot be told: it is not known which of its names they stand for."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings that decide about names and targets."""

    ignore_hostname_annotation: bool = False
    combine_fqdn_annotation: bool = False
    fqdn_template: Template | None = None
    nets: TargetNets = field(default_factory=TargetNets)


@dataclass(frozen=True, slots=True)
class Claimant:
    """One source object, seen at one moment.

    `declared` are the targets that its annotations give; None leaves them to the source. `document` is the whole
    object, for the fqdn template. `lapsed` are the holds that have lasted their grace time.
    """

    key: SourceKey
    annotations: Annotations
    created: datetime | None = None
    declared: Targets | Hold | None = None
    document: JsonObject = field(default_factory=dict)
    lapsed: Container[Hold] = frozenset()

    @property
    def dismissed(self) -> Evaluation | None:
        """What the object comes to where it is not for us or refused as a whole; None where it is to be read."""
        if not self.annotations.is_for_us:
            return Evaluation(self.key)
        refused = refusal(self.annotations)
        return Evaluation(self.key, hold=refused) if refused is not None else None

    def evaluation(
        self, endpoints: tuple[Endpoint, ...] = (), hold: Hold | None = None, findings: tuple[Finding, ...] = ()
    ) -> Evaluation:
        """Return what the object comes to; while it has names that cannot be told, what it has under others is kept."""
        if hold is None and (_names_are_lost(findings) or any(map(_is_illegal, endpoints))):
            note = "a name cannot be published; published records are kept"
            hold = Hold(INVALID_HOSTNAME, note, quiet=True, lost_names=True)
        return Evaluation(self.key, endpoints, hold, findings)

    def options(self) -> tuple[Options, tuple[Finding, ...]]:
        """Return the options that the annotations give."""
        return read_options(self.annotations)

    def names(self, own: Iterable[str], rules: Rules) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
        """Return the object's canonical names: its own, those of the annotation, then those of the template."""
        names = [*own, *(() if rules.ignore_hostname_annotation else self.annotations.items("hostname"))]
        findings: tuple[Finding, ...] = ()
        if rules.fqdn_template is not None and (not names or rules.combine_fqdn_annotation):
            made, findings = self._templated(rules.fqdn_template)
            names += made
        legal, illegal = legal_hostnames(names)
        return legal, findings + illegal

    def picked_names(
        self, picker: str, own: Iterable[str], rules: Rules
    ) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
        """Return the names of those origins that an annotation such as `ingress-hostname-source` picks."""
        match picked := (self.annotations.get(picker) or "").lower():
            case "":
                return self.names(own, rules)
            case "annotation-only":
                return self.names((), rules)
            case "defined-hosts-only":
                return self.names(own, replace(rules, ignore_hostname_annotation=True))
            case _:
                names, findings = self.names(own, rules)
                note = f"{picker} is {picked[:40]!r}, without effect: write annotation-only or defined-hosts-only"
                return names, (*findings, Finding("InvalidHostnameSource", note))

    def is_over(self, hold: Hold) -> bool:
        """Whether the grace time of a hold is over."""
        return hold.expires and hold in self.lapsed

    def settled(self, targets: Targets | Hold) -> Targets | Hold:
        """Return nothing for a hold whose grace time is over."""
        return Targets() if isinstance(targets, Hold) and self.is_over(targets) else targets

    def publish(self, wanted: dict[str, Targets], rules: Rules) -> tuple[Endpoint, ...]:
        """Return the endpoints of names and their targets, without addresses that may not be published."""
        options, _ = self.options()
        return tuple(
            endpoint
            for name, targets in wanted.items()
            for endpoint in endpoints_of(name, rules.nets.only(targets), self.key, self.created, options)
        )

    def without_target(self, wanted: Mapping[str, Targets], rules: Rules, hint: str = "") -> tuple[Finding, ...]:
        """Tell the names that lead nowhere, where the object asks for DNS; what networks leave out is meant so."""
        options, _ = self.options()
        return tuple(
            Finding(
                "NoTarget",
                f"{name} has no address to be published with{hint}",
                quiet=bool(targets) or not options.asked,
            )
            for name, targets in wanted.items()
            if not rules.nets.only(targets)
        )

    def _templated(self, template: Template) -> tuple[list[str], tuple[Finding, ...]]:
        try:
            output = template.render(as_value(self.document), MissingKey.NOTHING)
        except TemplateError as error:
            return [], (Finding(TEMPLATE_FAILED, f"the fqdn template does not fit this object: {error}"),)
        return [name.strip() for name in output.split(",") if name.strip()], ()


def _names_are_lost(findings: Iterable[Finding]) -> bool:
    return any(finding.reason in UNNAMED for finding in findings)


def _is_illegal(endpoint: Endpoint) -> bool:
    """Whether a name is one of other types only, as `_a` is (case 8); that is told where the zone is known."""
    return endpoint.type in ALIAS_TYPES and bool(endpoint.values) and "_" in endpoint.name


def template_data(kind: str, source: KubernetesObject, raw: JsonObject) -> JsonObject:
    """Return what fqdn templates see: the fields of ExternalDNS (`.Name`, `.Spec.Type`, …) beside the raw object."""
    meta = source.metadata
    fields: JsonObject = {
        "Name": meta.name,
        "Namespace": meta.namespace,
        "Labels": {**meta.labels},
        "Annotations": {**meta.annotations},
        "Kind": kind,
        "APIVersion": source.api_version,
    }
    named = with_go_fields(raw)
    return {**(named if isinstance(named, dict) else raw), **fields, "ObjectMeta": fields, "Object": raw}
