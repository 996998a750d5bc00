# ruff: noqa: D103 — the name of a test is the sentence that it proves
"""Every example of sources applied on the local stack gives what the table beside it promises, and goes again."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import dns.message
import dns.query
import dns.rcode
import pytest

from e2e.claims import DNS
from e2e.kube import Document
from e2e.polling import eventually
from e2e.route53.edits import BatchDocument
from e2e.stack import ROUTE53 as ROUTE53_SERVICE
from e2e.stack import Stack
from e2e.stack.layout import DUMMY_CREDENTIALS
from e2e.suite import manifests, sources_examples
from e2e.suite.cluster import Cluster
from e2e.suite.sources import Implementer, balanced, document, hosted_zone
from e2e.suite.sources_examples import Applied, await_records, load, promised, published, zone
from e2e.toolchain import daemons

pytest_plugins = ("e2e.suite.sources_process",)
pytestmark = pytest.mark.usefixtures("sources", "platform")

ACCOUNTS = {
    "111122223333": "prod.example.com",
    "444455556666": "internal.prod.example.com",
    "777788889999": "staging.example.com",
}
TENANT_ACCOUNT = "222233334444"
ENOUGH_ANSWERS = 50


@pytest.fixture(scope="module")
def platform(cluster: Cluster) -> None:
    """Have what every example needs: namespaces, an identity and the class `public`."""
    for one in cluster.apply(*sources_examples.platform(cluster.account_id)):
        if one["kind"] == "ZoneClass":
            cluster.having(one, "Accepted", "True/Accepted")


@pytest.fixture
def applied(cluster: Cluster) -> Iterator[Applied]:
    """Yield the way to apply things; all goes again, whatever the test came to."""
    found = Applied(cluster)
    yield found
    found.withdraw()
    cluster.emulator.settings(accounts={}, roles={}, strictRoles=False, strictCredentials=False)


def load_balancer(namespace: str, host: str, name: str = "svc") -> Document:
    spec = {"type": "LoadBalancer", "ports": [{"port": 80}]}
    return document("v1", "Service", namespace, name, spec, hostname=host)


def _needs_shared_load_balancer(applied: Applied) -> None:
    shared = document("v1", "Service", "ingress", "shared", {"type": "LoadBalancer", "ports": [{"port": 80}]})
    applied.apply(shared)
    status = {"loadBalancer": {"ingress": [{"hostname": "lb.example.net"}, {"ip": "2001:db8::1"}]}}
    Implementer(applied.cluster.kube).put_status(shared, status)


def _needs_two_horizons(applied: Applied) -> None:
    applied.apply(zone("corp-outside", "corp.example.com"), zone("corp-inside", "corp.example.com", "second"))


def _needs_a_zone_of_the_team(applied: Applied) -> None:
    applied.apply(zone("team-a", "team-a.example.com"))


def _needs_three_accounts(applied: Applied) -> None:
    emulator = applied.cluster.emulator
    arns = {account: f"arn:aws:iam::{account}:role/external-dns" for account in ACCOUNTS}
    roles: Document = {arn: {"externalId": ""} for arn in arns.values()}
    roles[arns["444455556666"]] = {"externalId": "internal-dns"}
    emulator.settings(accounts={f"KEY{account}": account for account in ACCOUNTS}, roles=roles, strictRoles=True)
    for account, domain in ACCOUNTS.items():
        hosted_zone(emulator.http, domain, f"KEY{account}")
    hosts = ("www.prod.example.com", "www.internal.prod.example.com", "*.staging.example.com")
    applied.apply(*(load_balancer("team-a", host, f"svc-{number}") for number, host in enumerate(hosts)))


def _needs_a_tenants_account(applied: Applied) -> None:
    emulator = applied.cluster.emulator
    emulator.settings(accounts={"EXAMPLEKEYID": TENANT_ACCOUNT, "ROTATEDKEYID": TENANT_ACCOUNT})
    hosted_zone(emulator.http, "team-b.example.com", "EXAMPLEKEYID")
    applied.apply(load_balancer("team-b", "app.team-b.example.com"))


NEEDS: dict[str, Callable[[Applied], None]] = {
    "accounts": _needs_three_accounts,
    "rotation": _needs_a_tenants_account,
    "split-horizon": _needs_two_horizons,
    "target-from": _needs_shared_load_balancer,
    "tenant": _needs_a_zone_of_the_team,
}
WITH = {"target-from": ("gateway",)}
"""The examples that an example builds on."""


def apply_example(applied: Applied, name: str) -> dict[str, sources_examples.Records]:
    """Apply an example with what it needs, wait for what it promises, and return that."""
    examples = (*WITH.get(name, ()), name)
    if name in NEEDS:
        NEEDS[name](applied)
    applied.apply(*(one for example in examples for one in load(example)))
    wanted = promised(*examples)
    assert wanted, f"the table promises nothing of {name}"
    await_records(applied.cluster, wanted)
    return wanted


@pytest.fixture
def no_hosted_zones_left(cluster: Cluster) -> Iterator[None]:
    """Delete the hosted zones that an example adopts: their Zones keep them, as they shall."""
    yield
    for one in cluster.emulator.zones():
        if str(one["name"]).rstrip(".") in {*ACCOUNTS.values(), "team-b.example.com"}:
            cluster.emulator.delete_zone(str(one["id"]))


@pytest.mark.usefixtures("no_hosted_zones_left")
@pytest.mark.parametrize("name", sources_examples.names())
@pytest.mark.spec("ROUTE-GO-001", "ROUTE-GO-008", "ROUTE-GO-009", "TF-GR-002", "GW-TG-014")
def test_an_example_gives_what_its_table_promises(cluster: Cluster, applied: Applied, name: str) -> None:
    cluster.emulator.reset_counters()

    apply_example(applied, name)

    if name == "accounts":
        changes = {account: cluster.emulator.calls(account).get("ChangeResourceRecordSets") for account in ACCOUNTS}
        assert changes == dict.fromkeys(ACCOUNTS, 1)


@pytest.mark.spec("GW-TG-010")
def test_routes_that_are_deleted_are_gone_and_nothing_else(cluster: Cluster, applied: Applied) -> None:
    wanted = apply_example(applied, "gateway")["shop"]
    before = len(cluster.emulator.log())

    for route in ("www", "cdn"):
        cluster.kube.delete("gateway.networking.k8s.io/v1", "HTTPRoute", "team-a", route)
    left = {key: answer for key, answer in wanted.items() if key[0].startswith("status.")}
    await_records(cluster, {"shop": left})

    changes = [change for batch in cluster.emulator.log()[before:] for change in batch.changes]
    assert {change.action for change in changes} == {"DELETE"}
    assert len(changes) == len(wanted) - len(left)


@dataclass
class Asking:
    """Somebody who asks for a name again and again."""

    answers: int = 0
    without: list[str] = field(default_factory=list)


@contextmanager
def asking(cluster: Cluster, name: str) -> Iterator[Asking]:
    """Ask the emulator's name server for the A records of a name, without a pause, as resolvers do."""
    found, ended = Asking(), threading.Event()
    host, _, port = cluster.emulator.dns.rpartition(":")

    def ask() -> None:
        while not ended.is_set():
            answer = dns.query.udp(dns.message.make_query(name, "A"), host, timeout=5, port=int(port))
            if answer.rcode() == dns.rcode.NOERROR and answer.answer:
                found.answers += 1
            else:
                found.without.append(dns.rcode.to_text(answer.rcode()))
            ended.wait(0.005)

    asker = threading.Thread(target=ask)
    asker.start()
    try:
        yield found
    finally:
        ended.set()
        asker.join()


