"""Rendering of the umbrella chart with the pinned helm."""

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from e2e.helm import find_helm
from e2e.kube import Document, load_documents

CHART = Path(__file__).parents[2] / "charts" / "dnsapi"
Render = Callable[..., list[Document]]


class RenderError(AssertionError):
    """Helm refused; the message is helm's."""


@pytest.fixture(scope="session")
def helm() -> Path:
    return find_helm()


@pytest.fixture
def render(helm: Path, tmp_path: Path) -> Render:
    def rendered(
        values: dict[str, Any] | None = None,
        release: str = "dnsapi",
        chart: Path = CHART,
        arguments: Sequence[str] = (),
    ) -> list[Document]:
        file = tmp_path / "values.json"
        file.write_text(json.dumps(values or {}))
        command = [str(helm), "template", release, str(chart), "--namespace", "dns-system", "--values", str(file)]
        command += arguments
        answer = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 — our own command
        if answer.returncode != 0:
            raise RenderError(answer.stderr)
        return load_documents(answer.stdout)

    return rendered
