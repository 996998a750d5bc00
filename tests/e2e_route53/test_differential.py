"""Where moto is right, the emulator says the same: zones, their order by name, paging and tags."""

from collections.abc import Callable
from typing import Any

import boto3
import pytest
from moto import mock_aws

from e2e.route53.remote import Remote

Client = Any  # boto3 has no static types


def zone_crud(client: Client) -> object:
    created = client.create_hosted_zone(
        Name="example.com", CallerReference="r", HostedZoneConfig={"Comment": "c", "PrivateZone": False}
    )
    zone = created["HostedZone"]
    fields = ("Name", "CallerReference", "Config", "ResourceRecordSetCount")
    got = client.get_hosted_zone(Id=zone["Id"])["HostedZone"]
    count = client.get_hosted_zone_count()["HostedZoneCount"]
    client.delete_hosted_zone(Id=zone["Id"])
    left = client.list_hosted_zones()["HostedZones"]
    return [{field: shown[field] for field in fields} for shown in (zone, got)], count, left


def order_by_name(client: Client) -> object:
    for name in ["z.com", "a.b.example.com", "example.com", "aaa.org", "b.example.com"]:
        client.create_hosted_zone(Name=name, CallerReference=name)
    return [zone["Name"] for zone in client.list_hosted_zones_by_name()["HostedZones"]]


def zone_pages(client: Client) -> object:
    for index in range(7):
        client.create_hosted_zone(Name=f"z{index}.com", CallerReference=str(index))
    pages = client.get_paginator("list_hosted_zones").paginate(PaginationConfig={"PageSize": 3})
    return [sorted(zone["Name"] for zone in page["HostedZones"]) for page in pages]


def record_order(client: Client) -> object:
    zone = client.create_hosted_zone(Name="example.com", CallerReference="r")["HostedZone"]["Id"]
    names = ["b.example.com", "a.b.example.com", "a.example.com", "c.example.com"]
    records = [
        {"Name": name, "Type": type_, "TTL": 60, "ResourceRecords": [{"Value": value}]}
        for name in names
        for type_, value in (("TXT", '"x"'), ("A", "192.0.2.1"))
    ]
    changes = [{"Action": "CREATE", "ResourceRecordSet": record} for record in records]
    client.change_resource_record_sets(HostedZoneId=zone, ChangeBatch={"Changes": changes})
    listed = client.list_resource_record_sets(HostedZoneId=zone)["ResourceRecordSets"]
    return [record for record in listed if record["Type"] not in {"NS", "SOA"}]


def tags(client: Client) -> object:
    zone = client.create_hosted_zone(Name="example.com", CallerReference="r")["HostedZone"]["Id"]
    target = {"ResourceType": "hostedzone", "ResourceId": zone.removeprefix("/hostedzone/")}
    client.change_tags_for_resource(**target, AddTags=[{"Key": "a", "Value": "1"}, {"Key": "b", "Value": "2"}])
    client.change_tags_for_resource(**target, RemoveTagKeys=["a"], AddTags=[{"Key": "b", "Value": "3"}])
    return client.list_tags_for_resource(**target)["ResourceTagSet"]["Tags"]


@pytest.mark.parametrize("scenario", [zone_crud, order_by_name, zone_pages, record_order, tags])
def test_the_emulator_agrees_with_moto(remote: Remote, scenario: Callable[[Client], object]) -> None:
    keys = {"region_name": "us-east-1", "aws_access_key_id": "AKIDTEST", "aws_secret_access_key": "secret"}
    ours = scenario(boto3.client("route53", endpoint_url=remote.http, **keys))
    with mock_aws():
        assert ours == scenario(boto3.client("route53", **keys))
