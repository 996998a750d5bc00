"""Tools of the tests of sources: kinds of others, and their controllers' part.

Nobody implements Gateways or load balancers here: `Implementer` writes the status that their controllers would.
"""

from dataclasses import dataclass
from uuid import uuid4

import botocore.session

from e2e.kube import Document, Kube
from e2e.stack.layout import DUMMY_CREDENTIALS

GATEWAY = "gateway.networking.k8s.io/v1"
EXTERNAL_DNS = "externaldns.k8s.io/v1alpha1"
SINCE = "2026-01-01T00:00:00Z"
PREFIX = "external-dns.kubernetes.io/"
GRACE_SECONDS = 5


@dataclass(frozen=True)
class Implementer:
    """Writes the status of what was applied as the controllers of Gateways, routes and load balancers do."""

    kube: Kube
    addresses: tuple[str, ...] = ("192.0.2.1",)

    def implement(self, document: Document) -> None:
        """Write the status of an object that is of a kind with one; of all others leave it."""
        match document["kind"]:
            case "Gateway" if document["apiVersion"] == GATEWAY:
                self.put_status(document, {"addresses": [_address(one) for one in self.addresses]})
            case "HTTPRoute":
                self.put_status(document, {"parents": [self._accepted(ref) for ref in _parents(document)]})
            case "Service" if document["spec"].get("type") == "LoadBalancer":
                self.put_status(document, balanced(*self.addresses))
            case "Ingress":
                self.put_status(document, balanced(*self.addresses))
            case _:
                return

    def put_status(self, document: Document, status: Document) -> None:
        """Replace the status of an object, whatever its spec was given in the meantime."""
        metadata = document["metadata"]
        address = document["apiVersion"], document["kind"], metadata["namespace"], metadata["name"]
        live = self.kube.get(*address)
        self.kube.request("PUT", f"{self.kube.path(*address)}/status", {**live, "status": status})

    @staticmethod
    def _accepted(ref: Document) -> Document:
        condition = {"type": "Accepted", "status": "True", "reason": "Accepted", "message": ""}
        conditions = [{**condition, "lastTransitionTime": SINCE}]
        return {"parentRef": ref, "controllerName": "example.net/gateways", "conditions": conditions}


def balanced(*addresses: str) -> Document:
    """Return the status of a Service or Ingress that is reached there."""
    return {"loadBalancer": {"ingress": [{"ip" if _is_ip(one) else "hostname": one} for one in addresses]}}


def hosted_zone(endpoint: str, domain: str, key: str = DUMMY_CREDENTIALS["AWS_ACCESS_KEY_ID"]) -> str:
    """Create a hosted zone as somebody with an access key did long ago; return its id."""
    client = botocore.session.Session().create_client(
        "route53",
        region_name="us-east-1",
        endpoint_url=endpoint,
        aws_access_key_id=key,
        aws_secret_access_key=DUMMY_CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
    )
    answer = client.create_hosted_zone(Name=domain, CallerReference=uuid4().hex)
    client.close()
    return str(answer["HostedZone"]["Id"]).rpartition("/")[2]


def document(api_version: str, kind: str, namespace: str, name: str, spec: Document, **annotations: str) -> Document:
    """Return an object; annotations are written with underscores and without their prefix."""
    given = {PREFIX + key.replace("_", "-"): value for key, value in annotations.items()}
    metadata = {"namespace": namespace, "name": name} | ({"annotations": given} if given else {})
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec}


def _parents(route: Document) -> list[Document]:
    parents: list[Document] = route["spec"]["parentRefs"]
    return parents


def _address(value: str) -> Document:
    return {"type": "IPAddress" if _is_ip(value) else "Hostname", "value": value}


def _is_ip(value: str) -> bool:
    return value[0].isdigit()
