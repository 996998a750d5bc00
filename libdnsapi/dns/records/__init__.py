"""The record types behind one registry: what is wrong with a record set's content, and what it means.

A new type is a file here, a line in REGISTRY and a body in `libdnsapi.api.dns.bodies`.
"""

from collections.abc import Hashable, Iterator, Mapping

from libdnsapi.api.dns.bodies import RecordContent, RecordType
from libdnsapi.dns.names import APEX
from libdnsapi.dns.problems import Problem
from libdnsapi.dns.records.a import A
from libdnsapi.dns.records.aaaa import AAAA
from libdnsapi.dns.records.caa import CAA
from libdnsapi.dns.records.cname import CNAME
from libdnsapi.dns.records.kind import RecordKind
from libdnsapi.dns.records.mx import MX
from libdnsapi.dns.records.ns import NS
from libdnsapi.dns.records.txt import TXT
from libdnsapi.dns.validations import RecordSetValidation

_KINDS: tuple[RecordKind, ...] = (A(), AAAA(), TXT(), CNAME(), MX(), CAA(), NS())
REGISTRY: Mapping[RecordType, RecordKind] = {kind.type: kind for kind in _KINDS}


def content_problems(
    name: str, type_: RecordType, content: RecordContent, disabled: frozenset[str] = frozenset()
) -> tuple[Problem, ...]:
    """Return what is wrong with a record set's content: TTL, bodies, values, and where a CNAME may stand.

    `name` is relative to the zone and has been through `record_name_problem`; `disabled` holds the names of the
    validations that the Provider version switches off for this record set. Paths are relative to `spec`, such as
    `mx.records[1].exchange`. Source: core seed, RecordSet.
    """
    return tuple(_findings(name, REGISTRY[type_], content, disabled))


def canonical_values(type_: RecordType, content: RecordContent) -> frozenset[Hashable]:
    """Return the values of the body of this type so that equal meaning is equality; empty without such a body.

    Addresses are parsed, MX are (preference, exchange), CAA are (flags, tag, value), the others text.
    """
    return frozenset(REGISTRY[type_].values(content))


def _findings(name: str, kind: RecordKind, content: RecordContent, disabled: frozenset[str]) -> Iterator[Problem]:
    if kind.type is RecordType.CNAME and name == APEX and RecordSetValidation.FORBID_CNAME_APEX not in disabled:
        yield Problem("name", "must not be @ when type is CNAME: a CNAME cannot stand at the zone apex")
    if content.ttl is None and RecordSetValidation.REQUIRE_TTL not in disabled:
        yield Problem("ttl", "is required: seconds that resolvers may keep the answer, such as 300")
    present = content.bodies()
    for other in RecordType:
        if other in present and other is not kind.type:
            yield Problem(other.body, f"must be absent when type is {kind.type}")
    if kind.type in present:
        yield from kind.problems(content, disabled)
    elif kind.required_by is None or kind.required_by not in disabled:
        yield Problem(kind.type.body, f"is required when type is {kind.type}")
