"""Names: what is accepted, what is refused, and in which words."""

import dns.name
import pytest
from hypothesis import given
from hypothesis import strategies as st

from libdnsapi.api.dns.bodies import RecordType
from libdnsapi.dns.names import (
    domain_name_problem,
    fqdn,
    fqdn_problem,
    is_address,
    is_subdomain,
    record_name_problem,
    target_name_problem,
)

A, AAAA, TXT, CNAME, MX, CAA, NS = RecordType
LABEL_63 = "a" * 63


@pytest.mark.spec("CORE-ZN-001")
@pytest.mark.parametrize(
    "name",
    [
        "example.com",
        "xn--bcher-kva.example",
        "local",
        "1.0.10.in-addr.arpa",
        f"{LABEL_63}.example",
        "a--b.c",
        "a." * 126 + "a",
    ],
)
def test_a_canonical_domain_name_is_accepted(name: str) -> None:
    assert domain_name_problem(name) is None


@pytest.mark.spec("CORE-ZN-002", "CORE-RN-004")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "must not be empty"),
        (".", "must not be the root"),
        ("Example.COM.", "must not end with a dot: write example.com"),
        ("Example.COM", "must be lower case: write example.com"),
        ("bücher.example", "must be ASCII: write xn--bcher-kva.example"),
        ("a..b", "must not have an empty label: two dots in a row, or one at the start"),
        (".a", "must not have an empty label: two dots in a row, or one at the start"),
        ("-a.b", 'label "-a" must start and end with a letter or a digit'),
        ("a-.b", 'label "a-" must start and end with a letter or a digit'),
        ("_a.b", 'label "_a" must not have "_": underscore labels are for the names of TXT and CNAME records'),
        ("a b.c", "must not contain white space"),
        ("a$b.c", 'label "a$b" may have letters, digits and hyphens only'),
        ("https://example.com/", "must be a DNS name, not a URL"),
        (
            "192.0.2.1",
            "must be a DNS name, not an IP address; a reverse zone is named like 2.0.192.in-addr.arpa",
        ),
        (f"{LABEL_63}a.example", "must have labels of at most 63 characters, one has 64"),
        (".".join([LABEL_63] * 4), "must be at most 253 characters, this has 255"),
        ("a." * 126 + "ab", "must be at most 253 characters, this has 254"),
    ],
)
def test_a_domain_name_that_is_not_canonical_is_refused_and_the_message_says_how_to_write_it(
    name: str, message: str
) -> None:
    """Cases 5 and 7: upper case and Unicode are refused in a claim, with the right spelling in the message."""
    assert domain_name_problem(name) == message


@pytest.mark.spec("CORE-RN-001", "CORE-RN-008")
@pytest.mark.parametrize(
    ("name", "type_"),
    [
        ("@", A),
        ("@", MX),
        ("@", CNAME),
        ("*", A),
        ("*.foo", A),
        ("*._tcp", TXT),
        ("www", A),
        ("api.v1", A),
        ("_a", TXT),
        ("_a.b", TXT),
        ("_acme-challenge", TXT),
        ("_0123456789abcdef", CNAME),
        ("dev.platform", NS),
    ],
)
def test_a_record_name_of_the_grammar_is_accepted(name: str, type_: RecordType) -> None:
    """Cases 8 and 80."""
    assert record_name_problem(name, type_) is None


@pytest.mark.spec(
    "CORE-RN-001", "CORE-RN-002", "CORE-RN-003", "CORE-RN-009", "CORE-RN-010", "CORE-RN-011", "CORE-RN-013"
)
@pytest.mark.parametrize(
    ("name", "type_", "part"),
    [
        ("_", TXT, '"_" only as its first character, before a letter or a digit'),
        ("a_b", TXT, '"_" only as its first character'),
        ("foo_", TXT, '"_" only as its first character'),
        ("__a", TXT, '"_" only as its first character'),
        ("_a_b", CNAME, '"_" only as its first character'),
        ("_acme-challenge.docs", A, "underscore labels are for the names of TXT and CNAME records"),
        ("foo.*", A, 'may have "*" only as its whole first label'),
        ("*foo", A, 'may have "*" only as its whole first label'),
        ("*.*", A, 'may have "*" only as its whole first label'),
        ("*.", A, "must not be empty"),
        (r"\052", A, "must not have a backslash: names are written without escapes, a wildcard as * or *.name"),
        (r"a\.b", TXT, "must not have a backslash"),
        (r"*.a\b", A, "must not have a backslash"),
        ("@.foo", A, '"@" stands alone'),
        ("*.@", A, '"@" stands alone'),
        ("WWW", A, "must be lower case: write www"),
        ("www.", A, "must not end with a dot: write www"),
        ("", A, "must not be empty"),
        ("@", NS, "must not be @ when type is NS"),
        ("*", NS, "must not be a wildcard when type is NS"),
        ("*.foo", NS, "must not be a wildcard when type is NS"),
    ],
)
def test_a_record_name_outside_the_grammar_is_refused(name: str, type_: RecordType, part: str) -> None:
    """Cases 8, 24 and 80."""
    problem = record_name_problem(name, type_)

    assert problem is not None
    assert part in problem


