"""Services, nodes, Ingresses and DNSEndpoints as bug reports on public DNS controllers describe them.

Each row names its report as owner/repository#number; names and addresses are replaced.
"""

from typing import Any

import pytest

from libdnsapi.api.meta import ResourceType
from tests.core_controller.sources.services import ELB, endpoint, named, service
from tests.core_controller.sources.world import (
    DNS_ENDPOINTS,
    ENDPOINT_SLICES,
    INGRESSES,
    NODES,
    PREFIX,
    SERVICES,
    Document,
    World,
)

ED = "kubernetes-sigs/external-dns"
Puts = list[tuple[ResourceType, Document]]
NODE_PORT: Document = {"type": "NodePort", "clusterIP": "10.0.0.1"}
LOCAL: Document = {**NODE_PORT, "externalTrafficPolicy": "Local"}
HEADLESS: Document = {"type": "ClusterIP", "clusterIP": "None"}


def node(name: str, address: str, *, ready: str = "True", cordoned: bool = False, **more: str) -> Document:
    listed = [{"type": "ExternalIP", "address": address}, *({"type": t, "address": a} for t, a in more.items())]
    status = {"addresses": listed, "conditions": [{"type": "Ready", "status": ready}]}
    return {"metadata": {"name": name}, "spec": {"unschedulable": cordoned}, "status": status}


async def published(world: World, puts: Puts) -> dict[str, list[str]]:
    """Return what is published of these objects once the sources have started."""
    for resource, document in puts:
        world.put(resource, document)
    await world.start()
    return world.records()


def slice_of(*pods: tuple[str, str, bool], name: str = "s", service_name: str = "svc", host: str = "") -> Document:
    """Return the pods of a Service: address, node and whether it is ready."""
    named_too = {"hostname": host} if host else {}
    endpoints: list[dict[str, Any]] = [
        {"addresses": [address], "nodeName": where, "conditions": {"ready": ready}, **named_too}
        for address, where, ready in pods
    ]
    labels = {"kubernetes.io/service-name": service_name}
    return {
        "metadata": {"name": name, "namespace": "apps", "labels": labels},
        "addressType": "IPv4",
        "endpoints": endpoints,
    }


def other(made: Document, name: str = "other") -> Document:
    return {**made, "metadata": {**made["metadata"], "name": name}}


def ingress(*hosts: str, tls: tuple[str, ...] = (), at: list[Document] | None = None, **annotations: str) -> Document:
    given = {PREFIX + key.replace("_", "-"): text for key, text in annotations.items()}
    return {
        "metadata": {"name": "web", "namespace": "apps", "annotations": given},
        "spec": {"rules": [{"host": host} for host in hosts], "tls": [{"hosts": list(tls)}]},
        "status": {"loadBalancer": {"ingress": at if at is not None else [{"ip": "192.0.2.7"}]}},
    }


