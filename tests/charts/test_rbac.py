"""Exactly which rights each component gets: a right more or less is red here."""

import pytest

from e2e.kube import Document
from tests.charts.conftest import Render, RenderError
from tests.charts.values import VALUES, named, of_kind
from tools.kinds import KINDS

Right = tuple[str, str, str]
READ = "get list watch"
DNS, ROUTE53, LEASES = "dns.appthrust.io", "route53.dns.appthrust.io", "coordination.k8s.io"
EXTERNALDNS, GATEWAY = "externaldns.k8s.io", "gateway.networking.k8s.io"
EVENTS = ("events.k8s.io", "events", "create patch")
FOLLOW = "list watch"
READ_PATCH = "get list patch watch"


def leases(component: str) -> set[Right]:
    return {(LEASES, "leases", "create"), (LEASES, f"leases/=dnsapi-{component}", "get update")}


EXPECTED: dict[str, set[Right]] = {
    "core": {
        (DNS, "providers", FOLLOW),
        (DNS, "zoneclasses", FOLLOW),
        ("", "namespaces", FOLLOW),
        (DNS, "zones", READ_PATCH),
        (DNS, "recordsets", READ_PATCH),
        (DNS, "zones/status", "patch"),
        (DNS, "recordsets/status", "patch"),
        (DNS, "zoneunits", "create delete get list update watch"),
        (DNS, "zoneunitslices", "create delete get list update watch"),
        (DNS, "zoneunits/finalizers", "update"),
        EVENTS,
    },
    "core in dns-system": leases("core"),
    "route53": {
        (DNS, "providers", FOLLOW),
        ("", "namespaces", FOLLOW),
        (DNS, "zones", FOLLOW),
        (DNS, "recordsets", FOLLOW),
        (DNS, "zoneclasses", READ_PATCH),
        (DNS, "zoneclasses/status", "update"),
        (DNS, "zoneunits", READ_PATCH),
        (DNS, "zoneunitslices", READ_PATCH),
        (DNS, "zoneunits/status", "update"),
        (DNS, "zoneunitslices/status", "update"),
        (ROUTE53, "route53identities", READ_PATCH),
        (ROUTE53, "route53identities/status", "update"),
        EVENTS,
    },
    "route53 in dns-system": leases("route53"),
    "webhook": {
        (DNS, "providers", READ),
        (DNS, "zones", READ),
        (DNS, "zoneunits", READ),
        (DNS, "zoneclasses", FOLLOW),
        (DNS, "recordsets", FOLLOW),
        (EXTERNALDNS, "dnsproviders", FOLLOW),
        (EXTERNALDNS, "clusterdnsproviders", FOLLOW),
        ("", "namespaces", FOLLOW),
        ("admissionregistration.k8s.io", "validatingwebhookconfigurations/=dnsapi-webhook", "get update"),
    },
    "webhook in dns-system": {("", "secrets", "create"), ("", "secrets/=dnsapi-webhook-tls", "get update")},
}

SOURCES: set[Right] = {
    (EXTERNALDNS, "dnsproviders", FOLLOW),
    (EXTERNALDNS, "clusterdnsproviders", FOLLOW),
    (EXTERNALDNS, "dnsproviders/status", "patch"),
    (EXTERNALDNS, "clusterdnsproviders/status", "patch"),
    (DNS, "zones", FOLLOW),
    (DNS, "zoneclasses", "get"),
    (ROUTE53, "route53identities", READ),
    ("", "namespaces", FOLLOW),
    ("apiextensions.k8s.io", "customresourcedefinitions", FOLLOW),
    (DNS, "recordsets", "create delete get list patch watch"),
    EVENTS,
}
"""What the sources need whatever they read."""


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
        if "helm.sh/hook" in binding["metadata"].get("annotations", {}):
            continue
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


@pytest.mark.spec("CORE-ZC-012", "CORE-DL-013")
def test_each_component_has_exactly_these_rights(render: Render) -> None:
    assert rights(render()) == EXPECTED


def test_secrets_are_readable_only_in_the_named_namespaces(render: Render) -> None:
    named = {"route53": {"settings": {"secretNamespaces": ["team-a", "team-b"]}}}

    found = rights(render(named))

    assert {key for key in found if key not in EXPECTED} == {"route53 in team-a", "route53 in team-b"}
    assert found["route53 in team-a"] == {("", "secrets", FOLLOW)}
    assert found["route53"] == EXPECTED["route53"]


