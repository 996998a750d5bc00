"""target-from: a field of another object as the target (seed 001; sources page, target-from). Pure.

An unresolved reference never falls through to other targets. What cannot be seen holds what is published; what is
seen to be gone or empty holds for the grace time; a reference that is wrong in itself holds and says so.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from core_controller.sources.annotations import Annotations
from core_controller.sources.endpoints import Hold, Targets, sort_targets
from core_controller.sources.hostnames import is_fully_qualified
from core_controller.sources.templates import LimitError, ParseError, Template, TemplateError, parse
from core_controller.sources.templates.values import as_value
from libdnsapi.api.dns.references import OBJECT_NAME_MAX_LENGTH
from libdnsapi.api.externaldns.names import EXTERNALDNS_GROUP
from libdnsapi.api.meta import JsonObject, ResourceType
from libdnsapi.dns.names import is_subdomain

UNRESOLVED = "TargetFromUnresolved"
REFUSED_RESOURCES = frozenset({"secrets", "namespaces"})
"""Never read, whatever RBAC says: a template could publish their content as names.

Secrets, and what the account reads for itself and not as a source: namespaces, and whole groups as below.
"""
REFUSED_GROUPS = ("dns.appthrust.io", EXTERNALDNS_GROUP, "apiextensions.k8s.io")
"""Groups that are refused with all groups below them: identities and pipelines hold account ids and roles."""
_RESOURCE = re.compile(r"[a-z][a-z0-9]*")
_NAME = re.compile(r"[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?")
_GRAMMAR = "<resource>[.<group>]/[<namespace>/]<name>#<template>"
_PARSED = 4096
_INGRESS_TEMPLATE = (
    '{{ range .status.loadBalancer.ingress }}{{ with index . "ip" }}{{ . }},{{ else }}'
    '{{ with index . "hostname" }}{{ . }},{{ end }}{{ end }}{{ end }}'
)
"""What the annotation `ingress` of Istio's kinds stands for (seed 001, Precedence)."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One parsed reference; `namespace` is empty where the annotation names none."""

    resource: str
    group: str
    namespace: str
    name: str
    template: Template

    @property
    def kind_name(self) -> str:
        """`resource.group`, as the annotation writes it."""
        return f"{self.resource}.{self.group}" if self.group else self.resource


class Unseen(Enum):
    """Why the object cannot be looked at."""

    UNKNOWN_KIND = "is of a kind that the cluster does not serve"
    NOT_SYNCED = "is not read yet"
    FORBIDDEN = "may not be read: grant the sources' service account get, list and watch on it"
    FAILED = "could not be read; it is tried again"


@dataclass(frozen=True, slots=True)
class Gone:
    """The object is known not to exist."""


@dataclass(frozen=True, slots=True)
class Misused:
    """The reference does not fit its kind."""

    hold: Hold


View = JsonObject | Gone | Unseen | Misused
"""What is known of the referenced object."""


@lru_cache(maxsize=_PARSED)
def parse_reference(text: str) -> Reference | Hold:
    """Parse an annotation value; the template is everything after the first `#`, taken verbatim."""
    path, marker, source = text.partition("#")
    segments = path.strip().split("/")
    if not marker:
        return _wrong(f"has no #: write {_GRAMMAR}")
    if len(segments) not in (2, 3):
        return _wrong(f"has {len(segments)} path segments: write {_GRAMMAR}")
    resource, _, group = segments[0].partition(".")
    problem = _path_problem(resource, group, segments[1:])
    if problem:
        return _wrong(problem)
    try:
        template = parse(source)
    except ParseError as error:
        return _wrong(f"has a template that cannot be used: {error}")
    namespace = segments[1] if len(segments) == 3 else ""  # noqa: PLR2004 — resource, namespace, name
    return Reference(resource, group, namespace, segments[-1], template)


def scope_problem(reference: Reference, kind: ResourceType) -> Misused | None:
    """Say when a namespace is given for a kind that has none."""
    if reference.namespace and not kind.namespaced:
        problem = f"names a namespace, but {reference.kind_name} is cluster-scoped: leave the namespace out"
        return Misused(_wrong(problem))
    return None


def declared_targets(
    annotations: Annotations, dereference: Callable[[Reference], View], *, legacy_ingress: bool = False
) -> Targets | Hold | None:
    """Return what an object's own annotations say about its targets; None leaves it to the source.

    A literal `target` wins over `target-from`, and this over `ingress`, which only Istio's kinds have. `dereference`
    looks at an object; it also checks the scope.
    """
    literal = annotations.items("target")
    if literal:
        targets, findings = sort_targets(literal)
        return Hold(findings[0].reason, findings[0].note) if findings else targets
    text = annotations.written("target-from")
    if text is None and legacy_ingress and (name := annotations.get("ingress")) is not None:
        text = f"ingresses.networking.k8s.io/{name.strip()}#{_INGRESS_TEMPLATE}"
    if text is None:
        return None
    reference = parse_reference(text)
    return reference if isinstance(reference, Hold) else resolve(reference, dereference(reference))


def resolve(reference: Reference, view: View) -> Targets | Hold:
    """Return the targets that the reference gives, or the hold of an unresolved one."""
    shown = f"{reference.kind_name} {reference.name}"
    match view:
        case Unseen():
            note = f"target-from: {shown} {view.value}; published records are kept"
            return Hold(UNRESOLVED, note, quiet=view is Unseen.NOT_SYNCED)
        case Gone():
            return _empty(f"{shown} does not exist")
        case Misused():
            return view.hold
        case _:
            return _render(reference, view, shown)


def _render(reference: Reference, document: JsonObject, shown: str) -> Targets | Hold:
    try:
        output = reference.template.render(as_value(document))
    except LimitError as error:
        return _wrong(f"has a template that takes too much: {error}")
    except TemplateError as error:
        return _empty(f"the template does not fit {shown}: {error}")
    values = tuple(dict.fromkeys(value for part in output.split(",") if (value := part.strip().lower())))
    if not values:
        return _empty(f"the template gives nothing for {shown}")
    targets, findings = sort_targets(values)
    if findings or not all(map(is_fully_qualified, targets.names)):
        return _wrong(f"gives something that is neither an IP address nor a full host name for {shown}")
    return targets


def _path_problem(resource: str, group: str, names: list[str]) -> str:
    if _RESOURCE.fullmatch(resource) is None or (group and _NAME.fullmatch(group) is None):
        return f"must begin with a plural resource name and, outside the core group, its group: {_GRAMMAR}"
    if _is_refused(resource, group):
        return "names a Secret, a Namespace or an object of this controller's own kinds: these are never read"
    if not all(_NAME.fullmatch(name) and len(name) <= OBJECT_NAME_MAX_LENGTH for name in names):
        return f"has an illegal name or namespace: write {_GRAMMAR}"
    return ""


def _is_refused(resource: str, group: str) -> bool:
    if not group:
        return resource in REFUSED_RESOURCES
    return any(is_subdomain(group, refused) for refused in REFUSED_GROUPS)


def _wrong(problem: str) -> Hold:
    return Hold(UNRESOLVED, f"target-from {problem}; published records are kept, nothing new is published")


def _empty(problem: str) -> Hold:
    return Hold(UNRESOLVED, f"target-from: {problem}; published records are kept for the grace time", expires=True)
