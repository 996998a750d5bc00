"""Which batches a zone accepts, and what it says about the others."""

from typing import Literal

import pytest

from e2e.route53.changes import Batch, decide
from e2e.route53.errors import InvalidChangeBatchError
from e2e.route53.model import AliasTarget, Change, RecordSet, RoutingPolicy
from e2e.route53.zone import HostedZone

WWW, APEX = "www.example.com.", "example.com."


def zone_with(*records: RecordSet) -> HostedZone:
    zone = HostedZone("ZONE", "111111111111", APEX, "reference", 0)
    zone.seed()
    for record in records:
        zone.table.replace(record.name, {**zone.table.at(record.name), record.identity: record})
    return zone


def a(name: str = WWW, value: str = "192.0.2.1", ttl: int = 60) -> RecordSet:
    return RecordSet(name, "A", ttl, (value,))


def record(type_: str, *values: str, name: str = WWW) -> RecordSet:
    return RecordSet(name, type_, 60, values)


def weighted(identifier: str, weight: int = 1, value: str = "192.0.2.1") -> RecordSet:
    return RecordSet(WWW, "A", 60, (value,), set_identifier=identifier, routing=RoutingPolicy("Weight", str(weight)))


def alias(target: str, zone: str = "ZONE", name: str = WWW) -> RecordSet:
    return RecordSet(name, "A", alias=AliasTarget(zone, target, evaluate_target_health=False))


def change(action: Literal["CREATE", "DELETE", "UPSERT"], record: RecordSet) -> Change:
    return Change(action, record)


def outcome(zone: HostedZone, *changes: Change, limit: int | None = None) -> list[str]:
    """Apply an accepted batch to the zone; return the messages of a refused one."""
    batch = Batch(zone.id, zone.name, changes, {zone.id: (zone.name, zone.table)}, {"known"}, limit)
    try:
        nodes = decide(batch)
    except InvalidChangeBatchError as error:
        return error.messages
    for name, node in nodes.items():
        zone.table.replace(name, node)
    return []


def held(zone: HostedZone, name: str = WWW) -> list[RecordSet]:
    return list(zone.table.at(name).values())


@pytest.mark.parametrize(
    ("present", "changes", "after"),
    [
        ([], [change("CREATE", a())], [a()]),
        ([], [change("UPSERT", a())], [a()]),
        ([a()], [change("UPSERT", a(value="192.0.2.2"))], [a(value="192.0.2.2")]),
        ([a()], [change("DELETE", a())], []),
        ([a()], [change("DELETE", a()), change("CREATE", a(ttl=5))], [a(ttl=5)]),
        ([a()], [change("DELETE", a()), change("CREATE", record("CNAME", "x.com"))], [record("CNAME", "x.com")]),
        ([], [change("CREATE", weighted("a")), change("CREATE", weighted("b"))], [weighted("a"), weighted("b")]),
        ([weighted("a"), weighted("b")], [change("DELETE", weighted("a"))], [weighted("b")]),
        (
            [RecordSet(WWW, "TXT", 60, ('"a"', '"b"'))],
            [change("DELETE", RecordSet(WWW, "TXT", 60, ('"b"', '"a"')))],
            [],
        ),
        ([], [change("CREATE", alias("lb.amazonaws.com.", "ZELB"))], [alias("lb.amazonaws.com.", "ZELB")]),
        (
            [],
            [change("CREATE", a("target.example.com.")), change("CREATE", alias("target.example.com."))],
            [alias("target.example.com.")],
        ),
    ],
)
def test_an_accepted_batch_leaves_what_it_says(
    present: list[RecordSet], changes: list[Change], after: list[RecordSet]
) -> None:
    zone = zone_with(*present)
    assert outcome(zone, *changes) == []
    assert held(zone) == after


@pytest.mark.parametrize(
    ("present", "changes", "messages"),
    [
        (
            [a()],
            [change("CREATE", a())],
            ["Tried to create resource record set [name='www.example.com.', type='A'] but it already exists"],
        ),
        (
            [],
            [change("DELETE", a())],
            ["Tried to delete resource record set [name='www.example.com.', type='A'] but it was not found"],
        ),
        (
            [a()],
            [change("DELETE", a(ttl=61))],
            [
                "Tried to delete resource record set [name='www.example.com.', type='A'] "
                "but the values provided do not match the current values"
            ],
        ),
        (
            [weighted("a")],
            [change("CREATE", weighted("a"))],
            [
                "Tried to create resource record set [name='www.example.com.', type='A', set identifier='a'] "
                "but it already exists"
            ],
        ),
        (
            [],
            [change("CREATE", a("other.org."))],
            ["RRSet with DNS name other.org. is not permitted in zone example.com."],
        ),
        (
            [],
            [change("CREATE", record("CNAME", "x.com", name=APEX))],
            ["RRSet of type CNAME with DNS name example.com. is not permitted at apex in zone example.com."],
        ),
        (
            [],
            [change("CREATE", a(value="x"))],
            [
                "Invalid Resource Record: FATAL problem: ARRDATAIllegalIPv4Address "
                "(Value is not a valid IPv4 address) encountered with 'x'"
            ],
        ),
        (
            [],
            [change("CREATE", record("A", "192.0.2.1", "192.0.2.1"))],
            ["Duplicate Resource Record: '192.0.2.1'"],
        ),
    ],
)
def test_a_refused_batch_says_why_and_changes_nothing(
    present: list[RecordSet], changes: list[Change], messages: list[str]
) -> None:
    zone = zone_with(*present)
    before = held(zone)
    assert outcome(zone, *changes, change("CREATE", a("other.example.com."))) == messages
    assert held(zone) == before
    assert held(zone, "other.example.com.") == []


