"""The same scenarios against the fake and against the adapter with the emulator: the fake stays honest."""

from collections.abc import AsyncIterator

import pytest

from route53_controller.aws.api import (
    AliasRecord,
    Change,
    ChangeAction,
    ChangeStatus,
    RecordKey,
    ResourceRecordSet,
    Route53,
)
from route53_controller.aws.errors import AwsFailure
from tests.fakes.route53 import FakeRoute53
from tests.route53_controller.aws.adapter import Adapter, create, failure


@pytest.fixture(params=["fake", "emulator"])
async def route53(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Route53]:
    if request.param == "fake":
        yield FakeRoute53()
        return
    remote = request.getfixturevalue("remote")
    remote.settings(insyncDelaySeconds=0)
    adapter = Adapter(remote)
    yield adapter.client()
    await adapter.connections.aclose()


def record(name: str, *values: str, type_: str = "A", ttl: int = 300) -> ResourceRecordSet:
    return ResourceRecordSet(RecordKey(name, type_), ttl, values)


async def test_a_created_zone_has_name_servers_and_only_its_apex_record_sets(route53: Route53) -> None:
    created = await route53.create_hosted_zone("example.com", "reference-1")
    zone = await route53.get_hosted_zone(created.zone.id)
    page = await route53.list_record_sets(zone.id)
    assert created.zone.id.startswith("Z")
    assert (zone.name, zone.private, zone.caller_reference) == ("example.com", False, "reference-1")
    assert len(zone.name_servers) == 4
    assert not any(server.endswith(".") for server in zone.name_servers)
    assert [found.key for found in page.record_sets] == [
        RecordKey("example.com", "NS"),
        RecordKey("example.com", "SOA"),
    ]
    assert page.next is None


async def test_a_caller_reference_is_good_once(route53: Route53) -> None:
    await route53.create_hosted_zone("example.com", "reference-1")
    error = await failure(route53.create_hosted_zone("example.com", "reference-1"))
    assert error.failure is AwsFailure.HOSTED_ZONE_ALREADY_EXISTS


async def test_zones_are_found_by_exact_name(route53: Route53) -> None:
    first = await route53.create_hosted_zone("example.com", "r1")
    second = await route53.create_hosted_zone("example.com", "r2")
    await route53.create_hosted_zone("a.example.com", "r3")
    found = await route53.list_hosted_zones_by_name("example.com")
    assert {zone.id for zone in found} == {first.zone.id, second.zone.id}
    assert await route53.list_hosted_zones_by_name("nothing.example") == ()


async def test_a_list_of_zones_shows_that_there_are_more(route53: Route53) -> None:
    for number in range(4):
        await route53.create_hosted_zone(f"z{number}.example", f"r{number}")
    assert len(await route53.list_hosted_zones(limit=2)) == 3
    assert len(await route53.list_hosted_zones(limit=10)) == 4


@pytest.mark.spec("R53-WR-001")
async def test_record_sets_are_created_replaced_and_deleted_by_exact_values(route53: Route53) -> None:
    zone = (await route53.create_hosted_zone("example.com", "r1")).zone
    old, new = record("www.example.com", "192.0.2.1"), record("www.example.com", "192.0.2.2", ttl=60)
    submitted = await route53.change_record_sets(zone.id, create(old))
    assert (await route53.get_change(submitted.id)).status is ChangeStatus.INSYNC
    await route53.change_record_sets(zone.id, [Change(ChangeAction.DELETE, old), Change(ChangeAction.CREATE, new)])
    page = await route53.list_record_sets(zone.id, start=RecordKey("www.example.com", "A"), max_items=1)
    assert [(found.key, found.ttl, found.values) for found in page.record_sets] == [(new.key, 60, ("192.0.2.2",))]
    error = await failure(route53.change_record_sets(zone.id, [Change(ChangeAction.DELETE, old)]))
    assert error.failure is AwsFailure.INVALID_CHANGE_BATCH
    assert "name='www.example.com.', type='A'" in error.messages[0]


async def test_a_wildcard_comes_back_under_its_own_name(route53: Route53) -> None:
    """Case 1."""
    zone = (await route53.create_hosted_zone("example.com", "r1")).zone
    await route53.change_record_sets(zone.id, create(record("*.app.example.com", "192.0.2.1")))
    page = await route53.list_record_sets(zone.id, start=RecordKey("*.app.example.com", "A"), max_items=1)
    (found,) = page.record_sets
    assert (found.key.name, found.wire_name) == ("*.app.example.com", "")
    await route53.change_record_sets(zone.id, [Change(ChangeAction.DELETE, found)])


@pytest.mark.spec("R53-RS-015")
async def test_an_alias_comes_back_without_final_dot_and_prefix(route53: Route53) -> None:
    """Cases 3 and 4."""
    zone = (await route53.create_hosted_zone("example.com", "r1")).zone
    alias = ResourceRecordSet(
        RecordKey("example.com", "A"),
        None,
        alias=AliasRecord("lb-1.us-east-1.elb.amazonaws.com", "Z35SXDOTRQ7X7K", True),
    )
    await route53.change_record_sets(zone.id, create(alias))
    page = await route53.list_record_sets(zone.id, start=alias.key, max_items=1)
    assert (page.record_sets[0].alias, page.record_sets[0].ttl) == (alias.alias, None)


