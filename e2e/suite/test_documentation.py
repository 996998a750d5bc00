# ruff: noqa: D103 — the name of a test is the sentence that it proves
"""The manifests of README and how-to pages are admitted and programmed, and their kubectl lines show what they say."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from e2e.kube import Document
from e2e.pages import commands, manifests
from e2e.stack import demo
from e2e.stack.layout import ROOT
from e2e.suite.cluster import Cluster

README = ROOT / "README.md"
OWN_ZONES, PUBLISH_RECORDS = (ROOT / "docs" / "how-to" / page for page in ("own-zones.md", "publish-records.md"))
LISTING = "kubectl get rset -n team-a"


@pytest.fixture(scope="module")
def platform(cluster: Cluster) -> Iterator[list[Document]]:
    """Make the quick start's namespaces with what `own-zones.md` makes in them, and the record of the README."""
    namespaces = [one for one in demo.documents() if one["kind"] == "Namespace"]
    wanted = [*namespaces, *manifests(OWN_ZONES), *manifests(README)]
    demo.remove(cluster.kube, wanted, print)
    cluster.apply(*wanted)
    yield wanted
    demo.remove(cluster.kube, wanted, print)


@pytest.fixture
def desk(cluster: Cluster, tmp_path: Path) -> Path:
    """Return a folder with a kubeconfig whose current namespace is team-a, as the reader's is."""
    if shutil.which("kubectl") is None and "GITHUB_ACTIONS" not in os.environ:
        pytest.skip("kubectl is not installed")
    content = yaml.safe_load(cluster.kube.kubeconfig.read_text())
    for context in content["contexts"]:
        context["context"]["namespace"] = "team-a"
    (tmp_path / "kubeconfig").write_text(yaml.safe_dump(content))
    return tmp_path


def typed(command: str, desk: Path) -> str:
    environment = dict(os.environ) | {"KUBECONFIG": str(desk / "kubeconfig")}
    answer = subprocess.run(  # noqa: S603 — a line of our own pages
        shlex.split(command), cwd=desk, env=environment, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, f"{command}\n{answer.stdout}{answer.stderr}"
    return answer.stdout


def test_the_record_of_the_readme_is_programmed_and_listed_as_it_shows(
    cluster: Cluster, platform: list[Document], desk: Path
) -> None:
    shown = README.read_text().partition(f"$ {LISTING}\n")[2].splitlines()

    typed("kubectl wait --for=condition=Programmed rset/www -n team-a", desk)
    listed = typed("kubectl get rset -n team-a", desk).splitlines()

    # All but the age.
    assert [line.split()[:-1] for line in listed] == [line.split()[:-1] for line in shown[:2]]


def test_who_follows_the_page_for_owners_of_zones_gets_name_servers(platform: list[Document], desk: Path) -> None:
    outputs = [typed(command, desk) for command in commands(OWN_ZONES)]

    assert len(outputs) == 2
    assert "condition met" in outputs[0]
    assert outputs[1].count(",") == 3


def test_who_follows_the_page_for_application_teams_gets_a_record(platform: list[Document], desk: Path) -> None:
    (record,) = manifests(PUBLISH_RECORDS)
    (desk / "www.yaml").write_text(yaml.safe_dump(record))

    outputs = [typed(command, desk) for command in commands(PUBLISH_RECORDS)]

    assert "condition met" in outputs[-1]
