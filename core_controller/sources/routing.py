"""Which pipelines and Zones an endpoint goes to (seed 000, Routing Endpoints to a Provider). Pure.

Each endpoint is routed by itself, before endpoints of one name are merged, over one frozen table of pipelines: so
routing some of them gives what routing all of them gives. An explicit reference wins; else the domain filters decide,
and exactly one match publishes.
"""

from dataclasses import dataclass

from core_controller.sources.annotations import Finding
from core_controller.sources.endpoints import Endpoint
from core_controller.sources.pipelines import Pipeline, PipelineTable, TargetZone
from libdnsapi.api.externaldns.dnsprovider import pipeline_resource
from libdnsapi.api.meta import ObjectKey

AMBIGUOUS = "AmbiguousPipeline"
UNROUTED = "NoPipeline"


@dataclass(frozen=True, slots=True)
class Placement:
    """A pipeline and the Zone of it that a name lies in."""

    pipeline: Pipeline
    zone: TargetZone


@dataclass(frozen=True, slots=True)
class Route:
    """Where an endpoint goes.

    `held` says that what its object has published under the name is to be left as it is; `kept` that it is not to be
    withdrawn, for a pipeline that the object names cannot take it.
    """

    placements: tuple[Placement, ...] = ()
    held: bool = False
    kept: bool = False
    findings: tuple[Finding, ...] = ()


def route(endpoint: Endpoint, table: PipelineTable) -> Route:
    """Return where one endpoint is published, and what to tell about it."""
    wish = endpoint.options.wish
    if not wish.is_explicit:
        return _by_domain(endpoint, table)
    keys = [ObjectKey(endpoint.source.namespace, name) for name in wish.providers]
    keys += [ObjectKey("", name) for name in wish.cluster_providers]
    return _joined([_named(endpoint.name, key, table) for key in dict.fromkeys(keys)])


def _named(name: str, key: ObjectKey, table: PipelineTable) -> Route:
    pipeline = table.get(key)
    shown = f"{pipeline_resource(key).kind} {key.name}"
    if pipeline is None:
        note = f"{name}: {shown}, which an annotation names, does not exist"
        return Route(kept=True, findings=(Finding("PipelineNotFound", note),))
    if not pipeline.covers(name):
        note = f"{name} is outside the domain filter of {shown}, which an annotation names"
        return Route(kept=True, findings=(Finding("OutsideDomainFilter", note),))
    return _placed(name, pipeline)


def _by_domain(endpoint: Endpoint, table: PipelineTable) -> Route:
    name = endpoint.name
    matches = [one for one in table.candidates(endpoint.source.namespace) if one.covers(name)]
    if not matches:
        note = f"{name} lies in no domain of a ClusterDNSProvider, or of a DNSProvider of this namespace"
        return Route(findings=(Finding(UNROUTED, note, quiet=not endpoint.options.asked),))
    if len(matches) > 1:
        contenders = ", ".join(f"{one.kind} {one.key.name}" for one in matches)
        note = (
            f"{name} matches {contenders}: nothing new is published. Name one or more in the annotation"
            " external-dns.kubernetes.io/cluster-provider or external-dns.kubernetes.io/provider"
        )
        return Route(held=True, findings=(Finding(AMBIGUOUS, note, pipelines=_listed(matches)),))
    return _placed(name, matches[0])


def _placed(name: str, pipeline: Pipeline) -> Route:
    zones = pipeline.zones_of(name)
    shown = f"{pipeline.kind} {pipeline.key.name}"
    if not zones:
        note = f"{name}: {shown} has no Zone for it"
        return Route(kept=True, findings=(Finding("ZoneNotFound", note, pipelines=_listed([pipeline])),))
    if len(zones) > 1:
        note = f"{name}: {shown} has {len(zones)} Zones of {zones[0].domain}; nothing new is published"
        return Route(held=True, findings=(Finding("AmbiguousZone", note, pipelines=_listed([pipeline])),))
    return Route((Placement(pipeline, zones[0]),))


def _listed(pipelines: list[Pipeline]) -> str:
    """Return the pipelines as metrics name them."""
    return ",".join(one.full_name for one in pipelines)


def _joined(routes: list[Route]) -> Route:
    """Return all routes as one: a pipeline that cannot take the name keeps what is its own, and holds up no other."""
    placements = tuple(placement for one in routes for placement in one.placements)
    held = any(one.held for one in routes)
    return Route(
        placements,
        held and not placements,
        held or any(one.kept for one in routes),
        tuple(finding for one in routes for finding in one.findings),
    )
