import pytest

from e2e.route53.lookup import find, zone_for
from e2e.route53.model import AliasTarget, RecordSet, RoutingPolicy
from e2e.route53.zone import HostedZone, Vpc


def zone(name: str = "example.com.", *records: RecordSet, id_: str = "ZONE") -> HostedZone:
    made = HostedZone(id_, "111111111111", name, id_, 0)
    made.seed()
    for record in records:
        made.table.replace(record.name, {**made.table.at(record.name), record.identity: record})
    return made


def record(name: str, type_: str, *values: str) -> RecordSet:
    return RecordSet(f"{name}.example.com.", type_, 60, values)


RECORDS = (
    record("www", "A", "192.0.2.1"),
    record("alias", "CNAME", "www.example.com."),
    record("away", "CNAME", "elsewhere.org"),
    record("\\052.wild", "TXT", '"w"'),
    record("deep.empty", "A", "192.0.2.2"),
    record("sub", "NS", "ns.other.net."),
    RecordSet("lb.example.com.", "A", alias=AliasTarget("ZONE", "www.example.com.", evaluate_target_health=False)),
    RecordSet("elb.example.com.", "A", alias=AliasTarget("ZELB", "x.amazonaws.com.", evaluate_target_health=False)),
)


@pytest.mark.parametrize(
    ("name", "type_", "rcode", "values"),
    [
        ("www", "A", "NOERROR", ["192.0.2.1"]),
        ("www", "AAAA", "NOERROR", []),
        ("none", "A", "NXDOMAIN", []),
        ("alias", "A", "NOERROR", ["www.example.com.", "192.0.2.1"]),
        ("alias", "CNAME", "NOERROR", ["www.example.com."]),
        ("away", "A", "NOERROR", ["elsewhere.org"]),
        ("x.wild", "TXT", "NOERROR", ['"w"']),
        ("x.y.wild", "TXT", "NOERROR", ['"w"']),
        ("x.wild", "A", "NOERROR", []),
        ("empty", "A", "NOERROR", []),
        ("lb", "A", "NOERROR", ["192.0.2.1"]),
        ("elb", "A", "NOERROR", []),
    ],
)
def test_a_question_is_answered_from_the_zone(name: str, type_: str, rcode: str, values: list[str]) -> None:
    holder = zone("example.com.", *RECORDS)
    answer = find({"ZONE": holder}, holder, f"{name}.example.com.", type_)
    assert answer.rcode == rcode
    assert [value for found in answer.records for value in found.values] == values
    assert answer.referral is None


def test_a_delegated_name_is_referred() -> None:
    holder = zone("example.com.", *RECORDS)
    answer = find({}, holder, "x.sub.example.com.", "A")
    assert answer.referral == record("sub", "NS", "ns.other.net.")


def test_the_greatest_weight_answers() -> None:
    sets = [
        RecordSet(
            "w.example.com.", "A", 60, (f"192.0.2.{weight}",), None, str(weight), RoutingPolicy("Weight", str(weight))
        )
        for weight in (1, 9, 5)
    ]
    holder = zone("example.com.", *sets)
    assert find({}, holder, "w.example.com.", "A").records[0].values == ("192.0.2.9",)


def test_the_longest_public_match_is_asked() -> None:
    outer, inner = zone("com.", id_="ZA"), zone("example.com.", id_="ZB")
    private = zone("a.example.com.", id_="ZC")
    private.vpcs.append(Vpc("us-east-1", "vpc-1"))
    zones = {made.name: [made] for made in (outer, inner, private)}
    assert zone_for(zones, "b.a.example.com.") is inner
    assert zone_for(zones, "other.com.") is outer
    assert zone_for(zones, "other.org.") is None
