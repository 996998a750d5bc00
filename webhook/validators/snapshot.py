"""Everything beside the reviewed object that a rule may read: gathered once, then frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from libdnsapi.api.dns.bodies import RecordType
from libdnsapi.api.dns.zone import Zone
from libdnsapi.api.dns.zoneunit import ZoneUnit
from libdnsapi.api.externaldns.dnsprovider import pipeline_resource
from libdnsapi.api.externaldns.names import ANNOTATION_PREFIXES
from libdnsapi.api.meta import ObjectKey, PartialObject
from libdnsapi.contract.cel.engine import Deadline, unlimited
from libdnsapi.contract.versions import Contract


@dataclass(frozen=True, slots=True)
class Usage:
    """How many objects use something, and one of them as an example (`Kind namespace/name`)."""

    count: int = 0
    example: str = ""

    def plus(self, other: "Usage") -> "Usage":
        """Return both counts together; the first example that there is stays."""
        return Usage(self.count + other.count, self.example or other.example)


@dataclass(frozen=True, slots=True)
class KnownRecordSet:
    """A RecordSet as far as policies and ownership read it.

    `held` says that it has a record in the ledger, `leaving` that it is being deleted; `provider` is the name and the
    version of the Provider that it names, for counting.
    """

    key: ObjectKey
    zone: ObjectKey
    name: str
    type: RecordType
    held: bool = False
    leaving: bool = False
    provider: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class KnownPipeline:
    """A DNSProvider, or without a namespace a ClusterDNSProvider, as far as the rules of others read it."""

    key: ObjectKey
    owner_id: str
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The kind of its object."""
        return pipeline_resource(self.key).kind

    @property
    def annotation(self) -> str:
        """The annotation by which a source names it."""
        return ANNOTATION_PREFIXES[0] + ("provider" if self.key.namespace else "cluster-provider")


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """What is known at this moment; each rule finds only what its kind needs filled in.

    - `contracts`: the Providers that the object names, by name
    - `usage`: for a Provider, who uses each of its versions, by version name
    - `ledgers`: for a Provider, the ZoneUnits that it has
    - `owner`: for a deletion, the Zone of a ZoneUnit or the ZoneUnit of a slice, None where there is none
    - `namespace_leaving`: for a deletion, whether the whole namespace is being deleted
    - `zone`: for a RecordSet, the Zone that it references, None where there is none
    - `unit`: for a slice, its ZoneUnit, None where there is none
    - `record_sets`: for a Zone, what references it; for a RecordSet, what else claims its owner name in the zone
    - `pipelines`: for a DNSProvider or ClusterDNSProvider, all of both kinds
    - `labels`: labels by namespace
    - `ledger_writers`: users and groups that may write ZoneUnits and slices
    - `controllers`: users that are our own controllers
    - `deadline`: says when a Provider's rules have taken long enough
    """

    contracts: Mapping[str, Contract] = field(default_factory=dict)
    usage: Mapping[str, Usage] = field(default_factory=dict)
    ledgers: Usage = Usage()
    owner: PartialObject | None = None
    namespace_leaving: bool = False
    zone: Zone | None = None
    unit: ZoneUnit | None = None
    record_sets: tuple[KnownRecordSet, ...] = ()
    pipelines: tuple[KnownPipeline, ...] = ()
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    ledger_writers: frozenset[str] = frozenset()
    controllers: frozenset[str] = frozenset()
    deadline: Deadline = unlimited
