# ruff: noqa: D103 — the name of a test is the sentence that it proves
"""Wrong input and failing surroundings: the error names what to do, and what can mend itself does."""

import os
import subprocess
import sys

import pytest

from e2e.kube import Document, KubeError
from e2e.route53.faults import Fault
from e2e.stack import CORE, ROUTE53, SERVICES, WEBHOOK, Service, Stack
from e2e.stack.layout import ROOT
from e2e.stack.services import replaced
from e2e.suite import manifests
from e2e.suite.cluster import Cluster

START_SECONDS = 120


def _a(**spec: object) -> Document:
    return {"name": "www", "type": "A", "ttl": 300, "a": {"addresses": ["192.0.2.1"]}} | spec


@pytest.mark.parametrize(
    ("spec", "field"),
    [
        (_a(a={"addresses": ["192.0.2.256"]}), "spec.a.addresses"),
        (_a(name="-www"), "spec.name"),
        (_a(name="_dmarc"), "spec.name"),
        ({"name": "www", "type": "A", "ttl": 300}, "spec.a"),
        ({"name": "www", "type": "A", "a": {"addresses": ["192.0.2.1"]}}, "spec.ttl"),
        ({"name": "@", "type": "CNAME", "ttl": 300, "cname": {"target": "example.net"}}, "spec.name"),
        (_a(options={"unknown": True}), "spec.options"),
        (_a(type="SRV"), "spec.type"),
    ],
)
def test_a_bad_manifest_is_refused_at_admission_with_the_path_of_the_field(
    cluster: Cluster, team: str, spec: Document, field: str
) -> None:
    with pytest.raises(KubeError) as refusal:
        cluster.apply(manifests.record_set(team, "bad", {"name": "zone"}, spec))
    causes = [str(cause.get("field")) for cause in refusal.value.details.get("causes", [])]
    assert field in refusal.value.message or field in causes


def test_an_outage_of_the_provider_shows_on_the_claim_and_mends_itself(
    cluster: Cluster, team: str, domain: str
) -> None:
    zone, record = manifests.zone(team, "zone", domain), manifests.a_record(team, "www", "zone")
    cluster.apply(zone)
    cluster.programmed(zone)
    cluster.emulator.arm(Fault(action="*", kind="close-connection", for_seconds=600))
    cluster.apply(record)
    cluster.having(record, "Programmed", "False/ProviderUnavailable")
    cluster.emulator.disarm()
    cluster.programmed(record, within=240)
    assert (f"www.{domain}.", "A") in cluster.records(zone)


@pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)
def test_a_taken_port_ends_a_service_with_an_error_that_names_it(stack: Stack, service: Service) -> None:
    taken = stack.runner.ports.health[CORE.name if service is ROUTE53 else ROUTE53.name]
    local = {"--health-port": str(taken)} | ({"--address": "127.0.0.1:0"} if service is WEBHOOK else {})
    arguments = replaced(stack.runner.arguments(service), local)
    answer = _ended([service.module, *arguments], stack.runner.environment(service))
    assert answer.returncode == 1
    assert str(taken) in answer.stderr
    assert "Traceback" not in answer.stderr


def test_the_emulator_says_which_port_is_taken(cluster: Cluster) -> None:
    port = cluster.emulator.http.rpartition(":")[2]
    answer = _ended(["e2e.route53", "--port", port], dict(os.environ))
    assert answer.returncode == 1
    assert port in answer.stderr


def _ended(module: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 — modules of this repository
        [sys.executable, "-m", *module],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )
