"""What the zones answer to a DNS question: RFC 1034 section 4.3.2 inside one zone, wildcards of RFC 4592. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from e2e.route53.model import RecordSet
from e2e.route53.names import WILDCARD, canonical, parents, within
from e2e.route53.table import Node
from e2e.route53.zone import HostedZone

MAX_CHAIN: Final = 8
ALIAS_TTL: Final = 60
MAX_MULTIVALUE: Final = 8


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: a CNAME chain and the record set asked for; `referral` holds the NS of a delegation instead."""

    rcode: Literal["NOERROR", "NXDOMAIN"]
    records: tuple[RecordSet, ...] = ()
    referral: RecordSet | None = None


def zone_for(zones: Mapping[str, list[HostedZone]], name: str) -> HostedZone | None:
    """Return the public zone with the longest match; the oldest of equal names. `zones` are by canonical name."""
    for ancestor in parents(name):
        for zone in zones.get(ancestor, ()):
            if not zone.private:
                return zone
    return None


def find(zones: Mapping[str, HostedZone], zone: HostedZone, name: str, type_: str) -> Answer:
    """Answer from one zone. `zones` (by id) resolve aliases. Raises SyntaxProblemError for a malformed CNAME target."""
    chain: list[RecordSet] = []
    for _ in range(MAX_CHAIN):
        if (cut := _delegation(zone, name, type_)) is not None:
            return Answer("NOERROR", tuple(chain), cut)
        node = _node(zone, name)
        if node is None:
            return Answer("NXDOMAIN", tuple(chain))
        kind = type_ if type_ == "CNAME" or not _of_type(node, "CNAME") else "CNAME"
        record = _resolved(zones, _chosen(_of_type(node, kind)), name)
        if record is None:
            return Answer("NOERROR", tuple(chain))
        chain.append(record)
        target = record.values[0] if record.type == "CNAME" and type_ != "CNAME" else ""
        name = canonical(target) if target else ""
        if not target or not within(name, zone.name):
            break
    return Answer("NOERROR", tuple(chain))


def _delegation(zone: HostedZone, name: str, type_: str) -> RecordSet | None:
    """Return the NS of the highest zone cut between the apex and the name."""
    for ancestor in reversed(parents(name)):
        if len(ancestor) <= len(zone.name) or (type_ == "DS" and ancestor == name):
            continue
        if (cut := zone.table.at(ancestor).get(("NS", ""))) is not None:
            return cut
    return None


def _node(zone: HostedZone, name: str) -> Node | None:
    """Return what is at a name, or at the wildcard that covers it; None where the name does not exist."""
    if zone.table.covers(name):
        return zone.table.at(name)
    encloser = next((ancestor for ancestor in parents(name) if zone.table.covers(ancestor)), zone.name)
    return zone.table.at(f"{WILDCARD}.{encloser}") or None


def _of_type(node: Node, type_: str) -> list[RecordSet]:
    return [node[identity] for identity in sorted(node) if identity[0] == type_]


def _chosen(records: list[RecordSet]) -> RecordSet | None:
    """Choose among routing policies without chance: the greatest weight, PRIMARY, all multivalues, else the first."""
    if not records or records[0].routing is None:
        return records[0] if records else None
    kind = records[0].routing.kind
    if kind == "Weight":
        return max(records, key=_weight)
    if kind == "Failover":
        return next((record for record in records if record.routing and record.routing.value == "PRIMARY"), records[0])
    if kind == "MultiValueAnswer":
        values = tuple(value for record in records[:MAX_MULTIVALUE] for value in record.values)
        return RecordSet(records[0].name, records[0].type, records[0].ttl, values)
    return records[0]


def _weight(record: RecordSet) -> int:
    value = record.routing.value if record.routing else "0"
    return int(value) if isinstance(value, str) else 0


def _resolved(zones: Mapping[str, HostedZone], record: RecordSet | None, name: str, depth: int = 0) -> RecordSet | None:
    """Return the record under the name asked for, an alias as the values of its target if that is known."""
    if record is None or depth > MAX_CHAIN:
        return None
    if record.alias is None:
        return RecordSet(name, record.type, record.ttl, record.values)
    zone = zones.get(record.alias.hosted_zone_id)
    node = _node(zone, record.alias.dns_name) if zone else None
    if node is None:
        return None
    target = _resolved(zones, _chosen(_of_type(node, record.type)), name, depth + 1)
    return target and RecordSet(name, target.type, target.ttl or ALIAS_TTL, target.values)
