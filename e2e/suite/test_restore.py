"""A ledger that was saved and lost is put back as the page on restoring says, and the controllers go on."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from e2e.claims import DNS
from e2e.pages import commands
from e2e.stack import CORE, ROUTE53, Stack, await_service
from e2e.suite import manifests
from e2e.suite.cluster import Cluster

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "restore.md"
KINDS = ("RecordSet", "Zone", "ZoneUnit", "ZoneUnitSlice")
TAKE_OVER_SECONDS = 240.0
"""A crashed leader's lease runs out first."""


def typed(command: str, team: str, folder: Path) -> None:
    """Run a command of the page on one namespace."""
    line = command.replace("--all-namespaces", f"--namespace {team}")
    answer = subprocess.run(line, shell=True, cwd=folder, capture_output=True, text=True, check=False)  # noqa: S602 — our own page
    assert answer.returncode == 0, f"{line}\n{answer.stdout}{answer.stderr}"


def lose(cluster: Cluster, team: str) -> None:
    """Remove all claims and ledgers of a namespace, as if the cluster had gone; no controller runs."""
    for kind in KINDS:
        for one in cluster.kube.list(DNS, kind, team):
            name = one["metadata"]["name"]
            cluster.kube.merge_patch(DNS, kind, team, name, {"metadata": {"finalizers": None}})
            cluster.kube.delete(DNS, kind, team, name)


@pytest.mark.spec("R53-GU-010")
def test_a_saved_ledger_is_put_back_and_nothing_is_sent(
    cluster: Cluster, stack: Stack, team: str, domain: str, tmp_path: Path
) -> None:
    """Beyond-the-seeds 14."""
    if shutil.which("kubectl") is None or shutil.which("jq") is None:
        assert "GITHUB_ACTIONS" not in os.environ
        pytest.skip("kubectl or jq is not installed")
    save, *restore = [line for line in commands(PAGE) if "ledger.json" in line or "restored.json" in line]
    zone = manifests.zone(team, "zone", domain)
    records = [manifests.a_record(team, name, "zone") for name in ("www", "api", "mail")]
    cluster.apply(zone, *records)
    cluster.programmed(zone, *records)
    before = cluster.emulator.log()
    typed(save, team, tmp_path)

    stack.kill(CORE)
    stack.kill(ROUTE53)
    try:
        lose(cluster, team)
        cluster.apply(zone, *records)
        for line in restore:
            typed(line, team, tmp_path)
    finally:
        for service in (CORE, ROUTE53):
            stack.runner.start(service)
            await_service(stack.runner, service)
    cluster.programmed(zone, *records, within=TAKE_OVER_SECONDS)
    assert cluster.zone_ids(domain) == [cluster.hosted_zone_id(zone)]
    zone_id = cluster.hosted_zone_id(zone)
    assert not [batch for batch in cluster.emulator.log()[len(before) :] if batch.hosted_zone_id == zone_id]
