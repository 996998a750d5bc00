import pytest

from e2e.route53.errors import SyntaxProblemError
from e2e.route53.rdata import check_value, to_decimal_escapes


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("A", "192.0.2.1"),
        ("AAAA", "2001:db8::1"),
        ("AAAA", "2600:1901:0:26f3::"),
        ("AAAA", "::ffff:192.0.2.1"),
        ("TXT", '"v=spf1 -all"'),
        ("TXT", '""'),
        ("TXT", '"a" "b"'),
        ("TXT", '"' + "x" * 255 + '" "' + "y" * 255 + '"'),
        ("TXT", '"quote \\" backslash \\\\ octal \\303\\251"'),
        ("TXT", '"' + "\\303" * 255 + '"'),
        ("CNAME", "target.example.net"),
        ("CNAME", "_x.acm-validations.aws."),
        ("MX", "10 mail.example.com."),
        ("MX", "0 ."),
        ("CAA", '0 issue "letsencrypt.org"'),
        ("CAA", '128 issue ";"'),
        ("NS", "ns1.example.net."),
        ("PTR", "host.example.com"),
        ("SRV", "1 2 443 host.example.com."),
        ("SOA", "ns.example.com. host.example.com. 1 7200 900 1209600 86400"),
        ("DS", "12345 3 1 123456789abcdef67890123456789abcdef67890"),
        ("HTTPS", "1 . alpn=h2"),
    ],
)
def test_a_good_value_passes(type_: str, value: str) -> None:
    check_value(type_, value)


@pytest.mark.parametrize(
    ("type_", "value", "message"),
    [
        ("A", "x", "ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address) encountered with 'x'"),
        ("A", "192.0.2.01", "ARRDATAIllegalIPv4Address"),
        ("A", "2001:db8::1", "ARRDATAIllegalIPv4Address"),
        ("AAAA", "192.0.2.1", "AAAARRDATAIllegalIPv6Address"),
        ("AAAA", "fe80::1%eth0", "AAAARRDATAIllegalIPv6Address"),
        ("TXT", "unquoted", "InvalidCharacterString (Value should be enclosed in quotation marks)"),
        ("TXT", '"open', "InvalidCharacterString"),
        ("TXT", '"a" b', "InvalidCharacterString"),
        ("TXT", '"é"', "InvalidCharacterString"),
        ("TXT", '"' + "x" * 256 + '"', "CharacterStringTooLong"),
        ("TXT", " ".join(['"' + "x" * 255 + '"'] * 16), "CharacterStringTooLong"),
        ("CNAME", "a..b", "DomainLabelEmpty"),
        ("MX", "mail.example.com", "MXRRDATANotTwoFields"),
        ("MX", "70000 mail.example.com", "MXRRDATAIllegalPreference"),
        ("MX", "10 a..b", "DomainLabelEmpty"),
        ("CAA", "0 issue letsencrypt.org", "CAARRDATAIllegalFormat"),
        ("CAA", '256 issue "x"', "CAARRDATAIllegalFormat"),
        ("NS", "x" * 64, "DomainLabelTooLong"),
        ("SRV", "1 2 host.example.com", "SRVRRDATANotFourFields"),
        ("SRV", "1 2 99999 host.example.com", "SRVRRDATAIllegalFormat"),
        ("SOA", "ns.example.com. host.example.com.", "SOARRDATAIllegalFormat"),
        ("A", "", "EmptyValue"),
    ],
)
def test_a_bad_value_is_named_as_route53_names_it(type_: str, value: str, message: str) -> None:
    with pytest.raises(SyntaxProblemError) as caught:
        check_value(type_, value)
    assert f"FATAL problem: {message}" in str(caught.value)


def test_octal_escapes_become_decimal_ones() -> None:
    assert to_decimal_escapes('"\\052 \\" \\\\052"') == '"\\042 \\" \\\\052"'
