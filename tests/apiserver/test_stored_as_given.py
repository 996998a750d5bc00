"""What the charts say is what the API server stores: nobody who compares both, as GitOps tools do, sees a drift."""

from pathlib import Path
from typing import Any

import pytest

from e2e.kube import Document, Kube, load_documents
from tests.apiserver.definitions import install
from tests.apiserver.test_charts import CHART, render
from tests.charts.values import VALUES


@pytest.fixture(scope="module", autouse=True)
def installed(kube: Kube) -> None:
    install(kube, namespaces=("dns-system", "team-a", "team-b"))


def changed(wanted: Any, stored: Any, path: str = "") -> list[str]:  # noqa: ANN401 — JSON documents
    """Return where the API server stores something else than it was given: GitOps tools would see a drift there."""
    if isinstance(wanted, dict) and isinstance(stored, dict):
        return [
            found
            for key, value in wanted.items()
            if value is not None
            for found in changed(value, stored.get(key), f"{path}.{key}")
        ]
    if isinstance(wanted, list) and isinstance(stored, list) and len(wanted) == len(stored):
        return [
            found
            for at, pair in enumerate(zip(wanted, stored, strict=True))
            for found in changed(*pair, f"{path}[{at}]")
        ]
    return [] if wanted == stored else [f"{path}: {wanted!r} is stored as {stored!r}"]


def drift(kube: Kube, documents: list[Document]) -> list[str]:
    """Return what of these objects the API server would store differently."""
    answers = [kube.apply(document, dry_run=True) for document in documents]
    return [found for pair in zip(documents, answers, strict=True) for found in changed(*pair)]


def test_crds_are_stored_as_they_are_given(kube: Kube) -> None:
    files = sorted((CHART.parent / "dnsapi-crds" / "templates").glob("*.yaml"))

    assert drift(kube, [one for file in files for one in load_documents(file.read_text())]) == []


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES.keys())
def test_what_the_chart_renders_is_stored_as_it_is_given(kube: Kube, values: dict[str, Any], tmp_path: Path) -> None:
    assert drift(kube, render(values, tmp_path)) == []


def test_a_value_that_is_dropped_or_changed_is_found() -> None:
    wanted = {"spec": {"empty": {}, "list": [{"a": ""}, 1], "same": 1}}

    assert changed(wanted, {"spec": {"list": [{}, 2], "same": 1, "more": 2}}) == [
        ".spec.empty: {} is stored as None",
        ".spec.list[0].a: '' is stored as None",
        ".spec.list[1]: 1 is stored as 2",
    ]