@pytest.mark.spec("CORE-RB-015", "CORE-RB-016")
@pytest.mark.parametrize(
    ("name", "underscores", "part"),
    [
        ("mail.example.net", False, None),
        ("_x2.acm-validations.example", True, None),
        ("_x2.acm-validations.example", False, 'must not have "_"'),
        ("mail.example.net.", False, "must not end with a dot: write mail.example.net"),
        ("192.0.2.1", False, "not an IP address"),
        ("2001:db8::1", False, "not an IP address"),
        ("[2001:db8::1]", False, "not an IP address"),
        ("http://a.example", False, "not a URL"),
        ("a.example:8080", False, "not a URL"),
        ("*.example.net", False, "may have letters, digits and hyphens only"),
    ],
)
def test_a_target_is_a_name_and_neither_an_address_nor_a_url(name: str, underscores: bool, part: str | None) -> None:
    """Cases 8, 15 and 16: a claim writes no final dot; the message shows the name without it."""
    problem = target_name_problem(name, underscores=underscores)

    assert (problem is None) if part is None else (problem is not None and part in problem)


@pytest.mark.spec("CORE-RN-014")
@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ("@", "example.com"),
        ("*", "*.example.com"),
        ("*.foo", "*.foo.example.com"),
        ("www", "www.example.com"),
    ],
)
def test_the_full_name_is_record_name_and_domain(record: str, expected: str) -> None:
    assert fqdn(record, "example.com") == expected


@pytest.mark.spec("CORE-RN-005")
def test_an_owner_name_of_253_characters_is_accepted_and_one_of_254_refused() -> None:
    """Case 81."""
    domain = ".".join([LABEL_63, LABEL_63, LABEL_63])

    assert fqdn_problem("a" * 61, domain) is None
    assert fqdn_problem("a" * 62, domain) == "must be at most 253 characters with the zone's name, this has 254"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("example.com", True), ("a.example.com", True), ("badexample.com", False), ("com", False)],
)
def test_a_subdomain_is_told_on_whole_labels(name: str, expected: bool) -> None:
    assert is_subdomain(name, "example.com") is expected


labels = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?", fullmatch=True)
names = st.lists(labels, min_size=1, max_size=8).map(".".join).filter(lambda name: not is_address(name))


@given(names)
def test_an_accepted_name_survives_the_wire_format_unchanged(name: str) -> None:
    assert domain_name_problem(name) is None
    wire = dns.name.from_text(name).to_wire() or b""
    assert dns.name.from_wire(wire, 0)[0].to_text(omit_final_dot=True) == name


@given(st.text(max_size=80))
def test_any_text_gets_an_answer_and_an_accepted_one_is_what_dnspython_calls_canonical(text: str) -> None:
    if domain_name_problem(text) is None:
        parsed = dns.name.from_text(text)
        assert parsed.canonicalize().to_text(omit_final_dot=True) == text


@pytest.mark.parametrize("text", ["A_B.example", "\uff0e", "\u4f8b_\u3048.example", "-A", "a..", "A..b", "." * 253])
def test_a_spelling_is_offered_only_if_it_is_a_good_name_itself(text: str) -> None:
    problem = domain_name_problem(text)
    assert problem is not None
    offered = problem.partition("write ")[2]
    assert offered in {"", "it in Punycode (xn--...)"}


def test_an_address_with_a_final_dot_is_called_an_address() -> None:
    assert target_name_problem("192.0.2.1.") == "must be a DNS name, not an IP address"
