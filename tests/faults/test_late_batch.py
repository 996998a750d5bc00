"""Batches of a former leader that come late, from a process that was frozen or from the way to AWS."""

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from e2e.claims import DNS, is_true
from e2e.kube import Document, Kube
from e2e.polling import eventually
from e2e.route53.faults import Fault
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

    def sending(self) -> bool:
        """Whether a batch has reached Route 53 and is not applied yet."""
        calls = self.stack.emulator.journal()
        return any(call.action == "ChangeResourceRecordSets" and not call.outcome for call in calls)

    def look_again(self) -> None:
        """Have the zone compared with Route 53 once more, and wait until that is done."""
        (seen,) = self.stack.emulator.journal()[-1:]
        now = {"metadata": {"annotations": {RECONCILE: str(time.monotonic())}}}
        self.kube.merge_patch(DNS, "Zone", TEAM, "late", now)

        def listed() -> bool:
            calls = self.stack.emulator.journal(seen.sequence)
            return any(call.action == "ListResourceRecordSets" and call.outcome == "OK" for call in calls)

        eventually(listed, what="another look at the zone")
        self.programmed(manifests.zone(TEAM, "late", DOMAIN), back(OLD))

    def use_up_the_budget(self) -> None:
        """Have the burner's drift checks take what the leader may ask, so that the next batch must wait."""

        def tokens() -> float:
            now = {"metadata": {"annotations": {RECONCILE: str(time.monotonic())}}}
            self.kube.merge_patch(DNS, "Zone", TEAM, "burner", now)
            return self.slow.sample(FIRST, "route53_budget_tokens")

        eventually(tokens, lambda left: left < 1, what="a budget that is used up")


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """Zones and one record, programmed."""
    directory = tmp_path_factory.mktemp("stack")
    stack = up(directory, print)
    quick, slow = with_options(stack), with_options(stack, *NO_HURRY)
    kube = stack.kube()
    scene = Scene(stack, kube, slow, quick)
    try:
        zones = manifests.zone(TEAM, "late", DOMAIN), manifests.zone(TEAM, "burner", BURNER)
        account = manifests.identity(str(stack.environment()["AWS_ACCOUNT_ID"]))
        places = manifests.namespace(manifests.PLATFORM), manifests.namespace(TEAM)
        kube.apply_all([*places, account, manifests.zone_class(manifests.DELETE, "Delete"), *zones, back(OLD)])
        scene.programmed(*zones, back(OLD))
        yield scene
    finally:
        for replica in REPLICAS:
            daemons.stop_recorded(replica.name, stack.layout.pids)
        kube.close()
        Stack.down(directory)


def led_by(scene: Scene, leader: Replicas) -> None:
    """End what runs, and have the first replica lead, as these replicas are."""
    for replica in (FIRST, SECOND):
        daemons.stop_recorded(replica.name, scene.stack.layout.pids)
    leader.start(FIRST)
    known = "route53_zone_programmed"
    eventually(lambda: leader.sample(FIRST, known, zone=f"{TEAM}/late"), what="a leader that knows the zone")


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
    led_by(scene, scene.slow)
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
    scene.look_again()
    assert scene.held() == {f"back.{DOMAIN}.": (OLD,)}


@pytest.mark.apiserver
def test_a_batch_that_aws_applies_after_its_leader_has_died_leaves_nothing_that_nobody_owns(scene: Scene) -> None:
    led_by(scene, scene.quick)
    before = scene.batches()
    late = {"action": "ChangeResourceRecordSets", "kind": "delay", "holdSeconds": 10}
    scene.stack.emulator.arm(Fault.model_validate(late))
    gone = manifests.a_record(TEAM, "gone", "late", (NEW,))

    scene.kube.apply(gone)
    eventually(scene.sending, what="a batch on its way")
    scene.quick.kill(FIRST)
    scene.quick.start(SECOND)
    scene.kube.delete(DNS, "RecordSet", TEAM, "gone")
    assert scene.batches() == before
    eventually(lambda: scene.kube.find(DNS, "RecordSet", TEAM, "gone") is None, what="the end of a claim")

    created, deleted = [batch for batch in scene.stack.emulator.log(max(before)) if batch.zone == f"{DOMAIN}."]
    assert [change.action for change in (*created.changes, *deleted.changes)] == ["CREATE", "DELETE"]
    scene.look_again()
    assert scene.held() == {f"back.{DOMAIN}.": (OLD,)}
