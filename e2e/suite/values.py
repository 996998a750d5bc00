"""Compare what a RecordSet asks for with what Route 53 returns, by their meaning as DNS records (dnspython)."""

from collections.abc import Iterable

import dns.rdata
import dns.rdataclass
import dns.rdatatype
from dns.rdtypes.txtbase import TXTBase

from e2e.kube import Document
from e2e.route53_records import RecordSetAnswer

_TXT_STRING = 255


def asked(spec: Document) -> frozenset[str]:
    """Return the canonical values of a RecordSet's body."""
    match spec["type"]:
        case "A":
            texts = spec["a"]["addresses"]
        case "AAAA":
            texts = spec["aaaa"]["addresses"]
        case "CNAME":
            texts = [_absolute(spec["cname"]["target"])]
        case "NS":
            texts = [_absolute(one) for one in spec["ns"]["nameServers"]]
        case "MX":
            texts = [f"{one['preference']} {_absolute(one['exchange'])}" for one in spec["mx"]["records"]]
        case "CAA":
            texts = [f'{one["flags"]} {one["tag"]} "{one["value"]}"' for one in spec["caa"]["records"]]
        case "TXT":
            return frozenset(spec["txt"]["values"])
        case unknown:
            raise AssertionError(f"unknown type {unknown}")
    return _canonical(spec["type"], texts)


def answered(answer: RecordSetAnswer) -> frozenset[str]:
    """Return the canonical values of what Route 53 returned."""
    if answer.type == "TXT":
        return frozenset(_joined(value) for value in answer.values)
    return _canonical(answer.type, answer.values)


def _canonical(kind: str, texts: Iterable[str]) -> frozenset[str]:
    type_ = dns.rdatatype.from_text(kind)
    return frozenset(dns.rdata.from_text(dns.rdataclass.IN, type_, text).to_text().lower() for text in texts)


def _joined(value: str) -> str:
    """One TXT value: its quoted strings put together again."""
    rdata = dns.rdata.from_text(dns.rdataclass.IN, dns.rdatatype.TXT, value)
    assert isinstance(rdata, TXTBase)
    return b"".join(rdata.strings).decode("ascii")


def _absolute(name: str) -> str:
    return name if name.endswith(".") else f"{name}."
