"""Many settled zones out of one: copies of its stored objects, and of its hosted zone with its tags."""

import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import orjson
from aiobotocore.session import get_session

from benchmarks.etcd import Etcd, Pair, key
from benchmarks.rig import NAMESPACE
from e2e.route53.edits import RecordDocument, RecordEdits
from e2e.stack.layout import DUMMY_CREDENTIALS
from e2e.stack.stack import Stack
from libdnsapi.api.dns.recordset import RECORD_SETS
from libdnsapi.api.dns.zone import ZONES
from libdnsapi.api.dns.zoneunit import ZONE_UNITS
from libdnsapi.api.dns.zoneunitslice import ZONE_UNIT_SLICES
from libdnsapi.api.meta import JsonObject, ResourceType

KINDS = (ZONES, ZONE_UNITS, ZONE_UNIT_SLICES, RECORD_SETS)
RECORDS_AN_EDIT = 500


@dataclass(frozen=True, slots=True)
class Template:
    """One settled zone: its name, its hosted zone's id, and its objects as they are stored."""

    zone: str
    hosted_zone: str
    stored: dict[ResourceType, list[bytes]]

    @classmethod
    async def read(cls, etcd: Etcd, zone: str) -> "Template":
        """Read the objects of the one zone that there is."""
        stored = {kind: [raw async for raw in etcd.objects(kind, NAMESPACE)] for kind in KINDS}
        found: JsonObject = orjson.loads(stored[ZONES][0])
        hosted_zone = str(found["status"]["provider"]["data"]["hostedZoneID"])  # type: ignore[index, call-overload]
        return cls(zone, hosted_zone, stored)

    def copies(self, zone: str, hosted_zone: str) -> Iterator[Pair]:
        """Yield the objects of one copy as they are to be stored; slices belong to the copy's ZoneUnit."""
        unit_uid = str(uuid.uuid4())
        for kind in KINDS:
            for raw in self.stored[kind]:
                text = raw.replace(self.zone.encode(), zone.encode())
                body: JsonObject = orjson.loads(text.replace(self.hosted_zone.encode(), hosted_zone.encode()))
                metadata = body["metadata"]
                assert isinstance(metadata, dict)
                metadata["uid"] = unit_uid if kind is ZONE_UNITS else str(uuid.uuid4())
                owners = metadata.get("ownerReferences")
                for owner in owners if isinstance(owners, list) else ():
                    assert isinstance(owner, dict)
                    owner["uid"] = unit_uid
                yield key(kind, NAMESPACE, str(metadata["name"])), orjson.dumps(body)


async def hosted_zones(found: Stack, template: Template, names: Sequence[str]) -> dict[str, str]:
    """Create hosted zones with the template's records and tags; return their ids by name."""
    made: dict[str, str] = {}
    records = [one for one in found.emulator.records(template.hosted_zone) if one.type not in {"NS", "SOA"}]
    async with get_session().create_client(
        "route53",
        region_name="us-east-1",
        endpoint_url=found.emulator.http,
        aws_access_key_id=DUMMY_CREDENTIALS["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=DUMMY_CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
    ) as aws:
        listed = await aws.list_tags_for_resource(ResourceType="hostedzone", ResourceId=template.hosted_zone)
        tags = listed["ResourceTagSet"]["Tags"]
        for name in names:
            answer = await aws.create_hosted_zone(Name=f"{name}.example.com", CallerReference=name)
            made[name] = answer["HostedZone"]["Id"].removeprefix("/hostedzone/")
            own = [{"Key": tag["Key"], "Value": tag["Value"].replace(template.zone, name)} for tag in tags]
            await aws.change_tags_for_resource(ResourceType="hostedzone", ResourceId=made[name], AddTags=own)
            for edit in edits(made[name], (_renamed(one, template.zone, name) for one in records)):
                found.emulator.edit(edit)
    return made


def edits(zone_id: str, puts: Iterable[RecordDocument]) -> Iterator[RecordEdits]:
    """Split records into edits of a bearable size."""
    left = list(puts)
    for start in range(0, len(left), RECORDS_AN_EDIT):
        yield RecordEdits(hosted_zone_id=zone_id, put=tuple(left[start : start + RECORDS_AN_EDIT]))


def _renamed(record: RecordDocument, old: str, new: str) -> RecordDocument:
    return record.model_copy(update={"name": record.name.replace(old, new)})
