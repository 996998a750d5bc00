"""IP addresses and CIDRs (Kubernetes IP and CIDR libraries)."""

import ipaddress

from libdnsapi.contract.cel.functions.overload import Overload, function, method
from libdnsapi.contract.cel.types import BOOL, INT, STRING
from libdnsapi.contract.cel.types import CIDR as CIDR_TYPE
from libdnsapi.contract.cel.types import IP as IP_TYPE
from libdnsapi.contract.cel.values import CelError, Cidr, Ip

_LENGTH_MAX = 64
_V4 = 4


def parse_ip(text: str) -> Ip:
    """Read an address; zones and v4-mapped addresses are refused, as Kubernetes does."""
    try:
        address = ipaddress.ip_address(text[:_LENGTH_MAX])
    except ValueError as error:
        raise CelError("the text is no IP address") from error
    if isinstance(address, ipaddress.IPv6Address) and (address.scope_id or address.ipv4_mapped):
        raise CelError("IP addresses with a zone and v4-mapped ones are not allowed")
    return Ip(address)


def parse_cidr(text: str) -> Cidr:
    """Read `address/length`; a netmask instead of a length is refused."""
    address, slash, length = text[:_LENGTH_MAX].partition("/")
    wrong = not slash or not length.isascii() or not length.isdigit() or (len(length) > 1 and length[0] == "0")
    if wrong:
        raise CelError("the text is no CIDR")
    parse_ip(address)
    try:
        return Cidr(ipaddress.ip_interface(f"{address}/{length}"))
    except ValueError as error:
        raise CelError("the text is no CIDR") from error


def _is_ip(text: str) -> bool:
    try:
        parse_ip(text)
    except CelError:
        return False
    return True


def _is_cidr(text: str) -> bool:
    try:
        parse_cidr(text)
    except CelError:
        return False
    return True


def _is_canonical(text: str) -> bool:
    return str(parse_ip(text).address) == text


def _family(ip: Ip) -> int:
    return ip.address.version


def _is_unspecified(ip: Ip) -> bool:
    return ip.address.is_unspecified


def _is_loopback(ip: Ip) -> bool:
    return ip.address.is_loopback


def _is_link_local_multicast(ip: Ip) -> bool:
    """Whether the address is in 224.0.0.0/24 or ff02::/16 (any flags)."""
    packed = ip.address.packed
    if ip.address.version == _V4:
        return packed[:3] == b"\xe0\x00\x00"
    return packed[0] == 0xFF and packed[1] & 0x0F == 0x02  # noqa: PLR2004 — RFC 4291: multicast, link-local scope


def _is_link_local_unicast(ip: Ip) -> bool:
    return ip.address.is_link_local


def _is_global_unicast(ip: Ip) -> bool:
    """Whether the address is none of the special ones; private addresses count as global, as in Go's netip."""
    address = ip.address
    broadcast = address.version == _V4 and address.packed == b"\xff\xff\xff\xff"
    special = address.is_unspecified or address.is_loopback or address.is_multicast or address.is_link_local
    return not (special or broadcast)


def _contains_ip(cidr: Cidr, ip: Ip) -> bool:
    return ip.address in cidr.interface.network


def _contains_ip_text(cidr: Cidr, text: str) -> bool:
    return _contains_ip(cidr, parse_ip(text))


def _contains_cidr(cidr: Cidr, other: Cidr) -> bool:
    outer, inner = cidr.interface.network, other.interface.network
    if isinstance(outer, ipaddress.IPv4Network) and isinstance(inner, ipaddress.IPv4Network):
        return inner.subnet_of(outer)
    if isinstance(outer, ipaddress.IPv6Network) and isinstance(inner, ipaddress.IPv6Network):
        return inner.subnet_of(outer)
    return False


def _contains_cidr_text(cidr: Cidr, text: str) -> bool:
    return _contains_cidr(cidr, parse_cidr(text))


def _ip_of(cidr: Cidr) -> Ip:
    return Ip(cidr.interface.ip)


def _masked(cidr: Cidr) -> Cidr:
    return Cidr(ipaddress.ip_interface(str(cidr.interface.network)))


def _prefix_length(cidr: Cidr) -> int:
    return cidr.interface.network.prefixlen


def _ip_text(ip: Ip) -> str:
    return str(ip.address)


def _cidr_text(cidr: Cidr) -> str:
    return str(cidr.interface)


OVERLOADS: tuple[Overload, ...] = (
    function("ip", (STRING,), IP_TYPE, parse_ip),
    function("isIP", (STRING,), BOOL, _is_ip),
    function("ip.isCanonical", (STRING,), BOOL, _is_canonical),
    function("string", (IP_TYPE,), STRING, _ip_text),
    method("family", (IP_TYPE,), INT, _family),
    method("isUnspecified", (IP_TYPE,), BOOL, _is_unspecified),
    method("isLoopback", (IP_TYPE,), BOOL, _is_loopback),
    method("isLinkLocalMulticast", (IP_TYPE,), BOOL, _is_link_local_multicast),
    method("isLinkLocalUnicast", (IP_TYPE,), BOOL, _is_link_local_unicast),
    method("isGlobalUnicast", (IP_TYPE,), BOOL, _is_global_unicast),
    function("cidr", (STRING,), CIDR_TYPE, parse_cidr),
    function("isCIDR", (STRING,), BOOL, _is_cidr),
    function("string", (CIDR_TYPE,), STRING, _cidr_text),
    method("containsIP", (CIDR_TYPE, STRING), BOOL, _contains_ip_text),
    method("containsIP", (CIDR_TYPE, IP_TYPE), BOOL, _contains_ip),
    method("containsCIDR", (CIDR_TYPE, STRING), BOOL, _contains_cidr_text),
    method("containsCIDR", (CIDR_TYPE, CIDR_TYPE), BOOL, _contains_cidr),
    method("ip", (CIDR_TYPE,), IP_TYPE, _ip_of),
    method("masked", (CIDR_TYPE,), CIDR_TYPE, _masked),
    method("prefixLength", (CIDR_TYPE,), INT, _prefix_length),
)