ONE, TWO = node("n1", "198.51.100.1"), node("n2", "198.51.100.2")
BOTH = ["198.51.100.1", "198.51.100.2"]
NODE_REPORTS: list[tuple[str, Puts, dict[str, list[str]]]] = [
    (f"{ED}#1742", [(NODES, ONE), (NODES, TWO), (SERVICES, service(named(), spec=LOCAL)),
        (ENDPOINT_SLICES, slice_of(("10.1.0.1", "n1", True), ("10.1.0.2", "n1", True)))], {"apps/a A": BOTH[:1]}),
    (f"{ED}#6270", [(NODES, ONE), (NODES, TWO), (SERVICES, service(named(), spec=LOCAL)),
        (ENDPOINT_SLICES, slice_of(("10.1.0.1", "n1", False), ("10.1.0.2", "n1", True), ("10.1.0.3", "n2", True)))],
        {"apps/a A": BOTH}),
    (f"{ED}#2704", [(NODES, ONE), (NODES, TWO), (SERVICES, service(named(), spec=LOCAL)),
        (ENDPOINT_SLICES, slice_of(("10.1.0.1", "n1", False), ("10.1.0.3", "n2", True)))], {"apps/a A": BOTH[1:]}),
    (f"{ED}#5669", [(NODES, node("n1", BOTH[0], ready="Unknown")), (NODES, TWO),
        (SERVICES, service(named(), spec=NODE_PORT))], {"apps/a A": BOTH[1:]}),
    (f"{ED}#1210", [(NODES, node("n1", BOTH[0], ready="False")), (NODES, node("n2", BOTH[1], cordoned=True)),
        (SERVICES, service(named(), spec=NODE_PORT))], {"apps/a A": BOTH[1:]}),
    (f"{ED}#4991", [(NODES, node("n1", BOTH[0], ready="False")), (NODES, node("n2", BOTH[1], ready="Unknown")),
        (SERVICES, service(named(), spec=NODE_PORT))], {"apps/a A": BOTH}),
    (f"{ED}#5651", [(NODES, node("n1", BOTH[0], InternalIP="2001:db8::1")),
        (SERVICES, service(named(), spec=NODE_PORT))], {"apps/a A": BOTH[:1]}),
    (f"{ED}#3104", [(NODES, node("n1", "2001:db8::1")), (SERVICES, service(named(), spec=NODE_PORT))],
        {"apps/a AAAA": ["2001:db8::1"]}),
    (f"{ED}#919", [(NODES, ONE), (SERVICES, service(named(), spec={**NODE_PORT, "externalIPs": ["203.0.113.4"]}))],
        {"apps/a A": ["203.0.113.4"]}),
]  # fmt: skip


@pytest.mark.parametrize(("report", "puts", "records"), NODE_REPORTS, ids=[row[0] for row in NODE_REPORTS])
@pytest.mark.spec("SRC-EP-048", "SRC-EP-045")
async def test_the_addresses_of_nodes_are_those_that_answer(
    world: World, report: str, puts: Puts, records: dict[str, list[str]]
) -> None:
    assert await published(world, puts) == records, report


POD = slice_of(("10.1.0.1", "n1", True))
POD_REPORTS: list[tuple[str, Puts, dict[str, list[str]]]] = [
    (f"{ED}#4282", [(SERVICES, service(named(), spec=HEADLESS)), (SERVICES, other(service(named(), spec=HEADLESS))),
        (ENDPOINT_SLICES, POD), (ENDPOINT_SLICES, slice_of(("10.1.0.1", "n1", True), name="t", service_name="other"))],
        {"apps/a A": ["10.1.0.1"]}),
    (f"{ED}#549", [(SERVICES, service(named(), spec=HEADLESS)),
        (ENDPOINT_SLICES, slice_of(("10.1.0.1", "n1", True), ("10.1.0.2", "n2", True), host="db"))],
        {"apps/a A": ["10.1.0.1", "10.1.0.2"], "apps/db.a A": ["10.1.0.1", "10.1.0.2"]}),
    (f"{ED}#878", [(SERVICES, service(named(), spec=HEADLESS)),
        (ENDPOINT_SLICES, slice_of(("10.1.0.1", "n1", True), ("10.1.0.2", "n2", False)))], {"apps/a A": ["10.1.0.1"]}),
    (f"{ED}#1005", [(SERVICES, service(named(), spec={**HEADLESS, "publishNotReadyAddresses": True})),
        (ENDPOINT_SLICES, slice_of(("10.1.0.2", "n2", False)))], {"apps/a A": ["10.1.0.2"]}),
    (f"{ED}#1929", [(SERVICES, service(named(), spec={**HEADLESS, "externalIPs": ["203.0.113.4", "203.0.113.4"]})),
        (ENDPOINT_SLICES, POD)], {"apps/a A": ["203.0.113.4"]}),
]  # fmt: skip


