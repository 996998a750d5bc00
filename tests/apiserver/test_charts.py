"""The API server takes everything that the chart renders (server-side dry run) and refuses nothing of its CEL."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from e2e.helm import find_helm
from e2e.kube import Document, Kube, load_documents
from e2e.polling import eventually
from e2e.stack import installation
from tests.apiserver.definitions import install
from tests.charts.values import VALUES

CHART = Path(__file__).parents[2] / "charts" / "dnsapi"
FOREIGN = {"PodMonitor", "PrometheusRule", "Certificate"}
"""Kinds of other projects, whose CRDs this API server does not have."""


@pytest.fixture(scope="module", autouse=True)
def installed(kube: Kube) -> None:
    install(kube, namespaces=("dns-system", "team-a", "team-b"))


def render(values: dict[str, Any], folder: Path) -> list[Document]:
    file = folder / "values.json"
    file.write_text(json.dumps(values))
    command = [str(find_helm()), "template", "dnsapi", str(CHART), "--namespace", "dns-system", "--values", str(file)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603 — our own command
    return [one for one in load_documents(answer.stdout) if one["kind"] not in FOREIGN]


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES.keys())
def test_the_api_server_accepts_what_the_chart_renders(kube: Kube, values: dict[str, Any], tmp_path: Path) -> None:
    documents = render(values, tmp_path)

    answers = [kube.apply(document, dry_run=True) for document in documents]

    assert [one["kind"] for one in answers] == [one["kind"] for one in documents]


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES.keys())
def test_pods_run_where_the_restricted_standard_is_enforced(kube: Kube, values: dict[str, Any], tmp_path: Path) -> None:
    namespace: Document = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "dns-system"}}
    namespace["metadata"]["labels"] = {"pod-security.kubernetes.io/enforce": "restricted"}
    documents = render(values, tmp_path)
    kube.apply_all([namespace, *(one for one in documents if one["kind"] == "ServiceAccount")])
    pods = [
        {**one["spec"]["template"], "apiVersion": "v1", "kind": "Pod"}
        for one in documents
        if one["kind"] == "Deployment"
    ]

    answers = [create_dry(kube, pod, name=f"pod-{number}") for number, pod in enumerate(pods)]

    assert [one["kind"] for one in answers] == ["Pod"] * len(pods)


def create_dry(kube: Kube, pod: Document, name: str) -> Document:
    pod["metadata"] = {**pod["metadata"], "name": name, "namespace": "dns-system"}
    pod["spec"].pop("priorityClassName", None)  # no such class in this API server
    return kube.request("POST", "/api/v1/namespaces/dns-system/pods?dryRun=All", pod)


@pytest.mark.parametrize("component", ["core", "route53"])
def test_accounts_may_do_their_work_and_not_each_others(kube: Kube, component: str, tmp_path: Path) -> None:
    rights = {"ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"}
    installation.rights(kube, [one for one in render(VALUES["defaults"], tmp_path) if one["kind"] in rights])

    found = {
        (verb, resource): allowed(kube, account(component), verb, resource)
        for verb, resource in (("patch", "zones/status"), ("update", "zoneunits/status"), ("create", "zoneunits"))
    }

    assert found == {
        ("patch", "zones/status"): component == "core",
        ("update", "zoneunits/status"): component == "route53",
        ("create", "zoneunits"): component == "core",
    }


CLAIMS = ("recordsets", "recordsets/status", "zones", "zones/status", "zoneclasses", "zoneunits", "providers")


@pytest.mark.parametrize(
    ("role", "may"),
    [
        ("view", {"get recordsets", "get zones", "get zoneclasses"}),
        ("edit", {"get recordsets", "get zones", "get zoneclasses", "create recordsets", "patch recordsets"}),
        ("admin", {"get recordsets", "get zones", "get zoneclasses", "create recordsets", "patch recordsets"}),
    ],
)
def test_who_has_a_default_role_in_a_namespace_may_do_there_what_the_pages_say(
    kube: Kube, role: str, may: set[str], tmp_path: Path
) -> None:
    roles = [one for one in render(VALUES["defaults"], tmp_path) if one["kind"] == "ClusterRole"]
    kube.apply_all([*roles, bound(role)])
    eventually(lambda: rights_of(kube, role), lambda found: "get zones" in found, what=f"rights by the role {role}")

    assert rights_of(kube, role) == may


def bound(role: str) -> Document:
    """Return the binding of somebody named like the role, in team-a."""
    group = "rbac.authorization.k8s.io"
    return {
        "apiVersion": f"{group}/v1",
        "kind": "RoleBinding",
        "metadata": {"namespace": "team-a", "name": role},
        "roleRef": {"apiGroup": group, "kind": "ClusterRole", "name": role},
        "subjects": [{"apiGroup": group, "kind": "User", "name": role}],
    }


def rights_of(kube: Kube, user: str) -> set[str]:
    verbs = ("get", "create", "patch")
    return {f"{verb} {one}" for verb in verbs for one in CLAIMS if allowed(kube, user, verb, one)}


def account(component: str) -> str:
    return f"system:serviceaccount:dns-system:dnsapi-{component}"


def allowed(kube: Kube, user: str, verb: str, resource: str) -> bool:
    name, _, subresource = resource.partition("/")
    attributes = {"group": "dns.appthrust.io", "resource": name, "subresource": subresource, "verb": verb}
    review = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "spec": {
            "user": user,
            "resourceAttributes": {**attributes, "namespace": "team-a"},
        },
    }
    answer = kube.request("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", review)
    return bool(answer["status"]["allowed"])
