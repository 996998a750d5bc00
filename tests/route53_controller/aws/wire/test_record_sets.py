"""Ledger items written for Route 53 and recognised again however Route 53 spells them."""

import ipaddress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdnsapi.api.dns.zoneunit import RecordSetItem
from route53_controller.aws import wire
from route53_controller.aws.api import AliasRecord, RecordKey, ResourceRecordSet

DOMAIN = "example.com"
PRINTABLE = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=1, max_size=700)


def item(type_: str, *, name: str = "www", ttl: int | None = 300, **body: object) -> RecordSetItem:
    return RecordSetItem.model_validate(
        {"recordSetNamespace": "ns", "recordSetName": "r", "name": name, "type": type_, "ttl": ttl, **body}
    )


def alias(
    dns_name: str = "lb-1.us-east-1.elb.amazonaws.com.", zone: str = "ZAAA", health: bool = True
) -> RecordSetItem:
    target = {"dnsName": dns_name, "hostedZoneID": zone, "evaluateTargetHealth": health}
    return item("A", ttl=None, options={"alias": target})


def observed(type_: str, *values: str, name: str = "www.example.com", ttl: int = 300) -> ResourceRecordSet:
    return ResourceRecordSet(RecordKey(name, type_), ttl, values)


def agree(wanted: RecordSetItem, seen: ResourceRecordSet) -> bool:
    desired = wire.desired_record_set(wanted, DOMAIN)
    same = wire.matches(desired, seen)
    assert same == (wire.digest(desired) == wire.digest(seen))
    return same


CAA = [{"flags": 0, "tag": "issue", "value": "letsencrypt.org"}, {"flags": 128, "tag": "iodef", "value": 'a"b'}]


@pytest.mark.spec("R53-RS-001", "R53-RS-003", "R53-RS-006", "R53-RS-008", "R53-RS-009", "R53-RS-011")
@pytest.mark.parametrize(
    ("wanted", "values"),
    [
        (item("A", a={"addresses": ["192.0.2.1"]}), ("192.0.2.1",)),
        (item("TXT", txt={"values": ["hello world"]}), ('"hello world"',)),
        (item("TXT", txt={"values": ['a""b', "C:\\x"]}), ('"a\\"\\"b"', '"C:\\\\x"')),
        (item("TXT", txt={"values": ["x" * 255]}), ('"' + "x" * 255 + '"',)),
        (item("TXT", txt={"values": ["x" * 256]}), ('"' + "x" * 255 + '" "x"',)),
        (item("CNAME", cname={"target": "x.example.net"}), ("x.example.net.",)),
        (item("MX", mx={"records": [{"preference": 10, "exchange": "mail.example.com"}]}), ("10 mail.example.com.",)),
        (item("MX", mx={"records": [{"preference": 0, "exchange": "."}]}), ("0 .",)),
        (item("CAA", caa={"records": CAA}), ('0 issue "letsencrypt.org"', '128 iodef "a\\"b"')),
        (item("NS", ns={"nameServers": ["ns1.example.net"]}), ("ns1.example.net.",)),
    ],
)
def test_values_are_written_in_route_53s_syntax(wanted: RecordSetItem, values: tuple[str, ...]) -> None:
    """Cases 9, 11, 12, 15, 16 and 17."""
    assert wire.desired_record_set(wanted, DOMAIN).values == values
    assert agree(wanted, observed(wanted.type, *values))


@pytest.mark.spec("R53-RS-002", "R53-RS-004", "R53-RS-006", "R53-RS-008", "R53-RS-009", "R53-RS-011")
@pytest.mark.parametrize(
    ("wanted", "seen"),
    [
        (item("AAAA", aaaa={"addresses": ["2001:db8::10"]}), observed("AAAA", "2001:0db8:0000::0010")),
        (item("TXT", txt={"values": ["ab", "c"]}), observed("TXT", '"c"', '"a" "b"')),
        (item("TXT", txt={"values": ["a*b"]}), observed("TXT", '"a\\052b"')),
        (item("CNAME", cname={"target": "x.example.net"}), observed("CNAME", "X.Example.net")),
        (item("CNAME", cname={"target": "*.example.net"}), observed("CNAME", "\\052.example.net.")),
        (
            item(
                "MX", mx={"records": [{"preference": 5, "exchange": "b.net"}, {"preference": 1, "exchange": "a.net"}]}
            ),
            observed("MX", "1 a.net", "5 B.net."),
        ),
        (item("CAA", caa={"records": CAA[:1]}), observed("CAA", "0 ISSUE letsencrypt.org")),
        (item("NS", ns={"nameServers": ["b.net", "a.net"]}), observed("NS", "a.net.", "b.net.")),
    ],
)
def test_spelling_alone_is_no_drift(wanted: RecordSetItem, seen: ResourceRecordSet) -> None:
    """Cases 3, 12 and 15."""
    assert agree(wanted, seen)


