"""A leader that was frozen between storing an intent and sending the batch wakes up when another one has decided."""

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from e2e.claims import DNS, is_true
from e2e.kube import Document, Kube
from e2e.polling import eventually
from e2e.soak.replicas import REPLICAS, Replicas, replicas_of
from e2e.stack import ROUTE53, Stack, up
from e2e.suite import manifests
from e2e.toolchain import daemons

TEAM, DOMAIN, BURNER = "team", "late.example.com", "burner.example.com"
RECONCILE = "dns.appthrust.io/reconcile-request"
NO_HURRY = ("--requests-per-second=0.05", "--request-burst=60")
"""A budget that is used up once lets a batch wait for twenty seconds, after its intent was stored."""
FIRST, SECOND = replicas_of(ROUTE53)
OLD, NEW = "192.0.2.1", "192.0.2.2"


@dataclass(frozen=True)
class Scene:
    """A stack with two zones, and who is to lead next."""

    stack: Stack
    kube: Kube
    slow: Replicas
    quick: Replicas

    def batches(self, after: int = 0) -> list[int]:
        """Return the sequence numbers of the zone's batches."""
        return [batch.sequence for batch in self.stack.emulator.log(after) if batch.zone == f"{DOMAIN}."]

    def held(self) -> dict[str, tuple[str, ...]]:
        """Return the A records that Route 53 holds in the zone."""
        (zone_id,) = [str(one["id"]) for one in self.stack.emulator.zones() if one["name"] == f"{DOMAIN}."]
        return {one.name: tuple(one.values) for one in self.stack.emulator.records(zone_id) if one.type == "A"}

    def programmed(self, *documents: Document) -> None:
        """Wait until all are Programmed at their current generation."""

        def open_ones() -> list[str]:
            names = [one["metadata"]["name"] for one in documents]
            found = [self.kube.get(one["apiVersion"], one["kind"], TEAM, one["metadata"]["name"]) for one in documents]
            return [name for name, one in zip(names, found, strict=True) if not is_true(one, "Programmed")]

        eventually(open_ones, lambda left: not left, what="Programmed")

    def projected(self, *record_sets: Document) -> bool:
        """Whether the ledger holds record sets as they are asked for."""
        items = self.kube.get(DNS, "ZoneUnit", TEAM, "late")["spec"].get("recordSets", [])
        held = {one["recordSetName"]: one.get("a") for one in items}
        return all(held.get(one["metadata"]["name"]) == one["spec"]["a"] for one in record_sets)

    def intended(self) -> set[str]:
        """Return the claims that a stored intent without an answer concerns."""
        unit = self.kube.get(DNS, "ZoneUnit", TEAM, "late")
        state = unit.get("status", {}).get("provider", {}).get("state", {})
        changes = [one for one in state.get("pendingRecordSetChanges", []) if not one.get("id")]
        return {affected["name"] for change in changes for affected in change["affectedRecordSets"]}

    def use_up_the_budget(self) -> None:
        """Have the burner's drift checks take what the leader may ask, so that the next batch must wait."""

        def tokens() -> float:
            now = {"metadata": {"annotations": {RECONCILE: str(time.monotonic())}}}
            self.kube.merge_patch(DNS, "Zone", TEAM, "burner", now)
            return self.slow.sample(FIRST, "route53_budget_tokens")

        eventually(tokens, lambda left: left < 1, what="a budget that is used up")


@pytest.fixture
def scene(tmp_path: Path) -> Iterator[Scene]:
    """Zones and one record, programmed; the leader has a budget that lets a batch wait."""
    stack = up(tmp_path, print)
    quick, slow = with_options(stack), with_options(stack, *NO_HURRY)
    kube = stack.kube()
    scene = Scene(stack, kube, slow, quick)
    try:
        zones = manifests.zone(TEAM, "late", DOMAIN), manifests.zone(TEAM, "burner", BURNER)
        account = manifests.identity(str(stack.environment()["AWS_ACCOUNT_ID"]))
        places = manifests.namespace(manifests.PLATFORM), manifests.namespace(TEAM)
        kube.apply_all([*places, account, manifests.zone_class(manifests.DELETE, "Delete"), *zones, back(OLD)])
        scene.programmed(*zones, back(OLD))
        slow.kill(FIRST)
        slow.start(FIRST)
        programmed = "route53_zone_programmed"
        eventually(lambda: slow.sample(FIRST, programmed, zone=f"{TEAM}/late"), what="a leader that knows the zone")
        yield scene
    finally:
        for replica in REPLICAS:
            daemons.stop_recorded(replica.name, stack.layout.pids)
        kube.close()
        Stack.down(tmp_path)


def with_options(stack: Stack, *options: str) -> Replicas:
    return Replicas(replace(stack, runner=replace(stack.runner, extra={ROUTE53.name: options})))


def back(address: str) -> Document:
    return manifests.a_record(TEAM, "back", "late", (address,))


def pid_of(scene: Scene, name: str) -> int:
    pid = scene.slow.pid(name)
    assert pid is not None
    return pid


def changed_at_once(scene: Scene, *documents: Document) -> None:
    """Apply documents so that the leader sees all of them together, and so they go into one batch."""
    leader = pid_of(scene, FIRST.name)
    os.kill(leader, signal.SIGSTOP)
    try:
        scene.kube.apply_all(documents)
        eventually(lambda: scene.projected(*documents), within=8, what="all of them in the ledger")
    finally:
        os.kill(leader, signal.SIGCONT)


@pytest.mark.apiserver
def test_a_late_batch_of_a_former_leader_overwrites_nothing_and_brings_nothing_back(scene: Scene) -> None:
    gone = manifests.a_record(TEAM, "gone", "late", (NEW,))
    scene.use_up_the_budget()
    before = scene.batches()

    changed_at_once(scene, back(NEW), gone)
    eventually(scene.intended, lambda names: names == {"back", "gone"}, what="a stored intent")
    frozen = pid_of(scene, FIRST.name)
    os.kill(frozen, signal.SIGSTOP)
    assert scene.batches() == before

    scene.quick.start(SECOND)
    scene.kube.apply(back(OLD))
    scene.kube.delete(DNS, "RecordSet", TEAM, "gone")
    eventually(lambda: scene.kube.find(DNS, "RecordSet", TEAM, "gone") is None, what="the end of a claim")
    scene.programmed(back(OLD))
    settled = scene.batches()

    os.kill(frozen, signal.SIGCONT)
    eventually(lambda: scene.slow.pid(FIRST.name) is None, what="the end of the former leader")
    assert scene.batches() == settled
    assert scene.held() == {f"back.{DOMAIN}.": (OLD,)}