@pytest.mark.parametrize(("report", "puts", "records"), POD_REPORTS, ids=[row[0] for row in POD_REPORTS])
@pytest.mark.spec("SRC-EP-001", "SRC-EP-002")
async def test_the_addresses_of_pods_are_each_there_once(
    world: World, report: str, puts: Puts, records: dict[str, list[str]]
) -> None:
    assert await published(world, puts) == records, report


ALIAS = [f"alias {ELB}."]
CLUSTER_IP: Document = {"type": "ClusterIP", "clusterIP": "10.0.0.1"}
TARGET_REPORTS: list[tuple[str, Puts, dict[str, list[str]], set[str]]] = [
    # report, objects, what is published, warnings
    (f"{ED}#1995", [(INGRESSES, ingress("a.example.com", at=[{"hostname": ELB}])),
        (INGRESSES, other(ingress("a.example.com", at=[{"hostname": ELB}])))], {"apps/a A": ALIAS}, set()),
    (f"{ED}#5664", [(SERVICES, service(named())), (SERVICES, other(service(named())))],
        {"apps/a A": ["192.0.2.7"]}, set()),
    (f"{ED}#2346", [(SERVICES, service(named())), (SERVICES, other(service(named(), {"ip": "192.0.2.8"})))],
        {"apps/a A": ["192.0.2.7", "192.0.2.8"]}, set()),
    (f"{ED}#3951", [(INGRESSES, ingress("a.example.com", "a.example.com", tls=("a.example.com",),
        at=[{"ip": "192.0.2.7"}, {"ip": "2001:db8::1"}]))],
        {"apps/a A": ["192.0.2.7"], "apps/a AAAA": ["2001:db8::1"]}, set()),
    (f"{ED}#689", [(INGRESSES, ingress("a.example.com", at=[{"ip": "192.0.2.9"}, {"ip": "192.0.2.7"}]))],
        {"apps/a A": ["192.0.2.7", "192.0.2.9"]}, set()),
    (f"{ED}#4185", [(INGRESSES, ingress("a.example.com", target="x.example.net")),
        (INGRESSES, other(ingress("a.example.com")))], {"apps/a A": ["192.0.2.7"]}, {"RecordTypesConflict"}),
    (f"{ED}#5277", [(SERVICES, service(named(target="x.example.net")))], {"apps/a CNAME": ["x.example.net"]}, set()),
    (f"{ED}#1906", [(INGRESSES, ingress("a.example.com", target="UpperCase.Example.NET"))],
        {"apps/a CNAME": ["uppercase.example.net"]}, set()),
    (f"{ED}#1275", [(SERVICES, service(named(target="198.51.100.9"), spec=CLUSTER_IP))],
        {"apps/a A": ["198.51.100.9"]}, set()),
    (f"{ED}#403", [(SERVICES, service(named(), spec=CLUSTER_IP))], {}, {"NoTarget"}),
    ("gardener/external-dns-management#107", [(SERVICES, service({"internal-hostname": "a.example.com"},
        spec=CLUSTER_IP))], {"apps/a A": ["10.0.0.1"]}, set()),
    (f"{ED}#861", [(SERVICES, service(named(), spec={"type": "ExternalName", "externalName": "x.example.net."}))],
        {"apps/a CNAME": ["x.example.net"]}, set()),
    ("coredns/coredns#2324", [(SERVICES, service(named(), spec={"type": "ExternalName", "externalName": "192.0.2.5"}))],
        {"apps/a A": ["192.0.2.5"]}, set()),
    (f"{ED}#4007", [(SERVICES, service(named(), spec={"type": "ExternalName", "externalName": "x.example.net",
        "externalIPs": ["203.0.113.4"]}))], {"apps/a A": ["203.0.113.4"]}, set()),
    ("linode/linode-cloud-controller-manager#358", [(SERVICES, service(named(),
        {"hostname": "192-0-2-7.ip.example.net", "ip": "192.0.2.7"}))], {"apps/a A": ["192.0.2.7"]},
        {"RecordTypesConflict"}),
    (f"{ED}#3599", [(SERVICES, service({"hostname": "my_app.example.com"})), (SERVICES, other(service(named())))],
        {"apps/a A": ["192.0.2.7"]}, {"InvalidHostname"}),
    (f"{ED}#1872", [(INGRESSES, ingress("foo", "a.example.com", ttl="60"))], {"apps/a A": ["192.0.2.7"]},
        {"NoPipeline"}),
    (f"{ED}#6192", [(INGRESSES, ingress("a.example.com", hostname="b.example.com")),
        (INGRESSES, other(ingress("a.example.com", hostname="c.example.com")))],
        {"apps/a A": ["192.0.2.7"], "apps/b A": ["192.0.2.7"], "apps/c A": ["192.0.2.7"]}, set()),
    (f"{ED}#4805", [(INGRESSES, ingress("a.example.com", "b.example.com", hostname="a.example.com",
        ingress_hostname_source="annotation-only"))], {"apps/a A": ["192.0.2.7"]}, set()),
    (f"{ED}#1668", [(DNS_ENDPOINTS, endpoint("A", "192.0.2.1", dnsName="android-tv")),
        (DNS_ENDPOINTS, other(endpoint("A", "192.0.2.1")))], {"apps/a A": ["192.0.2.1"]}, {"NoPipeline"}),
    (f"{ED}#5809", [(DNS_ENDPOINTS, endpoint("AAAA", "x.example.net")),
        (DNS_ENDPOINTS, other(endpoint("A", "192.0.2.1", dnsName="b.example.com")))], {"apps/b A": ["192.0.2.1"]},
        {"InvalidTarget"}),
    (f"{ED}#6218", [(DNS_ENDPOINTS, endpoint("CNAME", "x.example.net."))], {"apps/a CNAME": ["x.example.net"]}, set()),
    (f"{ED}#1106", [(DNS_ENDPOINTS, endpoint("A", "192.0.2.1."))], {"apps/a A": ["192.0.2.1"]}, set()),
    (f"{ED}#1647", [(DNS_ENDPOINTS, endpoint("TXT", "test"))], {"apps/a TXT": ["test"]}, set()),
    (f"{ED}#3361", [(INGRESSES, ingress("*.example.com", "example.com"))],
        {"apps/* A": ["192.0.2.7"], "apps/@ A": ["192.0.2.7"]}, set()),
]  # fmt: skip


