# ruff: noqa: D103 — the name of a test is the sentence that it proves
"""Sources end to end: routes and Services in, record sets in Route 53 out; an ExternalDNS deployment as one object."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import botocore.session
import pytest

from e2e.claims import DNS
from e2e.conditions import has_condition
from e2e.gateway import GatewayApiMissingError, definition_files
from e2e.kube import Document, Kube, load_documents
from e2e.polling import eventually
from e2e.route53.edits import RecordDocument, RecordEdits
from e2e.stack import Stack
from e2e.stack.layout import DUMMY_CREDENTIALS, SYSTEM_NAMESPACE
from e2e.suite import manifests
from e2e.suite.cluster import Cluster

GATEWAY = "gateway.networking.k8s.io/v1"
EXTERNAL_DNS = "externaldns.k8s.io/v1alpha1"
CRD = "apiextensions.k8s.io/v1"
SINCE = "2026-01-01T00:00:00Z"
PREFIX = "external-dns.kubernetes.io/"
GRACE_SECONDS = 5


@pytest.fixture(scope="module", autouse=True)
def sources(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Run the sources controller beside the local stack with its own account, and the Gateway API installed."""
    if not os.environ.get("DNSAPI_STACK"):
        pytest.skip("not a local stack: DNSAPI_STACK is not set")
    plane = Stack.open(Path(os.environ["DNSAPI_STACK"])).control_plane
    try:
        files = definition_files()
    except GatewayApiMissingError as missing:
        pytest.skip(str(missing))
    for definition in cluster.kube.apply_all(one for file in files for one in load_documents(file.read_text())):
        _established(cluster.kube, definition["metadata"]["name"])
    folder = tmp_path_factory.mktemp("sources")
    log = folder / "log"
    kubeconfig = plane.kubeconfig_for(SYSTEM_NAMESPACE, "dnsapi-sources", folder / "kubeconfig")
    options = ["--controllers", "sources", "--lease-namespace", SYSTEM_NAMESPACE]
    options += ["--health-host", "127.0.0.1", "--health-port", "0"]
    options += ["--gateway-address-grace", str(GRACE_SECONDS), "--pipeline-namespace", manifests.PLATFORM]
    with log.open("wb") as file:
        command = [sys.executable, "-m", "core_controller", "--kubeconfig", str(kubeconfig), *options]
        process = subprocess.Popen(command, stderr=file)  # noqa: S603 — ours
        try:
            yield
            assert process.poll() is None, log.read_text()[-2000:]
        finally:
            process.kill()
            process.wait()


def _established(kube: Kube, name: str) -> None:
    def look() -> bool:
        return has_condition(kube.get(CRD, "CustomResourceDefinition", "", name), "Established")

    eventually(look, bool, what=f"{name} established")


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
    cluster.apply(made, _document(EXTERNAL_DNS, "DNSProvider", team, "main", spec=pipeline))
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
    annotations = {f"{PREFIX}hostname": name, f"{PREFIX}target": target, f"{PREFIX}dualstack": "true"}
    service = _document("v1", "Service", team, "svc", spec={"ports": [{"port": 80}]})
    service["metadata"]["annotations"] = annotations
    cluster.apply(service)

    _await(cluster, zone, {(f"{name}.", type_): (f"ALIAS {target}.",) for type_ in ("A", "AAAA")})


@pytest.mark.usefixtures("asking")
@pytest.mark.spec("ROUTE-GO-025")
def test_one_object_takes_over_a_zone_without_a_change_at_aws(cluster: Cluster, team: str, domain: str) -> None:
    """Migration: the hosted zone is found and adopted, equal records become ours, and nothing is called but reads."""
    zone_id = _hosted_zone(domain)
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
        within=45,
        what=f"record sets {wanted}",
    )


def _last(cluster: Cluster) -> int:
    return max((batch.sequence for batch in cluster.emulator.log()), default=0)


def _hosted_zone(domain: str) -> str:
    """Create a hosted zone as somebody did long ago."""
    client = botocore.session.Session().create_client(
        "route53",
        region_name="us-east-1",
        endpoint_url=os.environ["ROUTE53_EMULATOR_URL"],
        aws_access_key_id=DUMMY_CREDENTIALS["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=DUMMY_CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
    )
    answer = client.create_hosted_zone(Name=domain, CallerReference=uuid4().hex)
    return str(answer["HostedZone"]["Id"]).rpartition("/")[2]


def _put_gateway(cluster: Cluster, team: str, *addresses: str) -> None:
    listener = {"name": "http", "port": 80, "protocol": "HTTP"}
    made = _document(GATEWAY, "Gateway", team, "gw", spec={"gatewayClassName": "x", "listeners": [listener]})
    cluster.apply(made)
    listed = [{"type": "IPAddress" if one[0].isdigit() else "Hostname", "value": one} for one in addresses]
    _put_status(cluster, made, {"addresses": listed})


def _put_route(cluster: Cluster, team: str, *hosts: str) -> None:
    spec = {"parentRefs": [{"name": "gw"}], "hostnames": list(hosts)}
    made = _document(GATEWAY, "HTTPRoute", team, "web", spec=spec)
    cluster.apply(made)
    accepted = {"type": "Accepted", "status": "True", "reason": "Accepted", "message": "", "lastTransitionTime": SINCE}
    parent = {"parentRef": {"name": "gw"}, "controllerName": "example.net/gw", "conditions": [accepted]}
    _put_status(cluster, made, {"parents": [parent]})


def _put_status(cluster: Cluster, document: Document, status: Document) -> None:
    live = cluster.get(document)
    metadata = document["metadata"]
    path = cluster.kube.path(document["apiVersion"], document["kind"], metadata["namespace"], metadata["name"])
    cluster.kube.request("PUT", f"{path}/status", {**live, "status": status})


def _document(api_version: str, kind: str, namespace: str, name: str, *, spec: Document) -> Document:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"namespace": namespace, "name": name}, "spec": spec}
