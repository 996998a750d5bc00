# ruff: noqa: D103 — the name of a test is the sentence that it proves
"""Sources end to end: routes and Services in, record sets in Route 53 out; an ExternalDNS deployment as one object."""

from collections.abc import Iterator

import pytest

from e2e.claims import DNS
from e2e.kube import Document
from e2e.polling import eventually
from e2e.route53.edits import RecordDocument, RecordEdits
from e2e.suite import manifests
from e2e.suite.cluster import Cluster
from e2e.suite.sources import EXTERNAL_DNS, GATEWAY, Implementer, document, hosted_zone
from e2e.suite.sources_examples import withdraw_managed

pytest_plugins = ("e2e.suite.sources_process",)
pytestmark = pytest.mark.usefixtures("sources")


@pytest.fixture
def asking(cluster: Cluster, team: str) -> Iterator[None]:
    """Take away what asks for records before the records are: they would come back otherwise."""
    yield
    for api_version, kind, name in ((GATEWAY, "HTTPRoute", "web"), ("v1", "Service", "svc")):
        if cluster.kube.find(api_version, kind, team, name) is not None:
            cluster.kube.delete(api_version, kind, team, name)
    eventually(lambda: not cluster.kube.list(DNS, "RecordSet", team), what="the end of all records")
    if cluster.kube.find(EXTERNAL_DNS, "ClusterDNSProvider", "", team) is not None:
        cluster.kube.delete(EXTERNAL_DNS, "ClusterDNSProvider", "", team)


@pytest.fixture
def zone(cluster: Cluster, team: str, domain: str, asking: None) -> Document:
    """Return a Zone of the test's own, with a pipeline of its namespace."""
    made = manifests.zone(team, "zone", domain)
    pipeline = {"type": "aws", "zones": {"refs": [{"name": "zone"}]}, "defaults": {"ttl": 60}}
    cluster.apply(made, document(EXTERNAL_DNS, "DNSProvider", team, "main", pipeline))
    cluster.programmed(made)
    return made


@pytest.mark.spec("GW-TG-010")
def test_a_route_is_published_follows_its_gateway_and_goes(cluster: Cluster, zone: Document, team: str) -> None:
    name = f"www.{zone['spec']['domainName']}"
    _put_gateway(cluster, team, "192.0.2.1")
    _put_route(cluster, team, name)
    _await(cluster, zone, {(f"{name}.", "A"): ("192.0.2.1",)})

    before = _last(cluster)
    _put_gateway(cluster, team, "lb.example.net")
    _await(cluster, zone, {(f"{name}.", "CNAME"): ("lb.example.net.",)})

    batches = [one for one in cluster.emulator.log(before) if one.hosted_zone_id == cluster.hosted_zone_id(zone)]
    assert [[change.action for change in one.changes] for one in batches] == [["DELETE", "CREATE"]]

    cluster.kube.delete(GATEWAY, "HTTPRoute", team, "web")
    _await(cluster, zone, {})


@pytest.mark.spec("GW-TG-009")
def test_a_gateway_that_loses_its_address_for_a_moment_loses_nothing(
    cluster: Cluster, zone: Document, team: str
) -> None:
    """Case 49."""
    name = f"www.{zone['spec']['domainName']}"
    _put_gateway(cluster, team, "192.0.2.1")
    _put_route(cluster, team, name)
    _await(cluster, zone, {(f"{name}.", "A"): ("192.0.2.1",)})
    before = _last(cluster)

    _put_gateway(cluster, team)
    _put_gateway(cluster, team, "192.0.2.2")
    _await(cluster, zone, {(f"{name}.", "A"): ("192.0.2.2",)})

    mine = [one for one in cluster.emulator.log(before) if one.hosted_zone_id == cluster.hosted_zone_id(zone)]
    assert [[change.action for change in one.changes] for one in mine] == [["DELETE", "CREATE"]]


@pytest.mark.spec("SRC-EP-024")
def test_a_load_balancer_becomes_an_alias(cluster: Cluster, zone: Document, team: str) -> None:
    target = "lb-1.us-east-1.elb.amazonaws.com"
    name = zone["spec"]["domainName"]
    asked = {"hostname": name, "target": target, "dualstack": "true"}
    cluster.apply(document("v1", "Service", team, "svc", {"ports": [{"port": 80}]}, **asked))

    _await(cluster, zone, {(f"{name}.", type_): (f"ALIAS {target}.",) for type_ in ("A", "AAAA")})


@pytest.fixture
def old_zone(cluster: Cluster, domain: str) -> Iterator[str]:
    """Yield the id of a hosted zone that was there before us."""
    made = hosted_zone(cluster.emulator.http, domain)
    yield made
    withdraw_managed(cluster)
    cluster.emulator.delete_zone(made)


@pytest.mark.spec("ROUTE-GO-025")
def test_one_object_takes_over_a_zone_without_a_change_at_aws(
    cluster: Cluster, team: str, domain: str, old_zone: str, asking: None
) -> None:
    """Migration: the hosted zone is found and adopted, equal records become ours, and nothing is called but reads."""
    zone_id = old_zone
    old = RecordDocument(name=f"www.{domain}.", type="A", ttl=300, values=("192.0.2.1",))
    cluster.emulator.edit(RecordEdits(hosted_zone_id=zone_id, put=(old,)))
    spec = {
        "type": "aws",
        "config": {"aws-account-id": cluster.account_id, "aws-region": "us-east-1"},
        "domainFilter": {"include": [domain]},
        "allowedNamespaces": {"selector": {"matchLabels": {"kubernetes.io/metadata.name": team}}},
        "allowedRecords": {},
        "adoption": "Matching",
    }
    before = _last(cluster)
    cluster.kube.apply(
        {"apiVersion": EXTERNAL_DNS, "kind": "ClusterDNSProvider", "metadata": {"name": team}, "spec": spec}
    )
    _put_gateway(cluster, team, "192.0.2.1")
    _put_route(cluster, team, f"www.{domain}")

    (record,) = eventually(
        lambda: cluster.kube.list(DNS, "RecordSet", team), lambda found: len(found) == 1, what="a RecordSet"
    )
    cluster.programmed({**record, "apiVersion": DNS, "kind": "RecordSet"})
    assert [one for one in cluster.emulator.log(before) if one.hosted_zone_id == zone_id] == []


def _await(cluster: Cluster, zone: Document, wanted: dict[tuple[str, str], tuple[str, ...]]) -> None:
    eventually(
        lambda: {key: one.shown() for key, one in cluster.records(zone).items()},
        lambda found: found == wanted,
        what=f"record sets {wanted}",
    )


def _last(cluster: Cluster) -> int:
    return max((batch.sequence for batch in cluster.emulator.log()), default=0)


def _put_gateway(cluster: Cluster, team: str, *addresses: str) -> None:
    listener = {"name": "http", "port": 80, "protocol": "HTTP"}
    made = document(GATEWAY, "Gateway", team, "gw", {"gatewayClassName": "x", "listeners": [listener]})
    cluster.apply(made)
    Implementer(cluster.kube, addresses).implement(made)


def _put_route(cluster: Cluster, team: str, *hosts: str) -> None:
    made = document(GATEWAY, "HTTPRoute", team, "web", {"parentRefs": [{"name": "gw"}], "hostnames": list(hosts)})
    cluster.apply(made)
    Implementer(cluster.kube).implement(made)
