"""The core controller as a process with the chart's own rights, beside a real API server and its controllers."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from e2e.conditions import conditions_of
from e2e.controlplane import ControlPlane
from e2e.kube import MERGE, Kube
from e2e.pages import commands, words
from e2e.polling import eventually
from e2e.stack import charts, installation
from tests.apiserver import definitions, ledger_provider
from tests.apiserver.manifests import API, Document, changed

LET_GO = Path(__file__).parents[2] / "docs" / "how-to" / "let-go.md"
WITHIN_SECONDS = 120
"""For one command: a deletion waits for the finalizers."""
SYSTEM = "dns-system"
PROVIDER = "composition.dns.appthrust.io"
"""Of this module alone: a Provider in use cannot be deleted, and others delete theirs."""
PROGRAMMED = {"Accepted": "Accepted", "Programmed": "Programmed"}


@dataclass(frozen=True)
class Running:
    """The process, and a namespace of its own for each test."""

    process: "subprocess.Popen[bytes]"
    kube: Kube
    log: Path
    namespace: str

    def claim(self, name: str, **spec: object) -> Document:
        """Return a RecordSet."""
        body = {"zoneRef": {"name": "example-com"}, "provider": {"name": PROVIDER, "version": "v1"}, "type": "A"}
        body |= {"name": name, "ttl": 300, "a": {"addresses": ["192.0.2.1"]}}
        metadata = {"name": name, "namespace": self.namespace}
        return {"apiVersion": API, "kind": "RecordSet", "metadata": metadata, "spec": body | spec}

    def reasons(self, kind: str, name: str) -> dict[str, str]:
        """Return the reasons of an object's conditions, the provider having done a step before."""
        ledger_provider.step(self.kube, self.namespace)
        found = self.kube.get(API, kind, self.namespace, name)
        return {c["type"]: c["reason"] for c in conditions_of(found)}

    def count(self, kind: str) -> int:
        """Return how many objects of a kind are left, the provider having done a step before."""
        ledger_provider.step(self.kube, self.namespace)
        return len(self.kube.list(API, kind, self.namespace))

    def delete(self, kind: str, name: str) -> None:
        """Ask for an object's deletion."""
        self.kube.delete(API, kind, self.namespace, name)


