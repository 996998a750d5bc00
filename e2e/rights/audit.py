"""The API server's audit log as requests of our service accounts."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from e2e.kube import Document
from e2e.rights.grants import Right

_DECISION = "authorization.k8s.io/decision"


@dataclass(frozen=True, slots=True)
class Request:
    """A kind of request, and whether RBAC forbade it. A refusal by admission is not one by RBAC."""

    right: Right
    forbidden: bool


def requests(lines: Iterable[str], namespace: str) -> set[Request]:
    """Return the distinct requests of the service accounts of a namespace; requests without a resource are left out."""
    prefix = f"system:serviceaccount:{namespace}:"
    found: set[Request] = set()
    for line in lines:
        if prefix not in line:
            continue
        event = _event(line)
        user = event.get("user", {}).get("username", "")
        if user.startswith(prefix) and "objectRef" in event:
            found.add(_request(user.removeprefix(prefix), event))
    return found


def _event(line: str) -> Document:
    try:
        event: Document = json.loads(line)
    except ValueError:  # the last line of a server that was killed
        return {}
    return event


def _request(account: str, event: Document) -> Request:
    reference = event["objectRef"]
    resource = "/".join(filter(None, (reference.get("resource", ""), reference.get("subresource", ""))))
    name = reference.get("name", "")
    right = Right(account, reference.get("apiGroup", ""), resource, event["verb"], reference.get("namespace", ""), name)
    return Request(right, event.get("annotations", {}).get(_DECISION) == "forbid")
