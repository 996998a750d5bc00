"""Record values as DNSEndpoints write them, turned into bodies (cases 11, 12, 15, 16, 17). Pure."""

import re

from pydantic import JsonValue

from core_controller.sources.hostnames import canonical
from libdnsapi.api.dns.bodies import RecordType
from libdnsapi.api.meta import JsonObject

_ESCAPE = re.compile(r"\\(?:([0-3][0-7]{2})|([0-9]{3})|(.))", re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_CAA = re.compile(r"(?P<flags>\d{1,3})\s+(?P<tag>[A-Za-z0-9]+)\s+(?P<value>.+)", re.DOTALL)
_MX = re.compile(r"(?P<preference>\d{1,5})\s+(?P<exchange>\S+)")


def body_of(type_: RecordType, values: tuple[str, ...]) -> JsonObject:
    """Return the body of a type. A text that has not the type's form gives a body that its checks refuse."""
    match type_:
        case RecordType.A | RecordType.AAAA:
            return {"addresses": list[JsonValue](sorted(values))}
        case RecordType.TXT:
            return {"values": list[JsonValue](dict.fromkeys(map(text_value, values)))}
        case RecordType.MX:
            return {"records": _unique(map(_mail_exchange, values))}
        case RecordType.CAA:
            return {"records": _unique(map(_authorisation, values))}
        case RecordType.NS:
            return {"nameServers": list[JsonValue](values)}
        case RecordType.CNAME:
            return {"target": values[0]}


def text_value(text: str) -> str:
    """Return a TXT's logical string: quotes and escapes taken off, quoted chunks joined; unquoted it is itself.

    Three digits are octal, as Route 53 reads them, or where they cannot be that, decimal (RFC 1035, section 5.1).
    """
    chunks = _QUOTED.findall(text)
    if not chunks or _QUOTED.sub("", text).strip():
        return text
    return _ESCAPE.sub(_unescaped, "".join(chunks))


def _unescaped(match: re.Match[str]) -> str:
    octal, decimal, plain = match.groups()
    if octal is not None:
        return chr(int(octal, 8))
    return plain if decimal is None else chr(int(decimal))


def _mail_exchange(text: str) -> JsonObject:
    found = _MX.fullmatch(text)
    if found is None:
        return {"preference": -1, "exchange": text}
    exchange = found["exchange"]
    return {"preference": int(found["preference"]), "exchange": exchange if exchange == "." else canonical(exchange)}


def _authorisation(text: str) -> JsonObject:
    found = _CAA.fullmatch(text)
    if found is None:
        return {"flags": -1, "tag": "", "value": text}
    return {"flags": int(found["flags"]), "tag": found["tag"].lower(), "value": text_value(found["value"])}


def _unique(records: "map[JsonObject]") -> list[JsonValue]:
    """Return the records, each once."""
    return list({tuple(record.items()): record for record in records}.values())
