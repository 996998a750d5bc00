"""What `kubectl get` shows of our kinds at a glance."""

import os
import shutil
import subprocess

import pytest

from e2e.kube import Kube
from tests.apiserver.definitions import install
from tests.apiserver.manifests import NAMESPACE, ZONE, changed

pytestmark = pytest.mark.apiserver


@pytest.fixture(scope="module", autouse=True)
def installed(kube: Kube) -> None:
    install(kube, namespaces=(NAMESPACE,))


def test_tables_show_the_conditions(kube: Kube) -> None:
    definition = kube.get("apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "zones.dns.appthrust.io")
    names = definition["status"]["acceptedNames"]
    columns = {
        one["name"]: one.get("priority", 0) for one in definition["spec"]["versions"][0]["additionalPrinterColumns"]
    }

    assert names["categories"] == ["dns", "dns-all"]
    assert names["shortNames"] == ["dnszone"]
    assert [name for name, priority in columns.items() if not priority] == [
        "Domain",
        "Class",
        "Accepted",
        "Programmed",
        "Reason",
        "Age",
    ]


def test_a_wide_table_shows_that_a_zone_is_paused(kube: Kube) -> None:
    if shutil.which("kubectl") is None and "GITHUB_ACTIONS" not in os.environ:
        pytest.skip("kubectl is not installed")
    paused = {"dns.appthrust.io/paused": "true"}
    stored = kube.create(changed(ZONE, metadata__name="paused", metadata__annotations=paused))
    command = ["kubectl", "get", "zones.dns.appthrust.io", stored["metadata"]["name"], "--output", "wide"]

    answer = subprocess.run(  # noqa: S603 — our own words
        [*command, "--namespace", NAMESPACE, "--kubeconfig", str(kube.kubeconfig)],
        capture_output=True,
        text=True,
        check=True,
    )

    head, row = answer.stdout.splitlines()
    assert head.split()[-1] == "PAUSED"
    assert row.split()[-1] == "true"
