"""Between botocore's dictionaries and the frozen values of `api`: names, ids and record sets.

Parsing raises KeyError, TypeError or ValueError where an answer lacks what it must have; the client tells that as an
unknown outcome. Source: Amazon Route 53 API Reference, Data Types.
"""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from route53_controller.aws import wire
from route53_controller.aws.api import (
    AliasRecord,
    Change,
    ChangeInfo,
    ChangeStatus,
    HostedZone,
    RecordKey,
    RecordPage,
    ResourceRecordSet,
)

if TYPE_CHECKING:
    from types_aiobotocore_route53.type_defs import (
        ChangeInfoTypeDef,
        ChangeTagsForResourceRequestTypeDef,
        ChangeTypeDef,
        HostedZoneTypeDef,
        ListHostedZonesByNameResponseTypeDef,
        ListHostedZonesResponseTypeDef,
        ListResourceRecordSetsRequestTypeDef,
        ListResourceRecordSetsResponseTypeDef,
        ResourceRecordSetOutputTypeDef,
        ResourceRecordSetTypeDef,
    )

_PLAIN = frozenset({"Name", "Type", "TTL", "ResourceRecords", "AliasTarget", "SetIdentifier"})


def hosted_zone(shape: "HostedZoneTypeDef", name_servers: Sequence[str] = ()) -> HostedZone:
    """Read one hosted zone; name servers come from the delegation set beside it."""
    config: Mapping[str, object] = shape.get("Config") or {}
    return HostedZone(
        id=wire.id_from_wire(shape["Id"]),
        name=wire.name_from_wire(shape["Name"]),
        caller_reference=shape["CallerReference"],
        private=bool(config.get("PrivateZone")),
        record_set_count=shape.get("ResourceRecordSetCount"),
        name_servers=tuple(sorted(server.lower().removesuffix(".") for server in name_servers)),
    )


def change_info(shape: "ChangeInfoTypeDef") -> ChangeInfo:
    """Read how far a change has got."""
    return ChangeInfo(wire.id_from_wire(shape["Id"]), ChangeStatus(shape["Status"]), shape.get("SubmittedAt"))


def record_page(shape: "ListResourceRecordSetsResponseTypeDef") -> RecordPage:
    """Read one page of record sets and where the next one starts."""
    record_sets = tuple(record_set(item) for item in shape["ResourceRecordSets"])
    if not shape["IsTruncated"]:
        return RecordPage(record_sets, None)
    following = RecordKey(
        wire.name_from_wire(shape["NextRecordName"]), shape["NextRecordType"], shape.get("NextRecordIdentifier", "")
    )
    return RecordPage(record_sets, following)


def record_set(shape: "ResourceRecordSetOutputTypeDef") -> ResourceRecordSet:
    """Read one record set, keeping the very strings that were listed."""
    alias = shape.get("AliasTarget")
    listed = shape["Name"]
    name = sys.intern(wire.name_from_wire(listed))
    return ResourceRecordSet(
        key=RecordKey(name, sys.intern(shape["Type"]), shape.get("SetIdentifier", "")),
        ttl=shape.get("TTL"),
        values=tuple(record["Value"] for record in shape.get("ResourceRecords", ())),
        alias=None
        if alias is None
        else AliasRecord(
            dns_name=wire.name_from_wire(alias["DNSName"]),
            hosted_zone_id=wire.id_from_wire(alias["HostedZoneId"]),
            evaluate_target_health=alias["EvaluateTargetHealth"],
        ),
        routing=_routing(shape),
        wire_name="" if wire.name_to_wire(name) == listed else listed,
    )


def change_shape(change: Change) -> "ChangeTypeDef":
    """Write one change of a batch."""
    return {"Action": change.action.value, "ResourceRecordSet": record_set_shape(change.record_set)}


