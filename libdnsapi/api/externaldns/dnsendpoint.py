"""DNSEndpoint: ExternalDNS's own records (`--source=crd`), read so that such manifests need no rewrite.

The kind is ExternalDNS's; only its fields that have a meaning here are modelled, and nothing is ever written to it.
"""

from pydantic import Field

from libdnsapi.api.externaldns.names import EXTERNALDNS_GROUP, EXTERNALDNS_VERSION
from libdnsapi.api.meta import KubernetesObject, ResourceType, WireModel

DNS_ENDPOINTS = ResourceType(EXTERNALDNS_GROUP, EXTERNALDNS_VERSION, "DNSEndpoint", "dnsendpoints")


class ProviderSpecific(WireModel):
    """One provider-specific property, such as alias=true."""

    name: str = ""
    """The property."""
    value: str = ""
    """Its value."""


class EndpointEntry(WireModel):
    """One record set; an empty recordType is derived from the targets, as ExternalDNS does."""

    dns_name: str = ""
    """The name."""
    targets: tuple[str, ...] = ()
    """Its values."""
    record_type: str = ""
    """A, AAAA, CNAME, TXT, MX, CAA or NS; others are refused with an event."""
    record_ttl: int = Field(default=0, alias="recordTTL")
    """Seconds; 0: the pipeline's default."""
    set_identifier: str = ""
    """A routing policy's set; refused with an event."""
    provider_specific: tuple[ProviderSpecific, ...] = ()
    """Properties of one provider."""


class DNSEndpointSpec(WireModel):
    """The record sets."""

    endpoints: tuple[EndpointEntry, ...] = ()
    """The record sets."""


class DNSEndpoint(KubernetesObject):
    """DNSEndpoint is a list of records in ExternalDNS's own form."""

    spec: DNSEndpointSpec = Field(default_factory=DNSEndpointSpec)
    """The record sets."""
