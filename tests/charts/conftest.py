"""Rendering of the umbrella chart with the pinned helm."""

import json
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from e2e.helm import find_helm
from e2e.kube import Document, load_documents

CHART = Path(__file__).parents[2] / "charts" / "dnsapi"
Render = Callable[..., list[Document]]
ALERTS_ON: dict[str, Any] = {"global": {"prometheusRule": {"enabled": True}}}


class RenderError(AssertionError):
    """Helm refused; the message is helm's."""


@pytest.fixture(scope="session")
def helm() -> Path:
    return find_helm()


def rendered(
    helm: Path,
    folder: Path,
    values: dict[str, Any] | None = None,
    release: str = "dnsapi",
    chart: Path = CHART,
    arguments: Sequence[str] = (),
) -> list[Document]:
    """Return what `helm template` makes of the values, in the namespace dns-system; RenderError where it refuses."""
    file = folder / "values.json"
    file.write_text(json.dumps(values or {}))
    command = [str(helm), "template", release, str(chart), "--namespace", "dns-system", "--values", str(file)]
    answer = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)  # noqa: S603 — our own command
    if answer.returncode != 0:
        raise RenderError(answer.stderr)
    return load_documents(answer.stdout)


@pytest.fixture
def render(helm: Path, tmp_path: Path) -> Render:
    return partial(rendered, helm, tmp_path)


@pytest.fixture(scope="session")
def all_rules(helm: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of rules for Prometheus: all alerts, as the chart renders them with every component switched on."""
    folder = tmp_path_factory.mktemp("rules")
    return rules_file(rendered(helm, folder, {**ALERTS_ON, "sources": {"enabled": True}}), folder)


def rules_file(documents: list[Document], folder: Path) -> Path:
    """Write what the one PrometheusRule holds as a file of rules for Prometheus."""
    (rule,) = (one for one in documents if one["kind"] == "PrometheusRule")
    file = folder / "rules.json"
    file.write_text(json.dumps(rule["spec"]))
    return file