def test_without_a_certificate_of_its_own_the_webhook_writes_nothing(render: Render) -> None:
    found = rights(render(VALUES["an existing certificate"]))

    assert "webhook in dns-system" not in found
    assert {verbs for _, _, verbs in found["webhook"]} == {READ, FOLLOW}


def test_sources_read_the_kinds_that_are_chosen_and_write_record_sets_alone(render: Render) -> None:
    chosen = {"enabled": True, "settings": {"source": ["gateway-httproute", "gateway-tlsroute", "ingress"]}}

    found = rights(render({"sources": chosen}))

    assert found["sources"] == SOURCES | {
        (GATEWAY, "gateways", FOLLOW),
        (GATEWAY, "listenersets", FOLLOW),
        (GATEWAY, "httproutes", FOLLOW),
        (GATEWAY, "tlsroutes", FOLLOW),
        ("networking.k8s.io", "ingresses", FOLLOW),
    }
    assert found["sources in dns-system"] == leases("sources")


def test_managed_pipelines_take_rights_of_their_own(render: Render) -> None:
    found = rights(render({"sources": {"enabled": True, "managed": {"enabled": True}, "settings": {"source": []}}}))

    assert found["sources"] - SOURCES == {
        (DNS, "zoneclasses", "create patch"),
        (DNS, "zones", "get"),
        (DNS, "zones", "create patch"),
        (ROUTE53, "route53identities", "create patch"),
    }


@pytest.mark.parametrize("resource", ["secrets", "*"])
def test_references_to_secrets_cannot_be_granted(render: Render, resource: str) -> None:
    references = [{"apiGroups": [""], "resources": [resource]}]

    with pytest.raises(RenderError, match=r"never secrets"):
        render({"sources": {"enabled": True, "references": references}})


def aggregated(documents: list[Document], role: str) -> set[Right]:
    """Return what the default role `role` gets."""
    label = f"rbac.authorization.k8s.io/aggregate-to-{role}"
    found = [one for one in of_kind(documents, "ClusterRole") if label in one["metadata"]["labels"]]
    return {right for one in found for rule in one["rules"] for right in flattened(rule)}


WRITE = "create delete deletecollection patch update"


def test_application_teams_write_record_sets_and_no_zones(render: Render) -> None:
    documents = render()

    assert aggregated(documents, "edit") == aggregated(documents, "admin") == {(DNS, "recordsets", WRITE)}
    assert aggregated(documents, "view") == {
        (DNS, "zones", READ),
        (DNS, "recordsets", READ),
        (DNS, "zoneclasses", READ),
        (EXTERNALDNS, "dnsproviders", READ),
    }


def test_the_category_dns_holds_what_a_viewer_may_read(render: Render) -> None:
    """`kubectl get dns` fails as a whole where one of its kinds may not be read."""
    readable = {(group, resource) for group, resource, verbs in aggregated(render(), "view") if verbs == READ}
    shown = {(kind.resource.group, kind.resource.plural) for kind in KINDS if "dns" in kind.categories}

    assert shown == readable
    assert all("dns-all" in kind.categories for kind in KINDS)


def test_admins_write_zones_where_the_platform_says_so(render: Render) -> None:
    found = aggregated(render({"rbac": {"zonesForAdmins": True}}), "admin")

    assert found == {(DNS, "recordsets", WRITE), (DNS, "zones", WRITE)}


def test_the_platform_role_is_nobodys_and_writes_no_ledger(render: Render) -> None:
    documents = render()
    role = named(documents, "ClusterRole", "dnsapi-platform")
    writable = {resource for rule in role["rules"] if "create" in rule["verbs"] for resource in rule["resources"]}

    assert not any("aggregate" in label for label in role["metadata"]["labels"])
    assert writable == {
        "zones",
        "recordsets",
        "zoneclasses",
        "route53identities",
        "dnsproviders",
        "clusterdnsproviders",
    }


def test_nobody_gets_everything_of_anything(render: Render) -> None:
    for role in of_kind(render(VALUES["everything set"]), "Role", "ClusterRole"):
        for rule in role["rules"]:
            assert "*" not in [*rule["apiGroups"], *rule["resources"], *rule["verbs"]]
