"""ProviderConversionReview: the conversion of one payload by a webhook (provider-contract page, Conversion)."""

from dataclasses import dataclass
from datetime import timedelta

from pydantic import Field

from libdnsapi.api.meta import JsonObject, WireModel

CONVERSION_REVIEW = "ProviderConversionReview"
DEFAULT_PATH = "/convert"
DEFAULT_PORT = 443
DEFAULT_TIMEOUT = timedelta(seconds=10)
SERVER_ERROR = 500
TRY_LATER = frozenset({408, 429})
"""Request Timeout and Too Many Requests (RFC 9110, section 15.5.9; RFC 6585, section 4)."""


class ConversionResult(WireModel):
    """How a conversion went."""

    status: str = Field(json_schema_extra={"enum": ["Success", "Failure"]})
    """Success or Failure."""
    reason: str = ""
    """A CamelCase word for machines."""
    message: str = ""
    """What happened, for people."""
    retryable: bool = False
    """Whether the same request may succeed later."""


class ConversionResponse(WireModel):
    """The answer to one request."""

    uid: str
    """The request's uid."""
    result: ConversionResult
    """How it went."""
    payload: JsonObject | None = None
    """The payload in the storage version, when the result is Success."""


class ConversionAnswerReview(WireModel):
    """The answering review."""

    api_version: str
    kind: str
    response: ConversionResponse


@dataclass(frozen=True, slots=True)
class ConversionCall:
    """One HTTPS POST that converts a payload.

    `key` is equal for equal requests of one Provider generation, so an answer may be kept under it. `namespace` and
    `service` name the in-cluster Service, `path` starts with a slash, `ca_bundle` is base64 of PEM.
    """

    key: str
    namespace: str
    service: str
    port: int
    path: str
    ca_bundle: str
    timeout: timedelta
    body: JsonObject

    @property
    def host(self) -> str:
        """The Service's DNS name, which the server's certificate must carry."""
        return f"{self.service}.{self.namespace}.svc"


@dataclass(frozen=True, slots=True)
class ConversionAnswer:
    """What came back: an HTTP status and a body, or the reason why nothing did (`failure`, safe to show)."""

    status: int = 0
    body: bytes = b""
    failure: str = ""

    @property
    def is_outage(self) -> bool:
        """Whether the service, or what stands before it, may give another answer later: none, 5xx, 408 or 429."""
        return bool(self.failure) or self.status >= SERVER_ERROR or self.status in TRY_LATER
