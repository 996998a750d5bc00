"""A: IPv4 addresses in dotted-quad form (RFC 1035; core seed, spec.a)."""

from collections.abc import Iterator
from ipaddress import IPv4Address

from libdnsapi.api.dns.bodies import RecordContent, RecordType
from libdnsapi.dns.names import is_address
from libdnsapi.dns.problems import Problem
from libdnsapi.dns.records.kind import repeats
from libdnsapi.dns.validations import RecordSetValidation


class A:
    """The A record type."""

    type = RecordType.A
    required_by = RecordSetValidation.REQUIRE_A_ADDRESSES

    def problems(self, content: RecordContent, disabled: frozenset[str]) -> Iterator[Problem]:
        """Yield addresses that are none, and addresses that stand twice."""
        addresses = content.a.addresses if content.a else ()
        parsed = [parse_ipv4(text) for text in addresses]
        for index, (text, address) in enumerate(zip(addresses, parsed, strict=True)):
            if address is None:
                yield Problem(f"a.addresses[{index}]", _message(text))
        yield from repeats("a.addresses", parsed)

    def values(self, content: RecordContent) -> Iterator[IPv4Address]:
        """Return the parsed addresses; what does not parse is left out."""
        return (ip for text in (content.a.addresses if content.a else ()) if (ip := parse_ipv4(text)) is not None)


def parse_ipv4(text: str) -> IPv4Address | None:
    """Read a dotted quad without leading zeros, or return None."""
    try:
        return IPv4Address(text)
    except ValueError:
        return None


def _message(text: str) -> str:
    if ":" in text and is_address(text):
        return "must be an IPv4 address: IPv6 addresses go into a RecordSet of type AAAA"
    return "must be an IPv4 address such as 192.0.2.10, without leading zeros"
