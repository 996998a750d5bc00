"""All function libraries of our environment in one table."""

from libdnsapi.contract.cel.functions import (
    core,
    formats,
    lists,
    network,
    optionals,
    patterns,
    quantities,
    semvers,
    strings,
    times,
    urls,
)
from libdnsapi.contract.cel.functions.overload import Library, Overload, function, library
from libdnsapi.contract.cel.types import DYN
from libdnsapi.contract.cel.values import OMITTED, Omitted


def _omit() -> Omitted:
    return OMITTED


OVERLOADS: tuple[Overload, ...] = (
    *core.OVERLOADS,
    *patterns.OVERLOADS,
    *strings.OVERLOADS,
    *lists.OVERLOADS,
    *optionals.OVERLOADS,
    *times.OVERLOADS,
    *network.OVERLOADS,
    *urls.OVERLOADS,
    *quantities.OVERLOADS,
    *semvers.OVERLOADS,
    *formats.OVERLOADS,
)
STANDARD: Library = library(OVERLOADS)
CONVERSION: Library = library((*OVERLOADS, function("omit", (), DYN, _omit)))
"""What conversions may call beside: `omit()` drops the entry or element that has it as its value."""
