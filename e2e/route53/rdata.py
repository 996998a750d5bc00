r"""Validation of record values by type, in Route 53's own syntax. Pure.

Source: developer guide, "Supported DNS record types". Names in values use Route 53's octal escapes, so they are read by
`names`, not by dnspython (whose `\\DDD` is decimal); the rarer types are left to dnspython.
"""

import ipaddress
import re
from collections.abc import Callable, Mapping
from typing import Final

import dns.exception
import dns.rdata
import dns.rdataclass
import dns.rdatatype

from e2e.route53.errors import SyntaxProblemError
from e2e.route53.names import labels

MAX_STRING_OCTETS: Final = 255
MAX_TXT_CHARACTERS: Final = 4000

_STRING: Final = re.compile(r'"((?:\\[0-3][0-7]{2}|\\["\\]|[^"\\])*)"')
_ESCAPE: Final = re.compile(r'\\([0-3][0-7]{2}|["\\])')
_CAA: Final = re.compile(r'(\d{1,3})\s+([A-Za-z0-9]+)\s+"((?:[^"\\]|\\.)*)"')
_OCTAL: Final = re.compile(r"\\(?:([0-3][0-7]{2})|(.))")


def check_value(type_: str, value: str) -> None:
    """Check one value of a record type. Raises SyntaxProblemError in Route 53's words."""
    if not value.strip():
        raise SyntaxProblemError("EmptyValue", "Value is empty", value)
    check = _CHECKS.get(type_)
    if check is None:
        _library(type_, value)
    else:
        check(value)


def to_decimal_escapes(value: str) -> str:
    r"""Rewrite octal escapes (`\\052`) as the decimal ones of zone files (`\\042`), which dnspython reads."""
    return _OCTAL.sub(lambda m: f"\\{int(m[1], 8):03d}" if m[1] else m[0], value)


def _ipv4(value: str) -> None:
    try:
        ipaddress.IPv4Address(value)
    except ValueError:
        raise SyntaxProblemError("ARRDATAIllegalIPv4Address", "Value is not a valid IPv4 address", value) from None


def _ipv6(value: str) -> None:
    try:
        if "%" not in value:
            ipaddress.IPv6Address(value)
            return
    except ValueError:
        pass
    raise SyntaxProblemError("AAAARRDATAIllegalIPv6Address", "Value is not a valid IPv6 address", value)


def _text(value: str) -> None:
    if len(value) > MAX_TXT_CHARACTERS:
        raise SyntaxProblemError("CharacterStringTooLong", "Value is too long", value)
    rest = value.strip()
    while rest:
        match = _STRING.match(rest)
        if match is None:
            raise SyntaxProblemError("InvalidCharacterString", "Value should be enclosed in quotation marks", value)
        if not match[1].isascii():
            raise SyntaxProblemError("InvalidCharacterString", "Value has characters that must be escaped", value)
        if len(_ESCAPE.sub("x", match[1])) > MAX_STRING_OCTETS:
            raise SyntaxProblemError("CharacterStringTooLong", "Value is too long", value)
        rest = rest[match.end() :].lstrip()


def _name(value: str) -> None:
    labels(value)


def _mail_exchange(value: str) -> None:
    fields = value.split()
    if len(fields) != 2:
        raise SyntaxProblemError("MXRRDATANotTwoFields", "MX record doesn't have 2 fields", value)
    preference, exchange = fields
    if not (preference.isascii() and preference.isdigit() and int(preference) <= 0xFFFF):
        raise SyntaxProblemError("MXRRDATAIllegalPreference", "Preference is not a 16-bit number", value)
    if exchange != ".":
        labels(exchange)


def _authorization(value: str) -> None:
    match = _CAA.fullmatch(value)
    if match is None or int(match[1]) > 0xFF or not match[3].isascii():
        raise SyntaxProblemError("CAARRDATAIllegalFormat", 'CAA record is not: flags tag "value"', value)


def _service(value: str) -> None:
    fields = value.split()
    if len(fields) != 4:
        raise SyntaxProblemError("SRVRRDATANotFourFields", "SRV record doesn't have 4 fields", value)
    _library("SRV", value)


def _library(type_: str, value: str) -> None:
    """Check a value of any other type with dnspython."""
    try:
        dns.rdata.from_text(
            dns.rdataclass.IN, dns.rdatatype.from_text(type_), to_decimal_escapes(value), relativize=False
        )
    except (dns.exception.DNSException, ValueError, UnicodeError):
        raise SyntaxProblemError(f"{type_}RRDATAIllegalFormat", f"Value is not valid {type_} data", value) from None


_CHECKS: Final[Mapping[str, Callable[[str], None]]] = {
    "A": _ipv4,
    "AAAA": _ipv6,
    "CAA": _authorization,
    "CNAME": _name,
    "MX": _mail_exchange,
    "NS": _name,
    "PTR": _name,
    "SPF": _text,
    "SRV": _service,
    "TXT": _text,
}
