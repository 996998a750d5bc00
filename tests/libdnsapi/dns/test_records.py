"""The seven record types: bodies, values, and what may be switched off."""

from ipaddress import IPv6Address
from typing import Any

import dns.rdata
import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdnsapi.api.dns.bodies import RecordContent, RecordType
from libdnsapi.dns.records import REGISTRY, canonical_values, content_problems

A, AAAA, TXT, CNAME, MX, CAA, NS = RecordType
NULL_MX = {"preference": 0, "exchange": "."}


def content(ttl: int | None = 300, **bodies: object) -> RecordContent:
    return RecordContent.model_validate({"ttl": ttl, **bodies})


def mx(*records: tuple[int, str]) -> dict[str, Any]:
    return {"records": [{"preference": p, "exchange": e} for p, e in records]}


def caa(*records: tuple[int, str, str]) -> dict[str, Any]:
    return {"records": [{"flags": f, "tag": t, "value": v} for f, t, v in records]}


def test_every_type_has_its_kind() -> None:
    assert set(REGISTRY) == set(RecordType)


@pytest.mark.spec("CORE-RB-021", "CORE-RB-023", "CORE-RB-025", "CORE-RB-028", "CORE-RB-030")
@pytest.mark.parametrize(
    ("type_", "bodies"),
    [
        (A, {"a": {"addresses": ["192.0.2.10", "192.0.2.11"]}}),
        (AAAA, {"aaaa": {"addresses": ["2001:db8::10", "2001:db8::", "::1"]}}),
        (TXT, {"txt": {"values": ["a b", 'say "hi"', "C:\\x", "~" * 4000]}}),
        (CNAME, {"cname": {"target": "_x2.acm-validations.example"}}),
        (MX, {"mx": mx((10, "a.example"), (10, "b.example"), (20, "a.example"))}),
        (MX, {"mx": mx((0, "."))}),
        (CAA, {"caa": caa((0, "issue", "letsencrypt.org"), (0, "issuewild", ";"), (128, "wildissue", "x"))}),
        (CAA, {"caa": caa((0, "issue", "a.example"), (0, "issue", "b.example"), (128, "issue", "a.example"))}),
        (NS, {"ns": {"nameServers": ["ns-1.example.net", "ns-2.example.net"]}}),
    ],
)
def test_good_content_has_no_problems(type_: RecordType, bodies: dict[str, Any]) -> None:
    """Cases 16 and 17: a null MX alone, CAA flags and open tags."""
    assert content_problems("www", type_, content(**bodies)) == ()