ADDRESSES = [("192.0.2.7",), ("192.0.2.7", "2001:db8::7"), ("lb.example.net",), ("192.0.2.1",)]


@pytest.mark.spec("GW-TG-010", "ROUTE-LC-013")
def test_a_gateways_address_changes_in_one_batch_and_never_without_an_answer(
    cluster: Cluster, applied: Applied
) -> None:
    apply_example(applied, "gateway")
    gateway = next(one for one in load("gateway") if one["kind"] == "Gateway")
    before = len(cluster.emulator.log())

    with asking(cluster, "www.shop.example.com") as asked:
        for addresses in ADDRESSES:
            Implementer(cluster.kube, addresses).implement(gateway)
            eventually(
                lambda wanted=set(addresses): _values(cluster, "www.shop.example.com") == wanted,  # type: ignore[misc]
                what=f"the addresses {addresses}",
            )
        eventually(lambda: asked.answers > ENOUGH_ANSWERS, what="enough answers")

    assert asked.without == []
    batches = [_actions(one, "www.shop.example.com.") for one in cluster.emulator.log()[before:]]
    assert [
        one
        for one in batches
        if one & {("DELETE", "A"), ("DELETE", "CNAME")} and "CREATE" not in {action for action, _ in one}
    ] == []
    assert len([one for one in batches if one]) <= len(ADDRESSES) + 1, (
        "only an IPv6 address may go in a batch of its own"
    )


