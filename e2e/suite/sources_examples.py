"""The examples of sources on a cluster: what they need beside themselves, what their table promises, and their end."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial

from e2e.claims import DNS, ROUTE53
from e2e.kube import Document, load_documents
from e2e.polling import eventually
from e2e.route53.edits import RecordDocument
from e2e.stack.installation import definitions
from e2e.stack.layout import ROOT
from e2e.suite import manifests
from e2e.suite.cluster import Cluster
from e2e.suite.sources import Implementer

FOLDER = ROOT / "examples" / "sources"
HOME = "dns-platform"
"""The namespace of the platform's identity, classes and Zones."""
PUBLISHES = {"dns.example.com/publishes": "true"}
TENANTS = ("team-a", "team-b", "ingress")
NAMESPACES = (HOME, *TENANTS)
SECOND_ACCOUNT = "210987654321"
MANAGED = {"app.kubernetes.io/managed-by": "dnsapi-sources"}
_MADE = ((DNS, "Zone"), (DNS, "ZoneClass"), (ROUTE53, "Route53Identity"))
_WITHDRAWN_FIRST = ("DNSEndpoint", "HTTPRoute", "VirtualService", "Ingress", "Service", "Gateway", "FrontDoor")
_COLUMNS = 6

Answer = tuple[int | None, tuple[str, ...]]
"""TTL, and values or `ALIAS <target>`; names are without their final dot."""
Records = dict[tuple[str, str], Answer]
"""Answers by name and type."""


def promised(*examples: str) -> dict[str, Records]:
    """Return what the README's table says that these examples give, by Zone."""
    found: dict[str, Records] = {}
    for line in (FOLDER / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) != _COLUMNS or cells[0] not in examples:
            continue
        _, zone, name, type_, ttl, answer = cells
        found.setdefault(zone, {})[name, type_] = (int(ttl) if ttl else None, tuple(answer.split(", ")))
    return found


def names() -> list[str]:
    """Return the names of all examples."""
    return sorted(one.name for one in FOLDER.iterdir() if one.is_dir())


def load(example: str) -> list[Document]:
    """Return the documents of one example in the order of its files."""
    files = sorted((FOLDER / example).glob("*.yaml"))
    return [one for file in files for one in load_documents(file.read_text())]


def platform(account_id: str) -> list[Document]:
    """Return namespaces, identities and classes: `public`, and `second` for another account through a role."""
    identity = partial(_at_home, manifests.identity(account_id))
    other = manifests.identity(SECOND_ACCOUNT)
    other["spec"]["assumeRoleChain"] = [{"roleARN": f"arn:aws:iam::{SECOND_ACCOUNT}:role/dns"}]
    return [
        *(manifests.namespace(name, PUBLISHES) for name in NAMESPACES),
        identity("public"),
        _at_home(other, "second"),
        *(_at_home(manifests.zone_class(name, "Delete", name), name) for name in ("public", "second")),
    ]


def zone(name: str, domain: str, class_name: str = "public") -> Document:
    """Return a Zone of the platform that admits what the examples publish."""
    made = _at_home(manifests.zone(HOME, name, domain), name)
    records = [{"name": {"pattern": ".+"}, "types": ["A", "AAAA", "CNAME"]}]
    made["spec"]["zoneClassRef"] = {"name": class_name}
    made["spec"]["allowedRecordSets"] = [{"namespaces": {"selector": {"matchLabels": PUBLISHES}}, "records": records}]
    return made


@dataclass
class Applied:
    """What was applied to a cluster, in its order."""

    cluster: Cluster
    documents: list[Document] = field(default_factory=list)

    def apply(self, *documents: Document, implementer: Implementer | None = None) -> None:
        """Apply documents; kinds are waited for, and statuses written as the controllers of others would."""
        acting = implementer or Implementer(self.cluster.kube)
        for one in documents:
            self.documents.append(one)
            if one["kind"] == "CustomResourceDefinition":
                definitions(self.cluster.kube, [one])
            else:
                self.cluster.apply(one)
            acting.implement(one)

    def withdraw(self) -> None:
        """Delete what asks for records, then the records that stay by policy, pipelines, and what was made for them."""
        asking = [one for one in self.documents if one["kind"] in _WITHDRAWN_FIRST]
        providers = [one for one in self.documents if one["kind"].endswith("DNSProvider")]
        zones = [one for one in self.documents if one["kind"] == "Zone"]
        self.cluster.delete(*asking)
        self.cluster.delete(*providers)
        for namespace in sorted({one["metadata"]["namespace"] for one in asking}):
            self.cluster.delete(*_all(self.cluster, (DNS, "RecordSet"), {}, (namespace,)))
        self.cluster.delete(*zones)
        withdraw_managed(self.cluster)
        self.documents.clear()


def withdraw_managed(cluster: Cluster) -> None:
    """Delete what pipelines that are gone had made for them; the hosted zones stay."""
    for kind in _MADE:
        cluster.delete(*_all(cluster, kind, MANAGED, (*TENANTS, manifests.PLATFORM)))


def _all(
    cluster: Cluster, kind: tuple[str, str], labels: Mapping[str, str], namespaces: Iterable[str]
) -> list[Document]:
    """Return all objects of a kind with these labels in some namespaces."""
    return [
        one | {"apiVersion": kind[0], "kind": kind[1]}
        for namespace in namespaces
        for one in cluster.kube.list(*kind, namespace)
        if labels.items() <= one["metadata"].get("labels", {}).items()
    ]


def published(cluster: Cluster, zone_name: str) -> Records:
    """Return the record sets of a Zone that is found by its name or its domain, apex NS and SOA left out."""
    found = [
        one
        for one in cluster.kube.list(DNS, "Zone")
        if zone_name in (one["metadata"]["name"], one["spec"]["domainName"])
    ]
    assert len(found) == 1, f"{len(found)} Zones {zone_name}"
    zone_id, apex = found[0]["status"]["provider"]["data"]["hostedZoneID"], f"{found[0]['spec']['domainName']}."
    return {
        (one.name.rstrip(".").replace("\\052", "*"), one.type): (one.ttl, _shown(one))
        for one in cluster.emulator.records(zone_id)
        if one.type not in ("NS", "SOA") or one.name != apex
    }


def await_records(cluster: Cluster, wanted: Mapping[str, Records]) -> None:
    """Wait until each Zone holds these records and no others."""
    eventually(
        lambda: {name: published(cluster, name) for name in wanted},
        lambda found: found == wanted,
        what=f"record sets {wanted}",
    )


def _shown(record: RecordDocument) -> tuple[str, ...]:
    if record.alias is not None:
        return (f"ALIAS {record.alias.dns_name.rstrip('.')}",)
    return tuple(value.rstrip(".") for value in record.values)


def _at_home(made: Document, name: str) -> Document:
    return {**made, "metadata": {"namespace": HOME, "name": name}}