@pytest.mark.spec(
    "CORE-RB-005",
    "CORE-RB-007",
    "CORE-RB-008",
    "CORE-RB-011",
    "CORE-RB-012",
    "CORE-RB-014",
    "CORE-RB-015",
    "CORE-RB-020",
    "CORE-RB-021",
    "CORE-RB-023",
    "CORE-RB-027",
    "CORE-RB-029",
)
@pytest.mark.parametrize(
    ("type_", "bodies", "expected"),
    [
        (A, {"a": {"addresses": ["192.0.2.010"]}}, "a.addresses[0]: must be an IPv4 address such as 192.0.2.10"),
        (A, {"a": {"addresses": ["[192.0.2.1]"]}}, "a.addresses[0]: must be an IPv4 address such as 192.0.2.10"),
        (A, {"a": {"addresses": ["2001:db8::1"]}}, "a.addresses[0]: must be an IPv4 address: IPv6 addresses go into"),
        (A, {"a": {"addresses": ["192.0.2.1", "192.0.2.1"]}}, "a.addresses[1]: repeats entry [0] of this list"),
        (AAAA, {"aaaa": {"addresses": ["fe80::1%eth0"]}}, "aaaa.addresses[0]: must not have a scope id: write fe80::1"),
        (AAAA, {"aaaa": {"addresses": ["[::1]"]}}, "aaaa.addresses[0]: must not have brackets: write ::1"),
        (AAAA, {"aaaa": {"addresses": ["[::1"]}}, "aaaa.addresses[0]: must not have brackets: write ::1"),
        (AAAA, {"aaaa": {"addresses": ["[fe80::1%e]"]}}, "aaaa.addresses[0]: must not have a scope id: write fe80::1"),
        (AAAA, {"aaaa": {"addresses": ["[192.0.2.1]"]}}, "aaaa.addresses[0]: must be an IPv6 address: IPv4 addresses"),
        (AAAA, {"aaaa": {"addresses": ["::ffff:192.0.2.1"]}}, "aaaa.addresses[0]: must be an IPv6 address: IPv4"),
        (AAAA, {"aaaa": {"addresses": ["192.0.2.1"]}}, "aaaa.addresses[0]: must be an IPv6 address: IPv4 addresses"),
        (AAAA, {"aaaa": {"addresses": ["fe80::x"]}}, "aaaa.addresses[0]: must be an IPv6 address such as"),
        (
            AAAA,
            {"aaaa": {"addresses": ["2001:db8::10", "2001:0db8:0000::0010"]}},
            "aaaa.addresses[1]: repeats entry [0] of this list",
        ),
        (TXT, {"txt": {"values": ["a\tb"]}}, r"txt.values[0]: must be printable ASCII: character 2 is '\t'"),
        (TXT, {"txt": {"values": ["caf\u00e9"]}}, r"txt.values[0]: must be printable ASCII: character 4 is '\xe9'"),
        (TXT, {"txt": {"values": ["\u00e9" * 2001]}}, "txt.values[0]: must be 1 to 4000 octets long, this has 4002"),
        (TXT, {"txt": {"values": ["x", "y", "x"]}}, "txt.values[2]: repeats entry [0] of this list"),
        (CNAME, {"cname": {"target": "A.example"}}, "cname.target: must be lower case: write a.example"),
        (CNAME, {"cname": {"target": "192.0.2.1"}}, "cname.target: must be a DNS name, not an IP address"),
        (MX, {"mx": mx((10, "."))}, 'mx.records[0].exchange: may be "." only with preference 0'),
        (MX, {"mx": mx((0, "."), (10, "a.example"))}, 'mx.records[0].exchange: may be "." only in the one and only'),
        (MX, {"mx": mx((10, "a.example"), (10, "a.example"))}, "mx.records[1]: repeats entry [0] of this list"),
        (MX, {"mx": mx((10, "a.example"), (5, "b.example."))}, "mx.records[1].exchange: must not end with a dot"),
        (CAA, {"caa": caa((0, "issue", "x"), (0, "issue", "x"))}, "caa.records[1]: repeats entry [0] of this list"),
        (NS, {"ns": {"nameServers": ["ns.example.", "ns.example"]}}, "ns.nameServers[0]: must not end with a dot"),
        (
            NS,
            {"ns": {"nameServers": ["ns.example", "ns.example"]}},
            "ns.nameServers[1]: repeats entry [0] of this list",
        ),
    ],
)
def test_a_bad_value_is_named_with_its_place(type_: RecordType, bodies: dict[str, Any], expected: str) -> None:
    """Cases 9, 16, 17 and 82."""
    found = [str(p) for p in content_problems("www", type_, content(**bodies))]

    assert len(found) == 1
    assert found[0].startswith(expected)


@pytest.mark.spec("CORE-RB-003")
@pytest.mark.parametrize("type_", list(RecordType))
def test_the_body_of_the_type_and_a_ttl_are_required(type_: RecordType) -> None:
    found = {p.path for p in content_problems("www", type_, content(ttl=None))}

    assert found == {"ttl", type_.body}


@pytest.mark.spec("CORE-RB-004")
@pytest.mark.parametrize(
    ("type_", "validation"),
    [(A, "require-a-addresses"), (AAAA, "require-aaaa-addresses"), (TXT, "require-txt-values")],
)
def test_a_provider_may_switch_off_the_required_body_and_the_ttl(type_: RecordType, validation: str) -> None:
    disabled = frozenset({validation, "require-ttl"})

    assert content_problems("@", type_, content(ttl=None), disabled) == ()


@pytest.mark.spec("CORE-RB-001")
@pytest.mark.parametrize("type_", list(RecordType))
def test_bodies_of_other_types_are_forbidden(type_: RecordType) -> None:
    every = content(
        a={"addresses": ["192.0.2.1"]},
        aaaa={"addresses": ["2001:db8::1"]},
        txt={"values": ["x"]},
        cname={"target": "a.example"},
        mx=mx((1, "a.example")),
        caa=caa((0, "issue", "x")),
        ns={"nameServers": ["ns.example"]},
    )

    found = content_problems("www", type_, every)

    assert {p.path for p in found} == {t.body for t in RecordType if t is not type_}
    assert all(p.message == f"must be absent when type is {type_}" for p in found)


