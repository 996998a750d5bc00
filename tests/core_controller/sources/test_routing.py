"""Which pipelines and Zones a name goes to (seed 000); routing some gives what routing all gives."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core_controller.sources.endpoints import Endpoint, Options, SourceKey, Wish
from core_controller.sources.pipelines import Pipeline, PipelineTable, TargetZone
from core_controller.sources.routing import route
from libdnsapi.api.dns.bodies import RecordType
from libdnsapi.api.dns.references import ProviderRef
from libdnsapi.api.meta import ObjectKey

PROVIDER = ProviderRef(name="route53.dns.appthrust.io", version="v1alpha1")


def zone(domain: str, name: str = "", namespace: str = "dns") -> TargetZone:
    return TargetZone(ObjectKey(namespace, name or domain), domain, PROVIDER)


def pipeline(name: str, *zones: TargetZone, namespace: str = "", **fields: object) -> Pipeline:
    return replace(Pipeline(ObjectKey(namespace, name), name, zones), **fields)


def table(*pipelines: Pipeline) -> PipelineTable:
    return PipelineTable({one.key: one for one in pipelines})


def endpoint(name: str, namespace: str = "apps", providers: str = "", cluster: str = "") -> Endpoint:
    wish = Wish(tuple(filter(None, providers.split(","))), tuple(filter(None, cluster.split(","))))
    source = SourceKey("HTTPRoute", namespace, "r")
    return Endpoint(name, RecordType.A, ("192.0.2.1",), source, options=Options(wish=wish))


TABLE = table(
    pipeline("prod", zone("prod.example.com"), exclude=("internal.prod.example.com",)),
    pipeline("internal", zone("internal.prod.example.com")),
    pipeline("twins", zone("twin.example.com", "one"), zone("twin.example.com", "two")),
    pipeline("nested", zone("n.example.com"), zone("deep.n.example.com")),
    pipeline("wide", zone("wide.example.com"), include=("a.wide.example.com", "elsewhere.example.net")),
    pipeline("overlap-1", zone("overlap.example.com")),
    pipeline("overlap-2", zone("overlap.example.com", "second")),
    pipeline("mine", zone("mine.example.com", namespace="apps"), namespace="apps"),
    pipeline("theirs", zone("mine.example.com", namespace="other"), namespace="other"),
    pipeline("broken", include=("broken.example.com",)),
)

ROUTES = [
    # name, provider, cluster-provider, where it goes, held, reasons
    ("a.prod.example.com", "", "", ["prod"], False, []),
    ("prod.example.com", "", "", ["prod"], False, []),
    ("*.prod.example.com", "", "", ["prod"], False, []),
    ("x.internal.prod.example.com", "", "", ["internal"], False, []),
    ("notprod.example.com", "", "", [], False, ["NoPipeline"]),
    ("aprod.example.com", "", "", [], False, ["NoPipeline"]),
    ("a.twin.example.com", "", "", [], True, ["AmbiguousZone"]),
    ("a.n.example.com", "", "", ["n.example.com"], False, []),
    ("a.deep.n.example.com", "", "", ["deep.n.example.com"], False, []),
    ("x.a.wide.example.com", "", "", ["wide"], False, []),
    ("b.wide.example.com", "", "", [], False, ["NoPipeline"]),
    ("elsewhere.example.net", "", "", [], False, ["ZoneNotFound"]),
    ("a.overlap.example.com", "", "", [], True, ["AmbiguousPipeline"]),
    ("a.overlap.example.com", "", "overlap-1", ["overlap-1"], False, []),
    ("a.overlap.example.com", "", "overlap-1,overlap-2", ["overlap-1", "overlap-2"], False, []),
    ("a.overlap.example.com", "", "overlap-1,overlap-1", ["overlap-1"], False, []),
    ("a.overlap.example.com", "", "none", [], False, ["PipelineNotFound"]),
    ("a.overlap.example.com", "", "none,overlap-1", ["overlap-1"], False, ["PipelineNotFound"]),
    ("a.overlap.example.com", "", "prod", [], False, ["OutsideDomainFilter"]),
    ("a.mine.example.com", "", "", ["mine"], False, []),
    ("a.mine.example.com", "mine", "", ["mine"], False, []),
    ("a.mine.example.com", "theirs", "", [], False, ["PipelineNotFound"]),
    ("a.prod.example.com", "prod", "", [], False, ["PipelineNotFound"]),
    ("a.mine.example.com", "", "mine", [], False, ["PipelineNotFound"]),
    ("a.broken.example.com", "", "", [], False, ["ZoneNotFound"]),
    ("a.twin.example.com", "", "twins", [], True, ["AmbiguousZone"]),
]


@pytest.mark.parametrize(("name", "providers", "cluster", "placed", "held", "reasons"), ROUTES)
@pytest.mark.spec(
    "ROUTE-GO-004",
    "ROUTE-GO-005",
    "ROUTE-GO-017",
    "ROUTE-RT-001",
    "ROUTE-RT-002",
    "ROUTE-RT-003",
    "ROUTE-RT-004",
    "ROUTE-RT-005",
    "ROUTE-RT-006",
    "ROUTE-RT-007",
    "ROUTE-RT-008",
    "ROUTE-RT-009",
    "ROUTE-RT-011",
    "ROUTE-RT-012",
    "ROUTE-ST-004",
    "ROUTE-ST-007",
)
def test_a_name_is_routed(
    name: str, providers: str, cluster: str, placed: list[str], held: bool, reasons: list[str]
) -> None:
    """Cases 41, 57, 58."""
    found = route(endpoint(name, providers=providers, cluster=cluster), TABLE)

    where = [
        one.zone.domain if one.pipeline.key.name == "nested" else one.pipeline.key.name for one in found.placements
    ]
    assert (where, found.held, [one.reason for one in found.findings]) == (placed, held, reasons)


@pytest.mark.spec("ROUTE-ST-005", "ROUTE-ST-013")
def test_contenders_are_named() -> None:
    found = route(endpoint("a.overlap.example.com"), TABLE)

    assert "ClusterDNSProvider overlap-1, ClusterDNSProvider overlap-2" in found.findings[0].note


@given(st.sampled_from([row[0] for row in ROUTES]), st.sampled_from(["apps", "other", "third"]))
@pytest.mark.spec("ROUTE-RT-010")
def test_pipelines_of_other_namespaces_change_nothing(name: str, namespace: str) -> None:
    reachable = table(*(one for key, one in TABLE.pipelines.items() if key.namespace in ("", namespace)))

    assert route(endpoint(name, namespace), TABLE) == route(endpoint(name, namespace), reachable)