async def test_a_batch_is_applied_wholly_or_not_at_all(route53: Route53) -> None:
    zone = (await route53.create_hosted_zone("example.com", "r1")).zone
    taken = record("b.example.com", "192.0.2.2")
    await route53.change_record_sets(zone.id, create(taken))
    error = await failure(route53.change_record_sets(zone.id, create(record("a.example.com", "192.0.2.1"), taken)))
    page = await route53.list_record_sets(zone.id)
    assert error.failure is AwsFailure.INVALID_CHANGE_BATCH
    assert any("name='b.example.com.'" in message and "already exists" in message for message in error.messages)
    assert RecordKey("a.example.com", "A") not in {found.key for found in page.record_sets}


async def test_pages_follow_each_other_in_the_order_of_reversed_labels(route53: Route53) -> None:
    zone = (await route53.create_hosted_zone("example.com", "r1")).zone
    names = [f"{label}.example.com" for label in ("b", "a", "x.a", "*.a")]
    await route53.change_record_sets(zone.id, create(*(record(name, "192.0.2.1") for name in names)))
    keys: list[RecordKey] = []
    start: RecordKey | None = None
    for _ in range(10):
        page = await route53.list_record_sets(zone.id, start=start, max_items=2)
        keys += [found.key for found in page.record_sets]
        start = page.next
        if start is None:
            break
    listed = [key.name for key in keys if key.type == "A"]
    assert listed == ["a.example.com", "*.a.example.com", "x.a.example.com", "b.example.com"]
    assert len(keys) == len(set(keys)) == 6


@pytest.mark.spec("R53-TG-002")
async def test_tags_are_changed_in_chunks_of_ten(route53: Route53) -> None:
    """Case 74."""
    zone = (await route53.create_hosted_zone("example.com", "r1")).zone
    tags = {f"key-{number}": f"value {number}" for number in range(13)}
    await route53.change_tags(zone.id, tags, ())
    assert await route53.list_tags(zone.id) == tags
    await route53.change_tags(zone.id, {"key-0": "new"}, [f"key-{number}" for number in range(1, 13)])
    assert await route53.list_tags(zone.id) == {"key-0": "new"}


async def test_a_zone_with_record_sets_is_not_deleted(route53: Route53) -> None:
    zone = (await route53.create_hosted_zone("example.com", "r1")).zone
    await route53.change_record_sets(zone.id, create(record("a.example.com", "192.0.2.1")))
    assert (await failure(route53.delete_hosted_zone(zone.id))).failure is AwsFailure.HOSTED_ZONE_NOT_EMPTY
    await route53.change_record_sets(zone.id, [Change(ChangeAction.DELETE, record("a.example.com", "192.0.2.1"))])
    await route53.delete_hosted_zone(zone.id)
    assert (await failure(route53.get_hosted_zone(zone.id))).failure is AwsFailure.NO_SUCH_HOSTED_ZONE


@pytest.mark.parametrize("zone_id", ["Z000000000000NONE"])
async def test_what_does_not_exist_is_told_as_such(route53: Route53, zone_id: str) -> None:
    assert (await failure(route53.list_record_sets(zone_id))).failure is AwsFailure.NO_SUCH_HOSTED_ZONE
    assert (await failure(route53.list_tags(zone_id))).failure is AwsFailure.NO_SUCH_HOSTED_ZONE
    assert (await failure(route53.get_change("C0000000000000"))).failure is AwsFailure.NO_SUCH_CHANGE


async def test_a_cname_does_not_stand_beside_other_record_sets(route53: Route53) -> None:
    """Case 25."""
    zone = (await route53.create_hosted_zone("example.com", "r1")).zone
    await route53.change_record_sets(zone.id, create(record("a.example.com", "192.0.2.1")))
    error = await failure(
        route53.change_record_sets(zone.id, create(record("a.example.com", "b.example.net.", type_="CNAME")))
    )
    assert error.failure is AwsFailure.INVALID_CHANGE_BATCH
    assert "a.example.com." in error.messages[0]


@pytest.mark.spec("R53-IB-001", "R53-BU-010")
@pytest.mark.parametrize("label", ["123456789012", "5d7d4f2e-1111-2222-3333-0123456789ab", "*.123456789012"])
async def test_a_name_that_looks_like_an_id_is_told_as_it_was_sent(route53: Route53, label: str) -> None:
    name = f"{label}.example.com"
    zone = (await route53.create_hosted_zone("example.com", "r1")).zone
    await route53.change_record_sets(zone.id, create(record(name, "192.0.2.1")))
    batch = create(record(name, "b.example.net.", type_="CNAME"))
    error = await failure(route53.change_record_sets(zone.id, batch))
    assert f"{name.replace('*', chr(92) + '052')}." in error.messages[0]
