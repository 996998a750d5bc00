"""AAAA: IPv6 addresses, compared as addresses and never as text (RFC 3596; core seed, spec.aaaa)."""

from collections.abc import Iterator
from ipaddress import IPv6Address

from libdnsapi.api.dns.bodies import RecordContent, RecordType
from libdnsapi.dns.names import is_address
from libdnsapi.dns.problems import Problem
from libdnsapi.dns.records.kind import repeats
from libdnsapi.dns.validations import RecordSetValidation


class AAAA:
    """The AAAA record type."""

    type = RecordType.AAAA
    required_by = RecordSetValidation.REQUIRE_AAAA_ADDRESSES

    def problems(self, content: RecordContent, disabled: frozenset[str]) -> Iterator[Problem]:
        """Yield addresses that are none, scoped or v4-mapped ones, and addresses that stand twice."""
        addresses = content.aaaa.addresses if content.aaaa else ()
        parsed = [parse_ipv6(text) for text in addresses]
        for index, (text, address) in enumerate(zip(addresses, parsed, strict=True)):
            if address is None:
                yield Problem(f"aaaa.addresses[{index}]", _message(text))
        yield from repeats("aaaa.addresses", parsed)

    def values(self, content: RecordContent) -> Iterator[IPv6Address]:
        """Return the parsed addresses; what does not parse is left out."""
        addresses = content.aaaa.addresses if content.aaaa else ()
        return (ip for text in addresses if (ip := parse_ipv6(text)) is not None)


def parse_ipv6(text: str) -> IPv6Address | None:
    """Read an IPv6 address that a AAAA record may hold, or return None."""
    try:
        address = IPv6Address(text)
    except ValueError:
        return None
    # A scope id means something on one host only; a v4-mapped address is an IPv4 address in disguise.
    return None if address.scope_id is not None or address.ipv4_mapped is not None else address


def _message(text: str) -> str:
    bare = text.removeprefix("[").removesuffix("]")
    if bare != text and parse_ipv6(bare) is not None:
        return f"must not have brackets: write {bare}"
    if not is_address(text):
        return "must be an IPv6 address such as 2001:db8::10"
    if "%" in text:
        return f"must not have a scope id: write {bare.partition('%')[0]}"
    return "must be an IPv6 address: IPv4 addresses, v4-mapped ones too, go into a RecordSet of type A"