@pytest.mark.spec("CORE-RB-017")
def test_a_cname_at_the_apex_is_refused_unless_the_provider_allows_it() -> None:
    """Case 24."""
    target = content(cname={"target": "a.example"})

    assert [p.path for p in content_problems("@", CNAME, target)] == ["name"]
    assert content_problems("@", CNAME, target, frozenset({"forbid-cname-apex"})) == ()


@pytest.mark.spec("CORE-RB-014")
def test_unprintable_txt_is_accepted_where_the_provider_allows_it() -> None:
    value = content(txt={"values": ["caf\u00e9"]})

    assert content_problems("www", TXT, value, frozenset({"forbid-txt-non-printable-ascii"})) == ()


@pytest.mark.spec("CORE-RB-009", "CORE-RB-031")
@pytest.mark.parametrize(
    ("type_", "left", "right"),
    [
        (AAAA, {"aaaa": {"addresses": ["2001:db8::10"]}}, {"aaaa": {"addresses": ["2001:0db8:0:0::0010"]}}),
        (A, {"a": {"addresses": ["192.0.2.1", "192.0.2.2"]}}, {"a": {"addresses": ["192.0.2.2", "192.0.2.1"]}}),
        (MX, {"mx": mx((1, "a.b"), (2, "c.d"))}, {"mx": mx((2, "c.d"), (1, "a.b"))}),
        (CAA, {"caa": caa((0, "issue", "x"))}, {"caa": caa((0, "issue", "x"))}),
    ],
)
def test_values_of_equal_meaning_are_equal(type_: RecordType, left: dict[str, Any], right: dict[str, Any]) -> None:
    assert canonical_values(type_, content(**left)) == canonical_values(type_, content(**right))


@pytest.mark.spec("CORE-RB-013")
@pytest.mark.parametrize(
    ("type_", "left", "right"),
    [
        (TXT, {"txt": {"values": ["a"]}}, {"txt": {"values": ["A"]}}),
        (CAA, {"caa": caa((0, "issue", "x"))}, {"caa": caa((128, "issue", "x"))}),
        (CAA, {"caa": caa((0, "issue", "x"))}, {"caa": caa((0, "issue", "y"))}),
        (CAA, {"caa": caa((0, "issue", "x"))}, {"caa": caa((0, "iodef", "x"))}),
    ],
)
def test_values_of_other_meaning_differ(type_: RecordType, left: dict[str, Any], right: dict[str, Any]) -> None:
    assert canonical_values(type_, content(**left)) != canonical_values(type_, content(**right))


@pytest.mark.spec("CORE-RB-009")
@given(st.integers(0, 2**128 - 1).map(IPv6Address).filter(lambda ip: ip.ipv4_mapped is None))
def test_every_spelling_of_an_ipv6_address_means_what_dnspython_reads(address: IPv6Address) -> None:
    spellings = [str(address), address.exploded]
    wire = {dns.rdata.from_text("IN", "AAAA", text).to_text() for text in spellings}

    assert all(content_problems("www", AAAA, content(aaaa={"addresses": [text]})) == () for text in spellings)
    assert {IPv6Address(text) for text in wire} == {address}
    assert {v for t in spellings for v in canonical_values(AAAA, content(aaaa={"addresses": [t]}))} == {address}


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=255))
def test_every_accepted_txt_string_round_trips_through_dnspython(value: str) -> None:
    assert content_problems("www", TXT, content(txt={"values": [value]})) == ()

    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    rdata = dns.rdata.from_text("IN", "TXT", f'"{escaped}"')
    assert b"".join(getattr(rdata, "strings", ())).decode() == value


labels = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?", fullmatch=True)


@given(st.integers(0, 65535), st.lists(labels, min_size=1, max_size=5).map(".".join))
def test_every_accepted_mx_round_trips_through_dnspython(preference: int, exchange: str) -> None:
    body = content(mx=mx((preference, exchange)))
    if content_problems("@", MX, body):
        return
    rdata = dns.rdata.from_text("IN", "MX", f"{preference} {exchange}.")

    assert canonical_values(MX, body) == {(preference, exchange)}
    assert rdata.to_text() == f"{preference} {exchange}."
