"""An upgrade from an earlier release, as the page tells it: other definitions, other values, the same objects.

No release is out yet. The earlier one is made of this one: without a field and a column, without alerts and their
values, with a setting that is gone since.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from e2e.controlplane import ControlPlane, find_binaries
from e2e.helm import find_helm
from e2e.kube import MERGE, Document, Kube, KubeError
from e2e.pages import commands, words
from e2e.polling import eventually
from tests.apiserver.manifests import API, NAMESPACE, RECORD_SET, ZONE, changed

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "how-to"
DEFINITIONS, SERVICES = (
    next(words(line) for line in commands(PAGES / "upgrade.md") if line.startswith(f"helm upgrade {release} "))
    for release in ("dnsapi-crds", "dnsapi")
)
"""The page's two lines."""
EXTENSIONS, DEFINITION = "apiextensions.k8s.io/v1", "CustomResourceDefinition"
HERE = ("--namespace", "dns-system")
WITHIN_SECONDS = 600
"""For one command; helm itself waits without end for a server that does not answer."""
VALUES: Document = {"route53": {"replicas": 3}, "core": {"settings": {"inlineRecordSets": 50}}}
ADOPTION = {"hostedZoneId": "Z0000000000"}
STATUS = {"status": {"observedGeneration": 1}}


@pytest.fixture(scope="module")
def plane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ControlPlane]:
    started = ControlPlane.start(tmp_path_factory.mktemp("upgrade") / "plane", find_binaries(), watch_cache=False)
    try:
        yield started
    finally:
        started.stop()


@pytest.fixture
def kube(plane: ControlPlane) -> Iterator[Kube]:
    client = Kube(plane.kubeconfig)
    yield client
    client.close()


@contextmanager
def edited(file: Path) -> Iterator[Document]:
    """A YAML or JSON file as a document, which is written back."""
    document: Document = yaml.safe_load(file.read_text())
    yield document
    file.write_text(json.dumps(document))


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the charts of an earlier release in `earlier`, those of this one in `charts`, and values."""
    (tmp_path / "charts").symlink_to(ROOT / "charts")
    (tmp_path / "values.json").write_text(json.dumps(VALUES))
    earlier = Path(shutil.copytree(ROOT / "charts", tmp_path / "earlier"))
    with edited(earlier / "dnsapi-crds" / "templates" / "zones.yaml") as zones:
        version = zones["spec"]["versions"][0]
        del version["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["adoption"]
        version["additionalPrinterColumns"].pop()
    (earlier / "dnsapi" / "templates" / "monitoring.yaml").unlink()
    with edited(earlier / "dnsapi" / "values.yaml") as values:
        del values["global"]["prometheusRule"], values["global"]["dashboards"]
    with edited(earlier / "dnsapi" / "charts" / "core" / "values.schema.json") as schema:
        schema["properties"]["settings"]["properties"]["lookAhead"] = {"type": "integer"}
    return tmp_path


@pytest.fixture
def definitions(plane: ControlPlane, kube: Kube, desk: Path) -> Iterator[None]:
    """The definitions of the earlier release; all are gone afterwards, with their objects."""
    typed(["helm", "install", "dnsapi-crds", "earlier/dnsapi-crds"], plane, desk)
    yield
    typed(["helm", "uninstall", "dnsapi-crds"], plane, desk)
    for one in kube.list(EXTENSIONS, DEFINITION):
        kube.delete(EXTENSIONS, DEFINITION, "", one["metadata"]["name"])
    eventually(lambda: not kube.list(EXTENSIONS, DEFINITION), what="the end of all definitions")


@pytest.fixture
def release(plane: ControlPlane, desk: Path, definitions: None) -> Iterator[None]:
    """The services of the earlier release, with values of the operator's."""
    typed(
        ["helm", "install", "dnsapi", "earlier/dnsapi", *HERE, "--create-namespace", "--values=values.json"],
        plane,
        desk,
    )
    yield
    typed(["helm", "uninstall", "dnsapi", *HERE, "--no-hooks"], plane, desk)  # a Job that nobody would run


