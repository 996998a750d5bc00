"""The numbers of the support page are those that the tests, images and charts really use."""

import re
from pathlib import Path

import pytest
import yaml

from tests.docs.test_links import ROOT

PAGE = (ROOT / "docs" / "reference" / "support.md").read_text()
MODULES = {
    "Kubernetes": ("e2e/controlplane/kubernetes/go.mod", r"k8s\.io/kubernetes v([\d.]+)"),
    "Helm": ("e2e/helm/go.mod", r"helm\.sh/helm/v4 v([\d.]+)"),
    "Gateway API": ("e2e/gateway/go.mod", r"sigs\.k8s\.io/gateway-api v([\d.]+)"),
    "Istio": ("e2e/istio/go.mod", r"istio\.io/api v([\d.]+)"),
    "ExternalDNS": ("e2e/externaldns/go.mod", r"sigs\.k8s\.io/external-dns v([\d.]+)"),
    "Prometheus": ("e2e/promtool/go.mod", r"github\.com/prometheus/prometheus v([\d.]+)"),
}


def row(of: str) -> str:
    """Return the line of the page about something."""
    return next(line for line in PAGE.splitlines() if line.startswith(f"| {of} |"))


def pinned(file: str, pattern: str) -> set[str]:
    return set(re.findall(pattern, (ROOT / file).read_text()))


@pytest.mark.parametrize("of", MODULES)
def test_what_the_tests_are_built_from_is_told(of: str) -> None:
    versions = pinned(*MODULES[of])

    assert len(versions) == 1
    assert all(version in row(of) for version in versions)


def test_the_kubernetes_versions_of_the_workflow_are_told() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/e2e.yaml").read_text())
    versions = workflow["jobs"]["kind"]["strategy"]["matrix"]["kubernetes"]

    assert all(version.removeprefix("v") in row("Kubernetes") for version in versions)


@pytest.mark.parametrize("chart", ["dnsapi", "dnsapi-crds"])
def test_the_oldest_kubernetes_is_the_one_that_the_charts_take(chart: str) -> None:
    metadata = yaml.safe_load((ROOT / "charts" / chart / "Chart.yaml").read_text())
    oldest = metadata["kubeVersion"].removeprefix(">=").removesuffix(".0-0")

    assert f"| Kubernetes | {oldest} and newer" in PAGE


def test_the_oldest_python_is_the_one_that_the_package_takes_and_a_workflow_runs() -> None:
    (oldest,) = pinned("pyproject.toml", r'requires-python = ">=([\d.]+)"')
    images = {version for file in ROOT.glob("Dockerfile.*") for version in pinned(file.name, r"FROM python:([\d.]+)-")}
    run = pinned(".github/workflows/ci.yaml", r'python-version: "([\d.]+)"')

    assert f"| Python | {oldest} and newer" in PAGE
    assert {oldest, *images} == run
    assert all(version in row("Python") for version in run)


def test_every_row_says_how_it_is_tested() -> None:
    rows = [line.split("|")[1:-1] for line in PAGE.splitlines() if line.startswith("| ")][2:]

    assert all(len(cells) == 3 and all(cell.strip() for cell in cells) for cells in rows)
    assert len(rows) > len(MODULES)


def test_the_page_names_its_own_test() -> None:
    assert str(Path(__file__).relative_to(ROOT)) in PAGE
