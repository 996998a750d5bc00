"""Read zones and record sets back through the Route 53 API with the AWS SDK, as any other tool would see them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import botocore.session

from e2e.stack.layout import DUMMY_CREDENTIALS


@dataclass(frozen=True)
class RecordSetAnswer:
    r"""One record set as ListResourceRecordSets returns it: `name` with its final dot and `\052` for `*`."""

    name: str
    type: str
    ttl: int | None
    values: tuple[str, ...]
    alias: str = ""

    def shown(self) -> tuple[str, ...]:
        """Return the values, or where the alias points."""
        return (f"ALIAS {self.alias}",) if self.alias else self.values


class Route53Reader:
    """Reads of one account; `endpoint` is the URL of the API."""

    def __init__(self, endpoint: str, credentials: Mapping[str, str] = DUMMY_CREDENTIALS) -> None:
        """Make a client with its own credentials; the process environment is not asked."""
        self._client: Any = botocore.session.Session().create_client(
            "route53",
            region_name=credentials["AWS_REGION"],
            endpoint_url=endpoint,
            aws_access_key_id=credentials["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=credentials["AWS_SECRET_ACCESS_KEY"],
        )

    def zones(self) -> dict[str, str]:
        """Return zone ids (without prefix) to names (with the final dot)."""
        pages = self._client.get_paginator("list_hosted_zones").paginate()
        return {zone["Id"].rpartition("/")[2]: zone["Name"] for page in pages for zone in page["HostedZones"]}

    def tags(self, zone_id: str) -> dict[str, str]:
        """Return the tags of a hosted zone."""
        answer = self._client.list_tags_for_resource(ResourceType="hostedzone", ResourceId=zone_id)
        return {tag["Key"]: tag["Value"] for tag in answer["ResourceTagSet"]["Tags"]}

    def name_servers(self, zone_id: str) -> list[str]:
        """Return the zone's name servers."""
        return list(self._client.get_hosted_zone(Id=zone_id)["DelegationSet"]["NameServers"])

    def records(self, zone_id: str) -> dict[tuple[str, str], RecordSetAnswer]:
        """Return all record sets of a zone by (name, type)."""
        pages = self._client.get_paginator("list_resource_record_sets").paginate(HostedZoneId=zone_id)
        answers = (_answer(one) for page in pages for one in page["ResourceRecordSets"])
        return {(answer.name, answer.type): answer for answer in answers}

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def _answer(record_set: Mapping[str, Any]) -> RecordSetAnswer:
    values = tuple(record["Value"] for record in record_set.get("ResourceRecords", ()))
    alias = record_set.get("AliasTarget", {}).get("DNSName", "")
    return RecordSetAnswer(record_set["Name"], record_set["Type"], record_set.get("TTL"), values, alias)
