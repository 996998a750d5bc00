"""Objects that anybody may write, made to do harm to others: they reach nothing beyond their own namespace."""

from collections.abc import Container
from datetime import timedelta
from typing import Any

import pytest

from core_controller.sources.annotations import Annotations
from core_controller.sources.board import Board
from core_controller.sources.endpoints import Evaluation, Hold, SourceKey
from core_controller.sources.measures import Measures
from core_controller.sources.news import News
from core_controller.sources.pipelines import hashed
from core_controller.sources.recordsets import HostKey
from core_controller.sources.source_mappers import SourceMappers
from core_controller.sources.source_reconciler import SourceReconciler
from core_controller.sources.target_from import declared_targets, parse_reference
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.externaldns.dnsprovider import CLUSTER_DNS_PROVIDERS
from libdnsapi.api.externaldns.names import (
    CONTRIBUTORS_ANNOTATION,
    HOSTNAME_ANNOTATION,
    MANAGED_BY,
    MANAGED_BY_LABEL,
    PIPELINE_ANNOTATION,
    PIPELINE_LABEL,
)
from libdnsapi.api.meta import ObjectKey, PartialObject
from libdnsapi.runtime.events import EventRecorder, Reporter
from libdnsapi.runtime.metrics import Metrics
from tests.core_controller.sources.test_managed import SPEC as MANAGED
from tests.core_controller.sources.world import DNS_ENDPOINTS, GATEWAYS, HTTP_ROUTES, World, gateway, http_route
from tests.fakes.clock import FakeClock
from tests.fakes.kubernetes import FakeKubernetes

WEB = SourceKey("HTTPRoute", "apps", "web")


@pytest.mark.spec("ROUTE-CO-015")
async def test_a_ttl_beyond_all_numbers_stops_nobodys_withdrawal(world: World) -> None:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route("good", hosts=("good.example.com",)))
    world.put(HTTP_ROUTES, http_route("evil", "default", ("e.example.com",), annotations={"ttl": "9" * 400 + "h"}))
    await world.start()
    assert set(world.records()) == {"apps/good A", "default/e A"}

    await world.delete(HTTP_ROUTES, "apps", "good")
    await world.settle(10)

    assert set(world.records()) == {"default/e A"}
    assert ("HTTPRoute/evil", "InvalidTTL") in world.events()


class Broken:
    """An adapter that meets a fault of ours in every object."""

    kind = "HTTPRoute"
    watch_seen = True

    def find(self, key: ObjectKey) -> PartialObject | None:
        return None

    def evaluate(self, key: ObjectKey, *, lapsed: Container[Hold]) -> Evaluation | None:
        raise ZeroDivisionError


@pytest.mark.spec("ROUTE-CO-015")
async def test_an_object_that_meets_a_fault_of_ours_holds_its_own_records_and_no_others() -> None:
    clock, board, metrics = FakeClock(), Board(), Metrics()
    board.expect(WEB)
    recorder = EventRecorder(FakeKubernetes(clock), Reporter("dns.appthrust.io/test", "test"), clock)
    reconciler = SourceReconciler(
        adapters={"HTTPRoute": Broken()},
        board=board,
        news=News(recorder, lambda _: None, Measures(metrics.registry)),
        published=lambda _: (),
        enqueue=lambda _host, _delay: None,
        clock=clock,
        grace=timedelta(minutes=5),
    )

    with pytest.raises(ZeroDivisionError):
        await reconciler.reconcile(WEB)

    assert not board.has_fresh
    assert board.is_held(WEB, HostKey("apps", "web.example.com"))


@pytest.mark.spec("ROUTE-CO-015")
def test_an_object_that_does_not_fit_its_model_is_waited_for_like_all_others() -> None:
    """It changes unheard: without it in the count its records would go before it is looked at and held."""
    board = Board()
    queued: list[SourceKey] = []
    mappers = SourceMappers(board, [], {}, queued.append, lambda: None)

    mappers.seen("HTTPRoute", [ObjectKey("apps", "web")])

    assert queued == [WEB]
    assert board.has_fresh


@pytest.mark.spec("ROUTE-CO-015")
async def test_an_object_that_does_not_fit_its_model_is_told_so_and_fails_no_pass(world: World) -> None:
    """The event was looked up in what could not be read, and the pass failed with it."""
    world.install(DNS_ENDPOINTS)
    entry = {"dnsName": "a.example.com", "recordType": "A", "targets": 7}
    world.put(DNS_ENDPOINTS, {"metadata": {"name": "e", "namespace": "apps"}, "spec": {"endpoints": [entry]}})
    await world.start()

    assert ("DNSEndpoint/e", "Unreadable") in world.events()
    labels = {"controller": "sources-objects"}
    assert world.manager.metrics.registry.get_sample_value("controller_runtime_reconcile_errors_total", labels) == 0


