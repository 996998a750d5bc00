"""Domain filters that meet draw warnings, within one scope only."""

import pytest

from libdnsapi.api.meta import JsonObject, ObjectKey
from tests.webhook.objects import cluster_dns_provider, creation, dns_provider, update
from webhook.validators import overlaps
from webhook.validators.overlaps import preview_cluster_overlaps, preview_overlaps
from webhook.validators.snapshot import KnownPipeline, Snapshot


def _other(*include: str, exclude: tuple[str, ...] = (), namespace: str = "", name: str = "other") -> KnownPipeline:
    return KnownPipeline(ObjectKey(namespace, name), name, include, exclude)


def _cluster(*include: str, exclude: tuple[str, ...] = ()) -> JsonObject:
    return cluster_dns_provider(spec__domainFilter={"include": [*include], "exclude": [*exclude]})


@pytest.mark.parametrize(
    ("mine", "other", "shared"),
    [
        (_cluster("example.com"), _other("example.com"), "example.com"),
        (_cluster("a.example.com"), _other("example.com"), "a.example.com"),
        (_cluster("example.com"), _other("a.example.com"), "a.example.com"),
        (_cluster(".example.com"), _other("example.com"), "example.com"),
        (_cluster("x.net", "example.com"), _other("y.net", "a.example.com"), "a.example.com"),
        (_cluster("example.com", exclude=("a.example.com",)), _other("a.example.com"), ""),
        (_cluster("example.com", exclude=("example.com",)), _other("a.example.com"), ""),
        (_cluster("a.example.com"), _other("example.com", exclude=("a.example.com",)), ""),
        (_cluster("a.example.com"), _other("example.com", exclude=("b.a.example.com",)), "a.example.com"),
        (_cluster("ample.com"), _other("example.com"), ""),
        (_cluster("a.example.com"), _other("b.example.com"), ""),
        (_cluster("example.com"), _other(), ""),
        (_cluster("example.com"), _other("example.com", namespace="app"), ""),
        (_cluster("example.com"), _other("example.com", name="prod"), ""),
        (cluster_dns_provider(spec__domainFilter=None), _other("example.com"), ""),
        (cluster_dns_provider(spec__type="nonsense"), _other("prod.example.com"), ""),
    ],
)
@pytest.mark.spec("ROUTE-ST-001")
def test_filters_meet_on_whole_labels_and_around_what_is_excluded(
    mine: JsonObject, other: KnownPipeline, shared: str
) -> None:
    answer = preview_cluster_overlaps(creation(mine), Snapshot(pipelines=(other,)))
    expected = (
        f"spec.domainFilter overlaps with that of ClusterDNSProvider other at {shared}: names in both are published by "
        "neither unless their source names one with the annotation external-dns.kubernetes.io/cluster-provider"
    )
    assert answer.allowed
    assert answer.warnings == ((expected,) if shared else ())


@pytest.mark.spec("ROUTE-ST-002")
def test_a_namespace_hears_of_its_own_pipelines_alone() -> None:
    known = (
        _other("app.example.com"),
        _other("app.example.com", namespace="stranger"),
        _other("app.example.com", namespace="app"),
    )
    warnings = preview_overlaps(creation(dns_provider()), Snapshot(pipelines=known)).warnings
    assert len(warnings) == 1
    assert "DNSProvider app/other at app.example.com" in warnings[0]
    assert warnings[0].endswith("external-dns.kubernetes.io/provider")


@pytest.mark.spec("ROUTE-ST-003")
def test_a_filter_that_stays_is_told_of_once() -> None:
    known = Snapshot(pipelines=(_other("prod.example.com"),))
    before = cluster_dns_provider()
    assert not preview_cluster_overlaps(update(before, cluster_dns_provider(spec__policy="sync")), known).warnings
    moved = cluster_dns_provider(spec__domainFilter={"include": ["a.prod.example.com"]})
    assert preview_cluster_overlaps(update(before, moved), known).warnings


@pytest.mark.spec("ROUTE-ST-001")
def test_up_to_five_are_named_and_very_many_only_sampled() -> None:
    known = tuple(_other("prod.example.com", name=f"p{number}") for number in range(overlaps.COMPARED + 10))
    warnings = preview_cluster_overlaps(creation(cluster_dns_provider()), Snapshot(pipelines=known)).warnings
    assert len(warnings) == overlaps.NAMED + 1
    assert warnings[-1] == f"spec.domainFilter overlaps with that of {overlaps.COMPARED - overlaps.NAMED} more"