@pytest.mark.spec("R53-RS-007", "R53-RS-010")
@pytest.mark.parametrize(
    ("wanted", "seen"),
    [
        (item("A", a={"addresses": ["192.0.2.1"]}), observed("A", "192.0.2.1", ttl=60)),
        (item("A", a={"addresses": ["192.0.2.1"]}), observed("A", "192.0.2.1", "192.0.2.2")),
        (item("A", a={"addresses": ["192.0.2.1"]}), observed("A", "no address")),
        (item("CNAME", cname={"target": "x.net"}), observed("CNAME", "x.net.", "y.net.")),
        (item("CNAME", cname={"target": "x.net"}), observed("CNAME")),
        (item("MX", mx={"records": [{"preference": 1, "exchange": "a.net"}]}), observed("MX", "a.net.")),
        (item("MX", mx={"records": [{"preference": 1, "exchange": "a.net"}]}), observed("MX", "one a.net.")),
        (item("CAA", caa={"records": CAA[:1]}), observed("CAA", "0 issue")),
        (item("TXT", txt={"values": ["a"]}), observed("TXT", '"a')),
        (alias(), observed("A", "192.0.2.1")),
        (item("A", a={"addresses": ["192.0.2.1"]}), replace(observed("A", "192.0.2.1"), routing=(("Weight", "1"),))),
        (item("A", name="a", a={"addresses": ["192.0.2.1"]}), observed("A", "192.0.2.1")),
    ],
)
def test_another_meaning_or_an_unreadable_value_is_drift(wanted: RecordSetItem, seen: ResourceRecordSet) -> None:
    assert not agree(wanted, seen)


@pytest.mark.spec("R53-RS-015")
@pytest.mark.parametrize(
    ("target", "same"),
    [
        (AliasRecord("lb-1.us-east-1.elb.amazonaws.com", "ZAAA", evaluate_target_health=True), True),
        (AliasRecord("LB-1.us-east-1.elb.amazonaws.com.", "/hostedzone/ZAAA", evaluate_target_health=True), True),
        (AliasRecord("lb-1.us-east-1.elb.amazonaws.com", "ZAAA", evaluate_target_health=False), False),
        (AliasRecord("lb-2.us-east-1.elb.amazonaws.com", "ZAAA", evaluate_target_health=True), False),
        (AliasRecord("lb-1.us-east-1.elb.amazonaws.com", "ZBBB", evaluate_target_health=True), False),
    ],
)
def test_alias_targets_are_compared_by_meaning(target: AliasRecord, same: bool) -> None:
    """Cases 3, 4 and 21."""
    assert agree(alias(), ResourceRecordSet(RecordKey("www.example.com", "A"), None, alias=target)) is same


@pytest.mark.spec("R53-RS-014")
def test_an_alias_is_written_without_ttl_and_values() -> None:
    """Cases 21 and 34."""
    desired = wire.desired_record_set(alias(), DOMAIN)
    assert (desired.ttl, desired.values) == (None, ())


@pytest.mark.spec("R53-RS-005", "R53-RS-018")
@pytest.mark.parametrize(
    ("wanted", "part"),
    [
        (item("TXT", txt={"values": ["tab\there"]}), "printable"),
        (item("TXT", txt={"values": ["bücher"]}), "printable"),
        (item("TXT", txt={"values": ["x" * 3999]}), "characters with its quotes"),
        (item("TXT", txt={"values": ["y" * 3000 + str(n) for n in range(6)]}), "15000"),
        (item("A", ttl=None, a={"addresses": ["192.0.2.1"]}), "TTL"),
        (item("A", options={"alias": {"dnsName": "x."}}), "options"),
    ],
)
def test_what_route_53_cannot_hold_is_refused_by_name(wanted: RecordSetItem, part: str) -> None:
    """Case 73."""
    with pytest.raises(wire.UnwritableError, match=part):
        wire.desired_record_set(wanted, DOMAIN)


@pytest.mark.spec("R53-RS-018")
def test_too_many_values_are_a_size_problem() -> None:
    """Cases 26 and 73."""
    values = tuple(str(ipaddress.IPv4Address(n)) for n in range(401))
    assert "at most 400" in (wire.size_problem(observed("A", *values)) or "")
    assert wire.size_problem(observed("A", *values[:400])) is None


@pytest.mark.spec("R53-RS-003")
@given(st.lists(PRINTABLE, min_size=1, max_size=5, unique=True))
def test_texts_survive_the_round_trip(texts: list[str]) -> None:
    wanted = item("TXT", txt={"values": texts})
    desired = wire.desired_record_set(wanted, DOMAIN)
    assert agree(wanted, observed("TXT", *reversed(desired.values)))
    assert not agree(wanted, observed("TXT", *desired.values, '"one more than before"'))


@pytest.mark.spec("R53-RS-002")
@given(st.lists(st.ip_addresses(v=6), min_size=1, max_size=5, unique=True))
def test_addresses_are_compared_as_addresses(addresses: list[ipaddress.IPv6Address]) -> None:
    wanted = item("AAAA", aaaa={"addresses": [str(address) for address in addresses]})
    assert agree(wanted, observed("AAAA", *(address.exploded for address in addresses)))


@pytest.mark.spec("R53-RS-010")
@given(
    st.sampled_from(["A", "AAAA", "TXT", "CNAME", "MX", "CAA", "NS", "SRV"]), st.lists(st.text(max_size=40), max_size=4)
)
def test_no_observed_value_makes_reading_fail(type_: str, values: list[str]) -> None:
    seen = observed(type_, *values)
    desired = replace(wire.desired_record_set(item("A", a={"addresses": ["192.0.2.1"]}), DOMAIN), key=seen.key)
    assert isinstance(wire.matches(desired, seen), bool)
    assert len(wire.digest(seen)) == 16
