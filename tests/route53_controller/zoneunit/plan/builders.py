"""Items and observations as facts, small enough to read in a table."""

from dataclasses import replace
from datetime import UTC, datetime

from libdnsapi.api.dns.zoneunit import RecordSetItem
from libdnsapi.api.meta import ObjectKey
from route53_controller.aws import wire
from route53_controller.aws.api import AliasRecord, Change, ChangeAction, RecordKey, ResourceRecordSet
from route53_controller.zoneunit.plan.names import ChangeGroup, NameContext
from route53_controller.zoneunit.snapshot import Item, ItemFacts, Mark
from route53_controller.zoneunit.state import Affected

NOW = datetime(2026, 1, 1, tzinfo=UTC)
DOMAIN = "example.com"
ZONE_ID = "ZOURS"
PLACE = ObjectKey("dns", "example-com")


def record_set(name: str, type_: str = "A", *values: str, ttl: int = 300, set_id: str = "") -> ResourceRecordSet:
    """Return a record set as Route 53 lists it."""
    routing = (("Weight", "1"),) if set_id else ()
    return ResourceRecordSet(
        RecordKey(f"{name}.{DOMAIN}", type_, set_id), ttl, values or ("192.0.2.1",), routing=routing
    )


def item(name: str, type_: str = "A", *values: str, claim: str = "", ours: bool = False, **more: object) -> Item:
    """Return an item; `ours` marks it as programmed before. CNAME values are targets, others addresses."""
    body: dict[str, object] = {"a": {"addresses": list(values or ("192.0.2.1",))}}
    if type_ == "AAAA":
        body = {"aaaa": {"addresses": list(values or ("2001:db8::1",))}}
    if type_ == "CNAME":
        body = {"cname": {"target": values[0] if values else "lb.example.net"}}
    document = {"recordSetNamespace": "app", "recordSetName": claim or name, "name": name, "type": type_, "ttl": 300}
    desired = wire.desired_record_set(RecordSetItem.model_validate({**document, **body}), DOMAIN)
    mark = Mark(ZONE_ID, desired.key.name, type_) if ours else None
    built = Item(
        key=ObjectKey("app", claim or name),
        generation=1,
        name=desired.key.name,
        type=type_,
        desired=desired,
        digest=wire.digest(desired),
        places=(PLACE,),
        facts=ItemFacts(mark=mark),
    )
    return replace(built, **more)  # type: ignore[arg-type]


def context(*seen: ResourceRecordSet, **more: object) -> NameContext:
    """Return a context in which Route 53 shows these record sets."""
    records: dict[str, tuple[ResourceRecordSet, ...]] = {}
    for found in seen:
        records[found.key.name] = (*records.get(found.key.name, ()), found)
    return NameContext(now=NOW, zone_id=ZONE_ID, records=records, **more)  # type: ignore[arg-type]


def group(name: str, *values: str, removal: bool = False, alias: str = "") -> ChangeGroup:
    """Return a group that creates, or removes, one A record set."""
    found = record_set(name, "A", *values)
    if alias:
        target = AliasRecord(f"{alias}.{DOMAIN}", ZONE_ID, evaluate_target_health=False)
        found = ResourceRecordSet(found.key, None, alias=target)
    action = ChangeAction.DELETE if removal else ChangeAction.CREATE
    affected = Affected(namespace="app", name=name, digest="" if removal else wire.digest(found))
    return ChangeGroup(found.key.name, (Change(action, found),), (affected,), removal)