def shell(command: list[str], plane: ControlPlane, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run helm."""
    environment = dict(os.environ) | {"KUBECONFIG": str(plane.kubeconfig)}
    return subprocess.run(  # noqa: S603 — our own command
        [str(find_helm()), *command[1:]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=WITHIN_SECONDS,
    )


def typed(command: list[str], plane: ControlPlane, folder: Path) -> str:
    """Run helm and return its output; an exit status other than 0 is a failure."""
    answer = shell(command, plane, folder)
    assert answer.returncode == 0, f"{command}\n{answer.stdout}{answer.stderr}"
    return answer.stdout


def deployment(kube: Kube, component: str) -> Document:
    return kube.get("apps/v1", "Deployment", "dns-system", f"dnsapi-{component}")


def flags(kube: Kube, component: str) -> list[str]:
    found: list[str] = deployment(kube, component)["spec"]["template"]["spec"]["containers"][0]["args"]
    return found


def stored(kube: Kube, kind: str, name: str) -> Document:
    """Return what must not change: who it is, what it asks for, what became of it."""
    found = kube.get(API, kind, NAMESPACE, name)
    return {"uid": found["metadata"]["uid"], "spec": found["spec"], "status": found.get("status")}


def test_a_field_is_brought_and_no_object_lost(plane: ControlPlane, kube: Kube, desk: Path, definitions: None) -> None:
    kube.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
    for document in (ZONE, RECORD_SET):
        eventually(lambda document=document: kube.apply(document), what="the kind is served")
    kube.request("PATCH", f"{kube.path(API, 'Zone', NAMESPACE, 'example-com')}/status", STATUS, content_type=MERGE)
    before = [stored(kube, one["kind"], one["metadata"]["name"]) for one in (ZONE, RECORD_SET)]
    with pytest.raises(KubeError, match="adoption"):
        kube.apply(changed(ZONE, spec__adoption=ADOPTION))

    typed(DEFINITIONS, plane, desk)
    after = [stored(kube, one["kind"], one["metadata"]["name"]) for one in (ZONE, RECORD_SET)]
    adopted = eventually(lambda: accepted(kube, changed(ZONE, spec__adoption=ADOPTION)), what="the new field is taken")

    assert before == after
    assert before[0]["status"] == STATUS["status"]
    assert adopted["spec"]["adoption"] == ADOPTION
    assert adopted["metadata"]["uid"] == before[0]["uid"]


def accepted(kube: Kube, document: Document) -> Document | None:
    """Apply a document; None while the API server does not know one of its fields."""
    try:
        return kube.apply(document)
    except KubeError as error:
        if "not declared in schema" in error.message:
            return None
        raise


def test_values_of_the_operator_stay_and_new_ones_have_their_defaults(
    plane: ControlPlane, kube: Kube, desk: Path, release: None
) -> None:
    typed(SERVICES, plane, desk)

    assert deployment(kube, "route53")["spec"]["replicas"] == 3
    assert "--inline-record-sets=50" in flags(kube, "core")
    assert json.loads(typed(["helm", "status", "dnsapi", *HERE, "--output=json"], plane, desk))["version"] == 2


def test_a_value_that_is_gone_is_named_and_nothing_is_changed(
    plane: ControlPlane, kube: Kube, desk: Path, release: None
) -> None:
    gone = ["--reuse-values", "--set", "core.settings.lookAhead=3"]
    typed(["helm", "upgrade", "dnsapi", "earlier/dnsapi", *HERE, *gone], plane, desk)
    before = deployment(kube, "core")["metadata"]["generation"]

    refused = shell(SERVICES, plane, desk)

    assert refused.returncode != 0
    assert "values don't meet the specifications" in refused.stderr
    assert "lookAhead" in refused.stderr
    assert deployment(kube, "core")["metadata"]["generation"] == before
    assert "--look-ahead=3" in flags(kube, "core")


def test_a_value_that_is_gone_is_left_behind_by_giving_all_values_anew(
    plane: ControlPlane, kube: Kube, desk: Path, release: None
) -> None:
    gone = ["--reuse-values", "--set", "core.settings.lookAhead=3"]
    typed(["helm", "upgrade", "dnsapi", "earlier/dnsapi", *HERE, *gone], plane, desk)

    typed(["helm", "upgrade", "dnsapi", "charts/dnsapi", *HERE, "--reset-values", "--values=values.json"], plane, desk)

    assert not [flag for flag in flags(kube, "core") if flag.startswith("--look-ahead")]
    assert "--inline-record-sets=50" in flags(kube, "core")


def test_the_last_upgrade_before_an_uninstall_takes_values_of_an_earlier_release(
    plane: ControlPlane, desk: Path, release: None
) -> None:
    (line,) = (one for one in commands(PAGES / "uninstall.md") if "uninstall.release" in one)

    typed(words(line), plane, desk)
    hooks = typed(["helm", "get", "hooks", "dnsapi", *HERE], plane, desk)

    assert "kind: Job" in hooks
