"""Hosted zones, tags and limits over the wire, as an AWS client sees them."""

import re
from typing import TYPE_CHECKING

import pytest
from botocore.exceptions import ClientError

from e2e.route53.remote import Remote

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from types_aiobotocore_route53.client import Route53Client


async def refusal(call: "Awaitable[object]") -> tuple[str, int, str]:
    """Return the code, HTTP status and message of a refused call."""
    with pytest.raises(ClientError) as caught:
        await call
    response = caught.value.response
    return (
        response["Error"].get("Code", ""),
        response["ResponseMetadata"]["HTTPStatusCode"],
        response["Error"].get("Message", ""),
    )


async def test_a_new_zone_has_four_name_servers_and_a_pending_change(route53: "Route53Client") -> None:
    created = await route53.create_hosted_zone(
        Name="Example.com", CallerReference="r", HostedZoneConfig={"Comment": "a & b"}
    )
    zone = created["HostedZone"]
    assert re.fullmatch(r"/hostedzone/Z[A-Z0-9]+", zone["Id"])
    assert re.fullmatch(r"/change/C[A-Z0-9]+", created["ChangeInfo"]["Id"])
    assert created["ChangeInfo"]["Status"] == "PENDING"
    assert len(set(created["DelegationSet"]["NameServers"])) == 4
    assert (zone["Name"], zone["ResourceRecordSetCount"], zone["Config"]["Comment"]) == ("example.com.", 2, "a & b")
    assert created["Location"].endswith(zone["Id"].removeprefix("/"))
    got = await route53.get_hosted_zone(Id=zone["Id"])
    assert (got["HostedZone"], got["DelegationSet"]) == (zone, created["DelegationSet"])


async def test_the_apex_holds_the_name_servers_and_an_soa(route53: "Route53Client", zone: str) -> None:
    got = await route53.get_hosted_zone(Id=zone)
    listed = await route53.list_resource_record_sets(HostedZoneId=zone)
    ns, soa = listed["ResourceRecordSets"]
    assert (ns["Type"], ns["TTL"], soa["Type"], soa["TTL"]) == ("NS", 172800, "SOA", 900)
    assert [value["Value"] for value in ns["ResourceRecords"]] == [
        f"{server}." for server in got["DelegationSet"]["NameServers"]
    ]


async def test_a_caller_reference_works_once_even_after_its_zone_is_gone(route53: "Route53Client", zone: str) -> None:
    again = {"Name": "example.com", "CallerReference": "the zone"}
    assert (await refusal(route53.create_hosted_zone(**again)))[:2] == ("HostedZoneAlreadyExists", 409)
    await route53.delete_hosted_zone(Id=zone)
    assert (await refusal(route53.create_hosted_zone(**again)))[:2] == ("HostedZoneAlreadyExists", 409)


async def test_two_zones_of_one_name_have_no_name_server_in_common(route53: "Route53Client", zone: str) -> None:
    first = (await route53.get_hosted_zone(Id=zone))["DelegationSet"]["NameServers"]
    other = await route53.create_hosted_zone(Name="example.com", CallerReference="other")
    assert not set(first) & set(other["DelegationSet"]["NameServers"])


@pytest.mark.parametrize("name", ["bad..name", "*.example.com", "x" * 64 + ".com"])
async def test_a_malformed_zone_name_is_refused(route53: "Route53Client", name: str) -> None:
    code = await refusal(route53.create_hosted_zone(Name=name, CallerReference="r"))
    assert code[:2] == ("InvalidDomainName", 400)


async def test_an_unknown_zone_or_change_is_not_found(route53: "Route53Client") -> None:
    assert (await refusal(route53.get_hosted_zone(Id="ZNONE")))[:2] == ("NoSuchHostedZone", 404)
    assert (await refusal(route53.list_resource_record_sets(HostedZoneId="ZNONE")))[:2] == ("NoSuchHostedZone", 404)
    assert (await refusal(route53.get_change(Id="/change/CNONE")))[:2] == ("NoSuchChange", 404)


async def test_a_change_becomes_insync_after_the_delay(route53: "Route53Client", remote: Remote) -> None:
    remote.settings(insyncDelaySeconds=3600)
    created = await route53.create_hosted_zone(Name="example.com", CallerReference="r")
    change = created["ChangeInfo"]["Id"]
    assert (await route53.get_change(Id=change))["ChangeInfo"]["Status"] == "PENDING"
    remote.settings(insyncDelaySeconds=0)
    assert (await route53.get_change(Id=change))["ChangeInfo"]["Status"] == "INSYNC"


async def test_a_zone_with_records_cannot_be_deleted(route53: "Route53Client", zone: str) -> None:
    record = {"Name": "www.example.com", "Type": "A", "TTL": 60, "ResourceRecords": [{"Value": "192.0.2.1"}]}
    await route53.change_resource_record_sets(
        HostedZoneId=zone, ChangeBatch={"Changes": [{"Action": "CREATE", "ResourceRecordSet": record}]}
    )
    assert (await refusal(route53.delete_hosted_zone(Id=zone)))[:2] == ("HostedZoneNotEmpty", 400)
    await route53.change_resource_record_sets(
        HostedZoneId=zone, ChangeBatch={"Changes": [{"Action": "DELETE", "ResourceRecordSet": record}]}
    )
    assert (await route53.delete_hosted_zone(Id=zone))["ChangeInfo"]["Status"] == "PENDING"
    assert (await refusal(route53.get_hosted_zone(Id=zone)))[0] == "NoSuchHostedZone"