def _actions(batch: BatchDocument, name: str) -> set[tuple[str, str]]:
    return {(one.action, one.record_set.type) for one in batch.changes if one.record_set.name == name}


def _values(cluster: Cluster, name: str) -> set[str]:
    return {value for key, (_, values) in published(cluster, "shop").items() if key[0] == name for value in values}


@pytest.mark.usefixtures("no_hosted_zones_left")
@pytest.mark.spec("ROUTE-CO-005", "ROUTE-GO-010")
def test_a_rotated_secret_takes_effect_without_a_restart_and_touches_no_other_pipeline(
    cluster: Cluster, applied: Applied, stack: Stack
) -> None:
    others = apply_example(applied, "gateway")
    apply_example(applied, "rotation")
    process = daemons.running(ROUTE53_SERVICE.name, stack.layout.pids)
    settled = cluster.programmed(*_record_sets(cluster, "team-a"))
    secret = next(one for one in load("rotation") if one["kind"] == "Secret")

    keys = {"aws_access_key_id": "ROTATEDKEYID", "aws_secret_access_key": "example-only"}
    applied.apply({**secret, "stringData": keys})
    accounts: Document = {"ROTATEDKEYID": TENANT_ACCOUNT, DUMMY_CREDENTIALS["AWS_ACCESS_KEY_ID"]: cluster.account_id}
    cluster.emulator.settings(accounts=accounts, strictCredentials=True)
    service = load_balancer("team-b", "app.team-b.example.com")
    Implementer(cluster.kube).put_status(service, balanced("192.0.2.99"))

    await_records(cluster, {"team-b.example.com": {("app.team-b.example.com", "A"): (300, ("192.0.2.99",))}})
    await_records(cluster, others)
    assert process is not None
    assert daemons.running(ROUTE53_SERVICE.name, stack.layout.pids) == process
    assert [cluster.get(one) for one in settled] == settled


def _record_sets(cluster: Cluster, namespace: str) -> list[Document]:
    return [{**one, "apiVersion": DNS, "kind": "RecordSet"} for one in cluster.kube.list(DNS, "RecordSet", namespace)]


@pytest.mark.spec("ROUTE-CO-013")
def test_a_namespace_that_was_not_granted_a_zone_reaches_it_by_no_pipeline(cluster: Cluster, applied: Applied) -> None:
    """Case 57: not by the domain, not by naming the pipeline, not by a pipeline of its own."""
    apply_example(applied, "gateway")
    stranger = "stranger"
    cluster.apply(manifests.namespace(stranger))
    before = published(cluster, "shop")
    own = document(
        "externaldns.k8s.io/v1alpha1", "DNSProvider", stranger, "own", {"type": "aws", "zones": {"refs": []}}
    )
    own["spec"]["zones"]["refs"] = [{"namespace": "dns-platform", "name": "shop"}]
    named = load_balancer(stranger, "named.shop.example.com", "named")
    named["metadata"]["annotations"]["external-dns.kubernetes.io/cluster-provider"] = "shop"
    mine = load_balancer(stranger, "mine.shop.example.com", "mine")
    mine["metadata"]["annotations"]["external-dns.kubernetes.io/provider"] = "own"
    applied.apply(own, load_balancer(stranger, "x.shop.example.com", "plain"), named, mine)

    def verdicts() -> list[tuple[str, str]]:
        return [
            (one["spec"]["name"], condition["reason"])
            for one in _record_sets(cluster, stranger)
            for condition in one.get("status", {}).get("conditions", ())
            if condition["type"] == "Accepted"
        ]

    refused = [("named", "NotAllowedByZone"), ("x", "NotAllowedByZone")]
    eventually(lambda: sorted(verdicts()) == refused, what="two refusals")
    assert published(cluster, "shop") == before
