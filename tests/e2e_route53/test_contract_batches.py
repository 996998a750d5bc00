"""Change batches and record lists over the wire."""

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError

from e2e.route53.edits import RecordDocument, RecordEdits, RecordKey
from e2e.route53.remote import Remote

if TYPE_CHECKING:
    from types_aiobotocore_route53.client import Route53Client


def change(action: str, name: str, type_: str = "A", *values: str, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 — botocore's parameters
    record: dict[str, Any] = {"Name": name, "Type": type_, **fields}
    if values:
        record |= {"TTL": 60, "ResourceRecords": [{"Value": value} for value in values]}
    return {"Action": action, "ResourceRecordSet": record}


async def send(route53: "Route53Client", zone: str, *changes: dict[str, Any]) -> str:
    """Send a batch; return an empty text, or the code and message of its refusal."""
    try:
        await route53.change_resource_record_sets(HostedZoneId=zone, ChangeBatch={"Changes": list(changes)})
    except ClientError as error:
        return f"{error.response['Error'].get('Code')}: {error.response['Error'].get('Message')}"
    return ""


async def listed(route53: "Route53Client", zone: str, **start: str) -> list[dict[str, Any]]:
    return (await route53.list_resource_record_sets(HostedZoneId=zone, **start))["ResourceRecordSets"]


async def test_records_of_every_kind_come_back_as_they_were_sent(route53: "Route53Client", zone: str) -> None:
    sent = [
        change("CREATE", "www.example.com.", "A", "192.0.2.2", "192.0.2.1"),
        change("CREATE", "www.example.com.", "TXT", '"a < b & \\"c\\""', '"x" "y"'),
        change("CREATE", "alias.example.com.", "CNAME", "target.example.net"),
        change("CREATE", "example.com.", "MX", "10 mail.example.com."),
        change("CREATE", "example.com.", "CAA", '0 issue "ca.example.net"'),
        change("CREATE", "w.example.com.", "A", "192.0.2.3", SetIdentifier="x", Weight=7),
        change("CREATE", "g.example.com.", "A", "192.0.2.4", SetIdentifier="x", GeoLocation={"CountryCode": "NL"}),
        change(
            "CREATE",
            "lb.example.com.",
            AliasTarget={"HostedZoneId": "Z35SXDOTRQ7X7K", "DNSName": "LB.amazonaws.com", "EvaluateTargetHealth": True},
        ),
    ]
    assert await send(route53, zone, *sent) == ""
    sent[-1]["ResourceRecordSet"]["AliasTarget"]["DNSName"] = "lb.amazonaws.com."
    expected = [wanted["ResourceRecordSet"] for wanted in sent]
    got = [record for record in await listed(route53, zone) if record["Type"] not in {"NS", "SOA"}]
    by_key = {(record["Name"], record["Type"]): record for record in got}
    assert by_key == {(record["Name"], record["Type"]): record for record in expected}


async def test_a_wildcard_is_returned_with_its_octal_escape(route53: "Route53Client", zone: str) -> None:
    await send(route53, zone, change("CREATE", "*.example.com", "A", "192.0.2.1"))
    assert (await listed(route53, zone))[-1]["Name"] == "\\052.example.com."
    assert await send(route53, zone, change("DELETE", "\\052.example.com", "A", "192.0.2.1")) == ""


async def test_a_refused_batch_names_its_offenders_in_one_bracket(route53: "Route53Client", zone: str) -> None:
    refused = await send(
        route53,
        zone,
        change("CREATE", "good.example.com", "A", "192.0.2.1"),
        change("DELETE", "b.example.com", "A", "192.0.2.1"),
        change("DELETE", "c.example.com", "A", "192.0.2.1"),
    )
    assert refused == (
        "InvalidChangeBatch: [Tried to delete resource record set [name='b.example.com.', type='A'] but it was not "
        "found, Tried to delete resource record set [name='c.example.com.', type='A'] but it was not found]"
    )
    assert len(await listed(route53, zone)) == 2


@pytest.mark.parametrize(("messages", "count"), [("all", 2), ("first", 1), ("vague", 1)])
async def test_the_reference_form_of_the_error_carries_a_list(
    route53: "Route53Client", remote: Remote, zone: str, messages: str, count: int
) -> None:
    bodies: list[bytes] = []
    route53.meta.events.register(
        "before-parse.route53", lambda response_dict, **_: bodies.append(response_dict["body"])
    )
    remote.settings(changeBatchErrorForm="messages", changeBatchMessages=messages)
    wrong = [change("CREATE", f"{name}.example.com", "A", "x") for name in "ab"]
    assert await send(route53, zone, *wrong) == ": "
    assert b"<InvalidChangeBatch" in bodies[-1]
    assert bodies[-1].count(b"<Message>") == count


@pytest.mark.parametrize(
    "wrong",
    [
        change("CREATE", "x.example.com", "BOGUS", "x"),
        change("CREATE", "x.example.com"),
        change("CREATE", "x.example.com", "A", "192.0.2.1", SetIdentifier="x"),
        change("CREATE", "x.example.com", "A", "192.0.2.1", Weight=1),
        change("CREATE", "x.example.com", "A", "192.0.2.1", SetIdentifier="x", Weight=1, Region="eu-west-1"),
        change(
            "CREATE",
            "x.example.com",
            "A",
            "192.0.2.1",
            AliasTarget={"HostedZoneId": "ZX", "DNSName": "x.com", "EvaluateTargetHealth": False},
        ),
    ],
)
async def test_a_malformed_request_is_invalid_input(route53: "Route53Client", zone: str, wrong: dict[str, Any]) -> None:
    assert (await send(route53, zone, wrong)).startswith("InvalidInput: ")


async def test_a_list_pages_through_names_types_and_identifiers(route53: "Route53Client", zone: str) -> None:
    weighted = [
        change("CREATE", "w.example.com", "A", f"192.0.2.{index}", SetIdentifier=f"s{index}", Weight=1)
        for index in range(3)
    ]
    simple = [change("CREATE", f"h{index}.example.com", "A", "192.0.2.1") for index in range(400)]
    assert await send(route53, zone, *weighted, *simple) == ""
    page = await route53.list_resource_record_sets(HostedZoneId=zone, MaxItems="1000")
    assert (len(page["ResourceRecordSets"]), page["MaxItems"], page["IsTruncated"]) == (300, "300", True)
    seen: list[tuple[str, str, str]] = []
    paginator = route53.get_paginator("list_resource_record_sets")
    async for part in paginator.paginate(HostedZoneId=zone, PaginationConfig={"PageSize": 67}):
        seen += [(r["Name"], r["Type"], r.get("SetIdentifier", "")) for r in part["ResourceRecordSets"]]
    assert len(seen) == len(set(seen)) == 405
    split = await route53.list_resource_record_sets(
        HostedZoneId=zone, StartRecordName="w.example.com", StartRecordType="A", MaxItems="2"
    )
    assert (split["NextRecordName"], split["NextRecordType"], split["NextRecordIdentifier"]) == (
        "w.example.com.",
        "A",
        "s2",
    )


async def test_a_batch_is_refused_while_another_is_worked_on(
    route53: "Route53Client", remote: Remote, zone: str
) -> None:
    remote.settings(priorRequestNotComplete=True, batchSeconds=2)
    results = await asyncio.gather(
        *(send(route53, zone, change("CREATE", f"h{index}.example.com", "A", "192.0.2.1")) for index in range(3))
    )
    assert sorted(result.partition(":")[0] for result in results) == [
        "",
        "PriorRequestNotComplete",
        "PriorRequestNotComplete",
    ]
    remote.settings(batchSeconds=0)
    assert await send(route53, zone, change("CREATE", "later.example.com", "A", "192.0.2.1")) == ""


async def test_the_log_holds_applied_batches_in_order(route53: "Route53Client", remote: Remote, zone: str) -> None:
    await send(route53, zone, change("CREATE", "a.example.com", "A", "192.0.2.1"))
    await send(route53, zone, change("CREATE", "a.example.com", "A", "192.0.2.1"))
    await send(route53, zone, change("DELETE", "a.example.com", "A", "192.0.2.1"))
    log = remote.log()
    assert [(batch.sequence, batch.changes[0].action) for batch in log] == [(1, "CREATE"), (2, "DELETE")]
    assert (log[0].zone, log[0].account_id, log[0].hosted_zone_id) == ("example.com.", "111111111111", zone)
    assert log[0].changes[0].record_set == RecordDocument(
        name="a.example.com.", type="A", ttl=60, values=("192.0.2.1",)
    )
    assert remote.log(after=1) == log[1:]


async def test_records_are_edited_behind_the_api_without_a_call(
    route53: "Route53Client", remote: Remote, zone: str
) -> None:
    await send(route53, zone, change("CREATE", "a.example.com", "A", "192.0.2.1"))
    remote.reset_counters()
    put = RecordDocument(name="b.example.com", type="TXT", ttl=5, values=('"foreign"',))
    remote.edit(RecordEdits(hosted_zone_id=zone, put=(put,), delete=(RecordKey(name="a.example.com", type="A"),)))
    assert remote.calls() == {}
    assert [(r.name, r.values) for r in remote.records(zone)][-1] == ("b.example.com.", ('"foreign"',))
    assert [record["Name"] for record in await listed(route53, zone)][2:] == ["b.example.com."]
