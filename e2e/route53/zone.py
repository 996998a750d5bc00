"""One hosted zone: its identity, name servers, tags and record sets."""

from dataclasses import dataclass, field
from typing import Final

from e2e.route53.model import RecordSet
from e2e.route53.table import RecordTable

NS_TTL: Final = 172_800
SOA_TTL: Final = 900
_DOMAINS: Final = ("com", "net", "org", "co.uk")


@dataclass(frozen=True, slots=True)
class Vpc:
    """A VPC associated with a private zone."""

    region: str
    id: str


@dataclass
class HostedZone:
    """A hosted zone of one account. `sequence` is its place in creation order; `name` is canonical."""

    id: str
    account_id: str
    name: str
    caller_reference: str
    sequence: int
    comment: str = ""
    vpcs: list[Vpc] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)
    table: RecordTable = field(default_factory=RecordTable)

    @property
    def private(self) -> bool:
        """Whether it is a private zone."""
        return bool(self.vpcs)

    @property
    def name_servers(self) -> tuple[str, ...]:
        """Return its four name servers without final dot; no other zone of this emulator has the same."""
        shard, number = divmod(self.sequence, 512)
        return tuple(
            f"ns-{number + 512 * index}.awsdns-{(number // 8 + shard) % 64:02d}.{domain}"
            for index, domain in enumerate(_DOMAINS)
        )

    @property
    def empty(self) -> bool:
        """Whether only the apex NS and SOA are left."""
        apex = {identity for identity in self.table.at(self.name) if identity in {("NS", ""), ("SOA", "")}}
        return len(self.table) == len(apex)

    def seed(self) -> None:
        """Put the record sets every new zone has."""
        name_servers = tuple(f"{server}." for server in self.name_servers)
        soa = f"{name_servers[0]} awsdns-hostmaster.amazon.com. 1 7200 900 1209600 86400"
        records = (
            RecordSet(self.name, "NS", NS_TTL, name_servers),
            RecordSet(self.name, "SOA", SOA_TTL, (soa,)),
        )
        self.table.replace(self.name, {record.identity: record for record in records})
