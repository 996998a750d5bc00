# ruff: noqa: D103 — the name of a test is the sentence that it proves
"""Faults that touch a whole account: throttling of every call, and a hosted zone that is busy with somebody else."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass

import botocore.session
import pytest

from e2e.claims import DNS
from e2e.kube import Document
from e2e.polling import eventually
from e2e.route53.edits import RecordEdits, RecordKey
from e2e.route53.faults import Fault
from e2e.route53.journal import DONE, CallDocument
from e2e.stack.layout import DUMMY_CREDENTIALS
from e2e.suite import manifests
from e2e.suite.cluster import Cluster
from e2e.suite.history import History, history
from e2e.suite.provider import (
    CHANGE,
    LIMITS,
    REQUEST,
    Provider,
    calls,
    held,
    hosted_zones_removed,
    limits,
    namespace,
    now,
    outcomes,
)

NAMESPACE = "e2e-route53-throttling"
USERS, DRIFTERS = ("user0", "user1"), ("drift0", "drift1")
THROTTLED_SECONDS = 12.0
"""Every rule at work here has shown itself by then: the budget is at its slowest after five refusals."""
SLOWEST = 5 / 32
"""Calls a second that the budget allows itself at least, of the five that it begins with."""
BUSY_SECONDS = 8.0
PROGRAMMED = "True/Programmed"


@dataclass(frozen=True)
class Account:
    """The zones of one account, all programmed with one record each."""

    cluster: Cluster
    seen: History
    ids: dict[str, str]

    def flipped(self) -> list[str]:
        """Return the names of what was programmed and did not stay so, claims added later left out."""
        names = [f"Zone/{one}" for one in self.ids] + [f"RecordSet/{one}-first" for one in self.ids]
        return [name for name in names if set(after_first(self.seen.of(name))) != {PROGRAMMED}]

    def zone_of(self, call: CallDocument) -> str:
        """Return the name of the zone that a call is about, empty if none of ours."""
        return next((name for name, zone_id in self.ids.items() if zone_id == call.hosted_zone_id), "")


def after_first(seen: list[str]) -> list[str]:
    return seen[seen.index(PROGRAMMED) :] if PROGRAMMED in seen else seen


def zone(name: str) -> Document:
    return manifests.zone(NAMESPACE, name, f"{name}.throttling.example.com", class_name=manifests.RETAIN)


def record(zone_name: str, name: str) -> Document:
    return manifests.a_record(NAMESPACE, f"{zone_name}-{name}", zone_name)


@pytest.fixture(scope="module")
def account(cluster: Cluster, provider: Provider) -> Iterator[Account]:
    names = (*USERS, *DRIFTERS)
    with (
        limits(cluster),
        hosted_zones_removed(cluster, ".throttling.example.com."),
        namespace(cluster, NAMESPACE),
        history(cluster.kube, NAMESPACE) as seen,
    ):
        claims = [one for name in names for one in (zone(name), record(name, "first"))]
        cluster.apply(*claims)
        cluster.programmed(*claims)
        yield Account(cluster, seen, {name: cluster.hosted_zone_id(zone(name)) for name in names})
        renew(provider)


def renew(provider: Provider) -> None:
    """Have a fresh process at work: its budget is full, and what follows does not wait for the last one's."""
    since = now(provider.cluster)
    provider.crash()
    provider.start()
    eventually(lambda: calls(provider.cluster, since), what="a process that leads")


@pytest.mark.spec("R53-BU-002", "R53-BU-004", "R53-BU-005")
def test_throttling_slows_the_calls_flips_nothing_and_then_lets_user_changes_go_first(
    account: Account, provider: Provider
) -> None:
    """Beyond-the-seeds 5; shorter than a minute, the rules are the same."""
    cluster, since = account.cluster, now(account.cluster)
    cluster.emulator.arm(Fault(action="*", kind="throttle", for_seconds=THROTTLED_SECONDS))
    for name in DRIFTERS:
        patch = {"metadata": {"annotations": {REQUEST: "now"}}}
        cluster.kube.merge_patch(DNS, "Zone", NAMESPACE, name, patch)
    eventually(lambda: calls(cluster, since), what="the first refused call")
    changes = [record(name, "new") for name in USERS]
    cluster.apply(*changes)
    made = eventually(lambda: calls(cluster, since), both_sent, within=THROTTLED_SECONDS + 240, what="both batches")
    begin = made[0].time
    early = [one for one in made if one.time < begin + THROTTLED_SECONDS / 2]
    late = [one for one in made if begin + THROTTLED_SECONDS / 2 <= one.time < begin + THROTTLED_SECONDS]
    assert {one.outcome for one in [*early, *late]} == {"Throttling"}
    assert len(late) <= 3 + SLOWEST * THROTTLED_SECONDS / 2
    assert len(late) < len(early)
    through = [account.zone_of(one) for one in made if one.outcome == DONE]
    assert not [name for name in through if name in DRIFTERS], "a drift check went before the users' changes"
    renew(provider)
    for one in cluster.programmed(*changes):
        account.seen.caught_up(one)
    assert account.flipped() == []


def both_sent(made: list[CallDocument]) -> bool:
    return [(one.action, one.outcome) for one in made].count((CHANGE, DONE)) == len(USERS)


@pytest.mark.spec("R53-BU-004")
def test_a_hosted_zone_that_is_busy_with_somebody_else_is_waited_for(account: Account) -> None:
    cluster, since, name = account.cluster, now(account.cluster), USERS[0]
    zone_id = account.ids[name]
    cluster.emulator.settings(priorRequestNotComplete=True, batchSeconds=BUSY_SECONDS, rateLimit=None)
    stranger = threading.Thread(target=write_as_a_stranger, args=(cluster.emulator.http, zone_id, zone(name)))
    stranger.start()
    try:
        eventually(lambda: outcomes(cluster, since, CHANGE, zone_id) == [""], what="a stranger's batch under way")
        cluster.emulator.settings(batchSeconds=0.05)
        late, other = record(name, "late"), record(USERS[1], "late")
        cluster.apply(late, other)
        cluster.programmed(other, late)
        there = held(cluster, zone_id)
    finally:
        stranger.join()
        cluster.emulator.settings(**LIMITS)
        foreign = RecordKey(name=f"stranger.{zone(name)['spec']['domainName']}.", type="A")
        cluster.emulator.edit(RecordEdits(hosted_zone_id=zone_id, delete=(foreign,)))
    _, *refused, done = outcomes(cluster, since, CHANGE, zone_id)
    assert (set(refused), done) == ({"PriorRequestNotComplete"}, DONE)
    assert len(refused) <= 8
    assert (there["stranger"], there[f"{name}-late"]) == (("203.0.113.5",), ("192.0.2.1",))
    assert account.flipped() == []


def write_as_a_stranger(endpoint: str, zone_id: str, claim: Document) -> None:
    client = botocore.session.Session().create_client(
        "route53",
        region_name=DUMMY_CREDENTIALS["AWS_REGION"],
        endpoint_url=endpoint,
        aws_access_key_id=DUMMY_CREDENTIALS["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=DUMMY_CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
    )
    name = f"stranger.{claim['spec']['domainName']}."
    record_set = {"Name": name, "Type": "A", "TTL": 60, "ResourceRecords": [{"Value": "203.0.113.5"}]}
    batch = {"Changes": [{"Action": "CREATE", "ResourceRecordSet": record_set}]}
    try:
        client.change_resource_record_sets(HostedZoneId=zone_id, ChangeBatch=batch)
    finally:
        client.close()
