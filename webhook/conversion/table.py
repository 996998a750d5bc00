"""Which conversions this service knows: one line each. Pure.

Empty today: the Route 53 Provider has a single version. A conversion is a pure function of payload and context that
raises ConversionError where a payload cannot be expressed in the storage version.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from libdnsapi.api.meta import JsonObject


class ConversionError(Exception):
    """A payload cannot be converted; the text says why and what to change. Trying again does not help."""


class Route(NamedTuple):
    """What is converted: the Provider, the kind (ZoneClass, Zone, RecordSet), and from which version to which."""

    provider: str
    target: str
    from_version: str
    to_version: str


Convert = Callable[[JsonObject, JsonObject], JsonObject]
"""Payload and context in, payload out."""

CONVERSIONS: Mapping[Route, Convert] = {}
