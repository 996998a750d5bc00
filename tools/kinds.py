"""What a CustomResourceDefinition says beside its schema: names, printer columns, whether there is a status.

Short names: `rs` is taken by ReplicaSet, `prov`-like words by other operators' Providers, `dnsprovider` by
the kind DNSProvider, hence these. Columns
with priority 1 are shown by `kubectl get -o wide` only.
"""

from dataclasses import dataclass, field

from libdnsapi.api.dns.provider import PROVIDERS, Provider
from libdnsapi.api.dns.recordset import RECORD_SETS, RecordSet
from libdnsapi.api.dns.zone import ZONES, Zone
from libdnsapi.api.dns.zoneclass import ZONE_CLASSES, ZoneClass
from libdnsapi.api.dns.zoneunit import ZONE_UNITS, ZoneUnit
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES, ZoneUnitSlice
from libdnsapi.api.externaldns.dnsprovider import CLUSTER_DNS_PROVIDERS, DNS_PROVIDERS, ClusterDNSProvider, DNSProvider
from libdnsapi.api.meta import KubernetesObject, ResourceType
from libdnsapi.api.names import PAUSED_ANNOTATION
from libdnsapi.api.route53.identity import ROUTE53_IDENTITIES, Route53Identity


@dataclass(frozen=True)
class Column:
    """One printer column; `wide` ones need `-o wide`.

    A `date` is shown as the time since then; the API server shows one that is still to come as `<invalid>`.
    """

    name: str
    path: str
    type: str = "string"
    wide: bool = False
    description: str = ""


@dataclass(frozen=True)
class Kind:
    """One kind and how kubectl names and shows it."""

    resource: ResourceType
    model: type[KubernetesObject]
    short_names: tuple[str, ...]
    columns: tuple[Column, ...] = field(default=())
    has_status: bool = True
    ledger: bool = False
    tenants: bool = False
    """Whether those who may only view a namespace may read it."""

    @property
    def categories(self) -> tuple[str, ...]:
        """Return what `kubectl get` may ask for instead of kinds: it fails where one of them may not be read."""
        return ("dns", "dns-all") if self.tenants else ("dns-all",)


AGE = Column("Age", ".metadata.creationTimestamp", "date")


def _condition(type_: str, member: str) -> str:
    return f'.status.conditions[?(@.type=="{type_}")].{member}'


def _status(type_: str) -> Column:
    return Column(type_, _condition(type_, "status"), description=f"Status of the condition {type_}.")


def _reason(name: str, type_: str, *, wide: bool = False) -> Column:
    return Column(name, _condition(type_, "reason"), wide=wide, description=f"Reason of the condition {type_}.")


def _message(name: str, type_: str) -> Column:
    return Column(name, _condition(type_, "message"), wide=True, description=f"Message of the condition {type_}.")


PROBLEM = Column(
    "Reason",
    '.status.conditions[?(@.status!="True")].reason',
    description="Reason of the first condition that is not True: what is wrong, or waited for.",
)
"""Acceptance stands first, so a refusal is shown and not what came of an earlier acceptance."""

PAUSED_PATH = PAUSED_ANNOTATION.replace(".", "\\.")
"""As JSONPath wants it: a dot within a name is escaped."""
PAUSED = Column(
    "Paused",
    f".metadata.annotations.{PAUSED_PATH}",
    wide=True,
    description="Whether the annotation holds back all writes at the provider.",
)
"""A Zone that nobody has edited since it was paused shows it nowhere else."""

PIPELINE_COLUMNS = (
    Column("Type", ".spec.type"),
    _status("Ready"),
    _reason("Reason", "Ready"),
    Column("Records", ".status.records", "integer"),
    AGE,
    Column("Policy", ".spec.policy", wide=True),
    _message("Message", "Ready"),
)

CLAIM_COLUMNS = (
    _status("Accepted"),
    _status("Programmed"),
    PROBLEM,
    AGE,
    _reason("Accepted-Reason", "Accepted", wide=True),
    _message("Accepted-Message", "Accepted"),
    _message("Message", "Programmed"),
)

KINDS = (
    Kind(
        PROVIDERS,
        Provider,
        ("dnscontract",),
        (
            Column("Display", ".spec.display.name"),
            Column("Storage", ".spec.versions[?(@.storage==true)].name", description="The storage version."),
            AGE,
        ),
        has_status=False,
    ),
    Kind(
        ZONE_CLASSES,
        ZoneClass,
        ("zclass",),
        (
            Column("Provider", ".spec.provider.name"),
            _status("Accepted"),
            _reason("Reason", "Accepted"),
            AGE,
            Column("Identity", ".spec.identityRef.name", wide=True),
            Column("Controller", ".spec.controllerName", wide=True),
            _message("Message", "Accepted"),
        ),
        tenants=True,
    ),
    Kind(
        ZONES,
        Zone,
        ("dnszone",),
        (
            Column("Domain", ".spec.domainName"),
            Column("Class", ".spec.zoneClassRef.name"),
            *CLAIM_COLUMNS,
            PAUSED,
        ),
        tenants=True,
    ),
    Kind(
        RECORD_SETS,
        RecordSet,
        ("rset",),
        (
            Column("Zone", ".spec.zoneRef.name"),
            Column("Type", ".spec.type"),
            Column("Record", ".spec.name", description="The owner name relative to the zone."),
            *CLAIM_COLUMNS,
            Column("TTL", ".spec.ttl", "integer", wide=True),
        ),
        tenants=True,
    ),
    Kind(
        ZONE_UNITS,
        ZoneUnit,
        ("zu",),
        (
            Column("Provider", ".spec.provider.name"),
            Column("Zone", ".spec.zone.domainName"),
            _status("Programmed"),
            _reason("Reason", "Programmed"),
            AGE,
            _message("Message", "Programmed"),
        ),
        ledger=True,
    ),
    Kind(ZONE_UNIT_SLICES, ZoneUnitSlice, ("zus",), (Column("Unit", ".spec.zoneUnitRef.name"), AGE), ledger=True),
    Kind(
        ROUTE53_IDENTITIES,
        Route53Identity,
        ("r53id",),
        (
            Column("Account", ".spec.accountID"),
            Column("Region", ".spec.region"),
            _status("Accepted"),
            _status("Ready"),
            PROBLEM,
            AGE,
            Column("Last-Check", ".status.lastCredentialCheckTime", "date", wide=True),
            Column("Next-Check", ".status.nextCredentialCheckTime", wide=True),
            _reason("Accepted-Reason", "Accepted", wide=True),
            _message("Accepted-Message", "Accepted"),
            _message("Message", "Ready"),
        ),
    ),
    Kind(DNS_PROVIDERS, DNSProvider, ("edp",), PIPELINE_COLUMNS, tenants=True),
    Kind(CLUSTER_DNS_PROVIDERS, ClusterDNSProvider, ("cedp",), PIPELINE_COLUMNS),
)
