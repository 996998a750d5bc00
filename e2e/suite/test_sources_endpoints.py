# ruff: noqa: D103 — the name of a test is the sentence that it proves
"""DNSEndpoint objects of ExternalDNS end to end, with its own definition: manifests need no rewrite."""

import pytest

from e2e.externaldns import definitions
from e2e.kube import Document
from e2e.polling import eventually
from e2e.stack import installation
from e2e.suite.cluster import Cluster
from e2e.suite.sources import EXTERNAL_DNS, document
from e2e.suite.sources_examples import Applied, Records, await_records
from e2e.toolchain.gomodule import ModuleMissingError

pytest_plugins = ("e2e.suite.sources_process",)
pytestmark = pytest.mark.usefixtures("sources", "zone")

TYPES = [
    # recordType, targets, as Route 53 shows them
    ("A", ["192.0.2.1", "192.0.2.2"], ("192.0.2.1", "192.0.2.2")),
    ("AAAA", ["2001:db8::1"], ("2001:db8::1",)),
    ("CNAME", ["Other.Example.net."], ("other.example.net",)),
    ("TXT", ["v=spf1 -all"], ('"v=spf1 -all"',)),
    ("MX", ["10 mail.example.net"], ("10 mail.example.net",)),
    ("CAA", ['0 issue "ca.example.net"'], ('0 issue "ca.example.net"',)),
    ("NS", ["ns1.example.net"], ("ns1.example.net",)),
]


@pytest.fixture(scope="module", autouse=True)
def dnsendpoints(cluster: Cluster) -> None:
    """Install ExternalDNS's kind."""
    try:
        installation.definitions(cluster.kube, definitions())
    except ModuleMissingError as missing:
        pytest.skip(str(missing))


def entry(name: str, type_: str, targets: list[str], **more: object) -> Document:
    return {"dnsName": name, "recordType": type_, "targets": targets, "recordTTL": 120, **more}


@pytest.mark.spec("SRC-EP-008")
def test_entries_of_all_types_are_published_and_a_refused_one_stops_no_other(
    cluster: Cluster, applied: Applied, team: str, domain: str
) -> None:
    entries = [entry(f"{type_.lower()}.{domain}", type_, targets) for type_, targets, _ in TYPES]
    entries.append(entry(f"srv.{domain}", "SRV", ["0 0 80 host.example.net"]))
    entries.append(entry(f"weighted.{domain}", "A", ["192.0.2.3"], setIdentifier="one"))
    made = document(EXTERNAL_DNS, "DNSEndpoint", team, "all", {"endpoints": entries})
    applied.apply(made)
    written = cluster.get(made)

    wanted: Records = {(f"{type_.lower()}.{domain}", type_): (120, shown) for type_, _, shown in TYPES}
    await_records(cluster, {domain: wanted})
    eventually(
        lambda: {one["reason"] for one in cluster.kube.list("events.k8s.io/v1", "Event", team)},
        lambda reasons: {"RecordTypeNotSupported", "RoutingPolicyNotSupported"} <= reasons,
        what="events about the two refused entries",
    )
    assert cluster.get(made) == written, "an object of others is never written"

    cluster.delete(made)
    await_records(cluster, {domain: {}})
