"""Rights as single facts: who may do what to which resource. Roles are split into them, requests matched to them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from e2e.kube import Document


@dataclass(frozen=True, slots=True, order=True)
class Right:
    """One verb on one resource (`zones/status`), for one account; `namespace` and `name` are empty where unlimited."""

    account: str
    group: str
    resource: str
    verb: str
    namespace: str = ""
    name: str = ""

    def __str__(self) -> str:
        """Say it as a sentence would."""
        what = f"{self.resource}.{self.group}" if self.group else self.resource
        where = f" in {self.namespace}" if self.namespace else ""
        named = f" named {self.name}" if self.name else ""
        return f"{self.account}: {self.verb} {what}{named}{where}"

    def allows(self, request: "Right") -> bool:
        """Whether a request is covered by this right."""
        same = (self.account, self.group, self.resource, self.verb) == (
            request.account,
            request.group,
            request.resource,
            request.verb,
        )
        return same and self.namespace in {"", request.namespace} and self.name in {"", request.name}


def granted(documents: Iterable[Document], namespace: str) -> set[Right]:
    """Return what the roles of a rendered chart grant to service accounts of its namespace, hooks left out."""
    everything = [one for one in documents if "helm.sh/hook" not in one["metadata"].get("annotations", {})]
    roles = {_key(one): one for one in everything if one["kind"] in {"Role", "ClusterRole"}}
    return {
        right
        for binding in everything
        if binding["kind"] in {"RoleBinding", "ClusterRoleBinding"}
        for subject in binding["subjects"]
        if subject.get("namespace") == namespace
        for right in _rights(subject["name"], binding, roles)
    }


def _rights(account: str, binding: Document, roles: dict[tuple[str, str, str], Document]) -> Iterator[Right]:
    namespace = binding["metadata"].get("namespace", "")
    reference = binding["roleRef"]
    role = roles[reference["kind"], namespace if reference["kind"] == "Role" else "", reference["name"]]
    for rule in role["rules"]:
        for group in rule["apiGroups"]:
            for resource in rule["resources"]:
                for verb in rule["verbs"]:
                    for name in rule.get("resourceNames") or [""]:
                        yield Right(account, group, resource, verb, namespace, name)


def _key(role: Document) -> tuple[str, str, str]:
    metadata = role["metadata"]
    return role["kind"], metadata.get("namespace", ""), metadata["name"]