@pytest.fixture(scope="module")
def account(kube: Kube, control_plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kubeconfig with the token of the core controller's service account, and nothing but the chart's rights."""
    folder = tmp_path_factory.mktemp("core")
    definitions.install(kube, (SYSTEM,))
    rendered = charts.render(
        {"webhook": {"tls": {"mode": "secret", "secretName": "x", "caBundle": "Y2E="}}}, folder / "v"
    )
    installation.rights(kube, rendered.rights())
    kube.apply(
        {
            "apiVersion": API,
            "kind": "Provider",
            "metadata": {"name": PROVIDER},
            "spec": {
                "display": {"name": "Example"},
                "versions": [
                    {
                        "name": "v1",
                        "served": True,
                        "storage": True,
                        "zoneClass": {},
                        "zone": {},
                        "recordSet": {"supportedTypes": ["A", "TXT", "CNAME"]},
                    }
                ],
            },
        }
    )
    return control_plane.kubeconfig_for(SYSTEM, rendered.account("core"), folder / "kubeconfig")


@pytest.fixture
def running(request: pytest.FixtureRequest, kube: Kube, account: Path, tmp_path: Path) -> Iterator[Running]:
    """The process, a namespace with an accepted class, and a Zone in it."""
    namespace = "core-" + request.node.name.removeprefix("test_").replace("_", "-")[:40].strip("-")
    prepare(kube, namespace)
    options = ["--kubeconfig", str(account), "--health-host", "127.0.0.1", "--health-port", "0", "--no-leader-elect"]
    options += ["--inline-record-sets", "2", "--record-sets-per-slice", "2"]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen([sys.executable, "-m", "core_controller", *options], stderr=log)  # noqa: S603 - ours
        try:
            yield Running(process, kube, tmp_path / "log", namespace)
            assert process.poll() is None, (tmp_path / "log").read_text()[-2000:]
            forbidden = [line for line in (tmp_path / "log").read_text().splitlines() if "Forbidden" in line]
            ordinary = [line for line in forbidden if "being terminated" in line and '"level":"error"' not in line]
            assert [line for line in forbidden if line not in ordinary] == []
        finally:
            process.kill()
            process.wait()


def prepare(kube: Kube, namespace: str) -> None:
    """Create a namespace with an accepted class and a Zone."""
    kube.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}})
    provider = {"name": PROVIDER, "version": "v1"}
    zone_class = {
        "apiVersion": API,
        "kind": "ZoneClass",
        "metadata": {"name": "public", "namespace": namespace},
        "spec": {
            "provider": provider,
            "controllerName": "example.dns.appthrust.io/controller",
            "identityRef": {"name": "account"},
            "parameters": {},
            "allowedZones": {"namespaces": {}},
        },
    }
    kube.apply(zone_class)
    accepted = {"type": "Accepted", "status": "True", "reason": "Accepted", "message": "", "observedGeneration": 1}
    status = {"conditions": [{**accepted, "lastTransitionTime": ledger_provider.SINCE}]}
    live = kube.get(API, "ZoneClass", namespace, "public")
    kube.request("PUT", kube.path(API, "ZoneClass", namespace, "public") + "/status", {**live, "status": status})
    spec = {"domainName": "example.com", "zoneClassRef": {"name": "public"}, "provider": provider}
    metadata = {"name": "example-com", "namespace": namespace}
    kube.apply({"apiVersion": API, "kind": "Zone", "metadata": metadata, "spec": spec})


def gone(running: Running) -> Callable[[], bool]:
    """Return whether the namespace has gone, the provider having done a step before."""

    def look() -> bool:
        ledger_provider.step(running.kube, running.namespace)
        return running.kube.find("v1", "Namespace", "", running.namespace) is None

    return look


def fill(running: Running, count: int) -> None:
    """Create claims and wait until all are programmed."""
    for number in range(count):
        running.kube.apply(running.claim(f"n{number}"))
    for number in range(count):
        eventually(lambda n=number: running.reasons("RecordSet", f"n{n}"), lambda found: found == PROGRAMMED)


@pytest.mark.spec("CORE-ZE-018", "PC-WR-003")
def test_a_claim_goes_through_the_ledger_and_back_with_the_charts_rights(running: Running) -> None:
    eventually(lambda: running.reasons("Zone", "example-com"), lambda found: found == PROGRAMMED)
    fill(running, 1)
    claim = running.kube.get(API, "RecordSet", running.namespace, "n0")
    assert claim["metadata"]["finalizers"] == ["dns.appthrust.io/recordset-finalizer"]
    assert claim["status"]["zone"]["ref"] == {"namespace": running.namespace, "name": "example-com"}
    zone = running.kube.get(API, "Zone", running.namespace, "example-com")
    assert zone["status"]["nameServers"] == ["ns-1.example.net"]
    assert zone["status"]["provider"] == {"data": {"hostedZoneID": "Z1"}}

    def events() -> set[tuple[str, str, str]]:
        found = running.kube.list("events.k8s.io/v1", "Event", running.namespace)
        return {
            (e["regarding"]["kind"], e["reason"], e.get("related", {}).get("kind", ""))
            for e in found
            if e["regarding"].get("uid") in (claim["metadata"]["uid"], zone["metadata"]["uid"])
        }

    expected = {
        ("Zone", "Accepted", "ZoneClass"),
        ("Zone", "Programmed", ""),
        ("RecordSet", "Accepted", "Zone"),
        ("RecordSet", "Programmed", "Zone"),
    }
    eventually(events, lambda found: expected <= found)
    found = running.kube.list("events.k8s.io/v1", "Event", running.namespace)
    assert {e["reportingController"] for e in found} == {"dnsapi-core"}


@pytest.mark.spec("CORE-RT-026")
def test_a_status_that_somebody_wrote_over_is_put_right(running: Running) -> None:
    fill(running, 1)
    claim = running.kube.get(API, "RecordSet", running.namespace, "n0")
    path = running.kube.path(API, "RecordSet", running.namespace, "n0") + "/status"
    forged = {"status": {"conditions": changed(claim, status__conditions__0__reason="Forged")["status"]["conditions"]}}
    written = running.kube.request("PATCH", path, forged, content_type=MERGE)
    assert written["status"]["conditions"][0]["reason"] == "Forged"
    eventually(lambda: running.reasons("RecordSet", "n0"), lambda found: found == PROGRAMMED)


def test_a_claim_that_leaves_its_record_set_behind_goes_without_the_provider(running: Running) -> None:
    """Were the deletion asked for, the claim would wait for the provider, which is not there until it has gone."""
    fill(running, 5)
    key = running.namespace, "n4"
    wish = {"metadata": {"annotations": {"dns.appthrust.io/deletion-policy": "Retain"}}}
    uid = running.kube.merge_patch(API, "RecordSet", *key, wish)["metadata"]["uid"]
    running.delete("RecordSet", "n4")
    eventually(lambda: running.kube.find(API, "RecordSet", *key), lambda found: found is None)
    ledgers = [o for kind in ledger_provider.KINDS for o in running.kube.list(API, kind, running.namespace)]
    names = [item["name"] for ledger in ledgers for item in ledger["spec"].get("recordSets", [])]
    assert sorted(names) == ["n0", "n1", "n2", "n3"]

    def told() -> set[str]:
        events = running.kube.list("events.k8s.io/v1", "Event", running.namespace)
        return {event["reason"] for event in events if event["regarding"].get("uid") == uid}

    eventually(told, lambda found: "ExternalResourceRetained" in found)
    running.kube.apply(running.claim("n4"))
    eventually(lambda: running.reasons("RecordSet", "n4"), lambda found: found == PROGRAMMED)


def test_who_follows_the_page_on_letting_go_keeps_the_record(running: Running, kubeconfig: Path) -> None:
    if shutil.which("kubectl") is None and "GITHUB_ACTIONS" not in os.environ:
        pytest.skip("kubectl is not installed")
    running.kube.apply(running.claim("www"))
    eventually(lambda: running.reasons("RecordSet", "www"), lambda found: found == PROGRAMMED)
    for line in commands(LET_GO):
        command = [*words(line), "--namespace", running.namespace, "--kubeconfig", str(kubeconfig)]
        subprocess.run(command, check=True, timeout=WITHIN_SECONDS)  # noqa: S603 - a line of our own page
    assert running.kube.find(API, "RecordSet", running.namespace, "www") is None
    zone = running.kube.get(API, "Zone", running.namespace, "example-com")
    assert zone["metadata"]["annotations"]["dns.appthrust.io/allow-retain"] == "true"


@pytest.mark.spec("CORE-SL-010")
def test_slices_are_owned_by_their_unit_and_go_with_the_zone(running: Running) -> None:
    fill(running, 6)
    slices = running.kube.list(API, "ZoneUnitSlice", running.namespace)
    unit = running.kube.get(API, "ZoneUnit", running.namespace, "example-com")
    assert [len(one["spec"]["recordSets"]) for one in slices] == [2, 2]
    assert {one["metadata"]["ownerReferences"][0]["uid"] for one in slices} == {unit["metadata"]["uid"]}
    running.delete("Zone", "example-com")
    waiting = eventually(
        lambda: running.kube.get(API, "Zone", running.namespace, "example-com")["status"]["conditions"],
        lambda found: any("must be deleted or moved first" in c["message"] for c in found),
    )
    assert {c["type"]: c["reason"] for c in waiting}["Programmed"] == "ProviderChangePending"
    for number in range(6):
        running.delete("RecordSet", f"n{number}")
    for kind in ("RecordSet", "ZoneUnitSlice", "ZoneUnit", "Zone"):
        eventually(lambda k=kind: running.count(k), lambda left: left == 0, what=f"no {kind}")


@pytest.mark.spec("CORE-SL-017")
def test_core_and_provider_write_the_same_objects_and_lose_nothing(running: Running) -> None:
    fill(running, 5)
    for ttl in range(60, 72):
        for number in range(5):
            patch = {"spec": {"ttl": ttl}}
            running.kube.merge_patch(API, "RecordSet", running.namespace, f"n{number}", patch)
            ledger_provider.step(running.kube, running.namespace)
    for number in range(5):
        eventually(lambda n=number: running.reasons("RecordSet", f"n{n}"), lambda found: found == PROGRAMMED)

    def items() -> list[tuple[str, int, int]]:
        ledgers = [o for k in ledger_provider.KINDS for o in running.kube.list(API, k, running.namespace)]
        found = [item for ledger in ledgers for item in ledger["spec"]["recordSets"]]
        return sorted((item["name"], item["ttl"], item["observedGeneration"]) for item in found)

    eventually(items, lambda found: found == [(f"n{n}", 71, 13) for n in range(5)])
    unit = running.kube.get(API, "ZoneUnit", running.namespace, "example-com")
    assert len(unit["status"]["recordSets"]) == 2


@pytest.mark.spec("CORE-DL-017")
def test_a_namespace_is_deleted_with_everything_in_it(running: Running) -> None:
    fill(running, 6)
    running.kube.delete("v1", "Namespace", "", running.namespace)
    eventually(gone(running))


def test_a_killed_controller_finds_its_way_back(running: Running, account: Path) -> None:
    fill(running, 3)
    os.kill(running.process.pid, signal.SIGSTOP)
    running.delete("RecordSet", "n0")
    running.kube.apply(running.claim("later"))
    os.kill(running.process.pid, signal.SIGCONT)
    eventually(lambda: running.reasons("RecordSet", "later"), lambda found: found == PROGRAMMED)
    eventually(lambda: running.count("RecordSet"), lambda left: left == 3)


@pytest.mark.spec("CORE-BY-008")
def test_the_release_command_lets_a_namespace_go_without_any_controller(running: Running, kubeconfig: Path) -> None:
    fill(running, 3)
    os.kill(running.process.pid, signal.SIGSTOP)
    try:
        command = [sys.executable, "-m", "core_controller", "release", "--namespace", running.namespace, "--yes"]
        answer = subprocess.run(  # noqa: S603 - our own program
            [*command, "--kubeconfig", str(kubeconfig)], capture_output=True, text=True, check=True
        )
        assert "example.com" in answer.stdout
        assert "hostedZoneID=Z1" in answer.stdout
        for name in ("n0", "n1", "n2"):
            assert "finalizers" not in running.kube.get(API, "RecordSet", running.namespace, name)["metadata"]
    finally:
        os.kill(running.process.pid, signal.SIGCONT)
