"""Many settled zones out of one: copies of its stored objects, and of its hosted zone with its tags."""

import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import orjson
from aiobotocore.session import get_session

from benchmarks.etcd import Etcd, Pair, key
from benchmarks.rig import ACCOUNT, NAMESPACE
from e2e.route53.edits import RecordDocument, RecordEdits
from e2e.route53.remote import Remote
from e2e.stack.layout import DUMMY_CREDENTIALS
from e2e.stack.stack import Stack
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ObjectKey, ResourceType
from route53_controller.zoneunit.plan.acceptance import account_digest

KINDS = (ZONES, ZONE_UNITS, ZONE_UNIT_SLICES, RECORD_SETS)
RECORDS_AN_EDIT = 500
APEX_TYPES = frozenset({"NS", "SOA"})
"""What a hosted zone has from the start."""


@dataclass(frozen=True, slots=True)
class HostedZone:
    """What a copy's objects say of its hosted zone: id and sorted name servers."""

    id: str
    name_servers: tuple[str, ...]

    def renamings(self, other: "HostedZone") -> Iterator[tuple[str, str]]:
        """Yield what stands in this one's objects and what stands for it in the other's."""
        yield self.id, other.id
        yield from zip(self.name_servers, other.name_servers, strict=True)


@dataclass(frozen=True, slots=True)
class Template:
    """One settled zone at one moment: its name, its hosted zone, its objects as they are stored, and its records.

    All of one moment: a copy whose records are of another than its objects is not settled.
    """

    zone: str
    hosted_zone: HostedZone
    stored: dict[ResourceType, list[bytes]]
    records: tuple[RecordDocument, ...]

    @classmethod
    async def read(cls, etcd: Etcd, emulator: Remote, zone: str) -> "Template":
        """Read the objects and the records of the one zone that there is."""
        stored = {kind: [raw async for raw in etcd.objects(kind, NAMESPACE)] for kind in KINDS}
        found: JsonObject = orjson.loads(stored[ZONES][0])
        status = found["status"]
        zone_id = str(status["provider"]["data"]["hostedZoneID"])  # type: ignore[index, call-overload]
        servers = sorted(map(str, status["nameServers"]))  # type: ignore[index, call-overload, arg-type]
        records = tuple(one for one in emulator.records(zone_id) if one.type not in APEX_TYPES)
        return cls(zone, HostedZone(zone_id, tuple(servers)), stored, records)

    def copies(self, zone: str, hosted_zone: HostedZone) -> Iterator[Pair]:
        """Yield the objects of one copy as they are to be stored; slices belong to the copy's ZoneUnit."""
        unit_uid = str(uuid.uuid4())
        for kind in KINDS:
            for raw in self.stored[kind]:
                text = raw.replace(self.zone.encode(), zone.encode())
                for old, new in self.hosted_zone.renamings(hosted_zone):
                    text = text.replace(old.encode(), new.encode())
                body: JsonObject = orjson.loads(text)
                metadata = body["metadata"]
                assert isinstance(metadata, dict)
                metadata["uid"] = unit_uid if kind is ZONE_UNITS else str(uuid.uuid4())
                owners = metadata.get("ownerReferences")
                for owner in owners if isinstance(owners, list) else ():
                    assert isinstance(owner, dict)
                    owner["uid"] = unit_uid
                if kind is ZONE_UNITS:
                    _made_by(body, ObjectKey(NAMESPACE, str(metadata["name"])))
                yield key(kind, NAMESPACE, str(metadata["name"])), orjson.dumps(body)


def _made_by(unit: JsonObject, name: ObjectKey) -> None:
    """Have a copied ZoneUnit's state name the account as the unit of this name would."""
    state = unit["status"]["provider"]["state"]  # type: ignore[index, call-overload]
    state["account"] = account_digest(name, ACCOUNT)  # type: ignore[index, call-overload]


async def hosted_zones(found: Stack, template: Template, names: Sequence[str]) -> dict[str, HostedZone]:
    """Create hosted zones with the template's records and tags; return them by name."""
    made: dict[str, HostedZone] = {}
    async with get_session().create_client(
        "route53",
        region_name="us-east-1",
        endpoint_url=found.emulator.http,
        aws_access_key_id=DUMMY_CREDENTIALS["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=DUMMY_CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
    ) as aws:
        listed = await aws.list_tags_for_resource(ResourceType="hostedzone", ResourceId=template.hosted_zone.id)
        tags = listed["ResourceTagSet"]["Tags"]
        for name in names:
            answer = await aws.create_hosted_zone(Name=f"{name}.example.com", CallerReference=name)
            zone_id = answer["HostedZone"]["Id"].removeprefix("/hostedzone/")
            made[name] = HostedZone(zone_id, tuple(sorted(answer["DelegationSet"]["NameServers"])))
            own = [{"Key": tag["Key"], "Value": tag["Value"].replace(template.zone, name)} for tag in tags]
            await aws.change_tags_for_resource(ResourceType="hostedzone", ResourceId=zone_id, AddTags=own)
            for edit in edits(zone_id, (_renamed(one, template.zone, name) for one in template.records)):
                found.emulator.edit(edit)
    return made


def edits(zone_id: str, puts: Iterable[RecordDocument]) -> Iterator[RecordEdits]:
    """Split records into edits of a bearable size."""
    left = list(puts)
    for start in range(0, len(left), RECORDS_AN_EDIT):
        yield RecordEdits(hosted_zone_id=zone_id, put=tuple(left[start : start + RECORDS_AN_EDIT]))


def _renamed(record: RecordDocument, old: str, new: str) -> RecordDocument:
    return record.model_copy(update={"name": record.name.replace(old, new)})