def forged(contributors: str) -> dict[str, Any]:
    """Return a RecordSet that a person of namespace `default` has made look like ours."""
    return {
        "metadata": {
            "name": "forged",
            "namespace": "default",
            "labels": {MANAGED_BY_LABEL: MANAGED_BY},
            "annotations": {
                CONTRIBUTORS_ANNOTATION: contributors,
                PIPELINE_ANNOTATION: "ClusterDNSProvider/gone",
                HOSTNAME_ANNOTATION: "f.example.com",
            },
        },
        "spec": {
            "zoneRef": {"namespace": "dns", "name": "example-com"},
            "provider": {"name": "route53.dns.appthrust.io", "version": "v1alpha1"},
            "type": "A",
            "name": "f",
            "a": {"addresses": ["192.0.2.9"]},
        },
    }


@pytest.mark.parametrize("contributors", ["HTTPRoute/apps/web", "nonsense", "a/b", "///", "HTTPRoute/apps/web/more"])
@pytest.mark.spec("ROUTE-CO-014")
async def test_a_forged_record_set_is_told_on_no_object_of_another_namespace(world: World, contributors: str) -> None:
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.example.com",)))
    world.put(RECORD_SETS, forged(contributors))
    await world.start()
    condition = {
        "type": "Programmed",
        "status": "False",
        "reason": "ProviderInvalidRequest",
        "message": "call 555 0100 and pay",
        "lastTransitionTime": "2026-01-01T00:00:00Z",
    }
    key = ObjectKey("default", "forged")
    await world.api.merge_patch(RECORD_SETS, key, {"status": {"conditions": [condition]}}, subresource="status")
    await world.settle()

    assert "call 555" not in world.notes()
    assert world.records()["apps/www A"] == ["192.0.2.1"]


@pytest.mark.parametrize("zone_name", ["prod.example.com", "www.prod.example.com"])
@pytest.mark.spec("ROUTE-CO-014")
async def test_a_zone_that_a_tenant_labels_as_a_cluster_pipelines_is_not_taken_for_one(
    world: World, zone_name: str
) -> None:
    """Neither does it make others' names ambiguous nor draw them into itself."""
    await world.delete(CLUSTER_DNS_PROVIDERS, "", "main")
    world.settings = world.settings.model_copy(update={"pipeline_namespace": "infra"})
    label = {PIPELINE_LABEL: hashed("ClusterDNSProvider/prod"), MANAGED_BY_LABEL: MANAGED_BY}
    for namespace, domain in (("infra", "prod.example.com"), ("default", zone_name)):
        world.zone(domain, "theirs", namespace)
        zone = world.api.read(ZONES, ObjectKey(namespace, "theirs"))
        assert zone is not None
        world.put(ZONES, {**zone, "metadata": {**zone["metadata"], "labels": label}})
    world.put(CLUSTER_DNS_PROVIDERS, {"metadata": {"name": "prod"}, "spec": MANAGED})
    world.put(GATEWAYS, gateway())
    world.put(HTTP_ROUTES, http_route(hosts=("www.prod.example.com",)))
    await world.start()

    assert [one["spec"]["zoneRef"] for one in world.record_sets()] == [{"namespace": "infra", "name": "theirs"}]


@pytest.mark.parametrize(
    "reference",
    [
        "route53identities.route53.dns.appthrust.io/dns/main#{{ .spec.accountID }}.evil.example.net",
        "clusterdnsproviders.externaldns.k8s.io/main#{{ .metadata.name }}.evil.example.net",
        "dnsproviders.externaldns.k8s.io/dns/main#{{ .metadata.name }}.evil.example.net",
        "zones.dns.appthrust.io/dns/main#{{ .metadata.name }}.evil.example.net",
        "recordsets.dns.appthrust.io/dns/main#{{ .spec.cname.target }}",
        "namespaces/dns#{{ .metadata.name }}.evil.example.net",
        "customresourcedefinitions.apiextensions.k8s.io/x#{{ .metadata.name }}",
    ],
)
@pytest.mark.spec("TF-SE-008")
def test_target_from_reads_nothing_that_the_controller_reads_for_itself(reference: str) -> None:
    """The account reads these to route and to manage; a template would tell a tenant what stands in them."""
    looked: list[object] = []
    annotations = Annotations({"external-dns.kubernetes.io/target-from": reference})

    found = declared_targets(annotations, lambda one: looked.append(one) or {})  # type: ignore[func-returns-value]

    assert isinstance(parse_reference(reference), Hold)
    assert isinstance(found, Hold)
    assert "never read" in found.note
    assert not found.expires
    assert not looked