async def test_zones_list_in_pages_without_loss(route53: "Route53Client") -> None:
    for index in range(101):
        await route53.create_hosted_zone(Name=f"z{index}.com", CallerReference=str(index))
    page = await route53.list_hosted_zones()
    assert (len(page["HostedZones"]), page["IsTruncated"], page["MaxItems"]) == (100, True, "100")
    rest = await route53.list_hosted_zones(Marker=page["NextMarker"])
    assert [zone["Name"] for zone in rest["HostedZones"]] == ["z100.com."]
    assert rest["IsTruncated"] is False


async def test_a_page_marker_survives_the_deletion_of_its_zone(route53: "Route53Client") -> None:
    for index in range(3):
        await route53.create_hosted_zone(Name=f"z{index}.com", CallerReference=str(index))
    marker = (await route53.list_hosted_zones(MaxItems="1"))["NextMarker"]
    await route53.delete_hosted_zone(Id=marker)
    rest = await route53.list_hosted_zones(Marker=marker)
    assert [zone["Name"] for zone in rest["HostedZones"]] == ["z2.com."]


async def test_zones_by_name_start_at_a_name_and_say_what_is_next(route53: "Route53Client") -> None:
    for name in ["z.com", "a.b.example.com", "example.com", "aaa.org"]:
        await route53.create_hosted_zone(Name=name, CallerReference=name)
    listed = await route53.list_hosted_zones_by_name()
    names = [zone["Name"] for zone in listed["HostedZones"]]
    assert names == ["example.com.", "a.b.example.com.", "z.com.", "aaa.org."]
    page = await route53.list_hosted_zones_by_name(DNSName="b.com", MaxItems="2")
    assert [zone["Name"] for zone in page["HostedZones"]] == ["example.com.", "a.b.example.com."]
    rest = await route53.list_hosted_zones_by_name(DNSName=page["NextDNSName"], HostedZoneId=page["NextHostedZoneId"])
    assert [zone["Name"] for zone in rest["HostedZones"]] == ["z.com.", "aaa.org."]


async def test_tags_are_added_replaced_and_removed(route53: "Route53Client", zone: str) -> None:
    target = {"ResourceType": "hostedzone", "ResourceId": zone}
    await route53.change_tags_for_resource(**target, AddTags=[{"Key": "a", "Value": "1"}, {"Key": "b", "Value": "<&>"}])
    await route53.change_tags_for_resource(**target, AddTags=[{"Key": "a", "Value": "2"}], RemoveTagKeys=["none"])
    one = await route53.list_tags_for_resource(**target)
    assert {tag["Key"]: tag["Value"] for tag in one["ResourceTagSet"]["Tags"]} == {"a": "2", "b": "<&>"}
    await route53.change_tags_for_resource(**target, RemoveTagKeys=["a"])
    many = await route53.list_tags_for_resources(ResourceType="hostedzone", ResourceIds=[zone])
    assert many["ResourceTagSets"][0]["Tags"] == [{"Key": "b", "Value": "<&>"}]


@pytest.mark.parametrize(
    "tags", [[{"Key": "aws:x", "Value": ""}], [{"Key": str(index), "Value": ""} for index in range(11)]]
)
async def test_bad_tags_are_refused(route53: "Route53Client", zone: str, tags: list[dict[str, str]]) -> None:
    call = route53.change_tags_for_resource(ResourceType="hostedzone", ResourceId=zone, AddTags=tags)
    assert (await refusal(call))[:2] == ("InvalidInput", 400)


async def test_a_private_zone_has_vpcs_and_no_delegation_set(route53: "Route53Client") -> None:
    vpc = {"VPCRegion": "us-east-1", "VPCId": "vpc-1"}
    created = await route53.create_hosted_zone(Name="corp.internal", CallerReference="r", VPC=vpc)
    assert "DelegationSet" not in created
    got = await route53.get_hosted_zone(Id=created["HostedZone"]["Id"])
    assert (got["VPCs"], got["HostedZone"]["Config"]["PrivateZone"]) == ([vpc], True)
    call = route53.create_hosted_zone(Name="x.internal", CallerReference="s", HostedZoneConfig={"PrivateZone": True})
    assert (await refusal(call))[0] == "InvalidInput"


async def test_limits_and_comment_are_served(route53: "Route53Client", zone: str) -> None:
    owned = await route53.get_account_limit(Type="MAX_HOSTED_ZONES_BY_OWNER")
    held = await route53.get_hosted_zone_limit(HostedZoneId=zone, Type="MAX_RRSETS_BY_ZONE")
    assert (owned["Count"], owned["Limit"]["Value"], held["Count"]) == (1, 500, 2)
    await route53.update_hosted_zone_comment(Id=zone, Comment="new")
    assert (await route53.get_hosted_zone(Id=zone))["HostedZone"]["Config"]["Comment"] == "new"


async def test_an_account_does_not_see_the_zones_of_another(
    remote: Remote, connect: "Callable[..., Awaitable[Route53Client]]", zone: str
) -> None:
    """Case 30."""
    remote.settings(accounts={"AKIDOTHER": "222222222222"})
    other = await connect("route53", access_key="AKIDOTHER")
    assert (await other.list_hosted_zones())["HostedZones"] == []
    assert (await refusal(other.get_hosted_zone(Id=zone)))[:2] == ("AccessDenied", 403)
    assert (await other.create_hosted_zone(Name="example.com", CallerReference="the zone"))["HostedZone"]


async def test_an_action_that_is_not_emulated_says_so(route53: "Route53Client") -> None:
    assert (await refusal(route53.list_traffic_policies()))[:2] == ("InvalidAction", 400)


async def test_a_zone_deleted_behind_the_api_is_gone(route53: "Route53Client", remote: Remote, zone: str) -> None:
    remote.delete_zone(zone)
    assert (await refusal(route53.get_hosted_zone(Id=zone)))[0] == "NoSuchHostedZone"
    assert remote.zones() == []