@pytest.mark.parametrize(("report", "puts", "records", "told"), TARGET_REPORTS, ids=[row[0] for row in TARGET_REPORTS])
@pytest.mark.spec("SRC-EP-029", "SRC-EP-049")
async def test_an_object_is_published_or_told_and_stops_no_other(
    world: World, report: str, puts: Puts, records: dict[str, list[str]], told: set[str]
) -> None:
    world.install(DNS_ENDPOINTS)
    for resource, document in puts:
        world.put(resource, document)
    await world.start()
    writes = world.recordset_writes()
    await world.settle(60)

    assert world.records() == records, report
    assert {reason for _, reason in world.events()} - {"RecordSetCreated"} == told
    assert world.recordset_writes() == writes


@pytest.mark.spec("SRC-EP-048")
async def test_heartbeats_of_nodes_cost_no_look_at_a_service(world: World) -> None:
    """kubernetes-sigs/external-dns#2687: nodes change all the time, and what of them counts does not."""
    world.put(NODES, ONE)
    world.put(SERVICES, service(named(), spec=NODE_PORT))
    await world.start()
    sample = world.manager.metrics.registry.get_sample_value
    looks = {"controller": "sources-objects", "result": "success"}
    before = sample("controller_runtime_reconcile_total", looks)

    for second in range(3):
        beating = {**ONE["status"]["conditions"][0], "lastHeartbeatTime": f"2026-01-01T00:00:0{second}Z"}
        world.put(NODES, {**ONE, "status": {**ONE["status"], "conditions": [beating]}})
        await world.settle()

    assert before
    assert sample("controller_runtime_reconcile_total", looks) == before
