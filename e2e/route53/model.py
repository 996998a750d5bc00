"""What a zone holds and what a batch asks for, as frozen values with canonical names."""

from dataclasses import dataclass
from typing import Final, Literal

Action = Literal["CREATE", "DELETE", "UPSERT"]

RECORD_TYPES: Final = (
    "SOA", "A", "TXT", "NS", "CNAME", "MX", "NAPTR", "PTR", "SRV", "SPF", "AAAA", "CAA", "DS", "TLSA", "SSHFP", "SVCB",
    "HTTPS",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AliasTarget:
    """Where an alias points. `dns_name` is canonical (lower case, final dot)."""

    hosted_zone_id: str
    dns_name: str
    evaluate_target_health: bool


@dataclass(frozen=True, slots=True)
class RoutingPolicy:
    """A routing policy: its element name on the wire and its value, a text or named texts (`GeoLocation`)."""

    kind: str
    value: str | tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class RecordSet:
    """One resource record set. `name` is canonical; either `ttl` (seconds) and `values` are set, or `alias`."""

    name: str
    type: str
    ttl: int | None = None
    values: tuple[str, ...] = ()
    alias: AliasTarget | None = None
    set_identifier: str = ""
    routing: RoutingPolicy | None = None
    health_check_id: str = ""

    @property
    def identity(self) -> tuple[str, str]:
        """The key inside its name: type and set identifier (empty for a simple record set)."""
        return (self.type, self.set_identifier)

    def matches(self, other: "RecordSet") -> bool:
        """Whether a DELETE that names `other` may remove this one: everything is equal but the order of values."""
        return (
            self.ttl == other.ttl
            and sorted(self.values) == sorted(other.values)
            and self.alias == other.alias
            and self.routing == other.routing
            and self.health_check_id == other.health_check_id
        )


@dataclass(frozen=True, slots=True)
class Change:
    """One element of a change batch."""

    action: Action
    record_set: RecordSet
