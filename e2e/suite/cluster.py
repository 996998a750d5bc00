"""What the tests do with the cluster: apply and wait for conditions, read back, clean up."""

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from e2e.claims import DNS, is_true, owner_name, summary, title, verdict
from e2e.kube import Document, Kube
from e2e.polling import eventually
from e2e.route53.remote import Remote
from e2e.route53_records import RecordSetAnswer, Route53Reader

WITHIN = float(os.environ.get("E2E_WITHIN_SECONDS", "120"))
"""How long a state may take. Tests that promise a time measure it themselves."""


@dataclass(frozen=True)
class Cluster:
    """One cluster with our services on it, and the emulator that they call."""

    kube: Kube
    emulator: Remote
    route53: Route53Reader
    account_id: str

    def apply(self, *documents: Document) -> list[Document]:
        """Apply documents in their order."""
        return self.kube.apply_all(documents)

    def programmed(self, *documents: Document, within: float = WITHIN) -> list[Document]:
        """Wait until all are Programmed at their current generation; return them."""
        return self.wait(documents, lambda one: is_true(one, "Programmed"), "Programmed", within)

    def having(self, document: Document, kind: str, expected: str, *, within: float = WITHIN) -> Document:
        """Wait until a condition is `status/reason`; return the object."""
        (found,) = self.wait([document], lambda one: verdict(one, kind) == expected, f"{kind}={expected}", within)
        return found

    def wait(
        self, documents: Iterable[Document], holds: Callable[[Document], bool], what: str, within: float
    ) -> list[Document]:
        """Wait until `holds` is true of every object."""
        wanted = list(documents)
        seen: list[Document] = []

        def look() -> list[str]:
            seen[:] = [self.get(one) for one in wanted]
            return [summary(one) for one in seen if not holds(one)]

        eventually(look, lambda open_ones: not open_ones, within=within, what=what)
        return seen

    def get(self, document: Document) -> Document:
        """Read an object again."""
        metadata = document["metadata"]
        address = document["apiVersion"], document["kind"], metadata.get("namespace", ""), metadata["name"]
        return self.kube.get(*address)

    def is_gone(self, document: Document) -> bool:
        """Whether an object no longer exists."""
        metadata = document["metadata"]
        address = document["apiVersion"], document["kind"], metadata.get("namespace", ""), metadata["name"]
        return self.kube.find(*address) is None

    def delete(self, *documents: Document, wait: bool = True, within: float = WITHIN) -> None:
        """Delete objects; with `wait` return when they are gone."""
        for one in documents:
            metadata = one["metadata"]
            self.kube.delete(one["apiVersion"], one["kind"], metadata.get("namespace", ""), metadata["name"])
        for one in documents if wait else ():
            eventually(partial(self.is_gone, one), within=within, what=f"the end of {title(one)}")

    def hosted_zone_id(self, zone: Document) -> str:
        """Return the id that a Programmed Zone publishes."""
        return str(self.get(zone)["status"]["provider"]["data"]["hostedZoneID"])

    def zone_ids(self, domain_name: str) -> list[str]:
        """Return the ids of all hosted zones of a domain."""
        return [zone_id for zone_id, name in self.route53.zones().items() if name == f"{domain_name}."]

    def records(self, zone: Document) -> dict[tuple[str, str], RecordSetAnswer]:
        """Return the record sets of a Zone, apex NS and SOA left out."""
        apex = zone["spec"]["domainName"] + "."
        answers = self.route53.records(self.hosted_zone_id(zone))
        return {key: value for key, value in answers.items() if key not in {(apex, "NS"), (apex, "SOA")}}

    def clean(self, namespace_name: str) -> None:
        """Remove what a test left in a namespace, and the namespace.

        Zones begin to go first: what leaves with its zone is exempt from the guard against mass deletion.
        """
        left = [
            one | {"apiVersion": DNS, "kind": kind}
            for kind in ("Zone", "RecordSet")
            for one in self.kube.list(DNS, kind, namespace_name)
        ]
        self.delete(*left)
        self.kube.delete("v1", "Namespace", "", namespace_name)


def listed_name(record: Document, zone: Document) -> tuple[str, str]:
    """Return the (name, type) under which Route 53 lists a RecordSet."""
    return owner_name(record, zone["spec"]["domainName"]), str(record["spec"]["type"])
