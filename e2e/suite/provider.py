"""The Route 53 controller on a bad day: the account's limits, calls that are waited for, a crash and a return."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from pydantic import JsonValue

from e2e.polling import eventually
from e2e.route53.faults import Fault
from e2e.route53.journal import CallDocument
from e2e.stack import ROUTE53, Stack, await_service
from e2e.stack.layout import SYSTEM_NAMESPACE
from e2e.suite import manifests
from e2e.suite.cluster import Cluster
from e2e.toolchain import daemons

CHANGE = "ChangeResourceRecordSets"
LIST = "ListResourceRecordSets"
LIMITS: Mapping[str, JsonValue] = {
    "rateLimit": {"perSecond": 5, "burst": 10},
    "latencySeconds": 0.06,
    "insyncDelaySeconds": 1.0,
}
"""An account that allows what the controller's budget allows by default."""
HELD_SECONDS = 60.0
"""Longer than the controller waits for any answer."""
REQUEST = "dns.appthrust.io/reconcile-request"
_LEASES = "coordination.k8s.io/v1"


@dataclass(frozen=True)
class Provider:
    """The controller's process and the emulator that it calls."""

    cluster: Cluster
    stack: Stack

    def crash(self) -> None:
        """End the process without a word, and let the next one lead at once.

        The lease is removed, as one does who knows that its holder is dead; waiting it out would prove nothing here.
        """
        self.stack.kill(ROUTE53)
        self.cluster.kube.delete(_LEASES, "Lease", SYSTEM_NAMESPACE, f"dnsapi-{ROUTE53.component}")

    def start(self) -> None:
        """Start a process that knows nothing but what is written down."""
        self.stack.runner.start(ROUTE53)
        await_service(self.stack.runner, ROUTE53)

    def restart(self) -> None:
        """End the process in order, and start it again."""
        daemons.stop_recorded(ROUTE53.name, self.stack.layout.pids)
        self.start()


@contextmanager
def limits(cluster: Cluster) -> Iterator[None]:
    """Have the emulator behave as an account with limits does; what was set before comes back."""
    before = cluster.emulator.settings()
    cluster.emulator.settings(**LIMITS)
    try:
        yield
    finally:
        cluster.emulator.disarm()
        cluster.emulator.settings(**before.model_dump(mode="json", by_alias=True))


@contextmanager
def namespace(cluster: Cluster, name: str) -> Iterator[str]:
    """Make a namespace for several tests, and empty it afterwards."""
    eventually(lambda: cluster.kube.find("v1", "Namespace", "", name) is None, what=f"an earlier {name} gone")
    cluster.apply(manifests.namespace(name))
    yield name
    cluster.emulator.disarm()
    cluster.clean(name)


@contextmanager
def hosted_zones_removed(cluster: Cluster, suffix: str) -> Iterator[None]:
    """Remove the hosted zones that Zones of the class `retain` leave behind: quicker than to have them deleted."""
    yield
    for one in cluster.emulator.zones():
        if str(one["name"]).endswith(suffix):
            cluster.emulator.delete_zone(str(one["id"]))


def now(cluster: Cluster) -> int:
    """Return the sequence of the last call, for `calls`."""
    journal = cluster.emulator.journal()
    return journal[-1].sequence if journal else 0


def calls(cluster: Cluster, since: int, action: str = "", zone_id: str = "") -> list[CallDocument]:
    """Return the calls since then, of one action and of one hosted zone where given."""
    return [
        call
        for call in cluster.emulator.journal(since)
        if action in {"", call.action} and zone_id in {"", call.hosted_zone_id}
    ]


def outcomes(cluster: Cluster, since: int, action: str, zone_id: str) -> list[str]:
    """Return what came of the calls of one action about a hosted zone."""
    return [call.outcome for call in calls(cluster, since, action, zone_id)]


def hold(cluster: Cluster, action: str, kind: str, zone_id: str = "") -> int:
    """Have the next call of an action wait for its answer; returns the moment, for `await_held`."""
    since = now(cluster)
    fault = {"action": action, "kind": kind, "hostedZoneId": zone_id, "holdSeconds": HELD_SECONDS}
    cluster.emulator.arm(Fault.model_validate(fault))
    return since


def await_held(cluster: Cluster, since: int, action: str) -> None:
    """Wait until a call waits for its answer, applied or not as the fault has it."""
    eventually(
        lambda: [one for one in calls(cluster, since, action) if one.outcome.startswith("timeout-")],
        what=f"a call of {action} without an answer",
    )


def changes(cluster: Cluster, zone_id: str, after: int = 0) -> Counter[tuple[str, str]]:
    """Count the applied changes of a hosted zone by action and first label; `after` is a batch's sequence."""
    batches = [batch for batch in cluster.emulator.log(after) if batch.hosted_zone_id == zone_id]
    applied = [one for batch in batches for one in batch.changes]
    return Counter((one.action, one.record_set.name.partition(".")[0]) for one in applied)


def last_batch(cluster: Cluster) -> int:
    """Return the sequence of the last applied batch, for `changes`."""
    return max((batch.sequence for batch in cluster.emulator.log()), default=0)


def held(cluster: Cluster, zone_id: str) -> dict[str, tuple[str, ...]]:
    """Return the values of a hosted zone's A record sets by their first label; costs no call of the account."""
    records = cluster.emulator.records(zone_id)
    return {one.name.partition(".")[0]: one.values for one in records if one.type == "A"}