@pytest.mark.parametrize(
    ("present", "changes"),
    [
        ([a()], [change("CREATE", record("CNAME", "x.com"))]),
        ([record("CNAME", "x.com")], [change("CREATE", a())]),
        ([], [change("CREATE", record("CNAME", "a.com", "b.com"))]),
        ([], [change("CREATE", record("NS", "ns.x.com.", name="\\052.example.com."))]),
        ([], [change("CREATE", record("SOA", "a. b. 1 1 1 1 1"))]),
        ([weighted("a")], [change("CREATE", a())]),
        ([a()], [change("CREATE", weighted("a"))]),
        (
            [weighted("a")],
            [
                change(
                    "CREATE",
                    RecordSet(
                        WWW, "A", 60, ("192.0.2.9",), set_identifier="l", routing=RoutingPolicy("Region", "eu-west-1")
                    ),
                )
            ],
        ),
        ([], [change("CREATE", alias("missing.example.com."))]),
        ([], [change("CREATE", alias("elsewhere.org."))]),
        ([], [change("CREATE", alias(WWW))]),
        ([], [change("UPSERT", a()), change("UPSERT", a(ttl=5))]),
        ([], [change("CREATE", a()), change("DELETE", a())]),
        ([a()], [change("DELETE", a()), change("DELETE", a())]),
        ([], [change("CREATE", RecordSet(WWW, "A", 60, ("192.0.2.1",), health_check_id="unknown"))]),
        ([], [change("CREATE", RecordSet(WWW, "A", 60, tuple(f"10.0.{i // 250}.{i % 250}" for i in range(401))))]),
    ],
)
def test_a_batch_that_breaks_a_rule_is_refused(present: list[RecordSet], changes: list[Change]) -> None:
    zone = zone_with(*present)
    assert len(outcome(zone, *changes)) == 1
    assert held(zone) == present


def test_all_offenders_of_a_batch_are_named() -> None:
    messages = outcome(zone_with(), change("DELETE", a()), change("DELETE", a("x.example.com.")))
    assert [message.split("'")[1] for message in messages] == [WWW, "x.example.com."]


@pytest.mark.parametrize("type_", ["NS", "SOA"])
def test_apex_ns_and_soa_cannot_be_deleted(type_: str) -> None:
    zone = zone_with()
    (message,) = outcome(zone, change("DELETE", zone.table.at(APEX)[type_, ""]))
    assert message.startswith("A HostedZone must contain")


def test_the_apex_ns_can_be_replaced() -> None:
    zone = zone_with()
    assert outcome(zone, change("UPSERT", record("NS", "ns1.example.net.", name=APEX))) == []


@pytest.mark.parametrize(("count", "accepted"), [(1000, True), (1001, False)])
def test_a_batch_has_at_most_1000_elements(count: int, accepted: bool) -> None:
    """Case 26."""
    changes = [change("CREATE", a(f"h{index}.example.com.")) for index in range(count)]
    assert (outcome(zone_with(), *changes) == []) is accepted


@pytest.mark.parametrize(("count", "accepted"), [(500, True), (501, False)])
def test_an_upsert_counts_its_elements_twice(count: int, accepted: bool) -> None:
    """Case 26."""
    changes = [change("UPSERT", a(f"h{index}.example.com.")) for index in range(count)]
    assert (outcome(zone_with(), *changes) == []) is accepted


@pytest.mark.parametrize(
    ("action", "count", "accepted"),
    [("CREATE", 128, True), ("CREATE", 129, False), ("UPSERT", 64, True), ("UPSERT", 65, False)],
)
def test_a_batch_has_at_most_32000_characters(
    action: Literal["CREATE", "UPSERT"],
    count: int,
    accepted: bool,
) -> None:
    """Case 27."""
    text = '"' + "x" * 248 + '"'
    changes = [change(action, record("TXT", text, name=f"h{index}.example.com.")) for index in range(count)]
    assert (outcome(zone_with(), *changes) == []) is accepted


def test_a_zone_can_be_given_a_limit_of_record_sets() -> None:
    zone = zone_with()
    assert outcome(zone, change("CREATE", a()), limit=3) == []
    assert outcome(zone, change("CREATE", a("x.example.com.")), limit=3) != []
    assert outcome(zone, change("UPSERT", a(ttl=5)), limit=3) == []
