"""Exactly which rights each component gets: a right more or less is red here."""

import pytest

from e2e.kube import Document
from tests.charts.conftest import Render
from tests.charts.values import VALUES, of_kind

Right = tuple[str, str, str]
READ = "get list watch"
DNS, ROUTE53, LEASES = "dns.appthrust.io", "route53.dns.appthrust.io", "coordination.k8s.io"
EVENTS = ("events.k8s.io", "events", "create patch")
READ_WRITE = "get list patch update watch"


def leases(component: str) -> set[Right]:
    return {(LEASES, "leases", "create"), (LEASES, f"leases/=dnsapi-{component}", "get patch update")}


EXPECTED: dict[str, set[Right]] = {
    "core": {
        (DNS, "providers", READ),
        (DNS, "zoneclasses", READ),
        ("", "namespaces", READ),
        (DNS, "zones", READ_WRITE),
        (DNS, "recordsets", READ_WRITE),
        (DNS, "zones/status", "patch update"),
        (DNS, "recordsets/status", "patch update"),
        (DNS, "zoneunits", "create delete get list patch update watch"),
        (DNS, "zoneunitslices", "create delete get list patch update watch"),
        (DNS, "zoneunits/finalizers", "update"),
        EVENTS,
    },
    "core in dns-system": leases("core"),
    "route53": {
        (DNS, "providers", READ),
        ("", "namespaces", READ),
        (DNS, "zones", READ),
        (DNS, "recordsets", READ),
        (DNS, "zoneclasses", READ_WRITE),
        (DNS, "zoneclasses/status", "patch update"),
        (DNS, "zoneunits", READ_WRITE),
        (DNS, "zoneunitslices", READ_WRITE),
        (DNS, "zoneunits/status", "patch update"),
        (DNS, "zoneunitslices/status", "patch update"),
        (ROUTE53, "route53identities", READ_WRITE),
        (ROUTE53, "route53identities/status", "patch update"),
        EVENTS,
    },
    "route53 in dns-system": leases("route53"),
    "webhook": {
        (DNS, "providers", READ),
        (DNS, "zoneclasses", READ),
        (DNS, "zones", READ),
        (DNS, "recordsets", READ),
        (DNS, "zoneunits", READ),
        (DNS, "zoneunitslices", READ),
        ("", "namespaces", READ),
        ("admissionregistration.k8s.io", "validatingwebhookconfigurations/=dnsapi-webhook", "get update"),
    },
    "webhook in dns-system": {("", "secrets", "create"), ("", "secrets/=dnsapi-webhook-tls", "get update")},
}


def rights(documents: list[Document]) -> dict[str, set[Right]]:
    """Return the rules of every binding's role, by component and namespace."""
    roles = {
        (one["kind"], one["metadata"].get("namespace", ""), one["metadata"]["name"]): one
        for one in of_kind(documents, "Role", "ClusterRole")
    }
    found: dict[str, set[Right]] = {}
    for binding in of_kind(documents, "RoleBinding", "ClusterRoleBinding"):
        namespace = binding["metadata"].get("namespace", "")
        role = roles[binding["roleRef"]["kind"], namespace, binding["roleRef"]["name"]]
        component = role["metadata"]["labels"]["app.kubernetes.io/component"]
        assert [subject["name"] for subject in binding["subjects"]] == [f"dnsapi-{component}"]
        key = f"{component} in {namespace}" if namespace else component
        found.setdefault(key, set()).update(right for rule in role["rules"] for right in flattened(rule))
    return found


def flattened(rule: Document) -> list[Right]:
    names = [f"/={name}" for name in rule.get("resourceNames", [])] or [""]
    return [
        (group, resource + name, " ".join(sorted(rule["verbs"])))
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for name in names
    ]


def test_each_component_has_exactly_these_rights(render: Render) -> None:
    assert rights(render()) == EXPECTED


def test_secrets_are_readable_only_in_the_named_namespaces(render: Render) -> None:
    named = {"route53": {"settings": {"secretNamespaces": ["team-a", "team-b"]}}}

    found = rights(render(named))

    assert {key for key in found if key not in EXPECTED} == {"route53 in team-a", "route53 in team-b"}
    assert found["route53 in team-a"] == {("", "secrets", READ)}
    assert found["route53"] == EXPECTED["route53"]


def test_without_a_certificate_of_its_own_the_webhook_writes_nothing(render: Render) -> None:
    found = rights(render(VALUES["an existing certificate"]))

    assert "webhook in dns-system" not in found
    assert {verbs for _, _, verbs in found["webhook"]} == {READ}


@pytest.mark.parametrize("suffix", ["edit", "view"])
def test_tenants_get_claims_and_nothing_else(render: Render, suffix: str) -> None:
    role = next(one for one in of_kind(render(), "ClusterRole") if one["metadata"]["name"] == f"dnsapi-tenant-{suffix}")

    assert {resource for rule in role["rules"] for resource in rule["resources"]} == {"zones", "recordsets"}


def test_nobody_gets_everything_of_anything(render: Render) -> None:
    for role in of_kind(render(VALUES["everything set"]), "Role", "ClusterRole"):
        for rule in role["rules"]:
            assert "*" not in [*rule["apiGroups"], *rule["resources"], *rule["verbs"]]
