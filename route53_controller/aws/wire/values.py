"""The values of each record type: written for Route 53, and read back for comparison.

Adding a record type is one `ValueKind` in the table below.
"""

import ipaddress
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from libdnsapi.api.dns.bodies import RecordContent, RecordType
from route53_controller.aws.wire import strings
from route53_controller.aws.wire.names import name_from_wire, name_to_wire

TXT_VALUE_LIMIT = 4000
_UINT16_MAX = 65535
_UINT8_MAX = 255
_PRINTABLE = frozenset(map(chr, range(0x20, 0x7F)))


@dataclass(frozen=True, slots=True)
class ValueKind:
    """How one type is written and read.

    `write` gives the values of an item's body (none without a body). `read` gives what a value means and raises
    ValueError where it means nothing.
    """

    write: Callable[[RecordContent], Iterable[str]]
    read: Callable[[str], Hashable]


def _write_a(content: RecordContent) -> Iterable[str]:
    return content.a.addresses if content.a else ()


def _write_aaaa(content: RecordContent) -> Iterable[str]:
    return content.aaaa.addresses if content.aaaa else ()


def _write_txt(content: RecordContent) -> Iterable[str]:
    return map(strings.quoted_chunks, content.txt.values) if content.txt else ()


def _write_cname(content: RecordContent) -> Iterable[str]:
    return (name_to_wire(content.cname.target),) if content.cname else ()


def _write_mx(content: RecordContent) -> Iterable[str]:
    records = content.mx.records if content.mx else ()
    return (f"{mx.preference} {'.' if mx.exchange == '.' else name_to_wire(mx.exchange)}" for mx in records)


def _write_caa(content: RecordContent) -> Iterable[str]:
    records = content.caa.records if content.caa else ()
    return (f"{caa.flags} {caa.tag} {strings.quoted(caa.value)}" for caa in records)


def _write_ns(content: RecordContent) -> Iterable[str]:
    return map(name_to_wire, content.ns.name_servers) if content.ns else ()


def _read_txt(value: str) -> Hashable:
    found = strings.read_strings(value)
    if found is None:
        raise ValueError("not quoted strings")
    return "".join(found)


def _read_name(value: str) -> Hashable:
    name = value.strip()
    if not name or any(char.isspace() for char in name):
        raise ValueError("not a name")
    return "." if name == "." else name_from_wire(name.lower())


def _read_mx(value: str) -> Hashable:
    preference, exchange = value.split()
    return _number(preference, _UINT16_MAX), _read_name(exchange)


def _read_caa(value: str) -> Hashable:
    flags, tag, quoted_value = value.split(maxsplit=2)
    found = strings.read_strings(quoted_value)
    if found is None or len(found) != 1:
        raise ValueError("not one quoted string")
    return _number(flags, _UINT8_MAX), tag.lower(), found[0]


def _number(text: str, limit: int) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) > limit:
        raise ValueError("not a number in range")
    return int(text)


KINDS: Mapping[str, ValueKind] = MappingProxyType(
    {
        RecordType.A.value: ValueKind(_write_a, ipaddress.IPv4Address),
        RecordType.AAAA.value: ValueKind(_write_aaaa, ipaddress.IPv6Address),
        RecordType.TXT.value: ValueKind(_write_txt, _read_txt),
        RecordType.CNAME.value: ValueKind(_write_cname, _read_name),
        RecordType.MX.value: ValueKind(_write_mx, _read_mx),
        RecordType.CAA.value: ValueKind(_write_caa, _read_caa),
        RecordType.NS.value: ValueKind(_write_ns, _read_name),
    }
)


def read_values(type_: str, values: Sequence[str]) -> frozenset[Hashable] | None:
    """Return what the values mean as a set; None where the type is not ours or some value cannot be read.

    A CNAME has exactly one value (provider seed), so one that is there twice means nothing either.
    """
    kind = KINDS.get(type_)
    if kind is None or (type_ == RecordType.CNAME and len(values) != 1):
        return None
    try:
        return frozenset(map(kind.read, values))
    except ValueError:
        return None


def text_problem(content: RecordContent) -> str | None:
    """Return what keeps TXT and CAA texts from being written, None if nothing does.

    Printable ASCII only (the provider seed's defensive check), and 4,000 characters a value with its quotes.
    """
    texts = [
        *(content.txt.values if content.txt else ()),
        *(r.value for r in (content.caa.records if content.caa else ())),
    ]
    if any(not _PRINTABLE.issuperset(text) for text in texts):
        return "only printable ASCII characters can be written to Route 53"
    longest = max((len(value) for value in _write_txt(content)), default=0)
    if longest > TXT_VALUE_LIMIT:
        return f"a TXT value takes {longest} characters with its quotes; Route 53 allows {TXT_VALUE_LIMIT}"
    return None
