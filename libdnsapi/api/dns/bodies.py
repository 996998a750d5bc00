"""The seven record bodies (core seed, RecordSet), shared by RecordSet claims and ledger items."""

from enum import StrEnum
from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from libdnsapi.api.meta import JsonObject, WireModel
from libdnsapi.api.schema import OPEN_OBJECT, claim_validations, rule, spoken

MAX_VALUES = 400
"""Values in one record set: Route 53's own limit, kept for every provider."""
MAX_TXT_OCTETS = 4000
DOMAIN_NAME_MAX_LENGTH = 253
TTL_MAX = 2147483647
_TAG_PATTERN = "^[a-z0-9]+$"
TAG_WORDS = "must be lower-case letters and digits, such as issue"


class RecordType(StrEnum):
    """The record types that have a core body."""

    A = "A"
    AAAA = "AAAA"
    TXT = "TXT"
    CNAME = "CNAME"
    MX = "MX"
    CAA = "CAA"
    NS = "NS"

    @property
    def body(self) -> str:
        """The name of the body field: the type in lower case."""
        return self.value.lower()


def _address(family: int, example: str) -> JsonDict:
    """Return the rule that a string is an IP address of one family (Kubernetes' own parser: no zones, no mapped)."""
    return claim_validations(
        rule(f"isIP(self) && ip(self).family() == {family}", f"must be an IPv{family} address such as {example}")
    )


IPv4Address = Annotated[
    str, Field(min_length=1, max_length=64, json_schema_extra=_address(4, "192.0.2.1 (dotted quad)"))
]
IPv6Address = Annotated[str, Field(min_length=1, max_length=64, json_schema_extra=_address(6, "2001:db8::1"))]
"""Longer than any address, so that the rule speaks, which says more than a limit of length."""
DomainName = Annotated[str, Field(min_length=1, max_length=DOMAIN_NAME_MAX_LENGTH)]


class ABody(WireModel):
    """The body of an A record set."""

    addresses: tuple[IPv4Address, ...] = Field(min_length=1, max_length=MAX_VALUES)
    """IPv4 addresses in dotted-quad form, no two of them equal."""


class AAAABody(WireModel):
    """The body of an AAAA record set."""

    addresses: tuple[IPv6Address, ...] = Field(min_length=1, max_length=MAX_VALUES)
    """IPv6 addresses, no two of them equal as addresses; stored as written."""


class TXTBody(WireModel):
    """The body of a TXT record set."""

    values: tuple[Annotated[str, Field(min_length=1, max_length=MAX_TXT_OCTETS)], ...] = Field(
        min_length=1, max_length=MAX_VALUES
    )
    """Logical strings of 1 to 4000 octets without quotes or chunks; the provider quotes and splits."""


class CNAMEBody(WireModel):
    """The body of a CNAME record set."""

    target: DomainName
    """The canonical name: lower-case ASCII without a final dot."""


class MXRecord(WireModel):
    """One mail exchange."""

    preference: int = Field(ge=0, le=65535)
    """Lower values are tried first."""
    exchange: DomainName
    """The mail server's name without a final dot, or "." for a null MX."""


class MXBody(WireModel):
    """The body of an MX record set."""

    model_config = ConfigDict(
        json_schema_extra=claim_validations(
            rule(
                "!self.records.exists(x, x.exchange == '.')"
                " || (size(self.records) == 1 && self.records[0].preference == 0)",
                "exchange . (null MX) stands alone and has preference 0",
                "records",
            )
        )
    )

    records: tuple[MXRecord, ...] = Field(min_length=1, max_length=MAX_VALUES)
    """Mail exchanges; the null MX (RFC 7505) is one entry with preference 0 and exchange "."."""


class CAARecord(WireModel):
    """One certification authority authorisation (RFC 8659)."""

    flags: int = Field(ge=0, le=255)
    """Flags; 128 marks the property as critical."""
    tag: str = Field(
        min_length=1, max_length=255, pattern=_TAG_PATTERN, json_schema_extra=spoken(_TAG_PATTERN, TAG_WORDS)
    )
    """The property, such as issue, issuewild or iodef."""
    value: str = Field(min_length=1, max_length=1024)
    """The property's value without quotes."""


class CAABody(WireModel):
    """The body of a CAA record set."""

    records: tuple[CAARecord, ...] = Field(min_length=1, max_length=MAX_VALUES)
    """Authorisations, no two of them equal."""


class NSBody(WireModel):
    """The body of a delegation."""

    name_servers: tuple[DomainName, ...] = Field(min_length=1, max_length=MAX_VALUES)
    """The child zone's name servers without a final dot."""


class RecordContent(WireModel):
    """Everything of a record set but its identity: TTL, one body, provider options and adoption."""

    ttl: int | None = Field(default=None, ge=1, le=TTL_MAX)
    """How long resolvers may keep the answer, in seconds; required unless an option of the provider rules it out."""
    a: ABody | None = None
    """The body when type is A."""
    aaaa: AAAABody | None = None
    """The body when type is AAAA."""
    txt: TXTBody | None = None
    """The body when type is TXT."""
    cname: CNAMEBody | None = None
    """The body when type is CNAME."""
    mx: MXBody | None = None
    """The body when type is MX."""
    caa: CAABody | None = None
    """The body when type is CAA."""
    ns: NSBody | None = None
    """The body when type is NS: a delegation to a child zone."""
    options: JsonObject | None = Field(default=None, json_schema_extra=OPEN_OBJECT)
    """Provider-specific options, in the shape that the Provider version declares."""
    adoption: JsonObject | None = Field(default=None, json_schema_extra=OPEN_OBJECT)
    """Provider-specific instruction to take over an existing external record set."""

    def bodies(self) -> frozenset[RecordType]:
        """Return the types whose bodies are present."""
        return frozenset(t for t in RecordType if getattr(self, t.body) is not None)


CONTENT_FIELDS = tuple(RecordContent.model_fields)
"""The names of the fields that a claim and its ledger item share."""
