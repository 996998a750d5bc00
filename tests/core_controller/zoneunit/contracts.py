"""Providers that differ in one thing, with everything that a claim needs beside them."""

from pydantic import JsonValue

from libdnsapi.api.meta import JsonObject
from tests.core_controller.zoneunit.objects import (
    Body,
    namespace,
    provider,
    zone,
    zone_class,
)

NOTE: JsonObject = {"type": "object", "properties": {"note": {"type": "string"}}, "additionalProperties": False}
TYPES: list[JsonValue] = ["A", "AAAA", "TXT", "CNAME", "MX", "CAA", "NS"]


def contract(**section: JsonValue) -> Body:
    """Return a Provider with this recordSet section."""
    return provider({"recordSet": {"supportedTypes": TYPES} | section})


def platform_with(changed: Body) -> list[Body]:
    """Return everything that a claim needs, the Zone included, with the Provider exchanged."""
    return [namespace("platform"), changed, zone_class(), zone()]
