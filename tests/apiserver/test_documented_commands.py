"""Installation, upgrade and uninstallation as the pages tell it, typed into a shell against a fresh API server."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from e2e.controlplane import ControlPlane, find_binaries
from e2e.helm import find_helm
from e2e.kube import Kube
from e2e.pages import commands, inline
from tests.apiserver.documented import runs_on_an_api_server

ROOT = Path(__file__).parents[2]
PAGES = (
    "README.md",
    "docs/how-to/install.md",
    "docs/how-to/components.md",
    "docs/how-to/upgrade.md",
    "docs/how-to/uninstall.md",
)
EXTENSIONS = "apiextensions.k8s.io/v1"
RELEASE = [
    "helm install dnsapi-crds charts/dnsapi-crds",
    "helm install dnsapi charts/dnsapi -n dns-system --create-namespace",
]
WITHIN_SECONDS = 600
"""For one command; helm itself waits without end for a server that does not answer."""
INSTALLED_BEFORE = {"docs/how-to/upgrade.md": RELEASE, "docs/how-to/uninstall.md": RELEASE}
"""What a page takes for granted."""


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    if shutil.which("kubectl") is None and "GITHUB_ACTIONS" not in os.environ:
        pytest.skip("kubectl is not installed")
    started = ControlPlane.start(tmp_path_factory.mktemp("documented") / "plane", find_binaries(), watch_cache=False)
    try:
        yield started
    finally:
        started.stop()


@pytest.fixture
def desk(plane: ControlPlane, tmp_path: Path) -> Iterator[Path]:
    """A folder as the reader has it, with values of their own; the cluster is emptied afterwards."""
    for name in ("charts", "core_controller", "libdnsapi"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "values.yaml").write_text(yaml.safe_dump({"route53": {"replicas": 1}}))
    yield tmp_path
    for line in (
        "helm uninstall dnsapi --namespace dns-system --ignore-not-found",
        "helm uninstall dnsapi-crds --ignore-not-found",
        "kubectl delete crd --selector app.kubernetes.io/part-of=dnsapi",
        "kubectl delete clusterrole,clusterrolebinding --selector app.kubernetes.io/part-of=dnsapi",
    ):
        typed(line, plane, tmp_path)


def shell(command: str, plane: ControlPlane, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line in a shell that answers yes to what is asked."""
    paths = [str(find_helm().parent), str(Path(sys.executable).parent), os.environ["PATH"]]
    environment = dict(os.environ) | {"KUBECONFIG": str(plane.kubeconfig), "PATH": os.pathsep.join(paths)}
    return subprocess.run(  # noqa: S602 — lines of our own pages
        command,
        shell=True,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        input="y\n",
        timeout=WITHIN_SECONDS,
    )


def typed(command: str, plane: ControlPlane, folder: Path) -> str:
    """Run a line and return its output; an exit status other than 0 is a failure."""
    answer = shell(command, plane, folder)
    assert answer.returncode == 0, f"{command}\n{answer.stdout}{answer.stderr}"
    return answer.stdout


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_the_page_do_what_it_says(page: str, plane: ControlPlane, desk: Path) -> None:
    lines = [*commands(ROOT / page), *inline(ROOT / page)]
    wanted = [line for line in dict.fromkeys(lines) if runs_on_an_api_server(line)]

    for line in [*INSTALLED_BEFORE.get(page, ()), *wanted]:
        typed(line, plane, desk)

    assert wanted


def test_an_uninstall_keeps_the_crds_until_they_are_deleted_by_their_label(plane: ControlPlane, desk: Path) -> None:
    kube = Kube(plane.kubeconfig)
    for line in RELEASE:
        typed(line, plane, desk)

    typed("helm uninstall dnsapi --namespace dns-system", plane, desk)
    typed("helm uninstall dnsapi-crds", plane, desk)
    kept = {one["metadata"]["name"] for one in kube.list(EXTENSIONS, "CustomResourceDefinition")}
    typed("kubectl delete crd --selector app.kubernetes.io/part-of=dnsapi", plane, desk)

    assert {"zones.dns.appthrust.io", "recordsets.dns.appthrust.io"} <= kept
    assert kube.list(EXTENSIONS, "CustomResourceDefinition") == []
    kube.close()


def test_charts_can_be_installed_again_after_an_uninstall(plane: ControlPlane, desk: Path) -> None:
    for line in [*RELEASE, "helm uninstall dnsapi --namespace dns-system", "helm uninstall dnsapi-crds", *RELEASE]:
        typed(line, plane, desk)

    assert "dnsapi-core" in typed("kubectl get deployments --namespace dns-system --output name", plane, desk)


def test_crds_that_were_applied_by_hand_are_taken_over_when_helm_is_told_to(plane: ControlPlane, desk: Path) -> None:
    typed("kubectl apply --server-side -f charts/dnsapi-crds/templates/", plane, desk)

    refused = shell(RELEASE[0], plane, desk)
    typed(f"{RELEASE[0]} --take-ownership", plane, desk)

    assert "cannot be imported into the current release" in refused.stderr
