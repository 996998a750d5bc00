import json
from typing import Any

from e2e.kube import Document
from e2e.rights.audit import requests
from e2e.rights.grants import Right, granted
from e2e.rights.verdict import compare

NAMESPACE = "dns-system"
DNS = "dns.appthrust.io"


def event(verb: str, resource: str, *, decision: str = "allow", account: str = "core", **reference: str) -> str:
    where = {"apiGroup": DNS, "resource": resource, **reference}
    user = {"username": f"system:serviceaccount:{NAMESPACE}:{account}"}
    annotations = {"authorization.k8s.io/decision": decision}
    return json.dumps({"verb": verb, "user": user, "objectRef": where, "annotations": annotations})


def role(kind: str, name: str, rules: list[dict[str, Any]], **metadata: Any) -> list[Document]:  # noqa: ANN401 — metadata
    """Return a role and its binding to the account core."""
    subject = {"kind": "ServiceAccount", "name": "core", "namespace": NAMESPACE}
    return [
        {"kind": kind, "metadata": {"name": name, **metadata}, "rules": rules},
        {
            "kind": f"{kind}Binding",
            "metadata": {"name": name, **metadata},
            "roleRef": {"kind": kind, "name": name},
            "subjects": [subject],
        },
    ]


ZONES = role("ClusterRole", "zones", [{"apiGroups": [DNS], "resources": ["zones"], "verbs": ["list", "patch"]}])
LEASE = role(
    "Role",
    "lease",
    [{"apiGroups": ["x"], "resources": ["leases"], "resourceNames": ["core"], "verbs": ["update"]}],
    namespace=NAMESPACE,
)


def test_roles_are_split_into_single_rights() -> None:
    assert granted([*ZONES, *LEASE], NAMESPACE) == {
        Right("core", DNS, "zones", "list"),
        Right("core", DNS, "zones", "patch"),
        Right("core", "x", "leases", "update", NAMESPACE, "core"),
    }


def test_roles_of_hooks_and_of_other_namespaces_do_not_count() -> None:
    hook = role("ClusterRole", "hook", ZONES[0]["rules"], annotations={"helm.sh/hook": "post-delete"})

    assert granted(hook, NAMESPACE) == set()
    assert granted(ZONES, "elsewhere") == set()


def test_a_right_that_nobody_used_is_found() -> None:
    seen = requests([event("list", "zones")], NAMESPACE)

    verdict = compare(granted(ZONES, NAMESPACE), seen, {}, {})

    assert verdict.lines == ["granted and never used: core: patch zones.dns.appthrust.io"]


def test_a_refusal_by_rbac_is_found_and_one_by_admission_is_none() -> None:
    lines = [event("list", "zones"), event("patch", "zones"), event("delete", "zones", decision="forbid", name="a")]

    verdict = compare(granted(ZONES, NAMESPACE), requests(lines, NAMESPACE), {}, {})

    assert verdict.lines == ["forbidden: core: delete zones.dns.appthrust.io named a"]


def test_a_right_for_one_name_is_used_by_that_name_alone() -> None:
    right = Right("core", "x", "leases", "update", NAMESPACE, "core")

    assert right.allows(Right("core", "x", "leases", "update", NAMESPACE, "core"))
    assert not right.allows(Right("core", "x", "leases", "update", NAMESPACE, "other"))
    assert not right.allows(Right("core", "x", "leases", "update", "elsewhere", "core"))


def test_subresources_are_resources_of_their_own() -> None:
    (seen,) = requests([event("patch", "zones", subresource="status")], NAMESPACE)

    assert seen.right.resource == "zones/status"
    assert not Right("core", DNS, "zones", "patch").allows(seen.right)


def test_an_exception_that_is_used_after_all_does_not_stay() -> None:
    seen = requests([event("list", "zones"), event("patch", "zones")], NAMESPACE)
    reasons = {"core: patch zones.dns.appthrust.io": "elsewhere"}

    assert compare(granted(ZONES, NAMESPACE), seen, reasons, {}).lines == [
        "an exception that is not needed: core: patch zones.dns.appthrust.io"
    ]
    assert compare(granted(ZONES, NAMESPACE), seen, {}, reasons).lines == []


def test_other_accounts_and_broken_lines_are_left_out() -> None:
    cut = event("list", "zones")[:-5]
    admin = json.dumps({"verb": "list", "user": {"username": "admin"}, "objectRef": {"resource": "zones"}})

    assert requests([cut, admin], NAMESPACE) == set()
