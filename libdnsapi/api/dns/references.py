"""Small references and payload holders that several kinds share."""

import re
from typing import Annotated

from pydantic import Field

from libdnsapi.api.meta import JsonObject, ObjectKey, WireModel
from libdnsapi.api.schema import DOMAIN_NAME, OPEN_OBJECT

OBJECT_NAME_MAX_LENGTH = 253
NAMESPACE_MAX_LENGTH = 63
_LABEL = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_NAMESPACE = re.compile(_LABEL)
_OBJECT_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")

ZoneDomain = Annotated[str, Field(min_length=1, max_length=253, json_schema_extra=DOMAIN_NAME)]
"""The name of a zone, canonical."""


def is_object_name(text: str) -> bool:
    """Whether an object can have this name: an RFC 1123 subdomain (Kubernetes, "Object Names and IDs")."""
    return len(text) <= OBJECT_NAME_MAX_LENGTH and _OBJECT_NAME.fullmatch(text) is not None


def is_namespace_name(text: str) -> bool:
    """Whether a namespace can have this name: an RFC 1123 label."""
    return len(text) <= NAMESPACE_MAX_LENGTH and _NAMESPACE.fullmatch(text) is not None


class ProviderRef(WireModel):
    """Which Provider, and which of its versions, an object is written for."""

    name: str = Field(min_length=1, max_length=OBJECT_NAME_MAX_LENGTH)
    """The name of a cluster-scoped Provider, such as route53.dns.appthrust.io."""
    version: str = Field(min_length=1, max_length=63)
    """The name of one of the Provider's versions, such as v1alpha1."""

    def __str__(self) -> str:
        """Return `name/version`."""
        return f"{self.name}/{self.version}"


class LocalRef(WireModel):
    """A reference whose namespace defaults to that of the object that holds it."""

    namespace: str | None = Field(default=None, min_length=1, max_length=NAMESPACE_MAX_LENGTH)
    """The namespace; defaults to the namespace of the object that holds this reference."""
    name: str = Field(min_length=1, max_length=OBJECT_NAME_MAX_LENGTH)
    """The object's name."""

    @property
    def is_legal(self) -> bool:
        """Whether a namespace and an object can have these names at all."""
        return (self.namespace is None or is_namespace_name(self.namespace)) and is_object_name(self.name)

    def key(self, default_namespace: str) -> ObjectKey:
        """Return the referenced key, with the default namespace filled in."""
        return ObjectKey(self.namespace or default_namespace, self.name)


class FullRef(WireModel):
    """A resolved reference: both parts are given."""

    namespace: str = Field(min_length=1, max_length=NAMESPACE_MAX_LENGTH)
    """The object's namespace."""
    name: str = Field(min_length=1, max_length=OBJECT_NAME_MAX_LENGTH)
    """The object's name."""

    @property
    def key(self) -> ObjectKey:
        """The referenced key."""
        return ObjectKey(self.namespace, self.name)


class NameRef(WireModel):
    """A reference inside the same namespace."""

    name: str = Field(min_length=1, max_length=OBJECT_NAME_MAX_LENGTH)
    """The object's name."""


class ProviderPublic(WireModel):
    """What a provider publishes to people: only what helps them outside of this API."""

    data: JsonObject | None = Field(default=None, json_schema_extra=OPEN_OBJECT)
    """Provider-specific values, in the shape that the Provider version declares."""


class ProviderOutput(ProviderPublic):
    """Public data beside the provider controller's internal state."""

    state: JsonObject | None = Field(default=None, json_schema_extra=OPEN_OBJECT)
    """The provider controller's own state; never projected to a claim."""
