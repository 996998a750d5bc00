# ruff: noqa: D103 — the name of a test is the sentence that it proves
"""The example of the README: every record type and an ALIAS, within seconds, readable by any tool."""

from collections.abc import Iterator

import dns.message
import dns.query
import dns.rdatatype
import pytest

from e2e.pace import slowness
from e2e.stack import demo
from e2e.suite.cluster import Cluster

PROMISED_SECONDS = 5.0
ZONE = "quickstart.example.com."

EXPECTED = {
    (f"www.{ZONE}", "A"): {"192.0.2.10", "192.0.2.11"},
    (f"www.{ZONE}", "AAAA"): {"2001:db8::10"},
    (ZONE, "TXT"): {'"v=spf1 include:_spf.example.net ~all"'},
    (f"blog.{ZONE}", "CNAME"): {f"www.{ZONE}"},
    (ZONE, "MX"): {"10 mail1.example.net.", "20 mail2.example.net."},
    (ZONE, "CAA"): {'0 issue "letsencrypt.org"'},
    (f"labs.{ZONE}", "NS"): {"ns1.example.net.", "ns2.example.net."},
    (ZONE, "A"): {"ALIAS dualstack.quickstart-1234567890.us-east-1.elb.amazonaws.com."},
}


@pytest.fixture(scope="module")
def paces() -> list[float]:
    """Return how slow the machine was before the example and after it."""
    return []


@pytest.fixture(scope="module")
def result(cluster: Cluster, paces: list[float]) -> Iterator[demo.Result]:
    """Apply the example once for this file, and remove it afterwards."""
    manifests = demo.documents()
    paces.append(slowness())
    found = demo.run(cluster.kube, cluster.emulator, print)
    paces.append(slowness())
    yield found
    demo.remove(cluster.kube, manifests, print)
    assert cluster.zone_ids(ZONE.rstrip(".")) == []


def test_every_record_of_the_example_is_in_route_53_with_its_values(result: demo.Result) -> None:
    assert result.missing == ()
    found = {(row.name, row.type): set(row.values) for row in result.rows if row.type != "zone"}
    assert found == EXPECTED


def test_the_example_is_programmed_within_the_promised_time(
    result: demo.Result, cluster: Cluster, paces: list[float]
) -> None:
    insync = cluster.emulator.settings().insync_delay_seconds
    # The zone and its records are two changes, one after the other.
    assert result.seconds < PROMISED_SECONDS * max(paces) + 2 * insync


@pytest.mark.spec("CORE-ZS-002")
def test_the_zone_publishes_four_name_servers_and_carries_ownership_tags(result: demo.Result, cluster: Cluster) -> None:
    (zone,) = [one for one in demo.documents() if one["kind"] == "Zone"]
    zone_id = cluster.hosted_zone_id(zone)
    published = cluster.get(zone)["status"]["nameServers"]
    assert len(published) == 4
    assert sorted(published) == sorted(server.rstrip(".") for server in cluster.route53.name_servers(zone_id))
    assert cluster.route53.tags(zone_id) == {
        "appthrust.io/managed-by": "dns-api",
        "appthrust.io/zone-namespace": "dns-platform",
        "appthrust.io/zone-name": "quickstart",
        "appthrust.io/zone-class-namespace": "dns-platform",
        "appthrust.io/zone-class-name": "public",
        "example": "quickstart",
    }


def test_a_resolver_gets_the_records(result: demo.Result, cluster: Cluster) -> None:
    if not cluster.emulator.dns:
        pytest.skip("the emulator's DNS port is not known: DNS_ADDRESS is not set")
    query = dns.message.make_query(f"www.{ZONE}", dns.rdatatype.A)
    answer = dns.query.udp(query, "127.0.0.1", port=cluster.emulator.dns_port, timeout=30)
    assert {item.to_text() for rrset in answer.answer for item in rrset} == EXPECTED[(f"www.{ZONE}", "A")]