def record_set_shape(record_set: ResourceRecordSet) -> "ResourceRecordSetTypeDef":
    """Write one simple record set; routing is never written, since such record sets are never ours."""
    key = record_set.key
    shape: ResourceRecordSetTypeDef = {
        "Name": record_set.wire_name or wire.name_to_wire(key.name),
        "Type": key.type,  # type: ignore[typeddict-item]  # the key's type may be any that Route 53 lists
    }
    if key.set_identifier:
        shape["SetIdentifier"] = key.set_identifier
    if record_set.alias is not None:
        shape["AliasTarget"] = {
            "HostedZoneId": record_set.alias.hosted_zone_id,
            "DNSName": wire.name_to_wire(record_set.alias.dns_name),
            "EvaluateTargetHealth": record_set.alias.evaluate_target_health,
        }
        return shape
    if record_set.ttl is not None:
        shape["TTL"] = record_set.ttl
    shape["ResourceRecords"] = [{"Value": value} for value in record_set.values]
    return shape


def sent_names(changes: Sequence[Change]) -> tuple[str, ...]:
    """Return the DNS names in a batch, in both spellings: of record sets, of what they are below, of alias targets."""
    record_sets = [change.record_set for change in changes]
    keys = {found.key.name for found in record_sets}
    names = (spelling for name in keys for spelling in (name, wire.name_to_wire(name)))
    targets = (wire.name_to_wire(found.alias.dns_name) for found in record_sets if found.alias is not None)
    return (*{part for name in names for part in _with_parents(name)}, *targets)


def _with_parents(name: str) -> Iterable[str]:
    while name:
        yield name
        name = name.partition(".")[2]


def _routing(shape: "ResourceRecordSetOutputTypeDef") -> tuple[tuple[str, str], ...]:
    extras = {name: value for name, value in shape.items() if name not in _PLAIN}
    return tuple(sorted((name, _text(value)) for name, value in extras.items()))


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


@dataclass(frozen=True, slots=True)
class ZonePage:
    """One page of hosted zones and where the next one starts; both `next` fields are empty on the last page."""

    zones: tuple[HostedZone, ...]
    next_name: str = ""
    next_id: str = ""


def zone_page(shape: "ListHostedZonesByNameResponseTypeDef | ListHostedZonesResponseTypeDef") -> ZonePage:
    """Read one page of ListHostedZones or ListHostedZonesByName."""
    zones = tuple(hosted_zone(zone) for zone in shape["HostedZones"])
    if not shape["IsTruncated"]:
        return ZonePage(zones)
    following: Mapping[str, object] = {**shape}
    next_name = str(following.get("NextDNSName") or "")
    next_id = str(following.get("NextHostedZoneId") or following.get("NextMarker") or "")
    return ZonePage(zones, wire.name_from_wire(next_name) if next_name else "", wire.id_from_wire(next_id))


def page_request(zone_id: str, start: RecordKey | None, max_items: int) -> "ListResourceRecordSetsRequestTypeDef":
    """Write the request for one page of record sets."""
    request: ListResourceRecordSetsRequestTypeDef = {"HostedZoneId": zone_id, "MaxItems": str(max_items)}
    if start is None:
        return request
    request["StartRecordName"] = wire.name_to_wire(start.name)
    if start.type:
        request["StartRecordType"] = start.type  # type: ignore[typeddict-item]  # any type that Route 53 lists
    if start.set_identifier:
        request["StartRecordIdentifier"] = start.set_identifier
    return request


def tags_request(
    zone_id: str, add: Sequence[tuple[str, str]], remove: Sequence[str]
) -> "ChangeTagsForResourceRequestTypeDef":
    """Write one chunk of tag changes; empty lists are left out, as the API wants it."""
    request: ChangeTagsForResourceRequestTypeDef = {"ResourceType": "hostedzone", "ResourceId": zone_id}
    if add:
        request["AddTags"] = [{"Key": key, "Value": value} for key, value in add]
    if remove:
        request["RemoveTagKeys"] = list(remove)
    return request


def texts(value: object) -> tuple[str, ...]:
    """Read a list of texts that may be absent."""
    return tuple(str(item) for item in value) if isinstance(value, list) else ()
