"""Each component's chart by itself, without the umbrella and outside of its folder."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from e2e.kube import Document
from tests.charts.conftest import CHART, Render, RenderError
from tests.charts.values import COMPONENTS, VALUES, of_kind, pods

FOREIGN = {"apiVersion": "v2", "name": "platform", "type": "application", "version": "1.0.0"}


@pytest.fixture(params=COMPONENTS)
def alone(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A component's chart, taken out of the umbrella."""
    return Path(shutil.copytree(CHART / "charts" / request.param, tmp_path / request.param))


def of_component(documents: list[Document], component: str) -> list[Document]:
    found = [one for one in documents if one["metadata"]["labels"].get("app.kubernetes.io/component") == component]
    return sorted(found, key=lambda one: (one["kind"], one["metadata"]["name"], one["metadata"].get("namespace", "")))


def in_files(values: dict[str, Any], component: str) -> dict[str, Any]:
    """Return a component's part of the umbrella's values, as the component's own chart takes them."""
    own = {name: value for name, value in values.get(component, {}).items() if name != "enabled"}
    return {"global": values["global"], **own} if "global" in values else own


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES.keys())
def test_it_is_what_the_umbrella_makes_of_it(render: Render, alone: Path, values: dict[str, Any]) -> None:
    whole = {**values, alone.name: {**values.get(alone.name, {}), "enabled": True}}
    expected = of_component(render(whole), alone.name)

    assert len(expected) > 5
    assert of_component(render(in_files(values, alone.name), chart=alone), alone.name) == expected


def test_it_makes_nothing_of_other_components(render: Render, alone: Path) -> None:
    labels = [one["metadata"]["labels"]["app.kubernetes.io/component"] for one in render(chart=alone)]

    assert set(labels) == {alone.name}


def test_what_is_switched_off_stays_off(render: Render, alone: Path) -> None:
    documents = render({"global": {"networkPolicy": {"enabled": False}}}, chart=alone)

    assert of_kind(documents, "NetworkPolicy") == []
    assert of_kind(documents, "Deployment")


def test_one_value_of_a_security_context_leaves_the_others(render: Render, alone: Path) -> None:
    (pod,) = pods(render({"global": {"podSecurityContext": {"runAsUser": 1000650000}}}, chart=alone))

    assert pod["securityContext"] == {
        "runAsNonRoot": True,
        "runAsUser": 1000650000,
        "runAsGroup": 65532,
        "fsGroup": 65532,
        "seccompProfile": {"type": "RuntimeDefault"},
    }


def test_a_platform_may_assign_users(render: Render, alone: Path) -> None:
    (pod,) = pods(render({"global": {"platformAssignsUsers": True}}, chart=alone))

    assert pod["securityContext"] == {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}


def test_a_misspelt_global_stops_the_installation(render: Render, alone: Path) -> None:
    with pytest.raises(RenderError, match="additional properties 'imagePullSecret' not allowed"):
        render({"global": {"imagePullSecret": []}}, chart=alone)


def test_it_is_installed_below_another_umbrella(render: Render, alone: Path, tmp_path: Path) -> None:
    platform = tmp_path / "platform"
    shutil.copytree(alone, platform / "charts" / alone.name)
    (platform / "Chart.yaml").write_text(json.dumps(FOREIGN))

    assert of_component(render(chart=platform), alone.name) == of_component(render(chart=alone), alone.name)


def test_it_asks_for_the_kubernetes_that_the_umbrella_asks_for(render: Render, alone: Path) -> None:
    own, whole = (yaml.safe_load((chart / "Chart.yaml").read_text()) for chart in (alone, CHART))

    assert own["kubeVersion"] == whole["kubeVersion"]
    with pytest.raises(RenderError, match="incompatible with Kubernetes"):
        render(chart=alone, arguments=["--kube-version=1.29.0"])


def test_it_says_the_next_step(helm: Path, alone: Path) -> None:
    command = [str(helm), "install", "own", str(alone), "--namespace", "dns", "--dry-run=client", "--output=json"]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 — our own command
    notes = json.loads(answer.stdout)["info"]["notes"]

    assert "chart dnsapi-crds" in notes
    assert {"core": "{dns:own-core}", "route53": "{dns:own-route53}", "webhook": "serviceaccount:dns:own-core"}.get(
        alone.name, "DNSProvider"
    ) in notes
